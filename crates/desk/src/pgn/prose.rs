//! Words by which no move is meant: sentences among the moves, notes in parentheses, and headings
//! above them.

use super::apart::result_with_spaces;
use super::comment::text_of;
use super::words::{NULL_MOVES, Token, plain, tokens};

/// Whether a word can be a word of prose, such as `resigns`: no move is meant by it.
pub(super) fn is_prose(word: &str) -> bool {
    let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
    letters.chars().count() > 2
        && letters
            .chars()
            .all(|c| c.is_alphabetic() || "-'’".contains(c))
        && !letters.chars().all(|c| "abcdefghxKQRBNSDTLPO-".contains(c))
        && !letters.to_lowercase().starts_with("castl")
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

fn names_square(text: &[u8]) -> bool {
    let mut pairs = text.windows(2);
    pairs.any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']))
}

/// Whether no word of a text has such a part.
fn has_no_token(text: &[u8], is_meant: impl Fn(Token<'_>) -> bool) -> bool {
    text.split(u8::is_ascii_whitespace).all(|word| {
        let plain = plain(word);
        let word = plain.as_ref().map_or(word, |plain| plain.as_bytes());
        !tokens(word).any(|(token, _)| is_meant(token))
    })
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

/// Whether a line above the moves is a heading, with the names of the players or the place: it has
/// words, and neither moves nor a result.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let is_plain = |word: &[u8]| {
        let has_letters = word.iter().any(u8::is_ascii_alphabetic);
        !(has_letters && word.iter().any(u8::is_ascii_digit)) || is_of_heading(word)
    };
    let has_prose = |word: &[u8]| {
        let is_null = NULL_MOVES
            .iter()
            .any(|null| null.eq_ignore_ascii_case(word));
        let word = text_of(word);
        !is_null && word.split(|c: char| !c.is_alphabetic()).any(is_prose)
    };
    let is_of_game = |token: Token<'_>| match token {
        // A word such as `de` could be a capture by files.
        Token::Move(text) => !matches!(text, [b'a'..=b'h', b'a'..=b'h']),
        token => matches!(token, Token::Result(_)),
    };
    // Comments, marks and tags are read as such.
    let has_marks = line.trim_ascii_start().starts_with(b";")
        || line.iter().any(|byte| b"{}<>".contains(byte))
        || line.windows(2).any(|pair| pair == b"\"]");
    let mut starts = (0..line.len()).filter(|at| *at == 0 || line[at - 1] == b' ');
    let has_result = starts.any(|at| result_with_spaces(&line[at..]).is_some());
    let words = || line.split(u8::is_ascii_whitespace);
    let has_words = words().all(is_plain) && words().any(has_prose);
    has_words && !has_marks && !has_result && !names_square(line) && has_no_token(line, is_of_game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_could_be_moves_are_no_prose() {
        for word in ["resigns", "White", "time.", "Weiß", "(draw"] {
            assert!(is_prose(word), "{word}");
        }
        for word in ["ed", "Nf", "bad", "castles", "O_O", "Nf9", "Кf3", ""] {
            assert!(!is_prose(word), "{word}");
        }
    }
}
