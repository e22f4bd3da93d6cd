//! Piece changes: how a move changes the pieces, as a list for everything that is updated incrementally.
//!
//! A move removes, adds and moves pieces. [`for_each_piece_change`] lists these changes for moves of every
//! kind, castling and en passant included; the Zobrist keys, and the list by which the accumulator of the evaluation
//! is updated later, are the two [`PieceObserver`]s. (Stockfish calls the same list `DirtyPiece`.)

use shakmaty::{CastlingSide, Color, Role, Square};

use crate::evaluation::accumulator::PieceChanges;
use crate::position::packed_move::PackedMove;
use crate::position::zobrist::ZobristKeys;

/// Something that is updated when pieces change.
pub(super) trait PieceObserver {
    /// A piece is removed: it is captured, or it is a pawn that promotes.
    fn removed(&mut self, color: Color, role: Role, from: Square);
    /// A piece is added: the one that a pawn promotes to.
    fn added(&mut self, color: Color, role: Role, to: Square);
    /// A piece moves from one square to another.
    fn moved(&mut self, color: Color, role: Role, from: Square, to: Square);
}

impl PieceObserver for ZobristKeys {
    #[inline(always)]
    fn removed(&mut self, color: Color, role: Role, from: Square) {
        self.toggle_piece(color, role, from);
    }

    #[inline(always)]
    fn added(&mut self, color: Color, role: Role, to: Square) {
        self.toggle_piece(color, role, to);
    }

    #[inline(always)]
    fn moved(&mut self, color: Color, role: Role, from: Square, to: Square) {
        self.move_piece(color, role, from, to);
    }
}

impl PieceObserver for PieceChanges {
    #[inline(always)]
    fn removed(&mut self, color: Color, role: Role, from: Square) {
        self.remove((role.of(color), from));
    }

    #[inline(always)]
    fn added(&mut self, color: Color, role: Role, to: Square) {
        self.place((role.of(color), to));
    }

    #[inline(always)]
    fn moved(&mut self, color: Color, role: Role, from: Square, to: Square) {
        self.shift((role.of(color), from), to);
    }
}

/// Reports every piece change of a move of `us` to the observer.
#[inline(always)]
pub(super) fn for_each_piece_change(m: PackedMove, us: Color, observer: &mut impl PieceObserver) {
    let (role, from, to) = (m.role(), m.from(), m.to());
    if m.is_castle() {
        let side = CastlingSide::from_king_side(from < to);
        observer.moved(us, Role::King, from, side.king_to(us));
        observer.moved(us, Role::Rook, to, side.rook_to(us));
        return;
    }
    if let Some(captured) = m.capture() {
        let square = if m.is_en_passant() {
            Square::from_coords(to.file(), from.rank())
        } else {
            to
        };
        observer.removed(!us, captured, square);
    }
    match m.promotion() {
        None => observer.moved(us, role, from, to),
        Some(promoted) => {
            observer.removed(us, role, from);
            observer.added(us, promoted, to);
        }
    }
}
