//! Positions: shakmaty's rules of chess, and what a search needs besides them.
//!
//! Added to shakmaty are the game as a stack of positions ([`game`], [`draws`]) with its Zobrist
//! keys ([`zobrist`]), a legal move generator that yields captures and quiet moves apart
//! ([`movegen`], [`attacks`]), moves packed into an integer ([`packed_move`]), and the cuckoo
//! tables that find upcoming repetitions (`cuckoo`). [`rules`] and [`variant_position`] are the
//! variants, [`piece_changes`] what a move changes on the board. [`perft`] tests the move
//! generator; [`played_move`] tells which squares a move changes, and [`random_moves`] begins games
//! to be learned from. Positions come from FEN and EPD in all the forms that people write
//! ([`from_fen`], [`from_epd`]), or from [`chess960_start`].

pub mod attacks;
mod castling_mode;
mod cuckoo;
pub mod draws;
mod fen;
mod fen_error;
pub mod game;
pub mod movegen;
pub mod packed_move;
mod pawn_moves;
pub mod perft;
pub mod piece_changes;
pub mod played_move;
pub mod random_moves;
pub mod rules;
mod variant_moves;
pub mod variant_position;
pub mod zobrist;

pub use self::fen::{
    CHESS960_STARTS, LeftOut, chess960_start, counters, epd_fields, epd_lines, from_epd,
    from_epd_of_any_mode, from_fen, from_fen_of_any_mode, from_setup, is_meant_as_fen, read_epd,
    read_fen,
};
pub use self::fen_error::FenError;
