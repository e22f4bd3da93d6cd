//! A thread that owns a [`Searcher`] and searches one request after the other, while somebody else watches the clock.
//!
//! A search that nobody waits for any more is stopped, and what it still reports is ignored. A panic in a search is
//! caught here and reported like any other result.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{
    Progress, STACK_BYTES, SearchInfo, SearchRequest, SearchResult, Searcher,
};

/// What a search reports.
#[derive(Debug)]
pub enum SearchNews {
    /// A line of play.
    Info(Box<SearchInfo>),
    /// The result, and when it was there.
    Done(Box<SearchResult>, Instant),
    /// The search has failed, for this reason.
    Failed(String),
}

struct Job {
    number: u64,
    request: Box<SearchRequest>,
    /// Whether what was learned before is to be forgotten.
    is_new_game: bool,
}

/// The thread, and the search that it is busy with.
pub struct SearchThread {
    jobs: Sender<Job>,
    news: Receiver<(u64, SearchNews)>,
    /// The number of the latest search.
    number: u64,
    stop: StopToken,
}

impl SearchThread {
    /// Starts a thread with a transposition table of this many MiB, which searches on this many threads.
    pub fn start(hash_megabytes: usize, threads: usize) -> io::Result<SearchThread> {
        let searcher = Searcher::with_threads(hash_megabytes, threads)?;
        let (jobs, received) = channel();
        let (sender, news) = channel();
        thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || run(searcher, &received, &sender))?;
        Ok(SearchThread {
            jobs,
            news,
            number: 0,
            stop: StopToken::new(),
        })
    }

    /// Begins a search; an earlier one is stopped. A new game forgets what was learned in the one before.
    pub fn search(&mut self, request: SearchRequest, is_new_game: bool) {
        self.stop();
        self.number += 1;
        self.stop = request.stop.clone();
        // Fails only if the thread has ended; then `wait` reports it.
        let _ = self.jobs.send(Job {
            number: self.number,
            request: Box::new(request),
            is_new_game,
        });
    }

    /// Stops the search and ignores its result.
    pub fn stop(&mut self) {
        self.stop.request();
        self.number += 1;
    }

    /// Ends the search early; its result is still wanted.
    pub fn finish(&self) {
        self.stop.request();
    }

    /// Waits for news of the latest search, up to this long.
    pub fn wait(&mut self, time: Duration) -> Option<SearchNews> {
        let deadline = Instant::now() + time;
        loop {
            let rest = deadline.saturating_duration_since(Instant::now());
            match self.news.recv_timeout(rest) {
                Ok((number, news)) if number == self.number => return Some(news),
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    return Some(SearchNews::Failed("its thread has ended".to_owned()));
                }
            }
        }
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.stop.request();
    }
}

fn run(mut searcher: Searcher, jobs: &Receiver<Job>, news: &Sender<(u64, SearchNews)>) {
    while let Ok(job) = jobs.recv() {
        let Job {
            number,
            request,
            is_new_game,
        } = job;
        if is_new_game {
            searcher.new_game();
        }
        // Sending fails only when nobody is there any more to hear it.
        let mut on_progress = |progress| {
            if let Progress::Info(info) = progress {
                let _ = news.send((number, SearchNews::Info(Box::new(info))));
            }
        };
        let search = || searcher.search(*request, &mut on_progress);
        let done = match catch_unwind(AssertUnwindSafe(search)) {
            Ok(result) => SearchNews::Done(Box::new(result), Instant::now()),
            Err(_) => {
                // The panic can have left the searcher's state half-written.
                searcher.new_game();
                SearchNews::Failed("an internal error in the search".to_owned())
            }
        };
        if news.send((number, done)).is_err() {
            return;
        }
    }
}
