//! A file of games in PGN to which games are added.
//!
//! What exists is never destroyed: games are appended to it, as other programs do.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use crate::output_file;
use crate::text_encoding::BYTE_ORDER_MARK;

/// A file to which games are added.
#[derive(Clone, Debug)]
pub struct PgnFile(PathBuf);

impl PgnFile {
    /// A file at this path, which need not exist yet. That it can be written is tried at once,
    /// before a game is played for it.
    pub fn new(path: &Path) -> io::Result<PgnFile> {
        let file = PgnFile(path.to_owned());
        if output_file::permissions_of_old(path)?.is_some() {
            file.open()?;
        } else {
            output_file::check(path)?;
        }
        Ok(file)
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Adds a game in PGN at the end, after an empty line if there are others. Where the file ends
    /// with `saved`, which is the same game as it stood before, the new text takes its place.
    ///
    /// # Errors
    ///
    /// If the file can't be written. What was written of the game is then taken back, unless
    /// another program has added something behind it, and what it replaced is written again.
    pub fn append(&self, game: &[u8], saved: Option<&[u8]>) -> io::Result<()> {
        output_file::permissions_of_old(&self.0)?;
        let mut file = self.open()?;
        // Another game at another terminal waits. Where files can't be locked, appending alone has
        // to do.
        let _ = file.lock();
        let length = file.seek(SeekFrom::End(0))?;
        let replaced = match saved {
            Some(saved) if ends_with(&mut file, length, saved)? => saved,
            _ => b"",
        };
        let start = length - replaced.len() as u64;
        if !replaced.is_empty() {
            file.set_len(start)?;
        }
        let mut text = Vec::new();
        let written = separator(&mut file, start).and_then(|separator| {
            text = [separator, game].concat();
            file.write_all(&text)?;
            file.sync_all()
        });
        if written.is_err() {
            // The first error tells more than one of these.
            let _ = take_back(&mut file, start, &text).and_then(|()| file.write_all(replaced));
        }
        written
    }

    fn open(&self) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).create(true).truncate(false);
        // What can only append can't shorten a file on Windows, so half a game could not be taken
        // back; the lock binds every program there. Elsewhere it keeps two programs that add games
        // at once from overwriting each other's.
        if cfg!(windows) {
            options.write(true);
        } else {
            options.append(true);
        }
        let mut file = options.open(&self.0)?;
        check_begins_like_pgn(&mut file)?;
        Ok(file)
    }
}

/// Refuses a file that holds something else than games, such as tables or training games: a game
/// would spoil it.
fn check_begins_like_pgn(file: &mut File) -> io::Result<()> {
    const LOOKED_AT_BYTES: u64 = 1 << 16;
    let mut start = Vec::new();
    file.take(LOOKED_AT_BYTES).read_to_end(&mut start)?;
    let text = start
        .strip_prefix(BYTE_ORDER_MARK)
        .unwrap_or(&start)
        .trim_ascii_start();
    let is_binary = start.contains(&0);
    if is_binary || !(text.is_empty() || begins_like_pgn(text)) {
        let reason = "this file does not begin with games in PGN; choose another";
        return Err(io::Error::new(io::ErrorKind::InvalidData, reason));
    }
    Ok(())
}

/// Whether a tag or the number of a move comes first, behind comments.
fn begins_like_pgn(mut text: &[u8]) -> bool {
    loop {
        let end_of_comment = match text {
            [b';' | b'%', ..] => b'\n',
            [b'{', ..] => b'}',
            _ => break,
        };
        match text.iter().position(|byte| *byte == end_of_comment) {
            Some(end) => text = text[end + 1..].trim_ascii_start(),
            None => return false,
        }
    }
    let word_length = |text: &[u8]| {
        let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        text.iter().take_while(|byte| is_of_name(byte)).count()
    };
    match text {
        [b'[', name @ ..] => {
            let length = word_length(name);
            length > 0 && name[length..].trim_ascii_start().starts_with(b"\"")
        }
        [b'0'..=b'9', ..] => text[word_length(text)..].starts_with(b"."),
        _ => false,
    }
}

/// What is missing to an empty line between two games at the end of a file of this length.
fn separator(file: &mut File, length: u64) -> io::Result<&'static [u8]> {
    let mut end = Vec::new();
    // Two ends of lines, which can be CR and LF.
    file.seek(SeekFrom::Start(length.saturating_sub(4)))?;
    file.read_to_end(&mut end)?;
    end.retain(|byte| *byte != b'\r');
    Ok(match end.as_slice() {
        [] | [b'\n'] | [.., b'\n', b'\n'] => b"",
        [.., b'\n'] => b"\n",
        _ => b"\n\n",
    })
}

/// Whether a file of this length ends with a text.
fn ends_with(file: &mut File, length: u64, text: &[u8]) -> io::Result<bool> {
    let Some(start) = length.checked_sub(text.len() as u64) else {
        return Ok(false);
    };
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(start))?;
    file.read_to_end(&mut end)?;
    Ok(end == text)
}

