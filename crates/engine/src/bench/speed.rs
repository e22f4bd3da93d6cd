//! The speed benchmark: how many nodes a second this processor searches, on one thread and on
//! several.
//!
//! The fixed positions of the benchmark are searched for the same time each, first on one thread,
//! then on more. The result is given in thousands of nodes a second and as a relative speed, as
//! Fritz' benchmark gives it: 1.0 is 480 thousand nodes a second, which a Pentium III with 1 GHz
//! reached in that program. Nodes of different programs are not the same amount of work, so the
//! relative speed compares processors only if they run the same program.

use std::time::Duration;

use super::{POSITIONS, game};
use crate::search::limits::Limits;
use crate::search::stop::StopToken;
use crate::search::{SearchOptions, SearchRequest, Searcher, SearcherError};

/// The nodes a second of relative speed 1.0.
pub const RELATIVE_SPEED_ONE: u64 = 480_000;

/// What was measured on a number of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// The number of search threads.
    pub threads: usize,
    /// The nodes of all threads together.
    pub nodes: u64,
    /// The time that the searches took.
    pub time: Duration,
    /// Whether all positions were searched; otherwise it was stopped before.
    pub is_complete: bool,
}

impl Measurement {
    /// The nodes a second of all threads together.
    pub fn nodes_per_second(&self) -> u64 {
        crate::search::nodes_per_second(self.nodes, self.time)
    }

    /// The relative speed of all threads together.
    pub fn relative_speed(&self) -> f64 {
        self.nodes_per_second() as f64 / RELATIVE_SPEED_ONE as f64
    }

    /// How many times as fast it is as another measurement.
    pub fn speed_up(&self, other: &Measurement) -> f64 {
        self.nodes_per_second() as f64 / other.nodes_per_second().max(1) as f64
    }
}

/// The numbers of threads to measure, up to `max`: each up to eight, then the powers of two and
/// `max` itself.
pub fn thread_counts(max: usize) -> Vec<usize> {
    let counts = 1..=max;
    counts
        .filter(|count| *count <= 8 || count.is_power_of_two() || *count == max)
        .collect()
}

/// Measures the speed on `threads` threads in about `time`, with a transposition table of `hash`
/// MiB that is emptied before each position. Calls `on_position` after each position. Raising
/// `stop` ends it early.
///
/// # Errors
///
/// [`SearcherError`] if there is no memory for the transposition table, or the threads can't be
/// started.
pub fn measure(
    threads: usize,
    time: Duration,
    hash: usize,
    stop: &StopToken,
    on_position: &mut dyn FnMut(),
) -> Result<Measurement, SearcherError> {
    let mut searcher = Searcher::with_threads(hash, threads)?;
    let mut measurement = Measurement {
        threads,
        nodes: 0,
        time: Duration::ZERO,
        is_complete: false,
    };
    for fen in POSITIONS {
        searcher.new_game();
        let limits = Limits {
            move_time: Some(time / POSITIONS.len() as u32),
            ..Limits::default()
        };
        let request = SearchRequest {
            stop: stop.clone(),
            options: SearchOptions {
                move_overhead: Duration::ZERO,
                ..SearchOptions::default()
            },
            ..SearchRequest::new(limits)
        };
        let info = searcher.search(&game(fen), request, &mut |_| ()).info;
        measurement.nodes += info.nodes;
        measurement.time += info.time;
        if stop.is_requested() {
            return Ok(measurement);
        }
        on_position();
    }
    measurement.is_complete = true;
    Ok(measurement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_threads_are_all_measured_and_many_by_powers_of_two() {
        assert_eq!(thread_counts(1), [1]);
        assert_eq!(thread_counts(3), [1, 2, 3]);
        assert_eq!(thread_counts(24), [1, 2, 3, 4, 5, 6, 7, 8, 16, 24]);
    }

    #[test]
    fn speeds_are_told_by_nodes_and_time() {
        let measurement = |threads, nodes| Measurement {
            threads,
            nodes,
            time: Duration::from_millis(500),
            is_complete: true,
        };
        let (one, two) = (measurement(1, 480_000), measurement(2, 720_000));
        assert_eq!(one.nodes_per_second(), 960_000);
        assert_eq!(one.relative_speed(), 2.0);
        assert_eq!(two.speed_up(&one), 1.5);
        assert_eq!(two.speed_up(&measurement(1, 0)), 1_440_000.0);
    }

    #[test]
    fn a_measurement_that_is_stopped_keeps_what_it_has() {
        let stop = StopToken::new();
        let stopped_by = stop.clone();
        let mut positions = 0;
        let mut on_position = || {
            positions += 1;
            if positions == 2 {
                stopped_by.request();
            }
        };
        let time = Duration::from_millis(400);
        let measured = measure(1, time, 1, &stop, &mut on_position).expect("memory and a thread");
        assert!(measured.nodes > 0 && !measured.is_complete);
        assert_eq!(positions, 2);
    }
}
