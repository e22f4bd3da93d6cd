//! Adam (Kingma and Ba, *Adam: a method for stochastic optimization*, 2015): gradient descent in small batches
//! with a step size of its own for each parameter.
//!
//! The model is logistic: the sigmoid of the evaluation of a sample is the expected score of the side to move.
//! The loss is the mean square error of that expectation.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::samples::{Sample, Samples};

/// Positions in a batch.
const BATCH: usize = 8_192;
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
#[derive(Clone, Copy, Debug)]
pub(super) struct AdamSettings {
    /// The learning rate of the first epoch, in the sigmoid's units; it shrinks to a hundredth at the last.
    pub(super) rate: f32,
    /// The strength of the prior, which pulls scores back to their start: with the weight of this many
    /// positions.
    pub(super) prior_positions: f32,
    /// Passes over the samples, at most.
    pub(super) epochs: u32,
    /// The seed of the order of samples.
    pub(super) seed: u64,
}

/// The state of a fit after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Epochs done in this step of the fit.
    pub epoch: u32,
    /// The mean square error on the training positions.
    pub train_loss: f64,
    /// The mean square error on the validation positions.
    pub validation_loss: f64,
}

/// A score during the fit, in the sigmoid's units: middle game and end game.
pub(super) type ScorePair = [f32; 2];

/// What is fitted, in the sigmoid's units.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    /// The score of each feature.
    pub(super) scores: Vec<ScorePair>,
    /// The bonus for the side to move.
    pub(super) tempo: f32,
}

/// The sigmoid: the expected score, 0 to 1, of an evaluation.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Parameters {
    /// This many scores, all zero.
    pub(super) fn zero(length: usize) -> Parameters {
        Parameters {
            scores: vec![[0.0; 2]; length],
            tempo: 0.0,
        }
    }

    fn expectation(&self, data: &Samples, sample: &Sample) -> f32 {
        let mut sum = [0.0f32; 2];
        for [ours, theirs] in data.features_of(sample) {
            let (ours, theirs) = (
                self.scores[usize::from(*ours)],
                self.scores[usize::from(*theirs)],
            );
            sum[0] += ours[0] - theirs[0];
            sum[1] += ours[1] - theirs[1];
        }
        let blended = sum[0] * sample.middle_game + sum[1] * (1.0 - sample.middle_game);
        sigmoid(blended + self.tempo)
    }

    fn loss(&self, data: &Samples) -> f64 {
        let square =
            |sample: &Sample| f64::from((self.expectation(data, sample) - sample.target).powi(2));
        // Added up in the same order on any number of threads.
        let parts = data.all().par_chunks(BATCH);
        let sums: Vec<f64> = parts.map(|part| part.iter().map(square).sum()).collect();
        sums.iter().sum::<f64>() / data.all().len() as f64
    }

    /// Adds the gradient of a sample's error (half its square) to `gradient`.
    fn add_gradient(&self, data: &Samples, sample: &Sample, gradient: &mut Parameters) {
        let expected = self.expectation(data, sample);
        let slope = (expected - sample.target) * expected * (1.0 - expected);
        let (middle, end) = (
            slope * sample.middle_game,
            slope * (1.0 - sample.middle_game),
        );
        for [ours, theirs] in data.features_of(sample) {
            let ours = &mut gradient.scores[usize::from(*ours)];
            ours[0] += middle;
            ours[1] += end;
            let theirs = &mut gradient.scores[usize::from(*theirs)];
            theirs[0] -= middle;
            theirs[1] -= end;
        }
        gradient.tempo += slope;
    }

    /// The gradient of a batch, summed on all threads. The batch is cut into the same parts on any number of
    /// threads, and the parts are added in order, so that the result is the same everywhere.
    fn batch_gradient(&self, data: &Samples, batch: &[u32]) -> Parameters {
        const PARTS: usize = 4;
        let parts: Vec<Parameters> = batch
            .par_chunks(batch.len().div_ceil(PARTS))
            .map(|part| {
                let mut gradient = Parameters::zero(self.scores.len());
                for number in part {
                    self.add_gradient(data, &data.all()[*number as usize], &mut gradient);
                }
                gradient
            })
            .collect();
        let mut sum = Parameters::zero(self.scores.len());
        for part in parts {
            for (sum, part) in sum.scores.iter_mut().zip(&part.scores) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
            sum.tempo += part.tempo;
        }
        sum
    }
}

