//! The tuner: fits tables to training positions (Texel's tuning method, with Adam as the optimizer).
//!
//! The sigmoid of the evaluation of a position is the expected score of a side. The tuner minimizes the mean
//! square error between that expectation and the target of each position. The target blends the result of the
//! game and the score of the search; *lambda* is the weight of the result.
//!
//! The fit has two steps. The first fits the piece-square tables with a single king bucket. The second starts
//! every bucket from there and the other families from zero, and pulls all scores back to their start (the
//! prior). So a score with few positions stays near the average instead of fitting noise, and the other
//! families explain only what the piece-square tables leave over.

use shakmaty::Role;

use super::adam::{AdamSettings, Parameters, ScorePair, minimize, sigmoid};
use super::game_file::TrainingGame;
use super::samples::Samples;
use super::training_position::TrainingPosition;
use crate::evaluation::features::{Family, Layout};
use crate::evaluation::king_buckets::{BUCKET_SIZE, KingBuckets, table_range};
use crate::evaluation::tables::Tables;
use crate::evaluation::tapered_score::PackedScore;

pub use super::adam::Progress;

/// One game in this many is kept for validation.
const VALIDATION_SHARE: usize = 16;
/// The learning rate of the first step of the fit, which has no prior.
const FIRST_STEP_RATE: f32 = 0.005;
/// The learning rate of the second step, which separates the king buckets and adds the other families.
const SECOND_STEP_RATE: f32 = 0.001;
/// The average value of a minor piece in centipawns. It only sets the unit, so that the margins of the search
/// mean the same with any tables. Pawns would be the usual measure, but games of engines that start from zero
/// say little about the value of pawns.
const MINOR_PIECE_CENTIPAWNS: f32 = 330.0;
/// Scores are clamped to this range on both sides of zero, in centipawns.
const SCORE_LIMIT: f32 = 8_000.0;

/// The settings of a fit.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The king buckets of the tables.
    pub king_buckets: KingBuckets,
    /// Lambda, 0 to 1: the weight of the game's result in the target. The rest is the weight of the search's
    /// score.
    pub lambda: f32,
    /// The prior: how strongly the scores of a king bucket are pulled towards the average of all buckets, and
    /// those of the other families towards zero, as a number of positions. The positions of one game are alike,
    /// so a good prior has the weight of some tens of games.
    pub prior: f32,
    /// Passes over the positions, at most, for each step of the fit.
    pub epochs: u32,
    /// The seed of the order of positions.
    pub seed: u64,
}

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The tables.
    pub tables: Tables,
    /// The numbers of training and validation samples: positions with the same features count once.
    pub positions: (usize, usize),
    /// The losses of the scores that were kept.
    pub best: Progress,
    /// The factor between the centipawns of the search's scores and the sigmoid's units.
    pub score_scale: f64,
    /// The average value of a pawn, knight, bishop, rook and queen, in pawns of 100 centipawns: in the middle
    /// game and in the end game.
    pub piece_values: [[f32; 2]; 5],
}

/// The error of a fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// Training and validation both need positions.
    #[error("there are {0} games with positions; at least {1} are needed")]
    TooFewGames(usize, usize),
    /// The value of minor pieces is not positive, so it can't be the unit of scores.
    #[error("the games say nothing about piece values: play more of them")]
    NoUnit,
}

/// Fits tables to games. `progress` receives the state after each epoch.
///
/// # Errors
///
/// [`FitError`] if there are too few games.
pub fn fit(
    games: &[TrainingGame],
    settings: &Settings,
    progress: &mut dyn FnMut(Progress),
) -> Result<Fit, FitError> {
    let [train, validation] = split(games);
    if train.is_empty() || validation.is_empty() {
        return Err(FitError::TooFewGames(games.len(), VALIDATION_SHARE + 1));
    }
    let score_scale = fitted_scale(&train);
    // The scores of engines that start from zero are all zero and say nothing.
    let lambda = if score_scale > 0.0 {
        settings.lambda
    } else {
        1.0
    };
    let target = |position: &TrainingPosition| {
        let by_search = sigmoid((f64::from(position.score) * score_scale) as f32);
        lambda * position.result.points() + (1.0 - lambda) * by_search
    };
    let samples = |layout: &Layout, families: &[Family]| {
        [&train, &validation].map(|positions| Samples::new(positions, layout, families, &target))
    };

    let one_bucket = Layout::new(settings.king_buckets.with_one_bucket());
    let data = samples(&one_bucket, &[Family::PieceSquare]);
    let start = Parameters::zero(one_bucket.length());
    let adam = adam_settings(settings, FIRST_STEP_RATE, 0.0);
    let (average, _) = minimize(&data, start, &adam, progress);
    drop(data); // gigabytes, perhaps, and the next step needs as much

    let layout = Layout::new(settings.king_buckets.clone());
    let data = samples(&layout, &Family::ALL);
    let start = second_start(&average, &layout);
    let adam = adam_settings(settings, SECOND_STEP_RATE, settings.prior);
    let (parameters, best) = minimize(&data, start, &adam, progress);

    let piece_squares = layout.range(Family::PieceSquare);
    let values = average_values(&data[0], &parameters.scores[piece_squares]);
    let minor = values[1..=2].iter().flatten().sum::<f32>() / 4.0;
    if minor.is_nan() || minor <= 1e-4 {
        return Err(FitError::NoUnit);
    }
    let factor = MINOR_PIECE_CENTIPAWNS / minor;
    Ok(Fit {
        tables: to_tables(&parameters, layout, factor),
        positions: (data[0].all().len(), data[1].all().len()),
        best,
        score_scale,
        piece_values: [0, 1, 2, 3, 4].map(|role| values[role].map(|value| value * factor / 100.0)),
    })
}

