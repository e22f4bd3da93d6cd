//! Words among the moves by which no move is meant.

use super::Builder;
use crate::pgn::comment::append;
use crate::pgn::error::{GameError, MoveProblem};

impl Builder {
    /// Whether a word of prose was just read.
    pub(in crate::pgn) fn is_behind_prose(&self) -> bool {
        self.is_behind_prose
    }

    /// Whether a word such as `pass` is one of prose here, and not a move: behind other words, or
    /// before the first move.
    pub(in crate::pgn) fn is_amid_prose(&self) -> bool {
        let is_before_moves = self.main.plies.is_empty() && !self.is_behind_number;
        self.is_behind_prose || (is_before_moves && !self.is_in_variation())
    }

    /// A word of prose among the moves. Before the first move and behind the last it is a comment.
    pub(in crate::pgn) fn prose(&mut self, text: &str) {
        self.is_behind_prose = true;
        if self.is_in_variation() || (self.main.plies.is_empty() && !self.is_behind_number) {
            self.comment(text);
        } else if self.is_whole() {
            let problem = MoveProblem::Unreadable;
            let first = text.split(' ').next().unwrap_or_default();
            let error = || self.main.error(self.line_number, problem, first.as_bytes());
            let (prose, _) = self.prose.get_or_insert_with(|| (String::new(), error()));
            append(prose, text);
        }
    }

    /// Another move of the main line follows: what was doubtful before it is not any more.
    pub(super) fn settle(&mut self) {
        if let Some((_, error)) = self.prose.take() {
            self.fail(GameError::Move(Box::new(error)));
        }
        self.settle_doubts();
    }
}
