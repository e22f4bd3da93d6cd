//! Where a game is kept: in the file for all games at its end, and where the person saves it.
//!
//! A game that is saved twice in a file takes the place of what was saved first.

use std::io::{self, Write};
use std::path::Path;

use super::record::{PgnFile, SavedGame};
use super::session::Session;
use crate::pgn::{GameRecord, writer};

impl<W: Write> Session<W> {
    /// Keeps the game in the file for all games, if there is one. Returns what to tell about it; a
    /// game that can't be kept is told as a whole, so that it is not lost.
    pub(super) fn keep(&mut self) -> (io::Result<()>, Vec<String>) {
        let Some(file) = self.pgn.clone() else {
            return (Ok(()), Vec::new());
        };
        if self.scene.arbiter.moves().is_empty() {
            return (Ok(()), Vec::new());
        }
        let path = file.path().display();
        match self.keep_in(&file) {
            Ok(()) => {
                let notes = [
                    format!("The game is in {path}."),
                    format!(
                        "squarewise analyze {} shows its mistakes.",
                        quoted(file.path())
                    ),
                ];
                (Ok(()), notes.to_vec())
            }
            Err(error) => {
                let named = io::Error::new(error.kind(), format!("{path}: {error}"));
                (Err(named), pgn_lines(&self.record()))
            }
        }
    }

    /// Adds the game to a file, in place of what was saved there of it.
    pub(super) fn keep_in(&mut self, file: &PgnFile) -> io::Result<()> {
        let mut text = Vec::new();
        writer::write(&self.record(), &mut text)?;
        let is_here = |saved: &SavedGame| {
            file.path()
                .canonicalize()
                .is_ok_and(|path| path == saved.path)
        };
        let before = self.saved.iter().position(is_here);
        let saved = before.map(|index| self.saved[index].text.as_slice());
        file.append(&text, saved)?;
        if let Some(index) = before {
            self.saved.swap_remove(index);
        }
        let path = file.path().canonicalize()?;
        self.saved.push(SavedGame { path, text });
        Ok(())
    }
}

/// The name of a file as the shell takes it for one word.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    if path.contains(char::is_whitespace) {
        format!("\"{path}\"")
    } else {
        path
    }
}

/// A game in PGN, line by line.
fn pgn_lines(record: &GameRecord) -> Vec<String> {
    let mut text = Vec::new();
    match writer::write(record, &mut text) {
        Ok(()) => {
            let text = String::from_utf8_lossy(&text);
            text.lines().map(str::to_owned).collect()
        }
        Err(error) => vec![error.to_string()],
    }
}
