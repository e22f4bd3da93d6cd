//! Extensions: nodes in check at the end of their depth, and moves that are much better than all
//! others, are searched to more depth.
//!
//! *Check extension*: a node in check is searched a ply deeper in place of a quiescence search,
//! which looks at no more than a few evasions. Its condition is in `Worker::rules_for`, and
//! `Worker::negamax` adds the ply. *Singular extensions*: the search that finds a singular move
//! also decides double and negative extensions and the multi-cut.

use crate::position::packed_move::PackedMove;
use crate::score::Score;
use crate::search::node::{Node, NodeInfo};
use crate::search::pv::Pv;
use crate::search::stop::Stopped;
use crate::search::tunable::parameters;
use crate::search::window::{Bound, Window};
use crate::search::worker::Worker;

parameters! {
    /// Singular extensions: the minimum depth, in plies.
    SINGULAR_MIN_DEPTH = 6, 5 to 10;
    /// Singular extensions: how far all other moves must fall short, in sixteenths of a centipawn
    /// for each ply of depth.
    SINGULAR_MARGIN = 36, 8 to 80;
    /// Double extensions: how much further they must fall short, in centipawns.
    DOUBLE_EXTENSION_MARGIN = 23, 5 to 60;
}

/// The unit of [`SINGULAR_MARGIN`]: sixteenths of a centipawn.
const SINGULAR_MARGIN_DIVISOR: i32 = 16;
/// Singular extensions: the transposition table entry can be this many plies shallower than the
/// node.
const SINGULAR_TT_DEPTH_MARGIN: i32 = 3;
/// Negative extensions: the reduction, in plies, where the move of the table alone is expected to
/// fail high, and the node with it (as in Stockfish).
const NEGATIVE_EXTENSION_ABOVE_BETA: i32 = -2;
/// Negative extensions: the reduction, in plies, at other expected cut nodes (as in Stockfish).
const NEGATIVE_EXTENSION_CUT_NODE: i32 = -1;
/// Double extensions: the maximum number in one line.
const DOUBLE_EXTENSION_LIMIT: u8 = 8;

/// Singular extensions: how far all other moves must fall short of the score in the transposition
/// table, in centipawns; `None` if the node or the entry is too shallow.
fn singular_margin(depth: i32, tt_depth: i32) -> Option<i32> {
    let applies = depth >= SINGULAR_MIN_DEPTH.get() && tt_depth >= depth - SINGULAR_TT_DEPTH_MARGIN;
    applies.then_some(SINGULAR_MARGIN.get() * depth / SINGULAR_MARGIN_DIVISOR)
}

/// The extension of a singular move, in plies, if all others fall short of it by `shortfall`
/// centipawns more than the margin: one, or two if that is a lot and the line doesn't have too many
/// double extensions yet.
fn singular_plies(shortfall: i32, double_extensions: u8) -> i32 {
    let is_double =
        shortfall > DOUBLE_EXTENSION_MARGIN.get() && double_extensions < DOUBLE_EXTENSION_LIMIT;
    1 + i32::from(is_double)
}

/// The outcome of a singular search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum SingularOutcome {
    /// The extension of the move in plies; a negative number is a reduction.
    Extend(i32),
    /// Multi-cut: even without the move the node fails high with this score.
    MultiCut(Score),
}

