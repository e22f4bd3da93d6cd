//! The file of the option `Debug Log File`: while it is open, diagnostics and the whole
//! conversation go there instead of to stderr.
//!
//! The option can be set at any time after tracing has started. The subscriber therefore writes
//! through this handle, which checks at every write whether a file is open.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use squarewise_engine::bounded_file;

/// A log file that can be opened, replaced and closed at any time. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct DebugLog(Arc<Mutex<Option<File>>>);

impl DebugLog {
    /// A log without a file, which writes to stderr.
    pub fn new() -> DebugLog {
        DebugLog::default()
    }

    /// Opens a file, creating it if necessary, and appends to it from now on. An existing file must
    /// be a regular one: opening a named pipe would block until somebody reads it. After an error
    /// the old file stays in use.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        match bounded_file::check_regular(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Ok(_) | Err(_) => {}
        }
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        *self.file() = Some(file);
        Ok(())
    }

    /// Closes the file, and writes to stderr again.
    pub fn close(&self) {
        *self.file() = None;
    }

    /// Whether a file is open.
    pub fn is_open(&self) -> bool {
        self.file().is_some()
    }

    fn file(&self) -> MutexGuard<'_, Option<File>> {
        // A panic while writing leaves the file as usable as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for DebugLog {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut *self.file() {
            Some(file) => file.write(bytes),
            None => io::stderr().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.file() {
            Some(file) => file.flush(),
            None => io::stderr().flush(),
        }
    }
}
