//! Pruning of whole nodes: a node is cut off before its moves are searched if the static evaluation
//! lies so far outside the window that a search would hardly change the outcome (*forward
//! pruning*).
//!
//! None of these rules applies in PV nodes, in check, in endings with tables of their own, or while
//! a singular search leaves a move out.

use crate::position::attacks::has_mobility;
use crate::position::movegen::LegalMasks;
use crate::score::Score;
use crate::search::history::PieceTo;
use crate::search::move_picker::MovePicker;
use crate::search::node::{Node, NodeInfo, QuietChecks};
use crate::search::pv::Pv;
use crate::search::see::see_ge;
use crate::search::stop::Stopped;
use crate::search::tunable::parameters;
use crate::search::window::Window;
use crate::search::worker::Worker;

parameters! {
    /// Razoring: the maximum depth, in plies.
    RAZORING_DEPTH_LIMIT = 3, 1 to 6;
    /// Razoring: the margin for each ply of depth, in centipawns.
    RAZORING_MARGIN = 199, 100 to 500;
    /// Reverse futility pruning: the maximum depth, in plies.
    RFP_DEPTH_LIMIT = 8, 4 to 12;
    /// Reverse futility pruning: the margin for each ply of depth, in centipawns.
    RFP_MARGIN = 79, 30 to 150;
    /// Null move pruning: the base of the reduction, in plies.
    NMP_BASE = 3, 2 to 5;
    /// Null move pruning: this many plies of depth add one ply to the reduction.
    NMP_DEPTH_DIVISOR = 3, 2 to 6;
    /// Null move pruning: this many centipawns above beta add one ply to the reduction.
    NMP_EVAL_DIVISOR = 199, 80 to 400;
    /// ProbCut: the margin above beta, in centipawns.
    PROBCUT_MARGIN = 194, 80 to 300;
}

/// Null move pruning: the minimum depth, in plies.
const NMP_MIN_DEPTH: i32 = 3;
/// Null move pruning: the most plies by which the evaluation adds to the reduction.
const NMP_EVAL_LIMIT: i32 = 3;
/// Null move pruning: the minimum mobility of the pieces, in squares. Below it zugzwang is too
/// likely.
const NMP_MIN_MOBILITY: usize = 6;
/// Null move pruning: the minimum depth of the verification search, in plies.
pub(super) const NMP_VERIFICATION_MIN_DEPTH: i32 = 12;
/// ProbCut: the minimum depth, in plies.
const PROBCUT_MIN_DEPTH: i32 = 5;
/// ProbCut: the reduction of the search that verifies it, in plies.
const PROBCUT_REDUCTION: i32 = 4;

/// Razoring: the most that the quiet moves of a shallow node can be expected to add to its
/// evaluation, in centipawns; `None` if the node is too deep.
fn razoring_margin(depth: i32) -> Option<i32> {
    (depth <= RAZORING_DEPTH_LIMIT.get()).then_some(RAZORING_MARGIN.get() * depth)
}

/// Reverse futility pruning: how far above beta the evaluation must lie, in centipawns. A side that
/// is improving needs the margin of one ply less. `None` if the node is too deep.
fn rfp_margin(depth: i32, improving: bool) -> Option<i32> {
    let plies = depth - i32::from(improving);
    (depth <= RFP_DEPTH_LIMIT.get()).then_some(RFP_MARGIN.get() * plies)
}

/// The first ply at which a verification search of this depth tries null moves again: behind the
/// first three quarters of its depth.
fn first_null_move_ply(ply: usize, depth: i32) -> usize {
    ply + (3 * depth / 4).max(1) as usize
}

/// Null move pruning: the reduction in plies if the evaluation lies `surplus` centipawns above
/// beta; `None` if the node is too shallow.
fn nmp_reduction(depth: i32, surplus: i32) -> Option<i32> {
    let by_depth = depth / NMP_DEPTH_DIVISOR.get();
    let by_eval = (surplus / NMP_EVAL_DIVISOR.get()).clamp(0, NMP_EVAL_LIMIT);
    (depth >= NMP_MIN_DEPTH).then_some(NMP_BASE.get() + by_depth + by_eval)
}

