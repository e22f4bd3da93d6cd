//! What may be wrong with a line.

use shakmaty::fen::ParseFenError;

/// Why a line is no command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word says nothing to us. An empty line has none.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// A word that needs a value has none.
    #[error("'{0}' needs a value")]
    MissingValue(&'static str),
    /// A word has a value that it can't have.
    #[error("'{word}' can't be '{value}'")]
    BadValue {
        /// The word.
        word: &'static str,
        /// The value, as it was said.
        value: String,
    },
    /// `position` says neither `startpos` nor `fen`.
    #[error("'position' needs 'startpos' or 'fen'")]
    NoPosition,
    /// The FEN can't be read.
    #[error("{reason} '{fen}'")]
    BadFen {
        /// The FEN, as it was said.
        fen: String,
        /// What shakmaty says about it.
        reason: ParseFenError,
    },
    /// A word in a list of moves is none.
    #[error("'{0}' is no move")]
    BadMove(String),
}

impl CommandError {
    /// A word with a value that it can't have.
    pub(super) fn bad_value(word: &'static str, value: &str) -> CommandError {
        CommandError::BadValue {
            word,
            value: value.to_owned(),
        }
    }
}
