//! The Zobrist keys of a position: one of the whole and three of its parts.
//!
//! A key is a number that stands for a position: equal positions have equal keys, and different ones
//! almost never do (Zobrist, *A new hashing method with application for game playing*, 1970). Each fact,
//! such as a piece on a square, has a random number, and the key is the exclusive or of them all; so a move
//! changes a key by the facts that it changes. Equal positions, in the sense of the repetition rule, have
//! equal keys: an en passant square counts only where the capture is legal.
//!
//! The keys of the parts (the pawns; the other pieces of either side) tell what positions have in common,
//! so that the search may learn of one what it met in another.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Position, Role, Square};

/// All keys of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZobristKeys {
    /// Of the whole position: pieces, turn, castling rights, en passant.
    pub position: u64,
    /// Of the pawns alone.
    pub pawn: u64,
    /// Indexed by color: of that side's pieces, king and no pawns.
    pub non_pawn: [u64; 2],
}

impl ZobristKeys {
    /// The keys of a position, computed from scratch.
    pub fn of(position: &Chess) -> ZobristKeys {
        let mut keys = ZobristKeys::default();
        for (square, piece) in position.board().iter() {
            keys.toggle_piece(piece.color, piece.role, square);
        }
        ZobristKeys {
            position: position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0,
            ..keys
        }
    }

    /// A piece appears on a square or leaves it.
    #[inline]
    pub fn toggle_piece(&mut self, color: Color, role: Role, square: Square) {
        self.toggle_piece_key(color, role, piece_key(color, role, square));
    }

    /// A piece goes from one square to another.
    #[inline]
    pub fn shift_piece(&mut self, color: Color, role: Role, from: Square, to: Square) {
        self.toggle_piece_key(
            color,
            role,
            piece_key(color, role, from) ^ piece_key(color, role, to),
        );
    }

    #[inline]
    fn toggle_piece_key(&mut self, color: Color, role: Role, fact: u64) {
        self.position ^= fact;
        if role == Role::Pawn {
            self.pawn ^= fact;
        } else {
            self.non_pawn[usize::from(color)] ^= fact;
        }
    }

    /// The turn passes.
    #[inline]
    pub fn toggle_turn(&mut self) {
        self.position ^= Zobrist64::zobrist_for_white_turn().0;
    }

    /// A pawn can be, or no longer be, captured en passant on this square.
    #[inline]
    pub fn toggle_en_passant(&mut self, square: Square) {
        self.position ^= Zobrist64::zobrist_for_en_passant_file(square.file()).0;
    }

    /// The rights of a position appear or go.
    #[inline]
    pub fn toggle_castling(&mut self, position: &Chess) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if position.castles().has(color, side) {
                    self.position ^= Zobrist64::zobrist_for_castling_right(color, side).0;
                }
            }
        }
    }
}

/// The number of the fact that a piece stands on a square.
#[inline]
fn piece_key(color: Color, role: Role, square: Square) -> u64 {
    Zobrist64::zobrist_for_piece(square, role.of(color)).0
}
