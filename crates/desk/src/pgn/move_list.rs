//! Moves that are listed in a text, such as the solutions of a test suite.

use shakmaty::Move;
use squarewise_engine::position::variant_position::VariantPosition;

use super::apart::{promotion_apart, result_with_spaces};
use super::castling::castling_apart;
use super::characters::plain_characters;
use super::results::Recorded;
use super::words::{Token, tokens};
use crate::notation;

/// The moves that are listed in a text, all of them possible in the same position. Signs, glyphs,
/// numbers, `or` and `and` around them are skipped.
///
/// # Errors
///
/// The word that is no legal move.
pub fn written_moves<'a>(text: &'a str, position: &VariantPosition) -> Result<Vec<Move>, &'a str> {
    let mut moves = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        if let Some((castling, length)) = castling_apart(rest.as_bytes()) {
            let (word, after) = rest.split_at(length);
            rest = after.trim_start();
            moves.push(notation::written_move(castling, position).map_err(|_| word)?);
            continue;
        }
        if let Some((Recorded::BothLost, length)) = result_with_spaces(rest.as_bytes()) {
            // Among moves it is castling.
            let (word, after) = rest.split_at(length);
            rest = after.trim_start();
            moves.push(notation::written_move(b"O-O", position).map_err(|_| word)?);
            continue;
        }
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        rest = after.trim_start();
        if matches!(word, "or" | "and") {
            continue;
        }
        let plain = plain_characters(word);
        if let Some((apart, piece)) = promotion_apart(plain.trim().as_bytes(), after.as_bytes()) {
            let pawn = plain.trim().trim_end_matches(['=', '/', '-']);
            let written = format!("{pawn}={}", char::from(piece));
            let m = notation::written_move(written.as_bytes(), position);
            moves.push(m.map_err(|_| word)?);
            rest = after[apart..].trim_start();
            continue;
        }
        for part in plain.split_whitespace() {
            for (token, text) in tokens(part.as_bytes()) {
                let written = match token {
                    Token::Move(written) => Some(written),
                    // Among moves it is castling.
                    Token::Result(Recorded::BothLost) => Some(text),
                    Token::Glyph(_) | Token::Sign | Token::Number(..) => None,
                    Token::Null | Token::Result(_) | Token::Unknown => return Err(word),
                };
                if let Some(written) = written {
                    moves.push(notation::written_move(written, position).map_err(|_| word)?);
                }
            }
        }
    }
    Ok(moves)
}
