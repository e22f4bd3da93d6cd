//! The numbers of moves: the moves are read by their order, and a number that doesn't fit is told.

use shakmaty::{Color, Position};

use super::Builder;

impl Builder {
    /// The number of the move that follows.
    pub(in crate::pgn) fn number(&mut self, number: u32, periods: usize) {
        self.begin();
        self.take_number_of_heading();
        self.is_behind_number = true;
        self.last_number = (number, periods.min(3));
        self.is_behind_prose = false;
        if !self.is_whole() {
            return;
        }
        if self.is_in_variation() {
            self.tell_number_of_other_move(number, periods);
            return;
        }
        self.settle_doubts();
        let position = &self.main.position;
        let (expected, turn) = (position.fullmoves().get(), position.turn());
        let (number, expected) = (i64::from(number), i64::from(expected));
        if self.number_offset.is_none() && number != expected && self.fen().is_none() {
            self.odd_first_number = Some((number, self.line_number));
        }
        let offset = *self.number_offset.get_or_insert(number - expected);
        let is_right = number - offset == expected && (periods < 2 || turn == Color::Black);
        // A wrong number is told once: after it all are counted from there.
        if !is_right {
            self.number_offset = Some(number - expected);
            let expected = expected + offset;
            let remark = if number == expected {
                format!("the number {number}... stands before a move of White")
            } else {
                format!("the move number {number} stands where move {expected} is played")
            };
            self.remark_here(&remark);
        }
    }

    /// A number before words is one of the heading if another stands before the first move:
    /// `2. French Defence: 1. e4`.
    fn take_number_of_heading(&mut self) {
        if !self.main.plies.is_empty() || self.is_in_variation() || !self.is_whole() {
            return;
        }
        if let Some((words, _)) = self.prose.take() {
            let (number, periods) = self.last_number;
            self.number_offset = None;
            self.odd_first_number = None;
            self.comment(&format!("{number}{} {words}", ".".repeat(periods)));
        }
    }

    /// Says before the first move if its number is odd, and nothing says why.
    pub(super) fn tell_odd_first_number(&mut self) {
        if let Some((number, line)) = self.odd_first_number.take() {
            self.remark(format!(
                "line {line}: the first number is {number}, but no FEN tag says what was before"
            ));
        }
    }

    /// Says if a variation begins with the number of a move that it can't begin with: it takes the
    /// place of the last move, and doesn't go on behind it.
    fn tell_number_of_other_move(&mut self, number: u32, periods: usize) {
        if periods == 0 {
            // It can be one of words.
            return;
        }
        let offset = self.number_offset.unwrap_or_default();
        let Some(line) = self.line().filter(|line| line.plies.is_empty()) else {
            return;
        };
        let (expected, turn) = (line.position.fullmoves().get(), line.position.turn());
        let is_of_black = periods > 1;
        let is_right = i64::from(number) - offset == i64::from(expected)
            && (!is_of_black || turn == Color::Black);
        if !is_right {
            let dots = if is_of_black { "..." } else { "." };
            let place = i64::from(expected) + offset;
            let side = if turn == Color::White { "." } else { "..." };
            self.remark_here(&format!(
                "a variation begins at {number}{dots}, but replaces move {place}{side}"
            ));
        }
    }

    /// Whether this can be the number of the next move. The first number of a game can be any.
    pub(in crate::pgn) fn expects_number(&self, number: u32) -> bool {
        let line = self.variations.last().unwrap_or(&self.main);
        let expected = i64::from(line.position.fullmoves().get());
        let offset = self.number_offset.unwrap_or(i64::from(number) - expected);
        i64::from(number) - offset == expected
    }

    /// Whether the number of a move was just read.
    pub(in crate::pgn) fn is_behind_number(&self) -> bool {
        self.is_behind_number
    }
}
