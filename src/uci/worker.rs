//! The thread that thinks, so that the one that listens never has to wait.
//!
//! It lives as long as the engine. With each job it is lent the searcher, and with the job's answer it
//! hands it back; so nobody can resize a table that a search is reading. Should a job panic, the panic is
//! caught and logged here, and the answer is that there is none: the engine lives on.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::{Chess, Move};

use super::Event;
use crate::bench::{self, Total};
use crate::position::perft;
use crate::search::stop::{StopToken, Stopped};
use crate::search::{Progress, STACK_BYTES, SearchRequest, SearchResult, Searcher};

/// Something that takes time.
pub enum Job {
    /// Find the best move.
    Search(Box<SearchRequest>),
    /// Count lines of so many plies.
    Perft {
        position: Chess,
        depth: u32,
        stop: StopToken,
    },
    /// Run the benchmark.
    Bench { stop: StopToken },
}

/// What a job tells while it runs.
pub enum News {
    /// From a search.
    Search(Progress),
    /// The lines that follow one move.
    Perft(Move, u64),
    /// One position of the benchmark: its number, FEN and result.
    Bench(usize, String, SearchResult),
}

/// How a job ended.
pub enum Answer {
    /// The best line.
    Search(SearchResult),
    /// The number of lines, and the time that it took to count them.
    Perft(u64, Duration),
    /// The benchmark's sum.
    Bench(Total),
    /// Without a result, for this reason.
    Failed(String),
}

/// Where the listening thread puts jobs, each with the searcher that it may use.
pub struct Worker {
    jobs: Sender<(Searcher, Job)>,
}

impl Worker {
    /// Starts the thread. News and answers go to `events`.
    ///
    /// # Errors
    ///
    /// If the operating system has no thread for us.
    pub fn start(events: Sender<Event>) -> io::Result<Worker> {
        let (jobs, received) = channel();
        thread::Builder::new()
            .name("worker".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || work(&received, &events))?;
        Ok(Worker { jobs })
    }

    /// Gives the thread its next job.
    ///
    /// # Errors
    ///
    /// If the thread is gone, which no job can bring about.
    pub fn give(&self, searcher: Searcher, job: Job) -> io::Result<()> {
        let gone = |_| io::Error::other("the worker is gone");
        self.jobs.send((searcher, job)).map_err(gone)
    }
}

fn work(jobs: &Receiver<(Searcher, Job)>, events: &Sender<Event>) {
    while let Ok((mut searcher, job)) = jobs.recv() {
        let answer = guarded(|| run(&mut searcher, job, events));
        if matches!(answer, Answer::Failed(_)) {
            // What a panic may have left half-written is not worth keeping.
            searcher.new_game();
        }
        if events
            .send(Event::Done(Box::new(searcher), answer))
            .is_err()
        {
            return; // nobody listens any more
        }
    }
}

/// Runs a job; a panic becomes an answer.
fn guarded(job: impl FnOnce() -> Answer) -> Answer {
    catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|payload| {
        let words = payload
            .downcast_ref::<&str>()
            .map(|words| (*words).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no words".to_owned());
        tracing::error!("a job panicked: {words}");
        Answer::Failed(format!("internal error, the work was given up: {words}"))
    })
}

fn run(searcher: &mut Searcher, job: Job, events: &Sender<Event>) -> Answer {
    // If nobody listens the program is about to end; what is lost then is of no use.
    let tell = |news| drop(events.send(Event::News(news)));
    #[cfg(feature = "tuning")]
    crate::search::parameters::adopt();
    match job {
        Job::Search(request) => {
            Answer::Search(searcher.search(*request, &mut |report| tell(News::Search(report))))
        }
        Job::Perft {
            position,
            depth,
            stop,
        } => {
            let began = Instant::now();
            let mut each = |m, count| tell(News::Perft(m, count));
            match perft::divide(&position, depth, &stop, &mut each) {
                Ok(nodes) => Answer::Perft(nodes, began.elapsed()),
                Err(Stopped) => Answer::Failed("perft was stopped".to_owned()),
            }
        }
        Job::Bench { stop } => {
            let mut each = |number, fen: &str, result: &SearchResult| {
                tell(News::Bench(number, fen.to_owned(), result.clone()));
            };
            match bench::run(bench::DEFAULT_DEPTH, bench::DEFAULT_HASH, &stop, &mut each) {
                Ok(_) if stop.is_requested() => Answer::Failed("bench was stopped".to_owned()),
                Ok(total) => Answer::Bench(total),
                Err(error) => Answer::Failed(error.to_string()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_answer() {
        for job in [
            || panic!("a fixed text"),
            || panic!("a {} text", "composed"),
        ] {
            let Answer::Failed(words) = guarded(job) else {
                panic!("the panic was lost")
            };
            assert!(words.ends_with("text"));
        }
    }
}
