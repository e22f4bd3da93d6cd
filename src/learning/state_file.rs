//! Files that hold the state of a run, and are replaced whole.
//!
//! The new state is written beside the old one, which it replaces when it is complete. So a run can be killed at any
//! moment and the disk can be full: one of the two states is always there.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Replaces the contents of a file; if there is none, it is created. What a killed run leaves beside it, with `.tmp`
/// behind its name, is overwritten the next time.
///
/// # Errors
///
/// If the file can't be written. Then it is as it was before.
pub(super) fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let temporary = path.with_added_extension("tmp");
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(contents)?;
        // Some file systems notice only here that the disk is full.
        file.sync_all()
    });
    let replaced = written.and_then(|()| fs::rename(&temporary, path));
    if replaced.is_err() {
        // The first error tells more than one of this.
        let _ = fs::remove_file(&temporary);
    }
    replaced
}
