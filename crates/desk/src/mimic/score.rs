//! Judges a style by games that it has not seen: how often it names the move that the player made,
//! and how surprised it is by it.

use super::choices::Choice;
use squarewise_engine::style::{Stage, Style, is_about_square, softmax};

/// A mean with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Its standard error; `None` if the values are of fewer than two groups, which tell nothing
    /// of it.
    pub error: Option<f64>,
    /// The number of values.
    pub count: usize,
}

impl Mean {
    /// The mean of values, which come in groups: those of a game are not independent. The error is
    /// that of a sample: with `n` groups their variance is divided by `n - 1`.
    pub fn of(values: impl IntoIterator<Item = (usize, f64)>) -> Mean {
        let values: Vec<(usize, f64)> = values.into_iter().collect();
        let count = values.len();
        if count == 0 {
            return Mean::default();
        }
        let mean = values.iter().map(|(_, value)| value).sum::<f64>() / count as f64;
        let groups = values.chunk_by(|a, b| a.0 == b.0);
        let squares = groups.map(|group| {
            let sum: f64 = group.iter().map(|(_, value)| value - mean).sum();
            sum * sum
        });
        let squares: Vec<f64> = squares.collect();
        let groups = squares.len() as f64;
        let error = (squares.len() > 1).then(|| {
            let sum: f64 = squares.iter().sum();
            (sum * groups / (groups - 1.0)).sqrt() / count as f64
        });
        Mean { mean, error, count }
    }
}

/// How a move is foretold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// The best move of the search.
    Search,
    /// The weights of people in general.
    People,
    /// The player's weights of what lines lose and are like.
    Traits,
    /// The player's differences to the tables, too.
    Tables,
}

impl Layer {
    /// Every layer, each with those before it.
    pub const ALL: [Layer; 4] = [Layer::Search, Layer::People, Layer::Traits, Layer::Tables];

    /// The name, for people to read.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Search => "search alone",
            Layer::People => "people in general",
            Layer::Traits => "the player's choice",
            Layer::Tables => "and the player's tables",
        }
    }

    /// The weights with which the layer foretells.
    pub fn weights(self, style: &Style, people: &Style) -> Vec<f32> {
        match self {
            Layer::Search | Layer::People => people.weights.clone(),
            Layer::Tables => style.weights.clone(),
            Layer::Traits => {
                let pairs = style.weights.iter().zip(&people.weights).enumerate();
                let weight = |(index, (own, of_people)): (usize, (&f32, &f32))| {
                    if is_about_square(index) {
                        *of_people
                    } else {
                        *own
                    }
                };
                pairs.map(weight).collect()
            }
        }
    }
}

/// How a style foretells a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Foretold {
    /// The number of the game.
    pub game: usize,
    /// The stage of the game.
    pub stage: usize,
    /// Whether the most likely move was played.
    pub is_right: bool,
    /// The negative logarithm of the probability of the move that was played, in nats.
    pub log_loss: f64,
}

/// Foretells choices by these weights; without them it is the first candidate, and all are equally
/// likely. The chance of a move that is no candidate is `style`'s rate of errors, shared out among
/// all such moves.
pub fn foretell(choices: &[Choice], style: &Style, weights: Option<&[f32]>) -> Vec<Foretold> {
    let foretell = |choice: &Choice| {
        let logits = choice.candidates.iter().map(|features| match weights {
            Some(weights) => features.weigh(weights),
            None => 0.0,
        });
        let probabilities = softmax(&logits.collect::<Vec<f64>>());
        let likeliest = match weights {
            Some(_) => likeliest(&probabilities),
            None => 0,
        };
        let others = choice.legal.saturating_sub(choice.candidates.len());
        let error_rate = match others {
            0 => 0.0,
            _ => style.stages[choice.stage].error_rate(),
        };
        let probability = match choice.played {
            Some(played) => (1.0 - error_rate) * probabilities[played],
            None => error_rate / others.max(1) as f64,
        };
        Foretold {
            game: choice.game,
            stage: choice.stage,
            is_right: choice.played == Some(likeliest),
            log_loss: -probability.max(1e-6).ln(),
        }
    };
    choices.iter().map(foretell).collect()
}

/// The place of the greatest probability, the first of equals.
fn likeliest(probabilities: &[f64]) -> usize {
    let mut best = 0;
    for (place, probability) in probabilities.iter().enumerate() {
        if *probability > probabilities[best] {
            best = place;
        }
    }
    best
}

/// What a layer foretells of the choices.
pub fn by_layer(layer: Layer, choices: &[Choice], style: &Style, people: &Style) -> Vec<Foretold> {
    let weights = layer.weights(style, people);
    let weights = (layer != Layer::Search).then_some(weights.as_slice());
    foretell(choices, style, weights)
}

/// The agreement with the moves, 0 to 1, in all stages or in one.
pub fn agreement(foretold: &[Foretold], stage: Option<usize>) -> Mean {
    let of_stage = in_stage(foretold, stage);
    Mean::of(of_stage.map(|f| (f.game, f64::from(u8::from(f.is_right)))))
}

/// The mean negative logarithm of the probability of a move, in nats.
pub fn log_loss(foretold: &[Foretold], stage: Option<usize>) -> Mean {
    Mean::of(in_stage(foretold, stage).map(|f| (f.game, f.log_loss)))
}

fn in_stage(foretold: &[Foretold], stage: Option<usize>) -> impl Iterator<Item = &Foretold> {
    debug_assert!(stage.is_none_or(|stage| stage < Stage::NAMES.len()));
    let is_in = move |f: &&Foretold| stage.is_none_or(|stage| f.stage == stage);
    foretold.iter().filter(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_mean_counts_games_and_not_moves() {
        let independent = Mean::of((0..100).map(|number| (number, f64::from(number as u32 % 2))));
        assert!((independent.mean - 0.5).abs() < 1e-9);
        let is_about =
            |mean: Mean, error: f64| mean.error.is_some_and(|e| (e - error).abs() < 1e-9);
        assert!(is_about(independent, 0.5 / 99f64.sqrt()));
        let repeated =
            Mean::of((0..100).map(|number| (number / 10, f64::from(number as u32 / 10 % 2))));
        assert!(is_about(repeated, 0.5 / 9f64.sqrt()));
        let of_one_game = Mean::of([(7, 0.0), (7, 1.0)]);
        assert_eq!((of_one_game.mean, of_one_game.error), (0.5, None));
        assert_eq!(Mean::of([]), Mean::default());
    }
}
