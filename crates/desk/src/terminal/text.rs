//! Text for a terminal: made printable, wrapped between words, or cut.

use std::borrow::Cow;

use console::truncate_str;

use super::visible_width;

/// Text from a file or another program, made safe to show: what could move the cursor, change
/// colors or reverse the order of letters is gone.
///
/// Line breaks and tabs become spaces, other control characters question marks. Invisible marks
/// that set the direction of writing are left out. Text without any of these is borrowed.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_plain = |c: char| !c.is_control() && !is_line_separator(c) && !is_direction_mark(c);
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let visible = text.chars().filter(|c| !is_direction_mark(*c));
    let shown = visible.map(|c| match c {
        '\n' | '\r' | '\t' => ' ',
        c if is_line_separator(c) => ' ',
        c if c.is_control() => '?',
        c => c,
    });
    Cow::Owned(shown.collect())
}

/// A number of things whose word takes an `s` in the plural: `1 game`, `2 games`.
pub fn counted(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

/// The line and paragraph separators of Unicode, which are no control characters.
fn is_line_separator(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}')
}

/// The marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm, and two
/// spaces without width, which can hide in a name as well.
fn is_direction_mark(c: char) -> bool {
    matches!(
        c,
        '\u{61c}'
            | '\u{200b}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
    )
}

/// A text in lines of at most this many columns, broken between words. A longer word has a line of
/// its own, and a text that fits stays as it is.
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

/// A text, cut if it takes more than this many columns.
pub fn fitted(text: &str, width: usize) -> String {
    truncate_str(text, width, "..").into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_cannot_steer_the_terminal() {
        for (text, shown) in [
            ("\u{1b}[2J\u{1b}]0;title\u{7}", "?[2J?]0;title?"),
            ("one\r\ntwo\tthree", "one  two three"),
            ("\u{9b}31m\u{7f}", "?31m?"),
            (
                "Kasparov \u{202e}vopraK\u{202c}\u{2066}\u{2069}",
                "Kasparov vopraK",
            ),
            ("a\u{2028}b\u{200e}\u{feff}", "a b"),
        ] {
            assert_eq!(printable(text), shown);
        }
        let plain = "Bücher, ♞ and עברית";
        assert!(matches!(printable(plain), Cow::Borrowed(same) if same == plain));
    }

    #[test]
    fn long_texts_are_cut_or_wrapped() {
        assert_eq!(fitted("Nimzo-Indian", 20), "Nimzo-Indian");
        assert_eq!(fitted("Nimzo-Indian Defense", 10), "Nimzo-In..");
        assert_eq!(wrapped("a bb ccc dddd", 6), ["a bb", "ccc", "dddd"]);
        assert_eq!(wrapped("short", 80), ["short"]);
        assert_eq!(wrapped("a longest b", 4), ["a", "longest", "b"]);
    }
}
