//! The scaling constant K of Texel's tuning method.

use super::parameters::sigmoid;
use super::training_data::PackedPosition;

/// The scaling constant is found with this many positions, at most.
const SCALED_POSITIONS: usize = 100_000;
/// The limits of the scaling constant, in the sigmoid's units to a centipawn: with them a pawn
/// makes the expected score 0.5025 or 0.95.
const SCALE_LIMITS: [f64; 2] = [1e-4, 3e-2];
/// The rounds in which the scaling constant is found. Each leaves two thirds of the range: after 40
/// a ten-millionth of it is left.
const SCALE_ROUNDS: u32 = 40;

/// The scaling constant K of Texel's tuning method: the factor by which search scores, through the
/// sigmoid, come closest to the results, found by ternary search. Zero if all scores are zero.
pub(super) fn fitted_scale(positions: &[PackedPosition]) -> f64 {
    if positions.iter().all(|position| position.score == 0) {
        return 0.0;
    }
    let error = |scale: f64| -> f64 {
        let square = |position: &PackedPosition| {
            let expected = sigmoid((f64::from(position.score) * scale) as f32);
            f64::from((expected - position.result.points()).powi(2))
        };
        positions
            .iter()
            .step_by(positions.len() / SCALED_POSITIONS + 1)
            .map(square)
            .sum()
    };
    let [mut low, mut high] = SCALE_LIMITS;
    for _ in 0..SCALE_ROUNDS {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if error(left) < error(right) {
            high = right
        } else {
            low = left
        }
    }
    (low + high) / 2.0
}
