//! What belongs together though other words could stand between its parts: a result with spaces,
//! and the piece of a promotion in parentheses or behind a space.

use super::characters::{cyrillic_piece, plain_characters, spaces};
use super::comment::text_of;
use super::results;
use super::words::is_word_end;
use crate::notation::FOREIGN_PIECES;

/// The piece of a promotion that stands apart from its word, as in `e8(Q)`, `e8 = Q` or `e8 Q`: how
/// many bytes it takes `after` the word, and its letter, which can be that of another language.
pub(super) fn promotion_apart(word: &[u8], after: &[u8]) -> Option<(usize, u8)> {
    let (word, has_sign) = match word {
        [word @ .., b'=' | b'/' | b'-'] => (word, true),
        word => (word, false),
    };
    let is_no_letter = |byte: &u8| !byte.is_ascii_alphabetic();
    let letters = &word[word.iter().take_while(|byte| is_no_letter(byte)).count()..];
    let is_pawn = match letters {
        // With both squares it can be another piece.
        [b'a'..=b'h', from @ b'1'..=b'8', .., b'a'..=b'h', to] => {
            matches!((from, to), (b'7', b'8') | (b'2', b'1'))
        }
        // A capture by files.
        [b'a'..=b'h', b'a'..=b'h'] | [b'a'..=b'h', b'x', b'a'..=b'h'] => {
            has_sign || after.starts_with(b"(")
        }
        [b'a'..=b'h' | b'P', ..] => matches!(letters, [.., b'a'..=b'h', b'1' | b'8']),
        _ => false,
    };
    if !is_pawn {
        return None;
    }
    let mut at = spaces(after);
    let sign = after.get(at).filter(|byte| b"=/(-[".contains(byte));
    let is_alone = sign.is_none() && !has_sign;
    at += usize::from(sign.is_some());
    at += spaces(&after[at..]);
    if matches!(sign, Some(b'(' | b'[')) && after.get(at) == Some(&b'=') {
        // `e8(=Q)`.
        at += 1;
        at += spaces(&after[at..]);
    }
    let piece = after[at..].split(|byte| !(byte.is_ascii_alphabetic() || *byte >= 0x80));
    let piece = piece.map(<[u8]>::len).next()?;
    let letter = std::str::from_utf8(&after[at..at + piece]).ok()?;
    let mut letters = letter.chars();
    let cyrillic = letters
        .next()
        .filter(|_| !is_alone && letters.next().is_none());
    let letter = match cyrillic.and_then(cyrillic_piece) {
        Some(letter) => letter.to_string(),
        None => plain_characters(letter).into_owned(),
    };
    at += piece;
    let closing = match sign {
        Some(b'(') => Some(b')'),
        Some(b'[') => Some(b']'),
        _ => None,
    };
    if let Some(closing) = closing {
        at += spaces(&after[at..]);
        (after.get(at) == Some(&closing)).then_some(())?;
        at += 1;
    }
    if after.get(at).is_some_and(u8::is_ascii_alphanumeric) {
        // The next move: an equals sign alone is a glyph.
        return None;
    }
    match letter.as_bytes() {
        [letter @ (b'Q' | b'R' | b'B' | b'N')] => Some((at, *letter)),
        // Without a sign the letter `D` is that of a diagram.
        [letter] if !is_alone && (FOREIGN_PIECES.contains(letter) || b"qrbn".contains(letter)) => {
            Some((at, letter.to_ascii_uppercase()))
        }
        _ => None,
    }
}

/// Whether a text begins with a digit of a result, or with a half in UTF-8 or Windows-1252.
pub(super) fn begins_result(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'0' | b'1' | 0xc2 | 0xbd))
}

/// A result with spaces in it at the beginning of a text, such as `1 - 0` or `1 -0`, and its
/// length.
pub(super) fn result_with_spaces(text: &[u8]) -> Option<(results::Recorded, usize)> {
    const IN_SIGNS: [&str; 5] = ["+ : -", "- : +", "- : -", "+ - -", "- - +"];
    let mut in_signs = IN_SIGNS.into_iter();
    if let Some(signs) = in_signs.find(|signs| text.starts_with(signs.as_bytes())) {
        let is_whole = text.get(signs.len()).is_none_or(|byte| is_word_end(*byte));
        let recorded = results::of_tag(signs).filter(|_| is_whole)?;
        return Some((recorded, signs.len()));
    }
    if !begins_result(text) {
        return None;
    }
    let is_of_result =
        |byte: &u8| byte.is_ascii_digit() || b"-:/.,".contains(byte) || *byte >= 0x80;
    let mut length = 0;
    let mut joined = Vec::new();
    for index in 0..3 {
        length += spaces(&text[length..]);
        let word = &text[length..];
        let end = word.iter().position(|byte| is_word_end(*byte));
        let word = &word[..end.unwrap_or(word.len())];
        if word.is_empty() || word.len() > 7 || !word.iter().all(is_of_result) {
            return None;
        }
        joined.extend_from_slice(word);
        length += word.len();
        if index > 0
            && let Some(recorded) = results::of_tag(&text_of(&joined))
        {
            return Some((recorded, length));
        }
    }
    None
}
