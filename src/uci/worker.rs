//! The worker thread, which runs searches and other jobs so that the main thread never has to wait.
//!
//! It is a [`SearchWorker`] that lives as long as the engine. A panic in a job becomes a
//! [`JobResult::Failed`].

use std::io;
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::error::shortened;
use super::event::{Event, JobProgress, JobResult};
use crate::genfens::{self, Plan};
use squarewise_engine::bench;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::perft;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::injected_panic::{SearchThread, panic_if_asked};
use squarewise_engine::search::spawning::ThreadRoom;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{Progress, SearchRequest, SearchResult, Searcher};
use squarewise_engine::search_worker::SearchWorker;
use squarewise_engine::style::{self, StyledPlayer};

/// A job: work that takes time.
pub enum Job {
    /// Search for the best move in the last position of a game.
    Search {
        game: Game,
        request: Box<SearchRequest>,
        /// Whose style decides; `None` for the best move.
        player: Option<StyledPlayer>,
    },
    /// Count the lines of `depth` plies.
    Perft {
        position: VariantPosition,
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
    thread: SearchWorker<JobResult>,
    events: Sender<Event>,
}

impl Worker {
    /// Starts the thread, for which there is room. Progress and results go to `events`.
    pub fn start(events: Sender<Event>, room: &mut ThreadRoom) -> io::Result<Worker> {
        let done = events.clone();
        let thread = SearchWorker::start(room, move |searcher, result| {
            let failed = |message| {
                JobResult::Failed(format!("internal error, the job was aborted: {message}"))
            };
            let result = result.unwrap_or_else(failed);
            done.send(Event::Done(Box::new(searcher), result)).is_ok()
        })?;
        Ok(Worker { thread, events })
    }

    /// Sends the thread its next job, and the searcher for it.
    pub fn start_job(&self, searcher: Searcher, job: Job) -> io::Result<()> {
        let events = self.events.clone();
        self.thread
            .start_job(searcher, move |searcher| run_job(searcher, job, &events))
    }
}

fn run_job(searcher: &mut Searcher, job: Job, events: &Sender<Event>) -> JobResult {
    // Sending fails only when the engine has ended, and then nobody needs the progress.
    let report = |progress| drop(events.send(Event::Progress(progress)));
    #[cfg(feature = "tuning")]
    squarewise_engine::search::parameters::use_values_set_by_name();
    match job {
        Job::Search {
            game,
            request,
            player,
        } => {
            let mut on_progress = |progress: Progress| {
                let depth = progress.depth();
                report(JobProgress::Search(progress));
                panic_if_asked(SearchThread::Main { depth });
            };
            let player = player.as_ref();
            let result = style::search(player, searcher, &game, *request, &mut on_progress);
            JobResult::Search(result)
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
                Err(error) => JobResult::Failed(shortened(&error.to_string())),
            }
        }
    }
}
