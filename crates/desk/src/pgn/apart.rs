//! What belongs together though other words could stand between its parts: a result or castling
//! with spaces, and the piece of a promotion in parentheses or behind a space.

use super::characters::plain_characters;
use super::comment::text_of;
use super::results;
use super::words::is_word_end;

/// The piece of a promotion that stands apart from its word, as in `e8(Q)`, `e8 = Q` or `e8 Q`: how
/// many bytes it takes `after` the word, and its letter. German and Dutch letters are understood.
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
        [b'a'..=b'h' | b'P', ..] => matches!(letters, [.., b'a'..=b'h', b'1' | b'8']),
        _ => false,
    };
    if !is_pawn {
        return None;
    }
    let spaces = |at: usize| after[at..].iter().take_while(|byte| **byte == b' ').count();
    let mut at = spaces(0);
    let sign = after.get(at).filter(|byte| b"=/(-[".contains(byte));
    let is_alone = sign.is_none() && !has_sign;
    at += usize::from(sign.is_some());
    at += spaces(at);
    let piece = after[at..].split(|byte| !(byte.is_ascii_alphabetic() || *byte >= 0x80));
    let piece = piece.map(<[u8]>::len).next()?;
    let letter = plain_characters(std::str::from_utf8(&after[at..at + piece]).ok()?).into_owned();
    at += piece;
    let closing = match sign {
        Some(b'(') => Some(b')'),
        Some(b'[') => Some(b']'),
        _ => None,
    };
    if let Some(closing) = closing {
        at += spaces(at);
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
        [letter] if !is_alone => Some((at, english_piece(*letter)?)),
        _ => None,
    }
}

/// The English letter of the piece of a promotion, for a small, a German or a Dutch one.
fn english_piece(letter: u8) -> Option<u8> {
    match letter {
        b'q' | b'r' | b'b' | b'n' => Some(letter.to_ascii_uppercase()),
        b'D' => Some(b'Q'),
        b'T' => Some(b'R'),
        b'L' => Some(b'B'),
        b'S' => Some(b'N'),
        _ => None,
    }
}

/// Castling with spaces in it at the beginning of a text, such as `O - O`, and its length. With two
/// zeros it is a result.
pub(super) fn castling_with_spaces(text: &[u8]) -> Option<(&'static [u8], usize)> {
    let mut length = 0;
    let mut letters = Vec::new();
    let mut has_spaces = false;
    loop {
        let letter = *text.get(length).filter(|byte| b"Oo0".contains(byte))?;
        letters.push(letter);
        length += 1;
        let spaces = |from: usize| {
            text[from..]
                .iter()
                .take_while(|byte| **byte == b' ')
                .count()
        };
        let hyphen = length + spaces(length);
        let next = hyphen + 1 + text.get(hyphen + 1..).map_or(0, |_| spaces(hyphen + 1));
        let goes_on = text.get(hyphen) == Some(&b'-')
            && text.get(next).is_some_and(|byte| b"Oo0".contains(byte));
        if !goes_on || letters.len() == 3 {
            break;
        }
        has_spaces |= next > length + 1;
        length = next;
    }
    // In `O-O - O-O` a dash stands between two moves.
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    if !has_spaces || text.get(length).is_some_and(goes_on) {
        return None;
    }
    match letters[..] {
        [b'0', b'0'] => None,
        [_, _] => Some((b"O-O", length)),
        [_, _, _] => Some((b"O-O-O", length)),
        _ => None,
    }
}

/// A result with spaces in it at the beginning of a text, such as `1 - 0` or `1 -0`, and its
/// length.
pub(super) fn result_with_spaces(text: &[u8]) -> Option<(results::Recorded, usize)> {
    if !matches!(text.first(), Some(b'0' | b'1' | 0xc2)) {
        return None;
    }
    let is_of_result =
        |byte: &u8| byte.is_ascii_digit() || b"-:/.,".contains(byte) || *byte >= 0x80;
    let mut length = 0;
    let mut joined = Vec::new();
    for index in 0..3 {
        let spaces = text[length..].iter().take_while(|byte| **byte == b' ');
        length += spaces.count();
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
