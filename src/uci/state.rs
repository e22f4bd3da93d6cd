//! The state of the engine between two events: which job runs, and what its answer must wait for.
//!
//! A search that has ended can still owe its `bestmove`, because `go infinite` and `go ponder` hold
//! it back.

use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::time_management::StartSignal;
use squarewise_engine::search::{Fallback, SearchResult};

/// The state of the engine.
pub(super) enum State {
    /// Nothing.
    Idle,
    /// The worker runs a job, and has the searcher.
    Running(RunningJob),
    /// A search has ended, but its answer must wait for `stop` or `ponderhit`.
    AwaitingStop(SearchResult, Wait),
}

impl State {
    /// Whether a job other than a search is running.
    pub(super) fn is_other_job(&self) -> bool {
        matches!(self, State::Running(job) if matches!(job.kind, Kind::Other))
    }
}

pub(super) struct RunningJob {
    pub(super) stop: StopToken,
    /// Whether it ends by itself before long, and may do so after the end of the input.
    pub(super) ends_by_itself: bool,
    pub(super) kind: Kind,
}

impl RunningJob {
    pub(super) fn other(stop: StopToken, ends_by_itself: bool) -> RunningJob {
        RunningJob {
            stop,
            ends_by_itself,
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
    /// Perft, the benchmark, or start positions. It ends by itself, however late.
    Other,
}

/// What an answer must wait for even if the search has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Wait {
    /// For `ponderhit` or `stop`.
    pub(super) pondering: bool,
    /// For `stop`.
    pub(super) infinite: bool,
}

impl Wait {
    pub(super) fn is_over(self) -> bool {
        self == Wait::default()
    }
}
