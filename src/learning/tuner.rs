//! Fits tables to written positions.
//!
//! The evaluation of a position, through a sigmoid, is the share of points that White may expect. The tuner
//! moves the values until that expectation is as close as can be (in the mean square) to what came of the
//! positions: a blend of the game's result and of what the search thought.
//!
//! The fit has two steps. The first fits one bucket for all squares of the kings. The second starts every
//! bucket from there, and armies from nothing, and pulls all values back to where they started, so that a
//! value which few positions speak of stays with the average instead of following chance, and an army is
//! told only what its pieces leave to tell.

use shakmaty::{Color, Role, Square};

use super::adam::{Pair, Parameters, Step, descend, sigmoid};
use super::game_file::GameRecord;
use super::samples::{Samples, Terms};
use super::training_position::Record;
use crate::evaluation::king_buckets::{BUCKET_SIZE, KingBuckets};
use crate::evaluation::material::MATERIAL_SIZE;
use crate::evaluation::tables::{PackedScore, Tables};

/// One game in so many is kept apart to see whether what is learned holds elsewhere.
const VALIDATION_SHARE: usize = 16;
/// The rate of the first step of the fit, whose values nothing holds back.
const AVERAGE_RATE: f32 = 0.005;
/// The rate of the second step, which sets the buckets apart and brings in the armies.
const BUCKETS_RATE: f32 = 0.001;
/// A knight and a bishop are worth this much on average, in centipawns. It only sets the unit, so that the
/// search's margins mean the same whatever the tables: pawns would be the natural measure, but blind
/// players don't know yet what to do with them.
const MINOR_PIECE_CENTIPAWNS: f32 = 330.0;
/// Values beyond this are cut, in centipawns.
const CELL_LIMIT: f32 = 8_000.0;

/// How to fit.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the tables look at the kings.
    pub shape: KingBuckets,
    /// The share of the game's result in what is aimed at, 0 to 1; the rest is the search's score.
    pub result_share: f32,
    /// How strongly the values of a bucket are held to the average of all, and those of armies to nothing: as
    /// if so many positions had spoken for it. A game's positions are alike, so a good prior weighs as much
    /// as some tens of games.
    pub prior: f32,
    /// Passes over the positions, at most, for each step of the fit.
    pub epochs: u32,
    /// What the order of positions is drawn from.
    pub seed: u64,
}

/// How the fit stands after an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Epochs done in this step of the fit.
    pub epoch: u32,
    /// The mean square error on the positions fitted to.
    pub train_loss: f64,
    /// The same on those kept apart.
    pub validation_loss: f64,
}

/// What came of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The tables.
    pub tables: Tables,
    /// Positions fitted to and positions kept apart, those counted once that the tables can't tell apart.
    pub positions: (usize, usize),
    /// The losses of the values that were kept.
    pub best: Progress,
    /// The factor that turned a search's centipawns into the sigmoid's units.
    pub score_scale: f64,
    /// What a pawn, knight, bishop, rook and queen are worth on average, in pawns of 100 centipawns: in the
    /// middle game and in the end game.
    pub piece_values: [[f32; 2]; 5],
}

/// Why there is nothing to fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// Both parts of the data need positions.
    #[error("there are {0} games with positions; at least {1} are needed")]
    TooFewGames(usize, usize),
    /// Minor pieces came out worth nothing or less, so that there is no unit to count in.
    #[error("the games say nothing of what a piece is worth: play more of them")]
    NoUnit,
}

