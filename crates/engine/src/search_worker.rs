//! A thread that works with a [`Searcher`], so that whoever asks for a search doesn't have to wait
//! for it.
//!
//! It lives as long as its owner. Each job comes with the searcher, and the searcher goes back with
//! the job's result, so no transposition table can be resized while a search reads it. A panic in a
//! job is caught and logged here and becomes an error: the owner lives on.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};

use crate::search::Searcher;
use crate::search::spawning::ThreadRoom;

/// What is to be done with the searcher.
type Job<R> = Box<dyn FnOnce(&mut Searcher) -> R + Send>;

/// The handle to the thread. Its jobs have results of this type.
pub struct SearchWorker<R> {
    jobs: Sender<(Searcher, Job<R>)>,
}

impl<R: 'static> SearchWorker<R> {
    /// Starts the thread, for which there is room. When a job has ended, `on_done` receives the
    /// searcher and the result, or the message of a panic; the thread ends when it returns false.
    ///
    /// # Errors
    ///
    /// If the operating system can't start a thread.
    pub fn start(
        room: &mut ThreadRoom,
        mut on_done: impl FnMut(Searcher, Result<R, String>) -> bool + Send + 'static,
    ) -> io::Result<SearchWorker<R>> {
        let (jobs, received) = channel::<(Searcher, Job<R>)>();
        room.start("worker", move || {
            while let Ok((mut searcher, job)) = received.recv() {
                let result = catch_panic(|| job(&mut searcher));
                if result.is_err() {
                    // The panic can have left the searcher's state half-written.
                    searcher.new_game();
                }
                if !on_done(searcher, result) {
                    return;
                }
            }
        })?;
        Ok(SearchWorker { jobs })
    }

    /// Sends the thread its next job, and the searcher for it.
    ///
    /// # Errors
    ///
    /// If the thread has ended, which no job can cause.
    pub fn start_job(
        &self,
        searcher: Searcher,
        job: impl FnOnce(&mut Searcher) -> R + Send + 'static,
    ) -> io::Result<()> {
        let ended = |_| io::Error::other("the worker has ended");
        self.jobs.send((searcher, Box::new(job))).map_err(ended)
    }
}

/// Runs a job; a panic is logged and becomes an error with its message.
///
/// # Errors
///
/// If the job panics.
pub fn catch_panic<R>(job: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(job)).map_err(|payload| {
        let message = payload
            .downcast_ref::<&str>()
            .map(|message| (*message).to_owned())
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no message".to_owned());
        tracing::error!("a job panicked: {message}");
        message
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::STACK_BYTES;

    #[test]
    fn a_panic_becomes_an_error_with_its_message_and_the_next_job_runs() {
        let (sender, done) = channel();
        let mut room = ThreadRoom::claim([STACK_BYTES]).expect("a few mebibytes");
        let on_done = move |searcher, result| sender.send((searcher, result)).is_ok();
        let worker = SearchWorker::start(&mut room, on_done).expect("there is room");
        let mut searcher = Searcher::new(1).expect("a mebibyte of memory");
        let jobs: [fn(&mut Searcher) -> usize; 3] = [
            |_| panic!("a fixed text"),
            |searcher| panic!("a text with {}", searcher.hash_megabytes()),
            |searcher| searcher.hash_megabytes(),
        ];
        let results = jobs.map(|job| {
            let empty = Searcher::new(1).expect("a mebibyte of memory");
            let lent = std::mem::replace(&mut searcher, empty);
            worker.start_job(lent, job).expect("the thread lives");
            let (returned, result) = done.recv().expect("the thread lives");
            searcher = returned;
            result
        });
        let panics = ["a fixed text", "a text with 1"].map(|text| Err(text.to_owned()));
        assert_eq!(results[..2], panics);
        assert_eq!(results[2], Ok(1));
    }
}
