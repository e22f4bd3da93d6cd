//! The rules of selectivity: which parts of the tree are looked at less closely, more closely, or not at all.
//!
//! Every rule is one pure function of numbers; those that games decide on stand in [`super::parameters`].
//! Whether a rule applies (not in check, not on the principal variation, and so on) is said where it is used,
//! in the node. Depths are plies, margins centipawns, and reductions are counted in parts of a ply so that
//! small reasons add up.

use super::parameters::*;
use crate::score::Score;

/// A ply, in the parts that reductions are counted in.
pub const PLY: i32 = 1_024;

/// By how much the evaluation must exceed beta, so that the node is given up as too good (reverse
/// futility, also known as static null move); `None` where the depth is too great for such trust. A side
/// that is improving needs a ply's worth less.
pub fn reverse_futility_margin(depth: i32, is_improving: bool) -> Option<i32> {
    let plies = depth - i32::from(is_improving);
    (depth <= REVERSE_FUTILITY_DEPTH_LIMIT.get()).then_some(REVERSE_FUTILITY_MARGIN.get() * plies)
}

/// By how much the evaluation must fall short of alpha, so that only captures could mend it; `None` where
/// the depth is too great to say so.
pub fn razoring_margin(depth: i32) -> Option<i32> {
    (depth <= RAZORING_DEPTH_LIMIT.get()).then_some(RAZORING_MARGIN.get() * depth)
}

const NULL_MOVE_DEPTH_MINIMUM: i32 = 3;
/// The squares that pieces must have to go to, so that not every move is likely to do harm (zugzwang).
pub const NULL_MOVE_MOBILITY_MINIMUM: usize = 6;
const NULL_MOVE_EVALUATION_LIMIT: i32 = 3;

/// By how many plies the search after a null move is reduced, where the evaluation exceeds beta by
/// `surplus` centipawns; `None` where the depth is too small to pass.
pub fn null_move_reduction(depth: i32, surplus: i32) -> Option<i32> {
    let by_depth = depth / NULL_MOVE_DEPTH_DIVISOR.get();
    let by_surplus =
        (surplus / NULL_MOVE_EVALUATION_DIVISOR.get()).clamp(0, NULL_MOVE_EVALUATION_LIMIT);
    (depth >= NULL_MOVE_DEPTH_MINIMUM).then_some(NULL_MOVE_BASE.get() + by_depth + by_surplus)
}

const PROB_CUT_DEPTH_MINIMUM: i32 = 5;
/// What the search that confirms a probable cut-off is reduced by.
pub const PROB_CUT_REDUCTION: i32 = 4;

/// By how much a capture, searched less deeply, must exceed beta so that the full search may be taken as
/// read (ProbCut, Buro 1995); `None` where there is too little depth to save.
pub fn prob_cut_margin(depth: i32) -> Option<i32> {
    (depth >= PROB_CUT_DEPTH_MINIMUM).then_some(PROB_CUT_MARGIN.get())
}

const INTERNAL_REDUCTION_DEPTH_MINIMUM: i32 = 4;

/// By how many plies a node is reduced for which the table knows no move: if it mattered, it will come again
/// (internal iterative reduction).
pub fn internal_reduction(depth: i32) -> i32 {
    i32::from(depth >= INTERNAL_REDUCTION_DEPTH_MINIMUM)
}

/// After so many moves the quiet ones are no longer tried (late move pruning); on the principal variation, half
/// as many more are.
pub fn late_move_count(depth: i32, is_improving: bool, is_pv: bool) -> i32 {
    let most = LATE_MOVE_COUNT_BASE.get() + depth * depth;
    let count = if is_improving { most } else { most / 2 };
    if is_pv { count + count / 2 } else { count }
}

/// Where alpha is higher, the game is won and what is left to find is a mate, which no margin foretells.
const FUTILITY_ALPHA_LIMIT: i32 = 1_500;

/// By how much the evaluation must fall short of alpha so that a quiet move, to be searched this deep, won't
/// make up for it; `None` where it might.
pub fn futility_margin(reduced_depth: i32, alpha: Score) -> Option<i32> {
    (reduced_depth <= FUTILITY_DEPTH_LIMIT.get() && alpha.value() < FUTILITY_ALPHA_LIMIT)
        .then_some(FUTILITY_BASE.get() + FUTILITY_MARGIN.get() * reduced_depth)
}

/// A quiet move, to be searched this deep, is not worth it if its history is below this; `None` where
/// histories are not trusted so far.
pub fn history_minimum(reduced_depth: i32) -> Option<i32> {
    (reduced_depth <= HISTORY_DEPTH_LIMIT.get())
        .then_some(-HISTORY_MARGIN.get() * (reduced_depth + 1))
}

const CLEAR_CUT_MARGIN: i32 = 60;

/// The depth of what is learned from a cut-off `surplus` centipawns above beta: a clear one teaches more.
pub fn depth_of_lesson(depth: i32, surplus: i32) -> i32 {
    depth + i32::from(surplus > CLEAR_CUT_MARGIN)
}

const EXCHANGE_DEPTH_LIMIT: i32 = 9;

