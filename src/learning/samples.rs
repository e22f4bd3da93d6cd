//! Positions as the tuner sees them: which values each one adds up, and what the sum is aimed at.
//!
//! Everything is told from the view of the side to move. Positions that tables of the shape at hand can't
//! tell apart, because one is the other with the colours swapped or mirrored left to right, count as one,
//! whose target is the average: an opening that a thousand games share speaks once.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use rayon::prelude::*;

use super::training_position::Record;
use crate::evaluation::king_buckets::KingBuckets;
use crate::evaluation::material::Material;
use crate::evaluation::{MAX_PHASE, phase_of};

/// A position's place among the indices, and its aim.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    first: usize,
    terms: usize,
    /// How much of the middle game is left, 0 to 1.
    pub(super) middle_game: f32,
    /// The share of points that the side to move may expect.
    pub(super) target: f32,
}

/// All positions of one part of the data.
#[derive(Debug, Default)]
pub(super) struct Samples {
    samples: Vec<Sample>,
    /// For each term of each sample, a piece or the armies, the value that the side to move sees and the one
    /// that the other sees.
    indices: Vec<[u16; 2]>,
}

/// What is added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Terms {
    /// What each piece is worth.
    Pieces,
    /// And what they are worth together; the armies' values follow those of the shape.
    PiecesAndArmies,
}

/// A record taken apart.
struct Parts {
    indices: Vec<[u16; 2]>,
    middle_game: f32,
    target: f32,
}

impl Parts {
    fn of(record: &Record, shape: &KingBuckets, terms: Terms, white_target: f32) -> Parts {
        let (us, them) = (record.turn, !record.turn);
        let [ours, theirs] = [us, them].map(|side| shape.view(side, record.king(side)));
        let mut phase = 0;
        let mut indices = Vec::with_capacity(33);
        for (square, piece) in record.board.iter() {
            phase += phase_of(piece.role);
            let role = usize::from(piece.role) - 1;
            indices.push([
                ours.index(piece.color == them, role, square) as u16,
                theirs.index(piece.color == us, role, square) as u16,
            ]);
        }
        if terms == Terms::PiecesAndArmies {
            let index = |side| (shape.length() + Material::of(&record.board, side).index()) as u16;
            indices.push([index(us), index(them)]);
        }
        // In one order, so that positions which look the same are the same.
        indices.sort_unstable();
        Parts {
            indices,
            middle_game: phase.min(MAX_PHASE) as f32 / MAX_PHASE as f32,
            target: us.fold_wb(white_target, 1.0 - white_target),
        }
    }
}

impl Samples {
    /// Takes records apart for tables of a shape. `target` is the share of points that White may expect.
    pub(super) fn new(
        records: &[&Record],
        shape: &KingBuckets,
        terms: Terms,
        target: &(impl Fn(&Record) -> f32 + Sync),
    ) -> Samples {
        const CHUNK: usize = 1 << 16;
        let hasher = BuildHasherDefault::<DefaultHasher>::default();
        let mut data = Samples::default();
        let mut known: HashMap<u64, (usize, u32)> = HashMap::new();
        for chunk in records.chunks(CHUNK) {
            let taken_apart: Vec<(u64, Parts)> = chunk
                .par_iter()
                .map(|record| {
                    let parts = Parts::of(record, shape, terms, target(record));
                    (hasher.hash_one(&parts.indices), parts)
                })
                .collect();
            for (hash, parts) in taken_apart {
                let (place, seen) = known.entry(hash).or_insert((data.samples.len(), 0));
                *seen += 1;
                if *seen == 1 {
                    data.push(parts);
                } else {
                    let sample = &mut data.samples[*place];
                    sample.target += (parts.target - sample.target) / *seen as f32;
                }
            }
        }
        data
    }

    fn push(&mut self, parts: Parts) {
        self.samples.push(Sample {
            first: self.indices.len(),
            terms: parts.indices.len(),
            middle_game: parts.middle_game,
            target: parts.target,
        });
        self.indices.extend(parts.indices);
    }

    /// The samples.
    pub(super) fn all(&self) -> &[Sample] {
        &self.samples
    }

    /// The values that a sample adds up: for each piece, and for the armies, what the
    /// side to move sees and what the other sees.
    pub(super) fn terms_of(&self, sample: &Sample) -> &[[u16; 2]] {
        &self.indices[sample.first..sample.first + sample.terms]
    }

    /// Every index in use, once for each use.
    pub(super) fn uses(&self) -> impl Iterator<Item = usize> {
        self.indices
            .iter()
            .flatten()
            .map(|index| usize::from(*index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learning::training_position::GameResult;
    use shakmaty::fen::Fen;

    fn record(fen: &str, result: GameResult) -> Record {
        let fen: Fen = fen.parse().expect("a valid FEN");
        let setup = fen.into_setup();
        Record {
            board: setup.board,
            turn: setup.turn,
            score: 0,
            result,
        }
    }

    #[test]
    fn what_the_tables_cannot_tell_apart_counts_as_one() {
        let records = [
            record("4k3/8/8/8/8/8/P7/1K6 w - - 0 1", GameResult::WhiteWins),
            // Mirrored left to right.
            record("3k4/8/8/8/8/8/7P/6K1 w - - 0 1", GameResult::Draw),
            // Colours swapped.
            record("1k6/p7/8/8/8/8/8/4K3 b - - 0 1", GameResult::BlackWins),
            // The other side to move.
            record("4k3/8/8/8/8/8/P7/1K6 b - - 0 1", GameResult::Draw),
        ];
        let records: Vec<&Record> = records.iter().collect();
        let target = |record: &Record| record.result.points();
        let targets = |shape: &str, terms: Terms| -> Vec<f32> {
            let shape = KingBuckets::named(shape).expect("a shape of this name");
            let samples = Samples::new(&records, &shape, terms, &target);
            samples.all().iter().map(|sample| sample.target).collect()
        };
        for terms in [Terms::Pieces, Terms::PiecesAndArmies] {
            let mirrored = targets("squares", terms);
            assert_eq!(mirrored.len(), 2);
            assert!((mirrored[0] - 2.5 / 3.0).abs() < 1e-6, "{mirrored:?}");
            assert_eq!(mirrored[1], 0.5);
            assert_eq!(targets("plain", terms), [1.0, 0.5, 0.5]);
        }
    }
}
