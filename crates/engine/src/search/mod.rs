//! The search: its input ([`SearchRequest`]), its reports while it runs ([`Progress`]) and its
//! answer ([`SearchResult`]).
//!
//! A search looks one ply deeper with each iteration (*iterative deepening*). Each iteration is an
//! alpha-beta search in the negamax form with a quiescence search at its leaves, and orders its
//! moves by what earlier iterations left in the transposition table and the histories.
//!
//! State is grouped by how long it lives: [`Searcher`] across moves, `Worker` for one search,
//! `Node` and `NodeInfo` for one node.

mod correction_history;
pub mod history;
mod history_update;
mod huge_pages;
pub mod injected_panic;
mod iterative_deepening;
mod lazy_smp;
pub mod limits;
mod mate_search;
pub mod move_picker;
mod negamax;
mod node;
pub mod parameters;
mod pv;
mod quiescence;
mod ranked_moves;
mod request;
mod result;
mod root_line;
mod root_moves;
mod root_ranking;
mod rules;
mod searched_moves;
pub mod see;
mod shared;
pub mod spawning;
pub mod stop;
pub mod strength;
mod tablebase_probe;
pub mod time_management;
pub mod transposition_table;
mod tree_shape;
mod tt_entry;
mod tunable;
pub mod window;
mod worker;

pub use lazy_smp::ThreadsError;
pub use request::{Alternatives, MAX_THREADS, SearchOptions, SearchRequest, Selectivity};
pub use result::{Fallback, Progress, SearchInfo, SearchResult};
pub use tree_shape::TreeShape;

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::time::{Duration, Instant};

use huge_pages::has_room;
use lazy_smp::Helpers;
use rayon::prelude::*;
use root_moves::RootMoves;
use root_ranking::rank_root_moves;
use rules::overlooking::seen_root_moves;
use shakmaty::Position;
use shared::{Counts, Shared};
use spawning::ThreadRoom;
use tablebase_probe::TreeProbe;
use time_management::TimeManager;
use transposition_table::{AllocationError, TranspositionTable};
use worker::ThreadData;

use crate::evaluation::Tables;
use crate::position::game::Game;

/// The stack that a search thread needs, in bytes. A node takes up to ten kilobytes, and each of
/// the 127 plies can hold two nodes, one of them a singular search, or three below a verification
/// search. Pages that are never touched cost nothing.
pub const STACK_BYTES: usize = 8 << 20;

