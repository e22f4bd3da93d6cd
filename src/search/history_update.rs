//! What a node learns from its moves, for itself and for nodes like it.

use arrayvec::ArrayVec;

use super::correction_history::CorrectionKeys;
use super::history::{self, HistoryContext};
use super::iterative_deepening::{Node, Search};
use super::transposition_table::Entry;
use super::window::Bound;
use crate::position::packed_move::{CompactMove, PackedMove};
use crate::score::Score;

/// The moves that a node tried in vain, so that a later cut-off can hold it against them. The lists are
/// long enough: past their ends the moves are so poor that their history says it already.
#[derive(Debug, Default)]
pub(super) struct SearchedMoves {
    quiet: ArrayVec<PackedMove, 64>,
    tactical: ArrayVec<PackedMove, 32>,
    count: i32,
}

impl SearchedMoves {
    /// How many moves there were, those included that were passed over.
    pub(super) fn count(&self) -> i32 {
        self.count
    }

    /// A move did not cut the node off.
    pub(super) fn add(&mut self, m: PackedMove) {
        self.count += 1;
        let _ = if m.is_tactical() {
            self.tactical.try_push(m)
        } else {
            self.quiet.try_push(m)
        };
    }

    /// A move was passed over.
    pub(super) fn skip(&mut self) {
        self.count += 1;
    }
}

impl Search<'_> {
    /// A move cut the node off; those tried before it did not.
    pub(super) fn reward(&mut self, best: PackedMove, tried: &SearchedMoves, node: Node) {
        let bonus = history::bonus(node.depth);
        let context = self.stack[node.ply].context;
        if best.is_tactical() {
            self.history.update_capture(context.turn, best, bonus);
        } else {
            self.stack[node.ply].killers.add(best);
            self.history.update_quiet(&context, best, bonus);
            for m in &tried.quiet {
                self.history.update_quiet(&context, *m, -bonus);
            }
        }
        for m in &tried.tactical {
            self.history.update_capture(context.turn, *m, -bonus);
        }
    }

    /// Keeps what a node was found to be worth: in the table, and, where it says something of the static
    /// evaluation, in the corrections.
    pub(super) fn remember(&mut self, node: Node, score: Score, best: Option<PackedMove>) {
        let Node { depth, ply, .. } = node;
        let bound = node.window.bound_of(score);
        if let Some(evaluation) = self.stack[ply].evaluation
            && !best.is_some_and(PackedMove::is_tactical)
            && !score.is_mate()
            && bound.tells_more(score, evaluation)
        {
            let traits = self.traits(ply);
            self.corrections.learn(&traits, depth, evaluation, score);
        }
        self.store(ply, depth, score, bound, best);
    }

    /// Keeps what a node was found to be worth in the table.
    pub(super) fn store(
        &self,
        ply: usize,
        depth: i32,
        score: Score,
        bound: Bound,
        best: Option<PackedMove>,
    ) {
        let entry = Entry {
            best: best.map(CompactMove::from),
            score: score.seen_from_node(ply),
            depth: depth.clamp(0, 255) as u8,
            bound,
        };
        self.table.store(self.game.key(), entry);
    }

    /// What the node is like, for the corrections.
    pub(super) fn traits(&self, ply: usize) -> CorrectionKeys {
        let HistoryContext { turn, before, .. } = self.stack[ply].context;
        let [last, before, _] = before;
        CorrectionKeys {
            turn,
            keys: self.game.keys(),
            before: [last, before],
        }
    }
}
