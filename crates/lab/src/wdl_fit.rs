//! Fits the WDL model to games: the coefficients under which their results are most likely.
//!
//! The method is Fisher scoring: Newton's method for the logarithm of the likelihood, with the
//! expected curvature instead of the true one. It has no random numbers and no settings, so the
//! same games give the same model.

use std::array::from_fn;

use super::game_file::TrainingGame;
use super::wdl_samples::{Outcome, WdlSample, samples_of};
use squarewise_engine::wdl::{self, Chances, KNOTS, WdlModel, WinCurve};

/// The fewest games that a model is fitted to.
pub(super) const MIN_GAMES: usize = 50;
/// The numbers that the model has for an amount of material: `a`, `b` and `p`.
const CURVE: usize = 3;
/// The number of coefficients.
const SIZE: usize = CURVE * KNOTS.len();
/// The most steps of the fit; it takes about ten.
const MAX_STEPS: usize = 100;
/// How many lengths of a step are tried, each half of the one before, until one raises the
/// likelihood. If none does, the fit ends.
const MAX_HALVINGS: usize = 30;
/// The fit ends when a step raises the log-likelihood of a position by less than this.
const MIN_RISE: f64 = 1e-12;
/// Probabilities below this count as this, so that their logarithm exists.
const MIN_CHANCE: f64 = 1e-9;

/// Equations with a smaller pivot than this have no solution that means something. The means of
/// derivatives that they are made of are about one.
const MIN_PIVOT: f64 = 1e-12;

type Vector = [f64; SIZE];
type Matrix = [Vector; SIZE];

/// The error of data that no model can be fitted to.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum WdlFitError {
    /// There are too few games.
    #[error("{0} games are too few, at least {MIN_GAMES} are needed")]
    TooFewGames(usize),
    /// There are too few games to leave a part of them out.
    #[error("{0} games are too few for a cross-validation, at least {1} are needed")]
    TooFewToCrossValidate(usize, usize),
    /// The games don't determine the model: their material or their results are too much alike.
    #[error(
        "the games don't determine the model: their material or their results are too much alike"
    )]
    Undetermined,
}

impl WdlSample {
    /// The logarithm of the probability of the result, with its derivatives by `a`, `b` and `p`,
    /// and their information matrix: the expected products of the derivatives.
    fn likelihood(&self, model: &WdlModel) -> Likelihood {
        let curve = model.curve(self.material);
        let Chances { win, draw, loss } = curve.chances(self.centipawns);
        let pawns = self.centipawns / 100.0;
        let strength = pawns.powf(curve.p);
        let strength_by_p = if pawns > 0.0 {
            strength * pawns.ln()
        } else {
            0.0
        };
        // The derivatives of a chance by `a`, `b` and `p`.
        let slope = |chance: f64, strength: f64, strength_by_p: f64| {
            let distance = (strength - curve.a) / curve.b;
            let by_argument = chance * (1.0 - chance) / curve.b;
            [-1.0, -distance, strength_by_p].map(|factor| factor * by_argument)
        };
        let win_by = slope(win, strength, strength_by_p);
        let loss_by = slope(loss, -strength, -strength_by_p);
        let draw_by = from_fn(|index| -win_by[index] - loss_by[index]);
        let [win, draw, loss] = [win, draw, loss].map(|chance| chance.max(MIN_CHANCE));
        let (chance, chance_by) = match self.outcome {
            Outcome::Win => (win, win_by),
            Outcome::Draw => (draw, draw_by),
            Outcome::Loss => (loss, loss_by),
        };
        let information = |row: usize, column: usize| {
            win_by[row] * win_by[column] / win
                + draw_by[row] * draw_by[column] / draw
                + loss_by[row] * loss_by[column] / loss
        };
        Likelihood {
            log: chance.ln(),
            gradient: chance_by.map(|slope| slope / chance),
            information: from_fn(|row| from_fn(|column| information(row, column))),
        }
    }
}

