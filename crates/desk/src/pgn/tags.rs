//! The tag pairs above the moves, such as `[White "Tal, Mikhail"]`, in all the forms that files
//! have.

use super::comment::text_of;
use super::markup::{is_markup, markup_length};
use super::results::{self, Recorded};
use super::words::{Token, is_first_move, is_numbered_first_move, tokens};

/// The tags that people write without brackets.
const TAGS_IN_WORDS: [&str; 12] = [
    "Event",
    "Site",
    "Date",
    "Round",
    "White",
    "Black",
    "Result",
    "FEN",
    "ECO",
    "WhiteElo",
    "BlackElo",
    "TimeControl",
];

/// What stands at a bracket above the moves.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Bracket<'a> {
    /// A tag, and the text after it.
    Tag {
        name: String,
        value: String,
        after: &'a [u8],
    },
    /// A tag whose value isn't closed on this line, as far as it was read.
    Open { name: String, value: String },
    /// A name without a value, which says nothing, and the text after it.
    Empty(&'a [u8]),
}

/// Reads the tag at the beginning of a text, which begins with a bracket.
pub(super) fn read(text: &[u8]) -> Bracket<'_> {
    let inner = &text[1..];
    let is_mark = |byte: &u8| matches!(byte, b'"' | b']');
    let Some(mark) = inner.iter().position(is_mark) else {
        let name = name_of(&text_of(inner)).to_owned();
        let is_name = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric());
        if !is_name {
            return Bracket::Empty(b"");
        }
        // The value stands on the next line.
        let value = String::new();
        return Bracket::Open { name, value };
    };
    let (before, after) = (&inner[..mark], &inner[mark + 1..]);
    if inner[mark] == b']' {
        return unquoted(before, after);
    }
    if let Some(after) = after.trim_ascii_start().strip_prefix(b"]")
        && !after.contains(&b'"')
    {
        // The first quotation mark is missing.
        return unquoted(before, after);
    }
    let name = name_of(&text_of(before)).to_owned();
    let (value, after) = quoted(after);
    let value = once_quoted(text_of(&value));
    match after {
        Some(after) => Bracket::Tag { name, value, after },
        None => Bracket::Open { name, value },
    }
}

/// Whether a line begins with a tag whose quotation marks are escaped, as in the text of JSON:
/// `[Event \"Club\"]`.
pub(super) fn is_escaped(line: &[u8]) -> bool {
    let Some(mark) = line.iter().position(|byte| *byte == b'"') else {
        return false;
    };
    line.starts_with(b"[") && line[..mark].ends_with(b" \\")
}

/// Whether a line is a list of strings, as in JSON or Python: `["e4", "e5"]`.
pub(super) fn is_list(line: &[u8]) -> bool {
    let is_string = line.starts_with(b"[\"") || line.starts_with(b"['");
    is_string && line.windows(2).any(|pair| matches!(pair, b"\"," | b"',"))
}

/// Whether what reads as the tag of a player says who is to move or wins, `[White to play]`, or is
/// a whole sentence.
pub(super) fn is_remark(name: &str, value: &str, is_quoted: bool) -> bool {
    let mut words = value.split_whitespace();
    let first = words.next().unwrap_or_default();
    let last = words.clone().last().unwrap_or_default();
    let is_verb = matches!(first, "to" | "wins" | "mates" | "moves" | "plays");
    // Names can begin small and end with an initial: `van der Wiel, J.`
    let begins_small = first.starts_with(char::is_lowercase) && !value.contains(',');
    let ends = (last.ends_with('.') && last.len() > 4) || first == "is";
    let is_sentence = !is_quoted && begins_small && ends && words.count() >= 2;
    matches!(name, "White" | "Black") && (is_verb || is_sentence)
}

/// The tags that people write without brackets above the moves, `White: Anna` or `White: Anna
/// Black: Bob`, by their names and values; none if the line has anything else.
pub(super) fn of_words(line: &[u8]) -> Vec<(&'static str, String)> {
    if let Some(tag) = without_brackets(line) {
        return vec![tag];
    }
    if !line.contains(&b':') {
        return Vec::new();
    }
    let text = text_of(line).replace(':', ": ");
    let mut tags: Vec<(&'static str, String)> = Vec::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let has_colon = word.ends_with(':') || words.peek() == Some(&":");
        let name = word.trim_end_matches(':');
        let mut known = TAGS_IN_WORDS.into_iter();
        let known = known.find(|other| has_colon && other.eq_ignore_ascii_case(name));
        match (known, tags.last_mut()) {
            (Some(name), _) => tags.push((name, String::new())),
            (None, None) => return Vec::new(),
            (None, Some((_, value))) if value.is_empty() && word == ":" => {}
            (None, Some((_, value))) => {
                let space = if value.is_empty() || value.ends_with(':') {
                    ""
                } else {
                    " "
                };
                value.push_str(space);
                value.push_str(word);
            }
        }
    }
    for (_, value) in &mut tags {
        value.truncate(value.trim_end_matches([',', ';']).len());
    }
    let is_tag = |(name, value): &(&str, String)| match *name {
        "Result" => results::of_tag(value).is_some(),
        // In a letter it begins with the day of the week.
        "Date" => value.starts_with(|c: char| c.is_ascii_digit()),
        _ => {
            let first = value.split(' ').next().unwrap_or_default();
            let first = tokens(first.as_bytes()).next();
            let is_move = matches!(first, Some((Token::Move(_), _)));
            !value.is_empty() && !is_move && !is_remark(name, value, false)
        }
    };
    if !tags.iter().all(is_tag) {
        tags.clear();
    }
    tags
}

