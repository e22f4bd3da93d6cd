//! Downhill, step by step: Adam (Kingma and Ba, *Adam: a method for stochastic optimization*, 2015) on the
//! mean square error of a sigmoid, in small batches.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;

use super::samples::{Sample, Samples};
use super::tuner::{Progress, Settings};

/// Positions that share a step.
const BATCH: usize = 8_192;
/// How much one position can say of a value: the slope of the sigmoid, squared, for a position in doubt.
const POSITION_CURVATURE: f32 = 0.05;
/// Epochs without progress on the validation positions before the fit ends...
const PATIENCE: u32 = 3;
/// ...and batches, for with little data an epoch is soon over, and its first steps may lead astray.
const PATIENCE_STEPS: i32 = 300;
/// The rate of the last epoch, as a share of the first one's.
const LAST_RATE: f32 = 0.01;

/// How one step of the fit goes downhill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// How far a value may go with one batch, in the sigmoid's units, at the first epoch; this shrinks to a
    /// tenth at the last.
    pub(super) rate: f32,
    /// How strongly values are pulled back to where they started: as if so many positions had spoken for it.
    pub(super) prior_positions: f32,
}

/// A value pair during the fit: middle game, end game.
pub(super) type Pair = [f32; 2];

/// What is fitted, in the sigmoid's units.
#[derive(Clone, Debug)]
pub(super) struct Parameters {
    pub(super) pairs: Vec<Pair>,
    pub(super) tempo: f32,
}

/// The share of points that a sum of values stands for.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Parameters {
    /// So many pairs, all zero.
    pub(super) fn zero(length: usize) -> Parameters {
        Parameters {
            pairs: vec![[0.0; 2]; length],
            tempo: 0.0,
        }
    }

    fn expectation(&self, data: &Samples, sample: &Sample) -> f32 {
        let mut sum = [0.0f32; 2];
        for [ours, theirs] in data.terms_of(sample) {
            let (ours, theirs) = (
                self.pairs[usize::from(*ours)],
                self.pairs[usize::from(*theirs)],
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

    /// Adds what a sample says of the slope to `gradient`.
    fn add_slope(&self, data: &Samples, sample: &Sample, gradient: &mut Parameters) {
        let expected = self.expectation(data, sample);
        let slope = (expected - sample.target) * expected * (1.0 - expected);
        let (middle, end) = (
            slope * sample.middle_game,
            slope * (1.0 - sample.middle_game),
        );
        for [ours, theirs] in data.terms_of(sample) {
            let ours = &mut gradient.pairs[usize::from(*ours)];
            ours[0] += middle;
            ours[1] += end;
            let theirs = &mut gradient.pairs[usize::from(*theirs)];
            theirs[0] -= middle;
            theirs[1] -= end;
        }
        gradient.tempo += slope;
    }

    /// The gradient of a batch, summed on all threads. The batch is cut into the same parts however many
    /// those are, and the parts are added in order, so that the result is the same everywhere.
    fn batch_gradient(&self, data: &Samples, batch: &[u32]) -> Parameters {
        const PARTS: usize = 4;
        let parts: Vec<Parameters> = batch
            .par_chunks(batch.len().div_ceil(PARTS))
            .map(|part| {
                let mut gradient = Parameters::zero(self.pairs.len());
                for number in part {
                    self.add_slope(data, &data.all()[*number as usize], &mut gradient);
                }
                gradient
            })
            .collect();
        let mut sum = Parameters::zero(self.pairs.len());
        for part in parts {
            for (sum, part) in sum.pairs.iter_mut().zip(&part.pairs) {
                sum[0] += part[0];
                sum[1] += part[1];
            }
            sum.tempo += part.tempo;
        }
        sum
    }
}

/// Adam's memory of one value.
#[derive(Clone, Copy, Default)]
struct Moments {
    mean: f32,
    square: f32,
}

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;

impl Moments {
    /// The direction and size of the next step, in units of the learning rate. The corrections make up for
    /// both memories having begun empty.
    fn step(&mut self, gradient: f32, corrections: [f32; 2]) -> f32 {
        self.mean += (gradient - self.mean) * (1.0 - MEAN_DECAY);
        self.square += (gradient * gradient - self.square) * (1.0 - SQUARE_DECAY);
        (self.mean * corrections[0]) / ((self.square * corrections[1]).sqrt() + 1e-8)
    }
}

/// Goes downhill from `start` until the epochs are used up or the validation loss no longer falls; gives the
/// values with the best one.
pub(super) fn descend(
    [train, validation]: &[Samples; 2],
    start: Parameters,
    settings: &Settings,
    step: Step,
    progress: &mut dyn FnMut(Progress),
) -> (Parameters, Progress) {
    let anchor = start.pairs.clone();
    let mut parameters = start;
    let mut moments = vec![[Moments::default(); 2]; anchor.len()];
    let mut tempo_moments = Moments::default();
    let mut order: Vec<u32> = (0..train.all().len() as u32).collect();
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut steps = 0;
    let prior = step.prior_positions * POSITION_CURVATURE / train.all().len() as f32;
    let state = |parameters: &Parameters, epoch| Progress {
        epoch,
        train_loss: parameters.loss(train),
        validation_loss: parameters.loss(validation),
    };
    // The start is a candidate too: what doesn't hold for other games is not learned.
    let mut kept = (parameters.clone(), state(&parameters, 0));
    let mut kept_at_step = 0;

    for epoch in 1..=settings.epochs.max(1) {
        shuffle(&mut order, &mut random);
        let done = (epoch - 1) as f32 / settings.epochs.max(2) as f32;
        let rate = step.rate * LAST_RATE.powf(done);
        for batch in order.chunks(BATCH) {
            let gradient = parameters.batch_gradient(train, batch);
            steps += 1;
            let corrections =
                [MEAN_DECAY, SQUARE_DECAY].map(|decay| 1.0 / (1.0 - decay.powi(steps)));
            let size = batch.len() as f32;
            let values = parameters.pairs.iter_mut().zip(&anchor);
            let slopes = gradient.pairs.iter().zip(&mut moments);
            for ((pair, anchor), (slope, moments)) in values.zip(slopes) {
                for phase in 0..2 {
                    let pull = prior * (pair[phase] - anchor[phase]);
                    let slope = slope[phase] / size + pull;
                    pair[phase] -= rate * moments[phase].step(slope, corrections);
                }
            }
            parameters.tempo -= rate * tempo_moments.step(gradient.tempo / size, corrections);
        }
        let state = state(&parameters, epoch);
        progress(state);
        if state.validation_loss < kept.1.validation_loss {
            kept = (parameters.clone(), state);
            kept_at_step = steps;
        } else if epoch >= kept.1.epoch + PATIENCE && steps >= kept_at_step + PATIENCE_STEPS {
            break;
        }
    }
    kept
}

fn shuffle(order: &mut [u32], random: &mut ChaCha8Rng) {
    for last in (1..order.len()).rev() {
        let other = random.next_u64() % (last as u64 + 1);
        order.swap(last, other as usize);
    }
}
