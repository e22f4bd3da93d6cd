//! Games at the terminal: people, this engine and other UCI engines play each other.
//!
//! From top to bottom; a file uses those below it:
//!
//! | file | what it does |
//! |---|---|
//! | [`session`], `person_turn`, `advice` | the game from the first move to the last; the turn of a person; hints and explanations |
//! | `adviser` | this engine beside the board, for hints and explanations |
//! | [`display`], [`console`] | the screen and the keyboard |
//! | `keeping`, [`record`] | the game as PGN, and the files in which it is kept |
//! | `scene`, [`screen`] | what is shown, and the picture of it |
//! | [`commands`], [`slips`], `castling_slips`, `piece_names`, [`notation`] | what a person types: commands, moves, and why a move is not possible |
//! | [`own_engine`], `search_thread` | this engine as a player |
//! | [`child_engine`], [`child_setup`], `child_process`, `child_command`, `child_lines` | another UCI engine as a player |
//! | [`player`] | what all engines have in common |
//! | [`arbiter`], [`ending`], [`clock`] | the rules, the results, the time |
//! | [`thought`] | what an engine says about a position |

mod advice;
mod adviser;
pub mod arbiter;
mod castling_slips;
mod child_command;
pub mod child_engine;
mod child_lines;
mod child_process;
pub mod child_setup;
pub mod clock;
pub mod commands;
pub mod console;
pub mod display;
pub mod ending;
mod keeping;
pub mod notation;
pub mod own_engine;
mod person_turn;
mod piece_names;
pub mod player;
pub mod record;
mod scene;
pub mod screen;
mod search_thread;
pub mod session;
pub mod slips;
pub mod thought;
