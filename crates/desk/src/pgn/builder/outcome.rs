//! The outcome of a game, by its moves and by its tags.

use std::mem;

use shakmaty::Outcome;

use super::Builder;
use crate::pgn::characters::plain_characters;
use crate::pgn::comment::text_of;
use crate::pgn::line::Written;
use crate::pgn::results::{self, Recorded};
use crate::pgn::tag;

/// The most characters of a tag that are shown.
const MAX_SHOWN_RESULT: usize = 100;

impl Builder {
    /// Another move follows: plays what could have been something else.
    pub(in crate::pgn) fn settle_doubts(&mut self) {
        self.settle_castling();
        self.settle_null();
    }

    /// Plays a null move: it is no last one.
    pub(super) fn settle_null(&mut self) {
        if let Some((word, line)) = self.doubtful_null.take() {
            self.play_later(Written::Null, &word, line);
        }
    }

    /// A null move before a result, which the tag can tell too, stands for no move. It is played
    /// nevertheless if the game goes on and it is possible.
    pub(super) fn leave_out_null(&mut self, recorded: Option<Recorded>) {
        let goes_on = self.result_with(recorded) == Recorded::Outcome(Outcome::Unknown);
        if goes_on && Written::Null.ply(&self.main.position).is_ok() {
            self.settle_null();
        } else if let Some((word, _)) = self.doubtful_null.take() {
            let word = text_of(&word);
            self.remark_here(&format!("{word} before the end of the game is not a move"));
        }
    }

    /// Castles by zeros that could have been a result: another move follows.
    pub(super) fn settle_castling(&mut self) {
        if let Some((word, line)) = self.doubtful_castling.take() {
            self.play_later(Written::Move(b"0-0"), &word, line);
        }
    }

    /// Plays a move of an earlier line.
    fn play_later(&mut self, written: Written<'_>, word: &[u8], line: usize) {
        if self.is_whole() {
            let line = mem::replace(&mut self.line_number, line);
            self.play_in_main_line(written, word);
            self.line_number = line;
        }
    }

    /// A result; returns whether the game is over by it. Inside a variation a result ends nothing.
    pub(in crate::pgn) fn result(&mut self, recorded: Recorded, word: &[u8]) -> bool {
        self.begin();
        let is_clear = !self.is_behind_number && names_both_forfeits(word);
        if recorded == Recorded::BothLost && word.contains(&b'0') && !is_clear {
            // Whether it is castling, the moves tell.
            self.play(Written::Move(b"0-0"), word);
            return self.doubtful_castling.is_some();
        }
        if self.is_in_variation() {
            self.result_of_variation(recorded);
            return false;
        }
        let unknown = Recorded::Outcome(Outcome::Unknown);
        let castling = Written::Move(b"0-0");
        if recorded == unknown
            && (castling.ply(&self.main.position).is_err()
                || self.result_by_tag() == Some(Recorded::BothLost))
            && self.doubtful_castling.take().is_some()
        {
            // Zeros that can't be castling, or that the tag has too, were the result.
            self.result = Some(Recorded::BothLost);
        }
        self.settle_castling();
        self.leave_out_null(Some(recorded));
        match self.result {
            None => self.result = Some(recorded),
            Some(first) if first == unknown => self.result = Some(recorded),
            Some(first) if first != recorded && recorded != unknown => {
                self.remark_here(&format!(
                    "the result {recorded} follows the result {first}, which counts"
                ));
            }
            Some(_) => (),
        }
        true
    }

    /// The result that the tag names.
    pub(super) fn result_by_tag(&self) -> Option<Recorded> {
        tag(&self.tags, "Result").and_then(results::of_tag)
    }

    /// The result of the game if the moves end with this one: where they tell none, the tag does,
    /// or the title.
    fn result_with(&self, by_moves: Option<Recorded>) -> Recorded {
        let unknown = Recorded::Outcome(Outcome::Unknown);
        // Above tags it can be that of another game.
        let by_title = self.result_of_title.filter(|_| self.tags.is_empty());
        let all = [by_moves, self.result_by_tag(), by_title];
        let mut known = all
            .into_iter()
            .flatten()
            .filter(|result| *result != unknown);
        known.next().unwrap_or(unknown)
    }

    /// Says if more than the result stands in its tag, such as how it came about: the standard has
    /// no room for that.
    fn tell_reason_of_result(&mut self) {
        let stood = tag(&self.tags, "Result").unwrap_or_default().trim();
        let is_plain = matches!(stood, "" | "?")
            || results::of_tag(stood)
                .is_some_and(|_| !plain_characters(stood).contains(char::is_alphabetic));
        let result = self.result_with(self.result);
        if !is_plain
            && results::in_words(stood).is_none()
            && result != Recorded::Outcome(Outcome::Unknown)
        {
            let stood: String = stood.chars().take(MAX_SHOWN_RESULT).collect();
            self.remarks
                .add_on_the_game(format!("its Result tag says '{stood}'; {result} is kept"));
        }
    }

    /// The outcome by the moves and by the tag. A result of which only the tag can tell is added to
    /// the tags.
    pub(super) fn outcome(&mut self) -> Outcome {
        if self.doubtful_castling.take().is_some() {
            self.result = Some(Recorded::BothLost);
        }
        let unknown = Recorded::Outcome(Outcome::Unknown);
        let by_moves = self.result.filter(|result| *result != unknown);
        let by_tag = self.result_by_tag().filter(|result| *result != unknown);
        if let (Some(by_moves), Some(by_tag)) = (by_moves, by_tag)
            && by_moves != by_tag
        {
            self.remarks.add_on_the_game(format!(
                "its Result tag says {by_tag}, but the moves end with {by_moves}, which counts"
            ));
        } else {
            self.tell_reason_of_result();
        }
        match self.result_with(self.result) {
            Recorded::Outcome(outcome) => outcome,
            Recorded::BothLost => {
                let both_lost = Recorded::BothLost.to_string();
                match self.tags.iter_mut().find(|(name, _)| name == "Result") {
                    Some((_, value)) => *value = both_lost,
                    None => self.tags.push(("Result".to_owned(), both_lost)),
                }
                Outcome::Unknown
            }
        }
    }
}

/// Whether a word with a result that could be castling is written as nobody writes castling: with a
/// colon between the zeros, or with the `F` of a forfeit.
fn names_both_forfeits(word: &[u8]) -> bool {
    let is_space = |byte: &u8| byte.is_ascii_whitespace();
    let word: Vec<u8> = word
        .iter()
        .copied()
        .filter(|byte| !is_space(byte))
        .collect();
    let ends = matches!(word.as_slice(), [.., b'0', b'F' | b'f']);
    ends || word
        .windows(3)
        .any(|part| matches!(part, [b'0', b':', b'0'] | [b'F' | b'f', b'-' | b':', b'0']))
}