/// A tag that has lost its brackets and nothing else: `White "Anna"`.
fn without_brackets(line: &[u8]) -> Option<(&'static str, String)> {
    let (value, rest) = line.trim_ascii().split_last()?;
    let text = std::str::from_utf8(rest).ok().filter(|_| *value == b'"')?;
    let (name, value) = text.split_once(" \"")?;
    let name = TAGS_IN_WORDS.into_iter().find(|other| *other == name)?;
    Some((name, value.to_owned()))
}

/// A line of tags in words, and the moves of the game behind them if it has any: `White: A Black: B
/// 1. e4 e5`.
pub(super) fn apart_from_moves(line: &[u8]) -> (&[u8], &[u8]) {
    let mut starts = (1..line.len()).filter(|at| line[*at - 1] == b' ');
    let start = starts.find(|at| is_numbered_first_move(&line[*at..]));
    line.split_at(start.unwrap_or(line.len()))
}

/// The result that a line says which is the tag `Result` and nothing else.
pub(super) fn result(line: &[u8]) -> Option<Recorded> {
    match read(line) {
        Bracket::Tag { name, value, after }
            if name.eq_ignore_ascii_case("Result") && after.is_empty() =>
        {
            results::of_tag(&value)
        }
        _ => None,
    }
}

/// The name of the tag with which a line begins.
pub(super) fn name(line: &[u8]) -> Option<String> {
    match read(line) {
        Bracket::Tag { name, .. } | Bracket::Open { name, .. } => Some(name),
        Bracket::Empty(_) => None,
    }
}

/// The name of a tag without what some programs write behind it, such as a colon.
fn name_of(text: &str) -> &str {
    text.trim().trim_end_matches([':', '=']).trim_end()
}

/// A tag without quotation marks, or with those that phones write: `[Event Club]`.
fn unquoted<'a>(tag: &[u8], after: &'a [u8]) -> Bracket<'a> {
    let tag = text_of(tag);
    let Some((name, value)) = tag.trim().split_once(char::is_whitespace) else {
        return Bracket::Empty(after);
    };
    let is_quote = |c| matches!(c, '“' | '”' | '„' | '‘' | '’' | '«' | '»' | '\'');
    let value = value.trim().trim_matches(is_quote).trim();
    Bracket::Tag {
        name: name_of(name).to_owned(),
        value: value.to_owned(),
        after,
    }
}

/// The value at the beginning of a text, without its escapes, and the text after its tag; `None` if
/// the tag has no end. The value ends with the quotation mark before a closing bracket, of which
/// there may be several.
fn quoted(text: &[u8]) -> (Vec<u8>, Option<&[u8]>) {
    let mut value = Vec::new();
    let mut index = 0;
    while index < text.len() {
        let after = &text[index + 1..];
        match text[index] {
            // A backslash before the end of the tag escapes nothing: `"C:\"]`.
            b'\\' if matches!(after.first(), Some(b'"' | b'\\')) && after != b"\"]" => {
                value.push(after[0]);
                index += 1;
            }
            b'"' => match after.trim_ascii_start().strip_prefix(b"]") {
                Some(after) if !goes_on(after) => return (value, Some(after)),
                None if after.is_empty() => return (value, Some(b"")),
                _ => value.push(b'"'),
            },
            byte => value.push(byte),
        }
        index += 1;
    }
    (value, None)
}

/// A value without the quotation marks that stand twice in the cell of a table: `[White ""A""]`.
fn once_quoted(value: String) -> String {
    let inner = value
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'));
    match inner.filter(|inner| !inner.contains('"')) {
        Some(inner) => inner.to_owned(),
        None => value,
    }
}

/// Whether a value goes on behind a quotation mark and a bracket, because the tag is closed only
/// later.
fn goes_on(after: &[u8]) -> bool {
    let pairs = after.windows(2);
    let mut before_others = pairs.take_while(|pair| !matches!(pair[0], b'[' | b'{' | b';'));
    before_others.any(|pair| pair == b"\"]")
}

