//! The position from which a game starts, by its tags.

use std::mem;

use shakmaty::{CastlingMode, Chess};

use super::Builder;
use crate::pgn::error::GameError;
use crate::pgn::line::Line;
use squarewise_engine::position::{LeftOut, read_fen};

/// The standard start position, which Chess960 has too.
const STANDARD_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The names of standard chess in `Variant`, and those of Chess960: letters and digits only, small.
const STANDARD: [&str; 8] = [
    "",
    "standard",
    "normal",
    "chess",
    "regular",
    "classical",
    "orthodox",
    "fromposition",
];
const CHESS960: [&str; 11] = [
    "chess960",
    "960",
    "frc",
    "chess960frc",
    "fischerandom",
    "fischerrandom",
    "fischerrandomchess",
    "freestyle",
    "freestylechess",
    "dfrc",
    "doublefischerrandom",
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
        match self.is_whole() {
            true => self.tags.push((name, value)),
            false if name.len() <= MAX_NAME_BYTES => self.tags.push((name, String::new())),
            false => (),
        }
    }

    /// Sets up the start position when the first thing behind the tags arrives.
    pub(super) fn begin(&mut self) {
        if self.start.is_some() {
            return;
        }
        let start = match start_position(&self.tags) {
            Ok((start, left_out)) => {
                if let Some(words) = left_out.in_words() {
                    self.remark(format!("in its FEN {words}"));
                }
                start
            }
            Err(error) => {
                self.fail(error);
                Chess::default()
            }
        };
        self.main = Line {
            nags_before: mem::take(&mut self.main.nags_before),
            ..Line::new(start.clone())
        };
        self.start = Some(start);
    }
}

/// The value of the first tag with this name, in large letters or small.
pub(super) fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut tags = tags.iter();
    let (_, value) = tags.find(|(other, _)| other.eq_ignore_ascii_case(name))?;
    Some(value)
}

/// The start position by the tags `Variant` and `FEN`. Castling rights that standard chess can't
/// have are read as in Chess960.
fn start_position(tags: &[(String, String)]) -> Result<(Chess, LeftOut), GameError> {
    let variant = tag(tags, "Variant").unwrap_or_default();
    let letters = variant.chars().filter(char::is_ascii_alphanumeric);
    let letters = letters.collect::<String>().to_ascii_lowercase();
    let mode = match letters.as_str() {
        name if STANDARD.contains(&name) => CastlingMode::Standard,
        name if CHESS960.contains(&name) => CastlingMode::Chess960,
        // Fischer's chess has many names, and none of them is that of another kind.
        name if name.starts_with("fischer") => CastlingMode::Chess960,
        _ => return Err(GameError::Variant(variant.to_owned())),
    };
    let fen = tag(tags, "FEN").filter(|fen| !matches!(*fen, "" | "?"));
    match (fen, mode) {
        (None, CastlingMode::Standard) => Ok((Chess::default(), LeftOut::default())),
        (Some(fen), CastlingMode::Standard) => Ok(read_fen(fen, None)?),
        (fen, mode) => Ok(read_fen(fen.unwrap_or(STANDARD_START), Some(mode))?),
    }
}
