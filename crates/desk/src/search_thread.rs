//! Searches in a thread of their own, one request after the other, while somebody else watches the
//! clock.
//!
//! A search that nobody waits for any more is stopped, and what it still reports is ignored.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use squarewise_engine::position::game::Game;
use squarewise_engine::search::spawning::ThreadRoom;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{
    Progress, STACK_BYTES, SearchInfo, SearchRequest, SearchResult, Searcher,
};
use squarewise_engine::search_worker::SearchWorker;
use squarewise_engine::style::{self, StyledPlayer};

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

/// What comes from the thread, with the searcher if it is free again.
type Report = (SearchNews, Option<Box<Searcher>>);

/// The thread, and the search that it is busy with.
pub struct SearchThread {
    worker: SearchWorker<SearchResult>,
    /// `None` while a search has it.
    searcher: Option<Box<Searcher>>,
    sender: Sender<Report>,
    reports: Receiver<Report>,
    stop: StopToken,
    /// Whether somebody waits for the search.
    is_awaited: bool,
}

impl SearchThread {
    /// Starts a thread with a transposition table of this many MiB, which searches on this many
    /// threads.
    pub fn start(hash_megabytes: usize, threads: usize) -> io::Result<SearchThread> {
        let mut room = ThreadRoom::claim([STACK_BYTES])?;
        let searcher = Searcher::with_threads(hash_megabytes, threads)?;
        let (sender, reports) = channel();
        let done = sender.clone();
        let worker = SearchWorker::start(&mut room, move |searcher, result| {
            let news = match result {
                Ok(result) => SearchNews::Done(Box::new(result), Instant::now()),
                Err(_) => SearchNews::Failed("an internal error in the search".to_owned()),
            };
            done.send((news, Some(Box::new(searcher)))).is_ok()
        })?;
        Ok(SearchThread {
            worker,
            searcher: Some(Box::new(searcher)),
            sender,
            reports,
            stop: StopToken::new(),
            is_awaited: false,
        })
    }

    /// Begins to search the last position of a game, in the style of `player` if there is one; an
    /// earlier search is stopped.
    pub fn search(
        &mut self,
        player: Option<StyledPlayer>,
        game: &Game,
        request: SearchRequest,
    ) -> io::Result<()> {
        self.stop();
        let searcher = self.free_searcher()?;
        self.stop = request.stop.clone();
        self.is_awaited = true;
        let game = game.recent();
        let sender = self.sender.clone();
        self.worker.start_job(searcher, move |searcher| {
            // Sending fails only when nobody is there any more to hear it.
            let mut on_progress = |progress| {
                if let Progress::Info(info) = progress {
                    let _ = sender.send((SearchNews::Info(Box::new(info)), None));
                }
            };
            style::search(player.as_ref(), searcher, &game, request, &mut on_progress)
        })
    }

    /// Has the next search begin as in a new game; one that is going on is stopped.
    pub fn new_game(&mut self) {
        self.stop();
        // Its search ends at once, and no search ends its thread.
        if let Ok(mut searcher) = self.free_searcher() {
            searcher.new_game();
            self.searcher = Some(Box::new(searcher));
        }
    }

    /// The searcher, when the search that has it is over.
    fn free_searcher(&mut self) -> io::Result<Searcher> {
        loop {
            if let Some(searcher) = self.searcher.take() {
                return Ok(*searcher);
            }
            self.searcher = self.reports.recv().map_err(io::Error::other)?.1;
        }
    }

    /// Stops the search and ignores its result.
    pub fn stop(&mut self) {
        self.stop.request();
        self.is_awaited = false;
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
            let news = match self.reports.recv_timeout(rest) {
                Ok((news, searcher)) => {
                    self.searcher = self.searcher.take().or(searcher);
                    news
                }
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    return Some(SearchNews::Failed("its thread has ended".to_owned()));
                }
            };
            if self.is_awaited {
                return Some(news);
            }
        }
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.stop.request();
    }
}
