//! What the event loop waits for: lines of input, and what the worker thread reports.

use std::time::{Duration, Instant};

use shakmaty::Move;

use crate::bench::Total;
use crate::search::{Progress, SearchResult, Searcher};

/// What the loop waits for.
pub enum Event {
    /// A line of input, and when it was read.
    Line(String, Instant),
    /// The end of the input.
    EndOfInput,
    /// Progress of the job that runs.
    Progress(JobProgress),
    /// The job has ended, and the searcher is free again.
    Done(Box<Searcher>, JobResult),
}

/// What a job reports while it runs.
pub enum JobProgress {
    /// A search's progress.
    Search(Progress),
    /// The number of lines that start with one move.
    Perft(Move, u64),
    /// One position of the benchmark: its number, FEN and result.
    Bench(usize, String, SearchResult),
}

/// How a job ended.
pub enum JobResult {
    /// The best line.
    Search(SearchResult),
    /// The number of lines, and the time that it took to count them.
    Perft(u64, Duration),
    /// The benchmark's total.
    Bench(Total),
    /// No result, for this reason.
    Failed(String),
}
