//! Lines of words: headings above the moves, sentences above and below them, and titles with which
//! the next game begins.

use super::apart::{begins_result, result_with_spaces};
use super::comment::text_of;
use super::prose::{
    has_no_token, is_board, is_of_heading, is_of_moves, is_prose, is_without_moves, names_square,
};
use super::results::{self, Recorded};
use super::words::{NULL_MOVES, Token, is_first_move, is_numbered_first_move, plain, tokens};

/// The longest title, in bytes.
pub(super) const MAX_TITLE_BYTES: usize = 100;

/// The moves of a line that begins with the first move of a game, or with a short title before it,
/// as in a list of openings: `Sicilian: 1. e4 c5`.
pub(super) fn first_moves(line: &[u8]) -> Option<&[u8]> {
    let mut starts = (0..line.len().min(MAX_TITLE_BYTES))
        .filter(|at| *at == 0 || line[at - 1].is_ascii_whitespace());
    let start = starts.find(|at| is_first_move(&line[*at..]))?;
    let (title, moves) = line.split_at(start);
    let is_comment = title.starts_with(b"%") || title.iter().any(|byte| b"{(;".contains(byte));
    (!is_comment && is_without_moves(title)).then_some(moves)
}

/// Whether a line has words and no moves: a heading or a title, if the moves of a game follow. A
/// result and signs such as `=====` can stand among the words.
pub(super) fn is_of_words(line: &[u8]) -> bool {
    let begins = line.first().is_some_and(|byte| !b"{}(;[]<%".contains(byte));
    let is_move = |token: Token<'_>| matches!(token, Token::Move(_) | Token::Null);
    // First what is cheap, and true of no line of moves.
    line.len() <= MAX_TITLE_BYTES
        && begins
        && !names_square(line)
        && !has_marks(line)
        && !line.split(u8::is_ascii_whitespace).any(is_board)
        && line.split(u8::is_ascii_whitespace).any(has_prose)
        && has_no_token(line, is_move)
}

/// Whether a line is of three words or more, without a result and the numbers of glyphs.
pub(super) fn is_text(line: &[u8]) -> bool {
    let is_result = |token: Token<'_>| matches!(token, Token::Result(_));
    let mut words = line.split(u8::is_ascii_whitespace);
    words.nth(2).is_some()
        && !line.iter().any(|byte| b"$;".contains(byte))
        && is_of_words(line)
        && has_no_token(line, is_result)
}

/// Whether a line begins with the first move of a game, or with a title before it.
pub(super) fn begins_moves(line: &[u8]) -> bool {
    let Some(moves) = first_moves(line).filter(|_| !is_sentence(line)) else {
        return false;
    };
    is_numbered_first_move(moves)
}

/// Whether a line of words can be a title above a game: the result in it, if there is one, is that
/// of players who are named.
pub(super) fn may_be_title(line: &[u8]) -> bool {
    apart_from_result(line).is_none() || is_title(line)
}

/// Whether a line says how a game has ended.
pub(super) fn says_end(line: &[u8]) -> bool {
    const WORDS: [&str; 9] = [
        "resigns",
        "resigned",
        "wins",
        "won",
        "loses",
        "lost",
        "flagged",
        "stalemate",
        "agreed",
    ];
    let text = text_of(line).to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphabetic());
    text.ends_with('.') || words.any(|word| WORDS.contains(&word))
}

/// Whether comments, marks or tags stand in a line, which are read as such.
fn has_marks(line: &[u8]) -> bool {
    line.iter().any(|byte| b"{}<>".contains(byte)) || line.windows(2).any(|pair| pair == b"\"]")
}

/// Whether a line above the moves is a heading, with the names of the players or the place: it has
/// words, and neither moves nor a result.
pub(super) fn is_heading(line: &[u8]) -> bool {
    let is_plain = |word: &[u8]| {
        let has_letters = word.iter().any(u8::is_ascii_alphabetic);
        !(has_letters && word.iter().any(u8::is_ascii_digit)) || is_of_heading(word)
    };
    let has_marks = has_marks(line) || line.trim_ascii_start().starts_with(b";");
    let mut starts = (0..line.len()).filter(|at| *at == 0 || line[at - 1] == b' ');
    let has_result = starts.any(|at| result_with_spaces(&line[at..]).is_some());
    let words = || line.split(u8::is_ascii_whitespace);
    let has_words = words().all(is_plain) && words().any(has_prose);
    has_words && !has_marks && !has_result && !names_square(line) && has_no_token(line, is_of_game)
}

fn has_prose(word: &[u8]) -> bool {
    let mut nulls = NULL_MOVES.iter();
    let is_null = nulls.any(|null| null.eq_ignore_ascii_case(word));
    let word = text_of(word);
    !is_null && word.split(|c: char| !c.is_alphabetic()).any(is_prose)
}

/// Whether a line is a sentence in which moves or results are only named: `The c4 square decides.`
/// It has at least twice as many words as these, begins with a word, and ends with one, or with a
/// move that has no number.
pub(super) fn is_sentence(line: &[u8]) -> bool {
    if has_signs(line) || first_moves(line).is_some_and(is_of_moves) {
        return false;
    }
    let (mut words, mut named) = (0, 0);
    let (mut begins, mut ends) = (None, false);
    let mut is_behind_number = false;
    for word in line.split(u8::is_ascii_whitespace) {
        let plain = plain(word);
        let text = plain.as_ref().map_or(word, |plain| plain.as_bytes());
        let begins_with_digit = text.first().is_some_and(u8::is_ascii_digit);
        if names_move(text) {
            named += 1;
            ends = !is_behind_number && !begins_with_digit;
        } else if text
            .iter()
            .filter(|byte| byte.is_ascii_alphabetic())
            .count()
            > 1
        {
            words += 1;
            ends = true;
        }
        if words + named > 0 {
            begins.get_or_insert(named == 0);
        }
        is_behind_number = begins_with_digit && text.ends_with(b".");
    }
    begins == Some(true) && ends && named > 0 && words >= 2 * named
}

/// Whether a text has signs with a meaning of their own in PGN, or of HTML.
fn has_signs(text: &[u8]) -> bool {
    text.iter().any(|byte| b"{}<>[]();".contains(byte))
}

/// Whether words behind a result can only name moves: no game begins in them.
pub(super) fn names_moves_only(text: &[u8]) -> bool {
    first_moves(text).is_none() && !has_signs(text)
}

fn names_move(word: &[u8]) -> bool {
    tokens(word).any(|(token, _)| token == Token::Null || is_of_game(token))
}

/// Whether a part of a word is a move or a result. A word such as `de` could be a capture by files.
fn is_of_game(token: Token<'_>) -> bool {
    match token {
        Token::Move(text) => !matches!(text, [b'a'..=b'h', b'a'..=b'h']),
        token => matches!(token, Token::Result(_)),
    }
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

/// Whether a comment begins or ends in a line, which is no title then.
fn has_comment(line: &[u8]) -> bool {
    line.iter().any(|byte| b"{}".contains(byte)) || matches!(line.first(), Some(b';' | b'%'))
}

/// The result in a short line without moves, and what stands before and after it.
fn apart_from_result(line: &[u8]) -> Option<(&[u8], Recorded, &[u8])> {
    if line.len() > MAX_TITLE_BYTES || has_comment(line) {
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
    is_without_moves(&[before, b" ", after].concat()).then_some((before, recorded, after))
}

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
    line.len() <= MAX_TITLE_BYTES
        && !has_comment(line)
        && (is_count
            || names_players(line) && is_heading(line)
            || result_of_title(line).is_some()
            || (text.contains("White:") && text.contains("Black:")))
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
