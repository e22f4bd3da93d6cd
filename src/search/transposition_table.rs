//! The transposition table (TT): results of the search, by the Zobrist keys of their positions.
//!
//! Different move orders lead to the same position. Its entry holds the best move found there, which is
//! searched first, and a score with its depth and bound, which can cut the node off at once. Keys are mapped to
//! buckets of four entries; in a full bucket the replacement policy keeps deep and recent entries.
//!
//! The table is lock-free. An entry is two atomic 64-bit integers: its data, and its key xor its data. If two
//! threads write the same entry at once, the xor of mixed halves equals neither key, so a torn entry is never
//! found (Hyatt and Mann, *A lockless transposition table implementation for parallel search*, 2002).

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::ThreadPool;
use rayon::prelude::*;

use super::window::Bound;
use crate::position::packed_move::CompactMove;
use crate::score::Score;

/// Entries of a bucket. Four entries of 16 bytes fill a cache line.
const BUCKET_ENTRIES: usize = 4;
/// 64-bit integers of an entry: key xor data, and data.
const ENTRY_LENGTH: usize = 2;
/// 64-bit integers of a bucket.
const BUCKET_LENGTH: usize = BUCKET_ENTRIES * ENTRY_LENGTH;
const BUCKET_BYTES: usize = BUCKET_LENGTH * 8;

/// At least this many bytes are allocated. glibc maps a block of more than 32 MiB, which goes back to the system when
/// it is freed, and can keep a smaller one. Memory that is never touched costs nothing.
const MIN_ALLOCATED_BYTES: usize = 33 << 20;

/// A thread that clears the table takes this many words at a time: a mebibyte.
const CLEARED_AT_ONCE: usize = 1 << 17;

/// 64-bit integers of a page of memory, 4 KiB.
const PAGE_LENGTH: usize = 512;

/// A table of this size is cleared on all processor cores even if the search has one thread: to clear a GiB takes a
/// fifth of a second.
const HUGE_MEGABYTES: usize = 4 << 10;

/// The generation, which is the number of the search that stored an entry, has six bits.
const GENERATION_MASK: u8 = 0x3f;

/// For the replacement policy, one generation of age counts as this many plies of depth.
const AGE_WEIGHT: i32 = 4;

/// The entry of a position. Mates in its score count from the position itself ([`Score::to_tt`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, if the search found one.
    pub best: Option<CompactMove>,
    /// The score from the point of view of the side to move.
    pub score: Score,
    /// The depth of the search, in plies, 0 (quiescence) to 255.
    pub depth: u8,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
}

/// The data of an entry in memory: the move in bits 0 to 15, the score in 16 to 31, the depth in 32 to 39, the
/// bound in 40 to 41 (zero: empty) and the generation in 42 to 47.
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

/// There is not enough memory for a transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a transposition table of {megabytes} MiB")]
pub struct AllocationError {
    /// The requested size in MiB.
    pub megabytes: usize,
}

/// The transposition table. Probing and storing need only a shared reference.
#[derive(Debug)]
pub struct TranspositionTable {
    memory: Box<[AtomicU64]>,
    /// The index in `memory` at which the first bucket starts, so that every bucket is one cache line.
    first: usize,
    buckets: usize,
    generation: u8,
    /// Whether no search has used the table since it was allocated or cleared.
    is_unused: bool,
}

