//! How often a player errs, in each stage of the game, and how strong a player that makes.

use shakmaty::Board;

use crate::evaluation::tapered_score::unclamped_phase;

/// How often a player errs in a stage of the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// The moves that were looked at.
    pub moves: u32,
    /// Those that lost more than [`MAX_LOSS`](super::MAX_LOSS), or were not among the lines.
    pub errors: u32,
    /// What the others lost together, in centipawns.
    pub loss: u32,
}

impl Stage {
    /// The names of the stages, by the pieces that are left.
    pub const NAMES: [&str; 3] = ["many pieces", "some pieces", "few pieces"];

    /// The stage of a board: 0 with more than two thirds of the pieces, counted as the phase of the
    /// game counts them, 1 with more than one third, 2 with fewer.
    pub fn of(board: &Board) -> usize {
        match unclamped_phase(board) {
            17.. => 0,
            9..=16 => 1,
            _ => 2,
        }
    }

    /// The chance of an error, strictly between 0 and 1 even if no move was looked at.
    pub fn error_rate(self) -> f64 {
        (f64::from(self.errors) + 1.0) / (f64::from(self.moves) + 10.0)
    }
}

/// Levels of play with the share of their moves that are none of the [`LINES`](super::LINES) best
/// or lose more than [`MAX_LOSS`](super::MAX_LOSS), on average of the stages of the game: measured
/// in games of each level with itself, as styles are fitted.
const ERROR_RATES: [(u32, f64); 6] = [
    (500, 0.581),
    (1_000, 0.565),
    (1_500, 0.364),
    (2_000, 0.220),
    (2_500, 0.140),
    (3_000, 0.124),
];

/// The figures tell levels apart to about so many points.
const STEP: f64 = 50.0;

/// The level of play, as an Elo rating, that errs as often: 500 to 3,000, by steps of 50. A stage
/// in which no move was looked at says nothing of it, unless that holds for all.
pub(super) fn level(stages: &[Stage; 3]) -> u32 {
    let knows_none = stages.iter().all(|stage| stage.moves == 0);
    let known = stages.iter().filter(|stage| knows_none || stage.moves > 0);
    let rates: Vec<f64> = known.map(|stage| stage.error_rate()).collect();
    let rate = rates.iter().sum::<f64>() / rates.len() as f64;
    let pairs = ERROR_RATES.iter().zip(&ERROR_RATES[1..]);
    let found = pairs.clone().find(|(_, stronger)| rate >= stronger.1);
    let Some(((weak, often), (strong, seldom))) = found else {
        return ERROR_RATES[ERROR_RATES.len() - 1].0;
    };
    let share = ((often - rate) / (often - seldom)).clamp(0.0, 1.0);
    weak + ((share * f64::from(strong - weak) / STEP).round() * STEP) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_rate(percent: u32) -> u32 {
        let moves = 100_000;
        level(
            &[Stage {
                moves,
                errors: moves / 100 * percent,
                loss: 0,
            }; 3],
        )
    }

    #[test]
    fn who_errs_less_is_stronger() {
        assert_eq!((of_rate(90), of_rate(1)), (500, 3_000));
        let levels: Vec<u32> = [57, 50, 36, 30, 22, 18, 14, 12].map(of_rate).to_vec();
        assert!(levels.is_sorted_by(|one, next| one < next), "{levels:?}");
        assert_eq!(of_rate(22), 2_000);
    }

    #[test]
    fn a_stage_without_moves_makes_nobody_stronger() {
        let seen = Stage {
            moves: 100_000,
            errors: 36_400,
            loss: 0,
        };
        let unseen = Stage::default();
        for stages in [[seen; 3], [seen, seen, unseen], [unseen, seen, unseen]] {
            assert_eq!(level(&stages), 1_500, "{stages:?}");
        }
        assert_eq!(level(&[unseen; 3]), 3_000);
    }
}