/// Whether a line among the moves is a tag, with which the next game begins, and no remark in
/// brackets. Where a game may end, the tag may have faults; elsewhere games have had its name.
pub(super) fn begins_game(line: &[u8], may_end: bool, is_known: impl Fn(&str) -> bool) -> bool {
    let Some(inner) = line.strip_prefix(b"[") else {
        return false;
    };
    let end = inner.iter().position(|byte| *byte == b']');
    if end.is_some_and(|end| is_markup(&inner[..end])) {
        // `[color="red"]` of a forum.
        return false;
    }
    let is_named = inner.trim_ascii_start().first();
    if !is_named.is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    match read(line) {
        Bracket::Tag { name, after, .. } if line[..line.len() - after.len()].contains(&b'"') => {
            let after = without_marks(after);
            let is_name = !name.contains(|c: char| !c.is_alphanumeric() && !"_-+ ".contains(c));
            let goes_on = after.first().is_some_and(u8::is_ascii_digit) && !is_first_move(after);
            let is_next = after.is_empty() || after.starts_with(b"[");
            is_name && ((may_end && !goes_on) || (is_next && is_known(&name)))
        }
        Bracket::Tag { .. } | Bracket::Empty(_) => false,
        Bracket::Open { name, .. } => {
            may_end && !inner.contains(&b']') && (inner.contains(&b'"') || is_known(&name))
        }
    }
}

/// What stands behind a tag, without the marks of HTML that begin it: `<br>`, `</div>`.
fn without_marks(after: &[u8]) -> &[u8] {
    let mut after = after.trim_ascii();
    while after.starts_with(b"<") && markup_length(after) > 1 {
        after = after[markup_length(after)..].trim_ascii_start();
    }
    after
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tag(text: &str) -> Option<(String, String)> {
        match read(text.as_bytes()) {
            Bracket::Tag { name, value, .. } => Some((name, value)),
            _ => None,
        }
    }

    #[test]
    fn tags_are_read_in_all_forms() {
        for (text, name, value) in [
            ("[White \"A\"]", "White", "A"),
            ("[White\"A\"]", "White", "A"),
            ("[White Elo \"2500\" ]", "White Elo", "2500"),
            ("[Équipe \"É\"]", "Équipe", "É"),
            ("[Event “Club”]", "Event", "Club"),
            ("[Event Club]", "Event", "Club"),
            (
                "[FEN 8/8/8/8/8/8/8/8 w - - 0 1]",
                "FEN",
                "8/8/8/8/8/8/8/8 w - - 0 1",
            ),
            ("[Event \"C:\\\"]", "Event", "C:\\"),
            ("[Event \"C:\\\\\"]", "Event", "C:\\"),
            ("[Event \"a\"] b\"]", "Event", "a\"] b"),
            ("[Event \"a\"] {x \"]\"]}", "Event", "a"),
            ("[Event \"the \"one\"\"]", "Event", "the \"one\""),
            ("[Event \"\"]", "Event", ""),
            ("[White A\"]", "White", "A"),
            ("[White: \"A\"]", "White", "A"),
            ("[ White \"A\" ]", "White", "A"),
        ] {
            assert_eq!(
                tag(text),
                Some((name.to_owned(), value.to_owned())),
                "{text}"
            );
        }
        for text in ["[Round ]", "[", "[Wrong", "[]", "[Event \"Long"] {
            assert_eq!(tag(text), None, "{text}");
        }
    }

    #[test]
    fn remarks_in_brackets_begin_no_game() {
        for line in [
            "[White \"A\"]",
            "[ White \"A\" ]",
            "[White \"A\"] [Black \"B\"]",
        ] {
            assert!(
                begins_game(line.as_bytes(), false, |name| name == "White"),
                "{line}"
            );
        }
        for line in ["[A \"\"]", "[Comment \"nice\"]", "[A \"\"] 1. e4"] {
            assert!(!begins_game(line.as_bytes(), false, |_| false), "{line}");
            assert!(begins_game(line.as_bytes(), true, |_| false), "{line}");
        }
        for line in [
            "[x]",
            "[x] 2. Nf3",
            "[see \"Book\"] 2. Nf3",
            "[%clk 1:00]",
            "[some note]",
            "[says \"hello\" to all]",
            "[2... d6 is also played]",
            "[b]Nf3[/b]",
            "[color=\"red\"]Nf3[/color]",
            "[quote=\"Bob\"]",
            "[",
        ] {
            assert!(!begins_game(line.as_bytes(), false, |_| true), "{line}");
            assert!(!begins_game(line.as_bytes(), true, |_| true), "{line}");
        }
    }
}
