//! Castling as people write it: with letters or zeros, with hyphens, without them, with spaces or
//! periods.

use super::characters::spaces;

/// The length of castling at the beginning of a word: with letters or zeros, large or small, with
/// hyphens or without. `00` is castling, too, unless it begins a number or a time.
pub(super) fn castling_length(word: &[u8]) -> Option<usize> {
    let is_letter = |index: usize| matches!(word.get(index), Some(b'O' | b'o' | b'0'));
    let is_hyphen = |index: usize| matches!(word.get(index), Some(b'-' | b'_'));
    if !is_letter(0) {
        return None;
    }
    let step = if is_hyphen(1) { 2 } else { 1 };
    let goes_on = |from: usize| is_letter(from + step) && (step == 1 || is_hyphen(from + 1));
    if !goes_on(0) {
        return None;
    }
    let length = if goes_on(step) {
        2 * step + 1
    } else {
        step + 1
    };
    let is_number = word[..length].iter().all(|byte| *byte == b'0')
        && matches!(word.get(length), Some(b'0'..=b'9' | b'.' | b':' | b'-'));
    (!is_number).then_some(length)
}

/// Castling at the beginning of a text whose letters stand apart, and its length: with spaces
/// around its hyphens, with spaces alone, or with periods, as in `O - O`, `0 0` and `0.0`. Two
/// zeros around a hyphen are a result. Zeros with a period are castling only if no further digit
/// follows, which would make them a number.
pub(super) fn castling_apart(text: &[u8]) -> Option<(&'static [u8], usize)> {
    let mut length = 0;
    let mut letters = Vec::new();
    let mut separator = None;
    let mut is_apart = false;
    loop {
        let (letter, bytes) = letter(&text[length..])?;
        letters.push(letter);
        length += bytes;
        let sign = length + spaces(&text[length..]);
        let (found, bytes) = match (dash_length(&text[sign..]), text.get(sign)) {
            (Some(bytes), _) => (b'-', bytes),
            (None, Some(b'.')) => (b'.', 1),
            _ if sign > length => (b' ', 0),
            _ => break,
        };
        let next = match found {
            b' ' => sign,
            b'.' if sign > length => break,
            b'.' => sign + 1,
            _ => sign + bytes + spaces(&text[sign + bytes..]),
        };
        let is_same = *separator.get_or_insert(found) == found;
        let goes_on = is_same && self::letter(&text[next..]).is_some();
        if !goes_on || letters.len() == 3 {
            break;
        }
        is_apart |= found != b'-' || next > length + bytes;
        length = next;
    }
    let after = &text[length..];
    // `0.0 - 1.0` is a result.
    let sign = &after[spaces(after)..];
    if separator == Some(b'.') && (dash_length(sign).is_some() || sign.starts_with(b":")) {
        return None;
    }
    // In `O-O - O-O` a dash stands between two moves.
    let goes_on = |byte: &u8| {
        byte.is_ascii_alphanumeric() || (separator == Some(b'.') && b".,:/".contains(byte))
    };
    if !is_apart || dash_length(after).is_some() || after.first().is_some_and(goes_on) {
        return None;
    }
    match letters[..] {
        [b'0', b'0'] if separator == Some(b'-') => None,
        [_, _] => Some((b"O-O", length)),
        [_, _, _] => Some((b"O-O-O", length)),
        _ => None,
    }
}

/// The letter of castling at the beginning of a text, or its zero, and the length.
fn letter(text: &[u8]) -> Option<(u8, usize)> {
    match text {
        [letter @ (b'O' | b'o' | b'0'), ..] => Some((*letter, 1)),
        // The letter O of Cyrillic.
        [0xd0, 0x9e | 0xbe, ..] => Some((b'O', 2)),
        _ => None,
    }
}

/// The length of a hyphen or dash at the beginning of a text, in UTF-8 or Windows-1252.
pub(super) fn dash_length(text: &[u8]) -> Option<usize> {
    match text {
        [b'-' | 0x96 | 0x97, ..] => Some(1),
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some(3),
        _ => None,
    }
}
