//! The search of a chess engine on other boards.
#![forbid(unsafe_code)]

pub mod chess;
pub mod game;
pub mod gobang;
pub mod learning;
pub mod limits;
mod move_order;
pub mod plain_negamax;
pub mod search;
pub mod terminal;
pub mod transposition_table;
pub mod xiangqi;
