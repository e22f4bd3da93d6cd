//! King danger: in which way a king is attacked.
//!
//! An attack is more than the sum of its parts: queen and knight together, two weak squares and a
//! safe check of the queen mate where each alone is harmless. So every combination of attackers,
//! weak squares and safe checks has a score of its own, and besides it each of the three parts has
//! one, which all combinations share that it belongs to.

use shakmaty::{Role, Square};

use super::board::AttackedBoard;
use super::surroundings::Surroundings;

/// The combinations of attackers: none, one or more than one knight, bishop and rook, and whether
/// the queen is among them.
const ATTACKERS: usize = 3 * 3 * 3 * 2;
/// The numbers of weak squares: none to three, four or more.
const WEAK: usize = 5;
/// The combinations of roles that can give a safe check.
const CHECKS: usize = 16;

/// The number of scores: those of the combinations, then those of each part.
pub const KING_DANGER_SIZE: usize = ATTACKERS * WEAK * CHECKS + ATTACKERS + WEAK + CHECKS;

/// In which way a king is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingAttack {
    /// The enemy knights, bishops, rooks and queens that attack squares beside the king: at most
    /// two of each, one queen.
    pub attackers: [u8; 4],
    /// The squares beside the king that the enemy attacks and only king and queen defend: at most
    /// four.
    pub weak: u8,
    /// Whether a knight, bishop, rook or queen can give a check without being taken.
    pub safe_checks: [bool; 4],
}

/// A king that is attacked, or one part of the attack. A positive score is good for the king's
/// side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingDanger {
    /// The square of the king.
    pub king: Square,
    /// The attack.
    pub attack: KingAttack,
    /// What the score is for.
    pub part: Part,
}

/// What a score of king danger is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The combination.
    Whole,
    /// The attackers alone.
    Attackers,
    /// The weak squares alone.
    Weak,
    /// The safe checks alone.
    SafeChecks,
}

impl KingDanger {
    /// The place of its score in the family.
    #[inline(always)]
    pub fn place(self) -> usize {
        let KingAttack {
            attackers: [knights, bishops, rooks, queens],
            weak,
            safe_checks,
        } = self.attack;
        let of_pieces = (knights * 3 + bishops) * 3 + rooks;
        let attackers = usize::from(of_pieces * 2 + queens);
        let weak = usize::from(weak);
        let checks = (0..4).fold(0, |checks, role| {
            checks | usize::from(safe_checks[role]) << role
        });
        let parts = ATTACKERS * WEAK * CHECKS;
        match self.part {
            Part::Whole => (attackers * WEAK + weak) * CHECKS + checks,
            Part::Attackers => parts + attackers,
            Part::Weak => parts + ATTACKERS + weak,
            Part::SafeChecks => parts + ATTACKERS + WEAK + checks,
        }
    }
}

/// The danger of a king.
#[inline(always)]
pub(super) fn for_each(
    board: &AttackedBoard,
    around: &Surroundings,
    mut f: impl FnMut(KingDanger),
) {
    let attack = attack_on(board, around);
    for part in [Part::Whole, Part::Attackers, Part::Weak, Part::SafeChecks] {
        f(KingDanger {
            king: around.king,
            attack,
            part,
        });
    }
}

#[inline(always)]
fn attack_on(board: &AttackedBoard, around: &Surroundings) -> KingAttack {
    let (own, enemy) = (board.map.side(around.side), board.map.side(!around.side));
    let mut attackers = [0u8; 4];
    for attacker in &enemy.pieces {
        if attacker.role != Role::King && (attacker.attacks & around.zone).any() {
            attackers[usize::from(attacker.role) - usize::from(Role::Knight)] += 1;
        }
    }
    let [knights, bishops, rooks, queens] = attackers;
    let defended =
        own.by(Role::Pawn) | own.by(Role::Knight) | own.by(Role::Bishop) | own.by(Role::Rook);
    let weak = around.zone & enemy.all & !defended & !own.twice;
    KingAttack {
        attackers: [knights.min(2), bishops.min(2), rooks.min(2), queens.min(1)],
        weak: weak.count().min(WEAK - 1) as u8,
        safe_checks: around.checks.map(|checks| (checks & around.safe).any()),
    }
}
