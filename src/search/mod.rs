//! The search: what it is asked ([`SearchRequest`]), what it tells on the way ([`Progress`]) and what it
//! answers ([`SearchResult`]).
//!
//! A search looks one ply deeper with each iteration (*iterative deepening*) and finds its way by what the
//! iterations before have learned. Each iteration is an alpha-beta search in the negamax form with a
//! quiescence search at its leaves.
//!
//! State is grouped by how long it lives: [`Searcher`] across moves, `Thread` for one search, `Node` and
//! `NodeInfo` for one node.

pub mod correction_history;
pub mod history;
mod history_update;
mod iterative_deepening;
pub mod limits;
pub mod move_picker;
mod negamax;
mod node;
pub mod parameters;
pub mod pv;
mod quiescence;
mod root_moves;
pub mod rules;
pub mod see;
pub mod stop;
mod thread;
pub mod time_management;
pub mod transposition_table;
mod tunable;
pub mod window;

use std::time::{Duration, Instant};

use shakmaty::{Move, Position};

use crate::position::game::Game;
use crate::score::Score;
use limits::Limits;
use stop::StopToken;
use thread::{NodeCounts, Shared, Thread, ThreadData};
use time_management::{StartSignal, TimeManager};
use transposition_table::{AllocationError, TranspositionTable};
use window::Bound;

/// The stack that a search thread needs, in bytes. A node takes up to ten kilobytes, and each of the 127
/// plies may hold two nodes, the second of them a singular search; pages that are never touched cost nothing.
pub const STACK_BYTES: usize = 8 << 20;

/// Whether the search may prune, reduce and extend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selectivity {
    /// All of it: for play.
    #[default]
    On,
    /// Alpha-beta alone, which gives the same score as plain negamax, for tests: no pruning, reductions
    /// or extensions, and no cut-offs by the transposition table, whose deeper entries would see too much.
    Off,
}

/// The options that a search needs, with their defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// The time lost between the engine's clock and the arbiter's with every move: to the interface, the
    /// operating system and the network.
    pub move_overhead: Duration,
    /// The number of lines to search (MultiPV), 1 or more; no more than there are root moves.
    pub multi_pv: usize,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            move_overhead: Duration::from_millis(10),
            multi_pv: 1,
        }
    }
}

/// One search that is asked for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The game, up to the position to be searched.
    pub game: Game,
    /// What ends the search.
    pub limits: Limits,
    /// The options that it runs under.
    pub options: SearchOptions,
    /// The moment from which its time limits count: known at once or, when pondering, on the ponder hit.
    pub start: StartSignal,
    /// The signal that ends it from outside.
    pub stop: StopToken,
    /// When it was asked for; the times that it reports count from here.
    pub asked_at: Instant,
}

impl SearchRequest {
    /// A search that starts now, under default options. Nobody else can stop it.
    pub fn new(game: Game, limits: Limits) -> SearchRequest {
        let asked_at = Instant::now();
        SearchRequest {
            game,
            limits,
            options: SearchOptions::default(),
            start: StartSignal::at(asked_at),
            stop: StopToken::new(),
            asked_at,
        }
    }
}

/// What a search knows of one line: the contents of an `info` line.
#[derive(Clone, Debug)]
pub struct SearchInfo {
    /// The number of the line, from 1, the best line first.
    pub multipv: usize,
    /// The depth of the iteration, in plies; 0 if none was finished.
    pub depth: u32,
    /// The deepest ply reached (`seldepth`).
    pub selective_depth: usize,
    /// The score from the point of view of the side to move.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes searched so far.
    pub nodes: u64,
    /// How full the transposition table is, in per mille.
    pub hashfull: usize,
    /// The time since the search was asked for.
    pub time: Duration,
    /// The principal variation, best move first. Empty only if there is no legal move.
    pub pv: Vec<Move>,
}

/// What a search tells while it runs.
#[derive(Clone, Debug)]
pub enum Progress {
    /// The principal variation, after an iteration or when its score left the aspiration window.
    Info(SearchInfo),
    /// The root move that is being searched; told only after a second.
    CurrentMove {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        m: Move,
        /// Its number in the order of search, from 1.
        number: usize,
    },
}

/// What a search answers.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best line, with an exact score, and how it was found.
    pub info: SearchInfo,
}

impl SearchResult {
    /// The move to play; `None` if there is no legal move.
    pub fn best_move(&self) -> Option<Move> {
        self.info.pv.first().copied()
    }

    /// The reply that is expected, on which the engine may ponder.
    pub fn ponder_move(&self) -> Option<Move> {
        self.info.pv.get(1).copied()
    }

