//! What a node learns from its moves: for move ordering, for the static evaluation, and for the transposition
//! table.

use arrayvec::ArrayVec;

use super::history;
use super::node::Node;
use super::thread::Thread;
use super::transposition_table::Entry;
use super::window::Bound;
use crate::position::packed_move::{CompactMove, PackedMove};
use crate::score::Score;

/// A cut-off that exceeds beta by more than this many centipawns earns the bonus of a ply more.
const CLEAR_CUTOFF_MARGIN: i32 = 60;

/// The depth that decides the history bonus of a cut-off `surplus` centipawns above beta: a clear one teaches
/// more.
fn bonus_depth(depth: i32, surplus: i32) -> i32 {
    depth + i32::from(surplus > CLEAR_CUTOFF_MARGIN)
}

/// The moves of a node that were searched without a cut-off, so that a later cut-off can count against them. Moves
/// beyond the capacity of the lists are so poor that their history says so already.
#[derive(Debug, Default)]
pub(super) struct SearchedMoves {
    quiets: ArrayVec<PackedMove, 64>,
    captures: ArrayVec<PackedMove, 32>,
    count: i32,
}

impl SearchedMoves {
    /// The number of moves, pruned ones included.
    pub(super) fn count(&self) -> i32 {
        self.count
    }

    /// A move was searched and did not cut the node off.
    pub(super) fn add(&mut self, m: PackedMove) {
        self.count += 1;
        let _ = if m.is_tactical() {
            self.captures.try_push(m)
        } else {
            self.quiets.try_push(m)
        };
    }

    /// A move was pruned.
    pub(super) fn skip(&mut self) {
        self.count += 1;
    }
}

impl Thread<'_> {
    /// Rewards the move that cut the node off by `surplus` centipawns above beta, and counts the cut-off against the
    /// moves searched before it.
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

    /// Stores the result of a node in the transposition table and, where it says something of the static evaluation,
    /// in the correction history. `node.window` is the window that the node was searched with.
    pub(super) fn store_node(&mut self, node: Node, score: Score, best: Option<PackedMove>) {
        let bound = node.window.bound_of(score);
        self.update_correction_history(node, score, bound, best);
        self.store_tt(node, score, bound, best);
    }

    /// Learns how far the static evaluation was off. Nothing is learned in check, from mates, from bounds that the
    /// evaluation doesn't contradict, and where a capture changes the material anyway.
    fn update_correction_history(
        &mut self,
        node: Node,
        score: Score,
        bound: Bound,
        best: Option<PackedMove>,
    ) {
        if let Some(static_eval) = self.stack[node.ply].static_eval
            && !best.is_some_and(PackedMove::is_tactical)
            && !score.is_mate()
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
            depth: node.depth.clamp(0, 255) as u8,
            bound,
        };
        self.tt.store(self.game.key(), entry);
    }
}
