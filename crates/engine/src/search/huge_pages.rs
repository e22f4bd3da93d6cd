//! Memory in huge pages: what the transposition table lies in.
//!
//! The search reads the table at random places. With pages of 4 KiB nearly every look-up is of a
//! page that the processor has no translation for at hand, and the walk through the page tables
//! costs more than the look-up. Pages of 2 MiB are so few that it remembers those of up to a few
//! GiB (docs/lab/speed.md has the figures). Linux provides them on request
//! (`madvise(MADV_HUGEPAGE)`), or always if it is configured so. Otherwise pages have the usual
//! size, and only speed is lost.

use std::sync::atomic::AtomicU64;

use memmap2::MmapMut;
use zerocopy::FromBytes;

/// The size of a huge page and the alignment that it needs, in bytes.
const HUGE_PAGE: usize = 2 << 20;

/// What must be left beside such memory, in bytes: more than the heap grows by at a time.
const ROOM_BESIDE: usize = 1 << 20;

/// Whether the system would give this much memory now. An allocation that fails ends the program,
/// so this is asked before large ones.
pub(super) fn has_room(bytes: usize) -> bool {
    MmapMut::map_anon(bytes).is_ok()
}

/// Memory that belongs to one owner, zero at first. Pages that are never touched take no memory,
/// and everything goes back to the system when the owner is dropped.
#[derive(Debug)]
pub(super) struct HugePages {
    mapping: MmapMut,
    /// Where the first huge page begins in the mapping.
    first: usize,
    bytes: usize,
}

impl HugePages {
    /// This many bytes, a multiple of eight and not zero. `None` if there is not enough memory, or
    /// none is left beside it for the small allocations that follow.
    pub(super) fn zeroed(bytes: usize) -> Option<HugePages> {
        let mapping = MmapMut::map_anon(bytes.checked_add(HUGE_PAGE)?).ok()?;
        if !has_room(ROOM_BESIDE) {
            return None;
        }
        #[cfg(target_os = "linux")]
        {
            // Without huge pages the table is slower, and that is all.
            let _ = mapping.advise(memmap2::Advice::HugePage);
        }
        let first = mapping.as_ptr().align_offset(HUGE_PAGE);
        Some(HugePages {
            mapping,
            first: first.min(HUGE_PAGE),
            bytes,
        })
    }

    /// The memory as atomic integers.
    pub(super) fn entries(&mut self) -> &mut [AtomicU64] {
        let used = &mut self.mapping[self.first..self.first + self.bytes];
        <[AtomicU64]>::mut_from_bytes(used).expect("memory at the start of a page is aligned")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_and_keeps_what_is_written() {
        for bytes in [8, 4096, 3 * HUGE_PAGE + 64] {
            let mut memory = HugePages::zeroed(bytes).expect("a few mebibytes of memory");
            let entries = memory.entries();
            assert_eq!(entries.len(), bytes / 8);
            assert!(entries.iter_mut().all(|entry| *entry.get_mut() == 0));
            *entries[bytes / 8 - 1].get_mut() = 17;
            assert_eq!(*memory.entries()[bytes / 8 - 1].get_mut(), 17);
        }
    }

    #[test]
    fn more_than_any_machine_has_is_refused() {
        assert!(HugePages::zeroed(usize::MAX - 7).is_none());
        assert!(HugePages::zeroed(isize::MAX as usize).is_none());
    }
}
