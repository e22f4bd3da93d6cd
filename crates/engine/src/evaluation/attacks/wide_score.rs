//! Wide scores: sums of any number of tapered scores with one addition each.

use crate::evaluation::tapered_score::{PackedScore, TaperedScore};

/// A tapered score in one number: the middlegame in the lower 32 bits, the endgame in the upper
/// ones, so that one addition adds both (SWAR, "SIMD within a register").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WideScore(i64);

impl WideScore {
    #[inline(always)]
    pub(super) fn add(&mut self, other: WideScore) {
        self.0 += other.0;
    }

    #[inline(always)]
    pub(super) fn subtract(&mut self, other: WideScore) {
        self.0 -= other.0;
    }
}

impl From<PackedScore> for WideScore {
    fn from(score: PackedScore) -> WideScore {
        WideScore(i64::from(score.middlegame) + (i64::from(score.endgame) << 32))
    }
}

impl From<WideScore> for TaperedScore {
    #[inline(always)]
    fn from(score: WideScore) -> TaperedScore {
        let middlegame = score.0 as i32;
        // A negative lower half has borrowed from the upper one.
        let endgame = ((score.0 - i64::from(middlegame)) >> 32) as i32;
        TaperedScore {
            middlegame,
            endgame,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_add_up_apart_at_their_limits() {
        for (middlegame, endgame) in [(i16::MIN, i16::MAX), (i16::MAX, i16::MIN), (-1, 0), (0, -1)]
        {
            let one = WideScore::from(PackedScore {
                middlegame,
                endgame,
            });
            let mut sum = WideScore::default();
            (0..1_000).for_each(|_| sum.add(one));
            let expected = TaperedScore {
                middlegame: 1_000 * i32::from(middlegame),
                endgame: 1_000 * i32::from(endgame),
            };
            assert_eq!(TaperedScore::from(sum), expected);
        }
    }
}
