//! Games as they are written down: the Portable Game Notation (PGN).
//!
//! A [`GameRecord`] is a game with everything that a PGN file says about it: tags, moves, comments,
//! clocks, evaluations and variations. The reader turns a file into records, the writer does the
//! reverse.
//!
//! Format: <https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>. The commands in
//! comments, `[%clk]` and `[%eval]`, are those that Lichess and ChessBase write.

mod apart;
mod builder;
mod castling;
mod characters;
mod comment;
mod error;
mod game_parser;
mod letters;
mod line;
mod line_forms;
mod line_of_words;
mod lines;
mod markup;
mod move_list;
mod ply;
mod prose;
pub mod reader;
mod results;
mod search_note;
mod tags;
mod titles;
mod words;
pub mod writer;

pub(crate) use comment::without_commands;
pub use error::{GameError, MoveError, MoveProblem};
pub(crate) use line::annotate;
pub(crate) use move_list::written_moves;
pub use ply::Ply;
pub(crate) use ply::passed;
pub use reader::{Games, ReadGame};
pub use search_note::noted_score;

use std::fmt;
use std::time::Duration;

use results::Recorded;
use shakmaty::Outcome;
use squarewise_engine::position::variant_position::VariantPosition;

use squarewise_engine::score::Score;

/// A game as it was played and annotated.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The tag pairs in the order of the file, such as `("White", "Tal, Mikhail")`.
    pub tags: Vec<(String, String)>,
    /// The position from which the game started.
    pub start: VariantPosition,
    /// The text before the first move.
    pub comment: String,
    /// The moves that were played.
    pub plies: Vec<Ply>,
    /// The result as it was recorded.
    pub outcome: Outcome,
}

impl GameRecord {
    /// A game without tags and moves that starts from this position.
    pub fn new(start: VariantPosition) -> GameRecord {
        GameRecord {
            tags: Vec::new(),
            start,
            comment: String::new(),
            plies: Vec::new(),
            outcome: Outcome::Unknown,
        }
    }

    /// The value of the tag with this name, in large letters or small.
    pub fn tag(&self, name: &str) -> Option<&str> {
        tag(&self.tags, name)
    }

    /// The result as it is written: that of the outcome, `*` if it is unknown, or what no outcome
    /// can say and the tag does, such as `0-0`, the loss of both.
    pub fn result(&self) -> &str {
        let outcome = self.outcome.as_str();
        let is_outcome =
            |value: &&str| matches!(results::of_tag(value), Some(Recorded::Outcome(_)));
        let by_tag = self
            .known_tag("Result")
            .filter(|_| self.outcome.is_unknown());
        by_tag.filter(|value| !is_outcome(value)).unwrap_or(outcome)
    }

    /// The value of a tag, unless it is missing, empty or says that it is unknown.
    pub fn known_tag(&self, name: &str) -> Option<&str> {
        let value = self.tag(name)?.trim();
        is_known(value).then_some(value)
    }

    /// The date of the game without the parts that are `??`: `1997.05.??` becomes `1997.05`. `None`
    /// if not even the year is known.
    pub fn known_date(&self) -> Option<&str> {
        let known = |name| self.known_tag(name).filter(|date| !date.starts_with('?'));
        let date = known("Date").or_else(|| known("UTCDate"));
        date.map(|date| date.trim_end_matches(".??"))
    }
}

/// The value of the first tag with this name, in large letters or small.
fn tag<'a>(tags: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let mut tags = tags.iter();
    let (_, value) = tags.find(|(other, _)| other.eq_ignore_ascii_case(name))?;
    Some(value)
}

/// Whether the value of a tag says something, and is neither empty nor a sign for the unknown.
pub(crate) fn is_known(value: &str) -> bool {
    !matches!(value.trim(), "" | "?" | "-" | "????.??.??")
}

/// An evaluation as `[%eval]` records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordedEvaluation {
    /// The score from White's point of view.
    pub score: Score,
    /// The depth of the search in plies.
    pub depth: Option<u32>,
}

/// As in PGN: `0.31` in pawns, `#3` or `#-3` for the moves to mate, tablebase results as 200 pawns
/// less a hundredth for each ply.
impl fmt::Display for RecordedEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score.mate_moves() {
            Some(moves) => write!(f, "#{moves}"),
            None => write!(f, "{:.2}", f64::from(self.score.shown_centipawns()) / 100.0),
        }
    }
}

/// A score from White's point of view for people to read: `+0.31`, `-1.20`, or `#3` and `#-3` for a
/// mate.
pub fn shown_score(score: Score) -> String {
    let text = RecordedEvaluation { score, depth: None }.to_string();
    if score > Score::DRAW && !text.starts_with('#') {
        format!("+{text}")
    } else {
        text
    }
}

/// A time on a clock for people to read, in whole seconds, rounded down: `1:02:03`, `2:03`.
pub(crate) fn shown_clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_shows_hours_only_if_there_are_any() {
        assert_eq!(shown_clock(Duration::from_secs(3_723)), "1:02:03");
        assert_eq!(shown_clock(Duration::from_millis(123_900)), "2:03");
        assert_eq!(shown_clock(Duration::ZERO), "0:00");
    }

    #[test]
    fn scores_have_their_sign() {
        for (score, expected) in [
            (Score::centipawns(31), "+0.31"),
            (Score::centipawns(-120), "-1.20"),
            (Score::DRAW, "0.00"),
            (Score::mate_in(5), "#3"),
            (Score::mated_in(6), "#-3"),
        ] {
            assert_eq!(shown_score(score), expected);
        }
    }
}
