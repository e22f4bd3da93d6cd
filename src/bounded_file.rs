//! Reads files that a user names: regular files only, up to a maximum size.
//!
//! Opening a named pipe blocks until somebody writes to it, and a device such as `/dev/zero` never ends. Both
//! are rejected before they are opened.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// Opens a regular file for reading.
///
/// # Errors
///
/// If the file can't be opened, or is a directory, a pipe, a device or a socket.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(path)?;
    File::open(path)
}

/// Checks that a path, with links followed, leads to a regular file.
///
/// # Errors
///
/// If there is no file, or not a regular one.
pub fn check_regular(path: &Path) -> io::Result<()> {
    if fs::metadata(path)?.is_file() {
        Ok(())
    } else {
        Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ))
    }
}

/// Reads a regular file of at most `max_bytes`.
///
/// # Errors
///
/// Those of [`open`], and if the file can't be read or is larger.
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
    // The file can have grown since, or report no length, like files in /proc.
    let mut bytes = Vec::with_capacity(length as usize);
    (&mut file).take(max_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Reads a regular file of at most `max_bytes` as text.
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
    fn a_directory_is_refused() {
        let error = read(&std::env::temp_dir(), 100).expect_err("it is no file");
        assert_eq!(error.to_string(), "not a regular file");
    }
}
