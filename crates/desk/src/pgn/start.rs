//! The position from which a game starts, by its tags.

use shakmaty::{CastlingMode, Chess};

use super::error::GameError;
use squarewise_engine::position::{from_fen, from_fen_of_any_mode};

/// The standard start position, which Chess960 has too.
const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The value of the first tag with this name.
pub(super) fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut tags = tags.iter();
    let (_, value) = tags.find(|(other, _)| other == name)?;
    Some(value)
}

/// The start position by the tags `Variant` and `FEN`. Castling rights that standard chess can't
/// have are read as in Chess960.
pub(super) fn start_position(tags: &[(String, String)]) -> Result<Chess, GameError> {
    let variant = tag(tags, "Variant").unwrap_or_default();
    let letters = variant.chars().filter(char::is_ascii_alphanumeric);
    let mode = match letters.collect::<String>().to_ascii_lowercase().as_str() {
        "" | "standard" | "normal" | "chess" | "fromposition" => CastlingMode::Standard,
        "frc" => CastlingMode::Chess960,
        other if other.contains("960") || other.starts_with("fischer") => CastlingMode::Chess960,
        _ => return Err(GameError::Variant(variant.to_owned())),
    };
    let fen = tag(tags, "FEN").filter(|fen| !matches!(*fen, "" | "?"));
    match (fen, mode) {
        (None, CastlingMode::Standard) => Ok(Chess::default()),
        (Some(fen), CastlingMode::Standard) => Ok(from_fen_of_any_mode(fen)?),
        (fen, CastlingMode::Chess960) => Ok(from_fen(
            fen.unwrap_or(STANDARD_START),
            CastlingMode::Chess960,
        )?),
    }
}
