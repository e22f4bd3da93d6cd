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
