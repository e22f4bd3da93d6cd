//! Repetition and the count of plies without a capture: how a game ends although there are moves.
//!
//! When a position comes again, the moves between decide. If all moves of one side gave check, it
//! has lost (*perpetual check*); if those of both did, or of neither, the game is drawn. The rules
//! for a perpetual chase of one piece are left out: a chase is drawn here.

use crate::game::Outcome;

use super::pieces::Side;
use super::position::{DRAWN_PLIES, Xiangqi};

impl Xiangqi {
    /// The result for the side to move if the position has occurred `times` times before.
    pub(super) fn result_by_repetition(&self, times: usize) -> Option<Outcome> {
        let reversible = usize::from(self.plies_without_capture).min(self.past.len());
        let recent = &self.past[self.past.len() - reversible..];
        // Only positions with the same side to move: every second, and the latest four plies ago.
        let same = |plies: &usize| recent[recent.len() - plies].key == self.key;
        let plies = (4..=reversible).step_by(2).filter(same).nth(times - 1)?;
        let cycle = &recent[reversible - plies..];
        // The positions in which the side to move stood, this one for the first, and those in
        // which the opponent did.
        let was_checked = self.is_in_check
            && cycle
                .iter()
                .step_by(2)
                .skip(1)
                .all(|past| past.was_in_check);
        let was_checking = cycle
            .iter()
            .skip(1)
            .step_by(2)
            .all(|past| past.was_in_check);
        Some(match (was_checked, was_checking) {
            (true, false) => Outcome::Won,
            (false, true) => Outcome::Lost,
            _ => Outcome::Drawn,
        })
    }

    /// Drawn, if nothing was captured for long. Who has no move on the last ply has lost all the
    /// same.
    pub(super) fn result_by_count(&self) -> Option<Outcome> {
        let is_drawn =
            self.plies_without_capture >= self.drawn_plies && !self.legal_moves().is_empty();
        is_drawn.then_some(Outcome::Drawn)
    }

    /// Lets a game go on that should have ended by the count: an interface that asks for a move
    /// then knows another rule, and every quiet move would be a draw.
    pub(super) fn go_on(&mut self) {
        if self.plies_without_capture >= DRAWN_PLIES {
            self.drawn_plies = u16::MAX;
        }
    }

    /// How a game has ended for the side to move: there is no move, a position has occurred for the
    /// third time, or nothing was captured for long.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.legal_moves().is_empty() {
            return Some(Outcome::Lost);
        }
        let by_repetition = self.result_by_repetition(2);
        by_repetition.or_else(|| self.result_by_count())
    }

    /// How the game has ended, in words.
    pub(super) fn ending_in_words(&self) -> Option<String> {
        let outcome = self.outcome()?;
        let (mover, opponent) = match self.turn() {
            Side::Red => ("Red", "Black"),
            Side::Black => ("Black", "Red"),
        };
        let has_moves = !self.legal_moves().is_empty();
        Some(match outcome {
            Outcome::Lost if !has_moves => format!("{mover} has no move: {opponent} wins."),
            Outcome::Lost => format!("{mover} checks perpetually: {opponent} wins."),
            Outcome::Won => format!("{opponent} checks perpetually: {mover} wins."),
            Outcome::Drawn if self.result_by_repetition(2).is_some() => {
                "The position has occurred three times: a draw.".to_owned()
            }
            Outcome::Drawn => "Nothing was captured for fifty moves: a draw.".to_owned(),
        })
    }
}
