//! Variations of a game while their parts arrive.
//!
//! What can't be played is kept as it stands: the rest of a variation behind a fault, and
//! variations that are nested too deeply, become a comment.

use std::mem;

use shakmaty::Outcome;

use super::Builder;
use crate::pgn::comment::{append, text_of};
use crate::pgn::error::{GameError, MoveProblem};
use crate::pgn::line::{Line, Unplayed, Written};
use crate::pgn::line_of_words::says_end;
use crate::pgn::results::Recorded;

/// Variations are played down to this depth; those inside of them are kept as comments.
pub(in crate::pgn) const MAX_VARIATION_DEPTH: usize = 16;

impl Builder {
    /// Plays a move of the variation.
    pub(super) fn play_in_variation(&mut self, written: Written<'_>, word: &[u8]) {
        self.is_behind_prose = false;
        if !self.count_ply() {
            self.fail(GameError::TooLong);
        }
        let Some(line) = self.line() else {
            return;
        };
        match written.ply(&line.position) {
            Ok(ply) => {
                line.play(ply);
                self.is_behind_number = false;
            }
            Err(problem) => self.cut_variation(problem, word),
        }
    }

    pub(in crate::pgn) fn is_in_variation(&self) -> bool {
        self.unplayed.is_some() || !self.variations.is_empty()
    }

    /// The line in which the next move stands.
    pub(super) fn innermost(&mut self) -> &mut Line {
        self.variations.last_mut().unwrap_or(&mut self.main)
    }

    /// The line that is open; `None` inside what isn't played.
    pub(super) fn line(&mut self) -> Option<&mut Line> {
        let is_played = self.unplayed.is_none() && self.is_whole();
        Some(self.innermost()).filter(|_| is_played)
    }

    /// Whether the moves that come aren't played.
    pub(in crate::pgn) fn is_unplayed(&self) -> bool {
        self.unplayed.is_some()
    }

    /// Keeps a part of the text that isn't played.
    pub(in crate::pgn) fn keep(&mut self, text: &str) {
        let is_whole = self.is_whole();
        if let Some(unplayed) = &mut self.unplayed
            && is_whole
        {
            unplayed.text.push_str(text);
        }
    }

    pub(in crate::pgn) fn open_variation(&mut self) {
        self.begin();
        self.settle_null();
        if let Some(unplayed) = &mut self.unplayed {
            unplayed.depth += 1;
            self.keep("(");
            return;
        }
        let is_too_deep = self.variations.len() >= MAX_VARIATION_DEPTH;
        match self.line() {
            Some(line) if !is_too_deep => {
                let variation = line.variation();
                self.variations.push(variation);
            }
            _ => {
                self.unplayed = Some(Unplayed {
                    text: "(".to_owned(),
                    depth: 1,
                    is_rest: false,
                });
                self.remark_here(&format!(
                    "a variation nested more than {MAX_VARIATION_DEPTH} deep is kept as a comment"
                ));
            }
        }
    }

    /// Keeps the rest of the variation that is open as a comment.
    pub(super) fn cut_variation(&mut self, problem: MoveProblem, word: &[u8]) {
        let number = self.line_number;
        let Some(line) = self.line() else {
            return;
        };
        let error = line.error(number, problem, word);
        let mut text = String::new();
        if line.plies.is_empty() {
            // The comment goes to the move before the variation.
            text.push('(');
            for glyph in line.nags_before.drain(..) {
                text.push_str(&format!("${glyph} "));
            }
        }
        let raw = text_of(word);
        let digits = raw.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = digits.starts_with(|c: char| c == '.' || c.is_alphabetic());
        let has_number = digits.len() < raw.len() && is_number;
        if mem::take(&mut self.is_behind_number) && !has_number {
            let (number, periods) = self.last_number;
            text.push_str(&format!("{number}{} ", ".".repeat(periods)));
        }
        text.push_str(&raw);
        self.remark(format!(
            "a variation ends early, and its rest is kept as a comment: {error}"
        ));
        self.unplayed = Some(Unplayed {
            text,
            depth: 1,
            is_rest: true,
        });
    }

    /// Ends a variation; returns whether it was the result of the game in parentheses.
    pub(in crate::pgn) fn close_variation(&mut self) -> bool {
        if let Some(mut unplayed) = self.unplayed.take() {
            unplayed.depth -= 1;
            if unplayed.depth > 0 || !unplayed.is_rest {
                unplayed.text.push(')');
            }
            if unplayed.depth > 0 {
                self.unplayed = Some(unplayed);
                return false;
            }
            let is_rest = unplayed.is_rest;
            self.add_unplayed(unplayed);
            if !is_rest {
                return false;
            }
        }
        let Some(mut variation) = self.variations.pop() else {
            return false;
        };
        // Most variations are short, and there can be many.
        variation.plies.shrink_to_fit();
        let outer = self.innermost();
        outer
            .letters
            .add_doubts_of(mem::take(&mut variation.letters));
        if !variation.plies.is_empty() {
            match outer.plies.last_mut() {
                Some(ply) => ply.variations.push(variation.plies),
                None => outer.variations_before.push(variation.plies),
            }
            return false;
        }
        // What stood in a second pair of parentheses begins where this one does.
        match outer.plies.last_mut() {
            Some(ply) => ply.variations.append(&mut variation.variations_before),
            None => outer
                .variations_before
                .append(&mut variation.variations_before),
        }
        // Without moves it is a comment, or signs such as (=) behind a move.
        for glyph in variation.nags_before {
            self.glyph(glyph);
        }
        if !variation.comment_before.is_empty() {
            self.comment(&variation.comment_before);
        }
        match variation.result {
            Some(recorded) if self.variations.is_empty() => self.result(recorded, b""),
            _ => false,
        }
    }

    /// Adds what wasn't played to the comment of the last move. Its commands belong to moves of its
    /// own, and are no commands there.
    fn add_unplayed(&mut self, unplayed: Unplayed) {
        if !self.is_whole() {
            return;
        }
        let is_main = self.variations.is_empty();
        let line = self.variations.last_mut().unwrap_or(&mut self.main);
        let mut text = unplayed.text.replace("[%", "[ %");
        if unplayed.is_rest && line.plies.is_empty() {
            text.push(')');
        }
        let comment = match line.plies.last_mut() {
            Some(ply) => &mut ply.comment,
            None if is_main => &mut self.comment,
            None => &mut line.comment_before,
        };
        append(comment, &text);
    }

    /// The result at the end of a variation, which ends nothing. Behind a move it is a comment, and
    /// so it is behind words that name another game: `(Kasparov - Karpov, 1-0)`.
    pub(super) fn result_of_variation(&mut self, recorded: Recorded) {
        let Some(line) = self.line() else {
            return;
        };
        match line.plies.last_mut() {
            Some(ply) if recorded != Recorded::Outcome(Outcome::Unknown) => {
                append(&mut ply.comment, &recorded.to_string());
            }
            None if !line.comment_before.is_empty()
                && !says_end(line.comment_before.as_bytes()) =>
            {
                append(&mut line.comment_before, &recorded.to_string());
            }
            _ => line.result = Some(recorded),
        }
    }
}
