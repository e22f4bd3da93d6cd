//! Samples: training positions as the tuner sees them, as feature indices and a target.
//!
//! Everything is from the perspective of the side to move. Positions with the same features, because one is the
//! other with colors swapped or mirrored left to right, are merged into one sample with the average target, so
//! that an opening shared by a thousand games counts once.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use rayon::prelude::*;

use super::training_position::TrainingPosition;
use crate::evaluation::features::{Family, FeatureState, Layout};
use crate::evaluation::tapered_score::{MAX_PHASE, unclamped_phase};

/// A feature index in 16 bits: the samples hold billions of them.
type Index = u16;

const _: () = assert!(Layout::MAX_LENGTH <= 1 << Index::BITS);

/// One position: its range of feature indices, its phase, and the target of the prediction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    first: usize,
    length: usize,
    /// The weight of the middle game, 0 to 1.
    pub(super) middle_game: f32,
    /// The expected score of the side to move, 0 to 1.
    pub(super) target: f32,
}

/// All samples of one part of the data.
#[derive(Debug, Default)]
pub(super) struct Samples {
    samples: Vec<Sample>,
    /// For each feature of each sample, its indices from the perspectives of the side to move and of the other
    /// side.
    indices: Vec<[Index; 2]>,
}

/// A position on its way to become a sample.
struct Parts {
    indices: Vec<[Index; 2]>,
    middle_game: f32,
    target: f32,
}

impl Parts {
    fn of(
        position: &TrainingPosition,
        layout: &Layout,
        families: &[Family],
        white_target: f32,
    ) -> Parts {
        let (board, turn) = (&position.board, position.turn);
        let state = FeatureState::of(layout, board);
        let ours = state.features(layout, board, turn);
        let theirs = state.features(layout, board, !turn);
        let wanted = ours
            .zip(theirs)
            .filter(|((feature, _), _)| families.contains(&feature.family()));
        let mut indices: Vec<[Index; 2]> = wanted
            .map(|((_, ours), (_, theirs))| [ours as Index, theirs as Index])
            .collect();
        // Sorted, so that positions with the same features are equal.
        indices.sort_unstable();
        Parts {
            indices,
            middle_game: unclamped_phase(board).min(MAX_PHASE) as f32 / MAX_PHASE as f32,
            target: turn.fold_wb(white_target, 1.0 - white_target),
        }
    }
}

impl Samples {
    /// Turns positions into samples of the features of some families. `target` is White's expected score, 0 to
    /// 1.
    pub(super) fn new(
        positions: &[&TrainingPosition],
        layout: &Layout,
        families: &[Family],
        target: &(impl Fn(&TrainingPosition) -> f32 + Sync),
    ) -> Samples {
        const CHUNK: usize = 1 << 16;
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let mut data = Samples::default();
        let mut merged: HashMap<u64, (usize, u32)> = HashMap::new();
        for chunk in positions.chunks(CHUNK) {
            let chunk_parts: Vec<(u64, Parts)> = chunk
                .par_iter()
                .map(|position| {
                    let parts = Parts::of(position, layout, families, target(position));
                    (hasher.hash_one(&parts.indices), parts)
                })
                .collect();
            for (hash, parts) in chunk_parts {
                let (number, seen) = merged.entry(hash).or_insert((data.samples.len(), 0));
                *seen += 1;
                if *seen == 1 {
                    data.push(parts);
                } else {
                    let sample = &mut data.samples[*number];
                    sample.target += (parts.target - sample.target) / *seen as f32;
                }
            }
        }
        data
    }

    fn push(&mut self, parts: Parts) {
        self.samples.push(Sample {
            first: self.indices.len(),
            length: parts.indices.len(),
            middle_game: parts.middle_game,
            target: parts.target,
        });
        self.indices.extend(parts.indices);
    }

    /// The samples.
    pub(super) fn all(&self) -> &[Sample] {
        &self.samples
    }

    /// The features of a sample: for each its indices from the perspectives of the side to move and of the
    /// other side.
    pub(super) fn features_of(&self, sample: &Sample) -> &[[Index; 2]] {
        &self.indices[sample.first..sample.first + sample.length]
    }

    /// The indices of all features of all samples.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> {
        self.indices
            .iter()
            .flatten()
            .map(|index| usize::from(*index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::king_buckets::KingBuckets;
    use crate::learning::training_position::GameResult;
    use shakmaty::fen::Fen;

    fn position(fen: &str, result: GameResult) -> TrainingPosition {
        let fen: Fen = fen.parse().expect("a valid FEN");
        let setup = fen.into_setup();
        TrainingPosition {
            board: setup.board,
            turn: setup.turn,
            score: 0,
            result,
        }
    }

    #[test]
    fn positions_with_the_same_features_are_merged() {
        let positions = [
            position("4k3/8/8/8/8/8/P7/1K6 w - - 0 1", GameResult::WhiteWins),
            // Mirrored left to right.
            position("3k4/8/8/8/8/8/7P/6K1 w - - 0 1", GameResult::Draw),
            // Colors swapped.
            position("1k6/p7/8/8/8/8/8/4K3 b - - 0 1", GameResult::BlackWins),
            // The other side to move.
            position("4k3/8/8/8/8/8/P7/1K6 b - - 0 1", GameResult::Draw),
        ];
        let positions: Vec<&TrainingPosition> = positions.iter().collect();
        let target = |position: &TrainingPosition| position.result.points();
        let targets = |name: &str, families: &[Family]| -> Vec<f32> {
            let king_buckets = KingBuckets::named(name).expect("a scheme of this name");
            let layout = Layout::new(king_buckets);
            let samples = Samples::new(&positions, &layout, families, &target);
            samples.all().iter().map(|sample| sample.target).collect()
        };
        for families in [&[Family::PieceSquare][..], &Family::ALL] {
            let mirrored = targets("squares", families);
            assert_eq!(mirrored.len(), 2);
            assert!((mirrored[0] - 2.5 / 3.0).abs() < 1e-6, "{mirrored:?}");
            assert_eq!(mirrored[1], 0.5);
            assert_eq!(targets("plain", families), [1.0, 0.5, 0.5]);
        }
    }
}
