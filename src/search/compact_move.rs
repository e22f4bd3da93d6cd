//! A move small enough for the transposition table.

use std::num::NonZeroU16;

use shakmaty::{Chess, Move, Position, Role, Square};

/// A move in sixteen bits: origin, target (of castling, the rook) and promotion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompactMove(NonZeroU16);

impl CompactMove {
    /// Packs a move; `None` for drops, which standard chess doesn't have.
    pub fn new(m: Move) -> Option<CompactMove> {
        let from = u16::from(m.from()?);
        let promotion = m.promotion().map_or(0, u16::from);
        // Never zero: no move ends where it began.
        NonZeroU16::new(from | u16::from(m.to()) << 6 | promotion << 12).map(CompactMove)
    }

    /// The move of these bits; zero is none.
    pub fn from_bits(bits: u16) -> Option<CompactMove> {
        NonZeroU16::new(bits).map(CompactMove)
    }

    /// The bits, never zero.
    pub fn to_bits(self) -> u16 {
        self.0.get()
    }

    /// The move that this would be on the board at hand. It need not be legal there: two positions may
    /// share a key.
    pub fn expand(self, position: &Chess) -> Option<Move> {
        let bits = u32::from(self.0.get());
        let from = Square::new(bits & 63);
        let to = Square::new(bits >> 6 & 63);
        let promotion = match bits >> 12 {
            0 => None,
            number => Some(*Role::ALL.get(number as usize - 1)?),
        };
        let board = position.board();
        let role = board.role_at(from)?;
        Some(if role == Role::King && position.us().contains(to) {
            Move::Castle {
                king: from,
                rook: to,
            }
        } else if role == Role::Pawn && from.file() != to.file() && board.role_at(to).is_none() {
            Move::EnPassant { from, to }
        } else {
            Move::Normal {
                role,
                from,
                capture: board.role_at(to),
                to,
                promotion,
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, EnPassantMode};

    #[test]
    fn every_legal_move_survives_sixteen_bits() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ] {
            let fen: Fen = fen.parse().expect("a valid FEN");
            let position: Chess = fen
                .into_position(CastlingMode::Standard)
                .expect("a legal position");
            let moves = position.legal_moves();
            assert!(!moves.is_empty());
            for m in moves {
                let compact = CompactMove::new(m).expect("a move of standard chess");
                let fen = Fen::from_position(&position, EnPassantMode::Legal);
                assert_eq!(compact.expand(&position), Some(m), "{m} in {fen}");
            }
        }
    }
}
