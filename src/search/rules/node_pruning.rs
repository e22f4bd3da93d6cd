//! Pruning of whole nodes: a node is cut off before its moves are searched if the static evaluation lies so far
//! outside the window that a search would hardly change the outcome (*forward pruning*).
//!
//! None of these rules applies in PV nodes, in check, or while a singular search leaves a move out.

use crate::position::attacks::has_mobility;
use crate::position::movegen::LegalMasks;
use crate::score::Score;
use crate::search::history::PieceTo;
use crate::search::move_picker::MovePicker;
use crate::search::node::{Node, NodeInfo, QuietChecks};
use crate::search::pv::Pv;
use crate::search::see::see_ge;
use crate::search::stop::Stopped;
use crate::search::thread::Thread;
use crate::search::tunable::parameters;
use crate::search::window::Window;

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

/// Reverse futility pruning: the minimum distance from the root, in plies. A cutoff before that can hide a sacrifice
/// of the root move for many iterations, and the nodes are few.
pub(super) const RFP_MIN_PLY: usize = 4;
/// Reverse futility pruning: up to this depth of the iteration, in plies, the distance doesn't matter, since most nodes of
/// a shallow search are close to the root.
const RFP_SHALLOW_ITERATION_LIMIT: usize = 7;
/// Null move pruning: the minimum depth, in plies.
const NMP_MIN_DEPTH: i32 = 3;
/// Null move pruning: the most plies by which the evaluation adds to the reduction.
const NMP_EVAL_LIMIT: i32 = 3;
/// Null move pruning: the minimum mobility of the pieces, in squares. Below it zugzwang is too likely.
const NMP_MIN_MOBILITY: usize = 6;
/// Null move pruning: the minimum depth of the verification search, in plies.
pub(super) const NMP_VERIFICATION_MIN_DEPTH: i32 = 12;
/// ProbCut: the minimum depth, in plies.
const PROBCUT_MIN_DEPTH: i32 = 5;
/// ProbCut: the reduction of the search that verifies it, in plies.
const PROBCUT_REDUCTION: i32 = 4;

/// Razoring: the most that the quiet moves of a shallow node can be expected to add to its evaluation, in
/// centipawns; `None` if the node is too deep.
fn razoring_margin(depth: i32) -> Option<i32> {
    (depth <= RAZORING_DEPTH_LIMIT.get()).then_some(RAZORING_MARGIN.get() * depth)
}

/// Reverse futility pruning: how far above beta the evaluation must lie, in centipawns. A side that is
/// improving needs the margin of one ply less. `None` if the node is too deep.
fn rfp_margin(depth: i32, improving: bool) -> Option<i32> {
    let plies = depth - i32::from(improving);
    (depth <= RFP_DEPTH_LIMIT.get()).then_some(RFP_MARGIN.get() * plies)
}

/// Null move pruning: the reduction in plies if the evaluation lies `surplus` centipawns above beta; `None` if
/// the node is too shallow.
fn nmp_reduction(depth: i32, surplus: i32) -> Option<i32> {
    let by_depth = depth / NMP_DEPTH_DIVISOR.get();
    let by_eval = (surplus / NMP_EVAL_DIVISOR.get()).clamp(0, NMP_EVAL_LIMIT);
    (depth >= NMP_MIN_DEPTH).then_some(NMP_BASE.get() + by_depth + by_eval)
}

