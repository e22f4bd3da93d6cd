//! How well the WDL model predicts games: predicted and observed shares of wins, draws and losses,
//! by score and material.
//!
//! A bin's shares are means over the games that visit it, as `wdl_samples.rs` weighs them.

use std::ops::Range;

use super::game_file::TrainingGame;
use super::wdl_fit::{self, WdlFitError};
use super::wdl_samples::{BINS, Outcome, WdlSample, ranges_of, samples_of};
use squarewise_engine::wdl::{Chances, WdlModel};

/// The number of parts of a cross-validation.
pub const PARTS: usize = 10;
/// The fewest games of a cross-validation: without the largest part, as many as a model is fitted
/// to.
const MIN_GAMES: usize = (wdl_fit::MIN_GAMES * PARTS).div_ceil(PARTS - 1);

/// Predictions and results of the positions in a range of material and a range of scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Bin {
    /// The material in pawns of both sides; the last range is open.
    pub material: Range<u32>,
    /// The score in centipawns for the side that it favours; the last range is open.
    pub centipawns: Range<u32>,
    /// The number of games with such positions.
    pub games: u32,
    /// The number of such positions.
    pub positions: u32,
    /// Wins, draws and losses of the side that the score favours.
    pub shares: [Share; 3],
}

/// The share of one result.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Share {
    /// The share that the model predicts, in per cent.
    pub predicted: f64,
    /// The share in the games, in per cent.
    pub observed: f64,
    /// The standard error of the difference of the two, in percentage points.
    pub error: f64,
}

impl Bin {
    /// The largest difference between a predicted and an observed share, in percentage points.
    pub fn largest_difference(&self) -> f64 {
        let shares = self.shares.iter();
        let differences = shares.map(|share| (share.observed - share.predicted).abs());
        differences.fold(0.0, f64::max)
    }

    /// The largest standard error, in percentage points.
    pub fn largest_error(&self) -> f64 {
        let errors = self.shares.iter().map(|share| share.error);
        errors.fold(0.0, f64::max)
    }
}

/// The sums over all games that visit a bin.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    games: u32,
    positions: u32,
    shares: [ShareSums; 3],
}

#[derive(Clone, Copy, Debug, Default)]
struct ShareSums {
    predicted: f64,
    observed: f64,
    /// The squares of the differences of the two.
    squares: f64,
    /// What those would be on average if the model were right and each game a single position.
    variance: f64,
}

/// Compares the predictions of a model with the results of games. Bins that no game visits are left
/// out.
pub fn calibrate(model: &WdlModel, games: &[TrainingGame]) -> Vec<Bin> {
    let mut sums = [Sums::default(); BINS];
    games
        .iter()
        .for_each(|game| add_game(&mut sums, model, game));
    to_bins(&sums)
}

/// Compares predictions with results by cross-validation: the games are dealt into parts, and each
/// part is predicted by a model fitted to the others. So no game is predicted by a model that was
/// fitted to it.
///
/// # Errors
///
/// [`WdlFitError`] if the games are too few or too much alike.
pub fn cross_validate(games: &[TrainingGame]) -> Result<Vec<Bin>, WdlFitError> {
    check_number(games.len())?;
    let mut sums = [Sums::default(); BINS];
    for part in 0..PARTS {
        let (fitted, predicted) = split(games, part);
        let model = wdl_fit::fit(fitted)?;
        for game in predicted {
            add_game(&mut sums, &model, game);
        }
    }
    Ok(to_bins(&sums))
}

/// Finds out whether games are enough for a cross-validation, before the work that would be lost.
///
/// # Errors
///
/// [`WdlFitError::TooFewToCrossValidate`] if they are not.
pub fn check_number(games: usize) -> Result<(), WdlFitError> {
    if games < MIN_GAMES {
        return Err(WdlFitError::TooFewToCrossValidate(games, MIN_GAMES));
    }
    Ok(())
}

/// The games to fit a model to, and those of this part, to be predicted by it.
fn split(games: &[TrainingGame], part: usize) -> (Vec<&TrainingGame>, Vec<&TrainingGame>) {
    let numbered = games.iter().enumerate();
    let (fitted, predicted): (Vec<_>, Vec<_>) =
        numbered.partition(|(number, _)| number % PARTS != part);
    let games_of = |numbered: Vec<(usize, _)>| numbered.into_iter().map(|(_, game)| game).collect();
    (games_of(fitted), games_of(predicted))
}

/// Adds a game to the bins that it visits.
fn add_game(sums: &mut [Sums; BINS], model: &WdlModel, game: &TrainingGame) {
    let samples = samples_of(game);
    for (bin, sums) in sums.iter_mut().enumerate() {
        let in_bin = samples.iter().filter(|sample| sample.bin == bin);
        sums.add_game(model, in_bin);
    }
}

fn to_bins(sums: &[Sums; BINS]) -> Vec<Bin> {
    let bins = sums.iter().enumerate();
    bins.filter_map(|(bin, sums)| sums.to_bin(bin)).collect()
}

