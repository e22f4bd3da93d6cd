//! Files that are written whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

/// Writes a file in one go: to a temporary file beside it, which then takes its name. So a reader never sees a half of
/// it, and an older file is lost only when the new one is complete. What is no regular file, such as a pipe or
/// `/dev/stdout`, is written directly.
///
/// # Errors
///
/// If the file can't be written. The error names the file.
pub(super) fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let named = |error: io::Error| io::Error::other(format!("{}: {error}", path.display()));
    // A symbolic link stays one: the file that it leads to is replaced.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
        return fs::write(&target, contents).map_err(named);
    }
    let Some(name) = target.file_name() else {
        return Err(named(io::ErrorKind::InvalidFilename.into()));
    };
    let mut temporary = name.to_owned();
    temporary.push(format!(".{}.new", std::process::id()));
    let temporary = target.with_file_name(temporary);
    fs::write(&temporary, contents)
        .and_then(|()| fs::rename(&temporary, &target))
        .map_err(|error| {
            // It may not exist.
            let _ = fs::remove_file(&temporary);
            named(error)
        })
}
