//! Builds the record of a game from the parts of its text.
//!
//! The [`Builder`] gets every tag, move, glyph, comment and variation in the order of the text. A
//! fault in the main line ends the game with an error; a fault in a variation ends the variation,
//! of which the rest is kept as a comment.

mod numbers;
mod outcome;
mod prose;
mod remarks;
mod start;
pub(super) mod variations;

use std::mem;

use shakmaty::Role;
use squarewise_engine::position::variant_position::VariantPosition;

use super::comment::append;
use super::error::{GameError, MoveError, MoveProblem};
use super::letters::InEnglish;
use super::line::{Line, Unplayed, Written, annotate, shown};
use super::results::Recorded;
use super::{GameRecord, Ply};
use remarks::Remarks;

/// The longest text of a game, in bytes. The unit tests read longer ones by the dozen, which takes
/// them a long time without optimisation.
pub(super) const MAX_GAME_BYTES: usize = if cfg!(test) { 256 << 10 } else { 2 << 20 };

/// The longest game, in plies. By the rules no game has more than 17,697.
pub(super) const MAX_PLIES: usize = 20_000;

/// The most plies of a game with its variations: they take a hundred times their text.
pub(super) const MAX_PLIES_WITH_VARIATIONS: usize = 200_000;

/// A game, or why it can't be read, and the remarks on it.
pub(super) type Finished = (Result<GameRecord, GameError>, Vec<String>);

/// A game while its parts arrive.
#[derive(Default)]
pub(super) struct Builder {
    pub(super) tags: Vec<(String, String)>,
    /// The number of the line that is read.
    pub(super) line_number: usize,
    /// The bytes of the text so far.
    bytes: usize,
    /// The plies so far, those of variations included.
    plies: usize,
    problem: Option<GameError>,
    remarks: Remarks,
    start: Option<VariantPosition>,
    comment: String,
    result: Option<Recorded>,
    /// The result in the title above the moves.
    pub(super) result_of_title: Option<Recorded>,
    /// The main line and the variations that are open, innermost last.
    main: Line,
    variations: Vec<Line>,
    /// What isn't played but kept as it stands.
    unplayed: Option<Unplayed>,
    /// By how much the move numbers of the file are higher than those of the position.
    number_offset: Option<i64>,
    /// The first number and its line, if the game can't begin with it.
    odd_first_number: Option<(i64, usize)>,
    is_behind_number: bool,
    /// The number that was read last, and the periods behind it.
    last_number: (u32, usize),
    is_behind_prose: bool,
    /// Words behind the last move; an error if another move follows.
    prose: Option<(String, MoveError)>,
    /// `0-0` with zeros, which is castling if another move follows, else the loss of both.
    doubtful_castling: Option<(Vec<u8>, usize)>,
    /// A null move, which fills the place of no move if a result follows.
    doubtful_null: Option<(Vec<u8>, usize)>,
}

impl Builder {
    pub(super) fn with_tags(tags: Vec<(String, String)>) -> Builder {
        Builder {
            tags,
            ..Builder::default()
        }
    }

    /// Whether no fault was found yet.
    pub(super) fn is_whole(&self) -> bool {
        self.problem.is_none()
    }

    /// Whether no move of the main line was read, and none that is wrong.
    pub(super) fn has_no_plies(&self) -> bool {
        self.main.plies.is_empty() && self.is_whole()
    }

    /// Whether both sides have moved.
    pub(super) fn has_whole_move(&self) -> bool {
        self.main.plies.len() > 1
    }

    /// Counts the bytes of a line. A text that is too long is a fault.
    pub(super) fn count_bytes(&mut self, bytes: usize) {
        self.bytes += bytes;
        if self.is_too_long() {
            self.fail(GameError::TooLong);
        }
    }

    /// Whether the text so far is longer than that of any game.
    pub(super) fn is_too_long(&self) -> bool {
        self.bytes > MAX_GAME_BYTES
    }

    /// Counts a ply; returns whether there is room for it.
    fn count_ply(&mut self) -> bool {
        self.plies += 1;
        self.plies <= MAX_PLIES_WITH_VARIATIONS
    }

    /// The game has a fault; the first one counts.
    pub(super) fn fail(&mut self, problem: GameError) {
        self.problem.get_or_insert(problem);
    }

