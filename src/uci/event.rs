//! The events of the event loop: input, and what the worker thread reports.
//!
//! They come from two threads through one channel, and the loop handles them in the order in which
//! they arrive.

use std::time::Duration;

use shakmaty::{Chess, Move};

use squarewise_engine::bench::Total;
use squarewise_engine::search::{Progress, SearchResult, Searcher};

/// An event that the event loop handles.
pub enum Event {
    /// Input waits in its queue.
    Input,
    /// Progress of the running job.
    Progress(JobProgress),
    /// The job has ended, and the searcher is free again.
    Done(Box<Searcher>, JobResult),
}

/// What a job reports while it runs.
pub enum JobProgress {
    Search(Progress),
    /// The number of lines that start with one move.
    Perft(Move, u64),
    /// One position of the benchmark: its number, FEN and result.
    Bench(usize, String, SearchResult),
    /// A start position for data generation.
    StartPosition(Box<Chess>),
}

/// How a job ended.
pub enum JobResult {
    /// The best line.
    Search(SearchResult),
    /// The number of lines, and the time that it took to count them.
    Perft(u64, Duration),
    /// The benchmark's total.
    Bench(Total),
    /// Nothing more: what there is to say was progress.
    Finished,
    /// No result, for this reason.
    Failed(String),
}
