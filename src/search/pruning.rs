//! The rules of selectivity: which parts of the tree are looked at less closely, or not at all.
//!
//! Every rule is one pure function of numbers, with its constants beside it. Whether a rule applies (not
//! in check, not on the principal variation, and so on) is said where it is used, in the node. Depths are
//! plies, margins centipawns.

/// The depth up to which a static evaluation well above beta is believed.
const REVERSE_FUTILITY_DEPTH_LIMIT: i32 = 7;
const REVERSE_FUTILITY_MARGIN: i32 = 80;

/// By how much the evaluation must exceed beta, so that the node is given up as too good (reverse
/// futility, also known as static null move); `None` where the depth is too great for such trust.
pub fn reverse_futility_margin(depth: i32) -> Option<i32> {
    (depth <= REVERSE_FUTILITY_DEPTH_LIMIT).then_some(REVERSE_FUTILITY_MARGIN * depth)
}

const NULL_MOVE_DEPTH_MINIMUM: i32 = 3;
const NULL_MOVE_BASE: i32 = 3;
const NULL_MOVE_DEPTH_DIVISOR: i32 = 4;
const NULL_MOVE_EVALUATION_DIVISOR: i32 = 200;
const NULL_MOVE_EVALUATION_LIMIT: i32 = 3;

/// By how many plies the search after a null move is reduced, where the evaluation exceeds beta by
/// `surplus` centipawns; `None` where the depth is too small to pass.
pub fn null_move_reduction(depth: i32, surplus: i32) -> Option<i32> {
    let by_depth = depth / NULL_MOVE_DEPTH_DIVISOR;
    let by_surplus = (surplus / NULL_MOVE_EVALUATION_DIVISOR).clamp(0, NULL_MOVE_EVALUATION_LIMIT);
    (depth >= NULL_MOVE_DEPTH_MINIMUM).then_some(NULL_MOVE_BASE + by_depth + by_surplus)
}

const LATE_MOVE_DEPTH_MINIMUM: i32 = 3;
const LATE_MOVE_BASE: i32 = 700;
const LATE_MOVE_DIVISOR: i32 = 1200;
/// History values are shifted into plies by this.
const LATE_MOVE_HISTORY_DIVISOR: i32 = 8192;

/// By how many plies a late quiet move is reduced: more for deeper nodes, later moves, and moves with a
/// bad history; one less on the principal variation. Zero is no reduction.
pub fn late_move_reduction(depth: i32, move_number: usize, is_pv: bool, history: i32) -> i32 {
    let first_reduced = if is_pv { 4 } else { 3 };
    if depth < LATE_MOVE_DEPTH_MINIMUM || move_number < first_reduced {
        return 0;
    }
    let product = log2_sixteenths(depth as u32) * log2_sixteenths(move_number as u32);
    let base = (product + LATE_MOVE_BASE) / LATE_MOVE_DIVISOR;
    (base - i32::from(is_pv) - history / LATE_MOVE_HISTORY_DIVISOR).max(0)
}

/// The binary logarithm in sixteenths, interpolated between powers of two. Integers, so that the tree is
/// the same on every machine.
fn log2_sixteenths(n: u32) -> i32 {
    debug_assert!(n > 0, "zero has no logarithm");
    let whole = n.ilog2();
    let fraction = ((u64::from(n) << 4) >> whole) as i32 - 16;
    whole as i32 * 16 + fraction
}

/// Half the width of the first aspiration window, in centipawns.
pub const ASPIRATION_MARGIN: i32 = 24;
/// The first iteration that uses an aspiration window.
pub const ASPIRATION_DEPTH_MINIMUM: u32 = 5;
/// Beyond this half-width the window is opened entirely.
pub const ASPIRATION_LIMIT: i32 = 800;

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(late_move_reduction(2, 40, false, 0), 0);
        assert_eq!(late_move_reduction(20, 2, false, 0), 0);
        assert_eq!(late_move_reduction(20, 1, true, 0), 0);
    }

    #[test]
    fn reductions_grow_with_depth_and_move_number_and_shrink_with_history() {
        assert!(late_move_reduction(12, 20, false, 0) > late_move_reduction(4, 20, false, 0));
        assert!(late_move_reduction(12, 30, false, 0) > late_move_reduction(12, 4, false, 0));
        assert!(late_move_reduction(12, 20, true, 0) < late_move_reduction(12, 20, false, 0));
        assert!(late_move_reduction(12, 20, false, 16_384) < late_move_reduction(12, 20, false, 0));
        assert!(
            late_move_reduction(12, 20, false, -16_384) > late_move_reduction(12, 20, false, 0)
        );
    }

    #[test]
    fn deep_nodes_get_no_reverse_futility_and_shallow_ones_no_null_move() {
        assert_eq!(reverse_futility_margin(8), None);
        assert_eq!(reverse_futility_margin(2), Some(160));
        assert_eq!(null_move_reduction(2, 500), None);
        assert_eq!(null_move_reduction(8, 0), Some(5));
        assert_eq!(null_move_reduction(8, -100), Some(5));
        assert_eq!(null_move_reduction(8, 100_000), Some(8));
    }
}
