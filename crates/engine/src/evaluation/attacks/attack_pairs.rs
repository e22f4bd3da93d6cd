//! Attack pairs: a piece on its square attacks or defends a piece on its square.
//!
//! A pair of pieces says little, because what stands between them decides; a pair of which the
//! first attacks the second says who bears on whom. Kings are left out: two projects found them
//! useless (Reckless 703, Stockfish 6593). The board is seen from the attacker's side, and mirrored
//! so that the attacker stands on the a- to d-files. (Networks call such inputs threats; Reckless
//! gained 53 points at fixed nodes by them, PlentyChess 45.)

use std::sync::LazyLock;

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Color, Role, Square};

use super::attack_map::{AttackMap, PieceAttacks};
use super::places::{Placed, Places};
use crate::evaluation::pairs::{PAWN_SQUARES, PlacedPiece};

/// The pieces that attack: all but kings.
pub const ATTACKING_ROLES: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// The kinds of pieces that are attacked: own and enemy ones, all but kings.
pub const VICTIMS: usize = 10;

/// The pairs of squares of which a piece on the first, on the a- to d-files, can attack the second:
/// of a pawn 42, knight 168, bishop 280, rook 448, queen 728.
const SQUARE_PAIRS: usize = 1_666;

/// The number of scores.
pub const ATTACK_PAIRS_SIZE: usize = SQUARE_PAIRS * VICTIMS;

/// A piece attacks an enemy piece or defends one of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackPair {
    /// The piece that attacks.
    pub attacker: PlacedPiece,
    /// The piece that is attacked or defended.
    pub victim: PlacedPiece,
}

/// A pair as it is looked up: mirrored, from the side of the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeenAttack {
    /// The role that attacks, 0 for a pawn to 4 for a queen.
    pub role: usize,
    /// Where it stands.
    pub from: usize,
    /// What it attacks.
    pub to: usize,
    /// The kind of piece there: 0 to 4 if it is defended, 5 to 9 if it is attacked.
    pub victim: usize,
}

impl AttackPair {
    /// The pair as it is looked up.
    #[inline(always)]
    pub fn seen(self) -> SeenAttack {
        let (attacker, from) = self.attacker;
        let (victim, to) = self.victim;
        let flip = flip(attacker.color, from);
        let is_enemy = victim.color != attacker.color;
        SeenAttack {
            role: usize::from(attacker.role) - 1,
            from: usize::from(from) ^ flip,
            to: usize::from(to) ^ flip,
            victim: usize::from(is_enemy) * 5 + usize::from(victim.role) - 1,
        }
    }

    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        self.seen().place()
    }
}

impl SeenAttack {
    /// What is attacked if the attacker is of this side, and the board was mirrored by `flip`.
    pub(super) fn victim(self, side: Color, flip: usize) -> Placed {
        let color = if self.victim < 5 { side } else { !side };
        let square = Square::new((self.to ^ flip) as u32);
        Placed::new(ATTACKING_ROLES[self.victim % 5], color, square)
    }

    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        let (first, reach) = REACHES[self.role * 64 + self.from];
        let before = reach & Bitboard((1 << self.to) - 1);
        (usize::from(first) + before.count()) * VICTIMS + self.victim
    }
}

/// Of each role on each square the number of its first pair, and the squares that it can attack
/// from there.
static REACHES: LazyLock<Vec<(u16, Bitboard)>> = LazyLock::new(|| {
    let mut first = 0;
    let mut reaches = Vec::new();
    for role in ATTACKING_ROLES {
        for from in Square::ALL {
            let can_stand =
                u32::from(from) & 4 == 0 && (role != Role::Pawn || PAWN_SQUARES.contains(from));
            let reach = if can_stand {
                attacks(from, role.of(Color::White), Bitboard::EMPTY)
            } else {
                Bitboard::EMPTY
            };
            reaches.push((first as u16, reach));
            first += reach.count();
        }
    }
    assert_eq!(first, SQUARE_PAIRS);
    reaches
});

/// What mirrors the board so that a piece of a side is seen as a white one on the a- to d-files.
#[inline(always)]
pub(super) fn flip(side: Color, square: Square) -> usize {
    let to_left = if u32::from(square) & 4 != 0 { 7 } else { 0 };
    side.fold_wb(0, 56) ^ to_left
}

/// Every pair, in the order of its place.
pub fn seen_attacks() -> impl Iterator<Item = SeenAttack> {
    (0..REACHES.len()).flat_map(|number| {
        let (_, reach) = REACHES[number];
        reach.into_iter().flat_map(move |to| {
            (0..VICTIMS).map(move |victim| SeenAttack {
                role: number / 64,
                from: number % 64,
                to: usize::from(to),
                victim,
            })
        })
    })
}

/// The pairs of which a piece is the attacker.
#[inline(always)]
pub(super) fn of_piece(places: &Places, piece: PieceAttacks, f: impl FnMut(AttackPair)) {
    let attacker = (piece.role.of(piece.side), piece.square);
    let victims = piece.attacks & places.victims;
    let pairs = victims.into_iter().map(|to| AttackPair {
        attacker,
        victim: places.on(to).piece(to),
    });
    pairs.for_each(f);
}

/// The pairs of which a pawn of a side is the attacker.
#[inline(always)]
pub(super) fn of_pawns(map: &AttackMap, side: Color, mut f: impl FnMut(AttackPair)) {
    let forward = side.fold_wb(8, -8);
    let by_pawns = map.side(side).by_pawns.into_iter();
    for (attacked, step) in by_pawns.zip([forward - 1, forward + 1]) {
        for to in attacked & map.places.victims {
            let from = Square::new((i32::from(to) - step) as u32);
            f(AttackPair {
                attacker: (Role::Pawn.of(side), from),
                victim: map.places.on(to).piece(to),
            });
        }
    }
}
