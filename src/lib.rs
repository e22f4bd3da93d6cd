//! placeholder
#![forbid(unsafe_code)]
pub mod bench;
pub mod evaluation;
pub mod game;
pub mod movegen;
pub mod score;
pub mod search;
