//! The words of the moves: what stands between two spaces, taken apart into moves, numbers, glyphs
//! and results.
//!
//! People glue them together (`e52.`, `Nf3±`, `O-OO-O`), put signs around them (`_Nf3_`, `"Nf3"`)
//! and write what programs print: figurines, dashes and spaces of all kinds, characters that nobody
//! sees. First [`plain`] makes a word ASCII, then [`tokens`] reads it from left to right. What
//! it can't read is never left out: it is an error.

use super::castling::{castling_apart, castling_length};
use super::characters::{ends_with_entity, plain_characters};
use super::comment::text_of;
use super::results::{self, Recorded};
use crate::notation;

/// A part of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// The number of a move, and the periods behind it.
    Number(u32, usize),
    /// A move, without signs of check.
    Move(&'a [u8]),
    /// The null move.
    Null,
    /// A numeric annotation glyph.
    Glyph(u16),
    Result(Recorded),
    /// A sign that means nothing to the game, such as that of check.
    Sign,
    /// Anything else, to the end of the word.
    Unknown,
}

/// The signs that are written for glyphs, the longer before the shorter that they begin with.
const GLYPHS: [(&[u8], u16); 26] = [
    (b"!!", 3),
    (b"??", 4),
    (b"!?", 5),
    (b"?!", 6),
    (b"!", 1),
    (b"?", 2),
    (b"+/=", 14),
    (b"=/+", 15),
    (b"+/-", 16),
    (b"-/+", 17),
    (b"+=", 14),
    (b"=+", 15),
    (b"+--", 20),
    (b"--+", 21),
    (b"+-", 18),
    (b"-+", 19),
    (b"=/&", 44),
    (b"=~", 44),
    (b"~=", 44),
    (b"~", 13),
    (b"/\\", 140),
    (b"=", 10),
    (b"RR", 145),
    (b"TN", 146),
    (b"N", 146),
    (b"D", 220),
];

/// Words behind a move that say no more than the board, in large letters or small: checks, mates
/// and captures en passant.
const CHECK_WORDS: [&[u8]; 15] = [
    b"e.p.",
    b"e.p",
    b"ep.",
    b"ep",
    b"en",
    b"passant",
    b"checkmate",
    b"check",
    b"mate",
    b"ch",
    b"dblch",
    b"dbl",
    b"disch",
    b"dis",
    b"x",
];

/// Words of other languages for mate, which say so only where they are glued to a move: alone they
/// are names, too.
const GLUED_CHECK_WORDS: [&[u8]; 3] = [b"matt", b"mat", b"schach"];

/// What is written for the null move, in large letters or small.
pub(super) const NULL_MOVES: [&[u8]; 7] =
    [b"---", b"--", b"Z0", b"0000", b"@@@@", b"pass", b"null"];

/// A word in plain ASCII as far as it goes. Spaces of all kinds become spaces. `None` if it is
/// plain already.
pub(super) fn plain(word: &[u8]) -> Option<String> {
    let has_entities = word.contains(&b';');
    let is_plain = word.is_ascii() && !has_entities;
    (!is_plain).then(|| plain_characters(&text_of(word)).into_owned())
}

/// The length of the word at the beginning of a text. A semicolon that ends an entity of HTML
/// begins no comment.
pub(super) fn word_length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        let end = text[length..].iter().position(|byte| is_word_end(*byte));
        length = end.map_or(text.len(), |end| length + end);
        if text.get(length) != Some(&b';') || !ends_with_entity(&text[..length]) {
            return length;
        }
        length += 1;
    }
}

/// The parts of a word in plain characters, from left to right, and the text of each.
pub(super) fn tokens(word: &[u8]) -> impl Iterator<Item = (Token<'_>, &[u8])> {
    let mut rest = without_stars(word);
    let mut may_begin = true;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (token, length) = next_token(rest, may_begin);
        let (text, after) = rest.split_at(length);
        rest = after;
        may_begin &= match token {
            Token::Number(..) => true,
            // Two of these around another are no null move.
            Token::Sign => !matches!(text, b"-" | b"+" | b"/" | b":"),
            _ => false,
        };
        Some((token, text))
    })
}

/// A word without the stars that stand around it, or around several words, for bold or slanted
/// letters: `*Nf3*`, `**1. e4**`. A single star at one end is a result.
fn without_stars(word: &[u8]) -> &[u8] {
    let is_star = |byte: &&u8| **byte == b'*';
    let before = word.iter().take_while(is_star).count();
    let after = word.iter().rev().take_while(is_star).count();
    let is_between = before > 0 && after > 0;
    let is_mark = |stars: usize| before < word.len() && (stars > 1 || is_between);
    let start = if is_mark(before) { before } else { 0 };
    let end = word.len() - if is_mark(after) { after } else { 0 };
    &word[start..end]
}

