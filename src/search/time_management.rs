//! Time management: how long a move may take.
//!
//! Two limits come out of a chess clock. Past the *soft limit* no new iteration begins, since it would
//! hardly finish; at the *hard limit* the search breaks off where it stands. The soft limit is scaled by
//! what the iterations so far say of the position: a stable best move that takes most of the nodes needs
//! less time, a falling score more. While the engine ponders on the opponent's time its own clock has not
//! started, and neither limit counts.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::limits::{Limits, PlayerClock};

/// The moves over which the remaining time is spread when there is no `movestogo`.
const EXPECTED_MOVES_TO_GO: u32 = 24;

/// `movestogo` beyond this is treated as this: the middle game deserves the time.
const MOVES_TO_GO_LIMIT: u32 = 40;

/// How often the soft limit fits into the hard limit.
const HARD_LIMIT_FACTOR: u32 = 4;

/// The time that a move gets at least, however empty the clock.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

/// The moment from which the time limits count: known at once or, when pondering, on the ponder hit. Clones
/// share it.
#[derive(Clone, Debug, Default)]
pub struct StartSignal(Arc<OnceLock<Instant>>);

impl StartSignal {
    /// A clock that starts later, or never.
    pub fn pending() -> StartSignal {
        StartSignal::default()
    }

    /// A clock that has run since `instant`.
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

/// Decides when a search has used up its time.
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: StartSignal,
    budget: TimeBudget,
}

/// The limits of one move; `None` is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct TimeBudget {
    soft: Option<Duration>,
    hard: Option<Duration>,
}

impl TimeManager {
    /// The time manager of a search under these limits. `overhead` is the time lost with every move between
    /// our clock and the arbiter's.
    pub fn new(limits: &Limits, start: StartSignal, overhead: Duration) -> TimeManager {
        let mut budget = limits
            .clock
            .map_or(TimeBudget::default(), |clock| allot(clock, overhead));
        if let Some(move_time) = limits.move_time {
            let usable = move_time.saturating_sub(overhead).max(MIN_MOVE_TIME);
            budget.hard = Some(budget.hard.map_or(usable, |hard| hard.min(usable)));
        }
        TimeManager { start, budget }
    }

    /// Whether the search must stop where it stands.
    pub fn hard_limit_reached(&self) -> bool {
        self.is_past(self.budget.hard)
    }

    /// Whether it is too late to begin another iteration.
    pub fn soft_limit_reached(&self, scaling: TimeScaling) -> bool {
        let soft = self.budget.soft.map(|soft| scaling.apply(soft));
        self.is_past(soft) || self.hard_limit_reached()
    }

    /// Whether the move is played on a running chess clock, so that time saved now can be spent later.
    pub fn is_on_clock(&self) -> bool {
        self.budget.soft.is_some() && self.start.elapsed().is_some()
    }

    fn is_past(&self, limit: Option<Duration>) -> bool {
        match (limit, self.start.elapsed()) {
            (Some(limit), Some(elapsed)) => elapsed >= limit,
            _ => false,
        }
    }
}

/// Shares and factors are counted in thousandths.
const WHOLE: u32 = 1_000;

/// The factor of the soft limit after so many iterations in a row with the same best move.
const STABILITY_FACTORS: [u32; 5] = [1_600, 1_250, 1_050, 950, 850];
/// With this share of the nodes spent on the best move there is nothing left to think about...
const NODE_SHARE_BASE: u32 = 1_500;
/// ...and each thousandth less of it adds so much time, in thousandths.
const NODE_SHARE_FACTOR: u32 = 1_350;
/// The time that a centipawn of falling score adds, in thousandths.
const FALL_FACTOR: i32 = 8;
/// Beyond these a rise or fall of the score changes nothing more, in centipawns.
const RISE_LIMIT: i32 = 20;
const FALL_LIMIT: i32 = 60;

/// What the iterations so far say of how much time the move needs: best-move stability, node share of the best
/// move, and the trend of the score.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeScaling {
    /// Iterations in a row, after the first, that ended with the same best move.
    pub stable_iterations: usize,
    /// The share of the last iteration's nodes that was spent on the best move, in thousandths.
    pub best_move_share: u32,
    /// By how many centipawns the score fell with the last iteration.
    pub fall: i32,
}

impl TimeScaling {
    /// The soft limit of this move, where `time` is that of an average one.
    fn apply(self, time: Duration) -> Duration {
        let stability = STABILITY_FACTORS[self.stable_iterations.min(STABILITY_FACTORS.len() - 1)];
        let share = (NODE_SHARE_BASE - self.best_move_share.min(WHOLE)) * NODE_SHARE_FACTOR / WHOLE;
        let fall = self.fall.clamp(-RISE_LIMIT, FALL_LIMIT) * FALL_FACTOR;
        let fall = WHOLE.saturating_add_signed(fall);
        let factor = stability * share / WHOLE * fall / WHOLE;
        time.saturating_mul(factor) / WHOLE
    }
}

/// Allots this move its share of a chess clock.
fn allot(clock: PlayerClock, overhead: Duration) -> TimeBudget {
    let usable = clock.remaining.saturating_sub(overhead).max(MIN_MOVE_TIME);
    let moves = clock.moves_to_go.map_or(EXPECTED_MOVES_TO_GO, |moves| {
        moves.clamp(1, MOVES_TO_GO_LIMIT)
    });
    // The last move before the control may use nearly all; any other leaves something for the rest.
    let ceiling = if moves == 1 {
        usable / 10 * 9
    } else {
        usable / 5 * 3
    }
    .max(MIN_MOVE_TIME);
    let soft = (usable / moves)
        .saturating_add(clock.increment / 4 * 3)
        .min(ceiling);
    let hard = soft.saturating_mul(HARD_LIMIT_FACTOR).min(ceiling);
    TimeBudget {
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
        let budget = allot(clock, OVERHEAD);
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
        let obvious = TimeScaling {
            stable_iterations: 9,
            best_move_share: 950,
            fall: 0,
        };
        let troubled = TimeScaling {
            stable_iterations: 0,
            best_move_share: 300,
            fall: 80,
        };
        assert!(obvious.apply(average) < average * 3 / 4);
        assert!(troubled.apply(average) > average * 2);
        assert!(troubled.apply(average) < average * 4);
        assert_eq!(troubled.apply(Duration::ZERO), Duration::ZERO);
    }

    #[test]
    fn a_move_time_is_undershot_by_the_overhead() {
        let limits = Limits {
            move_time: Some(Duration::from_millis(100)),
            ..Limits::default()
        };
        let time = TimeManager::new(&limits, StartSignal::pending(), OVERHEAD);
        assert_eq!(time.budget.hard, Some(Duration::from_millis(90)));
        assert_eq!(time.budget.soft, None);
    }

    #[test]
    fn a_pending_clock_never_runs_out_and_starts_once() {
        let limits = Limits {
            move_time: Some(Duration::ZERO),
            ..Limits::default()
        };
        let start = StartSignal::pending();
        let time = TimeManager::new(&limits, start.clone(), OVERHEAD);
        assert!(!time.hard_limit_reached());
        start.start(Instant::now() - Duration::from_secs(1));
        start.start(Instant::now() + Duration::from_secs(1_000));
        assert!(time.hard_limit_reached());
    }
}
