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
pub(super) struct Shared<'a> {
    pub(super) game: &'a Game,
    pub(super) tt: Buckets<'a>,
    pub(super) limits: Limits,
    pub(super) time: TimeManager,
    /// The stop token: a child of the request's, so that the search can stop its helper threads
    /// without raising the token of the request.
    pub(super) stop: StopToken,
    pub(super) counts: Counts,
    /// The root moves as every thread begins with them.
    pub(super) root_moves: RootMoves,
    pub(super) tables: Arc<Tables>,
    /// The tablebases that the nodes of the tree probe.
    pub(super) tree_probe: Option<TreeProbe<'a>>,
    /// The tablebases by which the line of a won position is checked.
    pub(super) line_probe: Option<TreeProbe<'a>>,
    /// What a weaker player overlooks; `None` at full strength.
    pub(super) blindness: Option<Blindness>,
    /// Whether the search prunes, reduces and extends.
    pub(super) selective: bool,
    pub(super) options: SearchOptions,
    /// Whether there are more search threads than processor cores.
    pub(super) is_crowded: bool,
    pub(super) asked_at: Instant,
}

/// What all threads count, each for itself.
#[derive(Debug)]
pub(super) struct Counts {
    threads: Box<[ThreadCounts]>,
    /// The root moves that were found in the tablebases.
    root_tablebase_hits: u64,
}

/// The counts of a thread in cache lines of their own, so that counting threads don't slow each
/// other down (false sharing).
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct ThreadCounts {
    pub(super) nodes: AtomicU64,
    pub(super) tablebase_hits: AtomicU64,
}

impl Counts {
    /// Counts of zero for this many threads, after the root moves were ranked.
    pub(super) fn new(threads: usize, ranking: &RootRanking) -> Counts {
        Counts {
            threads: (0..threads).map(|_| ThreadCounts::default()).collect(),
            root_tablebase_hits: ranking.hits as u64,
        }
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.len()
    }

    pub(super) fn of_thread(&self, number: usize) -> &ThreadCounts {
        &self.threads[number]
    }

    /// The nodes of all threads together.
    pub(super) fn nodes(&self) -> u64 {
        let counts = self.threads.iter();
        counts
            .map(|count| count.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// The positions that all threads together found in the tablebases, and the root moves.
    pub(super) fn tablebase_hits(&self) -> u64 {
        let counts = self.threads.iter();
        let in_tree: u64 = counts
            .map(|count| count.tablebase_hits.load(Ordering::Relaxed))
            .sum();
        in_tree + self.root_tablebase_hits
    }
}
