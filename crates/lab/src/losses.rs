//! The losses that a fit is judged by besides the one that it minimizes.

use super::adam::loss;
use super::model::{Model, Target};
use super::parameters::Parameters;
use super::training_data::TrainingData;

/// The validation losses that a fit is judged by besides its own.
#[derive(Clone, Copy, Debug, Default)]
pub struct LossesApart {
    /// Before the last step, for the results of the games alone and for the scores of the search
    /// alone.
    pub before: [f64; 2],
    /// The same after it.
    pub after: [f64; 2],
    /// Of the tables as they are written, rounded to units.
    pub rounded: f64,
}

impl LossesApart {
    /// `written` are the parameters of the tables as they are written.
    pub(super) fn of(
        model: &Model,
        data: &TrainingData,
        [before, after, written]: [&Parameters; 3],
    ) -> LossesApart {
        let at = |parameters| {
            [1.0, 0.0].map(|lambda| {
                let target = Target {
                    lambda,
                    ..model.target
                };
                loss(&model.with_target(target), &data.validation, parameters)
            })
        };
        LossesApart {
            before: at(before),
            after: at(after),
            rounded: loss(model, &data.validation, written),
        }
    }
}
