//! The results of games in their many spellings.

use std::fmt;

use shakmaty::{Color, KnownOutcome, Outcome};

use super::characters::{is_picture, plain_characters};

/// The result of a game as it was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recorded {
    /// A result of the standard, `*` included.
    Outcome(Outcome),
    /// Both players lost, for instance because none came: `0-0`.
    BothLost,
}

const WHITE_WON: Recorded = won_by(Color::White);
const BLACK_WON: Recorded = won_by(Color::Black);
const DRAWN: Recorded = Recorded::Outcome(Outcome::Known(KnownOutcome::Draw));

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recorded::Outcome(outcome) => write!(f, "{outcome}"),
            Recorded::BothLost => write!(f, "0-0"),
        }
    }
}

/// The spellings in plain characters, the longer before the shorter that they begin with. A colon
/// stands for a hyphen too. `F` is a forfeit, and the letter `O` a zero.
const SPELLINGS: [(&str, Recorded); 22] = [
    ("1/2-1/2", DRAWN),
    ("1/21/2", DRAWN),
    ("0.5-0.5", DRAWN),
    ("0,5-0,5", DRAWN),
    (".5-.5", DRAWN),
    ("1/2", DRAWN),
    ("1.0-0.0", WHITE_WON),
    ("0.0-1.0", BLACK_WON),
    ("1-0F", WHITE_WON),
    ("0-1F", BLACK_WON),
    ("0F-1", BLACK_WON),
    ("0F-0F", Recorded::BothLost),
    ("0-0F", Recorded::BothLost),
    ("1-0", WHITE_WON),
    ("0-1", BLACK_WON),
    ("1-O", WHITE_WON),
    ("O-1", BLACK_WON),
    ("+--", WHITE_WON),
    ("--+", BLACK_WON),
    ("---", Recorded::BothLost),
    ("-/-", Recorded::BothLost),
    ("0-0", Recorded::BothLost),
];

const fn won_by(winner: Color) -> Recorded {
    Recorded::Outcome(Outcome::Known(KnownOutcome::Decisive { winner }))
}

/// What is written in words instead.
const IN_WORDS: [(&str, Recorded); 9] = [
    ("white won", WHITE_WON),
    ("white wins", WHITE_WON),
    ("black won", BLACK_WON),
    ("black wins", BLACK_WON),
    ("draw", DRAWN),
    ("drawn", DRAWN),
    ("remis", DRAWN),
    ("tablas", DRAWN),
    ("nulle", DRAWN),
];

/// What a reason behind a result in words begins with.
const REASONS_BEHIND_WORDS: [&str; 8] = ["on ", "by ", "after ", "due ", "agreed", "(", "[", ","];

/// The value of a `Result` tag; `None` if it is no result. Behind it may stand how it came about:
/// `1-0 (time)`.
pub(super) fn of_tag(value: &str) -> Option<Recorded> {
    const MAX_BYTES: usize = 100;
    let value = value.trim();
    if value.len() > MAX_BYTES {
        return None;
    }
    if let Some(recorded) = in_words(value) {
        return Some(recorded);
    }
    let is_reason = |text: &str| {
        let mut characters = text.chars();
        text.contains(char::is_alphabetic)
            && characters.all(|c| c.is_alphabetic() || " ()[],.:;!'".contains(c))
    };
    let starts = value.match_indices([' ', '(', '[', ',']);
    let starts = starts.map(|(start, _)| start);
    let mut before_reasons = starts.filter(|start| is_reason(&value[*start..]));
    // Behind words other words can say something else: `White wins soon`.
    let is_clear = |reason: &str| {
        let mut starts = REASONS_BEHIND_WORDS.iter();
        starts.any(|start| reason.trim_start().starts_with(start))
    };
    let recorded = before_reasons.find_map(|start| {
        let (value, reason) = value.split_at(start);
        let value = value.trim_end();
        let by_words = in_words(value).filter(|_| is_clear(reason));
        by_words.or_else(|| without_reason(value))
    });
    recorded.or_else(|| without_reason(value))
}

/// The result of which nothing but these words is written.
pub(super) fn in_words(value: &str) -> Option<Recorded> {
    let mut known = IN_WORDS.iter();
    let found = known.find(|(words, _)| words.eq_ignore_ascii_case(value));
    found.map(|(_, recorded)| *recorded)
}

