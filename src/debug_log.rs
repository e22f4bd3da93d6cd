//! The file that the option `Debug Log File` names: where diagnostics go instead of stderr while it is
//! open.
//!
//! The option is set in the middle of a conversation, long after tracing was started. So the subscriber
//! writes through this handle, which looks up at every write where the words are to go.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A log file that can be opened, exchanged and closed at any time. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct DebugLog(Arc<Mutex<Option<File>>>);

impl DebugLog {
    /// No file yet: words go to stderr.
    pub fn new() -> DebugLog {
        DebugLog::default()
    }

    /// Opens a file and sends all further words there, after what it holds already.
    ///
    /// # Errors
    ///
    /// If the file can't be opened for writing; the old one stays in use.
    pub fn open(&self, path: &Path) -> io::Result<()> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        *self.file() = Some(file);
        Ok(())
    }

    /// Closes the file; words go to stderr again.
    pub fn close(&self) {
        *self.file() = None;
    }

    /// Whether a file is open.
    pub fn is_open(&self) -> bool {
        self.file().is_some()
    }

    fn file(&self) -> MutexGuard<'_, Option<File>> {
        // A writer that panicked leaves the file as usable as it was.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for DebugLog {
    fn write(&mut self, words: &[u8]) -> io::Result<usize> {
        match &mut *self.file() {
            Some(file) => file.write(words),
            None => io::stderr().write(words),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *self.file() {
            Some(file) => file.flush(),
            None => io::stderr().flush(),
        }
    }
}
