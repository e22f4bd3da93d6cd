//! The static evaluation: the score of a position without a search, by tables alone.
//!
//! Every feature of a position (a piece on its square, a passed pawn, a piece and a pawn, the
//! material of a side) has a score for the middlegame and one for the endgame. A search keeps their
//! sums in the [`Accumulator`]s of its [`Evaluator`], so that they cost a few additions. The value
//! of a piece also depends on what it attacks, which changes with every move, so [`attacks`]
//! computes that anew for each evaluation. [`evaluate`] blends the two scores by the phase of the
//! game: tapered evaluation.
//!
//! There is one sum for each side, because the tables can depend on the perspective from behind
//! that side's king (see [`king_buckets`]). [`features`] decides which table entries a position
//! adds up, [`tables`] holds them.

pub mod accumulator;
mod attack_terms;
pub mod attacks;
pub mod breakdown;
mod ending_terms;
pub mod endings;
mod evaluator;
pub mod features;
pub mod file;
pub mod heat_map;
pub mod king_buckets;
mod lane_score;
pub mod layout;
pub mod learned;
pub mod material;
mod misjudgement;
mod pair_perspective;
pub mod pair_table;
pub mod pairs;
pub mod passed_pawns;
mod rounding;
pub mod sets;
pub mod simplified;
pub mod tables;
pub mod tapered_score;
mod terms;

pub use accumulator::Accumulator;
pub use breakdown::Breakdown;
pub use evaluator::{EvaluationMemory, Evaluator};
pub use sets::{TableSet, tables_of};
pub use tables::Tables;
pub use tapered_score::{BLEND_DIVISOR, MAX_PHASE, TaperedScore};

use shakmaty::{Board, Chess, Color, Position};

use crate::score::Score;

impl Tables {
    /// The static evaluation of a position from the point of view of the side to move, computed
    /// from scratch.
    pub fn evaluate(&self, position: &Chess) -> Score {
        evaluate(
            Accumulator::of(position.board(), self),
            self,
            position.board(),
            position.turn(),
        )
    }
}

/// The evaluation from the point of view of the side to move: the balance of the accumulator and of
/// the attacks on the board, blended by the phase, plus the tempo bonus. An ending with tables of
/// its own is evaluated by them alone.
#[inline]
pub fn evaluate(accumulator: Accumulator, tables: &Tables, board: &Board, turn: Color) -> Score {
    if let Some(score) = tables.ending_score(board, turn) {
        return score;
    }
    let mut balance = accumulator.balance();
    if let Some(attacks) = tables.attacks() {
        balance += attacks.balance(board, turn, accumulator.passed_pawns());
    }
    let white_score = blend(balance, accumulator.phase());
    Score::centipawns(turn.fold_wb(white_score, -white_score) + tables.tempo())
}

/// The mean of the middlegame and the endgame value, weighted by the phase (0 to [`MAX_PHASE`]), in
/// centipawns.
#[inline]
fn blend(score: TaperedScore, phase: i32) -> i32 {
    score.weighted(phase) / BLEND_DIVISOR
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use tapered_score::UNITS;

    /// Takes the board alone, since one published check value is for an illegal position.
    fn evaluated(fen: &str) -> i32 {
        let fen: Fen = fen.parse().expect("a valid FEN");
        let setup = fen.as_setup();
        let tables = TableSet::Simplified.tables();
        evaluate(
            Accumulator::of(&setup.board, &tables),
            &tables,
            &setup.board,
            setup.turn,
        )
        .value()
    }

    #[test]
    fn the_simplified_tables_give_the_published_check_values() {
        for line in include_str!("../../../../tests/data/simplified-check-values.txt").lines() {
            let (fen, expected) = line.split_once(';').expect("a position and a value");
            assert_eq!(evaluated(fen).to_string(), expected, "{fen}");
        }
    }

    #[test]
    fn the_blend_goes_from_the_endgame_value_to_the_middlegame_value() {
        let score = TaperedScore {
            middlegame: 240 * UNITS,
            endgame: -240 * UNITS,
        };
        assert_eq!(blend(score, 0), -240);
        assert_eq!(blend(score, 12), 0);
        assert_eq!(blend(score, MAX_PHASE), 240);
    }
}
