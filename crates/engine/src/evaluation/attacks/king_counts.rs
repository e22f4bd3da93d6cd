//! King counts: how many squares around a king are attacked, defended, and the like.
//!
//! Each kind of count has scores of its own for every number, once with an enemy queen on the board
//! and once without: a table bends where a formula would be straight. (The kinds are those that
//! Stockfish's classical evaluation adds up; Clockwork and Sirius gained ten to eighteen points by
//! the flank alone.)

use shakmaty::attacks::queen_attacks;
use shakmaty::{Role, Square};

use super::attack_map::AttackMap;
use super::surroundings::Surroundings;
use crate::evaluation::pairs::PIECE_ROLES;

/// Each count is below this.
const COUNTS: usize = 32;

/// The number of scores: whether the enemy has a queen, the kind, and the count.
pub const KING_COUNTS_SIZE: usize = KingCountKind::ALL.len() * 2 * COUNTS;

/// What is counted around a king, most of it in its zone: three by three squares with the king's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KingCountKind {
    /// Squares of the zone that the enemy attacks.
    Attacked,
    /// Squares of the zone that the enemy attacks twice.
    AttackedTwice,
    /// Squares of the zone that the enemy attacks and that nothing but the king defends.
    Undefended,
    /// Squares of the king's wing that the enemy attacks.
    FlankAttacked,
    /// Squares of the king's wing that the enemy attacks twice.
    FlankAttackedTwice,
    /// Squares of the king's wing that its own side attacks.
    FlankDefended,
    /// Squares of the king's wing that its own side attacks twice.
    FlankDefendedTwice,
    /// Own pieces in the zone, the king among them.
    OwnPieces,
    /// Squares on which the enemy can give a check that doesn't count as safe.
    UnsafeChecks,
    /// Squares that a queen in the king's place would attack if only its own pawns were there.
    Openness,
    /// Squares of the zone that enemy knights and bishops attack.
    UnderMinors,
    /// Squares of the zone that enemy pawns attack.
    UnderPawns,
}

impl KingCountKind {
    /// Every kind, in the order of the family.
    pub const ALL: [KingCountKind; 12] = [
        KingCountKind::Attacked,
        KingCountKind::AttackedTwice,
        KingCountKind::Undefended,
        KingCountKind::FlankAttacked,
        KingCountKind::FlankAttackedTwice,
        KingCountKind::FlankDefended,
        KingCountKind::FlankDefendedTwice,
        KingCountKind::OwnPieces,
        KingCountKind::UnsafeChecks,
        KingCountKind::Openness,
        KingCountKind::UnderMinors,
        KingCountKind::UnderPawns,
    ];
}

/// A count around a king. A positive score is good for the king's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingCount {
    /// The square of the king.
    pub king: Square,
    /// What is counted.
    pub kind: KingCountKind,
    /// The number.
    pub count: usize,
    /// Whether the enemy has a queen.
    pub has_enemy_queen: bool,
}

impl KingCount {
    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        let with_queen = usize::from(self.has_enemy_queen) * KingCountKind::ALL.len();
        (with_queen + self.kind as usize) * COUNTS + self.count % COUNTS
    }
}

/// The counts around a king.
#[inline(always)]
pub(super) fn for_each(map: &AttackMap, around: &Surroundings, mut f: impl FnMut(KingCount)) {
    let Surroundings {
        side,
        king,
        zone,
        flank,
        has_enemy_queen,
        checks,
        safe,
    } = *around;
    let board = map.board;
    let (own, enemy) = (map.side(side), map.side(!side));
    let defended = PIECE_ROLES
        .into_iter()
        .fold(own.by(Role::Pawn), |all, role| all | own.by(role));
    let minors = enemy.by(Role::Knight) | enemy.by(Role::Bishop);
    let pawns = board.by_piece(Role::Pawn.of(side));
    let all_checks = checks[0] | checks[1] | checks[2] | checks[3];
    let counts = [
        (KingCountKind::Attacked, zone & enemy.all),
        (KingCountKind::AttackedTwice, zone & enemy.twice),
        (KingCountKind::Undefended, zone & enemy.all & !defended),
        (KingCountKind::FlankAttacked, flank & enemy.all),
        (KingCountKind::FlankAttackedTwice, flank & enemy.twice),
        (KingCountKind::FlankDefended, flank & own.all),
        (KingCountKind::FlankDefendedTwice, flank & own.twice),
        (KingCountKind::OwnPieces, zone & board.by_color(side)),
        (KingCountKind::UnsafeChecks, all_checks & !safe),
        (KingCountKind::Openness, queen_attacks(king, pawns)),
        (KingCountKind::UnderMinors, zone & minors),
        (KingCountKind::UnderPawns, zone & enemy.by(Role::Pawn)),
    ];
    for (kind, squares) in counts {
        f(KingCount {
            king,
            kind,
            count: squares.count(),
            has_enemy_queen,
        });
    }
}