/// The running means of one parameter's gradient and of its square.
#[derive(Clone, Copy, Default)]
struct Moments {
    mean: f32,
    square: f32,
}

impl Moments {
    /// The next step, in units of the learning rate. The corrections make up for both means starting at zero.
    fn step(&mut self, gradient: f32, corrections: [f32; 2]) -> f32 {
        self.mean += (gradient - self.mean) * (1.0 - MEAN_DECAY);
        self.square += (gradient * gradient - self.square) * (1.0 - SQUARE_DECAY);
        (self.mean * corrections[0]) / ((self.square * corrections[1]).sqrt() + 1e-8)
    }
}

/// The optimizer with its state.
struct Adam {
    /// The start of the scores, to which the prior pulls them back.
    anchor: Vec<ScorePair>,
    /// The strength of that pull.
    prior: f32,
    moments: Vec<[Moments; 2]>,
    tempo_moments: Moments,
    steps: i32,
}

impl Adam {
    fn new(start: &Parameters, prior: f32) -> Adam {
        Adam {
            anchor: start.scores.clone(),
            prior,
            moments: vec![[Moments::default(); 2]; start.scores.len()],
            tempo_moments: Moments::default(),
            steps: 0,
        }
    }

    /// Moves the parameters against the mean gradient of a batch.
    fn step(
        &mut self,
        parameters: &mut Parameters,
        data: &Samples,
        batch: &[u32],
        learning_rate: f32,
    ) {
        let gradient = parameters.batch_gradient(data, batch);
        self.steps += 1;
        let corrections =
            [MEAN_DECAY, SQUARE_DECAY].map(|decay| 1.0 / (1.0 - decay.powi(self.steps)));
        let size = batch.len() as f32;
        let scores = parameters.scores.iter_mut().zip(&self.anchor);
        let gradients = gradient.scores.iter().zip(&mut self.moments);
        for ((score, anchor), (gradient, moments)) in scores.zip(gradients) {
            for phase in 0..2 {
                let pull = self.prior * (score[phase] - anchor[phase]);
                let slope = gradient[phase] / size + pull;
                score[phase] -= learning_rate * moments[phase].step(slope, corrections);
            }
        }
        let tempo_step = self.tempo_moments.step(gradient.tempo / size, corrections);
        parameters.tempo -= learning_rate * tempo_step;
    }
}

/// Fits parameters to the training samples, from `start` until the epochs are used up or the validation loss no
/// longer falls. Returns the parameters with the lowest validation loss, those of the start included.
pub(super) fn minimize(
    [train, validation]: &[Samples; 2],
    start: Parameters,
    settings: &AdamSettings,
    progress: &mut dyn FnMut(Progress),
) -> (Parameters, Progress) {
    let prior = settings.prior_positions * POSITION_CURVATURE / train.all().len() as f32;
    let mut adam = Adam::new(&start, prior);
    let mut parameters = start;
    let mut order: Vec<u32> = (0..train.all().len() as u32).collect();
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let state = |parameters: &Parameters, epoch| Progress {
        epoch,
        train_loss: parameters.loss(train),
        validation_loss: parameters.loss(validation),
    };
    let mut best = (parameters.clone(), state(&parameters, 0));
    let mut best_at_step = 0;

    for epoch in 1..=settings.epochs.max(1) {
        shuffle(&mut order, &mut random);
        let done = (epoch - 1) as f32 / settings.epochs.max(2) as f32;
        let learning_rate = settings.rate * LAST_RATE.powf(done);
        for batch in order.chunks(BATCH) {
            adam.step(&mut parameters, train, batch, learning_rate);
        }
        let state = state(&parameters, epoch);
        progress(state);
        if state.validation_loss < best.1.validation_loss {
            best = (parameters.clone(), state);
            best_at_step = adam.steps;
        } else if epoch >= best.1.epoch + PATIENCE && adam.steps >= best_at_step + PATIENCE_STEPS {
            break;
        }
    }
    best
}

fn shuffle(order: &mut [u32], random: &mut ChaCha8Rng) {
    for last in (1..order.len()).rev() {
        let other = random.next_u64() % (last as u64 + 1);
        order.swap(last, other as usize);
    }
}