/// What a quiet move, to be searched this deep, may lose on its square and still be tried.
pub fn quiet_exchange_minimum(reduced_depth: i32) -> Option<i32> {
    let loss = QUIET_EXCHANGE_MARGIN.get() * reduced_depth * reduced_depth;
    (reduced_depth <= EXCHANGE_DEPTH_LIMIT).then_some(-loss)
}

/// What a capture at this depth may lose on its square and still be tried.
pub fn capture_exchange_minimum(depth: i32) -> Option<i32> {
    (depth <= EXCHANGE_DEPTH_LIMIT).then_some(-CAPTURE_EXCHANGE_MARGIN.get() * depth)
}

const SINGULAR_TABLE_DEPTH: i32 = 3;
/// The margin is given in sixteenths.
const SINGULAR_MARGIN_GRAIN: i32 = 16;
/// No line is extended twice in one ply more often than this.
pub const DOUBLE_EXTENSION_LIMIT: u8 = 8;

/// By how much every other move must fall short of the table's, whose entry is `table_depth` plies deep, so
/// that it counts as the only good one; `None` where that is not worth finding out.
pub fn singular_margin(depth: i32, table_depth: i32) -> Option<i32> {
    let is_worth_it =
        depth >= SINGULAR_DEPTH_MINIMUM.get() && table_depth >= depth - SINGULAR_TABLE_DEPTH;
    is_worth_it.then_some(SINGULAR_MARGIN.get() * depth / SINGULAR_MARGIN_GRAIN)
}

/// To how many plies it is found out.
pub fn singular_depth(depth: i32) -> i32 {
    (depth - 1) / 2
}

/// By how many plies a move is extended beside which all others fall `shortfall` below the singular bound: one,
/// or two if they fall far below and the line was not extended often before.
pub fn singular_extension(shortfall: i32, doubled_before: u8) -> i32 {
    let is_double =
        shortfall > DOUBLE_EXTENSION_MARGIN.get() && doubled_before < DOUBLE_EXTENSION_LIMIT;
    1 + i32::from(is_double)
}

const LATE_MOVE_DEPTH_MINIMUM: i32 = 2;

/// What is known of a late move.
#[derive(Clone, Copy, Debug, Default)]
pub struct LateMove {
    /// The sum of its histories.
    pub history: i32,
    /// The node lies on the principal variation.
    pub is_pv: bool,
    /// The node is expected to be cut off.
    pub is_cut: bool,
    /// The side to move stands better than two plies ago.
    pub is_improving: bool,
    /// It refuted a sibling.
    pub is_killer: bool,
    /// It gives check.
    pub gives_check: bool,
    /// The table's move is a capture or promotion, which a quiet move will hardly beat.
    pub table_move_is_tactical: bool,
}

/// The reduction of a late move before anything is known of it: more for deeper nodes and later moves. In
/// parts of a [`PLY`].
pub fn base_reduction(depth: i32, move_number: i32) -> i32 {
    let product = log2_sixteenths(depth) * log2_sixteenths(move_number);
    LATE_MOVE_BASE.get() + product * LATE_MOVE_FACTOR.get() / PLY
}

/// To how many plies a late move will roughly be searched.
pub fn depth_of_late_move(depth: i32, move_number: i32) -> i32 {
    (depth - base_reduction(depth, move_number) / PLY).max(0)
}

/// By how many plies a late move is reduced (late move reductions). Zero is no reduction.
pub fn late_move_reduction(depth: i32, move_number: i32, late: LateMove) -> i32 {
    if depth < LATE_MOVE_DEPTH_MINIMUM || move_number < 2 + 2 * i32::from(late.is_pv) {
        return 0;
    }
    let when = |condition: bool, parts: i32| if condition { parts } else { 0 };
    let parts = base_reduction(depth, move_number)
        + when(late.is_cut, LATE_MOVE_CUT.get())
        + when(!late.is_improving, LATE_MOVE_WORSENING.get())
        + when(late.table_move_is_tactical, LATE_MOVE_TABLE_CAPTURE.get())
        - when(late.is_pv, LATE_MOVE_PV.get())
        - when(late.is_killer, LATE_MOVE_KILLER.get())
        - when(late.gives_check, LATE_MOVE_CHECK.get())
        - late.history / LATE_MOVE_HISTORY_DIVISOR.get();
    (parts / PLY).max(0)
}

/// How the depth changes at which a reduced move is looked at again that came out `surplus` above the best so
/// far: more if it surprised, less if it hardly did.
pub fn depth_after_surprise(surplus: i32) -> i32 {
    i32::from(surplus > DEEPER_MARGIN.get()) - i32::from(surplus < SHALLOWER_MARGIN.get())
}

const FAIL_HIGH_LIMIT: i32 = 3;

/// The depth of an iteration whose score was so often higher than expected: that the best move is good is
/// known, and how good is found out sooner a little less deeply.
pub fn depth_after_fail_highs(depth: i32, fail_highs: i32) -> i32 {
    (depth - fail_highs.min(FAIL_HIGH_LIMIT)).max(1)
}