/// Fits tables to games. `progress` gets the state after each epoch.
///
/// # Errors
///
/// [`FitError`] if the games are too few.
pub fn fit(
    games: &[GameRecord],
    settings: &Settings,
    progress: &mut dyn FnMut(Progress),
) -> Result<Fit, FitError> {
    let is_kept_apart = |number: &usize| number.is_multiple_of(VALIDATION_SHARE);
    let chosen = |apart: bool| -> Vec<&Record> {
        let numbered = games.iter().enumerate();
        let part = numbered.filter(|(number, _)| is_kept_apart(number) == apart);
        part.flat_map(|(_, game)| &game.records).collect()
    };
    let (train, validation) = (chosen(false), chosen(true));
    if train.is_empty() || validation.is_empty() {
        return Err(FitError::TooFewGames(games.len(), VALIDATION_SHARE + 1));
    }
    let score_scale = fitted_scale(&train);
    let target = |record: &Record| {
        let by_search = sigmoid((f64::from(record.score) * score_scale) as f32);
        // Blind players' scores are all zero and say nothing.
        let share = if score_scale > 0.0 {
            settings.result_share
        } else {
            1.0
        };
        share * record.result.points() + (1.0 - share) * by_search
    };

    let samples = |shape: &KingBuckets, terms: Terms| {
        [&train, &validation].map(|records| Samples::new(records, shape, terms, &target))
    };
    let one_bucket = settings.shape.with_one_bucket();
    let start = Parameters::zero(one_bucket.length());
    let step = Step {
        rate: AVERAGE_RATE,
        prior_positions: 0.0,
    };
    let data = samples(&one_bucket, Terms::Pieces);
    let (mut start, _) = descend(&data, start, settings, step, progress);
    drop(data); // there may be gigabytes of it, and as much is to come

    let shape = settings.shape.clone();
    start.pairs = start.pairs.repeat(shape.length() / BUCKET_SIZE);
    start
        .pairs
        .resize(shape.length() + MATERIAL_SIZE, Pair::default());
    let step = Step {
        rate: BUCKETS_RATE,
        prior_positions: settings.prior,
    };
    let data = samples(&shape, Terms::PiecesAndArmies);
    let (parameters, best) = descend(&data, start, settings, step, progress);

    let values = average_values(&data[0], &parameters.pairs[..shape.length()]);
    let minor = values[1..=2].iter().flatten().sum::<f32>() / 4.0;
    if minor.is_nan() || minor <= 1e-4 {
        return Err(FitError::NoUnit);
    }
    let factor = MINOR_PIECE_CENTIPAWNS / minor;
    Ok(Fit {
        tables: to_tables(&parameters, shape, factor),
        positions: (data[0].all().len(), data[1].all().len()),
        best,
        score_scale,
        piece_values: [0, 1, 2, 3, 4].map(|role| values[role].map(|value| value * factor / 100.0)),
    })
}

/// The factor by which search scores, through the sigmoid, come closest to the results; found by narrowing
/// the range around the best of a few tries. Zero if there are no scores.
fn fitted_scale(records: &[&Record]) -> f64 {
    if records.iter().all(|record| record.score == 0) {
        return 0.0;
    }
    let error = |scale: f64| -> f64 {
        let square = |record: &&Record| {
            let expected = sigmoid((f64::from(record.score) * scale) as f32);
            f64::from((expected - record.result.points()).powi(2))
        };
        records
            .iter()
            .step_by(records.len() / 100_000 + 1)
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

/// The tables in whole centipawns, where one unit of the sigmoid is worth `factor` of them.
fn to_tables(parameters: &Parameters, shape: KingBuckets, factor: f32) -> Tables {
    let whole = |value: f32| (value * factor).clamp(-CELL_LIMIT, CELL_LIMIT).round() as i16;
    let cell = |[middle_game, end_game]: &Pair| PackedScore {
        middle_game: whole(*middle_game),
        end_game: whole(*end_game),
    };
    let (pieces, armies) = parameters.pairs.split_at(shape.length());
    Tables::from_scores(
        shape,
        pieces.iter().map(cell).collect(),
        armies.iter().map(cell).collect(),
        whole(parameters.tempo),
    )
}

/// What each role is worth on average over the positions, in the sigmoid's units: to its own side, less what
/// it is worth to the enemy.
fn average_values(data: &Samples, pieces: &[Pair]) -> [Pair; 6] {
    let mut seen = vec![0u64; pieces.len()];
    // The armies that follow are no pieces.
    for index in data.uses().filter(|index| *index < pieces.len()) {
        seen[index] += 1;
    }
    std::array::from_fn(|role| {
        let mean = |is_enemy: bool, phase: usize| -> f32 {
            let view = KingBuckets::PLAIN.view(Color::White, Square::A1);
            let first = view.index(is_enemy, role, Square::A1);
            let (mut sum, mut count) = (0.0, 0u64);
            let buckets = seen.chunks(BUCKET_SIZE).zip(pieces.chunks(BUCKET_SIZE));
            for (seen, pairs) in buckets {
                let sheet = first..first + 64;
                for (seen, pair) in seen[sheet.clone()].iter().zip(&pairs[sheet]) {
                    sum += *seen as f64 * f64::from(pair[phase]);
                    count += seen;
                }
            }
            (sum / count.max(1) as f64) as f32
        };
        [0, 1].map(|phase| mean(false, phase) - mean(true, phase))
    })
}

/// The roles that [`Fit::piece_values`] tells of, in its order.
pub const VALUED_ROLES: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];
