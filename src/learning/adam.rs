//! Adam (Kingma and Ba, *Adam: a method for stochastic optimization*, 2015): gradient descent in small batches
//! with a step size of its own for each parameter.
//!
//! The loss is the mean square error of the expected score that the model predicts.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::model::{Gradient, Model, PairRows, Parameters, ScorePair};
use super::training_data::{PackedPosition, TrainingData};

/// Positions in a batch, at most...
const MAX_BATCH: usize = 16_384;
/// ...and at least. Between them it is a hundredth of all, so that an epoch over little data has enough steps.
const MIN_BATCH: usize = 1_024;
/// A batch is cut into this many parts on any number of threads, and their gradients are added in order, so that the
/// result is the same everywhere.
const PARTS: usize = 4;
/// The second derivative of the loss that one position contributes to a parameter: the squared slope of the
/// sigmoid for a balanced position.
const POSITION_CURVATURE: f32 = 0.05;
/// The fit ends after this many epochs without a lower validation loss...
const PATIENCE: u32 = 3;
/// ...and this many steps, because with little data an epoch has few steps, and the first ones can raise the
/// loss.
const PATIENCE_STEPS: i32 = 300;
/// The learning rate of the last epoch, as a share of the first one's.
const LAST_RATE: f32 = 0.01;
/// The decay of the mean of gradients.
const MEAN_DECAY: f32 = 0.9;
/// The decay of the mean of squared gradients.
const SQUARE_DECAY: f32 = 0.999;

/// The settings of the optimizer.
#[derive(Clone, Debug)]
pub(super) struct AdamSettings {
    /// The learning rate of the first epoch, in the sigmoid's units; it shrinks to a hundredth at the last.
    pub(super) rate: f32,
    /// The prior of each parameter, which pulls it back to its start with the weight of this many positions.
    pub(super) prior_positions: Prior,
    /// Passes over the positions, at most.
    pub(super) epochs: u32,
    /// The seed of the order of positions.
    pub(super) seed: u64,
}

/// A strength of the prior for each parameter, as a number of positions.
#[derive(Clone, Debug)]
pub(super) struct Prior {
    /// For each score of the index space.
    pub(super) scores: Vec<f32>,
    /// For the parts that pairs share.
    pub(super) relative: f32,
}

/// The state of a fit after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Epochs done in this step of the fit.
    pub epoch: u32,
    /// The mean square error on the training positions, each measured when the epoch came to it.
    pub train_loss: f64,
    /// The mean square error on the validation positions, after the epoch.
    pub validation_loss: f64,
}

/// The running means of one parameter's gradient and of its square.
#[derive(Clone, Copy, Default)]
struct Moments {
    mean: f32,
    square: f32,
}

impl Moments {
    /// The next step, in units of the learning rate. The corrections make up for both means starting at zero.
    #[inline]
    fn step(&mut self, gradient: f32, corrections: [f32; 2]) -> f32 {
        self.mean += (gradient - self.mean) * (1.0 - MEAN_DECAY);
        self.square += (gradient * gradient - self.square) * (1.0 - SQUARE_DECAY);
        (self.mean * corrections[0]) / ((self.square * corrections[1]).sqrt() + 1e-8)
    }
}

/// The moments of a block of parameters, and their start, to which the prior pulls them back.
struct Block {
    start: Vec<ScorePair>,
    moments: Vec<[Moments; 2]>,
}

impl Block {
    fn new(start: &[ScorePair]) -> Block {
        Block {
            start: start.to_vec(),
            moments: vec![[Moments::default(); 2]; start.len()],
        }
    }

    /// Moves the parameters of the block against their gradient, the mean over a batch.
    fn step(
        &mut self,
        parameters: &mut [ScorePair],
        gradient: &[ScorePair],
        prior: impl Fn(usize) -> f32 + Sync,
        rate: &StepRate,
    ) {
        let moments = self.moments.par_iter_mut().zip(&self.start);
        let all = parameters.par_iter_mut().zip(gradient).zip(moments);
        all.with_min_len(1 << 12).enumerate().for_each(
            |(number, ((parameter, gradient), (moments, start)))| {
                let prior = prior(number) * rate.prior_unit;
                for phase in 0..2 {
                    let pull = prior * (parameter[phase] - start[phase]);
                    let slope = gradient[phase] / rate.batch + pull;
                    parameter[phase] -= rate.rate * moments[phase].step(slope, rate.corrections);
                }
            },
        );
    }
}

/// What the length of a step depends on.
struct StepRate {
    rate: f32,
    /// The size of the batch.
    batch: f32,
    /// The pull of a prior of one position.
    prior_unit: f32,
    corrections: [f32; 2],
}

/// The optimizer with its state.
struct Adam<'a> {
    model: &'a Model,
    settings: &'a AdamSettings,
    prior_unit: f32,
    scores: Block,
    relative: Block,
    tempo_moments: Moments,
    steps: i32,
    /// Room for the gradients of the parts of a batch, and for the whole.
    parts: Vec<Gradient>,
    sum: Parameters,
    pair_rows: PairRows,
}

