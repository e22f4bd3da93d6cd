//! The worker thread, which runs searches and other jobs so that the main thread never has to wait.
//!
//! It lives as long as the engine. Each job comes with the searcher, and the searcher goes back with the
//! job's result, so no transposition table can be resized while a search reads it. A panic in a job is
//! caught and logged here and becomes a [`JobResult::Failed`]: the engine lives on.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Instant;

use shakmaty::Chess;

use super::event::{Event, JobProgress, JobResult};
use crate::bench;
use crate::genfens::{self, Plan};
use crate::position::perft;
use crate::search::injected_panic::{SearchThread, panic_if_asked};
use crate::search::spawning::ThreadRoom;
use crate::search::stop::StopToken;
use crate::search::{Progress, SearchRequest, SearchResult, Searcher};

/// A job: work that takes time.
pub enum Job {
    /// Search for the best move.
    Search {
        request: Box<SearchRequest>,
        /// Whether what was learned before is to be forgotten. That takes a while with a large table.
        is_new_game: bool,
    },
    /// Count the lines of `depth` plies.
    Perft {
        position: Chess,
        depth: u32,
        stop: StopToken,
    },
    /// Run the benchmark.
    Bench { stop: StopToken },
    /// Make start positions for data generation.
    Genfens { plan: Plan, stop: StopToken },
}

/// The main thread's handle to the worker thread.
pub struct Worker {
    jobs: Sender<(Searcher, Job)>,
}

impl Worker {
    /// Starts the thread, for which there is room. Progress and results go to `events`.
    ///
    /// # Errors
    ///
    /// If the operating system can't start a thread.
    pub fn start(events: Sender<Event>, room: &mut ThreadRoom) -> io::Result<Worker> {
        let (jobs, received) = channel();
        room.start("worker", move || run_jobs(&received, &events))?;
        Ok(Worker { jobs })
    }

    /// Sends the thread its next job, and the searcher for it.
    ///
    /// # Errors
    ///
    /// If the thread has ended, which no job can cause.
    pub fn start_job(&self, searcher: Searcher, job: Job) -> io::Result<()> {
        let ended = |_| io::Error::other("the worker has ended");
        self.jobs.send((searcher, job)).map_err(ended)
    }
}

fn run_jobs(jobs: &Receiver<(Searcher, Job)>, events: &Sender<Event>) {
    while let Ok((mut searcher, job)) = jobs.recv() {
        let result = catch_panic(|| run_job(&mut searcher, job, events));
        let result = result.unwrap_or_else(|message| {
            // The panic can have left the searcher's state half-written.
            searcher.new_game();
            JobResult::Failed(message)
        });
        let done = Event::Done(Box::new(searcher), result);
        if events.send(done).is_err() {
            return; // the engine has ended
        }
    }
}

/// Runs a job; a panic becomes an error with its message.
fn catch_panic(job: impl FnOnce() -> JobResult) -> Result<JobResult, String> {
    catch_unwind(AssertUnwindSafe(job)).map_err(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|message| (*message).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        tracing::error!("a job panicked: {message}");
        format!("internal error, the job was aborted: {message}")
    })
}

fn run_job(searcher: &mut Searcher, job: Job, events: &Sender<Event>) -> JobResult {
    // Sending fails only when the engine has ended, and then nobody needs the progress.
    let report = |progress| drop(events.send(Event::Progress(progress)));
    #[cfg(feature = "tuning")]
    crate::search::parameters::use_values_set_by_name();
    match job {
        Job::Search {
            request,
            is_new_game,
        } => {
            if is_new_game {
                searcher.new_game();
            }
            let mut on_progress = |progress: Progress| {
                let depth = progress.depth();
                report(JobProgress::Search(progress));
                panic_if_asked(SearchThread::Main { depth });
            };
            JobResult::Search(searcher.search(*request, &mut on_progress))
        }
        Job::Perft {
            position,
            depth,
            stop,
        } => {
            let started = Instant::now();
            let keep_going = || !stop.is_requested();
            let mut on_move = |m, count| report(JobProgress::Perft(m, count));
            match perft::divide(&position, depth, &keep_going, &mut on_move) {
                Some(nodes) => JobResult::Perft(nodes, started.elapsed()),
                None => JobResult::Failed("perft was stopped".to_owned()),
            }
        }
        Job::Bench { stop } => {
            let mut on_position = |number, fen: &str, result: &SearchResult| {
                report(JobProgress::Bench(number, fen.to_owned(), result.clone()));
            };
            let (depth, hash) = (bench::DEFAULT_DEPTH, bench::DEFAULT_HASH);
            match bench::run(depth, hash, &stop, &mut on_position) {
                Ok(_) if stop.is_requested() => JobResult::Failed("bench was stopped".to_owned()),
                Ok(total) => JobResult::Bench(total),
                Err(error) => JobResult::Failed(error.to_string()),
            }
        }
        Job::Genfens { plan, stop } => {
            let mut on_position = |position| report(JobProgress::StartPosition(Box::new(position)));
            match genfens::run(&plan, &stop, &mut on_position) {
                Ok(()) => JobResult::Finished,
                Err(error) => JobResult::Failed(error.to_string()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_message() {
        for job in [
            || panic!("a fixed text"),
            || panic!("a {} text", "composed"),
        ] {
            let Err(message) = catch_panic(job) else {
                panic!("the panic was lost")
            };
            assert!(message.ends_with("text"));
        }
    }
}