/// Cuts a file back to this length if nothing is behind it but the beginning of this game. What
/// isn't ours stays.
fn take_back(file: &mut File, length: u64, game: &[u8]) -> io::Result<()> {
    let mut behind = Vec::new();
    file.seek(SeekFrom::Start(length))?;
    let more_than_the_game = game.len() as u64 + 1;
    file.take(more_than_the_game).read_to_end(&mut behind)?;
    if game.starts_with(&behind) {
        file.set_len(length)?;
        // On Windows what is written next would begin behind the end.
        file.seek(SeekFrom::End(0))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const GAME: &[u8] = b"[Event \"A test\"]\n\n1. e4 e5 0-1\n";

    /// An empty folder, removed at the end of the test.
    fn new_folder() -> TempDir {
        TempDir::with_prefix("squarewise-").expect("a temporary folder")
    }

    #[test]
    fn games_are_added_to_a_file_with_an_empty_line_between_them() {
        let folder = new_folder();
        let path = folder.path().join("games.pgn");
        for before in [
            "",
            "[Event \"?\"]\n\n*",
            "[Event \"?\"]\n\n*\n",
            "[Event \"?\"]\n\n*\n\n",
            "[Event \"?\"]\r\n\r\n*",
            "[Event \"?\"]\r\n\r\n*\r\n",
            "[Event \"?\"]\r\n\r\n*\r\n\r\n",
            "\r\n",
        ] {
            std::fs::write(&path, before).expect("a file to add to");
            let file = PgnFile::new(&path).expect("a file to add to");
            file.append(GAME, None).expect("it can be written");
            file.append(GAME, None).expect("it can be written");
            let text = std::fs::read_to_string(&path).expect("the games");
            assert!(text.starts_with(before));
            let text = text.replace('\r', "");
            let games = text.matches("[Event ").count();
            assert_eq!(games, before.matches("[Event ").count() + 2);
            assert!(!text.contains("\n\n\n"), "{text}");
            assert_eq!(text.matches("\n\n[Event ").count(), games - 1, "{text}");
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error_before_the_game() {
        let folder = new_folder();
        let folder = folder.path();
        assert!(PgnFile::new(folder).is_err(), "a directory");
        assert!(PgnFile::new(&folder.join("missing").join("games.pgn")).is_err());
        let new = folder.join("new.pgn");
        assert!(PgnFile::new(&new).is_ok());
        assert!(!new.exists(), "a game that is not played leaves no file");
    }

    #[test]
    fn a_game_takes_the_place_of_what_was_saved_of_it_only_at_the_end() {
        let folder = new_folder();
        let path = folder.path().join("games.pgn");
        let file = PgnFile::new(&path).expect("a file to come");
        let (first, whole) = (b"1. e4 *\n", b"1. e4 e5 *\n");
        file.append(first, None).expect("it can be written");
        file.append(whole, Some(first)).expect("it can be written");
        assert_eq!(std::fs::read(&path).expect("the games"), whole);
        file.append(b"1. d4 *\n", None).expect("it can be written");
        file.append(first, Some(whole)).expect("it can be written");
        let games = std::fs::read_to_string(&path).expect("the games");
        assert_eq!(games, "1. e4 e5 *\n\n1. d4 *\n\n1. e4 *\n");
    }

    #[test]
    fn a_game_is_not_added_to_a_file_of_something_else() {
        let folder = new_folder();
        let path = folder.path().join("file");
        for (contents, is_pgn) in [
            (b"SQWTGAME\x01\0".as_slice(), false),
            (b"[Event \"\0\"]", false),
            (b"fn main() {}\n", false),
            (b"1,2,3\n", false),
            (b"\xef\xbb\xbf\r\n[Event \"?\"]\n\n*\n", true),
            (b"; my games\n", false),
            (b"; a setting\n[section]\nkey = 1\n", false),
            (b"[package]\nname = \"x\"\n", false),
            (b"{\"key\": 1}\n", false),
            (b"%PDF-1.4\n1 0 obj\n", false),
            (b"% a page\n\\documentclass{article}\n", false),
            (b"; my games\n{ and yours }\n[Event \"?\"]\n\n*\n", true),
            (b"1. e4 *\n", true),
        ] {
            std::fs::write(&path, contents).expect("a file");
            let added = PgnFile::new(&path).and_then(|file| file.append(GAME, None));
            assert_eq!(added.is_ok(), is_pgn, "{added:?}");
            let now = std::fs::read(&path).expect("the file");
            assert!(now.starts_with(contents));
            assert_eq!(now.len() > contents.len(), is_pgn);
        }
    }

    #[test]
    fn a_file_that_another_program_makes_meanwhile_is_added_to() {
        let folder = new_folder();
        let path = folder.path().join("games.pgn");
        let file = PgnFile::new(&path).expect("a file to come");
        assert!(!path.exists());
        std::fs::write(&path, "[Event \"theirs\"]\n\n*\n").expect("their game");
        file.append(GAME, None).expect("it can be written");
        let games = std::fs::read_to_string(&path).expect("the games");
        assert!(games.starts_with("[Event \"theirs\"]\n\n*\n\n[Event "));
    }

    #[test]
    fn only_what_was_written_of_the_game_is_taken_back() {
        let folder = new_folder();
        let path = folder.path().join("games.pgn");
        let older = "1. d4 *\n";
        for (behind, kept) in [
            ("", ""),
            ("\n1. e", ""),
            ("\n1. e4 *\n", ""),
            ("\n1. e[Event \"theirs\"]", "\n1. e[Event \"theirs\"]"),
            ("\n1. e4 *\n\n1. c4 *\n", "\n1. e4 *\n\n1. c4 *\n"),
        ] {
            std::fs::write(&path, format!("{older}{behind}")).expect("a file");
            let mut file = PgnFile(path.clone()).open().expect("the file");
            let length = older.len() as u64;
            take_back(&mut file, length, b"\n1. e4 *\n").expect("the file");
            let now = std::fs::read_to_string(&path).expect("the file");
            assert_eq!(now, format!("{older}{kept}"));
        }
    }
}