/// The first part of a word and its length. A null move, or castling with periods, stands behind a
/// number or quotation marks at most.
fn next_token(word: &[u8], may_begin: bool) -> (Token<'_>, usize) {
    if may_begin && let Some(length) = null_length(word) {
        return (Token::Null, length);
    }
    if may_begin && let Some((castling, length)) = castling_apart(word) {
        return (Token::Move(castling), length);
    }
    if let Some((recorded, length)) = results::at_start(word) {
        return (Token::Result(recorded), length);
    }
    let first = word[0];
    if let Some(length) = move_length(word) {
        return (Token::Move(&word[..length]), length);
    }
    if let Some(digits) = word.strip_prefix(b"$")
        && let Some((number, length)) = number(digits)
    {
        let glyph = u16::try_from(number);
        return glyph.map_or((Token::Unknown, word.len()), |glyph| {
            (Token::Glyph(glyph), length + 1)
        });
    }
    if let Some((number, length)) = number(word) {
        if matches!(word[length..], [b'-' | b'/' | b':', b'0'..=b'9', ..]) {
            // A score or a time, such as `3-2`.
            return (Token::Unknown, word.len());
        }
        if let [b'-' | b':', rest @ ..] = &word[length..]
            && move_length(rest).is_some()
        {
            // In the place of a period: `1-e4`.
            return (Token::Number(number, 1), length + 1);
        }
        let periods = word[length..].iter().take_while(|byte| **byte == b'.');
        let periods = periods.count();
        return (Token::Number(number, periods), length + periods);
    }
    if word.starts_with(b"~~") {
        // Markdown strikes words out by them.
        return (Token::Sign, 2);
    }
    if word.strip_prefix(b"+").is_some_and(favors_black) {
        // A check before it: `Qe1+-+`.
        return (Token::Sign, 1);
    }
    for (sign, glyph) in GLYPHS {
        // A letter stands alone, or behind a move.
        let is_whole = !first.is_ascii_alphabetic() || is_boundary(word, sign.len());
        if word.starts_with(sign) && is_whole {
            let repeated = match sign {
                [.., b'!' | b'?'] => {
                    let rest = word[sign.len()..].iter();
                    rest.take_while(|byte| b"!?".contains(byte)).count()
                }
                _ => 0,
            };
            return (Token::Glyph(glyph), sign.len() + repeated);
        }
    }
    let glued = if may_begin {
        [].iter()
    } else {
        GLUED_CHECK_WORDS.iter()
    };
    let check = CHECK_WORDS.iter().chain(glued).find(|check| {
        begins_with(word, check) && (check.ends_with(b".") || is_boundary(word, check.len()))
    });
    match check {
        Some(check) => (Token::Sign, check.len()),
        None if first.is_ascii_alphanumeric() || !first.is_ascii() || first == b'@' => {
            (Token::Unknown, word.len())
        }
        None => (Token::Sign, 1),
    }
}

/// Whether a text begins with a sign that Black stands better.
fn favors_black(text: &[u8]) -> bool {
    let signs: [&[u8]; 4] = [b"-+", b"-/+", b"=/+", b"=+"];
    signs.iter().any(|sign| text.starts_with(sign))
}

/// The length of the null move at the beginning of a word; `None` if there is none, or if it
/// doesn't end there.
fn null_length(word: &[u8]) -> Option<usize> {
    let mut moves = NULL_MOVES.iter();
    let length = moves.find(|null| begins_with(word, null))?.len();
    let rest = &word[length..];
    // Further hyphens and signs make it a result.
    let is_over = !matches!(rest.first(), Some(b'-' | b'+' | b'/' | b':'));
    (is_over && ends_move(rest)).then_some(length)
}

/// The number at the beginning of a text, and its length.
fn number(text: &[u8]) -> Option<(u32, usize)> {
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digits = std::str::from_utf8(&text[..length]).ok()?;
    // Too large a number is the number of no move.
    (length > 0).then(|| (digits.parse().unwrap_or(u32::MAX), length))
}

/// The length of the move at the beginning of a word; `None` if there is none, or if it doesn't end
/// there.
pub(super) fn move_length(word: &[u8]) -> Option<usize> {
    let length = castling_length(word).or_else(|| notation::extent(word))?;
    ends_move(&word[length..]).then_some(length)
}

