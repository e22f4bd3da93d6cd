//! The errors of setting up an option, a position or a file, with the messages that the user sees.
//!
//! They are sent as an `info string`, and the engine keeps the value or the position that it had.

use std::io;

use super::command_error::quoted;
use super::sent_move::SentMove;
use crate::book::BookError;
use crate::evaluation::file::ReadError;
use crate::search::ThreadsError;
use crate::search::transposition_table::AllocationError;
use crate::syzygy::NoTablebases;

/// The error of an option that can't be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option {}", quoted(.0))]
    Unknown(String),
    /// The option needs a value.
    #[error("option '{0}' needs a value")]
    MissingValue(&'static str),
    /// The option doesn't take this value.
    #[error("option '{name}' can't be {}: it takes {takes}", quoted(.value))]
    BadValue {
        /// The option.
        name: &'static str,
        /// The value as it was given.
        value: String,
        /// The values that the option takes.
        takes: String,
    },
}

/// The error of a command that can't be executed. The engine keeps what it had.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// There is no such option, or it doesn't take the value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The position is illegal.
    #[error("{reason}{hint} {}", quoted(.fen))]
    IllegalPosition {
        /// The reason that shakmaty gives.
        reason: String,
        /// A likely cause, or nothing.
        hint: &'static str,
        /// The position.
        fen: String,
    },
    /// The position belongs to a chess variant.
    #[error("this is a chess variant's position, not chess {}", quoted(.0))]
    Variant(String),
    /// A move is illegal.
    #[error("illegal move '{sent_move}', number {number} in the list")]
    IllegalMove {
        /// The move.
        sent_move: SentMove,
        /// Its place in the list, from 1.
        number: usize,
    },
    /// There is no memory for the transposition table, which has its old size.
    #[error("Hash stays as it is: {0}")]
    Hash(AllocationError),
    /// There is no memory for the transposition table, not even of its old size any more.
    #[error("Hash is now {now} MiB: {error}")]
    SmallerHash {
        /// The size of the table, in MiB.
        now: usize,
        /// The reason.
        error: AllocationError,
    },
    /// The transposition table would be larger than the memory.
    #[error(
        "Hash stays as it is: {wanted} MiB were asked for, and there are {total} MiB of memory"
    )]
    HashBeyondMemory {
        /// The size that was asked for, in MiB.
        wanted: usize,
        /// The memory of the machine or the container, in MiB.
        total: usize,
    },
    /// The search threads can't be started.
    #[error("Threads stays as it is: {0}")]
    Threads(#[from] ThreadsError),
    /// The file can't be read, or holds no tables.
    #[error("the tables stay as they are: {}: {error}", quoted(.path))]
    TablesFile {
        /// The file.
        path: String,
        /// The reason.
        error: ReadError,
    },
    /// The file can't be read, or is no opening book.
    #[error("BookFile stays as it is: {}: {error}", quoted(.path))]
    BookFile {
        /// The file.
        path: String,
        /// The reason.
        error: BookError,
    },
    /// There are no endgame tablebases.
    #[error("SyzygyPath stays as it is: {0}")]
    Tablebases(#[from] NoTablebases),
    /// The log can't be written.
    #[error("Debug Log File stays as it is: {}: {error}", quoted(.path))]
    DebugLog {
        /// The file.
        path: String,
        /// The reason that the operating system gives.
        error: io::Error,
    },
}
