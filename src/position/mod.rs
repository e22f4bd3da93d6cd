//! Positions: shakmaty's rules of chess, and what a search needs besides them.
//!
//! Added to shakmaty are the game as a stack of positions ([`game`], [`draws`]) with its Zobrist keys
//! ([`zobrist`]), a legal move generator that yields captures and quiet moves apart ([`movegen`],
//! [`attacks`]), moves packed into an integer ([`packed_move`]), and the cuckoo tables that find upcoming
//! repetitions ([`cuckoo`]). [`perft`] tests the move generator.

pub mod attacks;
pub mod cuckoo;
pub mod draws;
pub mod game;
pub mod movegen;
pub mod packed_move;
pub mod perft;
mod piece_changes;
pub mod zobrist;

use shakmaty::fen::{Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, PositionError};

/// Why a text is not a position.
#[derive(Debug, thiserror::Error)]
pub enum FenError {
    /// It is not a FEN.
    #[error(transparent)]
    Syntax(#[from] ParseFenError),
    /// It is a FEN, but the position is illegal.
    #[error("{0}")]
    Illegal(Box<PositionError<Chess>>),
}

/// The position of a FEN, with castling rights read as in standard chess or as in Chess960.
///
/// # Errors
///
/// [`FenError`] if the text is not a FEN or the position is illegal.
pub fn from_fen(fen: &str, mode: CastlingMode) -> Result<Chess, FenError> {
    let fen: Fen = fen.parse()?;
    let position = fen.into_position(mode);
    position.map_err(|error| FenError::Illegal(Box::new(error)))
}