impl Worker<'_> {
    /// Counts a double extension for the line through the move that was just made.
    #[inline]
    pub(in crate::search) fn count_double_extension(&mut self, child_ply: usize, extension: i32) {
        self.stack[child_ply].double_extensions += u8::from(extension > 1);
    }

    /// Singular extensions: the move of the transposition table is extended if all other moves fall
    /// short of its score by a margin, in a search of reduced depth that leaves it out
    /// (Anantharaman, Campbell and Hsu, *Singular extensions: adding selectivity to brute-force
    /// searching*, 1990; with the transposition table as in Stockfish).
    ///
    /// The same search decides three more rules. *Double extension*: two plies if the others fall
    /// far short. *Multi-cut*: the node is cut off if it fails high even without the move.
    /// *Negative extension*: a move that is not singular is reduced where a cutoff is expected
    /// anyway.
    pub(in crate::search) fn singular_extension(
        &mut self,
        node: Node,
        info: &NodeInfo,
        m: PackedMove,
    ) -> Result<SingularOutcome, Stopped> {
        let Node {
            window, depth, ply, ..
        } = node;
        let no_extension = Ok(SingularOutcome::Extend(0));
        if !info.rules.singular_extension || info.tt_move != Some(m) {
            return no_extension;
        }
        let Some(entry) = info.tt_entry.filter(|entry| entry.bound != Bound::Upper) else {
            return no_extension;
        };
        let Some(margin) = singular_margin(depth, i32::from(entry.depth)) else {
            return no_extension;
        };
        let tt_score = entry.score.from_tt(ply);
        // A limit on the ply keeps repeated extensions from exploding.
        if tt_score.is_decisive() || ply >= 2 * self.root_depth as usize {
            return no_extension;
        }
        let singular_beta = tt_score - margin;
        let without_tt_move = Node {
            window: Window::below(singular_beta),
            depth: (depth - 1) / 2,
            ..node
        };
        self.stack[ply].excluded = Some(m);
        let best_other = self.negamax(without_tt_move, &mut Pv::new());
        self.stack[ply].excluded = None;
        let best_other = best_other?;

        let plies = if best_other < singular_beta {
            singular_plies(
                singular_beta - best_other,
                self.stack[ply].double_extensions,
            )
        } else if best_other >= window.beta() && !best_other.is_decisive() {
            return Ok(SingularOutcome::MultiCut(best_other));
        } else if tt_score >= window.beta() {
            NEGATIVE_EXTENSION_ABOVE_BETA
        } else if node.cut_node {
            NEGATIVE_EXTENSION_CUT_NODE
        } else {
            0
        };
        Ok(SingularOutcome::Extend(plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::rules::test_support::{
        after, depth_after, entry, evaluation, search, store, store_move, stored_depth,
    };
    use crate::search::worker::test_support::{with_thread, zero_window_node};

    #[test]
    fn a_node_in_check_at_the_end_of_its_depth_is_searched_a_ply() {
        for (selective, depth, searched) in [(true, 0, 1), (false, 0, 0), (true, 3, 3)] {
            with_thread("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", |thread| {
                thread.selective = selective;
                search(thread, zero_window_node(Score::DRAW, depth));
                assert_eq!(stored_depth(thread), Some(searched));
            });
        }
    }

    /// A node whose move Kb1 has an entry of the transposition table that is shallower than the
    /// node, so that it can be singular. Its only other move, h3, has an entry so deep that every
    /// search returns its score. All scores are relative to the static evaluation.
    #[derive(Clone, Copy)]
    struct SingularNode {
        depth: i32,
        /// The entry of Kb1.
        tt_score: i32,
        tt_depth: u8,
        tt_bound: Bound,
        /// The score of the other move.
        other_score: i32,
        other_depth: u8,
        other_bound: Bound,
        alpha: i32,
        cut_node: bool,
        /// The number of double extensions on the line before.
        double_extensions: u8,
        root_depth: u32,
    }

    /// The other move is as good as Kb1, so nothing is extended.
    const NOT_SINGULAR: SingularNode = SingularNode {
        depth: 8,
        tt_score: 0,
        tt_depth: 6,
        tt_bound: Bound::Lower,
        other_score: 0,
        other_depth: 20,
        other_bound: Bound::Exact,
        alpha: 30,
        cut_node: false,
        double_extensions: 0,
        root_depth: 10,
    };

    impl SingularNode {
        /// Searches the node; returns its score and what `visit` sees afterwards.
        fn search<R>(self, visit: impl FnOnce(&mut Worker) -> R) -> (i32, R) {
            with_thread("7k/8/8/8/7p/p7/P6P/K7 w - - 0 1", |thread| {
                let eval = evaluation(thread);
                let stored = entry(
                    thread,
                    "a1b1",
                    eval + self.tt_score,
                    self.tt_depth,
                    self.tt_bound,
                );
                store(thread, stored);
                after(thread, "h2h3", |thread| {
                    let score = -(eval + self.other_score);
                    let (depth, bound) = (self.other_depth, self.other_bound);
                    store(thread, entry(thread, "h8g8", score, depth, bound));
                });
                // No internal iterative reduction at the child.
                after(thread, "a1b1", |thread| store_move(thread, "h8g8"));
                thread.stack[1].double_extensions = self.double_extensions;
                thread.root_depth = self.root_depth;
                let node = Node {
                    cut_node: self.cut_node,
                    ..zero_window_node(eval + self.alpha, self.depth)
                };
                let score = search(thread, node);
                (score - eval, visit(thread))
            })
        }

        /// The extension of Kb1 in plies.
        fn extension(self) -> i32 {
            let (_, depth) = self.search(|thread| depth_after(thread, "a1b1"));
            depth.expect("Kb1 was searched") - (self.depth - 1)
        }
    }

    #[test]
    fn a_move_far_better_than_all_others_is_extended() {
        let margin = SINGULAR_MARGIN.get() * 8 / SINGULAR_MARGIN_DIVISOR;
        let singular = SingularNode {
            other_score: -margin - 1,
            ..NOT_SINGULAR
        };
        assert_eq!(singular.extension(), 1);
        assert_eq!(NOT_SINGULAR.extension(), 0);
        let at_the_margin = SingularNode {
            other_score: -margin,
            ..NOT_SINGULAR
        };
        assert_eq!(at_the_margin.extension(), 0);
    }

    #[test]
    fn a_singular_extension_needs_depth_a_deep_entry_and_a_lower_bound_that_is_no_mate() {
        let singular = SingularNode {
            other_score: -30,
            ..NOT_SINGULAR
        };
        let min_depth = SINGULAR_MIN_DEPTH.get();
        let at_depth = |depth| SingularNode { depth, ..singular };
        assert_eq!(at_depth(min_depth).extension(), 1);
        assert_eq!(at_depth(min_depth - 1).extension(), 0);
        let with_entry = |tt_depth| SingularNode {
            tt_depth,
            ..singular
        };
        assert_eq!(with_entry(5).extension(), 1);
        assert_eq!(with_entry(4).extension(), 0);
        let upper = SingularNode {
            tt_bound: Bound::Upper,
            ..singular
        };
        assert_eq!(upper.extension(), 0);
        let mate = SingularNode {
            tt_score: Score::mate_in(9).value(),
            ..singular
        };
        assert_eq!(mate.extension(), 0);
        // The node lies at ply 1, and no further from the root than twice the depth of the
        // iteration.
        let in_iteration = |root_depth| SingularNode {
            root_depth,
            ..singular
        };
        assert_eq!(in_iteration(1).extension(), 1);
        assert_eq!(in_iteration(0).extension(), 0);
    }

    #[test]
    fn the_singular_search_has_half_the_depth_and_a_window_below_the_stored_score() {
        // Three plies: the other move, and two more for its entry. A real search finds it as good.
        let with_other = |other_depth| SingularNode {
            other_score: -30,
            other_depth,
            ..NOT_SINGULAR
        };
        assert_eq!(with_other(2).extension(), 1);
        assert_eq!(with_other(1).extension(), 0);
        // The bound is of use in the window of the singular search, and not in that of the node.
        let proven_good_by_its_bound = SingularNode {
            tt_score: 100,
            other_score: 90,
            other_bound: Bound::Upper,
            alpha: 150,
            ..NOT_SINGULAR
        };
        assert_eq!(proven_good_by_its_bound.extension(), 0);
    }

    #[test]
    fn a_double_extension_extends_a_very_singular_move_by_two_plies_up_to_a_limit() {
        let margin = SINGULAR_MARGIN.get() * 8 / SINGULAR_MARGIN_DIVISOR;
        let double = SingularNode {
            other_score: -margin - DOUBLE_EXTENSION_MARGIN.get() - 1,
            ..NOT_SINGULAR
        };
        assert_eq!(double.extension(), 2);
        let at_the_margin = SingularNode {
            other_score: double.other_score + 1,
            ..double
        };
        assert_eq!(at_the_margin.extension(), 1);
        let after_many = |double_extensions| SingularNode {
            double_extensions,
            ..double
        };
        assert_eq!(after_many(DOUBLE_EXTENSION_LIMIT - 1).extension(), 2);
        assert_eq!(after_many(DOUBLE_EXTENSION_LIMIT).extension(), 1);
    }

    #[test]
    fn double_extensions_are_counted_along_the_line() {
        // Kb1 fails high, so its child is the last one of the node.
        let count = |other_score| {
            let fails_high = SingularNode {
                other_score,
                alpha: -100,
                double_extensions: 1,
                ..NOT_SINGULAR
            };
            let (score, count) = fails_high.search(|thread| thread.stack[2].double_extensions);
            assert!(score > -100, "{score}");
            count
        };
        assert_eq!(count(-200), 2);
        assert_eq!(count(-30), 1);
    }

    #[test]
    fn a_negative_extension_reduces_a_move_that_is_not_singular_where_a_cutoff_is_expected() {
        let expected_by_entry = SingularNode {
            tt_score: 40,
            other_score: 28,
            ..NOT_SINGULAR
        };
        assert_eq!(expected_by_entry.extension(), -2);
        let cut_node = SingularNode {
            cut_node: true,
            ..NOT_SINGULAR
        };
        assert_eq!(cut_node.extension(), -1);
        // The other move has no extension of its own, only a late move reduction of three plies.
        let shallow_entry = SingularNode {
            other_depth: 3,
            ..cut_node
        };
        let (_, other_depth) = shallow_entry.search(|thread| depth_after(thread, "h2h3"));
        assert_eq!(other_depth, Some(7 - 3));
    }

    #[test]
    fn multi_cut_ends_a_node_that_fails_high_without_its_best_move() {
        let other_fails_high = |other_score| SingularNode {
            other_score,
            ..NOT_SINGULAR
        };
        let outcome = |node: SingularNode| {
            node.search(|thread| (thread.nodes(), depth_after(thread, "a1b1")))
        };
        // The singular search makes the other move. Kb1 is never searched, and its entry is as
        // before.
        assert_eq!(outcome(other_fails_high(31)), (31, (1, Some(0))));
        assert!(outcome(other_fails_high(30)).1.0 > 1);
    }
}
