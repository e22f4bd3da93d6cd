//! Games at the terminal: people, this engine and other UCI engines play each other.
//!
//! From top to bottom; a file uses those below it, except that `advice` and `keeping` extend
//! `Session`:
//!
//! | file | what it does |
//! |---|---|
//! | `session`, `engine_turn`, `person_turn`, `obedience` | games from the first move to the last; the turns; what each command does |
//! | `advice`, `adviser`, `keeping` | hints and explanations; where games are kept |
//! | `display`, `console`, `line_editor` | the screen and the keyboard |
//! | `record` | the game as PGN, and a file to which it is added |
//! | `scene`, `screen` | what is shown, and the picture of it |
//! | `commands`, [`slips`], `castling_slips` | what a person types: commands, moves, and why a move is not possible |
//! | `own_engine`, `search_thread` | this engine as a player |
//! | `child_engine`, `child_process`, `child_lines`, `child_command` | another UCI engine as a player |
//! | `player` | what all engines have in common |
//! | `arbiter`, `ending`, `clock` | the rules, the results, the time |

mod advice;
mod adviser;
pub(crate) mod arbiter;
mod castling_slips;
mod child_command;
mod child_engine;
mod child_lines;
mod child_process;
pub(crate) mod clock;
mod commands;
mod console;
mod display;
pub(crate) mod ending;
mod engine_turn;
mod keeping;
mod line_editor;
mod obedience;
pub(crate) mod own_engine;
mod person_turn;
pub(crate) mod player;
pub(crate) mod record;
mod scene;
mod screen;
pub(crate) mod search_thread;
mod session;
pub mod slips;

pub use child_engine::{ChildEngine, ChildSetup};
pub use clock::TimeControl;
pub use display::Display;
pub use ending::end_in_words;
pub use own_engine::{OwnEngine, OwnEngineSetup};
pub use player::Player;
pub use record::PgnFile;
pub use session::{GameSetup, Session};
