//! What outlives the program: games, boards with what is on them, and puzzles.
//!
//! The only files that the board touches are in one folder, and the file of games that the command
//! line names. No path comes from a page.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::output_file;
use crate::pgn::{GameRecord, writer};
use crate::pgn_file::PgnFile;
use crate::text_encoding::decode;
use squarewise_engine::position::rules::Variant;

/// The most puzzles that are kept; the oldest give way.
const MAX_PUZZLES: usize = 2_000;

/// The days until a puzzle comes back, after it was solved so many times in a row.
const DAYS: [u64; 6] = [0, 1, 3, 7, 21, 60];

const SECONDS_A_DAY: u64 = 24 * 60 * 60;

/// A puzzle from a mistake in a game.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(super) struct Puzzle {
    /// The position before the mistake.
    pub(super) fen: String,
    /// The variant that is played, by its name. It was always chess when none was kept.
    #[serde(default = "chess")]
    pub(super) variant: String,
    /// The best move and the one that was played, in UCI.
    pub(super) best: String,
    pub(super) played: String,
    /// How many times in a row it was solved.
    solved: usize,
    /// When it comes back, in seconds since 1970.
    due: u64,
}

fn chess() -> String {
    Variant::Chess.name().to_owned()
}

impl Puzzle {
    /// A puzzle that is due at once: the position before a mistake, the best move and the one that
    /// was played, in UCI.
    pub(super) fn new(fen: String, variant: Variant, [best, played]: [String; 2]) -> Puzzle {
        Puzzle {
            fen,
            variant: variant.name().to_owned(),
            best,
            played,
            solved: 0,
            due: 0,
        }
    }

    /// Whether it begins with this position.
    fn begins_with(&self, fen: &str, variant: Variant) -> bool {
        self.fen == fen && self.variant == variant.name()
    }
}

/// Where everything is kept.
pub(super) struct Keeper {
    games: PgnFile,
    boards: PathBuf,
    puzzles_file: PathBuf,
    puzzles: Vec<Puzzle>,
    /// Locked as long as the boards of this folder are this program's.
    _lock: File,
}

impl Keeper {
    /// Keeps things in this folder, which is made if it isn't there, and games in this file.
    ///
    /// # Errors
    ///
    /// If the folder or the file can't be written, or another program keeps its boards there.
    pub(super) fn new(folder: &Path, games: Option<&Path>) -> io::Result<Keeper> {
        let named = |path: &Path, error: io::Error| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        };
        fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
        let lock = lock(folder).map_err(|error| named(folder, error))?;
        let default_games = folder.join("games.pgn");
        let games = games.unwrap_or(&default_games);
        let puzzles_file = folder.join("puzzles.json");
        Ok(Keeper {
            games: PgnFile::new(games).map_err(|error| named(games, error))?,
            boards: folder.join("boards.json"),
            // A file that another version wrote, or nobody, holds no puzzles.
            puzzles: read_json(&puzzles_file)?.unwrap_or_default(),
            puzzles_file,
            _lock: lock,
        })
    }

    /// The file of games.
    pub(super) fn games_file(&self) -> &Path {
        self.games.path()
    }

    /// The boards as they were left.
    ///
    /// # Errors
    ///
    /// If their file is there and can't be read.
    pub(super) fn boards(&self) -> io::Result<Vec<Value>> {
        Ok(read_json(&self.boards)?.unwrap_or_default())
    }

    /// Keeps the boards as they are.
    pub(super) fn keep_boards(&self, boards: &[Value]) -> io::Result<()> {
        output_file::write(&self.boards, Value::from(boards).to_string().as_bytes())
    }

    /// Adds a game to the file, in place of what was kept there of it. Returns what is kept now.
    pub(super) fn keep_game(
        &self,
        record: &GameRecord,
        kept: Option<&[u8]>,
    ) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        writer::write(record, &mut text)?;
        self.games.append(&text, kept)?;
        Ok(text)
    }

    /// The text of the file of games.
    ///
    /// # Errors
    ///
    /// If it can't be read, or there is none yet.
    pub(super) fn games_text(&self) -> io::Result<String> {
        const MAX_BYTES: u64 = 8 << 20;
        if !self.games.path().exists() {
            return Err(io::Error::other("no game has been finished here yet"));
        }
        let read = squarewise_engine::bounded_file::read(self.games.path(), MAX_BYTES);
        let bytes = read.map_err(io::Error::other)?;
        Ok(decode(bytes))
    }

    /// Adds a puzzle, or what a later review says of one that is there.
    pub(super) fn add_puzzle(&mut self, puzzle: Puzzle) {
        let is_same =
            |other: &&mut Puzzle| (&other.fen, &other.variant) == (&puzzle.fen, &puzzle.variant);
        if let Some(known) = self.puzzles.iter_mut().find(is_same) {
            (known.best, known.played) = (puzzle.best, puzzle.played);
            return;
        }
        if self.puzzles.len() >= MAX_PUZZLES {
            self.puzzles.remove(0);
        }
        self.puzzles.push(puzzle);
    }

    /// The next puzzle, and how many are due: those never tried come first, then those missed, then
    /// those solved.
    pub(super) fn due_puzzle(&self) -> Option<(Puzzle, usize)> {
        let now = seconds_now();
        let due = self.puzzles.iter().filter(|puzzle| puzzle.due <= now);
        let count = due.clone().count();
        let first = due.min_by_key(|puzzle| (puzzle.solved, puzzle.due))?;
        Some((first.clone(), count))
    }

    /// Notes how a puzzle went: one that was missed comes back soon, one that was solved later each
    /// time (spaced repetition by boxes, as Sebastian Leitner has it).
    pub(super) fn note_puzzle(&mut self, fen: &str, variant: Variant, solved: bool) {
        let mut puzzles = self.puzzles.iter_mut();
        if let Some(puzzle) = puzzles.find(|puzzle| puzzle.begins_with(fen, variant)) {
            puzzle.solved = if solved { puzzle.solved + 1 } else { 0 };
            let days = DAYS[puzzle.solved.min(DAYS.len() - 1)];
            // What was missed waits until the others have had their turn.
            puzzle.due = seconds_now() + (days * SECONDS_A_DAY).max(60);
        }
    }

    /// Writes the puzzles down.
    pub(super) fn keep_puzzles(&self) -> io::Result<()> {
        let text = serde_json::to_string(&self.puzzles).map_err(io::Error::other)?;
        output_file::write(&self.puzzles_file, text.as_bytes())
    }
}

