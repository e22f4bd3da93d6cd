//! How another UCI engine is started and set up, and why it can't be.

use std::time::Duration;

/// How another engine is started and set up.
#[derive(Clone, Debug)]
pub struct ChildSetup {
    /// The command that starts it.
    pub command: String,
    /// Its options, as names and values.
    pub options: Vec<(String, String)>,
    /// Options that are set only if it has them.
    pub wishes: Vec<(String, String)>,
    /// Whether the game is one of Chess960.
    pub is_chess960: bool,
    /// How long to wait for an answer that should come at once.
    pub patience: Duration,
}

/// Why another engine can't play.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The command can't be started.
    #[error("'{command}' can't be started: {error}")]
    Command {
        /// The command.
        command: String,
        /// Why not.
        error: std::io::Error,
    },
    /// It ended before the game.
    #[error("'{command}' has ended before the game: {cause}")]
    Died {
        /// The command.
        command: String,
        /// How it ended.
        cause: String,
    },
    /// It does not speak UCI, or not in time.
    #[error("'{command}' has not answered `{asked}` within {:.1} s; is it a UCI engine?", .patience.as_secs_f64())]
    Silent {
        /// The command.
        command: String,
        /// What it was asked.
        asked: &'static str,
        /// How long it was waited for.
        patience: Duration,
    },
    /// It has no option of this name.
    #[error("{name} has no option '{option}'; it has: {offered}")]
    UnknownOption {
        /// Its name.
        name: String,
        /// The option.
        option: String,
        /// Those that it has.
        offered: String,
    },
    /// It has no option for Chess960, and the game is one.
    #[error("{name} does not play Chess960: it has no option UCI_Chess960")]
    NoChess960 {
        /// Its name.
        name: String,
    },
    /// The user has ended the program.
    #[error("interrupted before the game")]
    Interrupted,
}
