//! Winning chances, the accuracy of moves and players, and the average centipawn loss, by the
//! formulas that Lichess publishes, so that the figures can be compared with those there.
//!
//! The winning chances before and after a move give its accuracy; a move that loses none has 100 %.
//! The accuracy of a player is the mean of two means over the player's moves: one in which moves of
//! sharp phases count more, and the harmonic mean, in which bad moves count more.
//!
//! Sources: <https://lichess.org/page/accuracy> for the winning chances and the accuracy of a move;
//! the files `AccuracyPercent.scala` and `AccuracyCP.scala` in `modules/analyse` of
//! <https://github.com/lichess-org/lila> for those of a player.

use squarewise_engine::score::Score;

/// Scores beyond this many centipawns, and mates, count as this many.
const CENTIPAWN_LIMIT: i32 = 1_000;

/// How steeply the winning chances grow with the score.
const WIN_GRADIENT: f64 = 0.003_682_08;

/// The accuracy of a move is `SCALE * exp(-DECAY * loss) - OFFSET`, and a little more, because the
/// analysis itself isn't perfect. The loss is in points of the winning percentage.
const SCALE: f64 = 103.166_810_071_164_9;
const DECAY: f64 = 0.043_544_153_867_539_51;
const OFFSET: f64 = 3.166_924_740_191_411;
const BONUS: f64 = 1.0;

/// The score in centipawns within the limit, in which mates and tablebase results count as the
/// limit.
pub(super) fn limited_centipawns(score: Score) -> i32 {
    score.value().clamp(-CENTIPAWN_LIMIT, CENTIPAWN_LIMIT)
}

/// The winning chances in per cent of the side from whose point of view the score is.
pub(super) fn win_percent(score: Score) -> f64 {
    100.0 / (1.0 + (-WIN_GRADIENT * f64::from(limited_centipawns(score))).exp())
}

/// The accuracy in per cent of a move by which the player's winning percentage went from one to the
/// other.
pub(super) fn accuracy_of_move(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let accuracy = SCALE * (-DECAY * (before - after)).exp() - OFFSET;
    (accuracy + BONUS).clamp(0.0, 100.0)
}

/// How much each move counts: the standard deviation of White's winning percentage in a window of
/// positions that ends with the move, limited to 0.5 to 12. The first moves share the first window.
/// The windows are a tenth of the game, from 2 to 8 positions. There is one percentage for each
/// position of the game and one weight for each move.
pub(super) fn weights(win_percents: &[f64]) -> Vec<f64> {
    let moves = win_percents.len().saturating_sub(1);
    let length = (moves / 10).clamp(2, 8).min(win_percents.len());
    (0..moves)
        .map(|index| {
            let first = index.saturating_sub(length - 2);
            standard_deviation(&win_percents[first..first + length]).clamp(0.5, 12.0)
        })
        .collect()
}

/// The accuracy of a player, from the accuracy and the weight of each move; `None` without a move.
pub(super) fn accuracy_of_player(moves: &[(f64, f64)]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weights: f64 = moves.iter().map(|(_, weight)| weight).sum();
    let weighted: f64 = moves
        .iter()
        .map(|(accuracy, weight)| accuracy * weight)
        .sum();
    let inverses: f64 = moves
        .iter()
        .map(|(accuracy, _)| 1.0 / accuracy.max(1.0))
        .sum();
    let harmonic = moves.len() as f64 / inverses;
    Some((weighted / weights + harmonic) / 2.0)
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares = values.iter().map(|value| (value - mean).powi(2));
    (squares.sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_about(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 0.05
    }

    #[test]
    fn the_chance_to_win_follows_the_published_curve() {
        // Win% = 50 + 50 * (2 / (1 + exp(-0.00368208 * centipawns)) - 1)
        for (centipawns, expected) in [(0, 50.0), (100, 59.1), (-100, 40.9), (300, 75.1)] {
            let percent = win_percent(Score::centipawns(centipawns));
            assert!(is_about(percent, expected), "{percent} at {centipawns}");
        }
        assert!((win_percent(Score::centipawns(200)) - 67.621_16).abs() < 1e-4);
        let best = win_percent(Score::mate_in(3));
        assert_eq!(best, win_percent(Score::centipawns(1_000)));
        assert!(is_about(best + win_percent(Score::mated_in(3)), 100.0));
    }

    #[test]
    fn the_accuracy_of_a_move_follows_the_published_curve() {
        for (loss, expected) in [(0.0, 100.0), (5.0, 80.8), (10.0, 64.6), (20.0, 41.0)] {
            let accuracy = accuracy_of_move(60.0, 60.0 - loss);
            assert!(is_about(accuracy, expected), "{accuracy} at {loss}");
        }
        // 103.16681 * exp(-0.4354415) - 3.16692 + 1
        assert!((accuracy_of_move(60.0, 50.0) - 64.579_83).abs() < 1e-4);
        assert_eq!(accuracy_of_move(40.0, 60.0), 100.0);
        assert_eq!(accuracy_of_move(100.0, 0.0), 0.0);
    }

    #[test]
    fn moves_of_sharp_phases_count_more() {
        let mut percents = vec![50.0; 41];
        percents[30..].fill(90.0);
        let weights = weights(&percents);
        assert_eq!(weights.len(), 40);
        assert_eq!((weights[10], weights[39]), (0.5, 0.5));
        assert_eq!(weights[29], 12.0);
        assert!(super::weights(&[50.0]).is_empty());
        assert_eq!(super::weights(&[50.0, 52.0]), [1.0]);
    }

    #[test]
    fn bad_moves_pull_the_accuracy_of_a_player_down() {
        assert_eq!(accuracy_of_player(&[]), None);
        assert_eq!(accuracy_of_player(&[(80.0, 1.0)]), Some(80.0));
        let mixed = accuracy_of_player(&[(100.0, 1.0), (0.0, 1.0)]);
        assert!(mixed.is_some_and(|accuracy| (20.0..30.0).contains(&accuracy)));
        let sharp = accuracy_of_player(&[(100.0, 1.0), (0.0, 9.0)]);
        assert!(sharp < mixed);
    }
}
