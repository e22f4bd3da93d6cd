//! Mobility: the number of safe squares that a piece bears on. Those of own pieces, which it
//! defends, count too.
//!
//! Squares that enemy pawns attack don't count, nor those of the own king and of own pawns that
//! can't move. Bishops look through own bishops and queens, rooks through own rooks and queens,
//! since they work together on a line (Sirius gained ten points by that).

use shakmaty::Role;

use super::attack_map::PieceAttacks;
use crate::evaluation::pairs::{PIECE_ROLES, PlacedPiece};

/// The counts of squares: none to 27, those of a queen on an empty board.
const COUNTS: usize = 28;

/// The number of scores: knight, bishop, rook or queen, and the count.
pub const MOBILITY_SIZE: usize = PIECE_ROLES.len() * COUNTS;

/// A knight, bishop, rook or queen and the number of its safe squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mobility {
    /// The piece.
    pub piece: PlacedPiece,
    /// The number of its safe squares, at most 27.
    pub squares: usize,
}

impl Mobility {
    /// The mobility of a piece.
    #[inline(always)]
    pub(super) fn of(piece: PieceAttacks) -> Mobility {
        Mobility {
            piece: (piece.role.of(piece.side), piece.square),
            squares: piece.reach.count(),
        }
    }

    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        let role = usize::from(self.piece.0.role) - usize::from(Role::Knight);
        role * COUNTS + self.squares.min(COUNTS - 1)
    }
}
