//! Moves packed into integers: 32 bits in the search, 16 bits in the transposition table.
//!
//! shakmaty's `Move` is an enum. A node of the search compares, copies and scores dozens of moves
//! and plays only a few of them, and an integer is cheaper there: two moves are compared in one
//! instruction, and each field is read by a shift.

use std::fmt;
use std::num::{NonZeroU16, NonZeroU32};

use shakmaty::{Move, Position, Role, Square};

use crate::position::variant_position::VariantPosition;

// The fields and their first bits: origin 0, target 6, promotion 12, role 15, captured role 18;
// then two flags. A `CompactMove` is the first three of them.
const TO_SHIFT: u32 = 6;
const PROMOTION_SHIFT: u32 = 12;
const ROLE_SHIFT: u32 = 15;
const CAPTURE_SHIFT: u32 = 18;
const CASTLING_FLAG: u32 = 1 << 21;
const EN_PASSANT_FLAG: u32 = 1 << 22;

const SQUARE_MASK: u32 = 63;
const ROLE_MASK: u32 = 7;
const TACTICAL_MASK: u32 = ROLE_MASK << CAPTURE_SHIFT | ROLE_MASK << PROMOTION_SHIFT;
const COMPACT_MASK: u32 = (1 << ROLE_SHIFT) - 1;

/// Roles by their numbers. An array is faster than a `match`.
const ROLES: [Option<Role>; 8] = [
    None,
    Some(Role::Pawn),
    Some(Role::Knight),
    Some(Role::Bishop),
    Some(Role::Rook),
    Some(Role::Queen),
    Some(Role::King),
    None,
];

/// A move of chess, Chess960 or one of the variants with its origin, target, moving role, captured
/// role and promotion.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedMove(NonZeroU32);

impl PackedMove {
    /// Packs a move; `None` for drops, which exist only in other variants of chess.
    #[inline]
    pub fn new(m: Move) -> Option<PackedMove> {
        match m {
            Move::Normal {
                role,
                from,
                capture,
                to,
                promotion,
            } => Some(PackedMove::normal(role, from, capture, to, promotion)),
            Move::EnPassant { from, to } => Some(PackedMove::en_passant(from, to)),
            Move::Castle { king, rook } => Some(PackedMove::castle(king, rook)),
            Move::Put { .. } => None,
        }
    }

    /// A move of a piece from one square to another, which can capture or promote; not castling or
    /// en passant.
    #[inline]
    pub fn normal(
        role: Role,
        from: Square,
        capture: Option<Role>,
        to: Square,
        promotion: Option<Role>,
    ) -> PackedMove {
        let number = |role: Option<Role>| role.map_or(0, u32::from);
        PackedMove::from_fields(
            role,
            u32::from(from)
                | u32::from(to) << TO_SHIFT
                | number(promotion) << PROMOTION_SHIFT
                | number(capture) << CAPTURE_SHIFT,
        )
    }

    /// An en passant capture.
    #[inline]
    pub fn en_passant(from: Square, to: Square) -> PackedMove {
        let m = PackedMove::normal(Role::Pawn, from, Some(Role::Pawn), to, None);
        PackedMove(m.0 | EN_PASSANT_FLAG)
    }

    /// Castling, given by the squares of king and rook.
    #[inline]
    pub fn castle(king: Square, rook: Square) -> PackedMove {
        let m = PackedMove::normal(Role::King, king, None, rook, None);
        PackedMove(m.0 | CASTLING_FLAG)
    }

    #[inline]
    fn from_fields(role: Role, others: u32) -> PackedMove {
        let role = NonZeroU32::new(u32::from(role) << ROLE_SHIFT).expect("roles count from one");
        PackedMove(role | others)
    }

    /// The origin square.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(self.0.get() & SQUARE_MASK)
    }

    /// The target square; for castling, the square of the rook.
    #[inline]
    pub fn to(self) -> Square {
        Square::new(self.0.get() >> TO_SHIFT & SQUARE_MASK)
    }

    /// The role of the moving piece; for castling, the king.
    #[inline]
    pub fn role(self) -> Role {
        self.role_at(ROLE_SHIFT)
            .expect("every move moves something")
    }

    /// The role of the captured piece.
    #[inline]
    pub fn capture(self) -> Option<Role> {
        self.role_at(CAPTURE_SHIFT)
    }

    /// The role that a pawn promotes to.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        self.role_at(PROMOTION_SHIFT)
    }

    /// The role of the moved piece after the move: the promotion, or else the moving role. For
    /// castling, the king.
    #[inline]
    pub(crate) fn arriving(self) -> Role {
        self.promotion().unwrap_or(self.role())
    }

    /// The number of the captured role, 1 to 6; 0 if nothing is captured. This and the next two
    /// methods serve as array indices.
    #[inline]
    pub(crate) fn capture_number(self) -> usize {
        self.number_at(CAPTURE_SHIFT)
    }

    /// The number of the moving role, 1 to 6.
    #[inline]
    pub(crate) fn role_number(self) -> usize {
        self.number_at(ROLE_SHIFT)
    }

    /// The number of the moved piece's role after the move, 1 to 6.
    #[inline]
    pub(crate) fn arriving_number(self) -> usize {
        match self.number_at(PROMOTION_SHIFT) {
            0 => self.role_number(),
            promoted => promoted,
        }
    }

    /// Whether the move is castling.
    #[inline]
    pub fn is_castle(self) -> bool {
        self.0.get() & CASTLING_FLAG != 0
    }

    /// Whether the move is an en passant capture.
    #[inline]
    pub fn is_en_passant(self) -> bool {
        self.0.get() & EN_PASSANT_FLAG != 0
    }

    /// Whether the move is neither castling nor en passant.
    #[inline]
    pub(crate) fn is_normal(self) -> bool {
        self.0.get() & (CASTLING_FLAG | EN_PASSANT_FLAG) == 0
    }

    /// Whether the move resets the fifty-move clock in chess: a capture or a pawn move. No earlier
    /// position can occur again after it, unless the rules let pawns step back or sideways (see
    /// `VariantPosition::is_zeroing`).
    #[inline]
    pub fn is_zeroing(self) -> bool {
        self.role() == Role::Pawn || self.number_at(CAPTURE_SHIFT) != 0
    }

    /// Whether the move changes the material: a capture or a promotion.
    #[inline]
    pub fn is_tactical(self) -> bool {
        self.0.get() & TACTICAL_MASK != 0
    }

    #[inline]
    fn number_at(self, shift: u32) -> usize {
        (self.0.get() >> shift & ROLE_MASK) as usize
    }

    #[inline]
    fn role_at(self, shift: u32) -> Option<Role> {
        ROLES[self.number_at(shift)]
    }
}

