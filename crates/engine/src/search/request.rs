//! The request for a search: the limits that end the search, and its options.
//!
//! It also carries the two signals that reach a running search from outside: the start of its clock
//! and the stop token.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limits::Limits;
use super::result::Fallback;
use super::stop::StopToken;
use super::strength::Blindness;
use super::time_management::StartSignal;
use crate::evaluation::{Tables, tables_of};
use crate::position::rules::Variant;
use crate::position::variant_position::VariantPosition;
use crate::syzygy::Tablebases;

/// Whether the search may prune, reduce and extend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selectivity {
    /// Prunes, reduces and extends: for play.
    #[default]
    On,
    /// Alpha-beta alone, which returns the same score as plain negamax: for tests. Also without
    /// cutoffs by the transposition table, whose entries can come from deeper searches.
    Off,
}

/// The largest number of search threads.
pub const MAX_THREADS: usize = 1_024;

/// How lines after the first are searched for a player who chooses among nearly equal moves. The
/// best move keeps most of the effort, and what loses too much isn't searched at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Alternatives {
    /// By how many plies they are searched less deep than the first.
    pub lag: u32,
    /// A line that is worse than the best one by more than this is the last of its iteration, in
    /// centipawns.
    pub margin: i32,
}

/// The options that a search needs, with their defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// The time lost with every move to the interface, the operating system and the network.
    pub move_overhead: Duration,
    /// The number of lines to search (MultiPV), 1 or more. Clamped to the number of root moves.
    pub multi_pv: usize,
    /// How the lines after the first differ from it; `None` if they are searched as it is.
    pub alternatives: Option<Alternatives>,
    /// Positions with as many pieces as the largest usable tables are probed only at this depth, in
    /// plies, or more.
    pub tablebase_depth: usize,
    /// The most pieces of a position that is looked up in the tablebases, kings included; 0 for
    /// none.
    pub tablebase_limit: usize,
    /// Whether tablebase wins that the fifty-move rule prevents are draws.
    pub fifty_move_rule: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            move_overhead: Duration::from_millis(10),
            multi_pv: 1,
            alternatives: None,
            tablebase_depth: 1,
            tablebase_limit: 7,
            fifty_move_rule: true,
        }
    }
}

/// A request for one search.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The tables by which positions are evaluated.
    pub tables: Arc<Tables>,
    /// What ends the search.
    pub limits: Limits,
    /// The options of the search.
    pub options: SearchOptions,
    /// The endgame tablebases, if there are any.
    pub tablebases: Option<Arc<Tablebases>>,
    /// What a weaker player overlooks; `None` at full strength.
    pub blindness: Option<Blindness>,
    /// The moment from which its time limits count: set at once or, when pondering, on the ponder
    /// hit.
    pub start: StartSignal,
    /// The signal that ends it from outside.
    pub stop: StopToken,
    /// When the search was requested. The times that it reports count from here.
    pub asked_at: Instant,
}

impl SearchRequest {
    /// A search that starts now, with the default tables and options and a stop token of its own.
    pub fn new(limits: Limits) -> SearchRequest {
        SearchRequest::of_variant(Variant::Chess, limits)
    }

    /// The same for positions of a variant: with its tables.
    pub fn of_variant(variant: Variant, limits: Limits) -> SearchRequest {
        let asked_at = Instant::now();
        SearchRequest {
            tables: tables_of(variant),
            limits,
            options: SearchOptions::default(),
            tablebases: None,
            blindness: None,
            start: StartSignal::at(asked_at),
            stop: StopToken::new(),
            asked_at,
        }
    }

    /// The answer if the search of a position ends without a result.
    pub fn fallback(&self, position: &VariantPosition) -> Fallback {
        let root_moves = self.limits.root_moves(position);
        Fallback::new(position, &self.tables, &root_moves)
    }
}