fn without_reason(value: &str) -> Option<Recorded> {
    let plain: String = plain_characters(value)
        .chars()
        .filter(|c| !c.is_whitespace() && !is_picture(*c))
        .collect();
    let plain = plain.trim_end_matches(['.', ',', ';', '!']);
    match plain.trim_matches(['"', '\'', '(', ')']) {
        "*" => Some(Recorded::Outcome(Outcome::Unknown)),
        "+-" | "+/-" | "+--" => Some(WHITE_WON),
        "-+" | "-/+" | "--+" => Some(BLACK_WON),
        "--" | "-/-" | "---" => Some(Recorded::BothLost),
        "=" | "=-=" | "=:=" | "0.5" | "0,5" => Some(DRAWN),
        plain => at_start(plain.as_bytes())
            .filter(|(_, length)| *length == plain.len())
            .map(|(recorded, _)| recorded),
    }
}

/// The result at the beginning of a word of the moves, in plain characters, and its length. `0-0`
/// is left out where it goes on as castling.
pub(super) fn at_start(word: &[u8]) -> Option<(Recorded, usize)> {
    if word.first() == Some(&b'*') {
        return Some((Recorded::Outcome(Outcome::Unknown), 1));
    }
    if !matches!(
        word.first(),
        Some(b'0' | b'1' | b'O' | b'o' | b'.' | b'+' | b'-')
    ) {
        return None;
    }
    let found = SPELLINGS.iter().find(|(spelling, recorded)| {
        let spelling = spelling.as_bytes();
        let is_sign = matches!(spelling[0], b'+' | b'-');
        word.len() >= spelling.len()
            && spelling
                .iter()
                .zip(word)
                .enumerate()
                .all(|(index, (a, b))| {
                    // Between plus and minus signs only a colon is clear.
                    let is_colon = *b == b':' && *a == b'-' && (!is_sign || index == 1);
                    let is_dash = is_sign && index == 1 && *a == b'-';
                    is_colon || (a.eq_ignore_ascii_case(b) && !is_dash)
                })
            && is_end(word, spelling.len(), *recorded)
    });
    found.map(|(spelling, recorded)| (*recorded, spelling.len()))
}

/// Whether a result ends here, and no number or castling goes on.
fn is_end(word: &[u8], length: usize, recorded: Recorded) -> bool {
    match word.get(length) {
        None => true,
        Some(b'-' | b'/' | b':') => false,
        Some(b'+' | b'#') => recorded != Recorded::BothLost,
        Some(byte) => !byte.is_ascii_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_understood_with_every_dash_and_half() {
        for (text, expected) in [
            ("1-0", WHITE_WON),
            ("0-1", BLACK_WON),
            ("1/2-1/2", DRAWN),
            ("0.5-0.5", DRAWN),
            ("½-½", DRAWN),
            ("0-0", Recorded::BothLost),
        ] {
            for dash in ["-", "–", "−", ":", " - ", " : "] {
                let text = text.replacen('-', dash, 1);
                assert_eq!(of_tag(&text), Some(expected), "{text}");
            }
        }
        for (text, expected) in [
            ("1/2", DRAWN),
            ("½", DRAWN),
            ("+:-", WHITE_WON),
            ("-:+", BLACK_WON),
            ("-:-", Recorded::BothLost),
            ("+/-", WHITE_WON),
            ("1-0F", WHITE_WON),
            ("1-O", WHITE_WON),
            ("O–1", BLACK_WON),
            ("1⁄2-1⁄2", DRAWN),
            ("1-0 f", WHITE_WON),
            ("0F-1", BLACK_WON),
            ("0F-0F", Recorded::BothLost),
            ("(1-0)", WHITE_WON),
            ("\"1-0\"", WHITE_WON),
            ("0-1.", BLACK_WON),
            (".5-.5", DRAWN),
            ("=", DRAWN),
            ("+--", WHITE_WON),
            ("*", Recorded::Outcome(Outcome::Unknown)),
            ("½½", DRAWN),
            ("1-0 (time)", WHITE_WON),
            ("0-1, White resigned", BLACK_WON),
            ("½ - ½ agreed", DRAWN),
            ("White wins", WHITE_WON),
            ("black won", BLACK_WON),
            ("Remis", DRAWN),
            ("White wins on time", WHITE_WON),
            ("Draw by repetition", DRAWN),
            ("draw (agreed)", DRAWN),
            ("¹/₂-¹/₂", DRAWN),
            ("1-0 🏆", WHITE_WON),
        ] {
            assert_eq!(of_tag(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn what_is_no_result_is_none() {
        for text in [
            "",
            "?",
            "soon",
            "1-1",
            "2-0",
            "1/2-0",
            "1-0-0",
            "0-0-0",
            "White",
            "1-0 or 0-1",
            "White lost",
        ] {
            assert_eq!(of_tag(text), None, "{text}");
        }
        for word in ["0-0-0", "0-0+", "1-01", "+-", "--", "+/-", "10"] {
            assert_eq!(at_start(word.as_bytes()), None, "{word}");
        }
    }
}
