//! Mobility: the number of safe squares that a piece can go to.
//!
//! Squares that enemy pawns attack don't count, nor those of the own king and of own pawns that
//! can't move. Bishops look through own bishops and queens, rooks through own rooks and queens,
//! since they work together on a line (Sirius gained ten points by that).

use shakmaty::attacks::{bishop_attacks, rook_attacks};
use shakmaty::{Bitboard, Color, Role};

use super::board::AttackedBoard;
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
    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        let role = usize::from(self.piece.0.role) - usize::from(Role::Knight);
        role * COUNTS + self.squares.min(COUNTS - 1)
    }
}

/// The mobility of the pieces of a side.
#[inline(always)]
pub(super) fn for_each(board: &AttackedBoard, side: Color, mut f: impl FnMut(Mobility)) {
    let area = mobility_area(board, side);
    let pieces = board.board;
    let (occupied, own) = (pieces.occupied(), pieces.by_color(side));
    let through_bishops = occupied ^ (own & pieces.bishops_and_queens());
    let through_rooks = occupied ^ (own & pieces.rooks_and_queens());
    for attacker in &board.map.side(side).pieces {
        let square = attacker.square;
        let reached = match attacker.role {
            Role::Bishop => bishop_attacks(square, through_bishops),
            Role::Rook => rook_attacks(square, through_rooks),
            Role::King => continue,
            _ => attacker.attacks,
        };
        f(Mobility {
            piece: (attacker.role.of(side), square),
            squares: (reached & area).count(),
        });
    }
}

/// The squares that count for the pieces of a side.
#[inline(always)]
fn mobility_area(board: &AttackedBoard, side: Color) -> Bitboard {
    let pieces = board.board;
    let pawns = pieces.by_piece(Role::Pawn.of(side));
    // What stands on a square blocks the pawn behind it.
    let blocked = pawns & pieces.occupied().shift(side.fold_wb(-8, 8));
    let king = pieces.by_piece(Role::King.of(side));
    !(board.map.side(!side).by(Role::Pawn) | blocked | king)
}
