//! How long a move may take.
//!
//! Two limits come out of a chess clock. Past the *soft* one no new iteration begins, since it would
//! hardly finish; at the *hard* one the search breaks off where it stands. While the engine ponders on
//! the opponent's time, the clock has not started and neither limit counts.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::limits::{Limits, PlayerClock};

/// Moves that the remaining time is spread over when the clock holds for the whole game.
const MOVES_LEFT: u32 = 24;

/// `movestogo` beyond this is treated as this: the middle game deserves the time.
const MOVES_TO_GO_LIMIT: u32 = 40;

/// How often the soft limit fits into the hard one.
const HARD_TO_SOFT: u32 = 4;

/// The least time that a move gets, however empty the clock.
const LEAST: Duration = Duration::from_millis(1);

/// The moment from which the clock counts: known at once, or, when pondering, on the ponder hit.
#[derive(Clone, Debug, Default)]
pub struct StartSignal(Arc<OnceLock<Instant>>);

impl StartSignal {
    /// A clock that starts later, or never.
    pub fn pending() -> StartSignal {
        StartSignal::default()
    }

    /// A clock that runs since `instant`.
    pub fn at(instant: Instant) -> StartSignal {
        let signal = StartSignal::pending();
        signal.start(instant);
        signal
    }

    /// Starts the clock; only the first call counts.
    pub fn start(&self, instant: Instant) {
        // Err means that the clock runs already, which is what the caller wants.
        let _ = self.0.set(instant);
    }

    fn elapsed(&self) -> Option<Duration> {
        self.0.get().map(Instant::elapsed)
    }
}

/// The time limits of one search.
#[derive(Clone, Debug)]
pub struct Clock {
    start: StartSignal,
    budget: Budget,
}

/// What a move may spend; `None` is without limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Budget {
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl Clock {
    /// The clock for these limits. `overhead` is the time lost between us and the arbiter's clock, which
    /// the opponent's program, the interface and the operating system take from every move.
    pub fn new(limits: &Limits, start: StartSignal, overhead: Duration) -> Clock {
        let mut budget = limits
            .clock
            .map_or(Budget::default(), |clock| share(clock, overhead));
        if let Some(move_time) = limits.move_time {
            let usable = move_time.saturating_sub(overhead).max(LEAST);
            budget.hard = Some(budget.hard.map_or(usable, |hard| hard.min(usable)));
        }
        Clock { start, budget }
    }

    /// A clock that never runs out.
    pub fn unlimited() -> Clock {
        Clock {
            start: StartSignal::pending(),
            budget: Budget::default(),
        }
    }

    /// Whether the time for this move is used up.
    pub fn is_out(&self) -> bool {
        self.is_past(self.budget.hard)
    }

    /// Whether it is too late to begin another iteration, for a move of this difficulty.
    pub fn is_late(&self, difficulty: Difficulty) -> bool {
        let soft = self.budget.soft.map(|soft| difficulty.scaled(soft));
        self.is_past(soft) || self.is_out()
    }

    /// Whether the move is played against a running chess clock, so that time saved now is time won later.
    pub fn is_worth_saving(&self) -> bool {
        self.budget.soft.is_some() && self.start.elapsed().is_some()
    }

    fn is_past(&self, limit: Option<Duration>) -> bool {
        match (limit, self.start.elapsed()) {
            (Some(limit), Some(elapsed)) => elapsed >= limit,
            _ => false,
        }
    }
}

/// Parts of a whole: shares and factors are counted in these, since no float may shape a search.
const WHOLE: u32 = 1_000;

/// What the soft limit is multiplied by after so many iterations in a row with the same best move.
const STABILITY_FACTORS: [u32; 5] = [1_600, 1_250, 1_050, 950, 850];
/// A move on which this share of the nodes was spent needs no more time...
const SHARE_BASE: u32 = 1_500;
/// ...and one that takes less, so much more.
const SHARE_FACTOR: u32 = 1_350;
/// A centipawn that the score fell.
const FALL_FACTOR: i32 = 8;
/// Further rises and falls than these change nothing, in centipawns.
const RISE_LIMIT: i32 = 20;
const FALL_LIMIT: i32 = 60;

/// What the iterations so far say of how hard it is to choose the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Difficulty {
    /// Iterations in a row, after the first, that ended with the same best move.
    pub stable_iterations: usize,
    /// The share of the last iteration's nodes that was spent on the best move, in thousandths.
    pub best_move_share: u32,
    /// By how many centipawns the score fell with the last iteration.
    pub fall: i32,
}

