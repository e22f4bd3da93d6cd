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

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, PositionError};

/// Why a text is no position.
#[derive(Debug, thiserror::Error)]
pub enum FenError {
    /// It is not a FEN.
    #[error(transparent)]
    Syntax(#[from] ParseFenError),
    /// It is a FEN, but the position breaks the rules.
    #[error("{0}")]
    Illegal(Box<PositionError<Chess>>),
}

/// The position that a FEN describes; castling rights are read as `mode` says.
///
/// # Errors
///
/// [`FenError`] if the text is not a FEN or the position is illegal.
pub fn from_fen(fen: &str, mode: CastlingMode) -> Result<Chess, FenError> {
    let fen: Fen = fen.parse()?;
    let position = fen.into_position(mode);
    position.map_err(|error| FenError::Illegal(Box::new(error)))
}
