//! Pruning of single moves: late, quiet or losing moves of shallow nodes are skipped without a search.
//!
//! None of these rules applies at the root, nor before a move is found that doesn't get mated. Quiet moves are
//! judged by the depth to which late move reductions would search them (`lmr_depth`).

use crate::position::attacks::gives_direct_check;
use crate::score::Score;
use crate::search::node::{MoveInfo, Node, NodeInfo};
use crate::search::see::see_ge;
use crate::search::thread::Thread;
use crate::search::tunable::parameters;

parameters! {
    /// Late move pruning: the number of moves tried at depth zero.
    LMP_BASE = 4, 1 to 8;
    /// Futility pruning: the reduced depth up to which it is tried, in plies.
    FUTILITY_DEPTH_LIMIT = 8, 4 to 12;
    /// Futility pruning: the margin at reduced depth zero, in centipawns.
    FUTILITY_BASE = 85, 20 to 200;
    /// Futility pruning: what each ply of reduced depth adds to the margin, in centipawns.
    FUTILITY_MARGIN = 94, 30 to 200;
    /// History pruning: the reduced depth up to which it is tried, in plies.
    HISTORY_PRUNING_DEPTH_LIMIT = 4, 1 to 8;
    /// History pruning: how far below zero the history must lie, for each ply of reduced depth and one more.
    HISTORY_PRUNING_MARGIN = 3_574, 1_000 to 10_000;
    /// SEE pruning: what a quiet move may lose, in centipawns for each ply of reduced depth squared.
    SEE_QUIET_MARGIN = 25, 8 to 60;
    /// SEE pruning: what a bad capture may lose, in centipawns for each ply of depth.
    SEE_CAPTURE_MARGIN = 87, 40 to 200;
}

/// Futility pruning: with alpha above this many centipawns the game is won, and what is left to find is a mate,
/// which no margin foretells.
const FUTILITY_ALPHA_LIMIT: i32 = 1_500;
/// SEE pruning: the depth up to which it is tried, in plies.
const SEE_DEPTH_LIMIT: i32 = 9;

/// Late move pruning, also known as move count pruning: after so many moves the quiet ones are skipped. Fewer
/// are tried where the side to move is not improving, and half as many again in PV nodes.
pub(in crate::search) fn lmp_limit(node: Node, info: &NodeInfo) -> i32 {
    let full = LMP_BASE.get() + node.depth * node.depth;
    let limit = if info.improving { full } else { full / 2 };
    if node.is_pv() {
        limit + limit / 2
    } else {
        limit
    }
}

/// Futility pruning: if the evaluation and a margin for the reduced depth don't exceed alpha, quiet moves won't
/// either, and all of them are skipped. Gives the futility value, which the node is worth at least.
pub(in crate::search) fn futility_pruning(
    node: Node,
    info: &NodeInfo,
    lmr_depth: i32,
) -> Option<Score> {
    let alpha = node.window.alpha();
    let margin = futility_margin(lmr_depth, alpha)?;
    let futility_value = info.eval? + margin;
    (futility_value <= alpha).then_some(futility_value)
}

/// The most that a quiet move searched to this depth can be expected to gain, in centipawns; `None` where that
/// can't be said.
fn futility_margin(lmr_depth: i32, alpha: Score) -> Option<i32> {
    (lmr_depth <= FUTILITY_DEPTH_LIMIT.get() && alpha.value() < FUTILITY_ALPHA_LIMIT)
        .then_some(FUTILITY_BASE.get() + FUTILITY_MARGIN.get() * lmr_depth)
}

/// History pruning: a quiet move is skipped if its history is bad enough.
pub(in crate::search) fn history_pruning(info: MoveInfo, lmr_depth: i32) -> bool {
    info.is_quiet
        && lmr_depth <= HISTORY_PRUNING_DEPTH_LIMIT.get()
        && info.history < -HISTORY_PRUNING_MARGIN.get() * (lmr_depth + 1)
}

/// SEE pruning: what a move may lose on its square and still be searched, in centipawns; `None` where the rule
/// doesn't apply: good captures lose nothing, and deep searches may find compensation.
fn see_threshold(info: MoveInfo, depth: i32, lmr_depth: i32) -> Option<i32> {
    if info.is_quiet {
        let loss = SEE_QUIET_MARGIN.get() * lmr_depth * lmr_depth;
        (lmr_depth <= SEE_DEPTH_LIMIT).then_some(-loss)
    } else if info.is_bad_capture {
        (depth <= SEE_DEPTH_LIMIT).then_some(-SEE_CAPTURE_MARGIN.get() * depth)
    } else {
        None
    }
}

