//! Castling as people write it: with letters or zeros, with hyphens, without them, or with spaces.

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
        let hyphen = length + spaces(&text[length..]);
        let next = hyphen + 1 + text.get(hyphen + 1..).map_or(0, spaces);
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
