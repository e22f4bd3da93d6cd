//! What the threads of one search share: the transposition table, what ends the search, the
//! options, and a count of nodes for each thread that only this thread writes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::limits::Limits;
use super::request::SearchOptions;
use super::root_moves::RootMoves;
use super::root_ranking::RootRanking;
use super::stop::StopToken;
use super::strength::Blindness;
use super::tablebase_probe::TreeProbe;
use super::time_management::TimeManager;
use super::transposition_table::Buckets;
use crate::evaluation::Tables;
use crate::position::game::Game;

/// What the threads of one search share.
#[derive(Debug)]
pub struct Shared<'a> {
    /// The game, up to the position that is searched.
    pub game: &'a Game,
    /// The transposition table.
    pub tt: Buckets<'a>,
    /// What ends the search.
    pub limits: Limits,
    /// The time that the search can take.
    pub time: TimeManager,
    /// The stop token: a child of the request's, so that the search can stop its helper threads
    /// without raising the token of the request.
    pub stop: StopToken,
    /// What each thread counts.
    pub counts: Counts,
    /// The root moves as every thread begins with them.
    pub root_moves: RootMoves,
    /// The tables by which positions are evaluated.
    pub tables: Arc<Tables>,
    /// The tablebases that the nodes of the tree probe.
    pub tree_probe: Option<TreeProbe<'a>>,
    /// The tablebases by which the line of a won position is checked.
    pub line_probe: Option<TreeProbe<'a>>,
    /// What a weaker player overlooks; `None` at full strength.
    pub blindness: Option<Blindness>,
    /// Whether the search prunes, reduces and extends.
    pub selective: bool,
    /// The options that it runs under.
    pub options: SearchOptions,
    /// Whether there are more search threads than processor cores.
    pub is_crowded: bool,
    /// When the search was requested.
    pub asked_at: Instant,
}

/// What all threads count, each for itself.
#[derive(Debug)]
pub struct Counts {
    threads: Box<[ThreadCounts]>,
    /// The root moves that were found in the tablebases.
    root_tablebase_hits: u64,
}

/// The counts of a thread in cache lines of their own, so that counting threads don't slow each
/// other down (false sharing).
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct ThreadCounts {
    /// Nodes searched.
    pub nodes: AtomicU64,
    /// Positions found in the tablebases.
    pub tablebase_hits: AtomicU64,
}

impl Counts {
    /// Counts of zero for this many threads, after the root moves were ranked.
    pub fn new(threads: usize, ranking: &RootRanking) -> Counts {
        Counts {
            threads: (0..threads).map(|_| ThreadCounts::default()).collect(),
            root_tablebase_hits: ranking.hits as u64,
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The counts of the thread with this number.
    pub fn of_thread(&self, number: usize) -> &ThreadCounts {
        &self.threads[number]
    }

    /// The nodes of all threads together.
    pub fn nodes(&self) -> u64 {
        let counts = self.threads.iter();
        counts
            .map(|count| count.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// The positions that all threads together found in the tablebases, and the root moves.
    pub fn tablebase_hits(&self) -> u64 {
        let counts = self.threads.iter();
        let in_tree: u64 = counts
            .map(|count| count.tablebase_hits.load(Ordering::Relaxed))
            .sum();
        in_tree + self.root_tablebase_hits
    }
}
