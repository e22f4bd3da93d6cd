//! placeholder
#![forbid(unsafe_code)]
pub mod evaluation;
pub mod game;
pub mod movegen;
pub mod score;
