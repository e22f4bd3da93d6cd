//! Reads files that a user names: regular files only, up to a maximum size.
//!
//! Opening a named pipe blocks until somebody writes to it, a device such as `/dev/zero` never ends, and reading
//! some files of `/proc`, which have no length, waits for news. All are rejected before they are opened.
//!
//! A file that is replaced between the check and the opening escapes the check. That race is accepted: the check
//! guards against a mistaken path, not against somebody who may replace the user's files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file with content for reading.
///
/// # Errors
///
/// If the file can't be opened, is a directory, a pipe, a device or a socket, or has a length of zero.
pub fn open(path: &Path) -> io::Result<File> {
    if check_regular(path)? == 0 {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "empty, or of unknown length",
        ));
    }
    File::open(path)
}

/// Checks that a path, with links followed, leads to a regular file. Returns the file's length in bytes.
///
/// # Errors
///
/// If there is no file, or not a regular one.
pub fn check_regular(path: &Path) -> io::Result<u64> {
    let metadata = fs::metadata(path)?;
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

/// Reads a regular file of 1 to `max_bytes` bytes as text.
///
/// # Errors
///
/// Those of [`read`], and if the file is not UTF-8.
pub fn read_to_string(path: &Path, max_bytes: u64) -> io::Result<String> {
    String::from_utf8(read(path, max_bytes)?)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A temporary file with this many bytes.
    fn file_of(length: usize) -> std::path::PathBuf {
        let name = format!("squarewise-bounded-{}-{length}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, vec![b'x'; length]).expect("the file can be written");
        path
    }

    #[test]
    fn a_file_up_to_the_bound_is_read_and_a_larger_one_refused() {
        let path = file_of(100);
        let at_bound = read_to_string(&path, 100);
        let beyond = read(&path, 99);
        fs::remove_file(&path).expect("the file was there");
        assert_eq!(at_bound.expect("it is not too large"), "x".repeat(100));
        let error = beyond.expect_err("it is too large");
        assert_eq!(error.to_string(), "larger than 99 bytes");
    }

    #[test]
    fn an_empty_file_is_refused() {
        let path = file_of(0);
        let empty = read(&path, 100);
        fs::remove_file(&path).expect("the file was there");
        let error = empty.expect_err("it has no content");
        assert_eq!(error.to_string(), "empty, or of unknown length");
    }

    #[test]
    fn a_directory_is_refused() {
        let error = read(&std::env::temp_dir(), 100).expect_err("it is no file");
        assert_eq!(error.to_string(), "not a regular file");
    }
}
