//! Games at the terminal: people, this engine and other UCI engines play each other.
//!
//! From top to bottom; a file uses those below it, except that `advice` and `keeping` extend
//! `Session`:
//!
//! | file | what it does |
//! |---|---|
//! | `session`, `engine_turn`, `person_turn`, `obedience` | games from the first move to the last; the turns; what each command does |
//! | `advice`, `keeping` | the adviser with its hints and explanations; where games are kept |
//! | `display`, `console`, `line_editor` | the screen and the keyboard |
//! | `record` | the game as PGN |
//! | `scene`, `screen` | what is shown, and the picture of it |
//! | `commands` | the commands that a person types |
//! | `own_engine` | this engine as a player |
//! | `child_engine`, `child_process`, `child_lines` | another UCI engine as a player |
//! | `player` | what all engines have in common |
//! | `arbiter`, `ending`, `clock` | the rules, the results, the time |

mod advice;
pub(crate) mod arbiter;
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
mod session;

pub use child_engine::{ChildEngine, ChildSetup};
pub use clock::TimeControl;
pub use display::Display;
pub use ending::end_in_words;
pub use own_engine::{OwnEngine, OwnEngineSetup};
pub use player::Player;
pub use session::{GameSetup, Session};
