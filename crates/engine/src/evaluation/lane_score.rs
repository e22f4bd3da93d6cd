//! Lane scores: sums of tapered scores with one addition each.
//!
//! The search adds up dozens of pairs for every move, each with a score for the middlegame and one
//! for the endgame. Two sums side by side in one number take half the additions.

use super::tapered_score::{PackedScore, TaperedScore};

/// A tapered score in one number: the middlegame in the lower 16 bits, the endgame in the upper
/// ones, so that one addition adds both (SWAR, "SIMD within a register"; Stockfish's `Score` is the
/// same).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LaneScore(i32);

impl LaneScore {
    /// One score minus another.
    pub(super) fn difference(one: PackedScore, other: PackedScore) -> LaneScore {
        let middlegame = i32::from(one.middlegame) - i32::from(other.middlegame);
        let endgame = i32::from(one.endgame) - i32::from(other.endgame);
        LaneScore(middlegame + (endgame << 16))
    }

    /// At most 16 scores can be added up: each of them is at most 2,046.
    #[inline]
    pub(super) fn add(&mut self, other: LaneScore) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl From<LaneScore> for TaperedScore {
    #[inline]
    fn from(score: LaneScore) -> TaperedScore {
        let middlegame = score.0 as i16;
        // A negative lower half has borrowed from the upper one.
        let endgame = (score.0.wrapping_sub(i32::from(middlegame)) >> 16) as i16;
        TaperedScore {
            middlegame: middlegame.into(),
            endgame: endgame.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::pairs::PAIR_SCORE_LIMIT;

    #[test]
    fn lanes_add_up_apart_at_their_limits() {
        const LIMIT: i16 = PAIR_SCORE_LIMIT;
        for (middlegame, endgame) in [
            (LIMIT, LIMIT),
            (LIMIT, -LIMIT),
            (-LIMIT, LIMIT),
            (-LIMIT, -LIMIT),
            (-1, 0),
        ] {
            let score = |middlegame, endgame| PackedScore {
                middlegame,
                endgame,
            };
            let one =
                LaneScore::difference(score(middlegame, endgame), score(-middlegame, -endgame));
            let mut sum = LaneScore::default();
            (0..16).for_each(|_| sum.add(one));
            let expected = TaperedScore {
                middlegame: 32 * i32::from(middlegame),
                endgame: 32 * i32::from(endgame),
            };
            assert_eq!(TaperedScore::from(sum), expected);
        }
    }
}