/// The binary logarithm in sixteenths, interpolated between powers of two, of depths and move numbers; of
/// anything greater, that of the greatest. Integers, so that the tree is the same on every machine.
fn log2_sixteenths(n: i32) -> i32 {
    debug_assert!(n > 0, "only what is positive has a logarithm");
    LOGARITHMS[(n as usize).min(LOGARITHMS.len() - 1)]
}

/// Looked up at every move; no position has more moves than this.
static LOGARITHMS: [i32; 256] = {
    let mut logarithms = [0; 256];
    let mut n = 1;
    while n < logarithms.len() {
        let whole = n.ilog2();
        let fraction = ((n << 4) >> whole) as i32 - 16;
        logarithms[n] = whole as i32 * 16 + fraction;
        n += 1;
    }
    logarithms
};

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
        let on_pv = LateMove {
            is_pv: true,
            ..LateMove::default()
        };
        assert_eq!(late_move_reduction(1, 40, LateMove::default()), 0);
        assert_eq!(late_move_reduction(20, 1, LateMove::default()), 0);
        assert_eq!(late_move_reduction(20, 3, on_pv), 0);
    }

    #[test]
    fn reductions_grow_with_depth_and_number_and_follow_what_is_known() {
        let plain = LateMove::default();
        let reduction = |late| late_move_reduction(12, 20, late);
        assert!(reduction(plain) > late_move_reduction(4, 20, plain));
        assert!(reduction(plain) > late_move_reduction(12, 4, plain));
        for less in [
            LateMove {
                is_pv: true,
                ..plain
            },
            LateMove {
                is_killer: true,
                ..plain
            },
            LateMove {
                gives_check: true,
                ..plain
            },
            LateMove {
                history: 30_000,
                ..plain
            },
        ] {
            assert!(reduction(less) < reduction(plain), "{less:?}");
        }
        for more in [
            LateMove {
                is_cut: true,
                ..plain
            },
            LateMove {
                history: -30_000,
                ..plain
            },
        ] {
            assert!(reduction(more) > reduction(plain), "{more:?}");
        }
        assert_eq!(
            late_move_reduction(
                3,
                4,
                LateMove {
                    history: 60_000,
                    ..plain
                }
            ),
            0
        );
    }

    #[test]
    fn deep_nodes_get_no_reverse_futility_and_shallow_ones_no_null_move() {
        assert_eq!(
            reverse_futility_margin(REVERSE_FUTILITY_DEPTH_LIMIT.get() + 1, false),
            None
        );
        assert!(reverse_futility_margin(4, true) < reverse_futility_margin(4, false));
        assert_eq!(null_move_reduction(2, 500), None);
        assert!(null_move_reduction(8, 500) > null_move_reduction(8, 0));
        assert_eq!(null_move_reduction(8, 0), null_move_reduction(8, -100));
        assert_eq!(
            null_move_reduction(8, 1_000),
            null_move_reduction(8, 100_000)
        );
    }

    #[test]
    fn a_move_far_ahead_of_the_others_is_extended_twice_but_not_for_ever() {
        assert_eq!(singular_extension(1, 0), 1);
        assert_eq!(singular_extension(100, 0), 2);
        assert_eq!(singular_extension(100, DOUBLE_EXTENSION_LIMIT), 1);
    }

    #[test]
    fn margins_end_where_trust_ends() {
        assert_eq!(razoring_margin(RAZORING_DEPTH_LIMIT.get() + 1), None);
        let futile = FUTILITY_DEPTH_LIMIT.get();
        assert_eq!(futility_margin(futile + 1, Score::DRAW), None);
        assert_eq!(futility_margin(futile, Score::mate_in(5)), None);
        assert!(futility_margin(futile, Score::DRAW).is_some());
        assert_eq!(history_minimum(HISTORY_DEPTH_LIMIT.get() + 1), None);
        assert_eq!(quiet_exchange_minimum(EXCHANGE_DEPTH_LIMIT + 1), None);
        assert_eq!(capture_exchange_minimum(EXCHANGE_DEPTH_LIMIT + 1), None);
        assert_eq!(prob_cut_margin(PROB_CUT_DEPTH_MINIMUM - 1), None);
        let singular = SINGULAR_DEPTH_MINIMUM.get();
        assert_eq!(singular_margin(singular - 1, singular), None);
        assert_eq!(singular_margin(12, 12 - SINGULAR_TABLE_DEPTH - 1), None);
        assert!(singular_margin(12, 12 - SINGULAR_TABLE_DEPTH).is_some());
    }

    #[test]
    fn fail_highs_cost_an_iteration_little_depth() {
        assert_eq!(depth_after_fail_highs(9, 0), 9);
        assert_eq!(depth_after_fail_highs(9, 2), 7);
        assert_eq!(depth_after_fail_highs(9, 20), 6);
        assert_eq!(depth_after_fail_highs(2, 2), 1);
    }

    #[test]
    fn a_surprise_is_looked_at_more_closely() {
        assert_eq!(depth_after_surprise(200), 1);
        assert_eq!(depth_after_surprise(20), 0);
        assert_eq!(depth_after_surprise(1), -1);
    }
}