    /// The score of the best move, from the point of view of the side to move.
    pub fn score(&self) -> Score {
        self.info.score
    }
}

/// The answer that is held in case the search gives none: first any legal move, then the last line that the
/// search has told.
#[derive(Clone, Debug)]
pub struct Fallback {
    score: Score,
    best_move: Option<Move>,
    last_info: Option<SearchInfo>,
}

impl Fallback {
    /// The fallback before the search begins: mate or stalemate, or else the static evaluation and the first
    /// of the moves that may be played.
    pub fn new(game: &Game, root_moves: &[Move]) -> Fallback {
        let score = match (root_moves.first(), game.position().is_check()) {
            (Some(_), _) => game.evaluation(),
            (None, true) => Score::mated_in(0),
            (None, false) => Score::DRAW,
        };
        Fallback {
            score,
            best_move: root_moves.first().copied(),
            last_info: None,
        }
    }

    /// The legal move held before the search begins.
    pub fn best_move(&self) -> Option<Move> {
        self.best_move
    }

    /// Its score: mate, stalemate, or the static evaluation.
    pub fn score(&self) -> Score {
        self.score
    }

    /// Keeps what the search has told of its best line, if the score is exact.
    pub fn update(&mut self, info: SearchInfo) {
        if info.bound == Bound::Exact && info.multipv == 1 {
            self.last_info = Some(info);
        }
    }
}

impl From<Fallback> for SearchResult {
    fn from(fallback: Fallback) -> SearchResult {
        let Fallback {
            score,
            best_move,
            last_info,
        } = fallback;
        let info = last_info.unwrap_or_else(|| SearchInfo {
            multipv: 1,
            depth: 0,
            selective_depth: 0,
            score,
            bound: Bound::Exact,
            nodes: 0,
            hashfull: 0,
            time: Duration::ZERO,
            pv: best_move.into_iter().collect(),
        });
        SearchResult { info }
    }
}

/// What lives across moves: the transposition table, which all threads share, and the histories of each thread.
#[derive(Debug)]
pub struct Searcher {
    tt: TranspositionTable,
    /// At least one; for now exactly one.
    threads: Vec<ThreadData>,
    selectivity: Selectivity,
}

impl Searcher {
    /// A searcher with an empty transposition table of `megabytes` MiB.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for the table.
    pub fn new(megabytes: usize) -> Result<Searcher, AllocationError> {
        Ok(Searcher {
            tt: TranspositionTable::new(megabytes)?,
            threads: vec![ThreadData::default()],
            selectivity: Selectivity::On,
        })
    }

    /// The same searcher, with selectivity switched.
    pub fn with_selectivity(self, selectivity: Selectivity) -> Searcher {
        Searcher {
            selectivity,
            ..self
        }
    }

    /// Replaces the transposition table by an empty one of `megabytes` MiB.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for it; the old table is kept.
    pub fn resize_hash(&mut self, megabytes: usize) -> Result<(), AllocationError> {
        self.tt = TranspositionTable::new(megabytes)?;
        Ok(())
    }

    /// Empties the transposition table.
    pub fn clear_hash(&mut self) {
        self.tt.clear();
    }

    /// Forgets everything, as before a new game.
    pub fn new_game(&mut self) {
        self.tt.clear();
        self.threads.fill(ThreadData::default());
    }

    /// Searches until a limit is reached or the stop token is raised, and gives the best line found. On
    /// the way, `on_progress` is told of every iteration. With limits of depth or nodes alone the tree is
    /// the same every time.
    pub fn search(
        &mut self,
        request: SearchRequest,
        on_progress: &mut dyn FnMut(Progress),
    ) -> SearchResult {
        self.tt.age();
        let SearchRequest {
            game,
            limits,
            options,
            start,
            stop,
            asked_at,
        } = request;
        let fallback = Fallback::new(&game, &limits.root_moves(game.position()));
        if fallback.best_move().is_none() {
            return fallback.into();
        }
        let shared = Shared {
            tt: &self.tt,
            time: TimeManager::new(&limits, start, options.move_overhead),
            limits,
            stop: stop.child(),
            nodes: NodeCounts::new(self.threads.len()),
            selective: self.selectivity == Selectivity::On,
            asked_at,
        };
        let [main, ..] = self.threads.as_mut_slice() else {
            return fallback.into();
        };
        Thread::new(&shared, 0, main, game, on_progress).iterative_deepening(options.multi_pv)
    }
}

/// A speed in whole nodes per second; a time too short to measure counts as a microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}
