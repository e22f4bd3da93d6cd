//! Looking ahead: the searcher that lives across moves, what it is asked and what it answers.
//!
//! A search deepens step by step (*iterative deepening*): each iteration looks one ply further and finds
//! its way by what the last one learned. From the fifth on, the score is expected close to the last one
//! (*aspiration window*), and only when it falls outside is the question asked again with more room.
//!
//! State is grouped by how long it lives: [`Searcher`] across moves, `Search` for one search, locals for
//! one node.

pub mod correction_history;
mod forward;
pub mod history;
mod history_update;
mod iterative_deepening;
pub mod limits;
pub mod move_picker;
mod negamax;
pub mod parameters;
pub mod pruning;
pub mod pv;
mod quiescence;
pub mod see;
mod singular;
pub mod stop;
pub mod time_management;
pub mod transposition_table;
pub mod window;

use std::time::{Duration, Instant};

use shakmaty::{Move, Position};

use crate::position::game::Game;
use crate::score::Score;
use correction_history::CorrectionHistory;
use history::History;
use iterative_deepening::Search;
use limits::Limits;
use stop::StopToken;
use time_management::Clock;
use transposition_table::{AllocationError, TranspositionTable};
use window::Bound;

/// The stack that a thread should have for a search, in bytes. A node takes up to ten kilobytes, and each of
/// the 127 plies may hold two, the second without the table's move; what isn't touched costs nothing.
pub const STACK_BYTES: usize = 8 << 20;

/// Whether the search may look at parts of the tree less closely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selectivity {
    /// All pruning, reductions and extensions: for play.
    #[default]
    On,
    /// Alpha-beta alone, which gives the same score as plain negamax, for tests: no pruning, reductions
    /// or extensions, and no cut-offs by the table, whose deeper entries would see too much.
    Off,
}

/// What lives across moves: the transposition table and the histories.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    history: History,
    corrections: CorrectionHistory,
    selectivity: Selectivity,
}

/// One search that is asked for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The game, up to the position to be searched.
    pub game: Game,
    /// What ends the search.
    pub limits: Limits,
    /// The time that the limits leave.
    pub clock: Clock,
    /// The signal that ends it from outside.
    pub stop: StopToken,
    /// When it was asked for; reports count their time from here.
    pub asked_at: Instant,
}

impl SearchRequest {
    /// A search without a clock, which nobody stops.
    pub fn new(game: Game, limits: Limits) -> SearchRequest {
        SearchRequest {
            game,
            limits,
            clock: Clock::unlimited(),
            stop: StopToken::new(),
            asked_at: Instant::now(),
        }
    }
}

/// What a search has found so far: a line and what it is worth.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Plies of full-width depth; 0 if no iteration was finished.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: usize,
    /// The score from the view of the side to move.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// Moves played in the tree.
    pub nodes: u64,
    /// How full the transposition table is, in per mille.
    pub hashfull: usize,
    /// Since the search was asked for.
    pub time: Duration,
    /// The line, best move first. Empty only when there is no legal move.
    pub line: Vec<Move>,
}

impl Finding {
    /// What can be said of a position without looking ahead: that it is mate or stalemate, or else its
    /// evaluation and the first of the moves that may be played.
    pub fn without_search(game: &Game, root_moves: &[Move]) -> Finding {
        let score = match (root_moves.first(), game.position().is_check()) {
            (Some(_), _) => game.evaluation(),
            (None, true) => Score::mated_in(0),
            (None, false) => Score::DRAW,
        };
        Finding {
            depth: 0,
            selective_depth: 0,
            score,
            bound: Bound::Exact,
            nodes: 0,
            hashfull: 0,
            time: Duration::ZERO,
            line: root_moves.first().copied().into_iter().collect(),
        }
    }

    /// The move to play.
    pub fn best(&self) -> Option<Move> {
        self.line.first().copied()
    }

    /// The reply that is expected, which a pondering engine thinks on.
    pub fn reply(&self) -> Option<Move> {
        self.line.get(1).copied()
    }
}

/// News from inside a search.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line, after an iteration or when the score left the aspiration window.
    Finding(Finding),
    /// The root move that is searched now; only after a second.
    CurrentMove {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        m: Move,
        /// Its number in the order of search, from 1.
        number: usize,
    },
}

impl Searcher {
    /// A searcher with an empty table of `megabytes` MiB.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for the table.
    pub fn new(megabytes: usize) -> Result<Searcher, AllocationError> {
        Ok(Searcher {
            table: TranspositionTable::new(megabytes)?,
            history: History::new(),
            corrections: CorrectionHistory::default(),
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

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for it; the old table is kept.
    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), AllocationError> {
        self.table = TranspositionTable::new(megabytes)?;
        Ok(())
    }

    /// Empties the table.
    pub fn clear_table(&mut self) {
        self.table.clear();
    }

    /// Forgets everything, as before a new game.
    pub fn new_game(&mut self) {
        self.table.clear();
        self.history = History::new();
        self.corrections = CorrectionHistory::default();
    }

    /// Searches until a limit is reached or the stop token is raised, and gives the best line found. On
    /// the way, `report` gets every iteration's line. One thread and limits of depth or nodes make the
    /// same tree every time.
    pub fn search(&mut self, request: SearchRequest, report: &mut dyn FnMut(Report)) -> Finding {
        self.table.age();
        Search::new(self, request, report).run()
    }
}

/// A speed in whole nodes per second; of no time at all, as of a microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}
