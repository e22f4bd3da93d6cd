//! Learning the tables from zero: the engine plays itself, and tables are fitted to its games.
//!
//! [`selfplay`] plays games and writes positions of them to a file ([`training_position`],
//! [`game_file`]); [`tuner`] fits tables to them. The next games are played with the new tables.
//! Each round is a *generation*; the first one plays with tables that are all zero and sees nothing
//! but mates.
//!
//! [`table_match`] lets two sets of tables play each other, by the rules of chess or of a variant.
//!
//! Games played elsewhere are learned from too: [`played_game`] takes them from PGN, as OpenBench's
//! machines send it.
//!
//! [`wdl_fit`] fits the WDL model to such games, and [`calibration`] compares its predictions with
//! results.
//!
//! [`drawishness`] fits how much of a lead counts in which ending.
//!
//! [`endings`] learns from no games at all: it counts distances to mate from the rules, and fits
//! the tables of endings to them.
//!
//! Built with the feature `tuning`, `spsa` tunes the parameters of the search by games.

#![forbid(unsafe_code)]

mod adam;
mod adjudication;
pub mod calibration;
mod checkpoint;
mod descent_state;
pub mod drawishness;
pub mod endings;
mod fit_settings;
mod fit_steps;
mod fitted_tables;
pub mod game_file;
mod game_format;
mod gradient;
mod losses;
mod model;
pub mod openings;
mod parameters;
pub mod played_game;
mod playing;
mod position_features;
mod score_scale;
pub mod selfplay;
#[cfg(feature = "tuning")]
pub mod spsa;
#[cfg(feature = "tuning")]
mod spsa_state;
pub mod table_match;
pub mod training_data;
pub mod training_position;
pub mod tuner;
pub mod wdl_fit;
mod wdl_samples;
