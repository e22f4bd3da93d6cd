//! The transposition table (TT): results of the search, by the Zobrist keys of their positions.
//!
//! Different move orders lead to the same position. Its entry holds the best move found there,
//! which is searched first, and a score with its depth and bound, which can cut the node off at
//! once. Keys are mapped to buckets of four entries; in a full bucket the replacement policy keeps
//! deep and recent entries.
//!
//! An entry is a single atomic 64-bit integer, so the table needs no locks, and no thread ever sees
//! half of what another one writes. There is room for only 19 bits of the key in it. Together with
//! the bucket they tell positions apart well enough: in a full table about one in 130,000 look-ups
//! of a missing position finds the entry of another (four entries, of which each matches by chance
//! once in 2^19). The search checks that a move is legal before it plays it, and a wrong score in
//! so few nodes doesn't matter (Stockfish keeps 16 bits). The static evaluation isn't stored: each
//! thread remembers those that it has found (see [`crate::evaluation::Evaluator`]).
//!
//! `TranspositionTable` owns the memory and lives as long as the engine; `Buckets` is what the
//! threads of one search share of it.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, available_parallelism};

use super::huge_pages::{HugePages, has_room};
pub(super) use super::tt_entry::{Entry, MAX_DEPTH};
use super::tt_entry::{GENERATION_MASK, Packed};
use super::window::Bound;
use crate::position::zobrist::GOLDEN_GAMMA;

/// Entries of a bucket. Four entries of 8 bytes are half a cache line, so no bucket straddles two
/// lines.
const BUCKET_ENTRIES: usize = 4;
const BUCKET_BYTES: usize = BUCKET_ENTRIES * 8;

/// Entries of a page of memory, 4 KiB.
const PAGE_LENGTH: usize = 512;

/// A thread that goes through the memory of the table takes this many entries at a time: 32 MiB,
/// which takes some ten milliseconds. A smaller table isn't worth a second thread.
const PART_LENGTH: usize = 32 << 17;

/// The stack of such a thread, in bytes.
const CLEARING_STACK_BYTES: usize = 64 << 10;

/// More than a thread allocates to begin, in bytes.
const START_BYTES: usize = 1 << 20;

/// Just under half of the 32 generations: together with the step of the next search it makes an
/// entry of up to 63 plies rank below any new one.
const OLD: u8 = GENERATION_MASK / 2;

/// For the replacement policy, one generation of age counts as this many plies of depth.
const AGE_WEIGHT: i32 = 4;

/// An entry of the same search that is deeper than a new one by more than this many plies is kept.
const KEPT_DEPTH_MARGIN: i32 = 3;

/// There is not enough memory for a transposition table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no memory for a transposition table of {megabytes} MiB")]
pub struct AllocationError {
    /// The requested size in MiB.
    pub megabytes: usize,
}

/// The transposition table: its memory, and its state between searches.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    memory: HugePages,
    buckets: usize,
    generation: u8,
    /// Whether no search has used the table since it was allocated or cleared.
    is_unused: bool,
    /// Combined with every key: changing it makes all stored entries unfindable.
    salt: u64,
}

impl TranspositionTable {
    /// An empty transposition table of `megabytes` MiB.
    pub(super) fn new(megabytes: usize) -> Result<TranspositionTable, AllocationError> {
        let bytes = megabytes.checked_mul(1 << 20);
        bytes
            .and_then(|bytes| TranspositionTable::of_buckets((bytes / BUCKET_BYTES).max(1)))
            .ok_or(AllocationError { megabytes })
    }

    /// An empty table of this many buckets, if there is memory for it. The system provides a page
    /// only when it is first touched, and that takes far longer than a node of the search. So every
    /// page is touched here, while no clock runs.
    fn of_buckets(buckets: usize) -> Option<TranspositionTable> {
        let mut memory = HugePages::zeroed(buckets * BUCKET_BYTES)?;
        for_each_part(memory.entries(), |part| {
            for page in part.chunks_mut(PAGE_LENGTH) {
                *page[0].get_mut() = 0;
            }
        });
        Some(TranspositionTable {
            memory,
            buckets,
            generation: 0,
            is_unused: true,
            salt: 0,
        })
    }

