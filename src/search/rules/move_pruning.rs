//! Pruning of single moves: late, quiet or losing moves of shallow nodes are skipped without a search.
//!
//! None of these rules applies at the root, to the first move, or while the best score is decisive. The
//! rules for quiet moves depend on the depth to which late move reductions would search them (`lmr_depth`).

use crate::position::attacks::gives_direct_check;
use crate::score::Score;
use crate::search::move_picker::MovePicker;
use crate::search::node::{MoveInfo, Node, NodeInfo, SearchedMoves};
use crate::search::rules::reductions::lmr_depth;
use crate::search::see::see_ge;
use crate::search::thread::Thread;
use crate::search::tunable::parameters;

parameters! {
    /// Late move pruning: the number of moves searched at depth zero.
    LMP_BASE = 4, 1 to 8;
    /// Futility pruning: the maximum reduced depth, in plies.
    FUTILITY_DEPTH_LIMIT = 6, 4 to 12;
    /// Futility pruning: the margin at reduced depth zero, in centipawns.
    FUTILITY_BASE = 84, 20 to 200;
    /// Futility pruning: what each ply of reduced depth adds to the margin, in centipawns.
    FUTILITY_MARGIN = 95, 30 to 200;
    /// History pruning: the maximum reduced depth, in plies.
    HISTORY_PRUNING_DEPTH_LIMIT = 4, 1 to 8;
    /// History pruning: how far below zero the history must lie, for each ply of reduced depth and one more.
    HISTORY_PRUNING_MARGIN = 3_574, 1_000 to 10_000;
    /// SEE pruning: the most that a quiet move can lose, in centipawns for each ply of reduced depth squared.
    SEE_QUIET_MARGIN = 26, 8 to 60;
    /// SEE pruning: the most that a bad capture can lose, in centipawns for each ply of depth.
    SEE_CAPTURE_MARGIN = 87, 40 to 200;
}

/// Futility pruning: the maximum alpha, in centipawns. Above it the game is won and the search looks for a
/// mate, which no margin predicts.
const FUTILITY_ALPHA_LIMIT: i32 = 1_500;
/// SEE pruning: the maximum depth, in plies.
const SEE_DEPTH_LIMIT: i32 = 9;

/// Late move pruning or move count pruning: the number of moves after which quiet moves are
/// skipped. It is lower if the side to move is not improving and half as high again in PV nodes.
fn lmp_limit(node: Node, info: &NodeInfo) -> i32 {
    let full = LMP_BASE.get() + node.depth * node.depth;
    let limit = if info.improving { full } else { full / 2 };
    if info.is_pv {
        limit + limit / 2
    } else {
        limit
    }
}

/// Futility pruning: all quiet moves are skipped if the evaluation plus a margin for the reduced depth doesn't
/// exceed alpha. Returns the futility value, the most that they can be expected to score.
fn futility_pruning(node: Node, info: &NodeInfo, lmr_depth: i32) -> Option<Score> {
    let alpha = node.window.alpha();
    let margin = futility_margin(lmr_depth, alpha)?;
    let futility_value = info.eval? + margin;
    (futility_value <= alpha).then_some(futility_value)
}

/// Futility pruning: the most that a quiet move searched to this depth can be expected to gain, in centipawns;
/// `None` where the rule doesn't apply.
fn futility_margin(lmr_depth: i32, alpha: Score) -> Option<i32> {
    (lmr_depth <= FUTILITY_DEPTH_LIMIT.get() && alpha.value() < FUTILITY_ALPHA_LIMIT)
        .then_some(FUTILITY_BASE.get() + FUTILITY_MARGIN.get() * lmr_depth)
}

/// History pruning: a quiet move is skipped if its history is bad enough.
fn history_pruning(info: MoveInfo, lmr_depth: i32) -> bool {
    info.is_quiet
        && lmr_depth <= HISTORY_PRUNING_DEPTH_LIMIT.get()
        && info.history < -HISTORY_PRUNING_MARGIN.get() * (lmr_depth + 1)
}

/// SEE pruning: the static exchange evaluation below which a move is skipped, in centipawns. `None` where the
/// rule doesn't apply: good captures lose nothing, and deep searches can find compensation.
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
    /// The next move to be searched.
    ///
    /// Late move pruning and futility pruning skip all quiet moves that are left, before they are even
    /// generated. History pruning and SEE pruning, and in weaker play the eye of the player, skip single
    /// moves. The best score is raised to the most that the skipped moves can be expected to score.
    pub(in crate::search) fn next_unpruned_move(
        &self,
        node: Node,
        info: &NodeInfo,
        picker: &mut MovePicker,
        moves: &mut SearchedMoves,
    ) -> Option<MoveInfo> {
        let state = &self.stack[node.ply];
        loop {
            let number = moves.count() + 1;
            let lmr_depth = lmr_depth(node.depth, number);
            // A score from before any move was searched is no reason to search none.
            let may_prune = info.rules.move_pruning && number > 1 && !moves.best.is_decisive();
            if may_prune {
                let futility_value = futility_pruning(node, info, lmr_depth);
                if number > lmp_limit(node, info) || futility_value.is_some() {
                    picker.skip_quiets();
                    moves.best = futility_value.map_or(moves.best, |most| moves.best.max(most));
                }
            }
            let m = picker.next(self.game.position(), self.history, &state.context)?;
            if (node.is_root() && !self.root_moves.includes(m)) || state.excluded == Some(m) {
                continue;
            }
            let move_info = self.move_info(m, number, node.ply, picker);
            let is_pruned = may_prune
                && (history_pruning(move_info, lmr_depth)
                    || self.see_pruning(move_info, node.depth, lmr_depth));
            if !is_pruned && !self.overlooks_late_move(move_info, node) {
                return Some(move_info);
            }
            moves.count_pruned();
        }
    }

    /// SEE pruning: a move that loses too much material by static exchange evaluation is skipped, unless the
    /// moving piece gives check, which can justify a sacrifice.
    fn see_pruning(&self, info: MoveInfo, depth: i32, lmr_depth: i32) -> bool {
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
    use crate::search::thread::test_support::{legal_move, node_info, pv_node, with_thread};
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

    /// A rook ending without captures, in which White has eighteen moves.
    const QUIET: &str = "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1";

    #[test]
    fn the_futility_value_is_the_evaluation_plus_a_margin() {
        with_thread(QUIET, |thread| {
            let info = node_info(thread, None, false);
            let eval = info.eval.expect("no check");
            let value = futility_pruning(pv_node(eval + 500, 1), &info, 0);
            assert_eq!(value, Some(eval + FUTILITY_BASE.get()));
            assert_eq!(futility_pruning(pv_node(eval, 1), &info, 0), None);
        });
    }

    #[test]
    fn late_move_pruning_searches_more_moves_in_deep_pv_and_improving_nodes() {
        with_thread(QUIET, |thread| {
            let info = node_info(thread, None, false);
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
        // The knight can move to where a pawn captures it (e5, f6 with check) or to safety (b4).
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
    fn futility_pruning_ends_at_great_depth_and_in_won_positions() {
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
    fn see_pruning_allows_more_loss_in_deeper_nodes_and_ends_at_a_depth_limit() {
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
