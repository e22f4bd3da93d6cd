//! The marks of HTML and of forums in a text, such as `<b>` or `[color=red]`.

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
