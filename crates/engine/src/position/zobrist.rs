//! Zobrist keys: one for the position and three for parts of it.
//!
//! A Zobrist key is a 64-bit hash: equal positions have equal keys, and different positions almost
//! never do (Zobrist, *A new hashing method with application for game playing*, 1970). Every piece
//! on every square, every castling right, every en passant file and the side to move has a random
//! number, and the key is the exclusive or of the numbers that apply; so a move updates the key by
//! the few numbers that change. As in the repetition rule, an en passant square counts only if the
//! capture is legal. A variant has a number, too, so that a transposition table never takes a
//! position of one for that of another.
//!
//! The keys of the parts (the pawns, and the other pieces of either side) let the search apply what
//! it has learned in one position to others with the same part.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Chess, Color, EnPassantMode, Piece, Position, Rank, Role, Square};

use crate::position::piece_changes::PieceChange;
use crate::position::rules::Variant;
use crate::position::variant_position::VariantPosition;

/// The Zobrist keys of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ZobristKeys {
    /// The key of the position: pieces, side to move, castling rights, en passant.
    pub position: u64,
    /// The key of the pawns of both sides.
    pub pawn: u64,
    /// The keys of each side's pieces, king included and pawns not, indexed by color.
    pub non_pawn: [u64; 2],
}

/// Whether assertions compare what is kept move by move with what is made afresh, in the position
/// with this key: in one of sixteen, since in all of them it took a third of the time of a search.
/// What is kept wrongly once stays wrong in the moves that follow, so few positions are enough to
/// notice it.
#[inline]
pub(crate) fn is_checked_afresh(key: u64) -> bool {
    cfg!(debug_assertions) && key.is_multiple_of(16)
}

impl ZobristKeys {
    /// The keys of a position, computed from scratch.
    pub fn of(position: &VariantPosition) -> ZobristKeys {
        let mut keys = ZobristKeys::default();
        for (square, piece) in position.board().iter() {
            keys.toggle(piece, piece_key(piece, square));
        }
        keys.position = position
            .chess()
            .zobrist_hash::<Zobrist64>(EnPassantMode::Legal)
            .0;
        if position.chess().maybe_ep_square().is_none()
            && let Some(square) = position.legal_ep_square()
        {
            keys.toggle_en_passant(square, position.turn());
        }
        keys.position ^= rules_key(position);
        keys
    }

    /// Adds, removes or moves a piece.
    #[inline(always)]
    pub fn apply(&mut self, change: PieceChange) {
        let PieceChange { piece, from, to } = change;
        let key = |square: Option<Square>| square.map_or(0, |square| piece_key(piece, square));
        self.toggle(piece, key(from) ^ key(to));
    }

    /// Changes the keys that such a piece belongs to by `difference`.
    #[inline]
    fn toggle(&mut self, piece: Piece, difference: u64) {
        self.position ^= difference;
        if piece.role == Role::Pawn {
            self.pawn ^= difference;
        } else {
            self.non_pawn[usize::from(piece.color)] ^= difference;
        }
    }

    /// Passes the turn to the other side.
    #[inline]
    pub fn toggle_turn(&mut self) {
        self.position ^= ZobristKeys::turn();
    }

    /// What a change of turn changes in the key of a position.
    #[inline]
    pub fn turn() -> u64 {
        Zobrist64::zobrist_for_white_turn().0
    }

    /// Adds the en passant square of the side to move, or removes it.
    #[inline]
    pub(super) fn toggle_en_passant(&mut self, square: Square, turn: Color) {
        let file = Zobrist64::zobrist_for_en_passant_file(square.file()).0;
        // Only in variants can it lie anywhere but on the sixth rank of the side to move.
        self.position ^= match turn.relative_rank(square.rank()) {
            Rank::Third => file.rotate_left(3),
            Rank::Fourth => file.rotate_left(1),
            Rank::Fifth => file.rotate_left(2),
            _ => file,
        };
    }

    /// Adds the castling rights of a position, or removes them.
    #[inline]
    pub(super) fn toggle_castling(&mut self, position: &Chess) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                if position.castles().has(color, side) {
                    self.position ^= Zobrist64::zobrist_for_castling_right(color, side).0;
                }
            }
        }
    }
}

/// What the rules add to the key of a position: a number for a variant, and another for castling
/// rights that can't be used before a later move. Nothing in chess.
#[inline]
pub(super) fn rules_key(position: &VariantPosition) -> u64 {
    if position.variant() == Variant::Chess {
        return 0;
    }
    let is_forbidden = position.castles().any() && !position.is_time_to_castle();
    let number = 2 * position.variant() as u64 + u64::from(is_forbidden);
    mixed(number.wrapping_mul(GOLDEN_GAMMA))
}

/// The step between two states of SplitMix64.
pub(crate) const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A number with all its bits mixed: what SplitMix64 makes of its state (Steele, Lea and Flood,
/// *Fast Splittable Pseudorandom Number Generators*, 2014).
#[inline]
pub(crate) fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// The random number of a piece on a square.
#[inline]
fn piece_key(piece: Piece, square: Square) -> u64 {
    Zobrist64::zobrist_for_piece(square, piece).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pawns_that_can_be_captured_en_passant_on_different_ranks_have_different_keys() {
        let key = |square: &str| {
            let fen = format!("4k3/3pP3/8/8/3pP3/8/8/4K3 b - {square} 0 1");
            let read = VariantPosition::from_fen(&fen, None, Variant::Torpedo);
            let (position, _) = read.expect("a legal position");
            ZobristKeys::of(&position).position
        };
        let keys = [key("e3"), key("e6"), key("-")];
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[2] != keys[0]);
    }
}
