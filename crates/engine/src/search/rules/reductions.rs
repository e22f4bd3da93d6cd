//! Reductions: late moves, and nodes without a move from the transposition table, are searched to
//! less depth.
//!
//! A reduced move that turns out better than expected is searched again without the reduction, so a
//! wrong reduction costs time and seldom the move. Reductions are computed in 1/1024 of a ply, so
//! that small conditions add up, and in integers, so that the tree is the same on every machine.

use crate::search::node::{MoveInfo, Node, NodeInfo, is_reducible};
use crate::search::tunable::parameters;
use crate::search::worker::Worker;

parameters! {
    /// Late move reductions: the reduction of any late move, in 1/1024 of a ply.
    LMR_BASE = 633, 200 to 1_500;
    /// Late move reductions: the weight of the product of the binary logarithms of depth and move
    /// number, in 1/4096 of a ply: both logarithms are in sixteenths, and their product is divided
    /// by 1024.
    LMR_FACTOR = 904, 400 to 1_500;
    /// Late move reductions: this much history, in history points, changes the reduction by 1/1024
    /// of a ply.
    LMR_HISTORY_DIVISOR = 7, 4 to 40;
    /// Late move reductions: subtracted in PV nodes, in 1/1024 of a ply.
    LMR_PV = 880, 0 to 2_500;
    /// Late move reductions: added in expected cut nodes, in 1/1024 of a ply.
    LMR_CUT_NODE = 1_399, 0 to 3_000;
    /// Late move reductions: added if the side to move is not improving, in 1/1024 of a ply.
    LMR_NOT_IMPROVING = 584, 0 to 2_000;
    /// Late move reductions: subtracted for a killer move, in 1/1024 of a ply.
    LMR_KILLER = 1_119, 0 to 2_500;
    /// Late move reductions: subtracted for a move that gives check, in 1/1024 of a ply.
    LMR_CHECK = 1_800, 0 to 3_500;
    /// Late move reductions: added if the move of the transposition table is a capture or a
    /// promotion, in 1/1024 of a ply.
    LMR_TT_CAPTURE = 555, 0 to 2_000;
    /// Late move reductions: subtracted at the root, in 1/1024 of a ply.
    LMR_ROOT = 1_024, 0 to 3_000;
    /// A reduced search that beats alpha by more than this many centipawns is repeated a ply
    /// deeper.
    DEEPER_RESEARCH_MARGIN = 50, 10 to 120;
    /// One that beats alpha by less than this many centipawns is repeated a ply shallower.
    SHALLOWER_RESEARCH_MARGIN = 7, 0 to 30;
}

/// A ply in the unit of reductions.
const PLY: i32 = 1_024;
/// Late move reductions: the minimum depth, in plies.
const LMR_MIN_DEPTH: i32 = 2;
/// Internal iterative reduction: the minimum depth, in plies.
const IIR_MIN_DEPTH: i32 = 4;

/// The conditions of late move reductions besides depth and move number.
#[derive(Clone, Copy, Debug, Default)]
struct LmrInfo {
    history: i32,
    is_root: bool,
    is_pv: bool,
    cut_node: bool,
    improving: bool,
    is_killer: bool,
    gives_check: bool,
    tt_move_is_capture: bool,
}

/// The part of the reduction that depends on depth and move number alone, in 1/1024 of a ply.
fn base_reduction(depth: i32, move_number: i32) -> i32 {
    let product = log2_sixteenths(depth) * log2_sixteenths(move_number);
    LMR_BASE.get() + product * LMR_FACTOR.get() / PLY
}

/// The approximate depth in plies to which late move reductions will search a move. Move pruning
/// depends on it.
pub(in crate::search) fn lmr_depth(depth: i32, move_number: i32) -> i32 {
    (depth - base_reduction(depth, move_number) / PLY).max(0)
}

/// Late move reductions: the reduction in whole plies, zero or more.
fn lmr_reduction(depth: i32, move_number: i32, info: LmrInfo) -> i32 {
    if depth < LMR_MIN_DEPTH || move_number < 2 + 2 * i32::from(info.is_pv) {
        return 0;
    }
    let when = |condition: bool, change: i32| if condition { change } else { 0 };
    let reduction = base_reduction(depth, move_number)
        + when(info.cut_node, LMR_CUT_NODE.get())
        + when(!info.improving, LMR_NOT_IMPROVING.get())
        + when(info.tt_move_is_capture, LMR_TT_CAPTURE.get())
        - when(info.is_root, LMR_ROOT.get())
        - when(info.is_pv, LMR_PV.get())
        - when(info.is_killer, LMR_KILLER.get())
        - when(info.gives_check, LMR_CHECK.get())
        - info.history / LMR_HISTORY_DIVISOR.get();
    (reduction / PLY).max(0)
}

