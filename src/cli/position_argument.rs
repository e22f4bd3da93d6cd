//! Positions and moves on the command line.

use std::io::{self, Write};
use std::path::Path;

use shakmaty::fen::Fen;
use shakmaty::{Chess, Move};

use squarewise_desk::notation::{self, Meaning};
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::position::{LeftOut, read_epd, read_fen};

/// A position from `startpos` or a FEN. Castling rights that only Chess960 has make it a Chess960
/// position. What is left out of it is told on stderr.
pub(super) fn position(text: &str) -> Result<Chess, String> {
    if text == "startpos" {
        return Ok(Chess::default());
    }
    match read_fen(text, None) {
        Ok((position, left_out)) => Ok(told(position, left_out)),
        Err(_) if Path::new(text).exists() => {
            Err("this is a file; a position is asked for, as a FEN in quotation marks".to_owned())
        }
        Err(_) if !text.contains('/') => {
            Err("this is no position, which is a FEN in quotation marks, or startpos".to_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}

/// The same text, if it is a position of chess.
pub(super) fn position_text(text: &str) -> Result<String, String> {
    match read_fen(text, None) {
        Ok(_) => Ok(text.to_owned()),
        Err(_) => position(text).map(|_| text.to_owned()),
    }
}

/// The position of such a text by the rules of a variant.
pub(super) fn variant_position(text: &str, variant: Variant) -> Result<VariantPosition, String> {
    if variant == Variant::Chess || text == "startpos" {
        return Ok(VariantPosition::new(position(text)?, variant));
    }
    let fen: Fen = text.parse().map_err(|error| format!("{error}"))?;
    let read = VariantPosition::from_setup(fen.into_setup(), None, variant);
    let (position, left_out) = read.map_err(|error| error.to_string())?;
    tell(left_out);
    Ok(position)
}

/// The same, but also from a line of EPD.
pub(super) fn position_or_epd(text: &str) -> Result<Chess, String> {
    position(text).or_else(|_| {
        let read = read_epd(text, None).map_err(|error| error.to_string())?;
        let (position, left_out, _) = read;
        Ok(told(position, left_out))
    })
}

/// Tells on stderr what was left out of a position. If nobody reads it, that is no reason to stop.
fn tell(left_out: LeftOut) {
    if let Some(words) = left_out.in_words() {
        let _ = writeln!(io::stderr(), "{words}");
    }
}

/// A position, after [`tell`].
fn told(position: Chess, left_out: LeftOut) -> Chess {
    tell(left_out);
    position
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

    #[test]
    fn what_looks_like_no_position_is_told_how_one_is_written() {
        let refused = |text: &str| position(text).expect_err("no position");
        assert!(refused("e4").contains("a FEN in quotation marks"));
        assert!(refused("8/8 w").contains("invalid board part"));
    }
}
