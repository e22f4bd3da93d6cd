//! A game that was saved in a file, so that it can be replaced there when it is saved once more.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// A game as it stands at the end of a file.
pub struct SavedGame {
    pub path: PathBuf,
    pub text: Vec<u8>,
}

impl SavedGame {
    pub fn is_in(&self, path: &Path) -> bool {
        path.canonicalize().is_ok_and(|path| path == self.path)
    }

    pub fn is_at_the_end(&self) -> bool {
        let length = self.text.len() as u64;
        let ends_so = || {
            let mut file = File::open(&self.path)?;
            let start = file.seek(SeekFrom::End(0))?.saturating_sub(length);
            file.seek(SeekFrom::Start(start))?;
            let mut end = Vec::new();
            file.take(length + 1).read_to_end(&mut end)?;
            io::Result::Ok(end == self.text)
        };
        ends_so().unwrap_or(false)
    }

    /// Removes the game from the end of its file. Where something else stands there, the game stays.
    pub fn take_back(self) -> io::Result<()> {
        if !self.is_at_the_end() {
            return Ok(());
        }
        let file = OpenOptions::new().write(true).open(&self.path)?;
        let length = file.metadata()?.len();
        file.set_len(length.saturating_sub(self.text.len() as u64))
    }
}