/// The likelihood of one result, by the numbers that the model has for its material.
struct Likelihood {
    log: f64,
    gradient: [f64; CURVE],
    information: [[f64; CURVE]; CURVE],
}

/// Fits the model to the positions of games.
///
/// # Errors
///
/// [`WdlFitError`] if the games are too few or too much alike.
pub fn fit<'a>(games: impl IntoIterator<Item = &'a TrainingGame>) -> Result<WdlModel, WdlFitError> {
    let samples: Vec<Vec<WdlSample>> = games.into_iter().map(samples_of).collect();
    if samples.len() < MIN_GAMES {
        return Err(WdlFitError::TooFewGames(samples.len()));
    }
    let samples = samples.concat();
    fit_samples(&samples)
}

fn fit_samples(samples: &[WdlSample]) -> Result<WdlModel, WdlFitError> {
    let start = WinCurve {
        a: 1.5,
        b: 0.8,
        p: 0.8,
    };
    let has = |outcome| samples.iter().any(|sample| sample.outcome == outcome);
    if !Outcome::ALL.into_iter().all(has) {
        return Err(WdlFitError::Undetermined);
    }
    let mut model = WdlModel([start; KNOTS.len()]);
    let mut log_likelihood = mean_log_likelihood(samples, &model);
    for _ in 0..MAX_STEPS {
        let (gradient, information) = derivatives(samples, &model);
        let step = solve(information, gradient).ok_or(WdlFitError::Undetermined)?;
        let shorter =
            (0..MAX_HALVINGS).map(|halvings| moved(&model, &step, 0.5_f64.powi(halvings as i32)));
        let better = shorter
            .map(|moved| (mean_log_likelihood(samples, &moved), moved))
            .find(|(log, _)| *log > log_likelihood);
        let Some((log, next)) = better else {
            return Ok(model);
        };
        let rise = log - log_likelihood;
        (model, log_likelihood) = (next, log);
        if rise < MIN_RISE {
            return Ok(model);
        }
    }
    Err(WdlFitError::Undetermined)
}

/// The weighted mean of the log-likelihoods; minus infinity for a model that is none, because one
/// of its numbers is not positive.
fn mean_log_likelihood(samples: &[WdlSample], model: &WdlModel) -> f64 {
    let is_model = |WinCurve { a, b, p }: &WinCurve| *a > 0.0 && *b > 0.0 && *p > 0.0;
    if !model.0.iter().all(is_model) {
        return f64::NEG_INFINITY;
    }
    let weighted = |sample: &WdlSample| sample.weight * sample.likelihood(model).log;
    let weights: f64 = samples.iter().map(|sample| sample.weight).sum();
    samples.iter().map(weighted).sum::<f64>() / weights
}

/// The gradient of the mean log-likelihood and the mean information matrix, by all coefficients.
fn derivatives(samples: &[WdlSample], model: &WdlModel) -> (Vector, Matrix) {
    let (mut gradient, mut information) = ([0.0; SIZE], [[0.0; SIZE]; SIZE]);
    let weights: f64 = samples.iter().map(|sample| sample.weight).sum();
    for sample in samples {
        let likelihood = sample.likelihood(model);
        let knot_weights = wdl::knot_weights(sample.material);
        let weight = sample.weight / weights;
        for row in 0..SIZE {
            let (part, share) = (row % CURVE, knot_weights[row / CURVE]);
            gradient[row] += weight * likelihood.gradient[part] * share;
            for column in 0..SIZE {
                let product = weight * share * knot_weights[column / CURVE];
                information[row][column] += likelihood.information[part][column % CURVE] * product;
            }
        }
    }
    (gradient, information)
}

/// The model a part of a step further on.
fn moved(model: &WdlModel, step: &Vector, part: f64) -> WdlModel {
    WdlModel(from_fn(|knot| {
        let WinCurve { a, b, p } = model.0[knot];
        let moved = |number: f64, index: usize| number + part * step[CURVE * knot + index];
        WinCurve {
            a: moved(a, 0),
            b: moved(b, 1),
            p: moved(p, 2),
        }
    }))
}

