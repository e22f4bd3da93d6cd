//! The surroundings of a king, and who attacks them: what both families about kings go by.

use shakmaty::attacks::{bishop_attacks, knight_attacks, rook_attacks};
use shakmaty::{Bitboard, Color, File, Rank, Role, Square};

use super::attack_map::{AttackMap, zone};

/// A king, its surroundings and the checks that the enemy can give there.
pub(super) struct Surroundings {
    pub(super) side: Color,
    pub(super) king: Square,
    /// Three by three squares, the king's among them; for a king on the edge the block is shifted
    /// onto the board.
    pub(super) zone: Bitboard,
    /// The files of the king's wing, from the own first rank to the fifth.
    pub(super) flank: Bitboard,
    /// Whether the enemy has a queen.
    pub(super) has_enemy_queen: bool,
    /// The squares on which each role, knight to queen, can give check.
    pub(super) checks: [Bitboard; 4],
    /// The squares on which a check counts as safe: this side doesn't attack them, or only once and
    /// the enemy twice.
    pub(super) safe: Bitboard,
}

impl Surroundings {
    /// The surroundings of the king of a side; `None` if it has no king.
    #[inline(always)]
    pub(super) fn of_king(map: &AttackMap, side: Color) -> Option<Surroundings> {
        let board = map.board;
        let king = board.king_of(side)?;
        let (own, enemy) = (map.side(side), map.side(!side));
        let occupied = board.occupied();
        let diagonals = bishop_attacks(king, occupied);
        let lines = rook_attacks(king, occupied);
        let free = !board.by_color(!side);
        let safe = !own.all | (enemy.twice & !own.twice);
        Some(Surroundings {
            side,
            king,
            zone: zone(king),
            flank: flank(king.file(), side),
            has_enemy_queen: board.by_piece(Role::Queen.of(!side)).any(),
            checks: [
                knight_attacks(king) & enemy.by(Role::Knight) & free,
                diagonals & enemy.by(Role::Bishop) & free,
                lines & enemy.by(Role::Rook) & free,
                (diagonals | lines) & enemy.by(Role::Queen) & free,
            ],
            safe,
        })
    }
}

/// The files of the wing or the center where a king on this file stands, on the own five ranks.
#[inline(always)]
fn flank(file: File, side: Color) -> Bitboard {
    let files = match file {
        File::A => 0x07,
        File::B | File::C => 0x0f,
        File::D | File::E => 0x3c,
        File::F | File::G => 0xf0,
        File::H => 0xe0,
    };
    let own_ranks = match side {
        Color::White => Bitboard::SOUTH | Bitboard::from_rank(Rank::Fifth),
        Color::Black => Bitboard::NORTH | Bitboard::from_rank(Rank::Fourth),
    };
    Bitboard(files * 0x0101_0101_0101_0101) & own_ranks
}
