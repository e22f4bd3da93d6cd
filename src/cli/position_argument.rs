//! Positions and moves on the command line.

use std::io::{self, Write};

use shakmaty::{Chess, Move};

use squarewise_desk::notation::{self, Meaning};
use squarewise_engine::position::read_fen;

/// A position from `startpos` or a FEN. Castling rights that only Chess960 has make it a Chess960
/// position. What is left out of it is told on stderr.
///
/// # Errors
///
/// If the text is neither, or the position is illegal: the reason in words.
pub(super) fn position(text: &str) -> Result<Chess, String> {
    if text == "startpos" {
        return Ok(Chess::default());
    }
    let (position, left_out) = read_fen(text, None).map_err(|error| error.to_string())?;
    if let Some(words) = left_out.in_words() {
        // If nobody reads it, that is no reason to stop.
        let _ = writeln!(io::stderr(), "{words}");
    }
    Ok(position)
}

/// A legal move in whatever way people write it: `Nf3`, `g1f3`, `0-0`.
pub(super) fn legal_move(text: &str, position: &Chess) -> Option<Move> {
    match notation::meaning(text, position)? {
        Meaning::Move(m) => Some(m),
        Meaning::Several(_) | Meaning::NeedsPromotion | Meaning::Nothing => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Position};

    #[test]
    fn a_fen_can_be_one_of_chess960() {
        let mode = |fen: &str| position(fen).map(|position| position.castles().mode());
        assert_eq!(mode("startpos"), Ok(CastlingMode::Standard));
        let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(mode(standard), Ok(CastlingMode::Standard));
        let shuffled = "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1";
        assert_eq!(mode(shuffled), Ok(CastlingMode::Chess960));
        assert!(mode("8/8/8/8/8/8/8/8 w - - 0 1").is_err());
    }
}
