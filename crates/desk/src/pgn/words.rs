//! The words of a PGN file: moves in their many spellings, results, the values of tags.

use shakmaty::san::San;

/// The results that can stand at the end of a game, besides `*`.
const RESULTS: [&str; 5] = ["1-0", "0-1", "1/2-1/2", "1/2", "½-½"];

/// A word in plain ASCII as far as it goes: figurines as letters, all kinds of dashes as one, all kinds of spaces as
/// spaces. `None` if it is plain already, or no UTF-8.
pub(super) fn plain(word: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(word).ok()?;
    let mut plain = String::new();
    for character in text.chars() {
        match character {
            '♔' | '♚' => plain.push('K'),
            '♕' | '♛' => plain.push('Q'),
            '♖' | '♜' => plain.push('R'),
            '♗' | '♝' => plain.push('B'),
            '♘' | '♞' => plain.push('N'),
            // A pawn has no letter. After the figurine may stand the wish that it be no emoji.
            '♙' | '♟' | '\u{fe0e}' => {}
            '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
            _ if character.is_whitespace() => plain.push(' '),
            _ => plain.push(character),
        }
    }
    Some(plain).filter(|plain| plain != text)
}

/// Whether a word is the result of a game.
pub(super) fn is_result(word: &[u8]) -> bool {
    word == b"*" || RESULTS.iter().any(|result| result.as_bytes() == word)
}

/// The value at the beginning of a text, which follows a quotation mark, and the text after its tag. The value ends
/// with the quotation mark before a closing bracket; others in it are escaped, whether they were or not.
pub(super) fn split_value(text: &[u8]) -> (Vec<u8>, &[u8]) {
    let mut value = Vec::new();
    let mut index = 0;
    while index < text.len() {
        let after = &text[index + 1..];
        match text[index] {
            b'\\' if matches!(after.first(), Some(b'"' | b'\\')) => {
                value.extend_from_slice(&text[index..index + 2]);
                index += 1;
            }
            b'"' => match after.trim_ascii_start().strip_prefix(b"]") {
                Some(after) => return (value, after),
                None if after.is_empty() => break,
                None => value.extend_from_slice(b"\\\""),
            },
            b'\\' => value.extend_from_slice(b"\\\\"),
            byte => value.push(byte),
        }
        index += 1;
    }
    (value, b"")
}

/// Whether a line begins with the first move of a game: `1. e4`, but not `1... e5`, `1. ... e5` or `1-0`.
pub(super) fn is_first_move(line: &[u8]) -> bool {
    let after = line.strip_prefix(b"1").unwrap_or_default();
    let is_between = |byte: &&u8| matches!(**byte, b'.' | b' ');
    let between = &after[..after.iter().take_while(is_between).count()];
    match between.iter().filter(|byte| **byte == b'.').count() {
        0 => {
            !between.is_empty()
                && after[between.len()..]
                    .first()
                    .is_some_and(u8::is_ascii_alphabetic)
        }
        periods => periods == 1,
    }
}

/// Castling in whatever way it is written: with letters or zeros, large or small, with hyphens or without. Zeros alone
/// are a number.
pub(super) fn castling(word: &[u8]) -> Option<&'static [u8]> {
    let is_castling = word.iter().all(|byte| b"0oO-".contains(byte))
        && word.iter().any(|byte| *byte != b'0')
        && word.first() != Some(&b'-');
    let sides = word.iter().filter(|byte| **byte != b'-').count();
    match sides {
        2 if is_castling => Some(b"O-O"),
        3 if is_castling => Some(b"O-O-O"),
        _ => None,
    }
}

/// The move of a word in SAN, without marks of check; `None` if it isn't one. Castling in any spelling, long notation
/// (`e2-e4`), promotion without `=` and `e.p.` without a space before it are understood.
pub(super) fn san(word: &[u8]) -> Option<Vec<u8>> {
    if word == b"--" || word == b"Z0" {
        return Some(b"--".to_vec());
    }
    let is_mark = |byte: &u8| matches!(byte, b'+' | b'#' | b'-' | b'=' | b'/' | b'~');
    let length = word.iter().rposition(|byte| !is_mark(byte))? + 1;
    if let Some(castling) = castling(&word[..length]) {
        return Some(castling.to_vec());
    }
    let word = without_en_passant(&word[..length]);
    let short: Vec<u8> = word.iter().filter(|byte| **byte != b'-').copied().collect();
    let mut promotion = short.clone();
    promotion.insert(short.len().checked_sub(1)?, b'=');
    let forms = [word.to_vec(), short, promotion];
    forms.into_iter().find(|form| San::from_ascii(form).is_ok())
}

/// A word without `ep`, or the `e` of `e.p.`, which is a word of its own from the period on, behind the move of a pawn.
fn without_en_passant(word: &[u8]) -> &[u8] {
    match word {
        [pawn_move @ .., b'e', b'p'] | [pawn_move @ .., b'e']
            if matches!(pawn_move, [b'a'..=b'h', .., b'3' | b'6']) =>
        {
            pawn_move
        }
        _ => word,
    }
}

/// Whether a word ends before this byte.
pub(super) fn is_token_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"{}()!?$;.*".contains(&byte)
}
