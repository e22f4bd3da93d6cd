//! Reads files that a user names: regular files only, up to a maximum size.
//!
//! Opening a named pipe blocks until somebody writes to it, a device such as `/dev/zero` never
//! ends, and reading some files of `/proc`, which have no length, waits for news. All are rejected
//! before they are opened.
//!
//! A file that is replaced between the check and the opening escapes the check. That race is
//! accepted: the check guards against a mistaken path, not against somebody who may replace the
//! user's files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file with content for reading.
///
/// # Errors
///
/// If the file can't be opened, is a directory, a pipe, a device or a socket, or has a length of
/// zero.
pub fn open(path: &Path) -> io::Result<File> {
    if check_regular(path)? == 0 {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "empty, or of unknown length",
        ));
    }
    File::open(path)
}

/// Checks that a path, with links followed, leads to a regular file. Returns the file's length in
/// bytes.
///
/// # Errors
///
/// If there is no file, or not a regular one.
pub fn check_regular(path: &Path) -> io::Result<u64> {
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(error.kind(), "there is no such file"),
        _ => error,
    })?;
    if metadata.is_file() {
        Ok(metadata.len())
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ))
    }
}

/// Reads a regular file of 1 to `max_bytes` bytes.
///
/// # Errors
///
/// Those of [`open`], and if the file can't be read, is larger, or there is no memory for it.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let too_large = || {
        let reason = format!("larger than {max_bytes} bytes");
        io::Error::new(io::ErrorKind::FileTooLarge, reason)
    };
    let length = file.metadata()?.len();
    if length > max_bytes {
        return Err(too_large());
    }
    // The file can have grown since.
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length as usize)?;
    (&mut file).take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large());
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::{NamedTempFile, TempPath};

    /// A file with this many bytes, removed at the end of the test.
    fn file_of(length: usize) -> TempPath {
        let file = NamedTempFile::with_prefix("squarewise-").expect("a file can be made");
        fs::write(&file, vec![b'x'; length]).expect("the file can be written");
        file.into_temp_path()
    }

    #[test]
    fn a_file_up_to_the_bound_is_read_and_a_larger_one_refused() {
        let path = file_of(100);
        let at_bound = read(&path, 100).expect("it is not too large");
        assert_eq!(at_bound, [b'x'; 100]);
        let error = read(&path, 99).expect_err("it is too large");
        assert_eq!(error.to_string(), "larger than 99 bytes");
    }

    #[test]
    fn an_empty_file_is_refused() {
        let error = read(&file_of(0), 100).expect_err("it has no content");
        assert_eq!(error.to_string(), "empty, or of unknown length");
    }

    #[test]
    fn a_missing_file_is_said_to_be_missing() {
        let missing = std::env::temp_dir().join("squarewise-no-such-file");
        let error = read(&missing, 100).expect_err("it is not there");
        assert_eq!(error.to_string(), "there is no such file");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn a_directory_is_refused() {
        let error = read(&std::env::temp_dir(), 100).expect_err("it is no file");
        assert_eq!(error.to_string(), "not a regular file");
    }
}
