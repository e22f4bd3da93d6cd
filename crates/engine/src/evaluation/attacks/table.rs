//! The tables of attacks in the form in which the search looks them up.

use shakmaty::{Board, Color};

use super::attack_pairs::{ATTACKING_ROLES, SeenAttack, VICTIMS, seen_attacks};
use super::board::AttackedBoard;
use super::surroundings::Surroundings;
use super::{attack_pairs, king_counts, king_danger, mobility, passed_path, threats};
use crate::evaluation::layout::{Family, Layout};
use crate::evaluation::tapered_score::{PackedScore, TaperedScore};

/// The squares on which an attacker is looked up: those of four files.
const FROM: usize = 32;

/// The scores of all families of attacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackTable {
    /// All families but the pairs, one after the other.
    scores: Box<[PackedScore]>,
    /// The pairs by role, square, attacked square and kind of victim.
    pairs: Box<[PackedScore]>,
}

impl AttackTable {
    /// The table of these scores, or `None` if all of them are zero, so that nothing needs to be
    /// looked up.
    pub fn new(layout: &Layout, scores: &[PackedScore]) -> Option<AttackTable> {
        let pairs = layout.range(Family::AttackPairs);
        let others = layout.range(Family::Threats).start..pairs.start;
        let all = &scores[others.start..pairs.end];
        if all.iter().all(|score| *score == PackedScore::default()) {
            return None;
        }
        let mut by_square =
            vec![PackedScore::default(); ATTACKING_ROLES.len() * FROM * 64 * VICTIMS];
        for (pair, score) in seen_attacks().zip(&scores[pairs]) {
            by_square[pair_index(pair)] = *score;
        }
        Some(AttackTable {
            scores: scores[others].into(),
            pairs: by_square.into(),
        })
    }

    /// The sum of all attacks on a board, White's scores minus Black's.
    pub fn balance(&self, board: &Board, turn: Color) -> TaperedScore {
        let attacked = AttackedBoard::new(board, turn);
        let mut balance = self.sum(&attacked, Color::White);
        balance -= self.sum(&attacked, Color::Black);
        balance
    }

    /// The sum of the features of a side. It adds up what [`super::for_each_feature`] lists, family
    /// by family, so that each of these loops is compiled for its own kind of feature.
    #[inline(always)]
    fn sum(&self, board: &AttackedBoard, side: Color) -> TaperedScore {
        let mut sum = TaperedScore::default();
        let mut add = |family: Family, place: usize| {
            sum += self.scores[family.attack_offset() + place].into();
        };
        threats::for_each(board, side, |threat| add(Family::Threats, threat.place()));
        mobility::for_each(board, side, |mobility| {
            add(Family::Mobility, mobility.place());
        });
        if let Some(around) = Surroundings::of_king(board, side) {
            king_counts::for_each(board, &around, |count| {
                add(Family::KingCounts, count.place());
            });
            king_danger::for_each(board, &around, |danger| {
                add(Family::KingDanger, danger.place());
            });
        }
        passed_path::for_each(board, side, |path| add(Family::PassedPaths, path.place()));
        attack_pairs::for_each(board, side, |pair| {
            sum += self.pairs[pair_index(pair.seen())].into();
        });
        sum
    }
}

/// Where a pair stands in the table.
#[inline(always)]
fn pair_index(pair: SeenAttack) -> usize {
    let from = pair.from / 8 * 4 + pair.from % 4;
    ((pair.role * FROM + from) * 64 + pair.to) * VICTIMS + pair.victim
}