/// Whether a move is over before this rest of its word. Behind it may stand signs, a word of check,
/// the number of the next move, the result, or castling.
fn ends_move(rest: &[u8]) -> bool {
    match rest.first() {
        None => true,
        Some(byte) if byte.is_ascii_digit() => {
            let after = number(rest).and_then(|(_, length)| rest.get(length));
            let castles = || {
                let length = castling_length(rest).filter(|_| rest.get(1) == Some(&b'-'));
                length.is_some_and(|length| ends_move(&rest[length..]))
            };
            after == Some(&b'.') || results::at_start(rest).is_some() || castles()
        }
        Some(b'@') => false,
        Some(byte) if byte.is_ascii_alphabetic() => {
            let mut glyphs = GLYPHS.iter().map(|(sign, _)| *sign);
            let mut checks = CHECK_WORDS.iter().chain(&GLUED_CHECK_WORDS);
            checks.any(|word| begins_with(rest, word) && is_boundary(rest, word.len()))
                || glyphs.any(|sign| rest.starts_with(sign) && is_boundary(rest, sign.len()))
                || castling_length(rest).is_some_and(|length| ends_move(&rest[length..]))
        }
        Some(_) => true,
    }
}

/// Whether a word begins with this text, in large letters or small.
fn begins_with(word: &[u8], text: &[u8]) -> bool {
    word.get(..text.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(text))
}

/// Whether no letter or digit stands here.
fn is_boundary(word: &[u8], at: usize) -> bool {
    !word
        .get(at)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'@' || !byte.is_ascii())
}

/// Whether a line begins with the first move of a game: `1. e4` or `1) e4`, but not `1... e5`,
/// `1. ... e5` or `1-0`.
pub(super) fn is_first_move(line: &[u8]) -> bool {
    let after = line.strip_prefix(b"1").unwrap_or_default();
    let behind_parenthesis = after
        .strip_prefix(b")")
        .filter(|rest| rest.starts_with(b" "));
    let after = behind_parenthesis.unwrap_or(after);
    let is_between = |byte: &&u8| matches!(**byte, b'.' | b' ');
    let between = &after[..after.iter().take_while(is_between).count()];
    match between.iter().filter(|byte| **byte == b'.').count() {
        0 => {
            // Not `1 hour for all moves`, nor `1 de mayo de 1998`.
            let rest = &after[between.len()..];
            let mut tokens = tokens(&rest[..word_length(rest)]);
            let is_two_files = |m: &[u8]| matches!(m, [b'a'..=b'h', b'a'..=b'h']);
            let first = tokens.next();
            !between.is_empty() && matches!(first, Some((Token::Move(m), _)) if !is_two_files(m))
        }
        periods => {
            // An ellipsis, in UTF-8 or Windows-1252, stands before a move of Black, and one or two
            // digits are parts of a second.
            let rest = &after[between.len()..];
            let is_ellipsis = matches!(rest, [0xe2, 0x80, 0xa6, ..] | [0x85, ..]);
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let is_time = (1..=2).contains(&digits) && is_end(rest, digits);
            periods == 1 && !is_ellipsis && !is_time
        }
    }
}

/// Whether a line begins with the number of a game's first move and a move behind it.
pub(super) fn is_numbered_first_move(line: &[u8]) -> bool {
    let words = line.split(u8::is_ascii_whitespace).take(3);
    let parts = words.flat_map(|word| tokens(word).map(|(token, _)| token));
    // `1) e4`, `1.- e4`.
    let mut parts = parts.filter(|token| *token != Token::Sign);
    is_first_move(line)
        && matches!(parts.next(), Some(Token::Number(..)))
        && matches!(parts.next(), Some(Token::Move(_)))
}

/// Whether a word ends here.
fn is_end(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| is_word_end(*byte))
}