impl From<PackedMove> for Move {
    #[inline]
    fn from(m: PackedMove) -> Move {
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            Move::Castle {
                king: from,
                rook: to,
            }
        } else if m.is_en_passant() {
            Move::EnPassant { from, to }
        } else {
            Move::Normal {
                role: m.role(),
                from,
                capture: m.capture(),
                to,
                promotion: m.promotion(),
            }
        }
    }
}

impl fmt::Display for PackedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let m: Move = (*self).into();
        fmt::Display::fmt(&m, f)
    }
}

impl fmt::Debug for PackedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A move in 16 bits, as the transposition table stores it: origin, target (for castling, the
/// square of the rook) and promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CompactMove(NonZeroU16);

impl CompactMove {
    /// The move with these bits; `None` for zero.
    #[inline]
    pub(crate) fn from_bits(bits: u16) -> Option<CompactMove> {
        NonZeroU16::new(bits).map(CompactMove)
    }

    /// The bits; never zero.
    #[inline]
    pub(crate) fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// Completes the move with the pieces of a position; `None` if there is no piece on its origin.
    /// The result can be illegal, because different positions can share an entry of the
    /// transposition table.
    pub fn expand(self, position: &VariantPosition) -> Option<PackedMove> {
        let bits = u32::from(self.0.get());
        let from = Square::new(bits & SQUARE_MASK);
        let to = Square::new(bits >> TO_SHIFT & SQUARE_MASK);
        let promotion = match bits >> PROMOTION_SHIFT {
            0 => None,
            number => Some(*Role::ALL.get(number as usize - 1)?),
        };
        let board = position.board();
        let role = board.role_at(from)?;
        let leaves_file_and_rank = from.file() != to.file() && from.rank() != to.rank();
        Some(if role == Role::King && is_castling_onto(position, to) {
            PackedMove::castle(from, to)
        } else if role == Role::Pawn && leaves_file_and_rank && board.role_at(to).is_none() {
            PackedMove::en_passant(from, to)
        } else {
            PackedMove::normal(role, from, board.role_at(to), to, promotion)
        })
    }
}

/// Whether a king that moves to the square of an own piece castles. Where own pieces may be
/// captured, it castles only with a rook that has the right, which is never beside it.
fn is_castling_onto(position: &VariantPosition, to: Square) -> bool {
    position.us().contains(to)
        && (!position.rules().own_captures || position.castles().castling_rights().contains(to))
}

impl From<PackedMove> for CompactMove {
    #[inline]
    fn from(m: PackedMove) -> CompactMove {
        let bits = (m.0.get() & COMPACT_MASK) as u16;
        CompactMove(NonZeroU16::new(bits).expect("no move ends on its origin square"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use proptest::prelude::*;
    use shakmaty::CastlingMode;

    /// Every legal move of a position survives being packed into 32 and into 16 bits.
    fn assert_moves_survive(position: &VariantPosition) {
        for m in position.legal_moves() {
            let packed = PackedMove::new(m).expect("no drop");
            assert_eq!(Into::<Move>::into(packed), m);
            assert_eq!(packed.to_string(), m.to_string());
            assert_eq!((Some(packed.from()), packed.to()), (m.from(), m.to()));
            assert_eq!(packed.role(), m.role());
            assert_eq!(packed.capture(), m.capture());
            assert_eq!(packed.promotion(), m.promotion());
            assert_eq!(packed.role_number(), usize::from(m.role()));
            assert_eq!(packed.capture_number(), m.capture().map_or(0, usize::from));
            assert_eq!(packed.arriving_number(), usize::from(packed.arriving()));
            assert_eq!(packed.is_castle(), m.is_castle());
            assert_eq!(packed.is_zeroing(), m.is_zeroing());
            assert_eq!(packed.is_en_passant(), m.is_en_passant());
            assert_eq!(packed.is_tactical(), m.is_capture() || m.is_promotion());
            assert_eq!(CompactMove::from(packed).expand(position), Some(packed));
        }
    }

    fn position(fen: &str) -> VariantPosition {
        from_fen(fen, CastlingMode::Chess960)
            .expect("a legal position")
            .into()
    }

    #[test]
    fn moves_of_every_kind_survive_packing() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            assert_moves_survive(&position(fen));
        }
    }

    proptest! {
        #[test]
        fn moves_of_random_games_survive_packing(
            start in 0u32..960,
            choices in prop::collection::vec(any::<u8>(), 1..120),
        ) {
            let mut position = position(&format!(
                "{} w KQkq - 0 1",
                shakmaty::Board::chess960(start).board_fen()
            ));
            for choice in choices {
                assert_moves_survive(&position);
                let moves = position.legal_moves();
                let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
                position.play_unchecked(moves[index]);
            }
        }
    }
}
