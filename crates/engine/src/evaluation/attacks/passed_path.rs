//! The paths of passed pawns: what awaits them on their way.

use shakmaty::attacks::rook_attacks;
use shakmaty::{Bitboard, Color, Square};

use super::attack_map::AttackMap;
use crate::evaluation::passed_pawns::{ahead_of, passed_pawns};

/// The number of scores: rank, what stops the pawn, who attacks the square before it, its path, and
/// the piece behind it.
pub const PASSED_PATHS_SIZE: usize = 6 * 6 * 4 * 3 * 3;

/// What stands on the square before a passed pawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Nothing.
    Free,
    /// A piece of its own side.
    Own,
    /// An enemy knight or bishop.
    Minor,
    /// An enemy rook.
    Rook,
    /// The enemy queen.
    Queen,
    /// The enemy king.
    King,
}

/// The squares before a passed pawn, up to the last rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Nothing stands there, and the enemy attacks none of them.
    Free,
    /// Something stands there, but the enemy attacks none of them.
    Occupied,
    /// The enemy attacks one of them.
    Attacked,
}

/// Whose rook or queen stands behind a passed pawn on its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Nobody's.
    None,
    /// One of its own side.
    Own,
    /// An enemy one.
    Enemy,
}

/// A passed pawn and its path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PassedPath {
    /// The square of the pawn.
    pub pawn: Square,
    /// Its rank as its side counts them, from 0 for the second to 5 for the seventh.
    pub rank: usize,
    /// What stands before it.
    pub stop: Stop,
    /// Whether the enemy attacks the square before it.
    pub is_stop_attacked: bool,
    /// Whether its own side attacks the square before it.
    pub is_stop_defended: bool,
    /// The squares before it.
    pub path: Path,
    /// What stands behind it.
    pub behind: Behind,
}

impl PassedPath {
    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        let stop = self.rank * 6 + self.stop as usize;
        let control = usize::from(self.is_stop_attacked) * 2 + usize::from(self.is_stop_defended);
        ((stop * 4 + control) * 3 + self.path as usize) * 3 + self.behind as usize
    }
}

/// The paths of the passed pawns of a side, which stand on these squares.
#[inline(always)]
pub(super) fn for_each(
    map: &AttackMap,
    side: Color,
    passed: Bitboard,
    mut f: impl FnMut(PassedPath),
) {
    debug_assert_eq!(passed, passed_pawns(map.board, side));
    for pawn in passed {
        f(path_of(map, side, pawn));
    }
}

#[inline(always)]
fn path_of(map: &AttackMap, side: Color, pawn: Square) -> PassedPath {
    let board = map.board;
    let (own, enemy) = (map.side(side), map.side(!side));
    let of_pawn = Bitboard::from_square(pawn);
    let before = of_pawn.shift(side.fold_wb(8, -8));
    let ahead = ahead_of(of_pawn, side);
    let occupied = board.occupied();
    let mut behind = ahead_of(of_pawn, !side) & board.rooks_and_queens();
    if behind.any() {
        behind &= rook_attacks(pawn, occupied);
    }
    PassedPath {
        pawn,
        rank: usize::from(side.fold_wb(pawn.rank(), pawn.rank().flip_vertical())) - 1,
        stop: if (before & occupied).is_empty() {
            Stop::Free
        } else if (before & board.by_color(side)).any() {
            Stop::Own
        } else if (before & board.kings()).any() {
            Stop::King
        } else if (before & board.queens()).any() {
            Stop::Queen
        } else if (before & board.rooks()).any() {
            Stop::Rook
        } else {
            Stop::Minor
        },
        is_stop_attacked: (before & enemy.all).any(),
        is_stop_defended: (before & own.all).any(),
        path: if (ahead & enemy.all).any() {
            Path::Attacked
        } else if (ahead & occupied).any() {
            Path::Occupied
        } else {
            Path::Free
        },
        behind: if (behind & board.by_color(side)).any() {
            Behind::Own
        } else if behind.any() {
            Behind::Enemy
        } else {
            Behind::None
        },
    }
}
