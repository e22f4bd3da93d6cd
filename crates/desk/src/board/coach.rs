//! The coach: a thread at full strength for questions on the side, such as hints, explanations and
//! the judgement of a move. One question is answered after the other.
//!
//! A job returns what is to be done with its answer by the owner of the boards, so that the owner
//! alone changes anything.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use shakmaty::Move;

use super::event::{Consequence, Event};
use crate::analysis::analyzer::{Analyzer, Settings};
use crate::why::{Effort, ScoredLine};
use squarewise_engine::position::game::Game;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{STACK_BYTES, SearchRequest, Searcher};
use squarewise_engine::search_worker::catch_panic;

/// The size of its transposition table, in MiB.
const HASH_MEGABYTES: usize = 32;

/// How much it thinks about a question, in nodes: a fifth of a second.
pub(super) const NODES: u64 = 150_000;

type Job<D> = Box<dyn FnOnce(&mut Searcher) -> Option<Consequence<D>> + Send>;

/// The thread's handle. Its answers go to an owner of type `D`.
pub(super) struct Coach<D> {
    jobs: Sender<Job<D>>,
}

impl<D: 'static> Coach<D> {
    /// Starts the thread. Its answers are events for the owner of the boards, which does what
    /// `failed` says if a search panics.
    pub(super) fn start(events: Sender<Event<D>>, failed: fn(&mut D)) -> io::Result<Coach<D>> {
        let (jobs, received) = channel::<Job<D>>();
        let mut searcher = Searcher::new(HASH_MEGABYTES).map_err(io::Error::other)?;
        let work = move || {
            for job in received {
                let consequence = catch_panic(|| job(&mut searcher)).unwrap_or_else(|_| {
                    // The panic can have left the searcher's state half-written.
                    searcher.new_game();
                    Some(Box::new(failed))
                });
                if let Some(consequence) = consequence
                    && events.send(Event::Done(consequence)).is_err()
                {
                    return;
                }
            }
        };
        thread::Builder::new()
            .name("coach".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work)?;
        Ok(Coach { jobs })
    }

    /// Asks a question.
    pub(super) fn ask(
        &self,
        job: impl FnOnce(&mut Searcher) -> Option<Consequence<D>> + Send + 'static,
    ) {
        // It ends with the program only.
        let _ = self.jobs.send(Box::new(job));
    }
}

/// A search as [`why`](crate::why) asks for it. `None` once the token is raised.
pub(super) fn search(
    searcher: &mut Searcher,
    stop: &StopToken,
    game: &Game,
    moves: &[Move],
    effort: Effort,
) -> Option<ScoredLine> {
    let nodes = match effort {
        Effort::Full => NODES,
        Effort::Aside => NODES / 4,
    };
    let limits = Limits {
        search_moves: moves.to_vec(),
        ..Limits::nodes(nodes)
    };
    let request = SearchRequest {
        stop: stop.child(),
        ..SearchRequest::new(limits)
    };
    let result = searcher.search(game, request, &mut |_| ());
    (!stop.is_requested()).then(|| ScoredLine::from(&result))
}

/// An analyzer for whole games, with this many nodes for a position.
pub(super) fn analyzer(nodes: u64) -> Result<Analyzer, String> {
    let settings = Settings {
        limits: Limits::nodes(nodes),
        lines: 1,
        hash_megabytes: HASH_MEGABYTES,
        threads: 1,
    };
    Analyzer::new(&settings).map_err(|error| error.to_string())
}
