//! Time management: how long the search of a move can take.
//!
//! A chess clock yields two limits. After the *soft limit* no new iteration begins, since it would
//! hardly finish; at the *hard limit* the search stops where it is. The soft limit is scaled by the
//! iterations so far: a stable best move that takes most of the nodes needs less time, a falling
//! score more. While the engine ponders, its own clock has not started, and neither limit ends the
//! search. The time spent pondering counts too: if it exceeded the soft limit when the last
//! iteration ended, the ponder hit is answered at once.
//!
//! All numbers are integers, each in the unit that its comment names, and tunable where games can
//! tell what is better; the others keep a clock from running out.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::limits::{Limits, PlayerClock};
use super::tunable::{Parameter, parameters};

parameters! {
    /// The moves over which the remaining time is spread at the first move of a game, when there is
    /// no `movestogo`.
    EXPECTED_MOVES_TO_GO = 34, 10 to 60;
    /// By how many moves that number falls with each move of the game, in tenths: openings need
    /// less time than what follows.
    EXPECTED_MOVES_STEP = 4, 0 to 10;
    /// The fewest moves over which the remaining time is spread.
    EXPECTED_MOVES_MIN = 16, 8 to 40;
    /// Larger values of `movestogo` are clamped to this: the middlegame needs more time than the
    /// endgame.
    MOVES_TO_GO_LIMIT = 40, 20 to 80;
    /// The ratio of the hard limit to the soft limit.
    HARD_LIMIT_FACTOR = 5, 1 to 12;
    /// The part of the increment to spend on a move while the clock is well above its reserve, in
    /// thousandths.
    INCREMENT_SHARE = 750, 300 to 1_000;
    /// The reserve, in milliseconds: time that is left on the clock for a busy machine that sends a
    /// move late. It is laid aside once a game, so it costs little; with a small increment the
    /// clock would otherwise run down to a few dozen milliseconds, and one late move would lose the
    /// game.
    RESERVE = 50, 0 to 200;
    /// Best-move stability: the factor of the soft limit, in thousandths, after an iteration with a
    /// new best move.
    STABILITY_BASE = 1_550, 1_000 to 2_500;
    /// Best-move stability: what each further iteration with the same best move takes off the
    /// factor, in thousandths.
    STABILITY_STEP = 75, 20 to 150;
    /// Node share: the factor is proportional to the difference between this and the best move's
    /// share of the nodes, in thousandths.
    NODE_SHARE_BASE = 1_500, 1_000 to 2_500;
    /// Node share: the factor for a difference of 1,000, in thousandths.
    NODE_SHARE_FACTOR = 1_350, 500 to 3_000;
    /// Score trend: the time that each centipawn of a falling score adds, in thousandths.
    FALL_FACTOR = 8, 0 to 16;
    /// Score trend: the most centipawns by which a rising score counts.
    RISE_LIMIT = 20, 0 to 60;
    /// Score trend: the most centipawns by which a falling score counts.
    FALL_LIMIT = 60, 20 to 150;
}

/// Best-move stability: at most this many iterations count. (The first six take almost no time.)
const STABILITY_ITERATIONS: u32 = 10;

/// At most this part of a short clock is kept as a reserve, in thirds. With an increment of a few
/// milliseconds every move costs more than it brings, and a smaller reserve would melt away with
/// the clock.
const RESERVE_THIRDS: u32 = 2;

/// The most of a clock, in tenths, that the last move before the time control can take.
const LAST_MOVE_TENTHS: u32 = 9;

/// The most of a clock, in tenths, that any other move can take: it leaves time for the rest.
const MOVE_TENTHS: u32 = 6;

/// The moves to come whose overhead is laid aside when there is no `movestogo`: more than the time
/// is spread over, since a game without an increment can be long.
const MOVES_OF_OVERHEAD: u32 = 50;

/// At most this part of the clock is laid aside for the overhead of later moves, in fifths.
const OVERHEAD_FIFTHS: u32 = 4;