/// Keeps other programs out of a folder until the file is dropped: of two, each would write its own
/// boards over the other's. Where files can't be locked, nothing is checked.
fn lock(folder: &Path) -> io::Result<File> {
    let file = File::create(folder.join("lock"))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::new(
            io::ErrorKind::ResourceBusy,
            "another board keeps its games here; end it, or name another folder with --data",
        )),
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// A file of JSON; `None` if there is none, or it holds something else. That is then kept under
/// another name, since the file is written anew before long.
///
/// # Errors
///
/// If it is there and can't be read: written anew, it would be lost.
fn read_json<T: for<'a> Deserialize<'a>>(path: &Path) -> io::Result<Option<T>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => {
            let text = format!("{}: {error}", path.display());
            return Err(io::Error::new(error.kind(), text));
        }
    };
    let read = serde_json::from_slice(&bytes);
    if read.is_err() {
        // Where it can't be, there is nobody to tell yet.
        let _ = fs::rename(path, path.with_added_extension("unreadable"));
    }
    Ok(read.ok())
}

fn seconds_now() -> u64 {
    let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
    since_1970.unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use std::mem;

    use super::*;

    #[test]
    fn a_puzzle_that_was_missed_comes_before_one_that_was_solved() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut keeper = Keeper::new(folder.path(), None).expect("it can be written");
        let none_yet = keeper.games_text().expect_err("no game was played");
        assert_eq!(none_yet.to_string(), "no game has been finished here yet");
        let puzzle = |fen: &str, variant, best: &str| {
            Puzzle::new(fen.to_owned(), variant, [best, "a2a3"].map(str::to_owned))
        };
        let add = |keeper: &mut Keeper, fen: &str| {
            keeper.add_puzzle(puzzle(fen, Variant::Chess, "e2e4"));
        };
        add(&mut keeper, "one");
        add(&mut keeper, "two");
        add(&mut keeper, "one");
        assert_eq!(keeper.puzzles.len(), 2, "each once");
        keeper.add_puzzle(puzzle("one", Variant::Chess, "d2d4"));
        let one = keeper.puzzles.iter().find(|puzzle| puzzle.fen == "one");
        let best = one.map(|puzzle| puzzle.best.as_str());
        assert_eq!(best, Some("d2d4"), "a later review knows better");
        keeper.note_puzzle("one", Variant::Torpedo, false);
        keeper.note_puzzle("one", Variant::Chess, true);
        let (next, count) = keeper.due_puzzle().expect("one is left for today");
        assert_eq!((next.fen.as_str(), count), ("two", 1));
        keeper.puzzles.iter_mut().for_each(|puzzle| puzzle.due = 0);
        let (next, _) = keeper.due_puzzle().expect("both are due");
        assert_eq!(next.fen, "two");
        keeper.keep_puzzles().expect("it can be written");
        let puzzles = mem::take(&mut keeper.puzzles);
        drop(keeper);
        let mut again = Keeper::new(folder.path(), None).expect("it can be written");
        assert_eq!(again.puzzles, puzzles);
        again.add_puzzle(puzzle("one", Variant::Torpedo, "e2e4"));
        assert_eq!(again.puzzles.len(), 3, "by other rules it is another");
    }

    #[test]
    fn a_folder_is_one_programs_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let keeper = Keeper::new(folder.path(), None).expect("it can be written");
        let second = Keeper::new(folder.path(), None).err().expect("it is taken");
        assert_eq!(second.kind(), io::ErrorKind::ResourceBusy);
        drop(keeper);
        Keeper::new(folder.path(), None).expect("it is free again");
    }

    #[test]
    fn games_in_an_older_encoding_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let games = folder.path().join("old.pgn");
        fs::write(&games, b"[White \"H\xfcbner, Robert\"]\n\n1. c4 *\n")
            .expect("it can be written");
        let keeper = Keeper::new(folder.path(), Some(&games)).expect("it can be written");
        let text = keeper.games_text().expect("it can be read");
        assert!(text.contains("Hübner"), "{text}");
    }

    #[test]
    fn a_damaged_file_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("puzzles.json"), "[{").expect("it can be written");
        fs::write(folder.path().join("boards.json"), "no").expect("it can be written");
        let keeper = Keeper::new(folder.path(), None).expect("it can be written");
        assert_eq!(
            (keeper.puzzles.len(), keeper.boards().expect("none").len()),
            (0, 0)
        );
        // What they held is not lost.
        let kept = fs::read_to_string(folder.path().join("boards.json.unreadable"));
        assert_eq!(kept.expect("it was kept"), "no");
    }
}