/// Whether a word ends before this byte.
pub(super) fn is_word_end(byte: u8) -> bool {
    byte.is_ascii_whitespace() || b"{}();[]<>".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moves and glyphs of a word as text.
    fn read(word: &str) -> String {
        let plain = plain(word.as_bytes()).unwrap_or_else(|| word.to_owned());
        let mut shown = Vec::new();
        for word in plain.split_whitespace() {
            for (token, _) in tokens(word.as_bytes()) {
                match token {
                    Token::Move(text) => shown.push(String::from_utf8_lossy(text).into_owned()),
                    Token::Glyph(glyph) => shown.push(format!("${glyph}")),
                    Token::Number(number, _) => shown.push(format!("{number}.")),
                    Token::Null => shown.push("null".to_owned()),
                    Token::Result(_) => shown.push("result".to_owned()),
                    Token::Unknown => shown.push("unknown".to_owned()),
                    Token::Sign => (),
                }
            }
        }
        shown.join(" ")
    }

    const MOVES: [&str; 9] = [
        "Nf3", "e4", "exd5", "O-O", "O-O-O", "e8=Q", "g1f3", "Rae1", "Qh4xe1",
    ];

    #[test]
    fn a_move_may_be_glued_to_every_sign_on_either_side() {
        for m in MOVES {
            for sign in "\"'<_`,+#=:/|\\&^%.\u{200b}\u{200e}\u{2060}\u{feff}«»•“”".chars() {
                let without = |text: String| read(&text).replace(" $10", "").replace("$10 ", "");
                assert_eq!(without(format!("{sign}{m}")), m, "{sign}");
                assert_eq!(without(format!("{m}{sign}")), m, "{sign}");
            }
        }
    }

    #[test]
    fn a_move_may_be_glued_to_every_glyph_result_number_and_word_of_check() {
        for m in MOVES {
            for (suffix, expected) in [
                ("‼", " $3"),
                ("⁇", " $4"),
                ("⁉", " $5"),
                ("⁈", " $6"),
                ("□", " $7"),
                ("∞", " $13"),
                ("⩲", " $14"),
                ("²", " $14"),
                ("⩱", " $15"),
                ("³", " $15"),
                ("±", " $16"),
                ("∓", " $17"),
                ("+-", " $18"),
                ("→", " $40"),
                ("~", " $13"),
                ("~~", ""),
                ("=~", " $44"),
                ("=/∞", " $44"),
                ("🔥", " unknown"),
                ("⇆", " $132"),
                ("N", " $146"),
                ("TN", " $146"),
                ("D", " $220"),
                ("!!!", " $3"),
                ("†", ""),
                ("‡", ""),
                ("+", ""),
                ("#", ""),
                ("++", ""),
                ("mate", ""),
                ("matt", ""),
                ("dblch", ""),
                ("ch", ""),
                ("2.", " 2."),
                ("1-0", " result"),
                ("1/2-1/2", " result"),
                ("*", " result"),
                ("O-O", " O-O"),
            ] {
                assert_eq!(read(&format!("{m}{suffix}")), format!("{m}{expected}"));
            }
        }
    }

    #[test]
    fn signs_of_fonts_and_of_other_keyboards_are_read() {
        for (word, expected) in [
            ("¤f6", "Nf6"),
            ("¥b4", "Bb4"),
            ("£c2", "Qc2"),
            ("¢e7", "Ke7"),
            ("¦xd8", "Rxd8"),
            ("1。e4", "1. e4"),
            ("1-e4", "1. e4"),
            ("12:Nf3", "12. Nf3"),
            ("â™˜f3", "Nf3"),
            ("1\u{ad}0", "result"),
            ("e4≤", "e4 $143"),
        ] {
            assert_eq!(read(word), expected, "{word}");
        }
    }

    #[test]
    fn castlings_are_told_apart() {
        for (word, expected) in [
            ("O-OO-O", "O-O O-O"),
            ("0-00-0-0", "0-0 0-0-0"),
            ("O-O0-0", "O-O result"),
            ("O-O-OO-O", "O-O-O O-O"),
            ("O-OO-O-O", "O-O O-O-O"),
            ("OOO", "OOO"),
            ("oo", "oo"),
            ("0-0-0", "0-0-0"),
            ("О-О", "O-O"),
            ("O_O", "O_O"),
            ("O–O±", "O-O $16"),
            ("00", "00"),
            ("000!", "000 $1"),
            ("00.", "0."),
            ("00:12", "unknown"),
            ("0.0", "O-O"),
            ("12.0.0.0!", "12. O-O-O $1"),
            ("o.o", "O-O"),
            ("0.00", "0. 00"),
            ("0.0.1851", "0. 0. 1851."),
        ] {
            assert_eq!(read(word), expected, "{word}");
        }
    }

    #[test]
    fn null_moves_are_told_from_results_and_numbers() {
        for null in [
            "--", "---", "Z0", "z0", "0000", "@@@@", "pass", "PASS", "Null",
        ] {
            for (before, after, expected) in [
                ("", "", "null"),
                ("", "!?", "null $5"),
                ("", "±", "null $16"),
                ("\"", "\"", "null"),
                ("7.", "", "7. null"),
                ("12...", "?", "12. null $2"),
                ("", "8.", "null 8."),
                ("", "1-0", "null result"),
            ] {
                let word = format!("{before}{null}{after}");
                assert_eq!(read(&word), expected, "{word}");
            }
        }
        for word in [
            "passed", "nullify", "00000", "Z01", "----", "0000-", "--/--",
        ] {
            assert!(!read(word).contains("null"), "{word}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_unknown() {
        for word in [
            "Nf9", "Nf33", "Жf3", "Nf3x5", "N@f3", "@f3", "hello", "Nf3Nc6", "e2e4e5", "3-2", "1-½",
        ] {
            assert_eq!(read(word), "unknown", "{word}");
        }
    }
}
