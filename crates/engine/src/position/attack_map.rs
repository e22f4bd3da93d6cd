//! The attack map: which squares the pieces of a board attack, found once for everything that asks.
//!
//! A square that a side attacks is one on which it could capture; its own pieces there are
//! defended. Pins are ignored.

use arrayvec::ArrayVec;
use shakmaty::attacks::{
    bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Board, Color, Role, Square};

use super::attacks::pawn_attacks;

/// The most pieces of one side.
const MAX_PIECES: usize = 16;

/// A piece other than a pawn, and the squares that it attacks.
#[derive(Clone, Copy, Debug)]
pub struct Attacker {
    /// Its role.
    pub role: Role,
    /// Its square.
    pub square: Square,
    /// The squares that it attacks.
    pub attacks: Bitboard,
}

/// The squares that one side attacks.
#[derive(Clone, Debug, Default)]
pub struct SideAttacks {
    by_role: [Bitboard; 6],
    /// The squares attacked at all.
    pub all: Bitboard,
    /// The squares attacked by two pieces or more.
    pub twice: Bitboard,
    /// The pieces other than pawns, the king last.
    pub pieces: ArrayVec<Attacker, MAX_PIECES>,
}

impl SideAttacks {
    /// The squares that the pieces of a role attack.
    #[inline]
    pub fn by(&self, role: Role) -> Bitboard {
        self.by_role[usize::from(role) - 1]
    }

    /// Adds everything that a side of a board attacks to an empty map. In place, since a map is too
    /// large to be moved around at every node.
    #[inline(always)]
    fn fill(&mut self, board: &Board, side: Color) {
        let (own, occupied) = (board.by_color(side), board.occupied());
        let [left, right] = pawn_attacks(board.pawns() & own, side);
        self.add(Role::Pawn, left);
        self.add(Role::Pawn, right);
        for square in board.knights() & own {
            self.push(Role::Knight, square, knight_attacks(square));
        }
        for square in board.bishops() & own {
            self.push(Role::Bishop, square, bishop_attacks(square, occupied));
        }
        for square in board.rooks() & own {
            self.push(Role::Rook, square, rook_attacks(square, occupied));
        }
        for square in board.queens() & own {
            self.push(Role::Queen, square, queen_attacks(square, occupied));
        }
        for square in board.kings() & own {
            self.push(Role::King, square, king_attacks(square));
        }
    }

    #[inline(always)]
    fn push(&mut self, role: Role, square: Square, attacks: Bitboard) {
        self.add(role, attacks);
        // No board of a game has more pieces; of others the rest is not looked at.
        let _ = self.pieces.try_push(Attacker {
            role,
            square,
            attacks,
        });
    }

    #[inline(always)]
    fn add(&mut self, role: Role, attacks: Bitboard) {
        self.by_role[usize::from(role) - 1] |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
    }
}

/// The squares that the pieces of a board attack.
#[derive(Clone, Debug, Default)]
pub struct AttackMap {
    /// By color.
    sides: [SideAttacks; 2],
}

impl AttackMap {
    /// Adds everything that the pieces of a board attack to an empty map.
    #[inline(always)]
    pub fn fill(&mut self, board: &Board) {
        for side in Color::ALL {
            self.sides[usize::from(side)].fill(board, side);
        }
    }

    /// What a side attacks.
    #[inline]
    pub fn side(&self, side: Color) -> &SideAttacks {
        &self.sides[usize::from(side)]
    }
}
