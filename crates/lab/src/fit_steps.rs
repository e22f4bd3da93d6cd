//! The steps of a fit, and where they are kept so that a fit can be resumed.
//!
//! A fit asks for one step after the other and needn't know which of them an earlier run has made:
//! those come from the checkpoint, the one that was under way goes on, and all that follow are
//! made.

use super::adam::{AdamSettings, Prior, minimize};
use super::checkpoint::{Checkpoint, CheckpointError};
use super::descent_state::{EpochLosses, State};
use super::fit_settings::{FitError, ResumeFile, Settings};
use super::model::Model;
use super::parameters::Parameters;
use super::training_data::TrainingData;

/// The steps of a fit, one after the other. Those that an earlier run has finished are not made
/// again.
pub(super) struct Steps<'a> {
    data: &'a TrainingData,
    settings: &'a Settings,
    progress: &'a mut dyn FnMut(EpochLosses),
    checkpoint: Checkpoint,
    /// What the file holds; `None` if there is none.
    kept: Option<Checkpoint>,
    /// The number of steps that were asked for.
    asked: usize,
}

impl<'a> Steps<'a> {
    pub(super) fn resume(
        data: &'a TrainingData,
        settings: &'a Settings,
        progress: &'a mut dyn FnMut(EpochLosses),
    ) -> Result<Steps<'a>, FitError> {
        let resumed = settings.resume.as_ref().map(ResumeFile::read).transpose()?;
        let kept = resumed.flatten();
        Ok(Steps {
            data,
            settings,
            progress,
            checkpoint: kept.clone().unwrap_or_default(),
            kept,
            asked: 0,
        })
    }

    /// The parameters after the next step, and the losses that were measured.
    pub(super) fn next(
        &mut self,
        model: &Model,
        start: &Parameters,
        rate: f32,
        prior_positions: Prior,
    ) -> Result<(Parameters, EpochLosses), FitError> {
        self.asked += 1;
        if let Some((parameters, best)) = self.checkpoint.finished.get(self.asked - 1) {
            self.check_size(parameters, start)?;
            return Ok((parameters.clone(), *best));
        }
        let Settings { epochs, seed, .. } = *self.settings;
        let adam = AdamSettings {
            rate,
            prior_positions,
            epochs,
            seed,
        };
        let state = self.checkpoint.under_way.take();
        for parameters in state.iter().flat_map(State::all_parameters) {
            self.check_size(parameters, start)?;
        }
        let (checkpoint, kept) = (&mut self.checkpoint, &mut self.kept);
        let progress = &mut self.progress;
        let (file, stop) = (self.settings.resume.as_ref(), &self.settings.stop);
        let mut on_epoch = |state: &State, losses: EpochLosses| -> Result<(), FitError> {
            checkpoint.under_way = Some(state.clone());
            if let Some(file) = file {
                if file.read()? != *kept {
                    return Err(FitError::InUse(file.path.clone()));
                }
                file.write(checkpoint)?;
                *kept = Some(checkpoint.clone());
            }
            // After that, so that what was reported is kept.
            progress(losses);
            if stop.is_requested() {
                return Err(FitError::Interrupted);
            }
            Ok(())
        };
        let result = minimize((model, self.data), start, state, &adam, &mut on_epoch)?;
        self.checkpoint.under_way = None;
        self.checkpoint.finished.push(result.clone());
        Ok(result)
    }

    /// Refuses parameters of another size than these: a program with other families of tables has
    /// written them.
    fn check_size(&self, found: &Parameters, expected: &Parameters) -> Result<(), FitError> {
        let size = |parameters: &Parameters| (parameters.scores.len(), parameters.relative.len());
        let file = self.settings.resume.as_ref();
        match file.filter(|_| size(found) != size(expected)) {
            Some(file) => Err(FitError::Checkpoint(
                file.path.clone(),
                CheckpointError::OtherFit,
            )),
            None => Ok(()),
        }
    }
}

impl ResumeFile {
    fn read(&self) -> Result<Option<Checkpoint>, FitError> {
        let read = Checkpoint::read(&self.path, &self.description);
        read.map_err(|error| FitError::Checkpoint(self.path.clone(), error))
    }

    fn write(&self, checkpoint: &Checkpoint) -> Result<(), FitError> {
        Ok(checkpoint.write(&self.path, &self.description)?)
    }
}
