//! Quiescence search: at the leaves of the tree captures and promotions are searched until the position is quiet.
//!
//! A static evaluation in the middle of an exchange means nothing. So the side to move can *stand pat*, that
//! is, take the evaluation as it is, or make a move that changes the material. In check it can't stand pat and
//! every move is searched, so mates at the leaves are found. Quiet checks that lose no material are searched
//! too, but only at the first ply, or they would never end.

use super::history::Killers;
use super::move_picker::MovePicker;
use super::node::{Node, QuietChecks, best_estimate};
use super::pv::Pv;
use super::see::{captured_value, see_ge};
use super::stop::Stopped;
use super::thread::Thread;
use super::transposition_table::Entry;
use super::tunable::parameters;
use super::window::{Bound, Window};
use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

parameters! {
    /// Futility pruning: what a capture can be expected to gain beyond its victim, in centipawns.
    QS_FUTILITY_MARGIN = 162, 60 to 400;
}

impl Thread<'_> {
    /// The score of the position once it is quiet, from the point of view of the side to move. Fills `pv` with the
    /// moves up to there.
    pub(super) fn quiescence(
        &mut self,
        window: Window,
        ply: usize,
        checks: QuietChecks,
        pv: &mut Pv,
    ) -> Result<Score, Stopped> {
        pv.clear();
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
        // Before the entry is read, as in the main search.
        let static_eval = self.static_evaluation(ply);
        let tt_entry = self.tt.probe(self.game.key());
        if !node.is_pv()
            && let Some(score) = self.tt_cutoff(tt_entry, node)
        {
            return Ok(score);
        }

        let in_check = self.stack[ply].checkers.any();
        // Alpha-beta alone must find the same score with and without a table, so it takes none of a deeper search.
        let usable_entry = tt_entry.filter(|_| self.selective);
        let eval = static_eval.map(|static_eval| best_estimate(static_eval, usable_entry));
        let mut best = Score::mated_in(ply);
        if let Some(stand_pat) = eval {
            best = stand_pat;
            if best >= window.beta() {
                return Ok(best);
            }
            node.window = window.raised_to(best.max(window.alpha()));
        }

        let mut picker = self.quiescence_moves(tt_entry, ply, checks);
        let context = self.stack[ply].context;
        let mut best_move = None;
        let mut child_pv = Pv::new();
        while let Some(m) = picker.next(self.game.position(), self.history, &context) {
            if let Some(stand_pat) = eval
                && self.selective
                && let Some(futility_value) =
                    self.capture_futility_pruning(m, stand_pat, node.window)
            {
                best = best.max(futility_value);
                continue;
            }
            if self.overlooks(m, ply) {
                continue;
            }
            self.make_move(m, ply)?;
            let child_window = node.window.flipped();
            let score =
                -self.quiescence(child_window, ply + 1, QuietChecks::Exclude, &mut child_pv)?;
            self.unmake_move();
            if self.selective && in_check && !score.is_decisive() {
                // After one evasion that doesn't lose for certain only captures are searched.
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
            // A move that was not searched can be better than the best one.
            Bound::Exact | Bound::Upper => Bound::Upper,
        };
        self.store_tt(node, best, bound, best_move);
        Ok(best)
    }

    /// The moves to search: all in check, else captures and promotions, and quiet checks if they are included.
    fn quiescence_moves(
        &mut self,
        tt_entry: Option<Entry>,
        ply: usize,
        checks: QuietChecks,
    ) -> MovePicker {
        let checkers = self.stack[ply].checkers;
        let position = self.game.position();
        let masks = LegalMasks::with_checkers(position, checkers);
        let tt_move = tt_entry
            .and_then(|entry| entry.best?.expand(position))
            .filter(|m| masks.is_legal(position, *m));
        if checkers.any() {
            self.store_threats(ply);
            return MovePicker::all(masks, tt_move, Killers::default());
        }
        let captures = MovePicker::captures(masks, tt_move, !self.selective);
        match checks {
            QuietChecks::Include if self.selective => captures.with_quiet_checks(),
            _ => captures,
        }
    }

    /// Futility pruning of captures (*delta pruning*): a capture is skipped if the evaluation plus victim plus
    /// margin doesn't exceed alpha, or the evaluation plus margin where the capture wins no material by static
    /// exchange evaluation. Returns the futility value, the most that the capture can be expected to score.
    fn capture_futility_pruning(
        &self,
        m: PackedMove,
        stand_pat: Score,
        window: Window,
    ) -> Option<Score> {
        if m.promotion().is_some() || !m.is_tactical() {
            return None;
        }
        let alpha = window.alpha();
        let base = stand_pat + QS_FUTILITY_MARGIN.get();
        let with_victim = base + captured_value(m);
        if with_victim <= alpha {
            return Some(with_victim);
        }
        let wins_no_material = || !see_ge(self.game.position(), m, 1);
        (base <= alpha && wins_no_material()).then_some(base)
    }
}