/// Solves a system of linear equations by Gaussian elimination; `None` if it has no unique
/// solution, or hardly one.
fn solve(mut matrix: Matrix, mut right: Vector) -> Option<Vector> {
    for column in 0..SIZE {
        let pivot = (column..SIZE).max_by(|one, other| {
            matrix[*one][column]
                .abs()
                .total_cmp(&matrix[*other][column].abs())
        })?;
        matrix.swap(column, pivot);
        right.swap(column, pivot);
        let pivot_row = matrix[column];
        if pivot_row[column].abs() < MIN_PIVOT || !pivot_row[column].is_finite() {
            return None;
        }
        for row in 0..SIZE {
            if row != column {
                let factor = matrix[row][column] / pivot_row[column];
                for (value, pivot) in matrix[row].iter_mut().zip(pivot_row) {
                    *value -= factor * pivot;
                }
                right[row] -= factor * right[column];
            }
        }
    }
    Some(from_fn(|row| right[row] / matrix[row][row]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Samples whose results have exactly the shares that a model predicts.
    fn samples(model: &WdlModel) -> Vec<WdlSample> {
        let of = |material: u32, centipawns: f64| {
            let Chances { win, draw, loss } = model.curve(material).chances(centipawns);
            let shares = Outcome::ALL.into_iter().zip([win, draw, loss]);
            shares.map(move |(outcome, weight)| WdlSample {
                centipawns,
                material,
                outcome,
                weight,
                bin: 0,
            })
        };
        let scores = || (0..60).map(|step| f64::from(step) * 12.0);
        let materials = (6..=82).step_by(4);
        materials
            .flat_map(|material| scores().flat_map(move |centipawns| of(material, centipawns)))
            .collect()
    }

    #[test]
    fn the_model_behind_the_results_is_found() {
        let curves = [
            [1.8, 0.4, 0.5],
            [1.5, 0.6, 0.8],
            [1.2, 0.7, 0.9],
            [0.9, 0.7, 1.0],
            [1.1, 1.0, 0.7],
        ];
        let model = WdlModel(curves.map(|[a, b, p]| WinCurve { a, b, p }));
        let fitted = fit_samples(&samples(&model)).expect("there is enough data");
        for (fitted, expected) in fitted.0.into_iter().zip(model.0) {
            for (fitted, expected) in [
                (fitted.a, expected.a),
                (fitted.b, expected.b),
                (fitted.p, expected.p),
            ] {
                assert!((fitted - expected).abs() < 1e-3, "{fitted} for {expected}");
            }
        }
    }

    #[test]
    fn too_few_games_and_games_without_material_to_compare_are_refused() {
        let games = vec![TrainingGame::default(); MIN_GAMES - 1];
        assert_eq!(fit(&games), Err(WdlFitError::TooFewGames(MIN_GAMES - 1)));
        let games = vec![TrainingGame::default(); MIN_GAMES];
        assert_eq!(fit(&games), Err(WdlFitError::Undetermined));
    }

    #[test]
    fn games_without_one_of_the_results_are_refused() {
        let model = WdlModel(
            [WinCurve {
                a: 1.5,
                b: 0.8,
                p: 0.8,
            }; KNOTS.len()],
        );
        for missing in Outcome::ALL {
            let mut samples = samples(&model);
            samples.retain(|sample| sample.outcome != missing);
            assert_eq!(fit_samples(&samples), Err(WdlFitError::Undetermined));
        }
    }

    #[test]
    fn linear_equations_are_solved_whatever_their_order() {
        // A permutation with a factor: row n asks for twice the unknown n + 1.
        let matrix = from_fn(|row| from_fn(|column| 2.0 * f64::from(column == (row + 1) % SIZE)));
        let right = from_fn(|row| row as f64);
        let solution = solve(matrix, right).expect("it has a solution");
        let expected: Vector = from_fn(|column| ((column + SIZE - 1) % SIZE) as f64 / 2.0);
        assert_eq!(solution, expected);
        assert_eq!(solve([[1.0; SIZE]; SIZE], right), None);
    }
}