impl Worker<'_> {
    /// Reverse futility pruning or static null move pruning: a shallow node fails high if its
    /// evaluation exceeds beta by a margin.
    ///
    /// It doesn't apply if the transposition table has a quiet move, which shows that more than the
    /// evaluation matters here.
    pub(in crate::search) fn reverse_futility_pruning(
        &self,
        node: Node,
        info: &NodeInfo,
    ) -> Option<Score> {
        let beta = node.window.beta();
        let eval = info.prunable_eval()?;
        let margin = rfp_margin(node.depth, info.improving)?;
        let has_quiet_tt_move = || info.tt_move.is_some_and(|m| !m.is_tactical());
        let applies = eval - margin >= beta && !beta.is_decisive() && !has_quiet_tt_move();
        applies.then_some(eval)
    }

    /// Razoring: if the evaluation of a shallow node falls short of alpha by a margin, only
    /// captures can make up for it, and a quiescence search finds those (Birmingham and Kent,
    /// "Tree-searching and tree-pruning techniques", 1977). It doesn't apply if alpha is decisive:
    /// no margin predicts a faster mate.
    pub(in crate::search) fn razoring(
        &mut self,
        node: Node,
        info: &NodeInfo,
    ) -> Result<Option<Score>, Stopped> {
        let alpha = node.window.alpha();
        let (Some(eval), Some(margin)) = (info.prunable_eval(), razoring_margin(node.depth)) else {
            return Ok(None);
        };
        if alpha.is_decisive() || eval + margin > alpha {
            return Ok(None);
        }
        let score = self.quiescence(node.window, node.ply, QuietChecks::Exclude, &mut Pv::new())?;
        Ok((score <= alpha).then_some(score))
    }

    /// Null move pruning: the node fails high if a search of reduced depth reaches beta even after
    /// the side to move has passed. Nearly every move is better than passing, except in zugzwang
    /// (Beal, *A generalised quiescence search algorithm*, 1990).
    ///
    /// It doesn't apply if the pieces can hardly move, because zugzwang is likely then, directly
    /// after another null move, or where a verification search does without it.
    pub(in crate::search) fn null_move_pruning(
        &mut self,
        node: Node,
        info: &NodeInfo,
    ) -> Result<Option<Score>, Stopped> {
        let Node { depth, ply, .. } = node;
        let beta = node.window.beta();
        let Some(surplus) = info.prunable_eval().map(|eval| eval - beta) else {
            return Ok(None);
        };
        let follows_null_move = self.stack[ply - 1].moved == PieceTo::NONE;
        let is_forbidden =
            follows_null_move || self.null_moves_from.is_some_and(|first| ply < first);
        if surplus < 0 || beta.is_decisive() || is_forbidden {
            return Ok(None);
        }
        let Some(reduction) = nmp_reduction(depth, surplus) else {
            return Ok(None);
        };
        if !has_mobility(self.game.position(), NMP_MIN_MOBILITY) {
            return Ok(None);
        }
        self.make_null_move(ply);
        let child = Node {
            window: Window::below(beta).flipped(),
            depth: depth - 1 - reduction,
            ply: ply + 1,
            cut_node: !node.cut_node,
        };
        let score = -self.negamax(child, &mut Pv::new())?;
        self.unmake_move();
        if score < beta || !self.verify_null_move(node, reduction)? {
            return Ok(None);
        }
        // A win found after a null move is not proven.
        Ok(Some(if score.is_decisive() { beta } else { score }))
    }

    /// Verification search: whether the node fails high by real moves too, searched to the depth of
    /// the null move. Only deep nodes are verified, where a zugzwang costs more than the search,
    /// and no null move is tried for the first three quarters of the depth (David-Tabibi and
    /// Netanyahu, *Verified null-move pruning*, 2002; in this form as in Stockfish). Other pruning
    /// stays on during verification: far above beta, RFP confirms the cutoff without a search.
    fn verify_null_move(&mut self, node: Node, reduction: i32) -> Result<bool, Stopped> {
        let is_verifying = self.null_moves_from.is_some();
        if node.depth < NMP_VERIFICATION_MIN_DEPTH || is_verifying {
            return Ok(true);
        }
        let depth = node.depth - reduction;
        self.null_moves_from = Some(first_null_move_ply(node.ply, depth));
        let score = self.negamax(Node { depth, ..node }, &mut Pv::new());
        self.null_moves_from = None;
        Ok(score? >= node.window.beta())
    }

    /// ProbCut: the node fails high if a good capture exceeds beta by a margin, first in the
    /// quiescence search and then in a search of reduced depth, since the full search would most
    /// likely fail high too (Buro, *ProbCut: an effective selective extension of the alpha-beta
    /// algorithm*, 1995).
    pub(in crate::search) fn probcut(
        &mut self,
        node: Node,
        info: &NodeInfo,
    ) -> Result<Option<Score>, Stopped> {
        let Node { depth, ply, .. } = node;
        let beta = node.window.beta();
        let applies = info.rules.node_pruning && depth >= PROBCUT_MIN_DEPTH && !beta.is_decisive();
        let Some(static_eval) = info.static_eval.filter(|_| applies) else {
            return Ok(None);
        };
        let margin = PROBCUT_MARGIN.get();
        let probcut_beta = beta + margin;
        let see_threshold = probcut_beta - static_eval;
        let masks = LegalMasks::with_checkers(self.game.position(), self.stack[ply].checkers);
        let mut picker = MovePicker::captures(masks, None);
        let context = self.stack[ply].context;
        let child = Node {
            window: Window::below(probcut_beta).flipped(),
            depth: depth - PROBCUT_REDUCTION,
            ply: ply + 1,
            cut_node: !node.cut_node,
        };
        while let Some(m) = picker.next(self.game.position(), self.history, &context) {
            if !see_ge(self.game.position(), m, see_threshold) {
                continue;
            }
            self.make_move(m, ply)?;
            let mut score =
                -self.quiescence(child.window, ply + 1, QuietChecks::Exclude, &mut Pv::new())?;
            if score >= probcut_beta {
                score = -self.negamax(child, &mut Pv::new())?;
            }
            self.unmake_move();
            if score >= probcut_beta && !score.is_decisive() {
                return Ok(Some(score - margin));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::rules::test_support::{
        HANGING_PAWN, PAWNS, after, cut_node, depth_after, entry, evaluation, search, store,
        store_move, stored_depth,
    };
    use crate::search::window::Bound;
    use crate::search::worker::test_support::{WON, pv_node, with_thread, zero_window_node};

    /// [`WON`] with Black to move.
    const LOST: &str = "6k1/5ppp/8/8/8/8/QQ3PPP/6K1 b - - 0 1";

    #[test]
    fn razoring_leaves_a_shallow_node_far_below_alpha_to_the_quiescence_search() {
        let is_razored = |node_of: fn(Score, i32) -> Node, depth: i32, surplus: i32| {
            with_thread(PAWNS, |thread| {
                let alpha = evaluation(thread) + surplus;
                search(thread, node_of(alpha, depth));
                thread.nodes() == 0
            })
        };
        let (limit, margin) = (RAZORING_DEPTH_LIMIT.get(), RAZORING_MARGIN.get());
        for depth in 1..=limit {
            assert!(is_razored(zero_window_node, depth, margin * depth));
            assert!(!is_razored(zero_window_node, depth, margin * depth - 1));
        }
        assert!(!is_razored(zero_window_node, limit + 1, 2_000));
        assert!(!is_razored(pv_node, 1, 2_000));
    }

    #[test]
    fn razoring_finds_the_capture_that_saves_a_position() {
        // The pawn takes the queen that puts Black behind.
        with_thread("6k1/4pppp/3Q4/8/8/8/5PPP/6K1 b - - 0 1", |thread| {
            search(thread, zero_window_node(Score::DRAW, 2));
            assert_eq!(stored_depth(thread), Some(2));
        });
    }

    #[test]
    fn razoring_looks_for_a_quicker_mate_whatever_the_evaluation() {
        with_thread(LOST, |thread| {
            search(thread, zero_window_node(Score::mate_in(9), 2));
            assert!(thread.nodes() > 0);
        });
    }

    /// A node at this ply whose beta lies so far below the evaluation.
    fn node_above_beta(thread: &mut Worker, ply: usize, depth: i32, surplus: i32) -> Node {
        thread.stack[ply - 1] = thread.stack[0];
        thread.stack[ply] = thread.stack[1];
        Node {
            ply,
            window: Window::below(evaluation(thread) - surplus),
            ..zero_window_node(Score::DRAW, depth)
        }
    }

    #[test]
    fn reverse_futility_pruning_cuts_a_shallow_node_far_above_beta_off() {
        // A node with this depth and surplus. It improves on the evaluation two plies before, or
        // doesn't.
        let is_cut = |depth, surplus, improving| {
            with_thread(PAWNS, |thread| {
                let node = node_above_beta(thread, 2, depth, surplus);
                let eval = evaluation(thread);
                let before = if improving { eval - 1 } else { eval };
                thread.stack[0].static_eval = Some(before);
                let score = search(thread, node);
                assert!(thread.nodes() > 0 || score == eval, "{score}");
                thread.nodes() == 0
            })
        };
        let (limit, margin) = (RFP_DEPTH_LIMIT.get(), RFP_MARGIN.get());
        for depth in [2, limit] {
            assert!(is_cut(depth, margin * depth, false));
            assert!(!is_cut(depth, margin * depth - 1, false));
            assert!(is_cut(depth, margin * (depth - 1), true));
            assert!(!is_cut(depth, margin * (depth - 1) - 1, true));
        }
        assert!(!is_cut(limit + 1, 1_000, false));
    }

    #[test]
    fn reverse_futility_pruning_needs_no_quiet_tt_move_and_no_mate() {
        let is_cut = |fen, prepare: fn(&mut Worker, &mut Node)| {
            with_thread(fen, |thread| {
                let mut node = node_above_beta(thread, 1, 2, 400);
                prepare(thread, &mut node);
                search(thread, node);
                thread.nodes() == 0
            })
        };
        assert!(is_cut(PAWNS, |_, _| ()));
        assert!(!is_cut(PAWNS, |thread, _| store_move(thread, "e2e4")));
        assert!(is_cut(HANGING_PAWN, |thread, _| store_move(thread, "e4d5")));
        assert!(!is_cut(PAWNS, |_, node| {
            node.window = Window::below(Score::mated_in(9));
        }));
    }

    /// The depth to which the null move of a node is searched whose evaluation lies so far above
    /// beta; `None` without a null move.
    fn null_move_depth(
        fen: &str,
        depth: i32,
        surplus: i32,
        prepare: impl FnOnce(&mut Worker, &mut Node),
    ) -> Option<i32> {
        with_thread(fen, |thread| {
            let beta = evaluation(thread) - surplus;
            // An expected cut node, so that the child is none and has no internal iterative
            // reduction.
            let mut node = cut_node(beta.next_down(), depth);
            prepare(thread, &mut node);
            search(thread, node);
            thread.game.make_null_move();
            let depth = stored_depth(thread);
            thread.unmake_move();
            depth
        })
    }

    #[test]
    fn the_null_move_is_reduced_more_with_depth_and_evaluation_up_to_a_limit() {
        let reduction = |depth, surplus| {
            let null_move = null_move_depth(WON, depth, surplus, |thread, _| {
                thread.null_moves_from = Some(1); // without verification
            });
            depth - 1 - null_move.expect("a null move")
        };
        let (base, divisor) = (NMP_BASE.get(), NMP_EVAL_DIVISOR.get());
        for (depth, plies) in [(8, 2), (11, 3), (12, 4)] {
            assert_eq!(reduction(depth, 0), base + plies, "depth {depth}");
        }
        for (surplus, plies) in [(divisor - 1, 0), (divisor, 1), (3 * divisor, 3), (900, 3)] {
            assert_eq!(
                reduction(18, surplus),
                base + 6 + plies,
                "{surplus} above beta"
            );
        }
    }

    #[test]
    fn a_null_move_needs_depth_a_good_evaluation_pieces_that_move_and_no_other_null_move() {
        let is_tried = |depth, surplus| null_move_depth(WON, depth, surplus, |_, _| ()).is_some();
        assert!(is_tried(NMP_MIN_DEPTH, 0));
        assert!(!is_tried(NMP_MIN_DEPTH - 1, 0));
        assert!(!is_tried(NMP_MIN_DEPTH, -1));
        let with =
            |prepare: fn(&mut Worker, &mut Node)| null_move_depth(WON, 4, 0, prepare).is_some();
        assert!(!with(|thread, _| thread.stack[0].moved = PieceTo::NONE));
        assert!(!with(|thread, _| thread.null_moves_from = Some(2)));
        assert!(!with(
            |_, node| node.window = Window::below(Score::mated_in(9))
        ));
        // The knights have six squares or, with a pawn on one of them, five.
        for (fen, is_tried) in [
            ("4k3/pppp4/8/8/N7/8/8/4K2N w - - 0 1", true),
            ("4k3/pppp4/8/8/N7/8/5P2/4K2N w - - 0 1", false),
        ] {
            assert_eq!(
                null_move_depth(fen, 4, 0, |_, _| ()).is_some(),
                is_tried,
                "{fen}"
            );
        }
    }

    #[test]
    fn null_move_pruning_cuts_a_good_node_off_but_proves_no_mate() {
        with_thread(WON, |thread| {
            let alpha = evaluation(thread) - 10;
            assert!(search(thread, zero_window_node(alpha, 4)) > alpha);
            assert_eq!((thread.nodes(), stored_depth(thread)), (0, None));
        });
        // After any move of the king a rook mates.
        with_thread("7k/R7/1R6/8/8/8/8/K7 w - - 0 1", |thread| {
            let beta = evaluation(thread) - 10;
            let node = Node {
                window: Window::below(beta),
                ..zero_window_node(beta, 8)
            };
            assert_eq!(search(thread, node), beta);
            assert_eq!(stored_depth(thread), None);
        });
    }

    #[test]
    fn null_move_pruning_does_not_hide_a_zugzwang() {
        // Mutual zugzwang: the king that moves leaves its pawn. If White could pass, it would win
        // Black's pawn.
        with_thread("8/8/8/8/1Kp5/2Pk4/8/8 w - - 0 1", |thread| {
            let alpha = evaluation(thread) - 50;
            let score = search(thread, zero_window_node(alpha, 8));
            assert!(score <= alpha, "{score} is above {alpha}");
        });
    }

    #[test]
    fn a_deep_cutoff_by_the_null_move_is_verified() {
        // The rook can't stop both pawns. The search behind the null move doesn't see that, the
        // verification does.
        let is_cut = |depth, null_moves_from: Option<usize>| {
            with_thread("5r2/2P2P2/2p5/8/2K5/P7/7k/8 b - - 0 1", |thread| {
                let alpha = evaluation(thread) - 60;
                thread.null_moves_from = null_moves_from;
                let score = search(thread, zero_window_node(alpha, depth));
                assert_eq!(thread.null_moves_from, null_moves_from);
                score > alpha
            })
        };
        let depth = NMP_VERIFICATION_MIN_DEPTH + 2;
        assert!(!is_cut(depth, None));
        // As within a verification search, where null moves are not verified again.
        assert!(is_cut(depth, Some(1)));
    }

    #[test]
    fn a_shallow_cutoff_by_the_null_move_is_not_verified() {
        for (depth, is_verified) in [
            (NMP_VERIFICATION_MIN_DEPTH - 1, false),
            (NMP_VERIFICATION_MIN_DEPTH, true),
        ] {
            with_thread(HANGING_QUEEN, |thread| {
                let alpha = evaluation(thread) + 100;
                let holds = thread.verify_null_move(zero_window_node(alpha, depth), 4);
                assert!(holds.is_ok());
                assert_eq!(thread.nodes() > 0, is_verified, "at depth {depth}");
            });
        }
    }

    #[test]
    fn a_verification_search_is_as_deep_as_that_of_the_null_move_and_makes_none_for_most_of_it() {
        with_thread(PAWNS, |thread| {
            let alpha = evaluation(thread) + 100;
            let node = zero_window_node(alpha, NMP_VERIFICATION_MIN_DEPTH);
            assert!(thread.verify_null_move(node, 4).is_ok());
            assert_eq!(stored_depth(thread), Some(NMP_VERIFICATION_MIN_DEPTH - 4));
        });
        for (ply, depth, first) in [(1, 8, 7), (1, 9, 7), (2, 4, 5), (3, 1, 4)] {
            assert_eq!(first_null_move_ply(ply, depth), first, "{depth} plies");
        }
    }

    /// White can take the queen.
    const HANGING_QUEEN: &str = "3q4/6k1/8/8/8/8/8/3RK3 w - - 0 1";

    /// Whether ProbCut cuts a node of this depth off where it takes the queen and an entry of
    /// `entry_depth` says that this is worth `gain`, if the margin leaves `surplus` between that
    /// score and beta. A node that is cut off before its moves are searched stores nothing.
    fn is_cut_by_probcut(depth: i32, entry_depth: u8, gain: i32, surplus: i32) -> bool {
        with_thread(HANGING_QUEEN, |thread| {
            let score = evaluation(thread) + gain;
            after(thread, "d1d8", |thread| {
                store(
                    thread,
                    entry(thread, "g7f7", -score, entry_depth, Bound::Exact),
                );
            });
            let beta = score - PROBCUT_MARGIN.get() - surplus;
            let found = search(thread, zero_window_node(beta.next_down(), depth));
            let is_cut = stored_depth(thread).is_none();
            assert!(!is_cut || found == score - PROBCUT_MARGIN.get(), "{found}");
            is_cut
        })
    }

    #[test]
    fn probcut_cuts_a_node_off_by_a_capture_that_exceeds_beta_by_its_margin() {
        assert!(is_cut_by_probcut(PROBCUT_MIN_DEPTH, 20, 800, 0));
        assert!(!is_cut_by_probcut(PROBCUT_MIN_DEPTH - 1, 20, 800, 0));
        assert!(!is_cut_by_probcut(PROBCUT_MIN_DEPTH, 20, 800, -1));
        // By static exchange evaluation the queen is worth 950.
        assert!(is_cut_by_probcut(PROBCUT_MIN_DEPTH, 20, 950, 0));
        assert!(!is_cut_by_probcut(PROBCUT_MIN_DEPTH, 20, 951, 0));
    }

    #[test]
    fn probcut_verifies_by_a_search_of_reduced_depth() {
        // The real gain is smaller, and a search that is deeper than the entry finds that out.
        let reduced = (8 - PROBCUT_REDUCTION) as u8;
        assert!(is_cut_by_probcut(8, reduced, 950, 0));
        assert!(!is_cut_by_probcut(8, reduced - 1, 950, 0));
        for (node_of, depth) in [
            (cut_node as fn(Score, i32) -> Node, 4),
            (zero_window_node, 3),
        ] {
            with_thread(HANGING_QUEEN, |thread| {
                let alpha = evaluation(thread) + 400;
                assert!(search(thread, node_of(alpha, 8)) > alpha);
                // The child of a node that is no expected cut node is one, and has no move yet.
                assert_eq!(depth_after(thread, "d1d8"), Some(depth));
            });
        }
    }

    #[test]
    fn probcut_proves_no_mate_and_refutes_none() {
        with_thread(HANGING_QUEEN, |thread| {
            after(thread, "d1d8", |thread| {
                store(
                    thread,
                    entry(thread, "g7f7", Score::mated_in(6), 20, Bound::Exact),
                );
            });
            let alpha = evaluation(thread) + 100;
            search(thread, zero_window_node(alpha, 6));
            assert!(stored_depth(thread).is_some());
        });
        with_thread(HANGING_QUEEN, |thread| {
            search(thread, zero_window_node(Score::mated_in(9), 6));
            assert!(stored_depth(thread).is_some());
        });
    }
}
