//! What is said about a command that can't be understood or executed.
//!
//! Each message names the offending word. It is sent as an `info string`, and the engine keeps the
//! value or the position that it had.

use std::io;

use shakmaty::fen::ParseFenError;

use super::input::MAX_LINE_BYTES;
use super::sent_move::SentMove;
use crate::styles::NoStyle;
use squarewise_engine::book::BookError;
use squarewise_engine::evaluation::file::ReadError;
use squarewise_engine::position::FenError;
use squarewise_engine::search::ThreadsError;
use squarewise_engine::search::transposition_table::AllocationError;
use squarewise_engine::syzygy::NoTablebases;

/// The most characters of the input that an error repeats.
const MAX_QUOTED: usize = 200;

/// What becomes of a limit that is no number.
fn fate_of(word: &str) -> &'static str {
    if word != "movetime" && (word.ends_with("time") || word.ends_with("inc")) {
        "it counts as 0 unless something else limits the search"
    } else {
        "the search ignores it"
    }
}

/// A word or a line in quotation marks, cut if it is long.
fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("'{}...'", &text[..end]),
        None => format!("'{text}'"),
    }
}

/// The characters at the end of a problem that are told even if it is long: the path stands before
/// the reason.
const REASON: usize = 80;

/// A problem with a file, whose path is cut if it is long.
pub(super) fn shortened(problem: &str) -> String {
    let reason = problem.char_indices().rev().nth(REASON - 1);
    match (problem.char_indices().nth(MAX_QUOTED), reason) {
        (Some((end, _)), Some((begin, _))) if end < begin => {
            format!("{}...{}", &problem[..end], &problem[begin..])
        }
        _ => problem.to_owned(),
    }
}

/// Why there are no tablebases. Each problem names its file or directory.
fn without_tablebases(error: &NoTablebases) -> String {
    if error.problems.is_empty() {
        return format!("no tablebases in {}", quoted(&error.path));
    }
    let problems = error.problems.iter().map(|problem| shortened(problem));
    let problems: Vec<String> = problems.collect();
    format!("no tablebases: {}", problems.join("; "))
}

/// The error of a line that can't be parsed as a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is the name of a command. This is the first word.
    #[error("unknown command {}", quoted(.0))]
    Unknown(String),
    /// The name of a command stands behind other words, where it would be skipped.
    #[error("{} stands behind other words: each command is an argument of its own", quoted(.0))]
    NotFirst(String),
    #[error("'{0}' needs a value")]
    MissingValue(&'static str),
    #[error("'genfens' can't be {}: it takes seed, book and plies", quoted(.0))]
    BadGenfens(String),
    #[error("'debug' can't be {}: it takes on or off", quoted(.0))]
    BadSwitch(String),
    #[error("'{word}' can't be {}, which is not a whole number: {}", quoted(.value), fate_of(word))]
    BadLimit { word: &'static str, value: String },
    #[error("{} means nothing in 'go': the search ignores it", quoted(.0))]
    UnknownLimit(String),
    #[error("'{word}' can't be {}: it takes whole numbers from {min} to {max}", quoted(.value))]
    OutOfRange {
        word: &'static str,
        value: String,
        min: u32,
        max: u32,
    },
    #[error("'setoption' needs 'name', as in 'setoption name Hash value 64'")]
    NoName,
    #[error("'position' needs 'startpos' or 'fen'")]
    NoPosition,
    #[error("'{0}' needs 'moves' before it, as in 'position startpos moves {0}'")]
    NoMoves(SentMove),
    #[error("{reason} {}", quoted(.fen))]
    BadFen { fen: String, reason: ParseFenError },
    #[error("{} is not a move", quoted(.0))]
    BadMove(String),
    #[error("a line of more than {MAX_LINE_BYTES} bytes was skipped")]
    LineTooLong,
}

/// The error of an option that can't be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("no option {}", quoted(.0))]
    Unknown(String),
    #[error("option '{0}' needs a value")]
    MissingValue(&'static str),
    #[error("option '{name}' can't be {}: it takes {takes}", quoted(.value))]
    BadValue {
        name: &'static str,
        value: String,
        takes: String,
    },
}

/// The error of a command that can't be executed.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("{reason} {}", quoted(.fen))]
    IllegalPosition { reason: String, fen: String },
    #[error("UCI_Variant and UCI_Chess960 stay as they are: {0}")]
    NoChess960(FenError),
    #[error("illegal move '{sent_move}', number {number} in the list")]
    IllegalMove { sent_move: SentMove, number: usize },
    #[error("Hash stays as it is: {0}")]
    Hash(AllocationError),
    /// There is no memory for the new transposition table, and none for one of the old size any
    /// more.
    #[error("Hash is now {now} MiB: {error}")]
    SmallerHash { now: usize, error: AllocationError },
    #[error(
        "Hash stays as it is: {wanted} MiB were asked for, and there are {total} MiB of memory"
    )]
    HashBeyondMemory { wanted: usize, total: usize },
    #[error("Threads stays as it is: {0}")]
    Threads(#[from] ThreadsError),
    #[error("the tables stay as they are: {}: {error}", quoted(.path))]
    TablesFile { path: String, error: ReadError },
    #[error("BookFile stays as it is: {}: {error}", quoted(.path))]
    BookFile { path: String, error: BookError },
    #[error("PlayerStyle stays as it is: {}: {error}", quoted(.path))]
    PlayerStyle { path: String, error: NoStyle },
    #[error("SyzygyPath stays as it is: {}", without_tablebases(.0))]
    Tablebases(#[from] NoTablebases),
    #[error("Debug Log File stays as it is: {}: {error}", quoted(.path))]
    DebugLog { path: String, error: io::Error },
}