impl Sums {
    /// Adds the samples of one game in this bin.
    fn add_game<'a>(&mut self, model: &WdlModel, samples: impl Iterator<Item = &'a WdlSample>) {
        let mut positions = 0;
        let (mut predicted, mut observed) = ([0.0; 3], [0.0; 3]);
        for sample in samples {
            let curve = model.curve(sample.material);
            let Chances { win, draw, loss } = curve.chances(sample.centipawns);
            positions += 1;
            for (index, chance) in [win, draw, loss].into_iter().enumerate() {
                let is_result = sample.outcome == Outcome::ALL[index];
                predicted[index] += sample.weight * chance;
                observed[index] += sample.weight * f64::from(is_result);
            }
        }
        self.games += u32::from(positions > 0);
        self.positions += positions;
        for (index, share) in self.shares.iter_mut().enumerate() {
            share.predicted += predicted[index];
            share.observed += observed[index];
            share.squares += (observed[index] - predicted[index]).powi(2);
            share.variance += predicted[index] * (1.0 - predicted[index]);
        }
    }

    fn to_bin(self, bin: usize) -> Option<Bin> {
        let [material, centipawns] = ranges_of(bin);
        let games = f64::from(self.games);
        let share = |sums: ShareSums| {
            let difference = (sums.observed - sums.predicted) / games;
            // Few games can agree by chance, and one always does: they would differ at least as
            // much as the model says, and as their share does with one game more of each kind.
            let observed = sums.squares / games - difference * difference;
            let smoothed = (sums.observed + 1.0) / (games + 2.0);
            let least = (sums.variance / games).max(smoothed * (1.0 - smoothed));
            let variance = observed.max(least) / games;
            Share {
                predicted: 100.0 * sums.predicted / games,
                observed: 100.0 * sums.observed / games,
                error: 100.0 * variance.sqrt(),
            }
        };
        (self.games > 0).then(|| Bin {
            material,
            centipawns,
            games: self.games,
            positions: self.positions,
            shares: self.shares.map(share),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training_position::{GameResult, TrainingPosition};
    use shakmaty::{Bitboard, Board, Color};

    /// A game with this many positions, all with the same score for White.
    fn game(score: i16, positions: usize, result: GameResult) -> TrainingGame {
        let position = TrainingPosition {
            board: Board::default(),
            turn: Color::White,
            castling_rights: Bitboard::EMPTY,
            en_passant: None,
            score,
            result,
        };
        TrainingGame {
            positions: vec![position; positions],
        }
    }

    #[test]
    fn shares_are_those_of_games_whatever_their_length() {
        let games = [
            game(-60, 1, GameResult::BlackWins),
            game(60, 8, GameResult::Draw),
            game(60, 3, GameResult::Draw),
            game(-60, 2, GameResult::WhiteWins),
        ];
        let bins = calibrate(&WdlModel::FITTED, &games);
        let [bin] = bins.as_slice() else {
            panic!("one bin, not {bins:?}");
        };
        assert_eq!((bin.games, bin.positions), (4, 14));
        assert_eq!((bin.material.start, bin.centipawns.clone()), (50, 50..100));
        assert_eq!(bin.shares.map(|share| share.observed), [25.0, 50.0, 25.0]);
        let curve = WdlModel::FITTED.curve(78);
        let Chances { win, draw, loss } = curve.chances(60.0);
        for (share, chance) in bin.shares.iter().zip([win, draw, loss]) {
            assert!((share.predicted - 100.0 * chance).abs() < 1e-9, "{share:?}");
        }
        // The standard error of a share in four games: the square root of p (1 - p) / 4.
        assert!((bin.shares[1].error - 25.0).abs() < 1e-9, "{bin:?}");
        assert_eq!(bin.largest_error(), bin.shares[1].error);
        let differences = bin
            .shares
            .map(|share| (share.observed - share.predicted).abs());
        assert!(differences.contains(&bin.largest_difference()));
        assert!(
            differences
                .iter()
                .all(|difference| *difference <= bin.largest_difference())
        );
    }

    #[test]
    fn a_cross_validation_needs_enough_games_without_each_part() {
        let fitted_at_least = |count: usize| {
            let games = vec![TrainingGame::default(); count];
            let parts = (0..PARTS).map(|part| split(&games, part).0.len());
            parts.min()
        };
        assert_eq!(MIN_GAMES, 56);
        assert_eq!(fitted_at_least(MIN_GAMES - 1), Some(wdl_fit::MIN_GAMES - 1));
        assert_eq!(fitted_at_least(MIN_GAMES), Some(wdl_fit::MIN_GAMES));
        let error = cross_validate(&vec![TrainingGame::default(); 52]);
        assert_eq!(error, Err(WdlFitError::TooFewToCrossValidate(52, 56)));
    }

    #[test]
    fn every_game_is_predicted_once_and_not_by_a_model_that_was_fitted_to_it() {
        let games: Vec<TrainingGame> = (0..25)
            .map(|score| game(score, 1, GameResult::Draw))
            .collect();
        let mut all_predicted = Vec::new();
        for part in 0..PARTS {
            let (fitted, predicted) = split(&games, part);
            assert_eq!(fitted.len() + predicted.len(), games.len());
            assert!(!fitted.iter().any(|game| predicted.contains(game)));
            all_predicted.extend(predicted);
        }
        assert!(games.iter().all(|game| all_predicted.contains(&game)));
        assert_eq!(all_predicted.len(), games.len());
    }
}
