//! Texts that fit into a number of columns: wrapped between words, or cut.

use super::visible_width;

/// A text in lines of at most this many columns, broken between words. A longer word has a line of its own, and a text
/// that fits stays as it is.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    if visible_width(text) <= width {
        return vec![text.to_owned()];
    }
    let mut lines = Vec::new();
    for word in text.split_whitespace() {
        push_word(&mut lines, word, width);
    }
    lines
}

/// Adds a word to the last line, or to a new one if it does not fit.
pub fn push_word(lines: &mut Vec<String>, word: &str, width: usize) {
    match lines.last_mut() {
        Some(line) if visible_width(line) + 1 + visible_width(word) <= width => {
            line.push(' ');
            line.push_str(word);
        }
        _ => lines.push(word.to_owned()),
    }
}

/// A text without colors, cut if it takes more than this many columns.
pub fn fitted(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(2)).collect();
    format!("{}..", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_or_wrapped() {
        assert_eq!(fitted("Nimzo-Indian", 20), "Nimzo-Indian");
        assert_eq!(fitted("Nimzo-Indian Defense", 10), "Nimzo-In..");
        assert_eq!(wrapped("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrapped("short", 80), ["short"]);
        assert_eq!(wrapped("a longest b", 4), ["a", "longest", "b"]);
    }
}
