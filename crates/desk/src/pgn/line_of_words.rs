//! Lines of words: headings above the moves, and sentences above and below them.

use std::borrow::Cow;

use super::apart::result_with_spaces;
use super::comment::text_of;
use super::prose::{
    has_no_token, is_board, is_of_heading, is_of_moves, is_prose, is_without_moves, names_square,
};
use super::words::{NULL_MOVES, Token, is_first_move, is_numbered_first_move, plain, tokens};

/// The longest title, in characters.
const MAX_TITLE: usize = 100;

/// Whether a line is no longer than a title.
pub(super) fn is_short(line: &[u8]) -> bool {
    const LONGEST_CHARACTER: usize = 4;
    let begins_character = |byte: &&u8| **byte & 0xc0 != 0x80;
    line.len() <= MAX_TITLE
        || (line.len() <= LONGEST_CHARACTER * MAX_TITLE
            && line.iter().filter(begins_character).count() <= MAX_TITLE)
}

/// The moves of a line that begins with the first move of a game, or with a short title before it,
/// as in a list of openings: `Sicilian: 1. e4 c5`.
pub(super) fn first_moves(line: &[u8]) -> Option<&[u8]> {
    let mut starts =
        (0..line.len().min(MAX_TITLE)).filter(|at| *at == 0 || line[at - 1].is_ascii_whitespace());
    let start = starts.find(|at| is_first_move(&line[*at..]))?;
    let (title, moves) = line.split_at(start);
    let count = |sign| title.iter().filter(|byte| **byte == sign).count();
    let is_comment = title.starts_with(b"%")
        || title.iter().any(|byte| b"{;".contains(byte))
        || count(b'(') > count(b')');
    (!is_comment && is_without_moves(&without_particles(title))).then_some(moves)
}

/// Whether a line has words and no moves: a heading or a title, if the moves of a game follow. A
/// result and signs such as `=====` can stand among the words.
pub(super) fn is_of_words(line: &[u8]) -> bool {
    let begins = line.first().is_some_and(|byte| !b"{}(;[]<%".contains(byte));
    let is_move = |token: Token<'_>| matches!(token, Token::Move(_) | Token::Null);
    // First what is cheap, and true of no line of moves.
    is_short(line)
        && begins
        && !names_square(line)
        && !has_marks(line)
        && !line.split(u8::is_ascii_whitespace).any(is_board)
        && line.split(u8::is_ascii_whitespace).any(has_prose)
        && has_no_token(&without_particles(line), is_move)
}

/// Whether a line can be a part of a heading or a title, if the moves of a game follow: it is of
/// words, counts the game, or names an opening.
pub(super) fn may_be_heading(line: &[u8]) -> bool {
    is_of_words(line) || is_number(line) || names_later_move(line)
}

/// A title without words of two letters such as `de`, which elsewhere could be captures by files.
/// They stand behind another word.
pub(super) fn without_particles(title: &[u8]) -> Cow<'_, [u8]> {
    let is_particle = |word: &[u8]| matches!(word, [b'a'..=b'h', b'a'..=b'h']);
    let words = || title.split(|byte| *byte == b' ');
    if !words().any(is_particle) {
        return Cow::Borrowed(title);
    }
    let mut is_behind_word = false;
    let mut kept = Vec::new();
    for word in words() {
        if is_behind_word && is_particle(word) {
            continue;
        }
        kept.push(word);
        if word.iter().any(u8::is_ascii_alphanumeric) {
            is_behind_word = has_prose(word);
        }
    }
    Cow::Owned(kept.join(&b' '))
}

/// Whether a number is all that stands in a line, as that of the game or of the year above its
/// moves.
fn is_number(line: &[u8]) -> bool {
    const MOST_DIGITS: usize = 4;
    let digits = line.strip_suffix(b".").unwrap_or(line);
    (1..=MOST_DIGITS).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit)
}

/// Whether words name an opening by a later move of it: `E15 Queen's Indian, 4.g3`.
fn names_later_move(line: &[u8]) -> bool {
    let is_later = |moves: &[u8]| {
        let first = tokens(moves).next().map(|(token, _)| token);
        matches!(first, Some(Token::Number(2.., 1..)))
    };
    let is_number = |at: &usize| line[at - 1] == b' ' && line[*at].is_ascii_digit();
    let begins_with_word = line.first().is_some_and(|byte| !byte.is_ascii_digit());
    // In a line of moves the first title is none already, and longer ones are none either.
    let mut starts = (1..line.len())
        .filter(is_number)
        .take_while(|start| !names_square(&line[..*start]));
    begins_with_word
        && is_short(line)
        && starts.any(|start| {
            let (title, moves) = line.split_at(start);
            is_later(moves) && is_of_words(title.trim_ascii_end()) && is_of_moves(moves)
        })
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
        } else if is_word(word) {
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

/// Whether a word has two letters or more. With a digit only those of English count: `Жf3` is no
/// word.
fn is_word(word: &[u8]) -> bool {
    let has_digit = word.iter().any(u8::is_ascii_digit);
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic() || (**byte >= 0x80 && !has_digit);
    word.iter().filter(is_letter).count() > 1
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