/// Internal iterative reduction: a PV node or expected cut node without a move from the
/// transposition table is searched a ply less deeply. If it matters, it is searched again, and then
/// has such a move (Ed Schröder, Rebel). Returns the reduction in plies.
pub(in crate::search) fn internal_iterative_reduction(node: Node, info: &NodeInfo) -> i32 {
    let applies = info.rules.reductions
        && info.tt_move.is_none()
        && (info.is_pv || node.cut_node)
        && node.depth >= IIR_MIN_DEPTH;
    i32::from(applies)
}

/// Deeper or shallower re-search: the change in depth, in plies, of the re-search of a reduced move
/// that beat alpha by `surplus` centipawns.
pub(in crate::search) fn research_depth_change(surplus: i32) -> i32 {
    i32::from(surplus > DEEPER_RESEARCH_MARGIN.get())
        - i32::from(surplus < SHALLOWER_RESEARCH_MARGIN.get())
}

impl Worker<'_> {
    /// Late move reductions: the later a move comes in the order, the less deeply it is searched,
    /// if it is quiet or loses material. To be called after the move was made. Returns the
    /// reduction in plies.
    pub(in crate::search) fn late_move_reduction(
        &self,
        node: Node,
        info: &NodeInfo,
        move_info: MoveInfo,
    ) -> i32 {
        let MoveInfo {
            m,
            number,
            is_quiet,
            is_bad_capture,
            ..
        } = move_info;
        if !info.rules.reductions || !is_reducible(is_quiet, is_bad_capture) {
            return 0;
        }
        let lmr_info = LmrInfo {
            history: move_info.history,
            is_root: node.is_root(),
            is_pv: node.is_pv(),
            cut_node: node.cut_node,
            improving: info.improving,
            is_killer: info.killers.contains(m),
            gives_check: self.stack[node.ply + 1].checkers.any(),
            tt_move_is_capture: info.tt_move.is_some_and(|m| m.is_tactical()),
        };
        lmr_reduction(node.depth, number, lmr_info)
    }
}

/// The binary logarithm in sixteenths, interpolated between powers of two; that of 255 for larger
/// numbers.
fn log2_sixteenths(n: i32) -> i32 {
    debug_assert!(n > 0, "only positive numbers have a logarithm");
    LOGARITHMS[(n as usize).min(LOGARITHMS.len() - 1)]
}

