//! How long a player thinks about a move, in each stage of the game.

use std::time::Duration;

/// The number of units to the whole of the time that is left.
const UNITS: f64 = 1e6;

/// A move takes at most this part of the time that is left.
const LARGEST_SHARE: f64 = 0.125;

/// And at least this part of the mean: haste must not make an engine blunder.
const SHORTEST: f64 = 0.25;

/// How long a player thinks about a move in a stage of the game.
///
/// It is told as a part of the time that is left on the clock, so that it can be used at any time
/// control.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// The moves that were looked at. Without any nothing is known.
    pub moves: u32,
    /// The mean part of the time left that they took, in millionths.
    pub share: u32,
}

impl Pace {
    /// The pace of moves that took these parts of the time left, 0 to 1 each.
    pub fn of(shares: &[f64]) -> Pace {
        let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
        Pace {
            moves: shares.len() as u32,
            share: (mean * UNITS).round() as u32,
        }
    }

    /// The mean part of the time left that a move takes, 0 to 1.
    pub fn mean(self) -> f64 {
        f64::from(self.share) / UNITS
    }

    /// The time for a move with so much left: many short ones and few long ones (a quarter of the
    /// mean and more, by an exponential distribution, which is assumed and not fitted), drawn by
    /// `luck` between 0 and 1. At most an eighth of what is left; `None` if nothing is known.
    pub fn draw(self, left: Duration, luck: f64) -> Option<Duration> {
        let exponential = -(1.0 - luck.clamp(0.0, 0.999)).ln();
        let times_the_mean = SHORTEST + (1.0 - SHORTEST) * exponential;
        let share = (self.mean() * times_the_mean).min(LARGEST_SHARE);
        (self.moves > 0).then(|| left.mul_f64(share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_draws_take_the_mean_on_average_and_none_is_hasty_or_takes_half_the_clock() {
        let pace = Pace::of(&[0.01, 0.03]);
        assert_eq!((pace.moves, pace.share), (2, 20_000));
        let left = Duration::from_secs(100);
        let draws = (0..1_000).map(|luck| pace.draw(left, f64::from(luck) / 1_000.0));
        let draws: Vec<f64> = draws.flatten().map(|time| time.as_secs_f64()).collect();
        let mean = draws.iter().sum::<f64>() / 1_000.0;
        assert!((1.95..2.0).contains(&mean), "{mean}");
        assert_eq!(pace.draw(left, 0.0), Some(left / 200));
        let slow = Pace::of(&[0.9]);
        assert_eq!(slow.draw(left, 1.0), Some(left / 8));
        assert_eq!(Pace::of(&[]).draw(left, 0.5), None);
    }
}