/// The shortest soft limit for which helper threads are woken. In less time they find next to
/// nothing, but the move must wait until the last of them has stopped: on a machine with more
/// threads at work than cores that takes several milliseconds, which are lost in every move and can
/// be more than the increment.
const MIN_TIME_FOR_HELPERS: Duration = Duration::from_millis(6);

/// A helper thread beyond the processor cores is woken only if the move has this much more time: to
/// wake and to stop all of a thousand threads takes two cores a second or more.
const TIME_FOR_CROWDED_HELPER: Duration = Duration::from_millis(2);

/// The shortest hard limit of a move, even with an empty clock.
const MIN_MOVE_TIME: Duration = Duration::from_millis(1);

/// The moment from which the time limits count: set at once or, when pondering, on the ponder hit.
/// Clones share it.
#[derive(Clone, Debug, Default)]
pub struct StartSignal(Arc<OnceLock<Instant>>);

impl StartSignal {
    /// A signal that is given later, or never.
    pub fn pending() -> StartSignal {
        StartSignal::default()
    }

    /// A signal that was given at `instant`.
    pub fn at(instant: Instant) -> StartSignal {
        let signal = StartSignal::pending();
        signal.start(instant);
        signal
    }

    /// Gives the signal; only the first call counts.
    pub fn start(&self, instant: Instant) {
        // An error means that it was given before.
        let _ = self.0.set(instant);
    }

    fn elapsed(&self) -> Option<Duration> {
        self.0.get().map(Instant::elapsed)
    }
}

/// The time manager: decides when a search has used up its time.
#[derive(Clone, Debug)]
pub(super) struct TimeManager {
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
    /// The time manager of a search under these limits. `overhead` is the time lost with every move
    /// outside the engine, `move_number` the number of the move in its game, from 1 on.
    pub(super) fn new(
        limits: &Limits,
        start: StartSignal,
        overhead: Duration,
        move_number: u32,
    ) -> TimeManager {
        let mut budget = limits.clock.map_or(TimeBudget::default(), |clock| {
            time_budget(clock, overhead, move_number)
        });
        if let Some(move_time) = limits.move_time {
            let usable = move_time.saturating_sub(overhead).max(MIN_MOVE_TIME);
            budget.hard = Some(budget.hard.map_or(usable, |hard| hard.min(usable)));
        }
        TimeManager { start, budget }
    }

    /// Whether the search must stop where it is.
    pub(super) fn hard_limit_reached(&self) -> bool {
        self.is_past(self.budget.hard)
    }

    /// Whether it is too late to begin another iteration: the search, which was requested
    /// `since_asked` ago, has had the time of its move, on its own clock or, while it ponders, on
    /// the opponent's (as in Stockfish).
    pub(super) fn soft_limit_reached(&self, scaling: TimeScaling, since_asked: Duration) -> bool {
        let soft = self.budget.soft.map(|soft| scaling.apply(soft));
        self.is_past(soft) || soft.is_some_and(|soft| since_asked >= soft)
    }

    /// How many of this many helper threads are worth waking: those with a free core, and as many
    /// more as the time for the move allows; none on a clock that leaves it less than
    /// [`MIN_TIME_FOR_HELPERS`].
    pub(super) fn useful_helpers(&self, helpers: usize, free_cores: usize) -> usize {
        let is_short = |soft| soft < MIN_TIME_FOR_HELPERS;
        if self.is_on_clock() && self.budget.soft.is_some_and(is_short) {
            return 0;
        }
        let time = self.budget.soft.or(self.budget.hard);
        time.map_or(helpers, |time| {
            let crowded = time.as_micros() / TIME_FOR_CROWDED_HELPER.as_micros();
            helpers.min(free_cores.saturating_add(usize::try_from(crowded).unwrap_or(usize::MAX)))
        })
    }

    /// Whether the move has a limit of time, of a clock or its own, that has begun to run.
    pub(super) fn is_timed(&self) -> bool {
        self.budget.hard.is_some() && self.start.elapsed().is_some()
    }