impl Thread<'_> {
    /// SEE pruning: a move that loses too much material by static exchange evaluation is skipped, unless the
    /// moving piece gives check, which may be worth a sacrifice.
    pub(in crate::search) fn see_pruning(
        &self,
        info: MoveInfo,
        depth: i32,
        lmr_depth: i32,
    ) -> bool {
        let position = self.game.position();
        see_threshold(info, depth, lmr_depth)
            .is_some_and(|threshold| !see_ge(position, info.m, threshold))
            && !gives_direct_check(position, info.m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::packed_move::PackedMove;
    use crate::search::pv::Pv;
    use crate::search::thread::test_support::{legal_move, with_thread};
    use crate::search::window::Window;
    use shakmaty::{Role, Square};

    fn move_info(is_quiet: bool, history: i32) -> MoveInfo {
        MoveInfo {
            m: PackedMove::normal(Role::Knight, Square::G1, None, Square::F3, None),
            number: 5,
            is_quiet,
            is_bad_capture: !is_quiet,
            history,
        }
    }

    /// A rook's ending without a capture; eighteen moves for White.
    const QUIET: &str = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1";

    /// A PV node at ply 1 with a window around so many centipawns. There no whole-node pruning interferes.
    fn pv_node(centre: Score, depth: i32) -> Node {
        Node {
            window: Window::new(centre - 10, centre + 10),
            depth,
            ply: 1,
            cut_node: false,
        }
    }

    #[test]
    fn futility_pruning_skips_the_quiet_moves_of_a_node_that_they_cannot_save() {
        let nodes_with_alpha_above_eval_by = |surplus: i32| {
            with_thread(QUIET, |thread| {
                let eval = thread.node_info(None, 1).eval.expect("no check");
                let node = pv_node(eval + surplus, 1);
                thread
                    .negamax(node, &mut Pv::new())
                    .expect("nothing stops it");
                thread.nodes()
            })
        };
        // The first move is always searched, so that the node has a score.
        assert_eq!(nodes_with_alpha_above_eval_by(500), 1);
        // Close to alpha only late move pruning ends the node.
        assert!(nodes_with_alpha_above_eval_by(50) > 1);
    }

    #[test]
    fn the_futility_value_is_the_least_that_a_node_is_worth() {
        with_thread(QUIET, |thread| {
            let info = thread.node_info(None, 1);
            let eval = info.eval.expect("no check");
            let value = futility_pruning(pv_node(eval + 500, 1), &info, 0);
            assert_eq!(value, Some(eval + FUTILITY_BASE.get()));
            assert_eq!(futility_pruning(pv_node(eval, 1), &info, 0), None);
        });
    }

    #[test]
    fn late_move_pruning_tries_more_moves_in_deep_nodes_pv_nodes_and_where_the_side_improves() {
        with_thread(QUIET, |thread| {
            let info = thread.node_info(None, 1);
            let improving = NodeInfo {
                improving: true,
                ..info
            };
            let pv = pv_node(Score::DRAW, 3);
            let not_pv = Node {
                window: Window::above(Score::DRAW),
                ..pv
            };
            assert!(lmp_limit(not_pv, &improving) > lmp_limit(not_pv, &info));
            assert!(lmp_limit(pv, &info) > lmp_limit(not_pv, &info));
            let deeper = Node { depth: 5, ..not_pv };
            assert!(lmp_limit(deeper, &info) > lmp_limit(not_pv, &info));
        });
    }

    #[test]
    fn see_pruning_skips_a_move_into_an_attack_unless_it_gives_check() {
        // The knight may go where the pawn takes it: to e5, to b4, or with check to f6.
        with_thread("6k1/4p3/3p4/8/8/3N4/8/6K1 w - - 0 1", |thread| {
            let is_pruned = |thread: &Thread, name: &str| {
                let m = legal_move(thread, name);
                let info = MoveInfo {
                    m,
                    ..move_info(true, 0)
                };
                thread.see_pruning(info, 6, 1)
            };
            assert!(is_pruned(thread, "d3e5"));
            assert!(!is_pruned(thread, "d3b4"));
        });
        with_thread("6k1/4p3/8/8/4N3/8/8/6K1 w - - 0 1", |thread| {
            let m = legal_move(thread, "e4f6");
            let info = MoveInfo {
                m,
                ..move_info(true, 0)
            };
            assert!(!thread.see_pruning(info, 6, 1));
        });
    }

    #[test]
    fn the_futility_margin_ends_where_quiet_moves_may_win() {
        let limit = FUTILITY_DEPTH_LIMIT.get();
        assert_eq!(futility_margin(limit + 1, Score::DRAW), None);
        assert_eq!(futility_margin(limit, Score::mate_in(5)), None);
        assert!(futility_margin(limit, Score::DRAW).is_some());
    }

    #[test]
    fn only_quiet_moves_with_a_bad_history_are_pruned_by_it() {
        let limit = HISTORY_PRUNING_DEPTH_LIMIT.get();
        assert!(history_pruning(move_info(true, -60_000), limit));
        assert!(!history_pruning(move_info(true, -60_000), limit + 1));
        assert!(!history_pruning(move_info(true, 0), 0));
        assert!(!history_pruning(move_info(false, -60_000), 0));
    }

    #[test]
    fn deeper_nodes_may_lose_more_material_and_the_deepest_are_not_asked() {
        let (quiet, bad_capture) = (move_info(true, 0), move_info(false, 0));
        assert_eq!(see_threshold(quiet, 12, 0), Some(0));
        assert!(see_threshold(quiet, 12, 3) < see_threshold(quiet, 12, 1));
        assert_eq!(see_threshold(quiet, 12, SEE_DEPTH_LIMIT + 1), None);
        assert!(see_threshold(bad_capture, 3, 0) < see_threshold(bad_capture, 1, 0));
        assert_eq!(see_threshold(bad_capture, SEE_DEPTH_LIMIT + 1, 0), None);
        let good_capture = MoveInfo {
            is_bad_capture: false,
            ..bad_capture
        };
        assert_eq!(see_threshold(good_capture, 1, 0), None);
    }
}
