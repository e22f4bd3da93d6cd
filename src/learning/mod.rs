//! Learning the tables from nothing: the engine plays itself, and what came of its games is fitted.
//!
//! [`selfplay`] plays games and writes their quiet positions down ([`record`]); [`tuner`] fits tables to
//! them. The new tables play the next games. One such turn is a *generation*; the first plays with tables
//! that are all zero and sees nothing but mates.
//!
//! Built with the feature `tuning`, `spsa` looks for better numbers of the search in the same way.

mod adam;
pub mod adjudication;
pub mod game_file;
pub mod openings;
mod samples;
pub mod selfplay;
#[cfg(feature = "tuning")]
pub mod spsa;
pub mod training_position;
pub mod tuner;
