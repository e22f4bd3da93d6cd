//! The tables of attacks in the form in which the search looks them up.

use super::attack_pairs::{SeenPair, seen_pairs};
use super::{AttackFeature, AttackedBoard, for_each_feature};
use crate::evaluation::layout::{Family, Layout};
use crate::evaluation::tapered_score::{PackedScore, TaperedScore};

/// A tapered score in one number, for sums of any size: the middlegame in the lower half, the
/// endgame in the upper one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WideScore(i64);

impl WideScore {
    #[inline]
    fn add(&mut self, other: WideScore) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl From<PackedScore> for WideScore {
    fn from(score: PackedScore) -> WideScore {
        WideScore(i64::from(score.middlegame) + (i64::from(score.endgame) << 32))
    }
}

impl From<WideScore> for TaperedScore {
    #[inline]
    fn from(score: WideScore) -> TaperedScore {
        let middlegame = score.0 as i32;
        // A negative lower half has borrowed from the upper one.
        let endgame = (score.0.wrapping_sub(i64::from(middlegame)) >> 32) as i32;
        TaperedScore {
            middlegame,
            endgame,
        }
    }
}

/// The squares that an attacker is looked up on: four files.
const FROM: usize = 64;
/// The room for kinds of victims.
const VICTIM_ROOM: usize = 16;

/// The scores of all families of attacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttackTable {
    /// All families but the pairs, one after the other.
    scores: Box<[WideScore]>,
    /// The pairs by role, square, attacked square and kind of victim.
    pairs: Box<[WideScore]>,
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
        let mut by_square = vec![WideScore::default(); 5 * FROM * 64 * VICTIM_ROOM];
        for (pair, score) in seen_pairs().zip(&scores[pairs]) {
            by_square[pair_index(pair)] = (*score).into();
        }
        Some(AttackTable {
            scores: scores[others].iter().map(|score| (*score).into()).collect(),
            pairs: by_square.into(),
        })
    }

    /// The sum of all attacks on a board, White's scores minus Black's.
    pub fn balance(&self, board: &AttackedBoard) -> TaperedScore {
        let mut sums = [WideScore::default(); 2];
        for_each_feature(board, |side, feature| {
            let score = match feature {
                AttackFeature::Pair(pair) => self.pairs[pair_index(pair.seen())],
                _ => self.scores[feature.family().attack_offset() + feature.place()],
            };
            sums[usize::from(side)].add(score);
        });
        let [black, white] = sums.map(TaperedScore::from);
        let mut balance = white;
        balance -= black;
        balance
    }
}

#[inline(always)]
fn pair_index(pair: SeenPair) -> usize {
    ((pair.role * FROM + pair.from) * 64 + pair.to) * VICTIM_ROOM + pair.victim
}
