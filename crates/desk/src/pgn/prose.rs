//! Words by which no move is meant: sentences among the moves, and notes in parentheses.

use super::words::{Token, plain, tokens};
use crate::notation::FOREIGN_PIECES;

/// Whether a word can be a word of prose, such as `resigns`: no move is meant by it.
pub(super) fn is_prose(word: &str) -> bool {
    let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
    letters.chars().count() > 1
        && letters
            .chars()
            .all(|c| c.is_alphabetic() || "-'’".contains(c))
        && !letters.chars().all(|c| "abcdefghxKQRBNSDTLPO-".contains(c))
        && !letters.to_lowercase().starts_with("castl")
        && !is_scanned_move(letters)
        && (letters.len() > 2 || !letters.starts_with(['C', 'F', 'A']))
}

/// Whether a word is a move in whose rank a scanner took the one for a letter: `Rel`, `TfeI`.
fn is_scanned_move(word: &str) -> bool {
    let Some(square) = word.strip_suffix(['l', 'I']) else {
        return false;
    };
    let is_piece = |c: char| {
        "KQRBNP".contains(c) || FOREIGN_PIECES.iter().any(|piece| char::from(*piece) == c)
    };
    let files = square.strip_prefix(is_piece);
    let files = files.unwrap_or(square);
    !files.is_empty() && files.chars().all(|c| "abcdefghx".contains(c))
}

/// Whether no move, result or sign of a game can be meant by a text: no word reads as one, and none
/// has the name of a square.
pub(super) fn is_without_moves(text: &[u8]) -> bool {
    const FIRST_GLYPH_IN_LETTERS: u16 = 145;
    !names_square(text)
        && has_no_token(text, |token| match token {
            Token::Glyph(glyph) => glyph < FIRST_GLYPH_IN_LETTERS,
            token => matches!(token, Token::Move(_) | Token::Null | Token::Result(_)),
        })
}

/// Whether a text has moves, and nothing else but what stands between them.
pub(super) fn is_of_moves(text: &[u8]) -> bool {
    let is_move = |token: Token<'_>| matches!(token, Token::Move(_));
    let is_other = |token: Token<'_>| matches!(token, Token::Unknown | Token::Null);
    let is_variation = text.trim_ascii_start().starts_with(b"(");
    !is_variation && !has_no_token(text, is_move) && has_no_token(text, is_other)
}

/// Whether a word is the board of a FEN.
pub(super) fn is_board(word: &[u8]) -> bool {
    word.split(|byte| *byte == b'/').count() == 8
}

pub(super) fn names_square(text: &[u8]) -> bool {
    let mut pairs = text.windows(2);
    pairs.any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']))
}

/// Whether no word of a text has such a part.
pub(super) fn has_no_token(text: &[u8], is_meant: impl Fn(Token<'_>) -> bool) -> bool {
    text.split(u8::is_ascii_whitespace).all(|word| {
        let plain = plain(word);
        let word = plain.as_ref().map_or(word, |plain| plain.as_bytes());
        !tokens(word).any(|(token, _)| is_meant(token))
    })
}

/// Whether a word is the evaluation of a position, such as `+0.35`, `0.00` or `0.30/12` with its
/// depth. `0.0` is castling.
pub(super) fn is_evaluation(word: &[u8]) -> bool {
    let mut parts = word.splitn(2, |byte| *byte == b'/');
    let word = parts.next().unwrap_or_default();
    if parts
        .next()
        .is_some_and(|depth| depth.is_empty() || !depth.iter().all(u8::is_ascii_digit))
    {
        return false;
    }
    let has_sign = matches!(word.first(), Some(b'+' | b'-'));
    let is_small = word.starts_with(b"0.") && word != b"0.0";
    word.contains(&b'.') && is_decimal(word) && (has_sign || is_small)
}

/// Whether a word is the time that a move took, in seconds, or what was left: `2.4`, `2.4s`,
/// `0:05`, `1:30:00`.
pub(super) fn is_time(word: &[u8]) -> bool {
    if let Some(seconds) = word.strip_suffix(b"s") {
        return is_decimal(seconds) && seconds[0].is_ascii_digit();
    }
    let mut parts = word.split(|byte| b".:".contains(byte));
    let is_short = |part: &[u8]| (1..=3).contains(&part.len());
    let first = parts.next().is_some_and(is_short);
    // `4.00` castles.
    let is_castling = word == b"0.0" || word.ends_with(b".00");
    let has_seconds = word.contains(&b'.') && is_decimal(word) && !is_castling;
    let has_minutes = word.contains(&b':') && parts.clone().all(|part| part.len() == 2);
    let digits = word
        .iter()
        .all(|byte| byte.is_ascii_digit() || b".:".contains(byte));
    first && digits && (has_minutes || (has_seconds && parts.all(|part| part.len() <= 2)))
}

/// Whether a word is a number with or without a sign and a period.
pub(super) fn is_decimal(word: &[u8]) -> bool {
    let digits = word.strip_prefix(b"+").or_else(|| word.strip_prefix(b"-"));
    let mut parts = digits.unwrap_or(word).splitn(2, |byte| *byte == b'.');
    parts.all(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
}

/// Whether a word among others is no part of the moves, though it has a digit or is a single
/// letter: an ordinal (`5th`), a date or several numbers (`21.06.1851`), the code of an opening
/// (`B20`), an initial (`N.`).
pub(super) fn is_of_heading(word: &[u8]) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric();
    let start = word.iter().position(is_inner).unwrap_or_default();
    let end = word.iter().rposition(is_inner).map_or(0, |last| last + 1);
    let rest_is =
        |rest: &[u8], is_part: fn(&u8) -> bool| rest.len() > 1 && rest.iter().all(is_part);
    match &word[start..end.max(start)] {
        [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9'] => true,
        [b'A'..=b'Z'] => word.get(end) == Some(&b'.'),
        inner @ [b'0'..=b'9', ..] => {
            let digits = inner.iter().take_while(|byte| byte.is_ascii_digit());
            let rest = &inner[digits.count()..];
            if let [b'.', m @ ..] = rest
                && m.len() == 4
                && m.iter().all(|digit| (b'1'..=b'8').contains(digit))
            {
                // A move by mail, in numbers.
                return false;
            }
            let is_ordinal = rest_is(rest, |byte| byte.is_ascii_alphabetic() || *byte == b'-');
            let is_date = rest_is(rest, |byte| {
                byte.is_ascii_digit() || b"./-:,".contains(byte)
            });
            (is_ordinal || is_date) && is_without_moves(word)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_could_be_moves_are_no_prose() {
        for word in ["resigns", "White", "time.", "Weiß", "(draw"] {
            assert!(is_prose(word), "{word}");
        }
        for word in [
            "ed", "Nf", "bad", "castles", "O_O", "Nf9", "Кf3", "", "Rel", "TfeI", "Cf",
        ] {
            assert!(!is_prose(word), "{word}");
        }
    }
}
