//! The marks of HTML and of forums in a text, such as `<b>` or `[color=red]`.

/// The names of the marks of HTML and of forums, which are no part of a game.
const MARKUP: [&str; 33] = [
    "b", "i", "u", "s", "em", "strong", "br", "hr", "p", "div", "span", "font", "a", "tt", "sup",
    "sub", "small", "big", "mark", "code", "pre", "center", "ul", "li", "table", "tr", "td",
    "color", "size", "pgn", "th", "thead", "tbody",
];

/// The length of the mark of HTML at the beginning of a text, or of its bracket alone.
pub(super) fn markup_length(text: &[u8]) -> usize {
    match text.iter().position(|byte| *byte == b'>') {
        Some(end) if is_markup(&text[1..end]) || is_heading(&text[1..end]) => end + 1,
        _ => 1,
    }
}

/// Whether what stands in angle brackets is the mark of a heading, from `h1` to `h6`. In other
/// brackets it is a move.
fn is_heading(inner: &[u8]) -> bool {
    let name = inner.strip_prefix(b"/").unwrap_or(inner);
    matches!(name, [b'h' | b'H', b'1'..=b'6'])
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
