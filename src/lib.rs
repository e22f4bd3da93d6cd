//! placeholder
#![forbid(unsafe_code)]
pub mod bench;
pub mod cli;
pub mod debug_log;
pub mod evaluation;
pub mod game;
pub mod movegen;
pub mod perft;
pub mod score;
pub mod search;
pub mod uci;
