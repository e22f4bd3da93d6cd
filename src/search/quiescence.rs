//! The end of the tree: captures and promotions are played on until the position is quiet.
//!
//! A static evaluation in the middle of an exchange is worthless. Here the side to move may *stand pat*,
//! that is, take the evaluation as it is, or try a move that changes the material. In check it may not
//! stand pat and tries every move, so a mate at the edge of the tree is seen. At the very edge safe checks are
//! tried too, but not deeper, where they would never end.

use super::history::Killers;
use super::iterative_deepening::{Node, Search};
use super::move_picker::MovePicker;
use super::parameters;
use super::pv::Pv;
use super::see;
use super::stop::Stopped;
use super::window::{Bound, Window};
use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// Whether quiet moves that give check and lose no material are tried too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Checks {
    Include,
    Exclude,
}

impl Search<'_> {
    /// The value of the position once it is quiet, from the view of the side to move. Fills `line` with the
    /// moves up to there.
    pub(super) fn quiescence(
        &mut self,
        window: Window,
        ply: usize,
        checks: Checks,
        line: &mut Pv,
    ) -> Result<Score, Stopped> {
        line.clear();
        if let Some(score) = self.end_of_line(ply) {
            return Ok(score);
        }
        // The depth of what is found here, in the table, is less than any node's.
        let mut node = Node {
            window,
            depth: 0,
            ply,
            is_cut: false,
        };
        let key = self.game.key();
        let known = self.table.probe(key);
        if !node.is_pv()
            && let Some(score) = self.table_score(known, node)
        {
            return Ok(score);
        }

        let checkers = self.stack[ply].checkers;
        let evaluation = self.judge(known, ply);
        let mut best = Score::mated_in(ply);
        if let Some(evaluation) = evaluation {
            best = evaluation;
            if best >= window.beta() {
                return Ok(best);
            }
            node.window = window.raised_to(best.max(window.alpha()));
        }

        let masks = LegalMasks::with_checkers(self.game.position(), checkers);
        let table_move = self.table_move(known, &masks);
        let mut picker = if checkers.any() {
            self.note_threats(ply);
            MovePicker::all(masks, table_move, Killers::default())
        } else {
            let tactical = MovePicker::tactical(masks, table_move, !self.is_selective);
            match checks {
                Checks::Include if self.is_selective => tactical.with_checks(),
                _ => tactical,
            }
        };
        let context = self.stack[ply].context;

        let mut best_move = None;
        let mut reply = Pv::new();
        while let Some(m) = picker.next(self.game.position(), self.history, &context) {
            if let Some(evaluation) = evaluation
                && self.is_selective
                && let Some(hope) = self.hope(m, evaluation, node.window)
            {
                best = best.max(hope);
                continue;
            }
            self.play(m, ply)?;
            let score =
                -self.quiescence(node.window.flipped(), ply + 1, Checks::Exclude, &mut reply)?;
            self.game.unmake_move();
            if self.is_selective && checkers.any() && !score.is_mate() {
                // Once an evasion holds, only captures may be better.
                picker.skip_quiet();
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > node.window.alpha() {
                best_move = Some(m);
                if node.is_pv() {
                    line.set(m, &reply);
                }
                if score >= window.beta() {
                    break;
                }
                node.window = node.window.raised_to(score);
            }
        }

        let bound = match window.bound_of(best) {
            Bound::Lower => Bound::Lower,
            // The moves that were left out may be better than they look.
            Bound::Exact | Bound::Upper => Bound::Upper,
        };
        self.store(ply, 0, best, bound, best_move);
        Ok(best)
    }

    /// What can be hoped for from a capture that won't lift the score above alpha even if all goes well: the
    /// most that it brings. None if it may.
    fn hope(&self, m: PackedMove, evaluation: Score, window: Window) -> Option<Score> {
        if m.promotion().is_some() || !m.is_tactical() {
            return None;
        }
        let alpha = window.alpha();
        let base = evaluation + parameters::QUIESCENCE_MARGIN.get();
        let with_victim = base + see::value_taken(m);
        if with_victim <= alpha {
            return Some(with_victim);
        }
        let loses_it_again = || !see::see_ge(self.game.position(), m, 1);
        (base <= alpha && loses_it_again()).then_some(base)
    }
}
