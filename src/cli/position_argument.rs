//! Positions and moves on the command line.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move};

use crate::position::from_fen;

/// A position from `startpos` or a FEN. Castling rights that only Chess960 has make it a Chess960 position.
///
/// # Errors
///
/// If the text is neither, or the position is illegal: the reason in words.
pub(super) fn position(text: &str) -> Result<Chess, String> {
    if text == "startpos" {
        return Ok(Chess::default());
    }
    from_fen(text, CastlingMode::Standard)
        .or_else(|_| from_fen(text, CastlingMode::Chess960))
        .map_err(|error| error.to_string())
}

/// A legal move in the notation of books (`Nf3`) or of UCI (`g1f3`).
pub(super) fn legal_move(text: &str, position: &Chess) -> Option<Move> {
    let san = SanPlus::from_ascii(text.as_bytes()).ok();
    let uci = || text.parse::<UciMove>().ok()?.to_move(position).ok();
    san.and_then(|san| san.san.to_move(position).ok())
        .or_else(uci)
}
