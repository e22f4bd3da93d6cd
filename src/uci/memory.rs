//! The memory of the machine, to reject a transposition table that would not fit.
//!
//! Operating systems promise more memory than there is and end a process that uses it (overcommit).
//! So an allocation that succeeds is not enough of a test.

use std::io;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The memory of the machine, or of the container (cgroup) if that has less, in MiB; `None` if the
/// operating system doesn't report it. Includes memory that other processes use.
pub fn total_megabytes() -> Option<usize> {
    let memory = MemoryRefreshKind::nothing().with_ram();
    let system = System::new_with_specifics(RefreshKind::nothing().with_memory(memory)).ok()?;
    let machine = Some(system.total_memory());
    let container = system.cgroup_limits().map(|limits| limits.total_memory);
    let bytes = [machine, container].into_iter().flatten();
    let smallest = bytes.filter(|bytes| *bytes > 0).min()?;
    usize::try_from(smallest >> 20).ok()
}

/// Refuses transposition tables of so many MiB together that the machine has no memory for.
///
/// # Errors
///
/// If there is less, in the words of the option `Hash`.
pub fn refuse_beyond_memory(megabytes: usize) -> io::Result<()> {
    match total_megabytes().filter(|total| megabytes > *total) {
        None => Ok(()),
        Some(total) => {
            let reason = format!(
                "{megabytes} MiB of hash were asked for, and there are {total} MiB of memory"
            );
            Err(io::Error::new(io::ErrorKind::OutOfMemory, reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_reports_its_memory_has_some() {
        // Where the tests run there is room for them.
        assert!(total_megabytes().is_none_or(|megabytes| megabytes >= 64));
    }

    #[test]
    fn more_than_the_machine_has_is_refused() {
        assert!(refuse_beyond_memory(16).is_ok());
        let all = refuse_beyond_memory(usize::MAX);
        assert_eq!(all.is_err(), total_megabytes().is_some());
    }
}
