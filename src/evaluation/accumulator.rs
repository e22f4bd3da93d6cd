//! The accumulator: the sums of the table entries of a position, kept up to date move by move.
//!
//! Adding up all pieces at every node would be slow. A move changes only a few features, so the accumulator
//! adds and subtracts only those (like the first layer of an NNUE). Each side has its own sum, because it sees
//! the board from behind its own king. When a king moves to another bucket, all indices of its side change and
//! its sum is computed from scratch.
//!
//! [`super::features`] decides which features a position has and which of them a move changes.

use shakmaty::{Board, Color, Piece, Square};

use super::features::{Change, FeatureState};
use super::tables::Tables;
use super::tapered_score::{MAX_PHASE, TaperedScore, phase_of, unclamped_phase};

/// The running sums of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulator {
    features: FeatureState,
    /// The sum of each side's features, indexed by color.
    sums: [TaperedScore; 2],
    /// Not clamped to [`MAX_PHASE`], so that captures can be subtracted after a promotion.
    phase: i32,
}

impl Accumulator {
    /// The sums of a board, computed from scratch.
    pub fn of(board: &Board, tables: &Tables) -> Accumulator {
        let features = FeatureState::of(tables.layout(), board);
        Accumulator {
            features,
            sums: [Color::Black, Color::White].map(|side| sum(features, board, tables, side)),
            phase: unclamped_phase(board),
        }
    }

    /// Adds a piece on a square.
    #[inline]
    pub fn place(&mut self, tables: &Tables, piece: Piece, square: Square) {
        let sums = &mut self.sums;
        let apply = |side, change| apply(tables, sums, side, change);
        self.features.place(tables.layout(), piece, square, apply);
        self.phase += phase_of(piece.role);
    }

    /// Removes a piece from a square.
    #[inline]
    pub fn remove(&mut self, tables: &Tables, piece: Piece, square: Square) {
        let sums = &mut self.sums;
        let apply = |side, change| apply(tables, sums, side, change);
        self.features.remove(tables.layout(), piece, square, apply);
        self.phase -= phase_of(piece.role);
    }

    /// Moves a piece from one square to another. After a king's move, [`Accumulator::follow_king`] must be
    /// called too.
    #[inline]
    pub fn shift(&mut self, tables: &Tables, piece: Piece, from: Square, to: Square) {
        let sums = &mut self.sums;
        let apply = |side, change| apply(tables, sums, side, change);
        self.features
            .shift(tables.layout(), piece, [from, to], apply);
    }

    /// Updates the accumulator after a move of the king of `side` to `king`; `board` is the board after the
    /// move. Computes the sum of the side from scratch if the king is in another bucket now.
    #[inline]
    pub fn follow_king(&mut self, tables: &Tables, board: &Board, side: Color, king: Square) {
        if self.features.follow_king(tables.layout(), side, king) {
            self.sums[usize::from(side)] = sum(self.features, board, tables, side);
        }
    }

    /// White's sum minus Black's.
    #[inline]
    pub fn balance(self) -> TaperedScore {
        let [black, white] = self.sums;
        let mut balance = white;
        balance -= black;
        balance
    }

    /// The phase, 0 to [`MAX_PHASE`], even after promotions.
    #[inline]
    pub fn phase(self) -> i32 {
        self.phase.min(MAX_PHASE)
    }
}

/// The sum of a side's features, computed from scratch.
fn sum(features: FeatureState, board: &Board, tables: &Tables, side: Color) -> TaperedScore {
    let listed = features.features(tables.layout(), board, side);
    listed.fold(TaperedScore::default(), |mut sum, (_, index)| {
        sum += tables.score(index);
        sum
    })
}

/// Adds the score of an added feature, or subtracts that of a removed one.
#[inline]
fn apply(tables: &Tables, sums: &mut [TaperedScore; 2], side: Color, change: Change) {
    let sum = &mut sums[usize::from(side)];
    match change {
        Change::Add(index) => *sum += tables.score(index),
        Change::Remove(index) => *sum -= tables.score(index),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::sets::TableSet;
    use shakmaty::fen::Fen;

    #[test]
    fn the_phase_never_exceeds_that_of_all_pieces() {
        let fen: Fen = "QQQQ3k/8/8/8/8/8/8/QQQQ3K w - - 0 1"
            .parse()
            .expect("a valid FEN");
        let board = &fen.as_setup().board;
        let accumulator = Accumulator::of(board, &TableSet::Simplified.tables());
        assert_eq!(accumulator.phase(), MAX_PHASE);
    }
}