    /// Whether the move is played on a running chess clock, so that time saved now can be spent
    /// later.
    pub(super) fn is_on_clock(&self) -> bool {
        self.budget.soft.is_some() && self.start.elapsed().is_some()
    }

    fn is_past(&self, limit: Option<Duration>) -> bool {
        match (limit, self.start.elapsed()) {
            (Some(limit), Some(elapsed)) => elapsed >= limit,
            _ => false,
        }
    }
}

/// The unit of shares and factors: thousandths.
const THOUSAND: u32 = 1_000;

/// Time scaling: the facts about the iterations so far that decide how much time the move needs,
/// that is best-move stability, the node share of the best move, and the score trend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TimeScaling {
    /// Iterations in a row, after the first, that ended with the same best move.
    pub(super) stable_iterations: u32,
    /// The share of the best move in the nodes of all iterations, in thousandths.
    pub(super) best_move_share: u32,
    /// By how many centipawns the score fell with the last iteration.
    pub(super) fall: i32,
}

impl TimeScaling {
    /// The soft limit of this move; `time` is the soft limit of an average move.
    fn apply(self, time: Duration) -> Duration {
        let steps = self.stable_iterations.min(STABILITY_ITERATIONS);
        let stability = unsigned(&STABILITY_BASE).saturating_sub(steps * unsigned(&STABILITY_STEP));
        let other_moves = unsigned(&NODE_SHARE_BASE) - self.best_move_share.min(THOUSAND);
        let share = other_moves * unsigned(&NODE_SHARE_FACTOR) / THOUSAND;
        let fall = self.fall.clamp(-RISE_LIMIT.get(), FALL_LIMIT.get()) * FALL_FACTOR.get();
        let fall = THOUSAND.saturating_add_signed(fall);
        let factor = stability * share / THOUSAND * fall / THOUSAND;
        time.saturating_mul(factor) / THOUSAND
    }
}

/// The value of a parameter that is never negative.
fn unsigned(parameter: &Parameter) -> u32 {
    parameter.get().unsigned_abs()
}

/// The reserve of a clock that is not short.
fn full_reserve() -> Duration {
    Duration::from_millis(unsigned(&RESERVE).into())
}

/// The limits of a move on a chess clock.
fn time_budget(clock: PlayerClock, overhead: Duration, move_number: u32) -> TimeBudget {
    let reserve = full_reserve().min(clock.remaining / 3 * RESERVE_THIRDS);
    let usable = clock
        .remaining
        .saturating_sub(overhead)
        .saturating_sub(reserve)
        .saturating_sub(overhead_of_later_moves(clock, overhead))
        .max(MIN_MOVE_TIME);
    let moves = match clock.moves_to_go {
        Some(moves) => moves.clamp(1, unsigned(&MOVES_TO_GO_LIMIT)),
        None => expected_moves_to_go(move_number),
    };
    let tenths = if moves == 1 {
        LAST_MOVE_TENTHS
    } else {
        MOVE_TENTHS
    };
    let ceiling = (usable / 10 * tenths).max(MIN_MOVE_TIME);
    let soft = (usable / moves)
        .saturating_add(usable_increment(clock.increment, usable, reserve))
        .min(ceiling);
    let hard = soft
        .saturating_mul(unsigned(&HARD_LIMIT_FACTOR))
        .clamp(MIN_MOVE_TIME, ceiling);
    TimeBudget {
        soft: Some(soft),
        hard: Some(hard),
    }
}

/// What the moves to come lose by their overhead beyond what the increment gives back: without an
/// increment each of them takes it from the clock (as in Stockfish).
fn overhead_of_later_moves(clock: PlayerClock, overhead: Duration) -> Duration {
    let later = clock.moves_to_go.map_or(MOVES_OF_OVERHEAD, |moves| {
        moves.clamp(1, unsigned(&MOVES_TO_GO_LIMIT)) - 1
    });
    overhead
        .saturating_sub(clock.increment)
        .saturating_mul(later)
        .min(clock.remaining / 5 * OVERHEAD_FIFTHS)
}

