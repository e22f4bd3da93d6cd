//! `squarewise board`: a board in the browser, served by this program to this machine alone.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread;

use clap::Args;
use shakmaty::fen::Fen;

use super::play::read_book;
use super::position_argument::position_or_epd;
use super::tablebases;
use crate::styles;
use crate::uci::memory::total_megabytes;
use squarewise_desk::board::{Board, Opponent, Setup};
use squarewise_desk::interrupt;
use squarewise_desk::text_encoding;
use squarewise_engine::position::is_meant_as_fen;
use squarewise_engine::style::Style;

/// The largest file of games that is opened.
const MAX_FILE_BYTES: u64 = 8 << 20;

/// The part of the memory that an analysis may take, and how much where nobody knows it, in MiB.
const MEMORY_DIVISOR: usize = 4;
const UNKNOWN_MEMORY: usize = 1_024;

/// Opens a board in the browser: to play at your level, to see lines and arrows, to go through your
/// games and to ask why.
///
/// It needs no internet, and only your browser on this machine can reach it. It runs until Ctrl-C,
/// or until the page ends it.
#[derive(Debug, Args)]
pub struct ShowBoard {
    /// A PGN file, or a position: a FEN in quotation marks, or startpos.
    #[arg(value_name = "FILE.pgn|FEN")]
    input: Option<OsString>,

    /// Port on this machine; 0 for any. Without it 9640, or the next of ten that is free.
    #[arg(long)]
    port: Option<u16>,

    /// Print the address only, and don't open a browser.
    #[arg(long)]
    no_open: bool,

    /// File to which games against the engine are added when they are over, in PGN. Without it
    /// games.pgn in the folder of --data.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Opening book of the engine as your opponent, in the Polyglot format.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Style for your opponent to play in: the name of a player such as Tal, or a file of `mimic
    /// fit`. The page offers it first. Can be given several times.
    #[arg(long = "style", value_name = "NAME|FILE")]
    styles: Vec<PathBuf>,

    /// Directories with endgame tablebases for the analysis, separated as in PATH.
    #[arg(long, value_name = "PATH")]
    syzygy: Option<OsString>,

    /// Folder for boards, games and puzzles; only one running board can use it. By default your
    /// system's folder for such data.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

impl ShowBoard {
    /// Runs it. Fails if the port is taken, the input can't be read, or nothing can be kept.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let text = self.input.as_deref().map(read_input).transpose()?;
        let stop = interrupt::stop_token()?;
        let memory = total_megabytes().map_or(UNKNOWN_MEMORY, |all| all / MEMORY_DIVISOR);
        let board = Board::open(Setup {
            port: self.port,
            folder: self.data.clone().map_or_else(data_folder, Ok)?,
            games: self.pgn.clone(),
            text,
            opponent: Opponent {
                book: self.book.as_deref().map(read_book).transpose()?,
                styles: self.styles()?,
                is_styled: !self.styles.is_empty(),
            },
            tablebases: tablebases::load(self.syzygy.as_deref())?,
            max_threads: thread::available_parallelism().map_or(1, usize::from),
            max_hash_megabytes: memory.max(16),
        })?;
        let (address, games) = (board.address(), board.games_file().display().to_string());
        board.run(&stop, |for_browser| {
            let text = format!(
                "The board is at {address}\nGames are kept in {games}. Ctrl-C ends the program.\n"
            );
            output.write_all(text.as_bytes())?;
            output.flush()?;
            if !self.no_open && has_screen() {
                open_browser(for_browser);
            }
            Ok(())
        })
    }

    /// The styles that are asked for, and behind them all others that have a name.
    fn styles(&self) -> io::Result<Vec<Arc<Style>>> {
        let asked = self.styles.iter().map(|name| styles::read(name));
        let mut all: Vec<Arc<Style>> = asked.collect::<io::Result<_>>()?;
        for style in styles::all() {
            if all.iter().all(|other| other.name != style.name) {
                all.push(style);
            }
        }
        Ok(all)
    }
}

/// The text of a file of games, or of a position.
fn read_input(input: &OsStr) -> io::Result<String> {
    let path = Path::new(input);
    match input.to_str().map(|text| (text, position_or_epd(text))) {
        Some(("startpos", _)) => return Ok(Fen::default().to_string()),
        Some((_, Ok(position))) => return Ok(position),
        Some((text, Err(error))) if is_meant_as_fen(text) && !path.exists() => {
            return Err(io::Error::other(error));
        }
        _ => {}
    }
    let read = text_encoding::read_to_string(path, MAX_FILE_BYTES);
    read.map_err(|error| {
        let name = path.display();
        let text = format!("{name}: neither a position nor a file that can be read: {error}");
        io::Error::new(error.kind(), text)
    })
}

/// The folder for what a program keeps for its user.
fn data_folder() -> io::Result<PathBuf> {
    let named = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let base = if cfg!(windows) {
        named("APPDATA")
    } else if cfg!(target_os = "macos") {
        named("HOME").map(|home| home.join("Library/Application Support"))
    } else {
        let shared = || named("HOME").map(|home| home.join(".local/share"));
        named("XDG_DATA_HOME")
            .filter(|path| path.is_absolute())
            .or_else(shared)
    };
    let reason = "there is no home folder to keep games in: name one with --data";
    let base = base.ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, reason))?;
    Ok(base.join("squarewise"))
}

/// Whether a browser could show something to whoever has started this program.
fn has_screen() -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("SSH_CONNECTION") || is_set("SSH_TTY") {
        return false;
    }
    cfg!(any(windows, target_os = "macos")) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Asks the system to open an address. If it can't, the address that was printed has to do.
fn open_browser(address: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command
        .args(arguments)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if let Ok(mut child) = command.spawn() {
        // It is waited for elsewhere, so that it doesn't stay behind as a zombie.
        thread::spawn(move || child.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_in_a_deep_folder_is_read_and_a_position_that_cannot_be_says_why() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("a/b/c/d/e/f/my games");
        fs::create_dir_all(&folder).expect("a folder");
        let file = folder.join("g.pgn");
        fs::write(&file, "1. e4 *").expect("a file");
        let read = read_input(file.as_os_str());
        assert_eq!(read.expect("the file is there"), "1. e4 *");
        let fields = "6k1/5ppp/8/8/8/8/8/R6K w - -";
        for (operations, counters) in [
            (" bm Ra8#;", ""),
            (" bm Ra8#", ""),
            (" 3 40 bm Ra8#", " 3 40"),
        ] {
            let read = read_input(OsStr::new(&format!("{fields}{operations}")));
            assert_eq!(read.expect("a position"), format!("{fields}{counters}"));
        }
        let nobody = read_input(OsStr::new("8/8/8/8/8/8/8/8 w - - 0 1")).expect_err("no king");
        assert!(
            nobody.to_string().contains("the board is empty"),
            "{nobody}"
        );
    }
}
