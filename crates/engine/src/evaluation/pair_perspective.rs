//! From which side the table of pairs is read, and where a pair stands in it.

use shakmaty::{Color, Square};

use super::king_buckets::Perspective;
use super::pairs::PlacedPiece;

/// The columns of a row of [`PairTable`](super::pair_table::PairTable): 64 squares for White's
/// pawns, 64 for Black's.
pub const COLUMNS: usize = 128;
/// The rows of one half of [`PairTable`](super::pair_table::PairTable): ten kinds of pieces on 64
/// squares.
pub(super) const HALF_ROWS: usize = 10 * 64;
/// The rows of [`PairTable`](super::pair_table::PairTable): one half for kings on the same wing,
/// the other for kings on opposite wings.
pub const ROWS: usize = 2 * HALF_ROWS;

/// From which side of the board [`PairTable`](super::pair_table::PairTable) is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairPerspective {
    /// The first row of the half of the table: that for kings on the same wing, or on opposite
    /// ones.
    first_row: u16,
    /// Turns a square into the one that is looked up, by exclusive or: mirrored with White's king.
    flip: u8,
}

impl PairPerspective {
    /// The perspective on pairs of these two perspectives, indexed by color.
    #[inline]
    pub fn new([black, white]: [Perspective; 2]) -> PairPerspective {
        let is_same_wing = white.flip() ^ black.flip() == SAME_WING;
        PairPerspective {
            first_row: if is_same_wing { 0 } else { HALF_ROWS as u16 },
            flip: white.flip(),
        }
    }

    /// The row of a piece other than a king.
    #[inline]
    pub fn row(self, (piece, square): PlacedPiece) -> usize {
        let kind = usize::from(piece.color.is_black()) * 5 + usize::from(piece.role) - 1;
        usize::from(self.first_row) + kind * 64 + (usize::from(square) ^ usize::from(self.flip))
    }

    /// The column of a pawn.
    #[inline]
    pub fn column(self, color: Color, square: Square) -> usize {
        let half = usize::from(color.is_black()) * 64;
        half + (usize::from(square) ^ usize::from(self.flip))
    }
}

/// What turns a square as White sees it into the square as Black does, by exclusive or, with the
/// kings on the same wing: upside down.
pub(super) const SAME_WING: u8 = 56;
/// The same with the kings on opposite wings: mirrored besides.
pub(super) const OPPOSITE_WINGS: u8 = 63;
