//! The transposition table: what the search has found out about positions, by their keys.
//!
//! Many lines lead to the same position. Its entry tells the best move found there (the best guess for
//! which move to try first), and a score with its depth and bound, which may settle the node at once.
//!
//! The table is lock-free and safe. An entry is two atomic words, the data and the key folded into the
//! data by exclusive or. If two threads write the same entry at once and one word of each survives, the
//! fold no longer gives either key, and the torn entry reads as a miss (Hyatt and Mann, *A lockless
//! transposition table implementation for parallel search*, 2002).

use std::sync::atomic::{AtomicU64, Ordering};

use super::window::Bound;
use crate::position::packed_move::CompactMove;
use crate::score::Score;

/// Entries that share a place: a key may stand in any of them. Four of 16 bytes fill a cache line.
const BUCKET_ENTRIES: usize = 4;
const WORDS_PER_ENTRY: usize = 2;
const BUCKET_WORDS: usize = BUCKET_ENTRIES * WORDS_PER_ENTRY;
const BUCKET_BYTES: usize = BUCKET_WORDS * 8;

/// Searches are numbered in six bits, to tell fresh entries from old ones.
const GENERATION_MASK: u8 = 0x3f;

/// A search's age counts as this many plies of depth when an entry must make room.
const AGE_WEIGHT: i32 = 4;

/// What the table knows about a position. Mates in its score count from the position itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move found, if any was.
    pub best: Option<CompactMove>,
    /// The score from the view of the side to move.
    pub score: Score,
    /// The depth to which it was searched, in plies, 0 (quiescence) to 255.
    pub depth: u8,
    /// What the score says.
    pub bound: Bound,
}

/// An entry as it lies in memory: the move in bits 0 to 15, the score in 16 to 31, the depth in 32 to 39,
/// the bound in 40 to 41 (zero: empty) and the generation in 42 to 47.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: Entry, generation: u8) -> Packed {
        let best = entry.best.map_or(0, CompactMove::to_bits);
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Packed(
            u64::from(best)
                | u64::from(entry.score.to_bits()) << 16
                | u64::from(entry.depth) << 32
                | bound << 40
                | u64::from(generation) << 42,
        )
    }

    #[inline]
    fn unpack(self) -> Option<Entry> {
        let bound = match self.0 >> 40 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            best: CompactMove::from_bits(self.0 as u16),
            score: Score::from_bits((self.0 >> 16) as u16),
            depth: self.depth(),
            bound,
        })
    }

    fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    fn is_empty(self) -> bool {
        self.0 >> 40 & 3 == 0
    }

    fn generation(self) -> u8 {
        (self.0 >> 42) as u8 & GENERATION_MASK
    }
}

/// The table asked for does not fit into memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a table of {megabytes} MiB")]
pub struct AllocationError {
    /// The size asked for.
    pub megabytes: usize,
}

/// The table. All methods but those that change its size or age work through a shared reference.
#[derive(Debug)]
pub struct TranspositionTable {
    words: Box<[AtomicU64]>,
    /// The word at which the first bucket starts, so that every bucket is one cache line.
    first: usize,
    buckets: usize,
    generation: u8,
}

