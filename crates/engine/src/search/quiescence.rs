//! Quiescence search: at the leaves of the tree captures and promotions are searched until the
//! position is quiet.
//!
//! A static evaluation in the middle of an exchange means nothing. The side to move can *stand
//! pat*, that is, accept the evaluation as it is, or make a move that changes the material. In
//! check it can't stand pat: evasions are searched until one doesn't lose for certain, and after
//! that only captures, so mates at the leaves are found. [`super::rules::quiescence_pruning`]
//! decides which moves are searched.

use super::node::{Node, QuietChecks, best_estimate};
use super::pv::Pv;
use super::stop::Stopped;
use super::window::{Bound, Window};
use super::worker::Worker;
use crate::score::Score;

impl Worker<'_> {
    /// The score of the position once it is quiet, from the point of view of the side to move.
    /// Fills `pv` with the moves up to there.
    pub(super) fn quiescence(
        &mut self,
        window: Window,
        ply: usize,
        checks: QuietChecks,
        pv: &mut Pv,
    ) -> Result<Score, Stopped> {
        pv.clear();
        self.tree.count_quiescence_node();
        if let Some(score) = self.draw_or_ply_limit(ply) {
            return Ok(score);
        }
        // The transposition table stores the result with depth 0, below that of any other node.
        let mut node = Node {
            window,
            depth: 0,
            ply,
            cut_node: false,
        };
        let rules = self.rules_for(node);
        let (static_eval, tt_entry) = self.evaluate_and_probe(ply, rules);
        if let Some(score) = self.tt_cutoff(tt_entry, node, rules) {
            return Ok(score);
        }

        let stand_pat = static_eval.map(|static_eval| best_estimate(static_eval, tt_entry, rules));
        let mut best = Score::mated_in(ply);
        if let Some(stand_pat) = stand_pat {
            best = stand_pat;
            if best >= window.beta() {
                return Ok(best);
            }
            node.window = window.raised_to(best.max(window.alpha()));
        }

        let prunable_eval = stand_pat.filter(|_| rules.quiescence_pruning);
        let mut picker = self.quiescence_moves(tt_entry, ply, checks, rules);
        let context = self.stack[ply].context;
        let mut best_move = None;
        let mut child_pv = Pv::new();
        let mut searched = 0;
        while let Some(m) = picker.next(self.game.position(), self.history, &context) {
            if let Some(most) = self.capture_futility_pruning(m, prunable_eval, node.window) {
                best = best.max(most);
                continue;
            }
            let is_late =
                rules.quiescence_pruning && self.late_capture_pruning(m, searched, best, ply);
            if is_late || self.overlooks(m, ply) {
                continue;
            }
            searched += 1;
            self.make_move(m, ply)?;
            let child_window = node.window.flipped();
            let score =
                -self.quiescence(child_window, ply + 1, QuietChecks::Exclude, &mut child_pv)?;
            self.unmake_move();
            if rules.quiescence_pruning && self.evasion_suffices(score, ply) {
                picker.skip_quiets();
            }
            if score <= best {
                continue;
            }
            best = score;
            if score > node.window.alpha() {
                best_move = Some(m);
                if node.is_pv() {
                    pv.set(m, &child_pv);
                }
                if score >= window.beta() {
                    break;
                }
                node.window = node.window.raised_to(score);
            }
        }

        let bound = match window.bound_of(best) {
            Bound::Lower => Bound::Lower,
            // Moves were left out, so the score must not pass for exact (as in Stockfish).
            Bound::Exact | Bound::Upper => Bound::Upper,
        };
        self.store_tt(node, best, bound, best_move);
        Ok(best)
    }
}