impl TranspositionTable {
    /// An empty transposition table of `megabytes` MiB.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is not enough memory.
    pub fn new(megabytes: usize) -> Result<TranspositionTable, AllocationError> {
        let error = AllocationError { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(error)?;
        let buckets = (bytes / BUCKET_BYTES).max(1);
        let allocated = length_of(buckets).max(MIN_ALLOCATED_BYTES / size_of::<AtomicU64>());
        let memory = bytemuck::allocation::try_zeroed_slice_box(allocated).map_err(|()| error)?;
        Ok(TranspositionTable::in_memory(memory, buckets))
    }

    /// A table of one bucket, for the case that there is no memory for any other.
    fn smallest() -> TranspositionTable {
        let memory = (0..length_of(1)).map(|_| AtomicU64::new(0)).collect();
        TranspositionTable::in_memory(memory, 1)
    }

    /// An empty table of this many buckets in memory that is zero.
    fn in_memory(memory: Box<[AtomicU64]>, buckets: usize) -> TranspositionTable {
        let first = memory.as_ptr().align_offset(BUCKET_BYTES);
        TranspositionTable {
            memory,
            first: first.min(BUCKET_LENGTH - 1),
            buckets,
            generation: 0,
            is_unused: true,
        }
    }

    /// The size in MiB.
    pub fn megabytes(&self) -> usize {
        (self.buckets * BUCKET_BYTES) >> 20
    }

    /// Replaces the table with an empty one of `megabytes` MiB. The old one is freed first, so that there are never
    /// two.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is not enough memory. The table then has its old size and is empty; if there is no
    /// memory for that either, it has a mebibyte or less, see [`TranspositionTable::megabytes`].
    pub fn resize(&mut self, megabytes: usize) -> Result<(), AllocationError> {
        let old_size = self.megabytes();
        *self = TranspositionTable::smallest();
        let (table, result) = match TranspositionTable::new(megabytes) {
            Ok(table) => (table, Ok(())),
            Err(error) => {
                let sizes = [old_size, 1].into_iter();
                let substitute = sizes.flat_map(TranspositionTable::new).next();
                let substitute = substitute.unwrap_or_else(TranspositionTable::smallest);
                (substitute, Err(error))
            }
        };
        *self = table;
        result
    }

    /// Removes all entries, with the threads of a pool if there is one. A table that no search has used is empty.
    pub fn clear(&mut self, pool: Option<&ThreadPool>) {
        if self.is_unused {
            return;
        }
        let is_huge = self.megabytes() >= HUGE_MEGABYTES;
        let used = &mut self.memory[..length_of(self.buckets)];
        let clear_parts = |used: &mut [AtomicU64]| {
            used.par_chunks_mut(CLEARED_AT_ONCE).for_each(set_to_zero);
        };
        match pool {
            Some(pool) => pool.install(|| clear_parts(used)),
            None if is_huge => clear_parts(used),
            None => set_to_zero(used),
        }
        self.generation = 0;
        self.is_unused = true;
    }

    /// Starts a new generation, at the beginning of a search. Entries of older generations are replaced first.
    pub fn age(&mut self) {
        self.is_unused = false;
        self.generation = (self.generation + 1) & GENERATION_MASK;
    }

    /// The entry of the position with this key.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key)
            .chunks_exact(ENTRY_LENGTH)
            .find_map(|entry| {
                let data = entry[1].load(Ordering::Relaxed);
                (entry[0].load(Ordering::Relaxed) ^ data == key)
                    .then(|| Packed(data).unpack())
                    .flatten()
            })
    }

    /// Stores the entry of a position. It replaces the older entry of the same position, if there is one, unless
    /// that one should be kept; otherwise it replaces the entry of the bucket with the lowest priority.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let mut lowest_priority = i32::MAX;
        let mut replaced = &self.bucket(key)[..ENTRY_LENGTH];
        for slot in self.bucket(key).chunks_exact(ENTRY_LENGTH) {
            let data = slot[1].load(Ordering::Relaxed);
            let old = Packed(data);
            if slot[0].load(Ordering::Relaxed) ^ data == key && !old.is_empty() {
                if self.should_keep(old, entry) {
                    return;
                }
                // A search that failed low has no best move; the older one is still the best one known.
                entry.best = entry.best.or(old.unpack().and_then(|old| old.best));
                replaced = slot;
                break;
            }
            let priority = self.priority(old);
            if priority < lowest_priority {
                lowest_priority = priority;
                replaced = slot;
            }
        }
        let packed = Packed::new(entry, self.generation);
        replaced[0].store(key ^ packed.0, Ordering::Relaxed);
        replaced[1].store(packed.0, Ordering::Relaxed);
    }

    /// The share of the table that holds entries of the current search, in per mille, from a sample.
    pub fn hashfull(&self) -> usize {
        let sample = self.buckets.min(1000 / BUCKET_ENTRIES);
        let sampled = &self.memory[self.first..self.first + sample * BUCKET_LENGTH];
        let used = sampled
            .chunks_exact(ENTRY_LENGTH)
            .map(|entry| Packed(entry[1].load(Ordering::Relaxed)))
            .filter(|entry| !entry.is_empty() && entry.generation() == self.generation)
            .count();
        used * 1000 / (sample * BUCKET_ENTRIES)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let start = self.bucket_start(key);
        &self.memory[start..start + BUCKET_LENGTH]
    }

    #[inline]
    fn bucket_start(&self, key: u64) -> usize {
        // The high half of the product distributes the keys evenly over any number of buckets.
        let index = ((u128::from(key) * self.buckets as u128) >> 64) as usize;
        self.first + index * BUCKET_LENGTH
    }

    /// Prefetches the bucket of a position that will be probed soon into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch_index::prefetch_index(&*self.memory, self.bucket_start(key));
    }

    /// Whether the old entry of a position is kept in spite of a new one: it is from the same search and more than
    /// three plies deeper, and the new score is not exact.
    fn should_keep(&self, old: Packed, new: Entry) -> bool {
        new.bound != Bound::Exact
            && old.generation() == self.generation
            && i32::from(old.depth()) > i32::from(new.depth) + 3
    }

    /// Replacement policy: of a full bucket the entry with the lowest priority is replaced. Depth raises the
    /// priority, age lowers it.
    fn priority(&self, entry: Packed) -> i32 {
        if entry.is_empty() {
            return i32::MIN;
        }
        let age = self.generation.wrapping_sub(entry.generation()) & GENERATION_MASK;
        i32::from(entry.depth()) - AGE_WEIGHT * i32::from(age)
    }
}

/// Sets memory to zero, page by page. Pages that are zero already are only read, since those that no search has written
/// to take no memory.
fn set_to_zero(memory: &mut [AtomicU64]) {
    for page in memory.chunks_mut(PAGE_LENGTH) {
        if page.iter_mut().any(|half| *half.get_mut() != 0) {
            page.iter_mut().for_each(|half| *half.get_mut() = 0);
        }
    }
}