impl TranspositionTable {
    /// An empty table of `megabytes` MiB.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for it.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, AllocationError> {
        let error = AllocationError { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error)?;
        let buckets = (bytes / BUCKET_BYTES).max(1);
        let spare = BUCKET_WORDS - 1;
        let length = buckets * BUCKET_WORDS + spare;
        let words: Box<[AtomicU64]> =
            bytemuck::allocation::try_zeroed_slice_box(length).map_err(|()| error)?;
        let first = words.as_ptr().align_offset(BUCKET_BYTES).min(spare);
        Ok(TranspositionTable {
            words,
            first,
            buckets,
            generation: 0,
        })
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for word in &mut *self.words {
            *word.get_mut() = 0;
        }
        self.generation = 0;
    }

    /// Begins a new search: entries of earlier ones give way first.
    pub fn age(&mut self) {
        self.generation = (self.generation + 1) & GENERATION_MASK;
    }

    /// What is known of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key)
            .chunks_exact(WORDS_PER_ENTRY)
            .find_map(|entry| {
                let data = entry[1].load(Ordering::Relaxed);
                (entry[0].load(Ordering::Relaxed) ^ data == key)
                    .then(|| Packed(data).unpack())
                    .flatten()
            })
    }

    /// Remembers an entry. It takes the place of the position's earlier entry, unless that one is of this
    /// search and much deeper, or else of the entry that is worth least by depth and age.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let mut least_worth = i32::MAX;
        let mut place = &self.bucket(key)[..WORDS_PER_ENTRY];
        for candidate in self.bucket(key).chunks_exact(WORDS_PER_ENTRY) {
            let data = candidate[1].load(Ordering::Relaxed);
            let old = Packed(data);
            if candidate[0].load(Ordering::Relaxed) ^ data == key && !old.is_empty() {
                if self.is_worth_more(old, entry) {
                    return;
                }
                // A search that failed low has no best move; the old one is still the best guess.
                entry.best = entry.best.or(old.unpack().and_then(|old| old.best));
                place = candidate;
                break;
            }
            let worth = self.worth(old);
            if worth < least_worth {
                least_worth = worth;
                place = candidate;
            }
        }
        let packed = Packed::new(entry, self.generation);
        place[0].store(key ^ packed.0, Ordering::Relaxed);
        place[1].store(packed.0, Ordering::Relaxed);
    }

    /// How full the table is with entries of the present search, in per mille, sampled.
    pub fn hashfull(&self) -> usize {
        let sample = self.buckets.min(1000 / BUCKET_ENTRIES);
        let words = &self.words[self.first..self.first + sample * BUCKET_WORDS];
        let used = words
            .chunks_exact(WORDS_PER_ENTRY)
            .map(|entry| Packed(entry[1].load(Ordering::Relaxed)))
            .filter(|entry| !entry.is_empty() && entry.generation() == self.generation)
            .count();
        used * 1000 / (sample * BUCKET_ENTRIES)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let start = self.bucket_start(key);
        &self.words[start..start + BUCKET_WORDS]
    }

    #[inline]
    fn bucket_start(&self, key: u64) -> usize {
        // The high half of the product spreads the keys evenly over any number of buckets.
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        self.first + index * BUCKET_WORDS
    }

    /// Asks the memory for the place of a position that is soon to be probed, without waiting for it.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index::prefetch_index(&*self.words, self.bucket_start(key));
    }

    fn is_worth_more(&self, old: Packed, new: Entry) -> bool {
        new.bound != Bound::Exact
            && old.generation() == self.generation
            && i32::from(old.depth()) > i32::from(new.depth) + 3
    }

    fn worth(&self, entry: Packed) -> i32 {
        if entry.is_empty() {
            return i32::MIN;
        }
        let age = self.generation.wrapping_sub(entry.generation()) & GENERATION_MASK;
        i32::from(entry.depth()) - AGE_WEIGHT * i32::from(age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        Entry {
            best: None,
            score: Score::centipawns(-17),
            depth,
            bound: Bound::Lower,
        }
    }

    fn table() -> TranspositionTable {
        TranspositionTable::new(1).expect("a mebibyte can be had")
    }

    #[test]
    fn what_is_stored_comes_back_and_nothing_else() {
        let table = table();
        assert_eq!(table.probe(42), None);
        assert_eq!(table.probe(0), None);
        table.store(42, entry(9));
        assert_eq!(table.probe(42), Some(entry(9)));
        assert_eq!(table.probe(43), None);
    }

    #[test]
    fn a_torn_entry_is_a_miss() {
        let table = table();
        table.store(42, entry(9));
        let data = &table.bucket(42)[1];
        data.store(data.load(Ordering::Relaxed) ^ 1 << 33, Ordering::Relaxed);
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_entry() {
        let table = table();
        for (key, depth) in [(1, 8), (2, 3), (3, 12), (4, 5), (5, 7)] {
            table.store(key, entry(depth));
        }
        assert_eq!(table.probe(2), None);
        assert!(
            [1, 3, 4, 5]
                .into_iter()
                .all(|key| table.probe(key).is_some())
        );
    }

    #[test]
    fn an_old_entry_gives_way_before_a_shallow_fresh_one() {
        let mut table = table();
        table.store(1, entry(8));
        for _ in 0..3 {
            table.age();
        }
        for key in 2..=5 {
            table.store(key, entry(1));
        }
        assert_eq!(table.probe(1), None);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_move_known_before() {
        let table = table();
        let best = CompactMove::from_bits(700).expect("not zero");
        table.store(
            42,
            Entry {
                best: Some(best),
                ..entry(4)
            },
        );
        table.store(42, entry(5));
        assert_eq!(
            table.probe(42),
            Some(Entry {
                best: Some(best),
                ..entry(5)
            })
        );
    }

    #[test]
    fn fullness_counts_the_present_search_alone() {
        let mut table = table();
        // ZobristKeys are spread by their high half, so small steps up there fill the first buckets.
        for key in 0..4000u64 {
            table.store(key << 44 | key, entry(1));
        }
        assert!(table.hashfull() > 0);
        table.age();
        assert_eq!(table.hashfull(), 0);
    }

    #[test]
    fn a_cleared_table_knows_nothing() {
        let mut table = table();
        table.store(42, entry(9));
        table.clear();
        assert_eq!(table.probe(42), None);
    }

    #[test]
    fn a_table_beyond_all_memory_is_refused() {
        let error =
            TranspositionTable::new(usize::MAX >> 20).expect_err("no machine has that much");
        assert!(error.to_string().starts_with("no memory for a table of"));
    }
}
