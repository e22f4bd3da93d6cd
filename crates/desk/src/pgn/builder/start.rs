//! The position from which a game starts, by its tags.

use std::mem;

use shakmaty::CastlingMode;

use super::Builder;
use crate::pgn::error::GameError;
use crate::pgn::line::Line;
use crate::pgn::tag;
use crate::pgn::writer::{SEVEN_TAG_ROSTER as ROSTER, is_in_roster};
use squarewise_engine::position::LeftOut;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;

/// The standard start position, which Chess960 has too.
const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The words that name standard chess in `Variant`, and those that name Chess960: letters and
/// digits only, small, the longer before the shorter that they begin with.
const STANDARD: [&str; 11] = [
    "schach",
    "standard",
    "normal",
    "chess",
    "regular",
    "classical",
    "classic",
    "orthodox",
    "western",
    "international",
    "fromposition",
];
const CHESS960: [&str; 11] = [
    "960",
    "9lx",
    "doublefischerrandom",
    "doublefrc",
    "dfrc",
    "frc",
    "fischerandom",
    "fischerrandom",
    "fischer",
    "freestyle",
    "wildfr",
];

/// The longest name of a tag that is kept of a game with a fault, in bytes.
const MAX_NAME_BYTES: usize = 100;

impl Builder {
    /// Adds a tag. Of a game with a fault only the names tell where the next begins.
    pub(in crate::pgn) fn add_tag(&mut self, name: String, value: String) {
        if self.start.is_some() && self.plies == 0 {
            // Something stood between the tags, and this one may change the start position.
            while self.is_in_variation() {
                self.close_variation();
            }
            self.start = None;
        }
        let is_same = |other: &str| other.eq_ignore_ascii_case(&name);
        let known = ROSTER.iter().find(|(other, _)| is_same(other));
        let name = known.map_or(name, |(known, _)| (*known).to_owned());
        if self.is_whole() {
            self.tags.push((name, value));
        } else if name.len() <= MAX_NAME_BYTES {
            self.tags.push((name, String::new()));
        }
    }

    /// The start position by its tag.
    pub(super) fn fen(&self) -> Option<&str> {
        fen(&self.tags)
    }

    /// Whether a tag in the middle of the game can be one of the next game: this one has it, too,
    /// or every game has it.
    pub(in crate::pgn) fn may_repeat(&self, name: &str) -> bool {
        let mut tags = self.tags.iter();
        tags.any(|(other, _)| other.eq_ignore_ascii_case(name)) || is_in_roster(name)
    }

    /// Says which of the tags that can stand once only stands twice with another value.
    fn tell_contradictions(&mut self) {
        for name in ["White", "Black", "Result", "FEN"] {
            let values = self.tags.iter().filter(|(other, _)| other == name);
            let mut values = values.map(|(_, value)| value);
            let first = values.next();
            if values.any(|value| Some(value) != first) {
                self.remark(format!("it has two {name} tags; the first one counts"));
            }
        }
    }

    /// Sets up the start position when the first thing behind the tags arrives.
    pub(super) fn begin(&mut self) {
        if self.start.is_some() {
            return;
        }
        self.tell_contradictions();
        let start = match start_position(&self.tags) {
            Ok((start, left_out)) => {
                if let Some(words) = left_out.in_words() {
                    self.remark(format!("in its FEN {words}"));
                }
                start
            }
            Err(error) => {
                self.fail(error);
                VariantPosition::default()
            }
        };
        self.main = Line {
            nags_before: mem::take(&mut self.main.nags_before),
            ..Line::new(start.clone())
        };
        self.start = Some(start);
    }
}

/// The value of the tag `FEN`.
fn fen(tags: &[(String, String)]) -> Option<&str> {
    let fen = tag(tags, "FEN")?.trim();
    let is_none = matches!(fen, "" | "?" | "-") || fen.eq_ignore_ascii_case("startpos");
    (!is_none).then_some(fen)
}

/// The rules that a value of `Variant` names; `None` if a word of it is another game's.
fn rules(value: &str) -> Option<(Variant, CastlingMode)> {
    let letters = value.chars().filter(char::is_ascii_alphanumeric);
    let letters = letters.collect::<String>().to_ascii_lowercase();
    // The study writes No-castling and No-castling (10).
    let letters = letters.replace("nocastling", "nocastle");
    let (mut rest, mut mode) = (letters.as_str(), CastlingMode::Standard);
    // Of two names one may begin the other.
    let named = Variant::ALL
        .into_iter()
        .filter(|variant| *variant != Variant::Chess && letters.starts_with(variant.name()));
    let variant = named.max_by_key(|variant| variant.name().len());
    let variant = variant.unwrap_or_default();
    if variant != Variant::Chess {
        rest = &rest[variant.name().len()..];
    }
    while !rest.is_empty() {
        let without = |words: &[&str]| words.iter().find_map(|word| rest.strip_prefix(word));
        if let Some(after) = without(&CHESS960) {
            mode = CastlingMode::Chess960;
            rest = after;
        } else {
            rest = without(&STANDARD)?;
        }
    }
    Some((variant, mode))
}

/// The start position by the tags `Variant` and `FEN`. Castling rights that standard chess can't
/// have are read as in Chess960.
fn start_position(tags: &[(String, String)]) -> Result<(VariantPosition, LeftOut), GameError> {
    let named = tag(tags, "Variant").unwrap_or_default();
    let (variant, mode) = rules(named).ok_or_else(|| GameError::Variant(named.to_owned()))?;
    let mode = (mode == CastlingMode::Chess960).then_some(mode);
    match (fen(tags), mode) {
        (None, None) => Ok((VariantPosition::start_of(variant), LeftOut::default())),
        (fen, mode) => {
            let fen = fen.unwrap_or(STANDARD_START);
            Ok(VariantPosition::from_fen(fen, mode, variant)?)
        }
    }
}
