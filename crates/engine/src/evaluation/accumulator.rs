//! The accumulator: the sums of the table entries of a position, kept up to date move by move.
//!
//! Adding up all features at every node would be slow. A move changes only a few of them, so the
//! accumulator of a position is that of the position before, with the difference added (like the
//! first layer of an NNUE).
//!
//! Each side has its own sum, because it sees the board from behind its own king. When a king's
//! move changes that perspective (another bucket, or another half of a mirrored board), all indices
//! of its side change and its sum is computed from scratch. The pairs of pieces and pawns have a
//! common sum, since only the difference of the two sides is looked up; it is computed from scratch
//! when a king changes wings.
//!
//! [`super::features`] decides which features a position has and which of them a change of a piece
//! concerns.

use shakmaty::{Bitboard, Board, Color, Role};

use super::features::{Change, FeatureState};
use super::pairs::PlacedPiece;
use super::tables::Tables;
use super::tapered_score::{MAX_PHASE, TaperedScore, phase_of, unclamped_phase};
use crate::position::piece_changes::{PieceChange, PieceChanges};

/// The running sums of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulator {
    features: FeatureState,
    /// The sum of each side's features, indexed by color.
    sums: [TaperedScore; 2],
    /// The sum of the pairs, White's scores minus Black's.
    pairs: TaperedScore,
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
            pairs: sum_of_pairs(features, board, tables),
            phase: unclamped_phase(board),
        }
    }

    /// The sums after a move with these changes, given those before it and the boards before and
    /// after it.
    #[inline]
    pub fn after_move(
        self,
        tables: &Tables,
        changes: &PieceChanges,
        [before, after]: [&Board; 2],
    ) -> Accumulator {
        let mut next = self;
        let (mut have_pawns_changed, mut has_king_moved) = (false, false);
        for PieceChange { piece, from, to } in changes {
            have_pawns_changed |= piece.role == Role::Pawn;
            has_king_moved |= piece.role == Role::King;
            if let Some(from) = from {
                next.remove(tables, (*piece, *from));
            }
            if let Some(to) = to {
                next.place(tables, (*piece, *to));
            }
        }
        if have_pawns_changed {
            next.features.follow_pawns(after);
        }
        let sums = &mut next.sums;
        next.features
            .changes_since(self.features, tables.layout(), |side, change| {
                apply(tables, sums, side, change);
            });
        if has_king_moved {
            next.follow_kings(tables, after);
        }
        if let Some(pairs) = tables.pairs() {
            let perspective = next.features.pair_perspective();
            if perspective == self.features.pair_perspective() {
                next.pairs += pairs.difference(perspective, changes, before);
            } else {
                next.pairs = pairs.balance(perspective, after);
            }
        }
        next
    }

    #[inline]
    fn place(&mut self, tables: &Tables, (piece, square): PlacedPiece) {
        let sums = &mut self.sums;
        let apply = |side, change| apply(tables, sums, side, change);
        self.features.place(tables.layout(), piece, square, apply);
        self.phase += phase_of(piece.role);
    }

    #[inline]
    fn remove(&mut self, tables: &Tables, (piece, square): PlacedPiece) {
        let sums = &mut self.sums;
        let apply = |side, change| apply(tables, sums, side, change);
        self.features.remove(tables.layout(), piece, square, apply);
        self.phase -= phase_of(piece.role);
    }

    /// Updates the perspectives, and computes the sum of a side from scratch if its own has
    /// changed.
    fn follow_kings(&mut self, tables: &Tables, board: &Board) {
        for side in Color::ALL {
            if let Some(king) = board.king_of(side)
                && self.features.follow_king(tables.layout(), side, king)
            {
                self.sums[usize::from(side)] = sum(self.features, board, tables, side);
            }
        }
    }

    /// White's sum minus Black's.
    #[inline]
    pub fn balance(self) -> TaperedScore {
        let [black, white] = self.sums;
        white - black + self.pairs
    }

    /// The passed pawns of Black and of White.
    #[inline]
    pub fn passed_pawns(self) -> [Bitboard; 2] {
        self.features.passed_pawns()
    }

    /// The phase, 0 to [`MAX_PHASE`], even after promotions.
    #[inline]
    pub fn phase(self) -> i32 {
        self.phase.min(MAX_PHASE)
    }
}

/// The sum of a side's features without the pairs, computed from scratch.
fn sum(features: FeatureState, board: &Board, tables: &Tables, side: Color) -> TaperedScore {
    let mut sum = TaperedScore::default();
    features.for_each_index(tables.layout(), board, side, |index| {
        sum += tables.score(index);
    });
    sum
}

/// The sum of the pairs, White's scores minus Black's, computed from scratch.
fn sum_of_pairs(features: FeatureState, board: &Board, tables: &Tables) -> TaperedScore {
    let pairs = tables.pairs();
    pairs.map_or_else(TaperedScore::default, |pairs| {
        pairs.balance(features.pair_perspective(), board)
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
