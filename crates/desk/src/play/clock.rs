//! The clock of a game: how much time each side has, and whose flag has fallen.
//!
//! Time runs as on a wooden clock: it belongs to the side to move, and after each move the side
//! that made it gets its increment. Nobody asks the operating system for the time here; the moments
//! come from outside, so tests need not wait.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};

use crate::pgn::shown_clock;

/// The longest time that can be set for a side, a move or an increment: a day.
const MAX_TIME: Duration = Duration::from_secs(24 * 60 * 60);

/// How the time of a game is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeControl {
    /// Each side has a clock.
    Clock {
        /// The time at the start.
        initial: Duration,
        /// The time that each move adds.
        increment: Duration,
    },
    /// Engines have this time for each move. People have as long as they like.
    MoveTime(Duration),
    /// Engines search to this depth in plies. Nobody is short of time.
    Depth(u32),
}

impl TimeControl {
    /// Reads a time control as people write it, `5+3`: five minutes and three seconds a move. Both
    /// can have decimals, and the increment can be left out.
    pub fn parse_clock(text: &str) -> Result<TimeControl, String> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let initial = duration(minutes, 60.0)?;
        let increment = duration(seconds, 1.0)?;
        if initial.is_zero() {
            return Err("a game needs some time to begin with".to_owned());
        }
        Ok(TimeControl::Clock { initial, increment })
    }

    /// The time control as PGN records it: seconds for the game and for each move, or `-` for none.
    pub fn in_pgn(self) -> String {
        match self {
            TimeControl::Clock { initial, increment } => {
                format!("{}+{}", initial.as_secs_f64(), increment.as_secs_f64())
            }
            TimeControl::MoveTime(time) => format!("1/{}", time.as_secs_f64()),
            TimeControl::Depth(_) => "-".to_owned(),
        }
    }

    /// The time control in words.
    pub fn in_words(self) -> String {
        match self {
            TimeControl::Clock { initial, increment } => {
                let seconds = initial.as_secs_f64();
                let increment = increment.as_secs_f64();
                if seconds < 60.0 {
                    format!("{seconds} s + {increment} s a move")
                } else {
                    format!("{} min + {increment} s a move", seconds / 60.0)
                }
            }
            TimeControl::MoveTime(time) => format!("{} s a move", time.as_secs_f64()),
            TimeControl::Depth(depth) => format!("depth {depth}"),
        }
    }
}

/// The duration of a decimal number of units of some seconds.
fn duration(text: &str, unit: f64) -> Result<Duration, String> {
    let is_number = text
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: f64 = match text.parse() {
        Ok(number) if is_number => number,
        _ => return Err("expected minutes+seconds, such as 5+3 or 0.5+0.1".to_owned()),
    };
    let seconds = number * unit;
    if seconds > MAX_TIME.as_secs_f64() {
        return Err("longer than a day".to_owned());
    }
    Ok(Duration::from_micros((seconds * 1e6).round() as u64))
}

/// A flag has fallen: the move came too late.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagFell;

/// The clock of a game. It stands still until it is started.
#[derive(Clone, Copy, Debug)]
pub struct ChessClock {
    control: TimeControl,
    /// The time left while the clock stands; only if each side has a clock.
    remaining: ByColor<Duration>,
    /// The time that each side has thought so far.
    spent: ByColor<Duration>,
    running: Option<(Color, Instant)>,
}

impl ChessClock {
    /// A clock at the start of a game.
    pub fn new(control: TimeControl) -> ChessClock {
        let initial = match control {
            TimeControl::Clock { initial, .. } => initial,
            TimeControl::MoveTime(_) | TimeControl::Depth(_) => Duration::ZERO,
        };
        ChessClock {
            control,
            remaining: ByColor::new_with(|_| initial),
            spent: ByColor::new_with(|_| Duration::ZERO),
            running: None,
        }
    }

    /// A clock of a game that goes on, on which the sides have this time left.
    pub fn going_on(control: TimeControl, remaining: ByColor<Duration>) -> ChessClock {
        ChessClock {
            remaining,
            ..ChessClock::new(control)
        }
    }

    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The same clock, on which a side has this time left.
    pub fn with_left(mut self, side: Color, left: Duration) -> ChessClock {
        *self.remaining.get_mut(side) = left;
        self
    }

    /// The same clock, standing still.
    pub fn standing(self) -> ChessClock {
        ChessClock {
            running: None,
            ..self
        }
    }

    /// Starts the time of a side.
    pub fn start(&mut self, side: Color, now: Instant) {
        self.running = Some((side, now));
    }

    /// Stops the clock; the time that has run since it was started is spent.
    pub fn stop(&mut self, now: Instant) {
        if let Some((side, _)) = self.running {
            let elapsed = self.elapsed(side, now);
            let remaining = self.remaining.get_mut(side);
            *remaining = remaining.saturating_sub(elapsed);
            *self.spent.get_mut(side) += elapsed;
            self.running = None;
        }
    }

    /// Stops the clock after a move, which gains the increment.
    pub fn press(&mut self, now: Instant) -> Result<(), FlagFell> {
        let is_late = self.is_out_of_time(now);
        let side = self.running.map(|(side, _)| side);
        self.stop(now);
        if is_late {
            return Err(FlagFell);
        }
        if let (TimeControl::Clock { increment, .. }, Some(side)) = (self.control, side) {
            *self.remaining.get_mut(side) += increment;
        }
        Ok(())
    }

    /// The time that a side has left; `None` if it has no clock.
    pub fn remaining(&self, side: Color, now: Instant) -> Option<Duration> {
        let remaining = *self.remaining.get(side);
        matches!(self.control, TimeControl::Clock { .. })
            .then(|| remaining.saturating_sub(self.elapsed(side, now)))
    }