impl Difficulty {
    /// The time for a move of this difficulty, where `time` is that of an average one: less if the best move
    /// stays the same and takes most of the nodes, more if the score falls.
    fn scaled(self, time: Duration) -> Duration {
        let stability = STABILITY_FACTORS[self.stable_iterations.min(STABILITY_FACTORS.len() - 1)];
        let share = (SHARE_BASE - self.best_move_share.min(WHOLE)) * SHARE_FACTOR / WHOLE;
        let fall = self.fall.clamp(-RISE_LIMIT, FALL_LIMIT) * FALL_FACTOR;
        let fall = WHOLE.saturating_add_signed(fall);
        let factor = stability * share / WHOLE * fall / WHOLE;
        time.saturating_mul(factor) / WHOLE
    }
}

/// This move's share of a chess clock.
fn share(clock: PlayerClock, overhead: Duration) -> Budget {
    let usable = clock.remaining.saturating_sub(overhead).max(LEAST);
    let moves = clock
        .moves_to_go
        .map_or(MOVES_LEFT, |moves| moves.clamp(1, MOVES_TO_GO_LIMIT));
    // The last move before the control may use nearly all; any other leaves something for the rest.
    let ceiling = if moves == 1 {
        usable / 10 * 9
    } else {
        usable / 5 * 3
    }
    .max(LEAST);
    let soft = (usable / moves)
        .saturating_add(clock.increment / 4 * 3)
        .min(ceiling);
    let hard = soft.saturating_mul(HARD_TO_SOFT).min(ceiling);
    Budget {
        soft: Some(soft),
        hard: Some(hard),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (u128, u128) {
        let clock = PlayerClock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let budget = share(clock, OVERHEAD);
        let millis = |limit: Option<Duration>| limit.expect("a clock sets both limits").as_millis();
        (millis(budget.soft), millis(budget.hard))
    }

    #[test]
    fn the_hard_limit_lies_inside_the_clock_and_the_soft_one_inside_the_hard_one() {
        for remaining in [0, 1, 5, 11, 50, 1_000, 60_000, 7_200_000, u64::MAX / 2] {
            for increment in [0, 10, 1_000, 60_000, u64::MAX / 2] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let (soft, hard) = budget(remaining, increment, moves_to_go);
                    assert!(soft <= hard, "{remaining} + {increment}, {moves_to_go:?}");
                    let usable = u128::from(remaining.saturating_sub(10).max(1));
                    assert!(hard <= usable, "{remaining} + {increment}, {moves_to_go:?}");
                }
            }
        }
    }

    #[test]
    fn a_clock_that_runs_dry_leaves_the_time_that_it_costs_to_move() {
        assert!(budget(5, 0, None) <= (1, 1));
        let (_, hard) = budget(20, 10, None);
        assert!(hard <= 6, "{hard} ms of 20 leaves too little");
    }

    #[test]
    fn the_last_move_before_the_control_may_use_nearly_all() {
        assert_eq!(budget(10_010, 0, Some(1)), (9_000, 9_000));
    }

    #[test]
    fn an_obvious_move_takes_less_time_and_a_falling_score_more() {
        let average = Duration::from_secs(1);
        let obvious = Difficulty {
            stable_iterations: 9,
            best_move_share: 950,
            fall: 0,
        };
        let troubled = Difficulty {
            stable_iterations: 0,
            best_move_share: 300,
            fall: 80,
        };
        assert!(obvious.scaled(average) < average * 3 / 4);
        assert!(troubled.scaled(average) > average * 2);
        assert!(troubled.scaled(average) < average * 4);
        assert_eq!(troubled.scaled(Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn a_move_time_is_undershot_by_the_overhead() {
        let limits = Limits {
            move_time: Some(Duration::from_millis(100)),
            ..Limits::default()
        };
        let clock = Clock::new(&limits, StartSignal::pending(), OVERHEAD);
        assert_eq!(clock.budget.hard, Some(Duration::from_millis(90)));
        assert_eq!(clock.budget.soft, None);
    }

    #[test]
    fn a_pending_clock_never_runs_out_and_starts_once() {
        let limits = Limits {
            move_time: Some(Duration::ZERO),
            ..Limits::default()
        };
        let start = StartSignal::pending();
        let clock = Clock::new(&limits, start.clone(), OVERHEAD);
        assert!(!clock.is_out());
        start.start(Instant::now() - Duration::from_secs(1));
        start.start(Instant::now() + Duration::from_secs(1_000));
        assert!(clock.is_out());
    }
}