/// The training and the validation positions. Games are not split between the two, because the positions of one
/// game are alike.
fn split(games: &[TrainingGame]) -> [Vec<&TrainingPosition>; 2] {
    [false, true].map(|is_validation| {
        let numbered = games.iter().enumerate();
        let part =
            numbered.filter(|(number, _)| number.is_multiple_of(VALIDATION_SHARE) == is_validation);
        part.flat_map(|(_, game)| &game.positions).collect()
    })
}

fn adam_settings(settings: &Settings, rate: f32, prior_positions: f32) -> AdamSettings {
    AdamSettings {
        rate,
        prior_positions,
        epochs: settings.epochs,
        seed: settings.seed,
    }
}

/// The start of the second step: the single bucket of the first in every bucket, all other families at zero.
fn second_start(average: &Parameters, layout: &Layout) -> Parameters {
    let mut start = Parameters {
        tempo: average.tempo,
        ..Parameters::zero(layout.length())
    };
    let buckets = start.scores[layout.range(Family::PieceSquare)].chunks_exact_mut(BUCKET_SIZE);
    for bucket in buckets {
        bucket.copy_from_slice(&average.scores[..BUCKET_SIZE]);
    }
    start
}

/// The factor by which search scores, through the sigmoid, come closest to the results, found by ternary search.
/// Zero if all scores are zero.
fn fitted_scale(positions: &[&TrainingPosition]) -> f64 {
    if positions.iter().all(|position| position.score == 0) {
        return 0.0;
    }
    let error = |scale: f64| -> f64 {
        let square = |position: &&TrainingPosition| {
            let expected = sigmoid((f64::from(position.score) * scale) as f32);
            f64::from((expected - position.result.points()).powi(2))
        };
        positions
            .iter()
            .step_by(positions.len() / 100_000 + 1)
            .map(square)
            .sum()
    };
    let (mut low, mut high) = (1e-4, 3e-2);
    for _ in 0..40 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if error(left) < error(right) {
            high = right
        } else {
            low = left
        }
    }
    (low + high) / 2.0
}

/// The tables in whole centipawns, with `factor` centipawns to one of the sigmoid's units.
fn to_tables(parameters: &Parameters, layout: Layout, factor: f32) -> Tables {
    let whole = |value: f32| (value * factor).clamp(-SCORE_LIMIT, SCORE_LIMIT).round() as i16;
    let score = |[middle_game, end_game]: &ScorePair| PackedScore {
        middle_game: whole(*middle_game),
        end_game: whole(*end_game),
    };
    let scores = parameters.scores.iter().map(score).collect();
    Tables::from_scores(layout, scores, whole(parameters.tempo))
}

/// The value of each role, averaged over the positions, in the sigmoid's units: to its own side, minus that to
/// the enemy.
fn average_values(data: &Samples, piece_squares: &[ScorePair]) -> [ScorePair; 6] {
    let mut seen = vec![0u64; piece_squares.len()];
    // The piece-square tables come first in the index space.
    for index in data.indices().filter(|index| *index < piece_squares.len()) {
        seen[index] += 1;
    }
    let mean = |role, is_enemy, phase: usize| -> f32 {
        let (mut sum, mut count) = (0.0, 0u64);
        let buckets = seen
            .chunks(BUCKET_SIZE)
            .zip(piece_squares.chunks(BUCKET_SIZE));
        for (seen, scores) in buckets {
            let table = table_range(is_enemy, role);
            for (seen, score) in seen[table.clone()].iter().zip(&scores[table]) {
                sum += *seen as f64 * f64::from(score[phase]);
                count += seen;
            }
        }
        (sum / count.max(1) as f64) as f32
    };
    Role::ALL.map(|role| [0, 1].map(|phase| mean(role, false, phase) - mean(role, true, phase)))
}

/// The roles of [`Fit::piece_values`], in its order.
pub const VALUED_ROLES: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];
