//! King danger: in which way a king is attacked.
//!
//! An attack is more than the sum of its parts: a queen and a knight, two weak squares and a safe
//! check by the queen may mate together while each alone is harmless. So every combination of
//! attackers, weak squares and safe checks has its own score. Each of the three parts also has one,
//! shared by all combinations that contain it.

use shakmaty::Role;

use super::attack_map::AttackMap;
use super::surroundings::Surroundings;

/// The combinations of attackers: none, one or more than one knight, bishop and rook, and whether
/// the queen is among them.
const ATTACKERS: usize = 3 * 3 * 3 * 2;
/// The numbers of weak squares: none to three, four or more.
const WEAK: usize = 5;
/// The combinations of roles that can give a safe check.
const CHECKS: usize = 16;

/// The ways in which a king can be attacked.
pub(super) const KING_ATTACKS: usize = ATTACKERS * WEAK * CHECKS;

/// The number of scores: those of the combinations, then those of each part.
pub const KING_DANGER_SIZE: usize = KING_ATTACKS + ATTACKERS + WEAK + CHECKS;

/// In which way a king is attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingAttack {
    /// The enemy knights, bishops, rooks and queens that attack the king's zone, which is
    /// `Surroundings::zone`: at most two of each, one queen.
    pub attackers: [u8; 4],
    /// The squares of the king's zone that the enemy attacks and that nothing defends, or the king
    /// or the queen alone: at most four.
    pub weak: u8,
    /// Whether a knight, bishop, rook or queen can give a check that counts as safe by
    /// `Surroundings::safe`.
    pub safe_checks: [bool; 4],
}

impl KingAttack {
    /// The attack on the king of these surroundings.
    #[inline(always)]
    pub(super) fn on(map: &AttackMap, around: &Surroundings) -> KingAttack {
        let (own, enemy) = (map.side(around.side), map.side(!around.side));
        let [knights, bishops, rooks, queens] = enemy.at_king;
        let defended =
            own.by(Role::Pawn) | own.by(Role::Knight) | own.by(Role::Bishop) | own.by(Role::Rook);
        let weak = around.zone & enemy.all & !defended & !own.twice;
        KingAttack {
            attackers: [knights.min(2), bishops.min(2), rooks.min(2), queens.min(1)],
            weak: weak.count().min(WEAK - 1) as u8,
            safe_checks: around.checks.map(|checks| (checks & around.safe).any()),
        }
    }

    /// Every way in which a king can be attacked, in the order of [`KingAttack::place`].
    pub(super) fn all() -> impl Iterator<Item = KingAttack> {
        (0..KING_ATTACKS).map(|place| {
            let (attackers, rest) = (place / (WEAK * CHECKS), place % (WEAK * CHECKS));
            let of_pieces = attackers / 2;
            let attackers = [
                of_pieces / 9,
                of_pieces / 3 % 3,
                of_pieces % 3,
                attackers % 2,
            ];
            KingAttack {
                attackers: attackers.map(|number| number as u8),
                weak: (rest / CHECKS) as u8,
                safe_checks: [0, 1, 2, 3].map(|role| rest >> role & 1 != 0),
            }
        })
    }

    /// The scores that the attack has.
    pub(super) fn parts(self) -> [KingDanger; 4] {
        [Part::Whole, Part::Attackers, Part::Weak, Part::SafeChecks]
            .map(|part| KingDanger { attack: self, part })
    }

    /// Its number among all of them.
    #[inline(always)]
    pub(super) fn place(self) -> usize {
        (self.attackers_place() * WEAK + usize::from(self.weak)) * CHECKS + self.checks_place()
    }

    #[inline(always)]
    fn attackers_place(self) -> usize {
        let [knights, bishops, rooks, queens] = self.attackers;
        usize::from(((knights * 3 + bishops) * 3 + rooks) * 2 + queens)
    }

    #[inline(always)]
    fn checks_place(self) -> usize {
        let numbered = self.safe_checks.into_iter().enumerate();
        numbered.fold(0, |checks, (role, is_safe)| {
            checks | usize::from(is_safe) << role
        })
    }
}

/// An attack on a king, or one part of it. A positive score is good for the king's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KingDanger {
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
    pub fn place(self) -> usize {
        let attack = self.attack;
        match self.part {
            Part::Whole => attack.place(),
            Part::Attackers => KING_ATTACKS + attack.attackers_place(),
            Part::Weak => KING_ATTACKS + ATTACKERS + usize::from(attack.weak),
            Part::SafeChecks => KING_ATTACKS + ATTACKERS + WEAK + attack.checks_place(),
        }
    }
}

/// The danger of a king.
pub(super) fn for_each(map: &AttackMap, around: &Surroundings, f: impl FnMut(KingDanger)) {
    KingAttack::on(map, around).parts().into_iter().for_each(f);
}