    /// The size in MiB.
    pub(super) fn megabytes(&self) -> usize {
        (self.buckets * BUCKET_BYTES) >> 20
    }

    /// Replaces the table with an empty one of `megabytes` MiB. The old one is freed first, so that
    /// there are never two. If there is not enough memory, the table has its old size and is empty;
    /// if there is none for that either, it has a mebibyte or less. Without memory even for a
    /// placeholder it stays as it is.
    pub(super) fn resize(&mut self, megabytes: usize) -> Result<(), AllocationError> {
        let old_size = self.megabytes();
        // Holds the place while the old table is freed and the new one is not there yet.
        *self = TranspositionTable::of_buckets(1).ok_or(AllocationError { megabytes })?;
        let result = TranspositionTable::new(megabytes).map(|table| *self = table);
        if result.is_err() {
            let substitutes = [old_size, 1].into_iter();
            if let Some(table) = substitutes.flat_map(TranspositionTable::new).next() {
                *self = table;
            }
        }
        result
    }

    /// Removes all entries. A table that no search has used is empty.
    pub(super) fn clear(&mut self) {
        if self.is_unused {
            return;
        }
        for_each_part(self.memory.entries(), |part| {
            part.iter_mut().for_each(|entry| *entry.get_mut() = 0);
        });
        self.generation = 0;
        self.is_unused = true;
        self.salt = 0;
    }

    /// Forgets all entries at once, on a running clock: what was stored isn't found any more, and
    /// what the last searches have stored is so old that anything else replaces it. What is older
    /// than 15 searches counts as young again, and takes the place of shallow entries until it is
    /// replaced.
    pub(super) fn forget(&mut self) {
        if self.is_unused {
            return;
        }
        // An odd step: the salt repeats only after 2^64 of them.
        self.salt = self.salt.wrapping_add(GOLDEN_GAMMA);
        self.generation = (self.generation + OLD) & GENERATION_MASK;
    }

    /// Starts a new generation, at the beginning of a search: entries of older generations are
    /// replaced first. Returns the table for the threads of this search.
    pub(super) fn start_search(&mut self) -> Buckets<'_> {
        self.is_unused = false;
        self.generation = (self.generation + 1) & GENERATION_MASK;
        self.buckets()
    }

    /// The table as the threads of the last search shared it.
    pub(super) fn buckets(&mut self) -> Buckets<'_> {
        Buckets {
            entries: self.memory.entries(),
            count: self.buckets,
            generation: self.generation,
            salt: self.salt,
        }
    }
}

/// The transposition table as the threads of a search share it. Probing and storing need only a
/// shared reference.
#[derive(Clone, Copy, Debug)]
pub(super) struct Buckets<'a> {
    entries: &'a [AtomicU64],
    count: usize,
    /// The generation of what is stored.
    generation: u8,
    /// What the keys are combined with.
    salt: u64,
}

