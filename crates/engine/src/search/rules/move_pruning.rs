//! Pruning of single moves: late, quiet or losing moves of shallow nodes are skipped without a
//! search.
//!
//! None of these rules applies at the root, to the first move, while the best score is decisive, or
//! in endings with tables of their own. Late move pruning goes by the depth of the node, the other
//! rules for quiet moves by that to which late move reductions would search them (`lmr_depth`).

use crate::position::attacks::gives_direct_check;
use crate::score::Score;
use crate::search::move_picker::MovePicker;
use crate::search::node::{MoveInfo, Node, NodeInfo};
use crate::search::rules::reductions::lmr_depth;
use crate::search::searched_moves::SearchedMoves;
use crate::search::see::see_ge;
use crate::search::tunable::parameters;
use crate::search::worker::Worker;

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
    /// History pruning: how far below zero the history must lie, in history points for each ply of
    /// reduced depth and one more.
    HISTORY_PRUNING_MARGIN = 3_574, 1_000 to 10_000;
    /// SEE pruning: the most that a quiet move can lose, in centipawns for each ply of reduced
    /// depth squared.
    SEE_QUIET_MARGIN = 26, 8 to 60;
    /// SEE pruning: this much history, in history points, lets a quiet move lose a centipawn more,
    /// or less if it is bad.
    SEE_HISTORY_DIVISOR = 400, 100 to 1_600;
    /// SEE pruning: the most that a bad capture can lose, in centipawns for each ply of depth.
    SEE_CAPTURE_MARGIN = 87, 40 to 200;
}

/// Futility pruning: the maximum alpha, in centipawns. Above it the game is won and the search
/// looks for a mate, which no margin predicts.
const FUTILITY_ALPHA_LIMIT: i32 = 1_500;
/// SEE pruning: the maximum depth, in plies.
const SEE_DEPTH_LIMIT: i32 = 9;

/// Late move pruning or move count pruning: whether quiet moves from this number on are skipped.
/// Evasions of a check are never skipped for coming late.
fn late_move_pruning(node: Node, info: &NodeInfo, number: i32) -> bool {
    let in_check = info.eval.is_none();
    !in_check && number > lmp_limit(node, info)
}

/// Late move pruning: the number of moves after which quiet moves are skipped. It is lower if the
/// side to move is not improving and half as high again in PV nodes.
fn lmp_limit(node: Node, info: &NodeInfo) -> i32 {
    let full = LMP_BASE.get() + node.depth * node.depth;
    let limit = if info.improving { full } else { full / 2 };
    if info.is_pv { limit + limit / 2 } else { limit }
}

/// Futility pruning: all quiet moves are skipped if the evaluation plus a margin for the reduced
/// depth doesn't exceed alpha (Heinz, "Extended futility pruning", 1998). Returns the futility
/// value, the most that they can be expected to score.
fn futility_pruning(node: Node, info: &NodeInfo, lmr_depth: i32) -> Option<Score> {
    let alpha = node.window.alpha();
    let margin = futility_margin(lmr_depth, alpha)?;
    let futility_value = info.eval? + margin;
    (futility_value <= alpha).then_some(futility_value)
}

/// Futility pruning: the most that a quiet move searched to this depth can be expected to gain, in
/// centipawns; `None` where the rule doesn't apply.
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

/// SEE pruning: the static exchange evaluation below which a move is skipped, in centipawns. `None`
/// where the rule doesn't apply: good captures lose little or nothing, and deep searches can find
/// compensation.
fn see_threshold(info: MoveInfo, depth: i32, lmr_depth: i32) -> Option<i32> {
    if info.is_quiet {
        let loss = SEE_QUIET_MARGIN.get() * lmr_depth * lmr_depth
            + info.history / SEE_HISTORY_DIVISOR.get();
        (lmr_depth <= SEE_DEPTH_LIMIT).then_some(-loss.max(0))
    } else if info.is_bad_capture {
        (depth <= SEE_DEPTH_LIMIT).then_some(-SEE_CAPTURE_MARGIN.get() * depth)
    } else {
        None
    }
}

