//! The transposition table: positions that were searched already, by key.
//!
//! Different orders of the same moves lead to one position. What was found there is looked up
//! instead of searched again, and its best move is tried first.

use crate::game::{LONGEST_LOSS, LONGEST_WIN, Score};

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is at least as high: the search was cut off.
    Lower,
    /// The true one is at most as high: no move was good enough.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<M> {
    key: u64,
    score: Score,
    depth: i32,
    bound: Bound,
    /// The best move, or the one that caused the cutoff.
    pub(crate) best: Option<M>,
}

impl<M: Copy> Entry<M> {
    /// What a search to a depth has found. Wins are stored as seen from this position, so that
    /// they are right at another distance from the root too.
    pub(crate) fn new(
        depth: i32,
        ply: usize,
        score: Score,
        bound: Bound,
        best: Option<M>,
    ) -> Entry<M> {
        let ply = ply as Score;
        let score = match score {
            LONGEST_WIN.. => score + ply,
            ..=LONGEST_LOSS => score - ply,
            _ => score,
        };
        Entry {
            key: 0,
            score,
            depth,
            bound,
            best,
        }
    }

    /// How deep the search was.
    pub(crate) fn depth(&self) -> i32 {
        self.depth
    }

    /// The score, if it lets a search with this window end at once.
    pub(crate) fn cutoff(&self, ply: usize, alpha: Score, beta: Score) -> Option<Score> {
        let ply = ply as Score;
        let score = match self.score {
            LONGEST_WIN.. => self.score - ply,
            ..=LONGEST_LOSS => self.score + ply,
            score => score,
        };
        let ends = match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
        };
        ends.then_some(score)
    }
}

/// A table with a place for each of the last bits of a key. The newer entry replaces the older.
#[derive(Debug)]
pub(crate) struct TranspositionTable<M> {
    entries: Vec<Option<Entry<M>>>,
}

impl<M: Copy> TranspositionTable<M> {
    /// A table with `2^bits` entries.
    pub(crate) fn new(bits: u32) -> TranspositionTable<M> {
        TranspositionTable {
            entries: vec![None; 1 << bits],
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(None);
    }

    /// The entry of a position.
    pub(crate) fn probe(&self, key: u64) -> Option<Entry<M>> {
        self.entries[self.index(key)].filter(|entry| entry.key == key)
    }

    /// Stores what was found in a position.
    pub(crate) fn store(&mut self, key: u64, mut entry: Entry<M>) {
        let index = self.index(key);
        let old = self.entries[index].filter(|old| old.key == key);
        entry.best = entry.best.or(old.and_then(|old| old.best));
        entry.key = key;
        self.entries[index] = Some(entry);
    }

    fn index(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1)
    }
}
