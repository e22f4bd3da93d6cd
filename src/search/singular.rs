//! Whether the table's move is the only good one. A move beside which all others fall short is worth a closer
//! look, since all depends on it; and if even without it the node would be cut off, the node is done.

use super::iterative_deepening::{Node, Search};
use super::pruning;
use super::pv::Pv;
use super::stop::Stopped;
use super::transposition_table::Entry;
use super::window::{Bound, Window};
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// What comes of it.
pub(super) enum Singularity {
    /// The move is extended by so many plies; a negative number is a reduction.
    Extend(i32),
    /// The node is cut off with this score.
    Cut(Score),
}

impl Search<'_> {
    /// Searches the node without the table's move, less deeply, and compares.
    pub(super) fn singularity(
        &mut self,
        m: PackedMove,
        known: Option<Entry>,
        node: Node,
    ) -> Result<Singularity, Stopped> {
        let Node {
            window, depth, ply, ..
        } = node;
        let none = Ok(Singularity::Extend(0));
        let Some(entry) = known.filter(|entry| entry.bound != Bound::Upper) else {
            return none;
        };
        let Some(margin) = pruning::singular_margin(depth, i32::from(entry.depth)) else {
            return none;
        };
        let score = entry.score.seen_from_root(ply);
        // Lines that are extended again and again would outgrow the tree.
        if score.is_mate() || ply >= 2 * self.iteration() {
            return none;
        }
        let bound = score - margin;
        self.stack[ply].excluded = Some(m);
        let without = Node {
            window: Window::below(bound),
            depth: pruning::singular_depth(depth),
            ..node
        };
        let best_other = self.negamax(without, &mut Pv::new());
        self.stack[ply].excluded = None;
        let best_other = best_other?;

        let doubled = self.stack[ply].double_extensions;
        let plies = if best_other < bound {
            pruning::singular_extension(bound - best_other, doubled)
        } else if best_other >= window.beta() && !best_other.is_mate() {
            return Ok(Singularity::Cut(best_other));
        } else if score >= window.beta() {
            -2
        } else if node.is_cut {
            -1
        } else {
            0
        };
        Ok(Singularity::Extend(plies))
    }
}
