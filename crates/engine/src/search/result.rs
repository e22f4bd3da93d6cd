//! What a search reports: its progress while it runs and its result in the end.
//!
//! The [`Fallback`] is the answer for the case that a search ends without a result.

use std::time::Duration;

use shakmaty::Move;

use super::tree_shape::TreeShape;
use super::window::Bound;
use crate::evaluation::Tables;
use crate::position::variant_position::VariantPosition;
use crate::score::Score;

/// The contents of an `info` line: a line of play with its score, and the effort of the search so
/// far.
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
    /// Positions found in the endgame tablebases.
    pub tablebase_hits: u64,
    /// Whether the endgame tablebases know the position that was searched.
    pub is_in_tablebases: bool,
    /// The time since the search was requested.
    pub time: Duration,
    /// The principal variation, best move first. Empty only if there is no legal move.
    pub pv: Vec<Move>,
}

/// A report of a running search.
#[derive(Clone, Debug)]
pub enum Progress {
    /// The principal variation, after an iteration or when its score fell outside the aspiration
    /// window.
    Info(SearchInfo),
    /// The root move that is being searched. Reported only after the first second.
    CurrentMove {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        m: Move,
        /// Its number in the order of search, from 1.
        number: usize,
    },
}

impl Progress {
    /// The depth of the iteration that it reports on, in plies.
    pub fn depth(&self) -> u32 {
        match self {
            Progress::Info(info) => info.depth,
            Progress::CurrentMove { depth, .. } => *depth,
        }
    }
}

/// The answer of a search.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best line and how it was found. Its score and its depth are those of the last finished
    /// iteration. It begins with the best move of the next one if that had found another before it
    /// was stopped; a move that wins, or avoids a loss, brings its own score and depth. Of several
    /// lines those count that the last iteration has finished.
    pub info: SearchInfo,
    /// The shape of the tree that the thread of the result has visited.
    pub tree: TreeShape,
}

impl From<SearchInfo> for SearchResult {
    /// A result for which no tree was visited.
    fn from(info: SearchInfo) -> SearchResult {
        SearchResult {
            info,
            tree: TreeShape::default(),
        }
    }
}

impl SearchResult {
    /// The move to play; `None` if there is no legal move.
    pub fn best_move(&self) -> Option<Move> {
        self.info.pv.first().copied()
    }

    /// The expected reply, on which the engine can ponder. A move from the tablebases needs no
    /// pondering.
    pub fn ponder_move(&self) -> Option<Move> {
        let reply = self.info.pv.get(1).copied();
        reply.filter(|_| !self.info.is_in_tablebases)
    }

    /// The score of the best move, from the point of view of the side to move.
    pub fn score(&self) -> Score {
        self.info.score
    }
}

/// The answer for the case that the search returns none: at first any legal move, later the last
/// exact line that the search reported.
#[derive(Clone, Debug)]
pub struct Fallback {
    score: Score,
    best_move: Option<Move>,
    last_info: Option<SearchInfo>,
}

impl Fallback {
    /// The fallback before the search begins: mate or stalemate, or else the first root move with
    /// the static evaluation as its score.
    pub fn new(position: &VariantPosition, tables: &Tables, root_moves: &[Move]) -> Fallback {
        let score = match (root_moves.first(), position.is_lost_without_moves()) {
            (Some(_), _) => tables.evaluate(position),
            (None, true) => Score::mated_in(0),
            (None, false) => Score::DRAW,
        };
        Fallback {
            score,
            best_move: root_moves.first().copied(),
            last_info: None,
        }
    }

    /// The first root move; `None` if there is no legal move.
    pub fn best_move(&self) -> Option<Move> {
        self.best_move
    }

    /// Keeps a report of the search if it is about the best line and its score is exact.
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
            tablebase_hits: 0,
            is_in_tablebases: false,
            time: Duration::ZERO,
            pv: best_move.into_iter().collect(),
        });
        SearchResult::from(info)
    }
}