    /// There is no game, whatever else is wrong with it; but for what is wrong with the text as a
    /// whole.
    pub(super) fn fail_as_no_game(&mut self) {
        let is_of_text = |problem: &GameError| {
            use GameError::{Escaped, List, NotText, TooLong};
            matches!(problem, NotText | TooLong | Escaped | List)
        };
        if !self.problem.as_ref().is_some_and(is_of_text) {
            self.problem = Some(GameError::NotAGame);
        }
    }

    pub(super) fn remark(&mut self, remark: String) {
        if self.is_whole() {
            self.remarks.add(remark);
        }
    }

    /// A remark on the line that is read.
    pub(super) fn remark_here(&mut self, words: &str) {
        self.remark(format!("line {}: {words}", self.line_number));
    }

    /// Plays a move, which stands in this word of the file.
    pub(super) fn play(&mut self, written: Written<'_>, word: &[u8]) {
        self.begin();
        match written {
            Written::Null => self.play_in_line(written, word),
            Written::Move(text) => {
                let number = self.line_number;
                let InEnglish { text, remark } = self.innermost().in_english(text, number);
                if let Some(remark) = remark {
                    self.remark(remark);
                }
                self.play_in_line(Written::Move(&text), word);
            }
        }
    }

    fn play_in_line(&mut self, written: Written<'_>, word: &[u8]) {
        if self.is_in_variation() {
            self.play_in_variation(written, word);
            return;
        }
        if !self.is_whole() {
            return;
        }
        self.settle();
        let is_behind_number = mem::take(&mut self.is_behind_number);
        self.is_behind_prose = false;
        if matches!(written, Written::Null) {
            if self.result.is_some() {
                return; // a dash before words
            }
            self.doubtful_null = Some((word.to_vec(), self.line_number));
            return;
        }
        let may_be_result =
            matches!(written, Written::Move(b"0-0")) && !is_behind_number && self.result.is_none();
        if may_be_result
            && (self.result_by_tag() == Some(Recorded::BothLost)
                || written.ply(&self.main.position).is_err())
        {
            self.doubtful_castling = Some((word.to_vec(), self.line_number));
            return;
        }
        self.play_in_main_line(written, word);
    }

    fn play_in_main_line(&mut self, written: Written<'_>, word: &[u8]) {
        self.tell_odd_first_number();
        if self.main.plies.len() >= MAX_PLIES || !self.count_ply() {
            self.fail(GameError::TooLong);
            return;
        }
        let problem = match written.ply(&self.main.position) {
            _ if self.result.is_some() => MoveProblem::AfterResult,
            Ok(ply) => {
                self.tell_doubtful_move(&ply, written, word);
                self.main.play(ply);
                return;
            }
            Err(problem) => problem,
        };
        self.fail_at_move(problem, word);
    }

    /// Says if a move of a piece is marked as a capture but takes nothing, if a pawn takes though
    /// its move names only the square to which it goes, or if nothing says what a pawn becomes.
    fn tell_doubtful_move(&mut self, ply: &Ply, written: Written<'_>, word: &[u8]) {
        let (Some(m), Written::Move(text)) = (ply.m, written) else {
            return;
        };
        let names_no_piece = !text.iter().skip(1).any(u8::is_ascii_alphabetic)
            || text.last().is_some_and(u8::is_ascii_digit);
        let problem = if m.is_promotion() && names_no_piece {
            Some("doesn't say what the pawn becomes: a queen is meant")
        } else if m.role() == Role::Pawn {
            let names_target_alone = text.starts_with(m.to().to_string().as_bytes());
            (m.is_capture() && names_target_alone).then_some("is a capture")
        } else {
            (text.contains(&b'x') && !m.is_capture()).then_some("takes nothing")
        };
        if let Some(problem) = problem {
            self.remark_here(&format!("{} {problem}", shown(word)));
        }
    }

    fn fail_at_move(&mut self, problem: MoveProblem, word: &[u8]) {
        let error = self.main.error(self.line_number, problem, word);
        self.fail(GameError::Move(Box::new(error)));
    }

    /// A word that can't be read.
    pub(super) fn unreadable(&mut self, word: &[u8]) {
        self.begin();
        if self.is_in_variation() {
            self.cut_variation(MoveProblem::Unreadable, word);
        } else if self.is_whole() {
            self.settle();
            self.fail_at_move(MoveProblem::Unreadable, word);
        }
    }