/// The moves over which to spread the time that remains without a `movestogo`.
fn expected_moves_to_go(move_number: u32) -> u32 {
    let played = move_number.saturating_sub(1);
    let fall = played.saturating_mul(unsigned(&EXPECTED_MOVES_STEP)) / 10;
    unsigned(&EXPECTED_MOVES_TO_GO)
        .saturating_sub(fall)
        .max(unsigned(&EXPECTED_MOVES_MIN))
}

/// The part of the increment to spend on a move. It shrinks as the clock comes near its reserve:
/// the clock then recovers even if every move loses some milliseconds, and doesn't run down to the
/// increment.
fn usable_increment(increment: Duration, usable: Duration, reserve: Duration) -> Duration {
    let share = usable.as_millis() * u128::from(THOUSAND) / (usable + reserve).as_millis().max(1);
    increment / THOUSAND * unsigned(&INCREMENT_SHARE) / THOUSAND * share as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);

    /// The soft and the hard limit of a move in the middle of a game, in milliseconds.
    fn budget(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> (u128, u128) {
        budget_of_move(40, remaining, increment, moves_to_go)
    }

    fn budget_of_move(
        move_number: u32,
        remaining: u64,
        increment: u64,
        moves_to_go: Option<u32>,
    ) -> (u128, u128) {
        let clock = PlayerClock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
            moves_to_go,
        };
        let budget = time_budget(clock, OVERHEAD, move_number);
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
    fn a_nearly_empty_clock_leaves_time_to_send_the_move() {
        for remaining in [0, 1, 5] {
            let (soft, hard) = budget(remaining, 0, None);
            assert!(
                soft <= 1 && hard == 1,
                "{soft} and {hard} ms of {remaining}"
            );
        }
        let (_, hard) = budget(20, 10, None);
        assert!(hard <= 6, "{hard} ms of 20 leaves too little");
    }

    #[test]
    fn the_last_move_before_the_time_control_can_use_nearly_all() {
        assert_eq!(budget(10_060, 0, Some(1)), (9_000, 9_000));
    }

    #[test]
    fn a_short_clock_keeps_a_reserve_for_a_late_move() {
        // At 1+0.01 the clock settles where an average move takes the increment.
        let settled = (10..1_000).find(|&remaining| budget(remaining, 10, None).0 >= 10);
        assert!(
            settled.is_some_and(|remaining| remaining >= 100),
            "{settled:?}"
        );
        for remaining in [60, 90, 120, 200] {
            let (_, hard) = budget(remaining, 10, None);
            let left = u128::from(remaining) - hard;
            assert!(
                left >= u128::from(remaining) * 6 / 10,
                "{left} ms of {remaining}"
            );
        }
    }

    #[test]
    fn a_tiny_increment_does_not_melt_the_reserve() {
        // 0.2+0.002, where every move loses as much time on its way as the increment brings.
        let mut remaining = Duration::from_millis(200);
        for move_number in 1..=60 {
            let clock = PlayerClock {
                remaining,
                increment: Duration::from_millis(2),
                moves_to_go: None,
            };
            let budget = time_budget(clock, OVERHEAD, move_number);
            remaining -= budget.soft.expect("a clock");
        }
        assert!(remaining >= full_reserve(), "{remaining:?} after 60 moves");
    }

    #[test]
    fn the_part_of_the_clock_for_a_move_grows_with_its_number() {
        let soft = |number| budget_of_move(number, 60_560, 0, None).0;
        let expected = [1_764, 2_307, 3_333, 3_750, 3_750];
        assert_eq!([1, 21, 41, 61, u32::MAX].map(soft), expected);
        assert_eq!(
            budget_of_move(1, 60_060, 0, Some(30)),
            budget(60_060, 0, Some(30))
        );
    }

    #[test]
    fn a_clock_without_increment_lasts_in_spite_of_the_overhead_of_its_moves() {
        /// The moves for which a clock lasts if each loses its overhead and the soft limit.
        fn moves_made(mut remaining: u64, increment: u64, overhead: u64) -> u32 {
            for number in 1..200 {
                let clock = PlayerClock {
                    remaining: Duration::from_millis(remaining),
                    increment: Duration::from_millis(increment),
                    moves_to_go: None,
                };
                let soft = time_budget(clock, Duration::from_millis(overhead), number).soft;
                let spent = soft.expect("a clock sets both limits").as_millis() as u64 + overhead;
                if spent >= remaining {
                    return number - 1;
                }
                remaining = remaining - spent + increment;
            }
            200
        }
        assert!(moves_made(60_000, 0, 100) > 100);
        assert!(moves_made(180_000, 0, 100) > 120);
        assert_eq!(moves_made(60_000, 1_000, 100), 200);
    }

    #[test]
    fn a_clock_near_its_reserve_recovers_and_wakes_no_helpers() {
        for remaining in [20, 40, 60] {
            let (soft, _) = budget(remaining, 10, None);
            assert!(soft <= 6, "{soft} ms of {remaining}");
        }
        let helpers = |remaining| {
            let player = PlayerClock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(10),
                moves_to_go: None,
            };
            let limits = Limits {
                clock: Some(player),
                ..Limits::default()
            };
            let start = StartSignal::at(Instant::now());
            TimeManager::new(&limits, start, OVERHEAD, 1).useful_helpers(1, 1)
        };
        assert_eq!(helpers(200), 1);
        assert_eq!(helpers(50), 0);
        let analysis = TimeManager::new(&Limits::default(), StartSignal::pending(), OVERHEAD, 1);
        assert_eq!(analysis.useful_helpers(1_023, 1), 1_023);
    }

    #[test]
    fn a_short_move_wakes_few_helpers_beyond_the_cores() {
        let limits = Limits {
            move_time: Some(Duration::from_millis(50)),
            ..Limits::default()
        };
        let time = TimeManager::new(&limits, StartSignal::at(Instant::now()), OVERHEAD, 1);
        assert_eq!(time.useful_helpers(1_023, 1), 21);
        assert_eq!(time.useful_helpers(1_023, 127), 147);
        assert_eq!(time.useful_helpers(7, 7), 7);
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
    fn each_fact_alone_moves_the_soft_limit_and_only_so_far() {
        let usual = TimeScaling {
            stable_iterations: 5,
            best_move_share: 600,
            fall: 0,
        };
        let soft = |scaling: TimeScaling| scaling.apply(Duration::from_secs(1));
        let stable = |stable_iterations| {
            soft(TimeScaling {
                stable_iterations,
                ..usual
            })
        };
        let share = |best_move_share| {
            soft(TimeScaling {
                best_move_share,
                ..usual
            })
        };
        let fall = |fall| soft(TimeScaling { fall, ..usual });
        assert!(stable(6) < soft(usual) && stable(4) > soft(usual));
        assert!(share(700) < soft(usual) && share(500) > soft(usual));
        assert!(fall(-10) < soft(usual) && fall(10) > soft(usual));
        let longest = STABILITY_ITERATIONS;
        assert_eq!(stable(longest), stable(longest + 1));
        assert_eq!(share(1_000), share(1_001));
        assert_eq!(fall(FALL_LIMIT.get()), fall(FALL_LIMIT.get() + 1));
        assert_eq!(fall(-RISE_LIMIT.get()), fall(-RISE_LIMIT.get() - 1));
    }

    #[test]
    fn a_move_time_is_undershot_by_the_overhead() {
        let limits = Limits {
            move_time: Some(Duration::from_millis(100)),
            ..Limits::default()
        };
        let time = TimeManager::new(&limits, StartSignal::pending(), OVERHEAD, 1);
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
        let time = TimeManager::new(&limits, start.clone(), OVERHEAD, 1);
        assert!(!time.hard_limit_reached());
        start.start(Instant::now() - Duration::from_secs(1));
        start.start(Instant::now() + Duration::from_secs(1_000));
        assert!(time.hard_limit_reached());
    }
}