/// Runs `work` on a thread with the stack that a search needs and returns its result; a panic goes
/// on in the caller. The operating system chooses the stack size of a program's first thread.
///
/// # Errors
///
/// If there is no memory for it, or the thread can't be started.
pub fn with_search_stack<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<T> {
    // A thread that gets only its stack can't even report that memory is missing.
    drop(ThreadRoom::claim([STACK_BYTES])?);
    let thread = std::thread::Builder::new()
        .name("main".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(work)
        .map_err(|error| io::Error::new(error.kind(), format!("can't start a thread: {error}")))?;
    Ok(thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
}

/// More bytes than the histories of a thread and the tables need: a search starts by allocating
/// both.
const THREAD_DATA_BYTES: usize = 8 << 20;

/// How long the root moves may still be looked up in the tablebases after time has run out: without
/// these results the search would have to find the way itself.
const MIN_RANKING_TIME: Duration = Duration::from_millis(5);

/// Why there is no searcher.
#[derive(Debug, thiserror::Error)]
pub enum SearcherError {
    /// There is no memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] AllocationError),
    /// The search threads can't be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
}

impl From<SearcherError> for io::Error {
    fn from(error: SearcherError) -> io::Error {
        let kind = match error {
            SearcherError::Memory(_) => io::ErrorKind::OutOfMemory,
            SearcherError::Threads(_) => io::ErrorKind::Other,
        };
        io::Error::new(kind, error)
    }
}

/// The searcher: owns what lives across moves, that is the transposition table, which all threads
/// share, and the histories of each thread.
#[derive(Debug)]
pub struct Searcher {
    tt: TranspositionTable,
    /// One for each search thread.
    threads: Vec<ThreadData>,
    helpers: Helpers,
    selectivity: Selectivity,
    /// The tables of the last search. What was learned with others is of no use.
    searched_tables: Option<Arc<Tables>>,
}

impl Searcher {
    /// A searcher with an empty transposition table of `megabytes` MiB.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for the table.
    pub fn new(megabytes: usize) -> Result<Searcher, AllocationError> {
        let tt = TranspositionTable::new(megabytes)?;
        if !has_room(THREAD_DATA_BYTES) {
            return Err(AllocationError { megabytes });
        }
        Ok(Searcher {
            tt,
            threads: vec![ThreadData::default()],
            helpers: Helpers::none(),
            selectivity: Selectivity::On,
            searched_tables: None,
        })
    }

    /// A searcher that searches on this many threads, 1 to [`MAX_THREADS`].
    ///
    /// # Errors
    ///
    /// [`SearcherError`] if there is no memory for the table, or the operating system can't start
    /// the threads.
    pub fn with_threads(megabytes: usize, threads: usize) -> Result<Searcher, SearcherError> {
        let mut searcher = Searcher::new(megabytes)?;
        searcher.set_threads(threads)?;
        Ok(searcher)
    }

    /// The same searcher with pruning, reductions and extensions on or off.
    pub fn with_selectivity(self, selectivity: Selectivity) -> Searcher {
        Searcher {
            selectivity,
            ..self
        }
    }

    /// Searches on this many threads from now on, 1 to [`MAX_THREADS`]. The histories of the
    /// threads that stay are kept.
    ///
    /// # Errors
    ///
    /// [`ThreadsError`] if the operating system can't start them; the old ones are kept.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        if threads != self.threads.len() {
            self.helpers = Helpers::start(threads, STACK_BYTES)?;
            self.threads.resize_with(threads, ThreadData::default);
        }
        Ok(())
    }

    /// Replaces the transposition table with an empty one of `megabytes` MiB.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for it. The table is then empty and has its old
    /// size or, if there is no memory for that either, a smaller one. Without memory even for a
    /// placeholder it stays as it is.
    pub fn resize_hash(&mut self, megabytes: usize) -> Result<(), AllocationError> {
        self.tt.resize(megabytes)
    }

    /// The size of the transposition table in MiB.
    pub fn hash_megabytes(&self) -> usize {
        self.tt.megabytes()
    }

    /// Empties the transposition table.
    pub fn clear_hash(&mut self) {
        self.tt.clear();
    }

    /// Clears the transposition table and all histories, as before a new game.
    pub fn new_game(&mut self) {
        self.tt.clear();
        self.clear_threads();
    }

    fn clear_threads(&mut self) {
        match self.helpers.pool() {
            Some(pool) => pool.install(|| self.threads.par_iter_mut().for_each(ThreadData::clear)),
            None => self.threads.iter_mut().for_each(ThreadData::clear),
        }
    }

    /// Forgets what was learned with other tables than these, which the next search uses.
    fn forget_other_tables(&mut self, tables: &Arc<Tables>) {
        let is_other = |searched: &Arc<Tables>| !Arc::ptr_eq(searched, tables);
        if self.searched_tables.as_ref().is_some_and(is_other) {
            // Not `clear`, which goes through all of the memory: a clock can be running.
            self.tt.forget();
            self.clear_threads();
            for thread in &mut self.threads {
                thread.evaluations.clear();
            }
        }
        self.searched_tables = Some(Arc::clone(tables));
    }

    /// Searches the last position of a game until a limit is reached or the stop token is raised,
    /// and returns the best line found. Calls `on_progress` after every iteration. If only depth or
    /// nodes are limited, one thread searches the same tree every time that it begins with the same
    /// histories and the same transposition table. After a search with other tables everything is
    /// forgotten first.
    pub fn search(
        &mut self,
        game: &Game,
        request: SearchRequest,
        on_progress: &mut dyn FnMut(Progress),
    ) -> SearchResult {
        self.forget_other_tables(&request.tables);
        let game = game.recent();
        let fallback = request.fallback(game.position());
        if fallback.best_move().is_none() {
            return fallback.into();
        }
        let SearchRequest {
            tables,
            mut limits,
            options,
            blindness,
            tablebases,
            start,
            stop,
            asked_at,
        } = request;
        let mut moves = limits.root_moves(game.position());
        if let Some(blindness) = blindness {
            moves = seen_root_moves(&game, moves, blindness);
            limits.search_moves.clone_from(&moves);
        }
        // A tablebase result would cut off the mate that is asked for, and is wrong in most
        // variants.
        let may_probe = limits.mate.is_none() && game.position().variant().has_endgames_of_chess();
        let tablebases = tablebases.as_deref().filter(|_| may_probe);
        let mut root_moves = RootMoves::new(tables.evaluate(game.position()), &moves, &limits);
        let move_number = game.position().fullmoves().get();
        let time = TimeManager::new(&limits, start, options.move_overhead, move_number);
        let ranking_since = Instant::now();
        let must_stop = || {
            let is_late = ranking_since.elapsed() >= MIN_RANKING_TIME;
            stop.is_requested() || (is_late && time.hard_limit_reached())
        };
        let ranking = rank_root_moves(&mut root_moves, &game, tablebases, &options, &must_stop);
        let line_probe = tablebases.and_then(|tablebases| TreeProbe::new(tablebases, &options));
        let tree_probe = line_probe.filter(|_| ranking.probes_tree);
        // Only a single thread can stop at an exact node count, and the strength of a level depends
        // on that.
        let threads = if blindness.is_some() {
            1
        } else {
            self.threads.len()
        };
        let shared = Shared {
            game: &game,
            tt: self.tt.start_search(),
            time,
            limits,
            stop: stop.child(),
            counts: Counts::new(threads, &ranking),
            root_moves,
            tables,
            tree_probe,
            line_probe,
            blindness,
            selective: self.selectivity == Selectivity::On,
            options,
            is_crowded: self.helpers.are_crowded(),
            asked_at,
        };
        self.helpers
            .search(&shared, &mut self.threads[..threads], on_progress)
    }
}

/// A speed in whole nodes per second; a time too short to measure counts as a microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use crate::score::Score;
    use limits::Limits;
    use shakmaty::{CastlingMode, Move, Position};

    #[test]
    fn a_search_restricted_by_searchmoves_stores_no_score_of_the_root() {
        let position = from_fen("4k3/8/8/8/8/8/3q4/3RK3 w - - 0 1", CastlingMode::Standard);
        let position = position.expect("a legal position");
        let king_move = position.legal_moves().into_iter().find(|m| !m.is_capture());
        let game = Game::new(position);
        let entry_after = |search_moves: Vec<Move>| {
            let mut searcher = Searcher::new(1).expect("a mebibyte of memory");
            let limits = Limits {
                search_moves,
                ..Limits::depth(6)
            };
            searcher.search(&game, SearchRequest::new(limits), &mut |_| ());
            searcher.tt.buckets().probe(game.key())
        };
        assert!(entry_after(Vec::new()).is_some_and(|entry| entry.score > Score::DRAW));
        // No king move captures the queen.
        assert_eq!(entry_after(king_move.into_iter().collect()), None);
    }
}