    /// Whether a piece can go to this square.
    pub(super) fn piece_can_go(&self, square: &[u8]) -> bool {
        let mut letters = b"KQRBN".iter();
        letters.any(|letter| self.can_play(&[&[*letter], square].concat()))
    }

    /// Whether a move is legal here.
    pub(super) fn can_play(&self, text: &[u8]) -> bool {
        self.variations.last().unwrap_or(&self.main).can_play(text)
    }

    /// A glyph behind a move, or before the first move of a variation.
    pub(super) fn glyph(&mut self, glyph: u16) {
        self.begin();
        self.settle_null();
        if let Some(line) = self.line() {
            let nags = match line.plies.last_mut() {
                Some(ply) => &mut ply.nags,
                None => &mut line.nags_before,
            };
            if !nags.contains(&glyph) {
                nags.push(glyph);
            }
        }
    }

    /// A comment, without its braces.
    pub(super) fn comment(&mut self, text: &str) {
        if !self.is_whole() {
            return;
        }
        self.settle_null();
        if self.is_unplayed() {
            self.keep(&format!("{{{text}}}"));
            return;
        }
        let is_in_variation = self.is_in_variation();
        let comment = &mut self.comment;
        let line = self.variations.last_mut().unwrap_or(&mut self.main);
        match line.plies.last_mut() {
            Some(ply) => annotate(ply, text),
            None if is_in_variation => append(&mut line.comment_before, text),
            None => append(comment, text),
        }
    }

    /// The game, when all its parts are there.
    pub(super) fn finish(mut self) -> Finished {
        self.begin();
        if self.is_in_variation() {
            let words = "a variation is not closed, so everything after it belongs to it";
            self.remark(words.to_owned());
        }
        while self.is_in_variation() {
            self.close_variation();
        }
        self.leave_out_null(None);
        if let Some((prose, _)) = self.prose.take() {
            self.comment(&prose);
        }
        if !self.main.variations_before.is_empty() {
            self.remark("a variation that belongs to no move is left out".to_owned());
        }
        for doubt in mem::take(&mut self.main.letters).doubts() {
            self.remark(doubt.to_owned());
        }
        let outcome = self.outcome();
        if let Some(problem) = self.problem {
            return (Err(problem), Vec::new());
        }
        let record = GameRecord {
            tags: self.tags,
            start: self.start.unwrap_or_default(),
            comment: self.comment,
            plies: self.main.plies,
            outcome,
        };
        (Ok(record), self.remarks.listed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held_by(line: &Vec<Ply>) -> usize {
        let plies = line.iter().map(|ply| {
            let texts = [&ply.comment_before, &ply.comment, &ply.commands];
            let texts = texts.map(String::capacity).iter().sum::<usize>();
            let glyphs = 2 * (ply.nags.capacity() + ply.nags_before.capacity());
            let lists = ply.variations.capacity() * size_of::<Vec<Ply>>();
            texts + glyphs + lists + ply.variations.iter().map(held_by).sum::<usize>()
        });
        line.capacity() * size_of::<Ply>() + plies.sum::<usize>()
    }

    impl Builder {
        /// The bytes that the game takes in memory, without those of the allocator.
        pub(in crate::pgn) fn held_bytes(&self) -> usize {
            let tags = self.tags.iter();
            let tags = tags.map(|(name, value)| name.capacity() + value.capacity());
            let lines = self.variations.iter().chain([&self.main]);
            let lines = lines.map(|line| {
                let before = line.variations_before.iter().map(held_by).sum::<usize>();
                held_by(&line.plies)
                    + before
                    + line.comment_before.capacity()
                    + 2 * line.nags_before.capacity()
                    + size_of::<Line>()
            });
            let unplayed = self
                .unplayed
                .as_ref()
                .map_or(0, |text| text.text.capacity());
            let prose = self.prose.as_ref().map_or(0, |(prose, _)| prose.capacity());
            let remarks = self.remarks.bytes();
            let texts = self.comment.capacity() + unplayed + prose + remarks;
            tags.sum::<usize>() + lines.sum::<usize>() + texts
        }
    }
}
