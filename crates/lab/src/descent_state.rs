//! The state of a gradient descent: everything that it has come to, so that it can be kept and
//! resumed.
//!
//! Besides the parameters these are the optimizer's running means, and the best parameters so far
//! with the losses that they had. From these also follows when the descent is over.

use super::parameters::Parameters;
use squarewise_engine::little_endian::Reader;

/// The fit ends after this many epochs without a lower validation loss, if they had
/// [`PATIENCE_STEPS`] too.
const PATIENCE: u32 = 3;
/// The fewest steps without a lower validation loss after which the fit ends: with little data an
/// epoch has few steps, and the first ones can raise the loss.
const PATIENCE_STEPS: u32 = 300;

/// The losses after an epoch of a step of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EpochLosses {
    /// Epochs done in this step of the fit.
    pub epoch: u32,
    /// The mean square error on the training positions, each measured when the epoch came to it.
    pub train_loss: f64,
    /// The mean square error on the validation positions, after the epoch.
    pub validation_loss: f64,
}

/// Everything that a descent has come to after an epoch.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) epoch: u32,
    pub(super) steps: u32,
    pub(super) parameters: Parameters,
    /// The running means of the gradient.
    pub(super) means: Parameters,
    /// The running means of the squared gradient.
    pub(super) squares: Parameters,
    pub(super) best: EpochLosses,
    pub(super) best_parameters: Parameters,
    /// The steps when the best parameters were found.
    pub(super) best_at_step: u32,
}

impl State {
    /// The start of a descent, with the losses on the training and validation positions there.
    pub(super) fn new(start: Parameters, (train_loss, validation_loss): (f64, f64)) -> State {
        let zero = Parameters {
            scores: vec![[0.0; 2]; start.scores.len()],
            relative: vec![[0.0; 2]; start.relative.len()],
            tempo: 0.0,
        };
        State {
            epoch: 0,
            steps: 0,
            means: zero.clone(),
            squares: zero,
            best: EpochLosses {
                epoch: 0,
                train_loss,
                validation_loss,
            },
            best_parameters: start.clone(),
            parameters: start,
            best_at_step: 0,
        }
    }

    /// Whether the descent is over.
    pub(super) fn is_finished(&self, epochs: u32) -> bool {
        let has_stalled = self.epoch >= self.best.epoch + PATIENCE
            && self.steps >= self.best_at_step + PATIENCE_STEPS;
        self.epoch >= epochs.max(1) || has_stalled
    }

    /// All that has a number for each parameter, in the order of the file.
    pub(super) fn all_parameters(&self) -> [&Parameters; 4] {
        [
            &self.parameters,
            &self.means,
            &self.squares,
            &self.best_parameters,
        ]
    }

    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.epoch, self.steps, self.best_at_step] {
            bytes.extend(number.to_le_bytes());
        }
        self.best.write(bytes);
        for parameters in self.all_parameters() {
            parameters.write(bytes);
        }
    }

    pub(super) fn read(reader: &mut Reader) -> Option<State> {
        let (epoch, steps, best_at_step) = (reader.u32()?, reader.u32()?, reader.u32()?);
        Some(State {
            epoch,
            steps,
            best_at_step,
            best: EpochLosses::read(reader)?,
            parameters: Parameters::read(reader)?,
            means: Parameters::read(reader)?,
            squares: Parameters::read(reader)?,
            best_parameters: Parameters::read(reader)?,
        })
    }
}

impl EpochLosses {
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.train_loss.to_le_bytes());
        bytes.extend(self.validation_loss.to_le_bytes());
    }

    pub(super) fn read(reader: &mut Reader) -> Option<EpochLosses> {
        Some(EpochLosses {
            epoch: reader.u32()?,
            train_loss: reader.f64()?,
            validation_loss: reader.f64()?,
        })
    }
}

impl Parameters {
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        write_pairs(bytes, &self.scores);
        write_pairs(bytes, &self.relative);
        bytes.extend(self.tempo.to_le_bytes());
    }

    pub(super) fn read(reader: &mut Reader) -> Option<Parameters> {
        Some(Parameters {
            scores: read_pairs(reader)?,
            relative: read_pairs(reader)?,
            tempo: reader.f32()?,
        })
    }
}

/// Writes a list of pairs with its length before it.
fn write_pairs(bytes: &mut Vec<u8>, pairs: &[[f32; 2]]) {
    bytes.extend((pairs.len() as u32).to_le_bytes());
    let floats = pairs.as_flattened().iter();
    bytes.extend(floats.flat_map(|float| float.to_le_bytes()));
}

/// Reads a list of pairs with its length before it.
fn read_pairs(reader: &mut Reader) -> Option<Vec<[f32; 2]>> {
    let length = reader.u32()? as usize;
    // All of it is there before memory is asked for.
    let mut pairs = Reader(reader.take(length.checked_mul(8)?)?);
    (0..length)
        .map(|_| Some([pairs.f32()?, pairs.f32()?]))
        .collect()
}
