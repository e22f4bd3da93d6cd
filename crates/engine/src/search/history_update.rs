//! What a node learns from the search of its moves: updates of the move ordering histories, the
//! killer moves, the correction history and the transposition table.
//!
//! A beta cutoff rewards the move that caused it and penalizes the captures searched before it and,
//! if it is quiet, the quiet moves.

use super::history::{self, Killers};
use super::node::Node;
use super::searched_moves::SearchedMoves;
use super::transposition_table::{Entry, MAX_DEPTH};
use super::window::Bound;
use super::worker::Worker;
use crate::position::packed_move::{CompactMove, PackedMove};
use crate::score::Score;

/// A cutoff that exceeds beta by more than this many centipawns earns the bonus of one more ply.
const CLEAR_CUTOFF_MARGIN: i32 = 60;

/// The depth that decides the history bonus of a cutoff `surplus` centipawns above beta: a clear
/// cutoff earns more.
fn bonus_depth(depth: i32, surplus: i32) -> i32 {
    depth + i32::from(surplus > CLEAR_CUTOFF_MARGIN)
}

impl Worker<'_> {
    /// Forgets the killer moves of the children of the node at `ply`. They are kept from one child
    /// to the next, but not from one node to the next.
    #[inline]
    pub(super) fn reset_killers_of_children(&mut self, ply: usize) {
        self.stack[ply + 1].killers = Killers::default();
    }

    /// Updates the histories after a beta cutoff: a bonus for the move that exceeded beta by
    /// `surplus` centipawns, a malus for the captures searched before it and, if it is quiet, for
    /// the quiet moves too.
    pub(super) fn update_histories(
        &mut self,
        best: PackedMove,
        searched: &SearchedMoves,
        node: Node,
        surplus: i32,
    ) {
        let bonus = history::bonus(bonus_depth(node.depth, surplus));
        let context = self.stack[node.ply].context;
        if best.is_tactical() {
            self.history.update_capture(context.turn, best, bonus);
        } else {
            self.stack[node.ply].killers.add(best);
            self.history.update_quiet(&context, best, bonus);
            for m in &searched.quiets {
                self.history.update_quiet(&context, *m, -bonus);
            }
        }
        for m in &searched.captures {
            self.history.update_capture(context.turn, *m, -bonus);
        }
    }

    /// Stores the result of a node in the transposition table and, where it shows an error of the
    /// static evaluation, in the correction history. `node.window` is the window that the node was
    /// searched with.
    pub(super) fn store_node(&mut self, node: Node, score: Score, best: Option<PackedMove>) {
        let bound = node.window.bound_of(score);
        self.update_correction_history(node, score, bound, best);
        self.store_tt(node, score, bound, best);
    }

    /// Updates the correction history by the error of the static evaluation. It learns nothing in
    /// check, from decisive scores, from bounds that agree with the evaluation, or if the best move
    /// is a capture, which changes the material anyway.
    fn update_correction_history(
        &mut self,
        node: Node,
        score: Score,
        bound: Bound,
        best: Option<PackedMove>,
    ) {
        if let Some(static_eval) = self.stack[node.ply].static_eval
            && !best.is_some_and(PackedMove::is_tactical)
            && !score.is_decisive()
            && bound.improves_on(score, static_eval)
        {
            let keys = self.correction_keys(node.ply);
            self.correction_history
                .update(&keys, node.depth, static_eval, score);
        }
    }

    /// Stores the result of a node in the transposition table.
    pub(super) fn store_tt(
        &self,
        node: Node,
        score: Score,
        bound: Bound,
        best: Option<PackedMove>,
    ) {
        let entry = Entry {
            best: best.map(CompactMove::from),
            score: score.to_tt(node.ply),
            depth: node.depth.clamp(0, MAX_DEPTH.into()) as u8,
            bound,
        };
        self.tt.store(self.game.key(), entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::worker::test_support::{legal_move, with_thread, zero_window_node};

    /// White can take either of two pawns.
    const TWO_CAPTURES: &str = "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1";

    #[test]
    fn a_cutoff_rewards_its_move_and_blames_those_before_it() {
        for (best, is_quiet) in [("e4e5", true), ("e4f5", false)] {
            with_thread(TWO_CAPTURES, |thread| {
                let [best, quiet, capture] =
                    [best, "e1d2", "e4d5"].map(|name| legal_move(thread, name));
                let mut searched = SearchedMoves::none(Score::mated_in(1));
                searched.add(quiet);
                searched.add(capture);
                thread.store_threats(1);
                thread.update_histories(best, &searched, zero_window_node(Score::DRAW, 6), 0);
                let context = thread.stack[1].context;
                let history = |m| thread.history.of_move(m, &context);
                assert!(history(best) > 0 && history(capture) < 0, "{is_quiet}");
                // A capture says nothing against quiet moves.
                assert_eq!(history(quiet) < 0, is_quiet);
                assert_eq!(thread.stack[1].killers.contains(best), is_quiet);
            });
        }
    }

    #[test]
    fn a_clear_cutoff_is_worth_a_ply_more() {
        assert_eq!(bonus_depth(6, CLEAR_CUTOFF_MARGIN), 6);
        assert_eq!(bonus_depth(6, CLEAR_CUTOFF_MARGIN + 1), 7);
    }

    #[test]
    fn only_quiet_scores_that_contradict_the_evaluation_correct_it() {
        let corrects = |static_eval: Option<i32>, score: Score, best: Option<&str>| {
            with_thread(TWO_CAPTURES, |thread| {
                thread.stack[1].static_eval = static_eval.map(Score::centipawns);
                let best = best.map(|name| legal_move(thread, name));
                thread.store_node(zero_window_node(Score::DRAW, 8), score, best);
                let keys = thread.correction_keys(1);
                thread.correction_history.correction(&keys) != 0
            })
        };
        let high = Score::centipawns(300);
        assert!(corrects(Some(0), high, Some("e4e5")));
        assert!(corrects(Some(0), -high, None));
        assert!(!corrects(None, high, Some("e4e5")), "in check");
        assert!(!corrects(Some(0), high, Some("e4d5")), "a capture");
        assert!(
            !corrects(Some(0), Score::mate_in(5), Some("e4e5")),
            "a mate"
        );
        // What is a lower bound doesn't contradict a higher evaluation.
        assert!(!corrects(Some(400), high, Some("e4e5")));
        assert!(!corrects(Some(-400), -high, None));
    }
}
