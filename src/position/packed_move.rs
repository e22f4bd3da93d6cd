//! Moves as the search handles them: in 32 bits with all that it asks of a move, and in 16 bits for the
//! transposition table.
//!
//! shakmaty's `Move` is an enum that says well what a move is. But a node compares, copies and scores dozens
//! of moves, and plays a few. There a single number does: two moves are compared in one instruction, and each
//! field is read by a shift.

use std::fmt;
use std::num::{NonZeroU16, NonZeroU32};

use shakmaty::{Chess, Move, Position, Role, Square};

// Where the fields begin. Those that the transposition table keeps lie in the low half.
const TO: u32 = 6;
const PROMOTION: u32 = 12;
const ROLE: u32 = 15;
const CAPTURE: u32 = 18;
const CASTLING: u32 = 1 << 21;
const EN_PASSANT: u32 = 1 << 22;

const SQUARE_MASK: u32 = 63;
const ROLE_MASK: u32 = 7;
const TACTICAL_MASK: u32 = ROLE_MASK << CAPTURE | ROLE_MASK << PROMOTION;
const COMPACT_MASK: u32 = (1 << ROLE) - 1;

/// Roles by their numbers; looked up in fewer steps than told apart.
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

/// A move of standard chess or Chess960 with what it moves, takes and becomes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedMove(NonZeroU32);

impl PackedMove {
    /// Packs a move; `None` for drops, which our chess doesn't have.
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

    /// A piece goes from one square to another, where it may take something or become something.
    #[inline]
    pub fn normal(
        role: Role,
        from: Square,
        capture: Option<Role>,
        to: Square,
        promotion: Option<Role>,
    ) -> PackedMove {
        let number = |role: Option<Role>| role.map_or(0, u32::from);
        PackedMove::of_fields(
            role,
            u32::from(from)
                | u32::from(to) << TO
                | number(promotion) << PROMOTION
                | number(capture) << CAPTURE,
        )
    }

    /// A pawn takes the pawn beside it.
    #[inline]
    pub fn en_passant(from: Square, to: Square) -> PackedMove {
        let m = PackedMove::normal(Role::Pawn, from, Some(Role::Pawn), to, None);
        PackedMove(m.0 | EN_PASSANT)
    }

    /// The king castles with the rook on a square.
    #[inline]
    pub fn castle(king: Square, rook: Square) -> PackedMove {
        let m = PackedMove::normal(Role::King, king, None, rook, None);
        PackedMove(m.0 | CASTLING)
    }

    #[inline]
    fn of_fields(role: Role, others: u32) -> PackedMove {
        let role = NonZeroU32::new(u32::from(role) << ROLE).expect("roles count from one");
        PackedMove(role | others)
    }

    /// Where the piece comes from.
    #[inline]
    pub fn from(self) -> Square {
        Square::new(self.0.get() & SQUARE_MASK)
    }

    /// Where it goes; of castling, where the rook stands.
    #[inline]
    pub fn to(self) -> Square {
        Square::new(self.0.get() >> TO & SQUARE_MASK)
    }

    /// What moves; of castling, the king.
    #[inline]
    pub fn role(self) -> Role {
        self.role_at(ROLE).expect("every move moves something")
    }

    /// What is taken.
    #[inline]
    pub fn capture(self) -> Option<Role> {
        self.role_at(CAPTURE)
    }

    /// What a pawn becomes.
    #[inline]
    pub fn promotion(self) -> Option<Role> {
        self.role_at(PROMOTION)
    }

    /// What stands on the target square afterwards; of castling, the king.
    #[inline]
    pub fn arriving(self) -> Role {
        self.promotion().unwrap_or(self.role())
    }

    /// The number of what is taken, from 1; 0 if nothing is. Like the next two for those who look something
    /// up by a role and needn't know which it is.
    #[inline]
    pub fn capture_number(self) -> usize {
        self.number_at(CAPTURE)
    }

    /// The number of what moves, from 1.
    #[inline]
    pub fn role_number(self) -> usize {
        self.number_at(ROLE)
    }

    /// The number of what stands on the target square afterwards, from 1.
    #[inline]
    pub fn arriving_number(self) -> usize {
        match self.number_at(PROMOTION) {
            0 => self.role_number(),
            promoted => promoted,
        }
    }

    /// Whether it is castling.
    #[inline]
    pub fn is_castle(self) -> bool {
        self.0.get() & CASTLING != 0
    }

    /// Whether it takes a pawn that stands beside its target.
    #[inline]
    pub fn is_en_passant(self) -> bool {
        self.0.get() & EN_PASSANT != 0
    }

    /// Whether a piece goes from one square to another and nothing else happens but what happens there.
    #[inline]
    pub fn is_normal(self) -> bool {
        self.0.get() & (CASTLING | EN_PASSANT) == 0
    }

    /// Whether nothing before it can come up again after it: a capture or a pawn's move.
    #[inline]
    pub fn is_zeroing(self) -> bool {
        self.role() == Role::Pawn || self.number_at(CAPTURE) != 0
    }

    /// Whether it changes the material: a capture or a promotion.
    #[inline]
    pub fn is_tactical(self) -> bool {
        self.0.get() & TACTICAL_MASK != 0
    }

    #[inline]
    fn number_at(self, place: u32) -> usize {
        (self.0.get() >> place & ROLE_MASK) as usize
    }

    #[inline]
    fn role_at(self, place: u32) -> Option<Role> {
        ROLES[self.number_at(place)]
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

/// A move small enough for the transposition table: origin, target (of castling, the rook) and promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactMove(NonZeroU16);

impl CompactMove {
    /// The move of these bits; zero is none.
    #[inline]
    pub fn from_bits(bits: u16) -> Option<CompactMove> {
        NonZeroU16::new(bits).map(CompactMove)
    }

    /// The bits, never zero.
    #[inline]
    pub fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move that this would be on the board at hand. It need not be legal there: two positions may
    /// share a key.
    pub fn expand(self, position: &Chess) -> Option<PackedMove> {
        let bits = u32::from(self.0.get());
        let from = Square::new(bits & SQUARE_MASK);
        let to = Square::new(bits >> TO & SQUARE_MASK);
        let promotion = match bits >> PROMOTION {
            0 => None,
            number => Some(*Role::ALL.get(number as usize - 1)?),
        };
        let board = position.board();
        let role = board.role_at(from)?;
        Some(if role == Role::King && position.us().contains(to) {
            PackedMove::castle(from, to)
        } else if role == Role::Pawn && from.file() != to.file() && board.role_at(to).is_none() {
            PackedMove::en_passant(from, to)
        } else {
            PackedMove::normal(role, from, board.role_at(to), to, promotion)
        })
    }
}

impl From<PackedMove> for CompactMove {
    #[inline]
    fn from(m: PackedMove) -> CompactMove {
        let bits = (m.0.get() & COMPACT_MASK) as u16;
        CompactMove(NonZeroU16::new(bits).expect("no move ends where it began"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;

    /// Packed or compact, every legal move of a position comes back as it was.
    fn assert_moves_survive(position: &Chess) {
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

    fn position(fen: &str) -> Chess {
        let fen: Fen = fen.parse().expect("a valid FEN");
        fen.into_position(CastlingMode::Chess960)
            .expect("a legal position")
    }

    #[test]
    fn moves_of_every_kind_come_back_as_they_were() {
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
        fn moves_of_random_games_come_back_as_they_were(
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
