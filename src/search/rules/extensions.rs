//! Extensions: nodes in check, and moves that are much better than all others, are searched to more depth.
//!
//! *Check extension*: a node in check is searched a ply deeper, since it has few replies and a threat to
//! answer. It is no more than its condition, which is in [`RuleSet`](crate::search::node::RuleSet).
//! *Singular extensions*: the search that finds a singular move also decides double and negative extensions
//! and the multi-cut.

use crate::position::packed_move::PackedMove;
use crate::score::Score;
use crate::search::node::{Node, NodeInfo};
use crate::search::pv::Pv;
use crate::search::stop::Stopped;
use crate::search::thread::Thread;
use crate::search::tunable::parameters;
use crate::search::window::{Bound, Window};

parameters! {
    /// Singular extensions: the minimum depth, in plies.
    SINGULAR_MIN_DEPTH = 6, 5 to 10;
    /// Singular extensions: how far all other moves must fall short, in sixteenths of a centipawn for each ply of
    /// depth.
    SINGULAR_MARGIN = 36, 8 to 80;
    /// Double extensions: how much further they must fall short, in centipawns.
    DOUBLE_EXTENSION_MARGIN = 23, 5 to 60;
}

/// The unit of [`SINGULAR_MARGIN`]: sixteenths of a centipawn.
const SINGULAR_MARGIN_DIVISOR: i32 = 16;
/// Singular extensions: the transposition table entry can be this many plies shallower than the node.
const SINGULAR_TT_DEPTH_MARGIN: i32 = 3;
/// Double extensions: the maximum number in one line.
const DOUBLE_EXTENSION_LIMIT: u8 = 8;

/// Singular extensions: how far all other moves must fall short of the score in the transposition table, in
/// centipawns; `None` if the node or the entry is too shallow.
fn singular_margin(depth: i32, tt_depth: i32) -> Option<i32> {
    let applies = depth >= SINGULAR_MIN_DEPTH.get() && tt_depth >= depth - SINGULAR_TT_DEPTH_MARGIN;
    applies.then_some(SINGULAR_MARGIN.get() * depth / SINGULAR_MARGIN_DIVISOR)
}

/// The extension of a singular move, in plies, if all others fall short of it by `shortfall` centipawns more
/// than the margin: one, or two if that is a lot and the line doesn't have too many double extensions yet.
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

impl Thread<'_> {
    /// Counts a double extension for the line through the move that was just made.
    #[inline]
    pub(in crate::search) fn count_double_extension(&mut self, child_ply: usize, extension: i32) {
        self.stack[child_ply].double_extensions += u8::from(extension > 1);
    }

    /// Singular extensions: the move of the transposition table is extended if all other moves fall short of
    /// its score by a margin, in a search of reduced depth that leaves it out (Anantharaman, Campbell and Hsu,
    /// *Singular extensions: adding selectivity to brute-force searching*, 1990; with the transposition table
    /// as in Stockfish).
    ///
    /// The same search decides three more rules. *Double extension*: two plies if the others fall far short.
    /// *Multi-cut*: the node is cut off if it fails high even without the move. *Negative extension*: a move
    /// that is not singular is reduced where a cutoff is expected anyway.
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
        if tt_score.is_decisive() || ply >= 2 * self.root_depth() {
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
            -2
        } else if node.cut_node {
            -1
        } else {
            0
        };
        Ok(SingularOutcome::Extend(plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::packed_move::CompactMove;
    use crate::search::thread::test_support::{
        legal_move, node_info, with_thread, zero_window_node,
    };
    use crate::search::transposition_table::Entry;

    /// The outcome for a move that the transposition table stores with `score` and depth 8, in a node of depth
    /// 8 with the zero window above `alpha`.
    fn outcome(fen: &str, tt_move: &str, score: Score, alpha: Score) -> SingularOutcome {
        with_thread(fen, |thread| {
            let m = legal_move(thread, tt_move);
            let entry = Entry {
                best: Some(CompactMove::from(m)),
                score,
                depth: 8,
                bound: Bound::Lower,
            };
            let info = node_info(thread, Some(entry), false);
            let node = zero_window_node(alpha, 8);
            let outcome = thread.singular_extension(node, &info, m);
            outcome.expect("nothing stops the search")
        })
    }

    #[test]
    fn the_only_move_that_takes_the_queen_back_is_extended() {
        let fen = "3rk3/pp3ppp/8/8/8/8/PP3PPP/3QK3 b - - 0 1";
        let (score, alpha) = (Score::centipawns(500), Score::centipawns(600));
        let outcome = outcome(fen, "d8d1", score, alpha);
        assert!(
            matches!(outcome, SingularOutcome::Extend(1..=2)),
            "{outcome:?}"
        );
    }

    #[test]
    fn one_of_many_good_moves_is_not_extended() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let (score, alpha) = (Score::centipawns(-30), Score::centipawns(100));
        let outcome = outcome(start, "g1f3", score, alpha);
        assert!(
            matches!(outcome, SingularOutcome::Extend(..=0)),
            "{outcome:?}"
        );
    }

    #[test]
    fn a_node_that_fails_high_without_its_best_move_is_cut_off() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let (score, alpha) = (Score::centipawns(-30), Score::centipawns(-200));
        let outcome = outcome(start, "g1f3", score, alpha);
        let is_cut = matches!(outcome, SingularOutcome::MultiCut(score) if score > alpha);
        assert!(is_cut, "{outcome:?}");
    }

    #[test]
    fn a_check_extends_its_node_but_not_the_singular_search_in_it() {
        with_thread("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", |thread| {
            assert_eq!(thread.check_extension(1), 1);
            thread.stack[1].excluded = Some(legal_move(thread, "e1e2"));
            assert_eq!(thread.check_extension(1), 0);
        });
        with_thread("4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", |thread| {
            assert_eq!(thread.check_extension(1), 0);
        });
    }

    #[test]
    fn a_move_far_better_than_all_others_is_extended_by_two_plies_up_to_a_limit() {
        assert_eq!(singular_plies(1, 0), 1);
        assert_eq!(singular_plies(100, 0), 2);
        assert_eq!(singular_plies(100, DOUBLE_EXTENSION_LIMIT), 1);
    }

    #[test]
    fn shallow_nodes_and_shallow_entries_have_no_singular_move() {
        let depth = SINGULAR_MIN_DEPTH.get();
        assert_eq!(singular_margin(depth - 1, depth), None);
        assert_eq!(singular_margin(12, 12 - SINGULAR_TT_DEPTH_MARGIN - 1), None);
        assert!(singular_margin(12, 12 - SINGULAR_TT_DEPTH_MARGIN).is_some());
    }
}
