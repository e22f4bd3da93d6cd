//! Threats: an enemy piece is attacked.
//!
//! What that is worth depends on which roles attack which, on how the attacked piece is defended,
//! and on whose turn it is: the side to move can take, or save what is attacked. (Sirius and Stash
//! have the matrix of attacker and victim, Clockwork the side to move. Here all attackers of a
//! piece are looked at together: a queen's attack adds little to a pawn's.)

use shakmaty::{Color, Role, Square};

use super::attack_map::{AttackMap, SideAttacks};
use crate::evaluation::pairs::PlacedPiece;

/// The number of scores: whose turn it is, victim (no king), defence, and the roles that attack.
pub const THREATS_SIZE: usize = 2 * 5 * 3 * ATTACKERS;

/// The sets of roles that attack.
const ATTACKERS: usize = 1 << 6;

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

/// An enemy piece is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threat {
    /// The roles that attack it, one bit each: 1 for pawns to 32 for the king. Several pieces of a
    /// role count once.
    pub attackers: u8,
    /// The piece that is attacked.
    pub victim: PlacedPiece,
    /// How it is defended.
    pub defence: Defence,
    /// Whether it is the attackers' turn.
    pub is_attackers_turn: bool,
}

impl Threat {
    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        let victim = usize::from(self.victim.0.role) - 1;
        let of_victim = (usize::from(self.is_attackers_turn) * 5 + victim) * 3;
        (of_victim + self.defence as usize) * ATTACKERS + usize::from(self.attackers)
    }
}

/// The threats of a side.
#[inline(always)]
pub(super) fn for_each(map: &AttackMap, turn: Color, side: Color, mut f: impl FnMut(Threat)) {
    let (own, enemy) = (map.side(side), map.side(!side));
    let attacked = own.all & map.board.by_color(!side) & !map.board.kings();
    for square in attacked {
        let attackers = Role::ALL.into_iter().fold(0, |attackers, role| {
            attackers | u8::from(own.by(role).contains(square)) << (role as u8 - 1)
        });
        f(Threat {
            attackers,
            victim: (map.role_on(square).of(!side), square),
            defence: defence_of(square, enemy),
            is_attackers_turn: turn == side,
        });
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