    /// The time that a side has thought in this game.
    pub fn spent(&self, side: Color, now: Instant) -> Duration {
        *self.spent.get(side) + self.elapsed(side, now)
    }

    /// The time until the flag of the side whose time runs falls; `None` if none can fall.
    pub fn time_to_flag(&self, now: Instant) -> Option<Duration> {
        let (side, _) = self.running?;
        self.remaining(side, now)
    }

    /// Whether the side whose time runs has none left.
    pub fn is_out_of_time(&self, now: Instant) -> bool {
        self.time_to_flag(now).is_some_and(|time| time.is_zero())
    }

    fn elapsed(&self, side: Color, now: Instant) -> Duration {
        match self.running {
            Some((running, since)) if running == side => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        }
    }
}

/// A time as clocks show it: `1:02:03`, `4:05`, or with tenths in the last ten seconds, `0:07.3`.
/// Rounded up, so that zero means that the flag has fallen.
pub fn shown(time: Duration) -> String {
    let tenths = time.as_millis().div_ceil(100);
    if tenths < 100 {
        return format!("0:{:02}.{}", tenths / 10, tenths % 10);
    }
    shown_clock(Duration::from_secs(time.as_millis().div_ceil(1_000) as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn clock(text: &str) -> ChessClock {
        ChessClock::new(TimeControl::parse_clock(text).expect("a time control"))
    }

    #[test]
    fn time_controls_are_minutes_and_seconds() {
        let control = |initial_ms, increment_ms| TimeControl::Clock {
            initial: Duration::from_millis(initial_ms),
            increment: Duration::from_millis(increment_ms),
        };
        for (text, expected) in [
            ("5+3", control(300_000, 3_000)),
            ("5", control(300_000, 0)),
            ("0.5+0.1", control(30_000, 100)),
            (".05+.01", control(3_000, 10)),
            ("90+30", control(5_400_000, 30_000)),
        ] {
            assert_eq!(TimeControl::parse_clock(text), Ok(expected), "{text}");
        }
        for text in [
            "", "+", "five", "5+", "+3", "5-3", "-5+3", "5+-3", "0+1", "inf", "nan", "1e9",
            "99999", "5+3+1",
        ] {
            assert!(TimeControl::parse_clock(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn pgn_has_seconds() {
        let in_pgn = |text| TimeControl::parse_clock(text).map(TimeControl::in_pgn);
        assert_eq!(in_pgn("5+3").as_deref(), Ok("300+3"));
        assert_eq!(in_pgn("0.5+0.1").as_deref(), Ok("30+0.1"));
        let half_a_second = Duration::from_millis(500);
        assert_eq!(TimeControl::MoveTime(half_a_second).in_pgn(), "1/0.5");
        assert_eq!(TimeControl::Depth(4).in_pgn(), "-");
    }

    #[test]
    fn time_controls_are_told_in_words() {
        let in_words = |text| TimeControl::parse_clock(text).map(TimeControl::in_words);
        assert_eq!(in_words("5+3").as_deref(), Ok("5 min + 3 s a move"));
        assert_eq!(in_words("0.05+0.02").as_deref(), Ok("3 s + 0.02 s a move"));
    }

    #[test]
    fn time_runs_for_the_side_to_move_alone_and_a_move_adds_the_increment() {
        let mut clock = clock("1+2");
        let start = Instant::now();
        clock.start(Color::White, start);
        let now = start + 10 * SECOND;
        assert_eq!(clock.remaining(Color::White, now), Some(50 * SECOND));
        assert_eq!(clock.remaining(Color::Black, now), Some(60 * SECOND));
        assert_eq!(clock.press(now), Ok(()));
        assert_eq!(clock.remaining(Color::White, now), Some(52 * SECOND));
        assert_eq!(clock.spent(Color::White, now), 10 * SECOND);
        clock.start(Color::Black, now);
        let later = now + 5 * SECOND;
        assert_eq!(clock.remaining(Color::White, later), Some(52 * SECOND));
        assert_eq!(clock.remaining(Color::Black, later), Some(55 * SECOND));
        assert_eq!(clock.time_to_flag(later), Some(55 * SECOND));
    }

    #[test]
    fn a_move_that_comes_too_late_gains_nothing() {
        let mut clock = clock("1+2");
        let start = Instant::now();
        clock.start(Color::Black, start);
        assert!(!clock.is_out_of_time(start + 59 * SECOND));
        let late = start + 60 * SECOND;
        assert!(clock.is_out_of_time(late));
        assert_eq!(clock.press(late), Err(FlagFell));
        assert_eq!(clock.remaining(Color::Black, late), Some(Duration::ZERO));
        assert_eq!(clock.time_to_flag(late), None);
    }

    #[test]
    fn without_a_clock_no_flag_falls_and_the_time_is_counted() {
        let mut clock = ChessClock::new(TimeControl::MoveTime(SECOND));
        let start = Instant::now();
        clock.start(Color::White, start);
        let late = start + 3_600 * SECOND;
        assert!(!clock.is_out_of_time(late));
        assert_eq!(clock.remaining(Color::White, late), None);
        assert_eq!(clock.press(late), Ok(()));
        assert_eq!(clock.spent(Color::White, late), 3_600 * SECOND);
    }

    #[test]
    fn times_are_shown_as_on_a_clock() {
        for (milliseconds, expected) in [
            (0, "0:00.0"),
            (1, "0:00.1"),
            (9_850, "0:09.9"),
            (9_901, "0:10"),
            (59_001, "1:00"),
            (300_000, "5:00"),
            (3_723_000, "1:02:03"),
        ] {
            assert_eq!(shown(Duration::from_millis(milliseconds)), expected);
        }
    }
}
