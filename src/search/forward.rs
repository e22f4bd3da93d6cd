//! What may end a node before its moves are tried: an evaluation so far outside the window that a closer look
//! would hardly change the answer (*forward pruning*).

use super::history::PieceTo;
use super::iterative_deepening::{Node, Search};
use super::move_picker::MovePicker;
use super::pruning;
use super::pv::Pv;
use super::quiescence::Checks;
use super::see;
use super::stop::Stopped;
use super::transposition_table::Entry;
use super::window::Window;
use crate::position::movegen::{LegalMasks, has_mobility};
use crate::score::Score;

impl Search<'_> {
    /// What the position is worth before looking ahead; none in check. The static evaluation, corrected, is
    /// noted for the plies to come. Where the table knows better, the table's score is given.
    pub(super) fn judge(&mut self, known: Option<Entry>, ply: usize) -> Option<Score> {
        if self.stack[ply].checkers.any() {
            self.stack[ply].evaluation = None;
            return None;
        }
        let mut evaluation = self.game.evaluation();
        if self.is_selective {
            let correction = self.corrections.of(&self.traits(ply));
            evaluation = Score::centipawns(evaluation.value() + correction);
        }
        self.stack[ply].evaluation = Some(evaluation);
        let by_table = known.filter(|entry| {
            !entry.score.is_mate() && entry.bound.tells_more(entry.score, evaluation)
        });
        Some(by_table.map_or(evaluation, |entry| entry.score))
    }

    /// Whether the side to move stands better than when it moved before.
    pub(super) fn is_improving(&self, ply: usize) -> bool {
        let before = |plies: usize| {
            let ply = ply.checked_sub(plies)?;
            self.stack[ply].evaluation
        };
        match (before(0), before(2).or(before(4))) {
            (Some(now), Some(then)) => now > then,
            _ => false,
        }
    }

    /// A score for the node if one can be given without trying its moves, apart from some captures.
    pub(super) fn cut_forward(
        &mut self,
        node: Node,
        known: Option<Entry>,
        evaluation: Score,
    ) -> Result<Option<Score>, Stopped> {
        let Node {
            window, depth, ply, ..
        } = node;
        let beta = window.beta();
        if let Some(margin) = pruning::razoring_margin(depth)
            && evaluation + margin <= window.alpha()
        {
            let score = self.quiescence(window, ply, Checks::Exclude, &mut Pv::new())?;
            if score <= window.alpha() {
                return Ok(Some(score));
            }
        }
        if beta.is_mate() {
            return Ok(None);
        }
        if let Some(margin) = pruning::reverse_futility_margin(depth, self.is_improving(ply))
            && evaluation - margin >= beta
            && !self.knows_quiet_move(known)
        {
            return Ok(Some(evaluation));
        }
        if let Some(score) = self.null_move(node, evaluation - beta)? {
            return Ok(Some(score));
        }
        self.prob_cut(node)
    }

    /// Whether the table knows a quiet move for the position: then there was something to find in it, which no
    /// margin foretold.
    fn knows_quiet_move(&self, known: Option<Entry>) -> bool {
        let best = known.and_then(|entry| entry.best);
        best.and_then(|best| best.expand(self.game.position()))
            .is_some_and(|m| !m.is_tactical())
    }

    /// A score of at least beta, if the side to move, evaluated `surplus` above beta, holds it even after
    /// passing. Passing is the worst move there is, except in zugzwang; so not where the pieces can hardly move,
    /// and never twice in a row.
    fn null_move(&mut self, node: Node, surplus: i32) -> Result<Option<Score>, Stopped> {
        let Node { depth, ply, .. } = node;
        let passed_before = self.stack[ply - 1].moved == PieceTo::NONE;
        let least = pruning::NULL_MOVE_MOBILITY_MINIMUM;
        if surplus < 0 || passed_before || !has_mobility(self.game.position(), least) {
            return Ok(None);
        }
        let Some(reduction) = pruning::null_move_reduction(depth, surplus) else {
            return Ok(None);
        };
        self.make_null_move(ply);
        let beta = node.window.beta();
        let child = Node {
            window: Window::below(beta).flipped(),
            depth: depth - 1 - reduction,
            ply: ply + 1,
            is_cut: !node.is_cut,
        };
        let score = -self.negamax(child, &mut Pv::new())?;
        self.game.unmake_move();
        // A mate that follows a pass is not a proven one.
        let proven = if score.is_mate() { beta } else { score };
        Ok((score >= beta).then_some(proven))
    }

    /// A score of at least beta, if a capture exceeds it by a margin, first when all captures are played
    /// out and then in a search less deep.
    fn prob_cut(&mut self, node: Node) -> Result<Option<Score>, Stopped> {
        let Node { depth, ply, .. } = node;
        let Some(margin) = pruning::prob_cut_margin(depth) else {
            return Ok(None);
        };
        let target = node.window.beta() + margin;
        let wanted = target - self.game.evaluation();
        let masks = LegalMasks::with_checkers(self.game.position(), self.stack[ply].checkers);
        let mut picker = MovePicker::tactical(masks, None, false);
        let context = self.stack[ply].context;
        let child = Node {
            window: Window::below(target).flipped(),
            depth: depth - pruning::PROB_CUT_REDUCTION,
            ply: ply + 1,
            is_cut: !node.is_cut,
        };
        while let Some(m) = picker.next(self.game.position(), self.history, &context) {
            if !see::see_ge(self.game.position(), m, wanted) {
                continue;
            }
            self.play(m, ply)?;
            let mut score =
                -self.quiescence(child.window, ply + 1, Checks::Exclude, &mut Pv::new())?;
            if score >= target {
                score = -self.negamax(child, &mut Pv::new())?;
            }
            self.game.unmake_move();
            if score >= target && !score.is_mate() {
                return Ok(Some(score - margin));
            }
        }
        Ok(None)
    }
}
