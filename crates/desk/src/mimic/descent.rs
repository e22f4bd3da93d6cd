//! Fits the weights of a choice: multinomial logistic regression with a Gaussian prior, by Adam
//! (Kingma and Ba, 2015) on all choices at once. The loss is convex, so the start doesn't matter.

use super::choices::Choice;
use squarewise_engine::style::{FEATURES, is_about_square, softmax};

/// The number of steps.
const STEPS: usize = 300;

/// The size of the first steps, in nats. It shrinks to nothing.
const STEP: f64 = 0.05;

/// How far weights may be from those that they are pulled towards: standard deviations, in nats.
#[derive(Clone, Copy, Debug)]
pub struct Prior {
    /// Of what a line is worth and what it is like.
    pub traits: f64,
    /// Of pieces on squares.
    pub squares: f64,
}

impl Prior {
    /// What people in general are pulled towards the engine by: its own choice is the best move.
    pub const PEOPLE: Prior = Prior {
        traits: 1.0,
        squares: 0.1,
    };

    /// What a player is pulled towards people in general by.
    pub const PLAYER: Prior = Prior {
        traits: 0.1,
        squares: 0.05,
    };

    fn precision(self, index: usize) -> f64 {
        let deviation = if is_about_square(index) {
            self.squares
        } else {
            self.traits
        };
        1.0 / (deviation * deviation)
    }
}

/// Fitted weights with their standard errors.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights.
    pub weights: Vec<f32>,
    /// Their errors, from the curvature of the loss; no larger than the prior lets them be.
    pub errors: Vec<f32>,
}

/// Fits the weights of these choices, pulled towards `base`.
pub fn fit(choices: &[Choice], base: &[f32], prior: Prior) -> Fitted {
    let mut weights: Vec<f64> = base.iter().map(|weight| f64::from(*weight)).collect();
    let precision: Vec<f64> = (0..FEATURES).map(|index| prior.precision(index)).collect();
    let (mut first, mut second) = (vec![0.0; FEATURES], vec![0.0; FEATURES]);
    let scale = 1.0 / choices.len().max(1) as f64;
    for step in 1..=STEPS {
        let as_floats: Vec<f32> = weights.iter().map(|weight| *weight as f32).collect();
        let (mut gradient, _) = gradient(choices, &as_floats, false);
        for index in 0..FEATURES {
            gradient[index] += (weights[index] - f64::from(base[index])) * precision[index];
        }
        let rate = STEP * (1.0 - (step - 1) as f64 / STEPS as f64);
        let corrections = [0.9f64, 0.99].map(|decay| 1.0 - decay.powi(step as i32));
        for index in 0..FEATURES {
            let slope = gradient[index] * scale;
            first[index] = 0.9 * first[index] + 0.1 * slope;
            second[index] = 0.99 * second[index] + 0.01 * slope * slope;
            let size = (second[index] / corrections[1]).sqrt() + 1e-9;
            weights[index] -= rate * first[index] / corrections[0] / size;
        }
    }
    let weights: Vec<f32> = weights.iter().map(|weight| *weight as f32).collect();
    let (_, curvature) = gradient(choices, &weights, true);
    let errors = curvature.iter().zip(&precision);
    let errors = errors.map(|(curvature, precision)| (curvature + precision).sqrt().recip() as f32);
    Fitted {
        errors: errors.collect(),
        weights,
    }
}

/// The gradient of the loss, the sum of the negative logarithms of the probabilities of what was
/// played, and the diagonal of its curvature if it is wanted.
fn gradient(choices: &[Choice], weights: &[f32], with_curvature: bool) -> (Vec<f64>, Vec<f64>) {
    let (mut gradient, mut curvature) = (vec![0.0; FEATURES], vec![0.0; FEATURES]);
    let mut mean = vec![0.0; if with_curvature { FEATURES } else { 0 }];
    for choice in choices.iter().filter(|choice| choice.candidates.len() > 1) {
        let Some(played) = choice.played else {
            continue;
        };
        let logits = choice
            .candidates
            .iter()
            .map(|features| features.weigh(weights));
        let probabilities = softmax(&logits.collect::<Vec<f64>>());
        for (number, features) in choice.candidates.iter().enumerate() {
            let probability = probabilities[number];
            let part = probability - f64::from(u8::from(number == played));
            for (place, value) in &features.0 {
                let (place, value) = (usize::from(*place), f64::from(*value));
                gradient[place] += part * value;
                if with_curvature {
                    curvature[place] += probability * value * value;
                    mean[place] += probability * value;
                }
            }
        }
        if with_curvature {
            for features in &choice.candidates {
                for (place, _) in &features.0 {
                    let mean = std::mem::take(&mut mean[usize::from(*place)]);
                    curvature[usize::from(*place)] -= mean * mean;
                }
            }
        }
    }
    (gradient, curvature)
}