/// The 64-bit integers of a table, with room to align its first bucket.
fn length_of(buckets: usize) -> usize {
    buckets * BUCKET_LENGTH + BUCKET_LENGTH - 1
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

    fn small_tt() -> TranspositionTable {
        TranspositionTable::new(1).expect("1 MiB can be allocated")
    }

    #[test]
    fn what_is_stored_comes_back_and_nothing_else() {
        let tt = small_tt();
        assert_eq!(tt.probe(42), None);
        assert_eq!(tt.probe(0), None);
        tt.store(42, entry(9));
        assert_eq!(tt.probe(42), Some(entry(9)));
        assert_eq!(tt.probe(43), None);
    }

    #[test]
    fn a_torn_entry_is_not_found() {
        let tt = small_tt();
        tt.store(42, entry(9));
        let data = &tt.bucket(42)[1];
        data.store(data.load(Ordering::Relaxed) ^ 1 << 33, Ordering::Relaxed);
        assert_eq!(tt.probe(42), None);
    }

    #[test]
    fn the_shallowest_entry_of_a_full_bucket_is_replaced() {
        let tt = small_tt();
        for (key, depth) in [(1, 8), (2, 3), (3, 12), (4, 5), (5, 7)] {
            tt.store(key, entry(depth));
        }
        assert_eq!(tt.probe(2), None);
        assert!([1, 3, 4, 5].into_iter().all(|key| tt.probe(key).is_some()));
    }

    #[test]
    fn an_old_entry_is_replaced_before_a_shallow_new_one() {
        let mut tt = small_tt();
        tt.store(1, entry(8));
        for _ in 0..3 {
            tt.age();
        }
        for key in 2..=5 {
            tt.store(key, entry(1));
        }
        assert_eq!(tt.probe(1), None);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_older_move() {
        let tt = small_tt();
        let best = CompactMove::from_bits(700).expect("not zero");
        tt.store(
            42,
            Entry {
                best: Some(best),
                ..entry(4)
            },
        );
        tt.store(42, entry(5));
        assert_eq!(
            tt.probe(42),
            Some(Entry {
                best: Some(best),
                ..entry(5)
            })
        );
    }

    /// Stores an entry in each of the first buckets, of which `hashfull` takes its sample.
    fn store_in_each_bucket(tt: &TranspositionTable, number: u64) {
        for bucket in 0..(1 << 14) {
            // The high bits of a key select its bucket.
            tt.store(bucket << 50 | number, entry(1));
        }
    }

    #[test]
    fn hashfull_is_the_share_of_entries_of_the_current_search_in_per_mille() {
        let mut tt = small_tt();
        assert_eq!(tt.hashfull(), 0);
        store_in_each_bucket(&tt, 1);
        assert_eq!(tt.hashfull(), 250);
        (2..=4).for_each(|number| store_in_each_bucket(&tt, number));
        assert_eq!(tt.hashfull(), 1000);
        // The next search counts what it stores itself: a new position, and one that it meets again.
        tt.age();
        assert_eq!(tt.hashfull(), 0);
        store_in_each_bucket(&tt, 4);
        assert_eq!(tt.hashfull(), 250);
        store_in_each_bucket(&tt, 5);
        assert_eq!(tt.hashfull(), 500);
    }

    #[test]
    fn a_cleared_table_has_no_entries() {
        let mut tt = small_tt();
        tt.age();
        // The keys of the first, a middle and the last bucket.
        let keys = [42, 42 << 57, u64::MAX];
        keys.iter().for_each(|key| tt.store(*key, entry(9)));
        tt.clear(None);
        assert!(keys.iter().all(|key| tt.probe(*key).is_none()));
    }

    #[test]
    fn a_table_that_can_not_be_resized_has_its_old_size() {
        let mut tt = TranspositionTable::new(3).expect("3 MiB can be allocated");
        assert_eq!(tt.resize(2), Ok(()));
        assert_eq!(tt.megabytes(), 2);
        tt.store(42, entry(9));
        let megabytes = usize::MAX >> 20;
        assert_eq!(tt.resize(megabytes), Err(AllocationError { megabytes }));
        assert_eq!(tt.megabytes(), 2);
        assert_eq!(tt.probe(42), None);
        tt.store(u64::MAX, entry(9));
        assert_eq!(tt.probe(u64::MAX), Some(entry(9)));
    }

    #[test]
    fn the_smallest_table_works() {
        let tt = TranspositionTable::smallest();
        for key in [0, 42, u64::MAX] {
            tt.store(key, entry(9));
            assert_eq!(tt.probe(key), Some(entry(9)));
        }
        assert_eq!(tt.hashfull(), 750);
    }

    #[test]
    fn a_table_larger_than_memory_is_an_error() {
        let error =
            TranspositionTable::new(usize::MAX >> 20).expect_err("no machine has that much");
        assert!(
            error
                .to_string()
                .starts_with("no memory for a transposition table of")
        );
    }
}
