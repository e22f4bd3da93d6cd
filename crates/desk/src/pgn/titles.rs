//! Titles with which the next game begins, and the results in them.

use super::apart::{begins_result, result_with_spaces};
use super::comment::text_of;
use super::line_of_words::{is_heading, is_short, without_particles};
use super::prose::{is_prose, is_without_moves};
use super::results::{self, Recorded};

/// Whether a line is the title of a game: it names the players, or counts the games.
pub(super) fn is_title(line: &[u8]) -> bool {
    let line = line.strip_prefix(b"#").unwrap_or(line).trim_ascii_start();
    let text = text_of(line);
    let mut words = text.splitn(3, ' ');
    let first = words.next().unwrap_or_default();
    let second = words.next().unwrap_or_default();
    let rest = words.next().unwrap_or_default();
    let is_count = matches!(first, "Game" | "Partie" | "Partida" | "Partita" | "Partij")
        && second.starts_with(|c: char| c.is_ascii_digit())
        && (rest.is_empty() || are_names(rest));
    is_short(line)
        && !has_comment(line)
        && (is_count
            || names_players(line) && is_heading(line)
            || result_of_title(line).is_some()
            || (text.contains("White:") && text.contains("Black:")))
}

/// Whether a line of words can be a title above a game: the result in it, if there is one, is that
/// of players who are named.
pub(super) fn may_be_title(line: &[u8]) -> bool {
    apart_from_result(line).is_none() || is_title(line)
}

/// The result in a title that names the players: `Kasparov - Topalov 1-0`.
pub(super) fn result_of_title(line: &[u8]) -> Option<Recorded> {
    let (before, recorded, after) = apart_from_result(line)?;
    let is_between = are_names(&text_of(before)) && are_names(&text_of(after));
    let glued = text_of(before.trim_ascii());
    let are_glued = glued
        .split_once(['-', '\u{2013}'])
        .is_some_and(|sides| !glued.contains(' ') && are_players(sides));
    let is_title = is_between
        || are_glued
        || names_players(before)
        || (before.is_empty() && names_players(after));
    is_title.then_some(recorded)
}

/// The result in a heading: of the players that a title names, `Kasparov - Topalov 1-0`, or behind
/// the word itself, `Result: 1-0`.
pub(super) fn result_of_heading(line: &[u8]) -> Option<Recorded> {
    let is_named = || {
        let (before, recorded, after) = apart_from_result(line)?;
        let before = text_of(before);
        let is_named = before.trim_end_matches([' ', ':']).ends_with("Result");
        (is_named && after.is_empty()).then_some(recorded)
    };
    result_of_title(line).or_else(is_named)
}

/// The result at the end of words that stand above the moves, whoever they name.
pub(super) fn result_at_end(line: &[u8]) -> Option<Recorded> {
    let (_, recorded, after) = apart_from_result(line)?;
    let is_end = after.iter().all(|byte| b" ).".contains(byte));
    is_end.then_some(recorded)
}

/// The result that is all that stands in a line; `*` is none.
pub(super) fn result_alone(line: &[u8]) -> Option<Recorded> {
    let is_of_signs = |byte: &u8| !byte.is_ascii_alphabetic() && *byte != b'*';
    let is_alone = is_short(line) && line.iter().all(is_of_signs);
    let recorded = is_alone.then(|| results::of_tag(&text_of(line)))?;
    // Signs alone are drawn between games.
    recorded.filter(|_| {
        line.iter()
            .any(|byte| byte.is_ascii_digit() || !byte.is_ascii())
    })
}

/// The result in a short line without moves, and what stands before and after it.
fn apart_from_result(line: &[u8]) -> Option<(&[u8], Recorded, &[u8])> {
    if !is_short(line) || has_comment(line) {
        return None;
    }
    let mut starts = (0..line.len()).filter(|at| *at == 0 || b" (".contains(&line[at - 1]));
    let (start, (recorded, length)) = starts.find_map(|at| {
        let rest = &line[at..];
        // Signs such as `---` stand between other words too.
        if !begins_result(rest) {
            return None;
        }
        let length = rest.iter().position(|byte| b" ,)".contains(byte));
        let (word, after) = rest.split_at(length.unwrap_or(rest.len()));
        // What isn't at the end can be a fraction.
        let alone = results::of_tag(&text_of(word)).filter(|_| word != b"1/2" || after.is_empty());
        let alone = alone.map(|recorded| (recorded, word.len()));
        Some((at, result_with_spaces(rest).or(alone)?))
    })?;
    let (before, after) = (&line[..start], &line[start + length..]);
    let words = [before, b" ", after].concat();
    is_without_moves(&without_particles(&words)).then_some((before, recorded, after))
}

/// Whether a comment begins or ends in a line, which is no title then.
fn has_comment(line: &[u8]) -> bool {
    line.iter().any(|byte| b"{}".contains(byte)) || matches!(line.first(), Some(b';' | b'%'))
}

/// Whether two names stand on both sides of a dash or of the word for `against`.
fn names_players(text: &[u8]) -> bool {
    const BETWEEN: [&str; 6] = [" - ", " \u{2013} ", " \u{2014} ", " vs ", " vs. ", " v "];
    let text = text_of(text);
    let mut sides = BETWEEN
        .iter()
        .filter_map(|between| text.split_once(between));
    sides.any(are_players)
}

/// Whether two texts are the names of players, of whom one can be called White or Black.
fn are_players((one, other): (&str, &str)) -> bool {
    let is_color = |text: &str| {
        let name = text.trim_matches(|c: char| !c.is_alphabetic());
        matches!(name, "White" | "Black")
    };
    let is_player = |text| are_names(text) || is_color(text);
    (are_names(one) && is_player(other)) || (is_player(one) && are_names(other))
}

/// Whether a text is written as names, with small letters only in short words such as `de`.
fn are_names(text: &str) -> bool {
    const NO_NAMES: [&str; 5] = ["White", "Black", "Result", "Final", "Draw"];
    let words = || text.split(|c: char| !c.is_alphabetic());
    let is_capital = |word: &str| word.starts_with(char::is_uppercase);
    let is_name = |word: &str| is_capital(word) && is_prose(word) && !NO_NAMES.contains(&word);
    words().all(|word| is_capital(word) || word.len() <= 3) && words().any(is_name)
}
