//! Adam (Kingma and Ba, *Adam: a method for stochastic optimization*, 2015): gradient descent in
//! small batches with a step size of its own for each parameter.
//!
//! The loss is the mean square error of the expected score that the model predicts.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

use super::descent_state::{EpochLosses, State};
use super::gradient::Gradient;
use super::model::{LookUps, Model};
use super::parameters::{Parameters, ScorePair};
use super::training_data::{PackedPosition, TrainingData};
use squarewise_engine::position::random_moves::shuffle;

/// Positions in a batch.
const BATCH: usize = 8_192;
/// A batch is cut into this many parts on any number of threads, and their gradients are added in
/// order, so that the result is the same on any number of threads.
const PARTS: usize = 4;
/// About the second derivative of the loss that one position contributes to a parameter. It is the
/// squared slope of the sigmoid: 0.0625 for a balanced position, and less for all others.
const POSITION_CURVATURE: f32 = 0.05;
/// The learning rate of the last epoch, as a share of the first one's.
const LAST_RATE: f32 = 0.01;
/// The decay of the mean of gradients.
const MEAN_DECAY: f32 = 0.9;
/// The decay of the mean of squared gradients.
const SQUARE_DECAY: f32 = 0.999;

/// The settings of the optimizer.
#[derive(Clone, Debug)]
pub(super) struct AdamSettings {
    /// The learning rate of the first epoch, in the sigmoid's units; it shrinks to a hundredth at
    /// the last.
    pub(super) rate: f32,
    /// The prior of each parameter, which pulls it back to its start with the weight of this many
    /// positions.
    pub(super) prior_positions: Prior,
    /// Passes over the positions, at most.
    pub(super) epochs: u32,
    /// The seed of the order of positions.
    pub(super) seed: u64,
}

/// A strength of the prior for each parameter, as a number of positions. What has infinitely many
/// isn't fitted.
#[derive(Clone, Debug)]
pub(super) struct Prior {
    /// For each score of the index space.
    pub(super) scores: Vec<f32>,
    /// For the parts that pairs share.
    pub(super) relative: Vec<f32>,
    /// Whether the tempo bonus keeps its start; else nothing pulls it back.
    pub(super) keeps_tempo: bool,
}

/// What the length of a step depends on.
struct StepRate {
    rate: f32,
    /// The size of the batch.
    batch: f32,
    /// The pull of a prior of one position.
    prior_unit: f32,
    /// They make up for both running means starting at zero.
    corrections: [f32; 2],
}

impl StepRate {
    /// Moves one number against its slope.
    #[inline]
    fn step(&self, number: &mut f32, mean: &mut f32, square: &mut f32, slope: f32) {
        *mean += (slope - *mean) * (1.0 - MEAN_DECAY);
        *square += (slope * slope - *square) * (1.0 - SQUARE_DECAY);
        let [of_mean, of_square] = self.corrections;
        *number -= self.rate * (*mean * of_mean) / ((*square * of_square).sqrt() + 1e-8);
    }

    /// Moves a block of parameters against their gradient, summed over a batch. `start` is where
    /// the prior pulls them to.
    fn step_block(
        &self,
        [parameters, means, squares]: [&mut [ScorePair]; 3],
        gradient: &[ScorePair],
        start: &[ScorePair],
        prior: impl Fn(usize) -> f32 + Sync,
    ) {
        const AT_ONCE: usize = 1 << 12;
        let moments = means.par_iter_mut().zip(squares);
        let constants = gradient.par_iter().zip(start);
        let all = parameters.par_iter_mut().zip(moments).zip(constants);
        all.with_min_len(AT_ONCE).enumerate().for_each(
            |(number, ((parameter, (mean, square)), (gradient, start)))| {
                let prior = prior(number) * self.prior_unit;
                if prior.is_infinite() {
                    return; // it keeps its start
                }
                for phase in 0..2 {
                    let pull = prior * (parameter[phase] - start[phase]);
                    let slope = gradient[phase] / self.batch + pull;
                    self.step(
                        &mut parameter[phase],
                        &mut mean[phase],
                        &mut square[phase],
                        slope,
                    );
                }
            },
        );
    }
}

/// A descent: what it is made with, and room for what each step computes anew.
struct Descent<'a> {
    model: &'a Model,
    settings: &'a AdamSettings,
    /// Where the prior pulls the parameters to.
    start: &'a Parameters,
    /// The gradients of the parts of a batch, and the whole by parameter.
    parts: Vec<Gradient>,
    gradient: Parameters,
    look_ups: LookUps,
}

