//! Reductions: late moves, and nodes without a move from the transposition table, are searched to less depth.
//!
//! A reduced move that turns out better than expected is searched again without the reduction, so a wrong
//! reduction costs time and seldom the move. Reductions are computed in 1/1024 of a ply, so that small
//! conditions add up, and in integers, so that the tree is the same on every machine.

use crate::search::node::{MoveInfo, Node, NodeInfo};
use crate::search::thread::Thread;
use crate::search::tunable::parameters;

parameters! {
    /// Late move reductions: the reduction of any late move, in 1/1024 of a ply.
    LMR_BASE = 633, 200 to 1_500;
    /// Late move reductions: the weight of the product of the binary logarithms of depth and move number, in
    /// 1/4096 of a ply: both logarithms are in sixteenths, and their product is divided by 1024.
    LMR_FACTOR = 904, 400 to 1_500;
    /// Late move reductions: this much history, in history points, changes the reduction by 1/1024 of a ply.
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
    LMR_CHECK = 1_137, 0 to 2_500;
    /// Late move reductions: added if the move of the transposition table is a capture, in 1/1024 of a ply.
    LMR_TT_CAPTURE = 555, 0 to 2_000;
    /// Late move reductions: subtracted at the root, in 1/1024 of a ply.
    LMR_ROOT = 1_024, 0 to 3_000;
    /// A reduced search that beats alpha by more than this many centipawns is repeated a ply deeper.
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

/// The approximate depth in plies to which late move reductions will search a move. Move pruning depends on it.
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

/// Internal iterative reduction: a PV node or expected cut node without a move from the transposition table is
/// searched a ply less deeply. If it matters, it is searched again, and then has such a move (Ed Schröder,
/// Rebel). Returns the reduction in plies.
pub(in crate::search) fn internal_iterative_reduction(node: Node, info: &NodeInfo) -> i32 {
    let applies = info.rules.reductions
        && info.tt_move.is_none()
        && (info.is_pv || node.cut_node)
        && node.depth >= IIR_MIN_DEPTH;
    i32::from(applies)
}

/// Deeper or shallower re-search: the change in depth, in plies, of the re-search of a reduced move that beat
/// alpha by `surplus` centipawns.
pub(in crate::search) fn research_depth_change(surplus: i32) -> i32 {
    i32::from(surplus > DEEPER_RESEARCH_MARGIN.get())
        - i32::from(surplus < SHALLOWER_RESEARCH_MARGIN.get())
}

impl Thread<'_> {
    /// Late move reductions: the later a move comes in the order, the less deeply it is searched, if it is
    /// quiet or loses material. To be called after the move was made. Returns the reduction in plies.
    pub(in crate::search) fn late_move_reduction(
        &self,
        node: Node,
        info: &NodeInfo,
        move_info: MoveInfo,
    ) -> i32 {
        let MoveInfo { m, number, .. } = move_info;
        if !info.rules.reductions || !(move_info.is_quiet || move_info.is_bad_capture) {
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

/// The binary logarithm in sixteenths, interpolated between powers of two; that of 255 for larger numbers.
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
    use crate::search::thread::test_support::{
        legal_move, node_info, with_thread, zero_window_node,
    };
    use crate::search::window::Window;

    #[test]
    fn good_captures_are_not_reduced() {
        with_thread("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", |thread| {
            let info = node_info(thread, None, false);
            let capture = MoveInfo {
                m: legal_move(thread, "e4d5"),
                number: 20,
                is_quiet: false,
                is_bad_capture: false,
                history: 0,
            };
            let node = zero_window_node(Score::DRAW, 8);
            assert_eq!(thread.late_move_reduction(node, &info, capture), 0);
            let bad = MoveInfo {
                is_bad_capture: true,
                ..capture
            };
            assert!(thread.late_move_reduction(node, &info, bad) > 0);
        });
    }

    #[test]
    fn internal_iterative_reduction_applies_to_pv_and_cut_nodes_without_a_tt_move() {
        let expected_to_fail_low = zero_window_node(Score::DRAW, 8);
        let cut_node = Node {
            cut_node: true,
            ..expected_to_fail_low
        };
        let pv_node = Node {
            window: Window::full(),
            ..expected_to_fail_low
        };
        for (node, has_tt_move, plies) in [
            (pv_node, false, 1),
            (cut_node, false, 1),
            (expected_to_fail_low, false, 0),
            (pv_node, true, 0),
            (cut_node, true, 0),
        ] {
            assert_eq!(internal_iterative_reduction(node, has_tt_move), plies);
        }
        let shallow = Node {
            depth: IIR_MIN_DEPTH - 1,
            ..pv_node
        };
        assert_eq!(internal_iterative_reduction(shallow, false), 0);
    }

    #[test]
    fn the_logarithm_hits_powers_of_two_and_grows_between_them() {
        assert_eq!(log2_sixteenths(1), 0);
        assert_eq!(log2_sixteenths(2), 16);
        assert_eq!(log2_sixteenths(3), 24);
        assert_eq!(log2_sixteenths(64), 96);
        assert!((1..300).all(|n| log2_sixteenths(n) <= log2_sixteenths(n + 1)));
    }

    #[test]
    fn the_first_moves_and_shallow_nodes_are_not_reduced() {
        let on_pv = LmrInfo {
            is_pv: true,
            ..LmrInfo::default()
        };
        assert_eq!(lmr_reduction(1, 40, LmrInfo::default()), 0);
        assert_eq!(lmr_reduction(20, 1, LmrInfo::default()), 0);
        assert_eq!(lmr_reduction(20, 3, on_pv), 0);
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number() {
        let plain = LmrInfo::default();
        assert!(lmr_reduction(12, 20, plain) > lmr_reduction(4, 20, plain));
        assert!(lmr_reduction(12, 20, plain) > lmr_reduction(12, 4, plain));
    }

    #[test]
    fn promising_moves_are_reduced_less_and_others_more() {
        let plain = LmrInfo::default();
        let reduction = |info| lmr_reduction(12, 20, info);
        let changed = |change: fn(&mut LmrInfo)| {
            let mut info = plain;
            change(&mut info);
            reduction(info)
        };
        for less in [
            changed(|info| info.is_root = true),
            changed(|info| info.is_pv = true),
            changed(|info| info.is_killer = true),
            changed(|info| info.gives_check = true),
            changed(|info| info.improving = true),
            changed(|info| info.history = 30_000),
        ] {
            assert!(less < reduction(plain));
        }
        for more in [
            changed(|info| info.cut_node = true),
            changed(|info| info.tt_move_is_capture = true),
            changed(|info| info.history = -30_000),
        ] {
            assert!(more > reduction(plain));
        }
        let history = 60_000;
        assert_eq!(lmr_reduction(3, 4, LmrInfo { history, ..plain }), 0);
    }

    #[test]
    fn a_re_search_is_deeper_if_alpha_was_clearly_beaten_and_shallower_if_barely() {
        assert_eq!(research_depth_change(200), 1);
        assert_eq!(research_depth_change(20), 0);
        assert_eq!(research_depth_change(1), -1);
    }
}
