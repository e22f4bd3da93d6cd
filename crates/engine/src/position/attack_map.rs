//! The attack map: which squares the pieces of a board attack, found once for everything that asks.
//!
//! A square that a side attacks is one on which it could capture; its own pieces there are
//! defended. Pins are ignored.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, File, Role, Square};

use super::attacks::piece_attacks;

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

    #[inline]
    fn of(board: &Board, side: Color) -> SideAttacks {
        let mut map = SideAttacks::default();
        let occupied = board.occupied();
        let [left, right] = pawn_attacks(board.by_piece(Role::Pawn.of(side)), side);
        map.add(Role::Pawn, left);
        map.add(Role::Pawn, right);
        for role in [
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
        ] {
            for square in board.by_piece(role.of(side)) {
                let attacks = piece_attacks(role, square, occupied);
                map.add(role, attacks);
                // No board of a game has more pieces; of others the rest is not looked at.
                let _ = map.pieces.try_push(Attacker {
                    role,
                    square,
                    attacks,
                });
            }
        }
        map
    }

    #[inline]
    fn add(&mut self, role: Role, attacks: Bitboard) {
        self.by_role[usize::from(role) - 1] |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
    }
}

/// The squares that the pieces of a board attack.
#[derive(Clone, Debug)]
pub struct AttackMap {
    /// By color.
    sides: [SideAttacks; 2],
}

impl AttackMap {
    /// The map of a board.
    #[inline]
    pub fn of(board: &Board) -> AttackMap {
        AttackMap {
            sides: [Color::Black, Color::White].map(|side| SideAttacks::of(board, side)),
        }
    }

    /// What a side attacks.
    #[inline]
    pub fn side(&self, side: Color) -> &SideAttacks {
        &self.sides[usize::from(side)]
    }
}

/// The squares that pawns of a side attack towards the a-file and towards the h-file.
#[inline]
pub fn pawn_attacks(pawns: Bitboard, side: Color) -> [Bitboard; 2] {
    let forward = side.fold_wb(8, -8);
    [
        pawns.without(File::A).shift(forward - 1),
        pawns.without(File::H).shift(forward + 1),
    ]
}
