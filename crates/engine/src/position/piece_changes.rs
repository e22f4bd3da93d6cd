//! Piece changes: how a move changes the pieces, as one list for everything that is updated
//! incrementally: the Zobrist keys at once, and the accumulator of the evaluation when it is asked
//! for. (Stockfish calls the same list `DirtyPiece`.)

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, Color, Piece, Position, Role, Square};

use crate::position::packed_move::PackedMove;
use crate::position::variant_position::VariantPosition;

/// A piece that leaves the board, comes onto it, or goes to another square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceChange {
    /// The piece.
    pub piece: Piece,
    /// Where it stood before the move; `None` for the piece that a pawn promotes to.
    pub from: Option<Square>,
    /// Where it stands after the move; `None` for a captured piece and a pawn that promotes.
    pub to: Option<Square>,
}

/// The changes of one move: first the pieces that leave the board, then those that move, then the
/// one that comes onto it. A promotion that captures has three, since two pieces leave and one
/// comes; a null move has none.
pub type PieceChanges = ArrayVec<PieceChange, 3>;

/// Shows every piece change of a legal move to `visit`.
#[inline(always)]
pub(super) fn for_each_piece_change(
    position: &VariantPosition,
    m: PackedMove,
    mut visit: impl FnMut(PieceChange),
) {
    let us = position.turn();
    let mut change = |color: Color, role: Role, from, to| {
        let piece = role.of(color);
        visit(PieceChange { piece, from, to });
    };
    let (role, from, to) = (m.role(), m.from(), m.to());
    if m.is_castle() {
        let side = CastlingSide::from_king_side(from < to);
        change(us, Role::King, Some(from), Some(side.king_to(us)));
        change(us, Role::Rook, Some(to), Some(side.rook_to(us)));
        return;
    }
    if let Some(captured) = m.capture() {
        let square = if m.is_en_passant() {
            Square::from_coords(to.file(), from.rank())
        } else {
            to
        };
        let is_own = position.captures_own(m);
        change(if is_own { us } else { !us }, captured, Some(square), None);
    }
    match m.promotion() {
        None => change(us, role, Some(from), Some(to)),
        Some(promoted) => {
            change(us, role, Some(from), None);
            change(us, promoted, None, Some(to));
        }
    }
}