impl Buckets<'_> {
    /// The entry of the position with this key.
    #[inline]
    pub(super) fn probe(self, key: u64) -> Option<Entry> {
        let key = key ^ self.salt;
        self.bucket(key).iter().find_map(|slot| {
            let packed = Packed(slot.load(Ordering::Relaxed));
            packed.has_key(key).then(|| packed.unpack()).flatten()
        })
    }

    /// Stores the entry of a position. It replaces the older entry of the same position, if there
    /// is one, or its move alone if the rest should be kept; otherwise it replaces the entry of the
    /// bucket with the lowest priority.
    #[inline]
    pub(super) fn store(self, key: u64, mut entry: Entry) {
        let key = key ^ self.salt;
        let mut lowest_priority = i32::MAX;
        let bucket = self.bucket(key);
        let mut replaced = &bucket[0];
        for slot in bucket {
            let old = Packed(slot.load(Ordering::Relaxed));
            if old.has_key(key) {
                if self.should_keep(old, entry) {
                    // Its move is the newer one, whatever the depth.
                    if let (Some(best), Some(kept)) = (entry.best, old.unpack()) {
                        let kept = Entry {
                            best: Some(best),
                            ..kept
                        };
                        let packed = Packed::new(key, kept, self.generation);
                        slot.store(packed.0, Ordering::Relaxed);
                    }
                    return;
                }
                // A search that failed low has no best move; the older one is still the best there
                // is.
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
        let packed = Packed::new(key, entry, self.generation);
        replaced.store(packed.0, Ordering::Relaxed);
    }

    /// The share of the table that holds entries of the current search, in per mille, from a
    /// sample.
    pub(super) fn hashfull(self) -> usize {
        let sample = (self.count * BUCKET_ENTRIES).min(1000);
        let used = self.entries[..sample]
            .iter()
            .map(|slot| Packed(slot.load(Ordering::Relaxed)))
            .filter(|entry| !entry.is_empty() && entry.generation() == self.generation)
            .count();
        used * 1000 / sample
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[AtomicU64] {
        let start = self.bucket_start(key);
        &self.entries[start..start + BUCKET_ENTRIES]
    }

    #[inline]
    fn bucket_start(self, key: u64) -> usize {
        // The high half of the product distributes the keys evenly over any number of buckets.
        let index = ((u128::from(key) * self.count as u128) >> 64) as usize;
        index * BUCKET_ENTRIES
    }

    /// Prefetches the bucket of a position that will be probed soon into the cache.
    #[inline]
    pub(super) fn prefetch(self, key: u64) {
        prefetch_index::prefetch_index(self.entries, self.bucket_start(key ^ self.salt));
    }

    /// Whether the old entry of a position is kept in spite of a new one: it is from the same
    /// search and more than three plies deeper, and the new score is not exact.
    fn should_keep(self, old: Packed, new: Entry) -> bool {
        new.bound != Bound::Exact
            && old.generation() == self.generation
            && i32::from(old.depth()) > i32::from(new.depth) + KEPT_DEPTH_MARGIN
    }

    /// Replacement policy: of a full bucket the entry with the lowest priority is replaced. Depth
    /// raises the priority, age lowers it.
    fn priority(self, entry: Packed) -> i32 {
        if entry.is_empty() {
            return i32::MIN;
        }
        let age = self.generation.wrapping_sub(entry.generation()) & GENERATION_MASK;
        i32::from(entry.depth()) - AGE_WEIGHT * i32::from(age)
    }
}

/// Calls `work` with each part of the memory, on all processor cores if there are several parts.
/// Where the system refuses threads, those that it has started do the work, and the calling thread
/// is one of them.
fn for_each_part(memory: &mut [AtomicU64], work: impl Fn(&mut [AtomicU64]) + Sync) {
    let parts = memory.len().div_ceil(PART_LENGTH);
    let threads = available_parallelism().map_or(1, NonZero::get).min(parts);
    let parts = Mutex::new(memory.chunks_mut(PART_LENGTH));
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_on_parts = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            let thread = thread::Builder::new().stack_size(CLEARING_STACK_BYTES);
            if !has_room(CLEARING_STACK_BYTES + START_BYTES)
                || thread.spawn_scoped(scope, work_on_parts).is_err()
            {
                break;
            }
        }
        work_on_parts();
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::packed_move::CompactMove;
    use crate::score::Score;

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
        let mut tt = small_tt();
        let tt = tt.start_search();
        assert_eq!(tt.probe(42), None);
        assert_eq!(tt.probe(0), None);
        tt.store(42, entry(9));
        assert_eq!(tt.probe(42), Some(entry(9)));
        assert_eq!(tt.probe(43), None);
    }

    #[test]
    fn the_shallowest_entry_of_a_full_bucket_is_replaced() {
        let mut tt = small_tt();
        let tt = tt.start_search();
        for (key, depth) in (1..).zip([8, 3, 12, 5, 10]) {
            tt.store(key, entry(depth));
        }
        assert_eq!(tt.probe(2), None);
        assert!([1, 3, 4, 5].iter().all(|key| tt.probe(*key).is_some()));
    }

    #[test]
    fn what_was_forgotten_is_not_found_and_leaves_its_place_to_anything_else() {
        let mut tt = small_tt();
        let count = tt.buckets as u64;
        // One in each bucket, deeper than searches are.
        let keys = |salt: u64| (0..count).map(move |i| ((u64::MAX / count + 1) * i + 1) ^ salt);
        let deep = entry(63);
        let buckets = tt.start_search();
        keys(0).for_each(|key| buckets.store(key, deep));
        tt.forget();
        let buckets = tt.start_search();
        assert!(keys(0).all(|key| buckets.probe(key).is_none()));
        for (other, depth) in (1 << 20..).zip([3, 2, 1, 0]) {
            keys(buckets.salt).for_each(|key| buckets.store(key ^ other, entry(depth)));
        }
        for (other, depth) in (1 << 20..).zip([3, 2, 1, 0]) {
            let mut found = keys(buckets.salt).map(|key| buckets.probe(key ^ other));
            assert!(found.all(|found| found == Some(entry(depth))), "{depth}");
        }
        tt.clear();
        let buckets = tt.start_search();
        buckets.store(1, deep);
        assert_eq!((buckets.salt, buckets.probe(1)), (0, Some(deep)));
    }

    #[test]
    fn an_old_entry_is_replaced_before_a_shallow_new_one() {
        let mut tt = small_tt();
        tt.start_search().store(1, entry(8));
        for _ in 0..2 {
            tt.start_search();
        }
        let tt = tt.start_search();
        for key in 2..=5 {
            tt.store(key, entry(1));
        }
        assert_eq!(tt.probe(1), None);
    }

    #[test]
    fn an_entry_without_a_move_keeps_the_older_move() {
        let mut tt = small_tt();
        let tt = tt.start_search();
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

    #[test]
    fn a_much_shallower_entry_leaves_its_move_alone() {
        let mut tt = small_tt();
        let tt = tt.start_search();
        let best = CompactMove::from_bits(700);
        tt.store(42, entry(9));
        tt.store(42, Entry { best, ..entry(2) });
        assert_eq!(tt.probe(42), Some(Entry { best, ..entry(9) }));
    }

    /// Stores an entry in each of the first buckets, of which `hashfull` takes its sample.
    fn store_in_each_bucket(tt: Buckets, number: u64) {
        for bucket in 0..(1 << 15) {
            // The high bits of a key select its bucket.
            tt.store(bucket << 49 | number, entry(1));
        }
    }

    #[test]
    fn hashfull_is_the_share_of_entries_of_the_current_search_in_per_mille() {
        let mut table = small_tt();
        let tt = table.start_search();
        assert_eq!(tt.hashfull(), 0);
        store_in_each_bucket(tt, 1);
        assert_eq!(tt.hashfull(), 250);
        (2..=4).for_each(|number| store_in_each_bucket(tt, number));
        assert_eq!(tt.hashfull(), 1000);
        // The next search counts what it stores itself: a new position, and one that it meets
        // again.
        let tt = table.start_search();
        assert_eq!(tt.hashfull(), 0);
        store_in_each_bucket(tt, 4);
        assert_eq!(tt.hashfull(), 250);
        store_in_each_bucket(tt, 5);
        assert_eq!(tt.hashfull(), 500);
    }

    #[test]
    fn a_cleared_table_has_no_entries() {
        let mut table = small_tt();
        let tt = table.start_search();
        // The keys of the first, a middle and the last bucket.
        let keys = [42, 42 << 57, u64::MAX];
        keys.iter().for_each(|key| tt.store(*key, entry(9)));
        table.clear();
        let tt = table.buckets();
        assert!(keys.iter().all(|key| tt.probe(*key).is_none()));
    }

    #[test]
    fn a_table_that_can_not_be_resized_has_its_old_size() {
        let mut tt = TranspositionTable::new(3).expect("3 MiB can be allocated");
        assert_eq!(tt.resize(2), Ok(()));
        assert_eq!(tt.megabytes(), 2);
        tt.buckets().store(42, entry(9));
        let megabytes = usize::MAX >> 20;
        assert_eq!(tt.resize(megabytes), Err(AllocationError { megabytes }));
        assert_eq!(tt.megabytes(), 2);
        let tt = tt.buckets();
        assert_eq!(tt.probe(42), None);
        tt.store(u64::MAX, entry(9));
        assert_eq!(tt.probe(u64::MAX), Some(entry(9)));
    }

    #[test]
    fn the_smallest_table_works() {
        let mut tt = TranspositionTable::of_buckets(1).expect("a page of memory");
        let tt = tt.start_search();
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
