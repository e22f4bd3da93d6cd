//! Where a game is kept: in the file for all games at its end, and where the person saves it.
//!
//! A game that is saved twice in a file takes the place of what was saved first.

use std::io::{self, Write};
use std::path::Path;

use super::record;
use super::scene::Scene;
use super::session::Session;
use crate::pgn::writer;
use crate::pgn_file::PgnFile;

/// The event of a game at the terminal.
const EVENT: &str = "Squarewise at the terminal";

impl<W: Write> Session<W> {
    /// Keeps the game in the file for all games, if there is one. Returns what to tell about it; a
    /// game that can't be kept is told as a whole, so that it is not lost.
    pub(super) fn keep(&mut self) -> (io::Result<()>, Vec<String>) {
        let has_moves = !self.scene.arbiter.moves().is_empty();
        let Some(file) = self.pgn.clone().filter(|_| has_moves) else {
            return (Ok(()), Vec::new());
        };
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
                let text = self.in_pgn().unwrap_or_default();
                let text = String::from_utf8_lossy(&text);
                (Err(named), text.lines().map(str::to_owned).collect())
            }
        }
    }

    /// Adds the game to a file, in place of what was saved there of it.
    pub(super) fn keep_in(&mut self, file: &PgnFile) -> io::Result<()> {
        let text = self.in_pgn()?;
        let path = file.path().canonicalize().ok();
        let saved = path.and_then(|path| self.saved.get(&path));
        file.append(&text, saved.map(Vec::as_slice))?;
        self.saved.insert(file.path().canonicalize()?, text);
        Ok(())
    }

    fn in_pgn(&self) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let Scene {
            arbiter, players, ..
        } = &self.scene;
        let record = record::record(EVENT, arbiter, players, self.began_at);
        writer::write(&record, &mut text)?;
        Ok(text)
    }
}

/// The name of a file as the shell takes it for one word, and for no option.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let path = if path.starts_with('-') {
        format!("./{path}")
    } else {
        path
    };
    let is_plain = |c: char| c.is_alphanumeric() || "_-./+,:@%\\".contains(c);
    if path.chars().all(is_plain) && (cfg!(windows) || !path.contains('\\')) {
        path
    } else if cfg!(windows) {
        format!("\"{path}\"")
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_one_word_to_the_shell() {
        for (name, expected) in [
            ("games/ä-1.pgn", "games/ä-1.pgn"),
            ("my game.pgn", "'my game.pgn'"),
            ("Anna's.pgn", r"'Anna'\''s.pgn'"),
            ("a&b $5.pgn", "'a&b $5.pgn'"),
            ("-x.pgn", "./-x.pgn"),
            (r"a\b.pgn", r"'a\b.pgn'"),
        ] {
            assert_eq!(quoted(Path::new(name)), expected);
        }
    }
}
