//! Lane scores: sums of tapered scores with one addition each.

use super::tapered_score::{PackedScore, TaperedScore};

/// A tapered score in one number: the middle game in the lower 16 bits, the end game in the upper ones, so that one
/// addition adds both (known as SWAR, "SIMD within a register"; Stockfish's `Score` is the same).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LaneScore(i32);

impl LaneScore {
    /// One score minus another.
    pub(super) fn difference(one: PackedScore, other: PackedScore) -> LaneScore {
        let middle_game = i32::from(one.middle_game) - i32::from(other.middle_game);
        let end_game = i32::from(one.end_game) - i32::from(other.end_game);
        LaneScore(middle_game + (end_game << 16))
    }

    /// At most 64 scores can be added up: each of them is at most 510.
    #[inline]
    pub(super) fn add(&mut self, other: LaneScore) {
        self.0 = self.0.wrapping_add(other.0);
    }
}

impl From<LaneScore> for TaperedScore {
    #[inline]
    fn from(score: LaneScore) -> TaperedScore {
        let middle_game = score.0 as i16;
        // A negative lower half has borrowed from the upper one.
        let end_game = (score.0.wrapping_sub(i32::from(middle_game)) >> 16) as i16;
        TaperedScore {
            middle_game: middle_game.into(),
            end_game: end_game.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_add_up_apart_at_their_limits() {
        for (middle_game, end_game) in [(255, 255), (255, -255), (-255, 255), (-255, -255), (-1, 0)]
        {
            let score = |middle_game, end_game| PackedScore {
                middle_game,
                end_game,
            };
            let one =
                LaneScore::difference(score(middle_game, end_game), score(-middle_game, -end_game));
            let mut sum = LaneScore::default();
            (0..64).for_each(|_| sum.add(one));
            let expected = TaperedScore {
                middle_game: 128 * i32::from(middle_game),
                end_game: 128 * i32::from(end_game),
            };
            assert_eq!(TaperedScore::from(sum), expected);
        }
    }
}