/// Looked up at every move; no position has more moves than this.
static LOGARITHMS: [i32; 256] = {
    let mut logarithms = [0; 256];
    let mut n = 1;
    while n < logarithms.len() {
        let floor = n.ilog2();
        let fraction = ((n << 4) >> floor) as i32 - 16;
        logarithms[n] = floor as i32 * 16 + fraction;
        n += 1;
    }
    logarithms
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use crate::search::pv::Pv;
    use crate::search::rules::test_support::{
        PAWNS, after, cut_node, depth_after, entry, evaluation, search, set_history, store,
        store_move, stored_depth,
    };
    use crate::search::window::{Bound, Window};
    use crate::search::worker::test_support::{legal_move, pv_node, with_thread, zero_window_node};

    #[test]
    fn internal_iterative_reduction_searches_pv_and_cut_nodes_without_a_tt_move_less_deeply() {
        let limit = IIR_MIN_DEPTH;
        for (node_of, has_tt_move, depth, searched) in [
            (cut_node as fn(Score, i32) -> Node, false, 5, 4),
            (pv_node, false, 5, 4),
            (zero_window_node, false, 5, 5),
            (cut_node, true, 5, 5),
            (pv_node, true, 5, 5),
            (cut_node, false, limit, limit - 1),
            (cut_node, false, limit - 1, limit - 1),
        ] {
            with_thread(PAWNS, |thread| {
                if has_tt_move {
                    store_move(thread, "e2e4");
                }
                let eval = evaluation(thread);
                search(thread, node_of(eval + 100, depth));
                assert_eq!(stored_depth(thread), Some(searched), "of {depth} plies");
            });
        }
    }

    #[test]
    fn first_moves_and_moves_of_the_lowest_depth_are_not_reduced() {
        let pv = LmrInfo {
            is_pv: true,
            ..LmrInfo::default()
        };
        for (depth, number, info, is_reduced) in [
            (LMR_MIN_DEPTH - 1, 60, LmrInfo::default(), false),
            (LMR_MIN_DEPTH, 60, LmrInfo::default(), true),
            (12, 1, LmrInfo::default(), false),
            (12, 2, LmrInfo::default(), true),
            (12, 3, pv, false),
            (12, 4, pv, true),
        ] {
            let reduction = lmr_reduction(depth, number, info);
            assert_eq!(reduction > 0, is_reduced, "move {number} at {depth}");
        }
    }

    /// A move of a node of depth 8 that fails low, at ply 2 unless it is the root.
    #[derive(Clone, Copy)]
    struct LateMove {
        fen: &'static str,
        tt_move: &'static str,
        m: &'static str,
        /// A reply, so that no internal iterative reduction interferes.
        reply: &'static str,
        history: i32,
        node_of: fn(Score, i32) -> Node,
        is_improving: bool,
        prepare: fn(&mut Worker),
    }

    /// The last of eleven moves. All others have no history.
    const LATE: LateMove = LateMove {
        fen: PAWNS,
        tt_move: "e2e4",
        m: "h2h3",
        reply: "e8e7",
        history: -1_000,
        node_of: |alpha, depth| Node {
            ply: 2,
            ..zero_window_node(alpha, depth)
        },
        is_improving: false,
        prepare: |_| (),
    };

    impl LateMove {
        /// The depth that the entry of the position after the move lacks, in plies.
        fn reduction(self) -> i32 {
            with_thread(self.fen, |thread| {
                let eval = evaluation(thread);
                thread.stack[2] = thread.stack[1];
                thread.stack[0].static_eval = self.is_improving.then_some(eval - 1);
                store_move(thread, self.tt_move);
                if !legal_move(thread, self.m).is_tactical() {
                    set_history(thread, self.m, self.history);
                }
                (self.prepare)(thread);
                after(thread, self.m, |thread| store_move(thread, self.reply));
                search(thread, (self.node_of)(eval + 400, 8));
                7 - depth_after(thread, self.m).expect("an entry")
            })
        }
    }

    #[test]
    fn late_moves_are_reduced_by_their_number_and_their_history() {
        assert_eq!(LATE.reduction(), 3);
        let with_history = |history| LateMove { history, ..LATE };
        assert_eq!(with_history(-7_000).reduction(), 4);
        // The first of the quiet moves is the second of all.
        assert_eq!(with_history(2).reduction(), 1);
    }

    #[test]
    fn late_moves_are_reduced_by_the_kind_of_their_node() {
        let cut_node = LateMove {
            node_of: |alpha, depth| Node {
                cut_node: true,
                ..(LATE.node_of)(alpha, depth)
            },
            ..LATE
        };
        assert_eq!(cut_node.reduction(), 4);
        let improving = LateMove {
            is_improving: true,
            ..LATE
        };
        assert_eq!(improving.reduction(), 2);
        let in_pv = LateMove {
            node_of: |alpha, depth| Node {
                ply: 2,
                ..pv_node(alpha, depth)
            },
            ..LATE
        };
        assert_eq!(in_pv.reduction(), 2);
        let at_root = LateMove {
            node_of: |alpha, depth| Node {
                ply: 0,
                ..pv_node(alpha, depth)
            },
            ..LATE
        };
        assert_eq!(at_root.reduction(), 1);
        // The second and third quiet move of a PV node.
        let early = LateMove {
            history: 2,
            prepare: |thread| set_history(thread, "e2e3", 4),
            ..in_pv
        };
        assert_eq!(early.reduction(), 0);
        let later = LateMove {
            prepare: |thread| {
                set_history(thread, "e2e3", 4);
                set_history(thread, "f2f3", 4);
            },
            ..early
        };
        assert_eq!(later.reduction(), 1);
    }

    #[test]
    fn killers_and_checks_are_reduced_less_and_quiet_moves_beside_a_capture_more() {
        let killer = LateMove {
            prepare: |thread| {
                let m = legal_move(thread, "h2h3");
                thread.stack[2].killers.add(m);
            },
            ..LATE
        };
        assert_eq!(killer.reduction(), 0);
        // The last of eighteen moves, one of them with check.
        let quiet = LateMove {
            fen: "4k3/pppp4/8/8/4N3/8/4PPPP/4K3 w - - 0 1",
            tt_move: "e2e3",
            m: "e4g5",
            reply: "e8f8",
            ..LATE
        };
        assert_eq!(quiet.reduction(), 4);
        let check = LateMove { m: "e4f6", ..quiet };
        assert_eq!(check.reduction(), 2);
        // The last of twelve moves.
        let with_quiet_tt_move = LateMove {
            fen: "4k3/ppp5/8/3p4/4P3/8/5PPP/4K3 w - - 0 1",
            tt_move: "e4e5",
            ..LATE
        };
        assert_eq!(with_quiet_tt_move.reduction(), 3);
        let with_tt_capture = LateMove {
            tt_move: "e4d5",
            ..with_quiet_tt_move
        };
        assert_eq!(with_tt_capture.reduction(), 4);
    }

    #[test]
    fn captures_are_reduced_only_if_they_lose_material() {
        let good = LateMove {
            fen: "4k3/ppp5/8/3p4/4P3/8/5PPP/4K3 w - - 0 1",
            tt_move: "e4e5",
            m: "e4d5",
            ..LATE
        };
        assert_eq!(good.reduction(), 0);
        let bad = LateMove {
            fen: "7k/ppp5/3p4/8/4N3/8/4PPPP/4K3 w - - 0 1",
            tt_move: "e2e3",
            m: "e4d6",
            reply: "c7d6",
            ..LATE
        };
        assert_eq!(bad.reduction(), 3);
        let plain = |thread: &mut Worker| thread.selective = false;
        assert_eq!(
            LateMove {
                prepare: plain,
                ..LATE
            }
            .reduction(),
            0
        );
    }

    /// The depth to which the last of eleven moves is searched at a node of depth 8, if its reduced
    /// search, by a stored entry, differs from alpha by `surplus` centipawns. The entry is not deep
    /// enough for a re-search.
    fn depth_of_late_move_beating_alpha_by(surplus: i32) -> Option<i32> {
        with_thread(PAWNS, |thread| {
            let alpha = evaluation(thread) + 100;
            set_history(thread, "h2h3", -600);
            after(thread, "h2h3", |thread| {
                let score = -(alpha + surplus);
                let bound = if surplus > 0 {
                    Bound::Upper
                } else {
                    Bound::Lower
                };
                store(thread, entry(thread, "e8e7", score, 5, bound));
            });
            search(thread, zero_window_node(alpha, 8));
            depth_after(thread, "h2h3")
        })
    }

    #[test]
    fn a_late_move_that_beats_alpha_at_reduced_depth_is_searched_again_to_full_depth() {
        // Without a re-search the entry of depth 5 is left.
        assert_eq!(depth_of_late_move_beating_alpha_by(-20), Some(5));
        assert_eq!(depth_of_late_move_beating_alpha_by(20), Some(7));
    }

    #[test]
    fn a_re_search_is_deeper_after_a_clear_surprise_and_shallower_after_a_slight_one() {
        let (deeper, shallower) = (
            DEEPER_RESEARCH_MARGIN.get(),
            SHALLOWER_RESEARCH_MARGIN.get(),
        );
        for (surplus, depth) in [
            (deeper + 1, 8),
            (deeper, 7),
            (shallower, 7),
            (shallower - 1, 6),
        ] {
            assert_eq!(
                depth_of_late_move_beating_alpha_by(surplus),
                Some(depth),
                "{surplus}"
            );
        }
    }

    #[test]
    fn a_later_move_that_beats_alpha_in_a_pv_node_is_searched_again_with_the_full_window() {
        with_thread(PAWNS, |thread| {
            // There are better moves than this one. A search with a zero window finds no reply to
            // them.
            store_move(thread, "h2h3");
            let node = Node {
                window: Window::full(),
                ..pv_node(Score::DRAW, 3)
            };
            let mut pv = Pv::new();
            let score = thread.negamax(node, &mut pv);
            assert!(score.is_ok());
            assert_ne!(pv.moves()[0], legal_move(thread, "h2h3"));
            assert!(pv.moves().len() >= 2, "{:?}", pv.moves());
        });
    }

    #[test]
    fn the_logarithm_hits_powers_of_two_and_grows_between_them() {
        assert_eq!(log2_sixteenths(1), 0);
        assert_eq!(log2_sixteenths(2), 16);
        assert_eq!(log2_sixteenths(3), 24);
        assert_eq!(log2_sixteenths(64), 96);
        assert!((1..300).all(|n| log2_sixteenths(n) <= log2_sixteenths(n + 1)));
    }
}
