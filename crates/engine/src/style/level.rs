//! How strong a player is, told by how often they err.

use super::Stage;

/// Levels of play with the share of their moves that lose more than [`MAX_LOSS`](super::MAX_LOSS),
/// on average of the stages of the game: measured as styles are fitted, in games of each level with
/// itself.
const ERROR_RATES: [(u32, f64); 6] = [
    (500, 0.581),
    (1_000, 0.565),
    (1_500, 0.364),
    (2_000, 0.220),
    (2_500, 0.140),
    (3_000, 0.124),
];

/// The level of play, as an Elo rating, that errs as often; between 500 and 3,000.
pub(super) fn of(stages: &[Stage; 3]) -> u32 {
    let rate = stages.iter().map(|stage| stage.error_rate()).sum::<f64>() / stages.len() as f64;
    let pairs = ERROR_RATES.iter().zip(&ERROR_RATES[1..]);
    let found = pairs.clone().find(|(_, stronger)| rate >= stronger.1);
    let Some(((weak, often), (strong, seldom))) = found else {
        return ERROR_RATES[ERROR_RATES.len() - 1].0;
    };
    let share = ((often - rate) / (often - seldom)).clamp(0.0, 1.0);
    weak + (share * f64::from(strong - weak)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_rate(percent: u32) -> u32 {
        let moves = 100_000;
        of(&[Stage {
            moves,
            errors: moves / 100 * percent,
            loss: 0,
        }; 3])
    }

    #[test]
    fn who_errs_less_is_stronger() {
        assert_eq!((of_rate(90), of_rate(1)), (500, 3_000));
        let levels: Vec<u32> = [57, 50, 36, 30, 22, 18, 14, 12].map(of_rate).to_vec();
        assert!(levels.is_sorted_by(|one, next| one < next), "{levels:?}");
        assert!((1_990..=2_010).contains(&of_rate(22)), "{}", of_rate(22));
    }
}
