//! The marks of HTML and of forums in a text, such as `<b>` or `[color=red]`.

use super::characters::spaces;
use super::comment::text_of;

/// The names of the marks of HTML and of forums, which are no part of a game.
const MARKUP: [&str; 34] = [
    "quote", "b", "i", "u", "s", "em", "strong", "br", "hr", "p", "div", "span", "font", "a", "tt",
    "sup", "sub", "small", "big", "mark", "code", "pre", "center", "ul", "li", "table", "tr", "td",
    "color", "size", "pgn", "th", "thead", "tbody",
];

/// The most bytes of a mark: a line of brackets is not looked through for each of them.
const MAX_MARK_BYTES: usize = 1_000;

/// The length of the mark or the comment of HTML at the beginning of a text, or of its bracket
/// alone.
pub(super) fn markup_length(text: &[u8]) -> usize {
    if text.starts_with(b"<!--") {
        let end = text.windows(3).position(|bytes| bytes == b"-->");
        return end.map_or(text.len(), |end| end + 3);
    }
    let mut bytes = text.iter().take(MAX_MARK_BYTES);
    match bytes.position(|byte| *byte == b'>') {
        Some(end) if is_element(&text[1..end]) => end + 1,
        _ => 1,
    }
}

/// Stands for a piece that nobody can tell: the character for what was lost.
pub(super) const LOST_PIECE: &str = "\u{fffd}";

/// The length of all marks and spaces at the beginning of a text.
pub(super) fn gap_length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        match marks_length(rest) + spaces(&rest[marks_length(rest)..]) {
            0 => return length,
            gap => length += gap,
        }
    }
}

/// The length of all marks of HTML or of a forum at the beginning of a text, one behind another.
pub(super) fn marks_length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        let rest = &text[length..];
        length += match rest.first() {
            Some(b'<') if markup_length(rest) > 1 => markup_length(rest),
            Some(b'[') => match rest.iter().take(MAX_MARK_BYTES).position(|b| *b == b']') {
                Some(end) if is_markup(&rest[1..end]) => end + 1,
                _ => return length,
            },
            _ => return length,
        };
    }
}

/// The piece that an element of HTML shows, which has its name in an attribute: `N` in
/// `<img alt="white knight">` or `<span data-figurine="N">`, and nothing for a pawn. An image
/// without a name shows [`LOST_PIECE`]. `None` for other elements.
pub(super) fn piece_of_element(element: &[u8]) -> Option<&'static str> {
    const NAMES: [&str; 5] = ["alt", "title", "aria-label", "data-figurine", "data-piece"];
    let text = text_of(element);
    let value = |name: &str| {
        let (_, value) = text.split_once(&format!(" {name}="))?;
        let is_end: &[char] = match value.chars().next()? {
            '"' => &['"'],
            '\'' => &['\''],
            _ => &[' ', '>', '/'],
        };
        value.trim_start_matches(['"', '\'']).split(is_end).next()
    };
    let mut pieces = NAMES.iter().filter_map(|name| piece_named(value(name)?));
    let is_image = element.to_ascii_lowercase().starts_with(b"<img");
    pieces.next().or(is_image.then_some(LOST_PIECE))
}

/// The letter of a piece that is called by its letter, its name or its figurine, with a color or
/// without; none for a pawn.
fn piece_named(value: &str) -> Option<&'static str> {
    let name = value.split([' ', '-', '_']).next_back()?.to_lowercase();
    let letter = |name: &str| {
        Some(match name {
            "k" | "king" | "♔" | "♚" => "K",
            "q" | "queen" | "♕" | "♛" => "Q",
            "r" | "rook" | "♖" | "♜" => "R",
            "b" | "bishop" | "♗" | "♝" => "B",
            "n" | "knight" | "♘" | "♞" => "N",
            "p" | "pawn" | "♙" | "♟" => "",
            _ => return None,
        })
    };
    letter(&name).or_else(|| letter(name.strip_prefix(['w', 'b'])?))
}

/// Whether what stands in angle brackets begins or ends an element of HTML, of whatever name:
/// pages have elements of their own. A move has digits, but for `h1` to `h6`, which are headings
/// there.
fn is_element(inner: &[u8]) -> bool {
    let name = inner.strip_prefix(b"/").unwrap_or(inner);
    if matches!(name, [b'h' | b'H', b'1'..=b'6']) {
        return true;
    }
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric());
    let (name, rest) = name.split_at(end.unwrap_or(name.len()));
    let has_attributes = rest.starts_with(b" ") && rest.contains(&b'=');
    let is_plain = matches!(rest.trim_ascii(), b"" | b"/");
    let is_name = name.first().is_some_and(u8::is_ascii_alphabetic);
    let is_word = name.iter().all(u8::is_ascii_alphabetic);
    is_name && (has_attributes || is_plain && (is_word || inner.starts_with(b"/")))
}

/// Whether what stands in brackets is a mark of HTML or of a forum, such as `b`, `/b`, `br /` or
/// `color=red`, and no words.
pub(super) fn is_markup(inner: &[u8]) -> bool {
    let name = inner.strip_prefix(b"/").unwrap_or(inner);
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric());
    let (name, rest) = name.split_at(end.unwrap_or(name.len()));
    let is_mark = rest.contains(&b'=') || matches!(rest.trim_ascii(), b"" | b"/");
    is_mark
        && MARKUP
            .iter()
            .any(|markup| markup.as_bytes().eq_ignore_ascii_case(name))
}