impl Worker<'_> {
    /// The next move to be searched.
    ///
    /// Late move pruning and futility pruning skip all quiet moves that are left, and don't
    /// generate them if that hasn't happened yet. History pruning and SEE pruning, and in weaker
    /// play the eye of the player, skip single moves. Futility pruning also raises the best score
    /// to the most that the skipped moves can be expected to score.
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
                if let Some(most) = futility_value {
                    moves.best = moves.best.max(most);
                }
                if futility_value.is_some() || late_move_pruning(node, info, number) {
                    picker.skip_quiets();
                }
            }
            let m = picker.next(self.game.position(), self.history, &state.context)?;
            if (node.is_root() && !self.root_moves.includes(m)) || state.excluded == Some(m) {
                continue;
            }
            let move_info = self.move_info(m, number, node.ply, picker);
            let is_pruned = may_prune
                && (history_pruning(move_info, lmr_depth)
                    || self.see_pruning(move_info, node, lmr_depth));
            if !is_pruned && !self.overlooks_late_move(move_info, node) {
                return Some(move_info);
            }
            moves.count_pruned();
        }
    }

    /// SEE pruning: a move that loses too much material by static exchange evaluation is skipped,
    /// unless the moving piece gives check, which can justify a sacrifice.
    fn see_pruning(&self, info: MoveInfo, node: Node, lmr_depth: i32) -> bool {
        let threats = self.stack[node.ply].context.threats;
        if info.is_quiet && !threats.contains(info.m.from()) && !threats.contains(info.m.to()) {
            // Nothing can be taken: no line opens that was closed by the piece.
            return false;
        }
        let position = self.game.position();
        see_threshold(info, node.depth, lmr_depth)
            .is_some_and(|threshold| !see_ge(position, info.m, threshold))
            && !gives_direct_check(position, info.m)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::rules::test_support::{
        PAWNS, after, depth_after, evaluation, is_searched, moves_to, search, set_history,
        store_move, store_quiet_replies, stored_depth,
    };
    use crate::search::worker::test_support::{legal_move, pv_node, with_thread, zero_window_node};

    /// Searches [`PAWNS`] in a node whose alpha lies so far above the evaluation, which improves on
    /// the one two plies before or doesn't. Returns the number of moves searched, and the score
    /// above the evaluation.
    fn search_pawns(is_pv: bool, depth: i32, surplus: i32, improving: bool) -> (usize, i32) {
        with_thread(PAWNS, |thread| {
            let eval = evaluation(thread);
            let alpha = eval + surplus;
            let node = if is_pv {
                pv_node(alpha + 10, depth)
            } else {
                zero_window_node(alpha, depth)
            };
            // Two plies lie before the node.
            let node = Node { ply: 2, ..node };
            thread.stack[2] = thread.stack[1];
            thread.stack[0].static_eval = Some(if improving { eval - 1 } else { eval });
            store_quiet_replies(thread);
            let score = search(thread, node);
            let moves = match depth {
                1 => thread.nodes() as usize,
                _ => moves_to(thread, is_searched),
            };
            (moves, score - eval)
        })
    }

    #[test]
    fn late_move_pruning_skips_all_quiet_moves_after_the_first_few() {
        // Too close to alpha for futility pruning. White has eleven moves.
        let moves = |is_pv, depth, improving| search_pawns(is_pv, depth, 60, improving).0;
        let [at_one, at_two] = [1, 4].map(|square| LMP_BASE.get() as usize + square);
        assert_eq!(moves(false, 1, true), at_one);
        assert_eq!(moves(false, 1, false), at_one / 2);
        assert_eq!(moves(true, 1, true), at_one * 3 / 2);
        assert_eq!(moves(false, 2, true), at_two);
        assert_eq!(moves(false, 2, false), at_two / 2);
        assert_eq!(moves(true, 2, true), 11);
        with_thread(PAWNS, |thread| {
            thread.selective = false;
            let eval = evaluation(thread);
            search(thread, zero_window_node(eval + 60, 1));
            assert!(thread.nodes() >= 11);
        });
    }

    #[test]
    fn late_move_pruning_skips_no_evasion() {
        with_thread("4r2k/8/8/8/8/8/8/4K3 w - - 0 1", |thread| {
            search(thread, zero_window_node(Score::DRAW, 1));
            assert_eq!(thread.nodes(), 4, "the king has four squares");
        });
    }

    #[test]
    fn futility_pruning_skips_the_quiet_moves_of_a_node_far_below_alpha() {
        for depth in [1, 3] {
            let margin = FUTILITY_BASE.get() + FUTILITY_MARGIN.get() * lmr_depth(depth, 2);
            // The first move is always searched, and the others are expected to score that much.
            assert_eq!(search_pawns(true, depth, margin, true), (1, margin));
            assert_ne!(search_pawns(true, depth, margin - 1, true).0, 1);
        }
    }

    #[test]
    fn futility_pruning_ends_at_great_depth_and_in_won_positions() {
        let limit = FUTILITY_DEPTH_LIMIT.get();
        for (depth, searched) in [(7, 1), (8, 4)] {
            let first_pruned = (2..).find(|number| lmr_depth(depth, *number) <= limit);
            assert_eq!(first_pruned, Some(searched + 1));
            let moves = search_pawns(false, depth, 900, true).0;
            assert_eq!(moves, searched as usize, "at depth {depth}");
        }
        let moves = |alpha| {
            with_thread(PAWNS, |thread| {
                search(thread, pv_node(Score::centipawns(alpha + 10), 1));
                thread.nodes()
            })
        };
        assert_eq!(moves(FUTILITY_ALPHA_LIMIT - 1), 1);
        assert!(moves(FUTILITY_ALPHA_LIMIT) > 1);
    }

    #[test]
    fn history_pruning_skips_quiet_moves_that_were_bad_before() {
        let is_pruned = |depth, history| {
            with_thread(PAWNS, |thread| {
                store_move(thread, "e2e4");
                set_history(thread, "g2g3", history);
                // The second move to be searched.
                for other in ["e2e3", "f2f3", "f2f4", "g2g4", "h2h3", "h2h4"] {
                    set_history(thread, other, history - 2);
                }
                for other in ["e1d1", "e1f1", "e1d2"] {
                    set_history(thread, other, history - 2);
                }
                let alpha = evaluation(thread) + 60;
                search(thread, pv_node(alpha, depth));
                depth_after(thread, "g2g3").is_none()
            })
        };
        let limit = HISTORY_PRUNING_DEPTH_LIMIT.get();
        assert_eq!(
            [lmr_depth(2, 2), lmr_depth(5, 2), lmr_depth(6, 2)],
            [2, limit, limit + 1]
        );
        for depth in [2, 5] {
            let margin = HISTORY_PRUNING_MARGIN.get() * (lmr_depth(depth, 2) + 1);
            assert!(!is_pruned(depth, -margin), "at depth {depth}");
            assert!(is_pruned(depth, -margin - 2), "at depth {depth}");
        }
        assert!(!is_pruned(6, -30_000));
    }

    /// Whether a move is not searched at this depth. It comes second, after a move that is stored.
    fn is_skipped(fen: &str, first: &str, second: &str, depth: i32) -> bool {
        with_thread(fen, |thread| {
            store_quiet_replies(thread);
            store_move(thread, first);
            // Too close to alpha for futility pruning, but no capture brings the score there.
            let mut surplus = 2_000;
            if !legal_move(thread, second).is_tactical() {
                set_history(thread, second, 2);
                surplus = 60;
            }
            let alpha = evaluation(thread) + surplus;
            search(thread, pv_node(alpha, depth));
            // A child that is cut off by a capture stores nothing but the position after it.
            after(thread, second, |thread| {
                !is_searched(thread)
                    && moves_to(thread, |thread| stored_depth(thread).is_some()) == 0
            })
        })
    }

    #[test]
    fn see_pruning_skips_quiet_moves_that_lose_a_piece_unless_they_give_check() {
        // The knight is worth 320. Its loss is too much up to a reduced depth of three plies.
        assert_eq!([lmr_depth(4, 2), lmr_depth(5, 2)], [3, 4]);
        let loses = "5b1N/5Pkp/8/8/8/p7/P7/K7 w - - 0 1";
        assert!(is_skipped(loses, "a1b1", "h8g6", 4));
        assert!(!is_skipped(loses, "a1b1", "h8g6", 5));
        let is_safe = "k4b1N/5P2/8/8/8/p7/P7/K7 w - - 0 1";
        assert!(!is_skipped(is_safe, "a1b1", "h8g6", 2));
        let loses_with_check = "6k1/4p3/8/8/4N3/8/8/6K1 w - - 0 1";
        assert!(!is_skipped(loses_with_check, "g1f1", "e4f6", 2));
        let loses_without_check = "6k1/4p3/8/3p4/8/8/5N2/6K1 w - - 0 1";
        assert!(is_skipped(loses_without_check, "g1f1", "f2e4", 2));
        // Nothing attacks the square in the queen's shadow until she moves there.
        let loses_on_an_opened_line = "4rk2/8/8/8/4Q3/8/8/K7 w - - 0 1";
        assert!(is_skipped(loses_on_an_opened_line, "a1b1", "e4e3", 2));
    }

    #[test]
    fn a_quiet_move_may_lose_more_or_less_by_its_history() {
        let info = |history| MoveInfo {
            m: with_thread(PAWNS, |thread| legal_move(thread, "e2e4")),
            number: 2,
            is_quiet: true,
            is_bad_capture: false,
            history,
        };
        let threshold = |history| see_threshold(info(history), 4, 2);
        let loss = 4 * SEE_QUIET_MARGIN.get();
        let step = SEE_HISTORY_DIVISOR.get();
        assert_eq!(threshold(0), Some(-loss));
        assert_eq!(threshold(30 * step), Some(-loss - 30));
        assert_eq!(threshold(-30 * step), Some(-loss + 30));
        assert_eq!(threshold(-1_000 * step), Some(0));
    }

    #[test]
    fn see_pruning_skips_captures_that_lose_material() {
        // The knight takes a pawn and is taken, which loses 220.
        let knight = "5b1N/5Pkp/6p1/8/8/p7/P7/K7 w - - 0 1";
        assert!(is_skipped(knight, "a1b1", "h8g6", 2));
        assert!(!is_skipped(knight, "a1b1", "h8g6", 3));
        // The queen takes a pawn and is taken, which loses 850.
        let queen = "k7/8/2p5/3p4/8/8/8/K2Q4 w - - 0 1";
        assert!(is_skipped(queen, "a1b1", "d1d5", SEE_DEPTH_LIMIT));
        assert!(!is_skipped(queen, "a1b1", "d1d5", SEE_DEPTH_LIMIT + 1));
        // Here the pawn is not defended.
        assert!(!is_skipped(
            "k7/8/8/3p4/8/8/8/K2Q4 w - - 0 1",
            "a1b1",
            "d1d5",
            2
        ));
    }
}
