//! A line of play while its moves arrive: the main line of a game, or a variation.

use std::mem;

use shakmaty::Position;
use squarewise_engine::position::variant_position::VariantPosition;

use super::Ply;
use super::comment::{Comment, text_of};
use super::error::{MoveError, MoveProblem};
use super::letters::{InEnglish, Letters};
use super::ply::passed;
use super::prose::is_board;
use super::results::Recorded;
use crate::notation::{NoMove, written_move};

/// The longest part of a wrong word that is shown, in characters.
const SHOWN_CHARACTERS: usize = 20;

/// A move as it is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Written<'a> {
    /// In letters.
    Move(&'a [u8]),
    /// The null move.
    Null,
}

impl Written<'_> {
    /// The move that is meant in a position.
    pub(super) fn ply(self, position: &VariantPosition) -> Result<Ply, MoveProblem> {
        match self {
            Written::Move(text) => Ok(Ply::new(written_move(text, position)?)),
            Written::Null => match passed(position) {
                Some(_) => Ok(Ply::new(None)),
                None => Err(MoveProblem::NullInCheck),
            },
        }
    }
}

/// A line of play while its moves arrive.
#[derive(Default)]
pub(super) struct Line {
    /// The position before the last move.
    pub(super) before: VariantPosition,
    /// The current position.
    pub(super) position: VariantPosition,
    pub(super) plies: Vec<Ply>,
    /// What stands before the first move.
    pub(super) comment_before: String,
    pub(super) nags_before: Vec<u16>,
    pub(super) variations_before: Vec<Vec<Ply>>,
    pub(super) letters: Letters,
    pub(super) result: Option<Recorded>,
}

impl Line {
    pub(super) fn new(start: VariantPosition) -> Line {
        Line {
            before: start.clone(),
            position: start,
            ..Line::default()
        }
    }

    /// A variation of the last move.
    pub(super) fn variation(&self) -> Line {
        Line {
            letters: self.letters.of_variation(),
            ..Line::new(self.before.clone())
        }
    }

    /// A move in English letters, which stands in a line of the file with this number.
    pub(super) fn in_english<'a>(&mut self, text: &'a [u8], number: usize) -> InEnglish<'a> {
        let position = &self.position;
        let can_play = |text: &[u8]| Written::Move(text).ply(position).is_ok();
        self.letters.in_english(text, number, can_play)
    }

    /// Whether a move is legal here.
    pub(super) fn can_play(&self, text: &[u8]) -> bool {
        Written::Move(text).ply(&self.position).is_ok()
    }

    pub(super) fn play(&mut self, mut ply: Ply) {
        self.before.clone_from(&self.position);
        ply.play(&mut self.position);
        ply.comment_before = mem::take(&mut self.comment_before);
        ply.nags_before = mem::take(&mut self.nags_before);
        ply.variations = mem::take(&mut self.variations_before);
        self.plies.push(ply);
    }

    /// The error of the next move, which is this word of a line of the file.
    pub(super) fn error(&self, line: usize, problem: MoveProblem, word: &[u8]) -> MoveError {
        let problem = match problem {
            MoveProblem::Unreadable if is_board(word) => MoveProblem::Position,
            problem => problem,
        };
        let word = without_number(word);
        MoveError {
            ply: self.plies.len() + 1,
            line,
            number: self.position.fullmoves(),
            turn: self.position.turn(),
            text: shown(word).trim().to_owned(),
            problem,
        }
    }
}

/// The beginning of a word of the file, for people. A letter in UTF-8 is shown whole: with half a
/// letter the word would be read in another encoding.
pub(super) fn shown(word: &[u8]) -> String {
    const LONGEST_LETTER: usize = 4;
    let end = word.len().min(LONGEST_LETTER * SHOWN_CHARACTERS);
    let is_inside = |end: &usize| word.get(*end).is_some_and(|byte| byte & 0xc0 == 0x80);
    let mut ends = (end.saturating_sub(LONGEST_LETTER)..=end).rev();
    let end = ends.find(|end| !is_inside(end)).unwrap_or(end);
    text_of(&word[..end])
        .chars()
        .take(SHOWN_CHARACTERS)
        .collect()
}

/// A word without the number of the move that is glued to it, which the error names anyway.
fn without_number(word: &[u8]) -> &[u8] {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let periods = word[digits..].iter().take_while(|byte| **byte == b'.');
    match (digits, periods.count()) {
        (1.., periods @ 1..) => match &word[digits + periods..] {
            [] | [b'0'..=b'9', ..] => word,
            rest => rest,
        },
        _ => word,
    }
}

/// A part of the moves that isn't played, as it stands in the file.
pub(super) struct Unplayed {
    pub(super) text: String,
    /// The number of parentheses to close until it is over.
    pub(super) depth: usize,
    /// Whether it is the rest of the open variation, and no variation of its own.
    pub(super) is_rest: bool,
}

impl From<NoMove> for MoveProblem {
    fn from(reason: NoMove) -> MoveProblem {
        match reason {
            NoMove::Illegal => MoveProblem::Illegal,
            NoMove::Ambiguous => MoveProblem::Ambiguous,
            NoMove::Unreadable => MoveProblem::Unreadable,
        }
    }
}

/// Adds a comment to a move.
pub(crate) fn annotate(ply: &mut Ply, text: &str) {
    let mut comment = Comment {
        text: mem::take(&mut ply.comment),
        commands: mem::take(&mut ply.commands),
        clock: ply.clock,
        evaluation: ply.evaluation,
    };
    comment.add(text);
    ply.comment = comment.text;
    ply.commands = comment.commands;
    ply.clock = comment.clock;
    ply.evaluation = comment.evaluation;
}
