//! Threats: a piece attacks an enemy piece.
//!
//! What that is worth depends on which attacks which, on how the attacked piece is defended, and on
//! whose turn it is: the side to move can take, or save what is attacked. (Sirius and Stash have
//! the matrix of attacker and victim, Clockwork the side to move.)

use shakmaty::{Color, Role, Square};

use super::board::AttackedBoard;
use crate::evaluation::pairs::PlacedPiece;
use crate::position::attack_map::SideAttacks;

/// The number of scores: attacker, defence, victim (no king), and whose turn it is.
pub const THREATS_SIZE: usize = 6 * 3 * 5 * 2;

/// How an attacked piece is defended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Defence {
    /// Not at all.
    None,
    /// By pieces, but by no pawn.
    ByPiece,
    /// By a pawn.
    ByPawn,
}

/// A role of a side attacks an enemy piece. Several pieces of the role count once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The role of the attackers.
    pub attacker: Role,
    /// The piece that is attacked.
    pub victim: PlacedPiece,
    /// How it is defended.
    pub defence: Defence,
    /// Whether it is the attacker's turn.
    pub is_attackers_turn: bool,
}

impl Threat {
    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        let victim = usize::from(self.victim.0.role) - 1;
        let of_victim = (usize::from(self.is_attackers_turn) * 5 + victim) * 3;
        (of_victim + self.defence as usize) * 6 + usize::from(self.attacker) - 1
    }
}

/// The threats of a side.
#[inline(always)]
pub(super) fn for_each(board: &AttackedBoard, side: Color, mut f: impl FnMut(Threat)) {
    let (own, enemy) = (board.map.side(side), board.map.side(!side));
    let is_attackers_turn = board.turn == side;
    let attacked = own.all & board.board.by_color(!side) & !board.board.kings();
    for square in attacked {
        let victim = board.role_on(square).of(!side);
        let defence = defence_of(square, enemy);
        for attacker in Role::ALL {
            if own.by(attacker).contains(square) {
                f(Threat {
                    attacker,
                    victim: (victim, square),
                    defence,
                    is_attackers_turn,
                });
            }
        }
    }
}

#[inline(always)]
fn defence_of(square: Square, defenders: &SideAttacks) -> Defence {
    if defenders.by(Role::Pawn).contains(square) {
        Defence::ByPawn
    } else if defenders.all.contains(square) {
        Defence::ByPiece
    } else {
        Defence::None
    }
}