impl Adam<'_> {
    fn new<'a>(
        model: &'a Model,
        start: &Parameters,
        settings: &'a AdamSettings,
        positions: usize,
    ) -> Adam<'a> {
        Adam {
            model,
            settings,
            prior_unit: POSITION_CURVATURE / positions as f32,
            scores: Block::new(&start.scores),
            relative: Block::new(&start.relative),
            tempo_moments: Moments::default(),
            steps: 0,
            parts: vec![model.no_gradient(); PARTS],
            sum: model.zero(),
            pair_rows: PairRows::new(),
        }
    }

    /// Moves the parameters against the mean gradient of a batch. Returns the sum of the squared errors before.
    fn step(
        &mut self,
        parameters: &mut Parameters,
        positions: &[PackedPosition],
        batch: &[u32],
        learning_rate: f32,
    ) -> f64 {
        self.model.fill_pair_rows(parameters, &mut self.pair_rows);
        let (model, rows) = (self.model, &self.pair_rows);
        let numbers = batch.par_chunks(batch.len().div_ceil(PARTS));
        // A small batch can have fewer parts; the others must not keep what they had.
        self.parts
            .iter_mut()
            .skip(numbers.len())
            .for_each(Gradient::clear);
        let parts = self.parts.par_iter_mut().zip(numbers);
        parts.for_each(|(gradient, numbers)| {
            gradient.clear();
            for number in numbers {
                let position = &positions[*number as usize];
                model.add_gradient(position, parameters, rows, gradient);
            }
        });
        let (sum, others) = self
            .parts
            .split_first_mut()
            .expect("a batch has at least one part");
        others.iter().for_each(|part| sum.add(part));
        self.model.collect(sum, &mut self.sum);
        let square_error = sum.square_error;

        self.steps += 1;
        let rate = StepRate {
            rate: learning_rate,
            batch: batch.len() as f32,
            prior_unit: self.prior_unit,
            corrections: [MEAN_DECAY, SQUARE_DECAY]
                .map(|decay| 1.0 / (1.0 - decay.powi(self.steps))),
        };
        let prior = &self.settings.prior_positions;
        let of_score = |number: usize| prior.scores[number];
        let scores = &mut parameters.scores;
        self.scores.step(scores, &self.sum.scores, of_score, &rate);
        let relative = &mut parameters.relative;
        self.relative
            .step(relative, &self.sum.relative, |_| prior.relative, &rate);
        let slope = self.sum.tempo / rate.batch;
        parameters.tempo -= learning_rate * self.tempo_moments.step(slope, rate.corrections);
        square_error
    }
}

/// Fits the parameters of a model to the training positions, from `start` until the epochs are used up or the
/// validation loss no longer falls. Returns the parameters with the lowest validation loss, those of the start
/// included.
pub(super) fn minimize(
    model: &Model,
    data: &TrainingData,
    start: Parameters,
    settings: &AdamSettings,
    progress: &mut dyn FnMut(Progress),
) -> (Parameters, Progress) {
    let positions = &data.training;
    let mut adam = Adam::new(model, &start, settings, positions.len());
    let mut parameters = start;
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut best = Progress {
        epoch: 0,
        train_loss: loss(model, positions, &parameters),
        validation_loss: loss(model, &data.validation, &parameters),
    };
    let mut best_parameters = parameters.clone();
    let mut best_at_step = 0;
    let batch = (positions.len() / 100).clamp(MIN_BATCH, MAX_BATCH);

    for epoch in 1..=settings.epochs.max(1) {
        shuffle(&mut order, &mut random);
        let done = (epoch - 1) as f32 / settings.epochs.max(2) as f32;
        let learning_rate = settings.rate * LAST_RATE.powf(done);
        let mut square_error = 0.0;
        for numbers in order.chunks(batch) {
            square_error += adam.step(&mut parameters, positions, numbers, learning_rate);
        }
        let state = Progress {
            epoch,
            train_loss: square_error / positions.len() as f64,
            validation_loss: loss(model, &data.validation, &parameters),
        };
        progress(state);
        if state.validation_loss < best.validation_loss {
            (best, best_parameters) = (state, parameters.clone());
            best_at_step = adam.steps;
        } else if epoch >= best.epoch + PATIENCE && adam.steps >= best_at_step + PATIENCE_STEPS {
            break;
        }
    }
    (best_parameters, best)
}

/// The mean square error.
fn loss(model: &Model, positions: &[PackedPosition], parameters: &Parameters) -> f64 {
    let mut rows = PairRows::new();
    model.fill_pair_rows(parameters, &mut rows);
    // Added up in the same order on any number of threads.
    let parts = positions.par_chunks(MAX_BATCH).map(|part| {
        let errors = part.iter();
        let errors = errors.map(|position| model.square_error(position, parameters, &rows));
        errors.sum::<f64>()
    });
    let sums: Vec<f64> = parts.collect();
    sums.iter().sum::<f64>() / positions.len() as f64
}

fn shuffle(order: &mut [u32], random: &mut ChaCha8Rng) {
    for last in (1..order.len()).rev() {
        let other = random.next_u64() % (last as u64 + 1);
        order.swap(last, other as usize);
    }
}