impl Descent<'_> {
    /// Moves the parameters against the mean gradient of a batch. Returns the sum of the squared
    /// errors before.
    fn step(
        &mut self,
        state: &mut State,
        positions: &[PackedPosition],
        batch: &[u32],
        learning_rate: f32,
    ) -> f64 {
        let square_error = self.fill_gradient(&state.parameters, positions, batch);
        state.steps += 1;
        let rate = StepRate {
            rate: learning_rate,
            batch: batch.len() as f32,
            prior_unit: POSITION_CURVATURE / positions.len() as f32,
            corrections: [MEAN_DECAY, SQUARE_DECAY]
                .map(|decay| 1.0 / (1.0 - decay.powi(state.steps as i32))),
        };
        let Prior {
            scores,
            relative,
            keeps_tempo,
        } = &self.settings.prior_positions;
        let State {
            parameters,
            means,
            squares,
            ..
        } = state;
        rate.step_block(
            [
                &mut parameters.scores,
                &mut means.scores,
                &mut squares.scores,
            ],
            &self.gradient.scores,
            &self.start.scores,
            |number| scores[number],
        );
        rate.step_block(
            [
                &mut parameters.relative,
                &mut means.relative,
                &mut squares.relative,
            ],
            &self.gradient.relative,
            &self.start.relative,
            |number| relative[number],
        );
        if !keeps_tempo {
            let slope = self.gradient.tempo / rate.batch;
            rate.step(
                &mut parameters.tempo,
                &mut means.tempo,
                &mut squares.tempo,
                slope,
            );
        }
        square_error
    }

    /// Computes the gradient of a batch. Returns the sum of the squared errors.
    fn fill_gradient(
        &mut self,
        parameters: &Parameters,
        positions: &[PackedPosition],
        batch: &[u32],
    ) -> f64 {
        let model = self.model;
        model.fill_look_ups(parameters, &mut self.look_ups);
        let look_ups = &self.look_ups;
        let numbers = batch.par_chunks(batch.len().div_ceil(PARTS));
        // A small batch can have fewer parts; the others must not keep what they had.
        let unused = self.parts.iter_mut().skip(numbers.len());
        unused.for_each(Gradient::clear);
        let parts = self.parts.par_iter_mut().zip(numbers);
        parts.for_each(|(gradient, numbers)| {
            gradient.clear();
            for number in numbers {
                let position = &positions[*number as usize];
                model.add_gradient(position, parameters, look_ups, gradient);
            }
        });
        let (sum, others) = self
            .parts
            .split_first_mut()
            .expect("a batch has at least one part");
        others.iter().for_each(|part| sum.add(part));
        model.collect(sum, &mut self.gradient);
        sum.square_error
    }
}

/// Fits the parameters of a model to the training positions, from `start` until the epochs are used
/// up or the validation loss no longer falls. `state` is where an earlier run was stopped;
/// `on_epoch` receives the state after each epoch. Returns the parameters with the lowest
/// validation loss, those of the start included.
pub(super) fn minimize<Error>(
    (model, data): (&Model, &TrainingData),
    start: &Parameters,
    state: Option<State>,
    settings: &AdamSettings,
    on_epoch: &mut dyn FnMut(&State, EpochLosses) -> Result<(), Error>,
) -> Result<(Parameters, EpochLosses), Error> {
    let positions = &data.training;
    let mut state = state.unwrap_or_else(|| {
        let losses = (
            loss(model, positions, start),
            loss(model, &data.validation, start),
        );
        State::new(start.clone(), losses)
    });
    let mut descent = Descent {
        model,
        settings,
        start,
        parts: vec![model.no_gradient(); PARTS],
        gradient: model.zero(),
        look_ups: LookUps::default(),
    };

    while !state.is_finished(settings.epochs) {
        let order = order(positions.len(), settings.seed, state.epoch);
        let last_epoch = settings.epochs.saturating_sub(1).max(1);
        let done = state.epoch as f32 / last_epoch as f32;
        let learning_rate = settings.rate * LAST_RATE.powf(done);
        let mut square_error = 0.0;
        for numbers in order.chunks(BATCH) {
            square_error += descent.step(&mut state, positions, numbers, learning_rate);
        }
        state.epoch += 1;
        let progress = EpochLosses {
            epoch: state.epoch,
            train_loss: square_error / positions.len() as f64,
            validation_loss: loss(model, &data.validation, &state.parameters),
        };
        if progress.validation_loss < state.best.validation_loss {
            state.best = progress;
            state.best_parameters.clone_from(&state.parameters);
            state.best_at_step = state.steps;
        }
        on_epoch(&state, progress)?;
    }
    Ok((state.best_parameters, state.best))
}

/// The mean square error.
pub(super) fn loss(model: &Model, positions: &[PackedPosition], parameters: &Parameters) -> f64 {
    let mut look_ups = LookUps::default();
    model.fill_look_ups(parameters, &mut look_ups);
    // Added up in the same order on any number of threads.
    let parts = positions.par_chunks(BATCH).map(|part| {
        let errors = part.iter();
        let errors = errors.map(|position| model.square_error(position, parameters, &look_ups));
        errors.sum::<f64>()
    });
    let sums: Vec<f64> = parts.collect();
    sums.iter().sum::<f64>() / positions.len() as f64
}

/// The numbers of all positions in the random order of an epoch.
fn order(positions: usize, seed: u64, epoch: u32) -> Vec<u32> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(u64::from(epoch));
    let mut order: Vec<u32> = (0..positions as u32).collect();
    shuffle(&mut order, &mut random);
    order
}
