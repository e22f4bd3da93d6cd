//! What stands on the board: shakmaty's rules, and what a search needs beside them.
//!
//! shakmaty knows how the pieces move. Added here are the game as a stack of positions ([`game`]) with its
//! Zobrist keys ([`zobrist`]), a legal move generator in two halves ([`movegen`]), moves packed into one
//! integer ([`packed_move`]), and a test for upcoming repetitions ([`cuckoo`]). [`perft`] checks them all.

pub mod cuckoo;
pub mod game;
pub mod movegen;
pub mod packed_move;
pub mod perft;
pub mod zobrist;
