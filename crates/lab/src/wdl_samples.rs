//! What the WDL model is fitted to and checked with: score, material and result of each position of
//! a game.
//!
//! Positions are seen from the side that the score favours, since the model is the same for both
//! sides. They are sorted into bins by material and score, and every game counts once in each bin
//! that it visits: its positions there share one result, so a hundred moves in a locked position
//! say no more than one.

use std::ops::Range;

use super::game_file::TrainingGame;
use super::training_position::{GameResult, TrainingPosition};
use squarewise_engine::{drawishness, wdl};

/// The limits of the bands of material, in pawns of both sides; the last band is open.
const MATERIAL_LIMITS: [u32; 3] = [0, 25, 50];
/// The limits of the bands of scores, in centipawns; the last band is open.
const SCORE_LIMITS: [u32; 6] = [0, 25, 50, 100, 200, 400];
/// The number of bins.
pub(super) const BINS: usize = MATERIAL_LIMITS.len() * SCORE_LIMITS.len();

/// The result of a game for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Win,
    Draw,
    Loss,
}

impl Outcome {
    pub(super) const ALL: [Outcome; 3] = [Outcome::Win, Outcome::Draw, Outcome::Loss];
}

/// What the model sees of a position, from the point of view of the side that the score favours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WdlSample {
    /// What counts of the score of the search, not negative ([`squarewise_engine::drawishness`]).
    pub(super) centipawns: f64,
    /// The material of both sides, in pawns.
    pub(super) material: u32,
    /// The result of the game.
    pub(super) outcome: Outcome,
    /// One divided by the number of positions that the game has in this bin.
    pub(super) weight: f64,
    /// The bin, 0 to [`BINS`] - 1.
    pub(super) bin: usize,
}

impl WdlSample {
    fn of(position: &TrainingPosition) -> WdlSample {
        let turn = position.turn;
        let score = i32::from(position.score);
        let is_ahead = turn.fold_wb(score, -score) >= 0;
        let favoured = if is_ahead { turn } else { !turn };
        let (material, centipawns) = (wdl::material(&position.board), score.unsigned_abs());
        let (row, column) = (
            band(&MATERIAL_LIMITS, material),
            band(&SCORE_LIMITS, centipawns),
        );
        WdlSample {
            centipawns: drawishness::counted(centipawns.into(), favoured, &position.board),
            material,
            outcome: match position.result {
                GameResult::Draw => Outcome::Draw,
                result if result == GameResult::won_by(favoured) => Outcome::Win,
                _ => Outcome::Loss,
            },
            weight: 1.0,
            bin: row * SCORE_LIMITS.len() + column,
        }
    }
}

/// The samples of one game.
pub(super) fn samples_of(game: &TrainingGame) -> Vec<WdlSample> {
    let mut samples: Vec<WdlSample> = game.positions.iter().map(WdlSample::of).collect();
    let mut counts = [0_u32; BINS];
    samples.iter().for_each(|sample| counts[sample.bin] += 1);
    for sample in &mut samples {
        sample.weight = 1.0 / f64::from(counts[sample.bin]);
    }
    samples
}

/// The material and the scores of a bin; without an end in an open band.
pub(super) fn ranges_of(bin: usize) -> [Range<u32>; 2] {
    let (row, column) = (bin / SCORE_LIMITS.len(), bin % SCORE_LIMITS.len());
    [range(&MATERIAL_LIMITS, row), range(&SCORE_LIMITS, column)]
}

/// The number of the band that a value lies in; the first limit is 0.
fn band(limits: &[u32], value: u32) -> usize {
    limits.partition_point(|limit| *limit <= value) - 1
}

fn range(limits: &[u32], band: usize) -> Range<u32> {
    limits[band]..limits.get(band + 1).copied().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Bitboard, Board, Color};

    fn position(score: i16, turn: Color, result: GameResult) -> TrainingPosition {
        TrainingPosition {
            board: Board::default(),
            turn,
            castling_rights: Bitboard::EMPTY,
            en_passant: None,
            score,
            result,
        }
    }

    #[test]
    fn a_sample_is_seen_from_the_side_that_the_score_favours() {
        for (score, turn, expected) in [
            (120, Color::White, Outcome::Win),
            (120, Color::Black, Outcome::Win),
            (-120, Color::White, Outcome::Loss),
            (-120, Color::Black, Outcome::Loss),
            (0, Color::Black, Outcome::Loss),
        ] {
            let sample = WdlSample::of(&position(score, turn, GameResult::WhiteWins));
            assert_eq!(sample.outcome, expected, "{score} with {turn} to move");
            assert_eq!(sample.centipawns, f64::from(score.abs()));
        }
        let drawn = WdlSample::of(&position(i16::MIN, Color::White, GameResult::Draw));
        assert_eq!(drawn.outcome, Outcome::Draw);
    }

    #[test]
    fn the_positions_of_a_game_in_a_bin_weigh_as_much_as_one() {
        let scores = [10, -20, 24, 25, 5_000];
        let positions = scores.map(|score| position(score, Color::White, GameResult::Draw));
        let samples = samples_of(&TrainingGame {
            positions: positions.into(),
        });
        let weights: Vec<f64> = samples.iter().map(|sample| sample.weight).collect();
        assert_eq!(weights, [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 1.0, 1.0]);
        assert_eq!(ranges_of(samples[0].bin), [50..u32::MAX, 0..25]);
        assert_eq!(ranges_of(samples[3].bin), [50..u32::MAX, 25..50]);
        assert_eq!(ranges_of(samples[4].bin), [50..u32::MAX, 400..u32::MAX]);
        assert_eq!(samples[4].bin, BINS - 1);
    }
}