impl Thread<'_> {
    /// Reverse futility pruning or static null move pruning: a shallow node fails high if its evaluation exceeds
    /// beta by a margin.
    ///
    /// It doesn't apply close to the root of a deep search, or if the transposition table has a quiet move, which
    /// shows that more than the evaluation matters here.
    pub(in crate::search) fn reverse_futility_pruning(
        &self,
        node: Node,
        info: &NodeInfo,
    ) -> Option<Score> {
        let beta = node.window.beta();
        let eval = info.prunable_eval()?;
        let margin = rfp_margin(node.depth, info.improving)?;
        let is_close_to_root =
            node.ply < RFP_MIN_PLY && self.root_depth() > RFP_SHALLOW_ITERATION_LIMIT;
        let has_quiet_tt_move = || info.tt_move.is_some_and(|m| !m.is_tactical());
        let applies = eval - margin >= beta
            && !beta.is_decisive()
            && !is_close_to_root
            && !has_quiet_tt_move();
        applies.then_some(eval)
    }

    /// Razoring: if the evaluation of a shallow node falls short of alpha by a margin, only captures can make
    /// up for it, and a quiescence search finds those. It doesn't apply if alpha is decisive: no margin
    /// predicts a faster mate.
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

    /// Null move pruning: the node fails high if a search of reduced depth reaches beta even after the side to
    /// move has passed. Nearly every move is better than passing, except in zugzwang (Beal, *A generalised
    /// quiescence search algorithm*, 1990).
    ///
    /// It doesn't apply if the pieces can hardly move, since zugzwang is likely then, never twice in a row, and not
    /// where a verification search does without it.
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
        if surplus < 0
            || beta.is_decisive()
            || follows_null_move
            || ply < self.min_null_move_ply
            || !has_mobility(self.game.position(), NMP_MIN_MOBILITY)
        {
            return Ok(None);
        }
        let Some(reduction) = nmp_reduction(depth, surplus) else {
            return Ok(None);
        };
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

    /// Verification search: whether the node fails high by real moves as well, searched to the depth of the null
    /// move. Only deep nodes are verified, where a zugzwang costs more than the search, and no null move is tried
    /// for the first three quarters of the depth (David-Tabibi and Netanyahu, *Verified null-move pruning*, 2002;
    /// in this form as in Stockfish). The other rules apply all the same: far above beta, RFP verifies without a move.
    fn verify_null_move(&mut self, node: Node, reduction: i32) -> Result<bool, Stopped> {
        let is_verifying = self.min_null_move_ply > 0;
        if node.depth < NMP_VERIFICATION_MIN_DEPTH || is_verifying {
            return Ok(true);
        }
        let depth = node.depth - reduction;
        self.min_null_move_ply = node.ply + (3 * depth / 4).max(1) as usize;
        let score = self.negamax(Node { depth, ..node }, &mut Pv::new());
        self.min_null_move_ply = 0;
        Ok(score? >= node.window.beta())
    }

    /// ProbCut: the node fails high if a good capture exceeds beta by a margin, first in the quiescence search
    /// and then in a search of reduced depth, since the full search would most likely fail high too (Buro,
    /// *ProbCut: an effective selective extension of the alpha-beta algorithm*, 1995).
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
        let mut picker = MovePicker::captures(masks, None, false);
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
    use crate::position::packed_move::CompactMove;
    use crate::search::thread::test_support::{
        WON, legal_move, node_info, with_thread, zero_window_node,
    };
    use crate::search::transposition_table::Entry;
    use crate::search::window::Bound;

    /// [`WON`] with Black to move.
    const LOST: &str = "6k1/5ppp/8/8/8/8/QQ3PPP/6K1 b - - 0 1";

    #[test]
    fn razoring_cuts_a_lost_position_off_but_never_with_a_mate_as_alpha() {
        let razored = |alpha| {
            with_thread(LOST, |thread| {
                let info = node_info(thread, None, true);
                thread.razoring(zero_window_node(alpha, 2), &info)
            })
        };
        let score = razored(Score::DRAW).expect("nothing stops the search");
        assert!(score.is_some_and(|score| score <= Score::DRAW), "{score:?}");
        // Alpha is a mate in nine plies; a faster one can be near, whatever the evaluation.
        assert_eq!(razored(Score::mate_in(9)), Ok(None));
    }

    #[test]
    fn razoring_finds_the_capture_that_saves_a_position() {
        // The pawn takes the queen that puts Black behind.
        with_thread("6k1/4pppp/3Q4/8/8/8/5PPP/6K1 b - - 0 1", |thread| {
            let info = node_info(thread, None, true);
            let score = thread.razoring(zero_window_node(Score::DRAW, 2), &info);
            assert_eq!(score, Ok(None));
        });
    }

    #[test]
    fn reverse_futility_pruning_needs_its_margin_a_distant_root_and_no_quiet_tt_move() {
        with_thread(WON, |thread| {
            let info = node_info(thread, None, true);
            let eval = info.eval.expect("no check");
            let node = |alpha, ply| Node {
                ply,
                ..zero_window_node(alpha, 3)
            };
            let far = node(eval - 400, RFP_MIN_PLY);
            let near = node(eval - 100, RFP_MIN_PLY);
            let close_to_root = node(eval - 400, RFP_MIN_PLY - 1);
            assert_eq!(thread.reverse_futility_pruning(far, &info), Some(eval));
            assert_eq!(thread.reverse_futility_pruning(near, &info), None);
            assert_eq!(thread.reverse_futility_pruning(close_to_root, &info), None);
            thread.root_depth = RFP_SHALLOW_ITERATION_LIMIT as u32;
            assert_eq!(
                thread.reverse_futility_pruning(close_to_root, &info),
                Some(eval)
            );
            thread.root_depth += 1;
            let entry = Entry {
                best: Some(CompactMove::from(legal_move(thread, "f2f4"))),
                score: eval,
                depth: 1,
                bound: Bound::Exact,
            };
            let with_quiet_move = node_info(thread, Some(entry), true);
            assert_eq!(thread.reverse_futility_pruning(far, &with_quiet_move), None);
        });
    }

    #[test]
    fn a_null_move_cuts_a_good_position_off_but_never_twice_in_a_row() {
        with_thread(WON, |thread| {
            let info = node_info(thread, None, true);
            let node = zero_window_node(Score::DRAW, 8);
            let score = thread
                .null_move_pruning(node, &info)
                .expect("nothing stops it");
            assert!(score.is_some_and(|score| score > Score::DRAW), "{score:?}");
            thread.stack[0].moved = PieceTo::NONE;
            assert_eq!(thread.null_move_pruning(node, &info), Ok(None));
        });
    }

    #[test]
    fn probcut_acts_on_a_hanging_queen_and_not_on_a_defended_one() {
        for (fen, is_cut) in [
            ("3q3k/8/8/8/8/8/8/3RK3 w - - 0 1", true),
            ("2rq3k/8/8/8/8/8/8/3RK3 w - - 0 1", false),
        ] {
            with_thread(fen, |thread| {
                let info = node_info(thread, None, true);
                let node = zero_window_node(info.eval.expect("no check") + 400, 6);
                let score = thread
                    .probcut(node, &info)
                    .expect("nothing stops the search");
                assert_eq!(score.is_some(), is_cut, "{fen}: {score:?}");
            });
        }
    }

    #[test]
    fn probcut_uses_the_corrected_evaluation() {
        // The rook can win a pawn. The raw evaluation makes that too little, the corrected one enough.
        with_thread("4k3/p7/8/8/8/8/8/R3K3 w - - 0 1", |thread| {
            let raw = thread.game.evaluation();
            let node = zero_window_node(raw + 199 - PROBCUT_MARGIN.get(), 6);
            for (correction, is_tried) in [(0, false), (120, true)] {
                let info = NodeInfo {
                    static_eval: Some(raw + correction),
                    ..node_info(thread, None, true)
                };
                let nodes = thread.nodes();
                let score = thread.probcut(node, &info);
                assert!(score.is_ok());
                assert_eq!(
                    thread.nodes() > nodes,
                    is_tried,
                    "corrected by {correction}"
                );
            }
        });
    }

    #[test]
    fn no_rule_applies_beyond_its_depth_limits() {
        assert_eq!(razoring_margin(RAZORING_DEPTH_LIMIT.get() + 1), None);
        assert_eq!(rfp_margin(RFP_DEPTH_LIMIT.get() + 1, false), None);
        assert!(rfp_margin(4, true) < rfp_margin(4, false));
        assert_eq!(nmp_reduction(NMP_MIN_DEPTH - 1, 500), None);
    }

    #[test]
    fn a_deep_cutoff_by_the_null_move_is_verified_and_a_zugzwang_found() {
        // Whoever moves loses the pawn. White would be content with half a pawn less than nothing, and has it by
        // passing.
        let zugzwang = "8/8/8/3Kp3/4Pk2/8/8/8 w - - 0 1";
        let verified = |fen, depth| {
            with_thread(fen, |thread| {
                let node = zero_window_node(Score::centipawns(-50), depth);
                let verified = thread.verify_null_move(node, 6);
                assert_eq!(thread.min_null_move_ply, 0);
                verified.expect("nothing stops it")
            })
        };
        assert!(!verified(zugzwang, NMP_VERIFICATION_MIN_DEPTH));
        assert!(verified(zugzwang, NMP_VERIFICATION_MIN_DEPTH - 1));
        assert!(verified(WON, NMP_VERIFICATION_MIN_DEPTH));
    }

    #[test]
    fn no_null_move_is_tried_within_a_verification_search() {
        with_thread(WON, |thread| {
            let info = node_info(thread, None, true);
            let node = zero_window_node(Score::DRAW, 8);
            thread.min_null_move_ply = node.ply + 1;
            assert_eq!(thread.null_move_pruning(node, &info), Ok(None));
            thread.min_null_move_ply = node.ply;
            assert!(matches!(thread.null_move_pruning(node, &info), Ok(Some(_))));
        });
    }

    #[test]
    fn the_null_move_reduction_grows_with_depth_and_evaluation_up_to_a_limit() {
        assert!(nmp_reduction(12, 0) > nmp_reduction(4, 0));
        assert!(nmp_reduction(8, 500) > nmp_reduction(8, 0));
        assert_eq!(nmp_reduction(8, 0), nmp_reduction(8, -100));
        assert_eq!(nmp_reduction(8, 1_000), nmp_reduction(8, 100_000));
    }
}
