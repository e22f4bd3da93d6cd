//! Rounding terms to whole centipawns so that they still add up: the method of largest remainders.

use shakmaty::Color;

use super::tapered_score::{BLEND_DIVISOR, TaperedScore};

/// A term before it is rounded.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExactPart {
    /// The value for White in centipawns, times [`BLEND_DIVISOR`].
    pub numerator: i32,
    /// Whether it is the value of a piece on any square.
    pub is_material: bool,
}

/// The blend of a score that is good for `side`, in centipawns from White's point of view and times
/// [`BLEND_DIVISOR`].
pub(super) fn numerator(side: Color, score: TaperedScore, phase: i32) -> i32 {
    let value = score.weighted(phase);
    side.fold_wb(value, -value)
}

/// Rounds the parts so that they add up to `total`, which must be less than one from their exact
/// sum.
pub(super) fn apportion(exact: &[ExactPart], total: i32) -> Vec<i32> {
    let mut rounded: Vec<i32> = exact.iter().map(|part| nearest(part.numerator)).collect();
    let missing = total - rounded.iter().sum::<i32>();
    let step = missing.signum();
    // What rounding took from each part, in the direction of what is missing.
    let lost = |index: &usize| step * (exact[*index].numerator - BLEND_DIVISOR * rounded[*index]);
    let mut order: Vec<usize> = (0..exact.len()).filter(|index| lost(index) > 0).collect();
    order.sort_by_key(|index| (exact[*index].is_material, -lost(index)));
    order.truncate(missing.unsigned_abs() as usize);
    debug_assert_eq!(
        order.len(),
        missing.unsigned_abs() as usize,
        "enough parts were rounded away from the total"
    );
    for index in order {
        rounded[index] += step;
    }
    rounded
}

/// The numerator divided by [`BLEND_DIVISOR`], to the nearest integer; halves are rounded away from
/// zero.
pub(super) fn nearest(numerator: i32) -> i32 {
    let half = BLEND_DIVISOR / 2 * numerator.signum();
    (numerator + half) / BLEND_DIVISOR
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::tapered_score::UNITS;

    fn parts(values: &[i32]) -> Vec<ExactPart> {
        let part = |numerator: &i32| ExactPart {
            numerator: *numerator * UNITS,
            is_material: false,
        };
        values.iter().map(part).collect()
    }

    #[test]
    fn what_is_missing_goes_to_the_parts_that_rounding_shortened_most() {
        // 10.46, 10.42 and 10.08 add up to 30.96, cut off to 30: nothing is missing.
        assert_eq!(apportion(&parts(&[251, 250, 242]), 30), [10, 10, 10]);
        // 10.46, 10.46 and 10.13 add up to 31.04.
        assert_eq!(apportion(&parts(&[251, 251, 243]), 31), [11, 10, 10]);
        // 10.54 twice, minus 0.13: 20.96, cut off to 20.
        assert_eq!(apportion(&parts(&[253, 253, -3]), 20), [10, 10, 0]);
        assert_eq!(apportion(&parts(&[]), 0), [0; 0]);
    }
}
