//! When a search ends, and what it has found by then.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::game::{MAX_PLY, Score};

/// When a search ends. It ends when the first of its limits is reached.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The last iteration.
    pub depth: i32,
    /// How many moves may be made.
    pub nodes: u64,
    /// How long the search may take.
    pub time: Option<Duration>,
    /// Ends the search from another thread.
    pub stop: Arc<AtomicBool>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: MAX_PLY as i32 - 1,
            nodes: u64::MAX,
            time: None,
            stop: Arc::default(),
        }
    }
}

/// What an iteration has found.
#[derive(Clone, Debug)]
pub struct Found<M> {
    /// How many plies deep it looked.
    pub depth: i32,
    /// The score for the side to move.
    pub score: Score,
    /// The *principal variation*: the best moves of both sides, beginning with the move to play.
    pub pv: Vec<M>,
    /// How many moves were made so far.
    pub nodes: u64,
    /// How long the search has taken so far.
    pub time: Duration,
}

impl<M: Copy> Found<M> {
    /// The same with the best line of the moves that an unfinished iteration has searched. The
    /// first of them was the best before, so that another one can only be better.
    pub(crate) fn improved(mut self, pv: &[M]) -> Found<M> {
        if !pv.is_empty() {
            self.pv = pv.to_vec();
        }
        self
    }
}

/// The search was ended in the midst of an iteration: the node has no score.
pub(crate) struct Stopped;

/// The clock and the node count of one search.
pub(crate) struct Clock {
    limits: Limits,
    begin: Instant,
    nodes: u64,
    /// The first iteration is never ended, since without it there is no move to play.
    has_found_a_move: bool,
}

impl Clock {
    /// Starts the clock.
    pub(crate) fn new(limits: Limits) -> Clock {
        Clock {
            limits,
            begin: Instant::now(),
            nodes: 0,
            has_found_a_move: false,
        }
    }

    /// Counts a move that is about to be made, and looks at the limits.
    pub(crate) fn count_node(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        let looks_at_clock = self.nodes.is_multiple_of(1024);
        let is_late = |limit| looks_at_clock && self.begin.elapsed() >= limit;
        let must_stop = self.nodes > self.limits.nodes
            || self.limits.time.is_some_and(is_late)
            || looks_at_clock && self.limits.stop.load(Ordering::Relaxed);
        if must_stop && self.has_found_a_move {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Ends an iteration: from now on a limit can stop the search. Returns what the iteration
    /// found.
    pub(crate) fn end_iteration<M: Copy>(
        &mut self,
        depth: i32,
        score: Score,
        pv: &[M],
    ) -> Found<M> {
        self.has_found_a_move = true;
        Found {
            depth,
            score,
            pv: pv.to_vec(),
            nodes: self.nodes,
            time: self.begin.elapsed(),
        }
    }
}
