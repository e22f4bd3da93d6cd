//! The state of the engine between two events: what runs, and what its answer waits for.

use crate::search::stop::StopToken;
use crate::search::time_management::StartSignal;
use crate::search::{Fallback, SearchResult};

/// What the engine does at the moment.
pub(super) enum State {
    /// Nothing.
    Idle,
    /// The worker runs a job, and has the searcher.
    Running(RunningJob),
    /// A search has ended, but its answer must wait for `stop` or `ponderhit`.
    AwaitingStop(SearchResult, Wait),
}

pub(super) struct RunningJob {
    pub(super) stop: StopToken,
    /// Whether its end is near enough to wait for it after the end of the input.
    pub(super) is_bounded: bool,
    pub(super) kind: Kind,
}

impl RunningJob {
    pub(super) fn other(stop: StopToken, is_bounded: bool) -> RunningJob {
        RunningJob {
            stop,
            is_bounded,
            kind: Kind::Other,
        }
    }
}

pub(super) enum Kind {
    /// A search, which owes a `bestmove`.
    Search {
        start: StartSignal,
        wait: Wait,
        /// The answer if the search fails.
        fallback: Fallback,
    },
    /// Perft or the benchmark.
    Other,
}

/// What an answer must wait for, even if it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wait {
    /// For `ponderhit` or `stop`.
    pub(super) pondering: bool,
    /// For `stop`.
    pub(super) infinite: bool,
}

impl Wait {
    pub(super) fn is_over(self) -> bool {
        !self.pondering && !self.infinite
    }
}
