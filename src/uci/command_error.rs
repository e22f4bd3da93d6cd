//! The errors of parsing a command, with the messages that the user sees.
//!
//! Each names the offending word. It is sent as an `info string`, and the command is not executed.

use shakmaty::fen::ParseFenError;

use super::input::MAX_LINE_BYTES;
use super::sent_move::SentMove;

/// The most characters of the input that an error repeats.
const MAX_QUOTED: usize = 200;

/// The beginning of a word or a line, short enough to be repeated in an error.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        Some((end, _)) => format!("'{}...'", &text[..end]),
        None => format!("'{text}'"),
    }
}

/// The error of a line that can't be parsed as a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is the name of a command. This is the first word; an empty line has none.
    #[error("unknown command {}", quoted(.0))]
    Unknown(String),
    /// A word is not followed by the value that it needs.
    #[error("'{0}' needs a value")]
    MissingValue(&'static str),
    /// A word is followed by a value that it doesn't take.
    #[error("'{word}' can't be {}", quoted(.value))]
    BadValue {
        /// The word.
        word: &'static str,
        /// The value as it was given.
        value: String,
    },
    /// `debug` is followed by this word.
    #[error("'debug' can't be {}: it takes on or off", quoted(.0))]
    BadSwitch(String),
    /// A limit of `go` is followed by something other than a whole number.
    #[error("'{word}' can't be {}, which is no whole number: the search goes without it", quoted(.value))]
    BadLimit {
        /// The word.
        word: &'static str,
        /// The value as it was given.
        value: String,
    },
    /// A word is followed by something other than a number in its range.
    #[error("'{word}' can't be {}: it takes whole numbers from {min} to {max}", quoted(.value))]
    OutOfRange {
        /// The word.
        word: &'static str,
        /// The value as it was given.
        value: String,
        /// The smallest number that it takes.
        min: u32,
        /// The largest number that it takes.
        max: u32,
    },
    /// `setoption` comes without `name`.
    #[error("'setoption' needs 'name', as in 'setoption name Hash value 64'")]
    NoName,
    /// `position` is followed by neither `startpos` nor `fen`.
    #[error("'position' needs 'startpos' or 'fen'")]
    NoPosition,
    /// The FEN can't be parsed.
    #[error("{reason} {}", quoted(.fen))]
    BadFen {
        /// The FEN as it was given.
        fen: String,
        /// The reason that shakmaty gives.
        reason: ParseFenError,
    },
    /// A word in a list of moves is not a move.
    #[error("{} is not a move", quoted(.0))]
    BadMove(String),
    /// A move follows the start position without `moves` before it.
    #[error("'{0}' needs 'moves' before it, as in 'position startpos moves {0}'")]
    NoMoves(SentMove),
    /// `go` has a word that means nothing there.
    #[error("{} means nothing in 'go': the search goes without it", quoted(.0))]
    BadLimitName(String),
    /// A line was too long to be read.
    #[error("a line of more than {MAX_LINE_BYTES} bytes was skipped")]
    TooLong,
}

impl CommandError {
    /// The error for a word that doesn't take a value.
    pub(super) fn bad_value(word: &'static str, value: &str) -> CommandError {
        CommandError::BadValue {
            word,
            value: value.to_owned(),
        }
    }
}
