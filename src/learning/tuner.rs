//! Fits tables to written positions.
//!
//! The evaluation of a position, through a sigmoid, is the share of points that White may expect. The tuner
//! moves the values until that expectation is as close as can be (in the mean square) to what came of the
//! positions: a blend of the game's result and of what the search thought. The method is Adam (Kingma and
//! Ba, 2015), in small batches.
//!
//! Tables that look at the kings are fitted in two steps. The first fits one bucket for all, the second
//! starts every bucket from there and pulls its values back to where they started, so that a value which
//! few positions speak of stays with the average instead of following chance.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use shakmaty::{Color, Role, Square};

use super::record::{GameRecord, Record};
use crate::evaluation::shape::{BUCKET_LENGTH, Shape};
use crate::evaluation::tables::{Cell, Tables};
use crate::evaluation::{PHASE_LIMIT, phase_of};

/// One game in so many is kept apart to see whether what is learned holds elsewhere.
const VALIDATION_SHARE: usize = 16;
/// Positions that share a step.
const BATCH: usize = 8_192;
/// The first step of the fit: one bucket, which nothing holds back.
const AVERAGE_STEP: Step = Step {
    rate: 0.005,
    prior_positions: 0.0,
};
/// The second step, which sets the buckets apart. A game's positions are alike, so the prior weighs as much
/// as some tens of games.
const BUCKETS_STEP: Step = Step {
    rate: 0.001,
    prior_positions: 3_000.0,
};
/// How much one position can say of a value: the slope of the sigmoid, squared, for a position in doubt.
const POSITION_CURVATURE: f32 = 0.05;
/// Epochs without progress on the validation positions before the fit ends.
const PATIENCE: u32 = 3;
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
    pub shape: Shape,
    /// The share of the game's result in what is aimed at, 0 to 1; the rest is the search's score.
    pub result_share: f32,
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
    /// Positions fitted to and positions kept apart.
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

/// How one step of the fit goes downhill.
#[derive(Clone, Copy)]
struct Step {
    /// How far a value may go with one batch, in the sigmoid's units, at the first epoch; this shrinks to a
    /// tenth at the last.
    rate: f32,
    /// How strongly values are pulled back to where they started: as if so many positions had spoken for it.
    prior_positions: f32,
}

/// A value pair during the fit: middle game, end game.
type Pair = [f32; 2];

/// A position, taken apart into the values that it adds up.
struct Sample {
    first: usize,
    pieces: usize,
    middle_game: f32,
    turn: f32,
    target: f32,
}

struct Samples {
    samples: Vec<Sample>,
    /// For each piece of each sample, the value that White sees and the one that Black sees.
    indices: Vec<[u16; 2]>,
}

#[derive(Clone)]
struct Parameters {
    pairs: Vec<Pair>,
    tempo: f32,
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

    let mut shape = settings.shape.with_one_bucket();
    let start = Parameters {
        pairs: vec![[0.0; 2]; shape.length()],
        tempo: 0.0,
    };
    let mut data = [&train, &validation].map(|records| Samples::new(records, &shape, &target));
    let (mut parameters, mut best) = descend(&data, start, settings, AVERAGE_STEP, progress);
    if settings.shape != shape {
        shape = settings.shape.clone();
        data = [&train, &validation].map(|records| Samples::new(records, &shape, &target));
        parameters.pairs = parameters.pairs.repeat(shape.length() / BUCKET_LENGTH);
        (parameters, best) = descend(&data, parameters, settings, BUCKETS_STEP, progress);
    }

    let values = average_values(&data[0], &parameters);
    let minor = values[1..=2].iter().flatten().sum::<f32>() / 4.0;
    if minor.is_nan() || minor <= 1e-4 {
        return Err(FitError::NoUnit);
    }
    let factor = MINOR_PIECE_CENTIPAWNS / minor;
    Ok(Fit {
        tables: parameters.to_tables(shape, factor),
        positions: (train.len(), validation.len()),
        best,
        score_scale,
        piece_values: [0, 1, 2, 3, 4].map(|role| values[role].map(|value| value * factor / 100.0)),
    })
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
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

impl Samples {
    fn new(records: &[&Record], shape: &Shape, target: &impl Fn(&Record) -> f32) -> Samples {
        let mut samples = Vec::with_capacity(records.len());
        let mut indices = Vec::new();
        for record in records {
            let first = indices.len();
            let mut phase = 0;
            let [black, white] =
                [Color::Black, Color::White].map(|side| shape.view(side, record.king(side)));
            for (square, piece) in record.board.iter() {
                phase += phase_of(piece.role);
                let role = usize::from(piece.role) - 1;
                let seen_by_white = white.index(piece.color.is_black(), role, square);
                let seen_by_black = black.index(piece.color.is_white(), role, square);
                indices.push([seen_by_white as u16, seen_by_black as u16]);
            }
            samples.push(Sample {
                first,
                pieces: indices.len() - first,
                middle_game: phase.min(PHASE_LIMIT) as f32 / PHASE_LIMIT as f32,
                turn: record.turn.fold_wb(1.0, -1.0),
                target: target(record),
            });
        }
        Samples { samples, indices }
    }

    fn pieces_of(&self, sample: &Sample) -> &[[u16; 2]] {
        &self.indices[sample.first..sample.first + sample.pieces]
    }
}

impl Parameters {
    fn expectation(&self, data: &Samples, sample: &Sample) -> f32 {
        let mut sum = [0.0f32; 2];
        for [white, black] in data.pieces_of(sample) {
            let (white, black) = (
                self.pairs[usize::from(*white)],
                self.pairs[usize::from(*black)],
            );
            sum[0] += white[0] - black[0];
            sum[1] += white[1] - black[1];
        }
        let blended = sum[0] * sample.middle_game + sum[1] * (1.0 - sample.middle_game);
        sigmoid(blended + self.tempo * sample.turn)
    }

    fn loss(&self, data: &Samples) -> f64 {
        let square =
            |sample: &Sample| f64::from((self.expectation(data, sample) - sample.target).powi(2));
        // Added up in the same order on any number of threads.
        let parts = data.samples.par_chunks(BATCH);
        let sums: Vec<f64> = parts.map(|part| part.iter().map(square).sum()).collect();
        sums.iter().sum::<f64>() / data.samples.len() as f64
    }

    fn to_tables(&self, shape: Shape, factor: f32) -> Tables {
        let whole = |value: f32| (value * factor).clamp(-CELL_LIMIT, CELL_LIMIT).round() as i16;
        let cell = |[middle_game, end_game]: &Pair| Cell {
            middle_game: whole(*middle_game),
            end_game: whole(*end_game),
        };
        Tables::from_cells(
            shape,
            self.pairs.iter().map(cell).collect(),
            whole(self.tempo),
        )
    }
}

/// The gradient that some samples give.
#[derive(Clone)]
struct Gradient {
    pairs: Vec<Pair>,
    tempo: f32,
}

impl Gradient {
    fn add(&mut self, parameters: &Parameters, data: &Samples, sample: &Sample) {
        let expected = parameters.expectation(data, sample);
        let slope = (expected - sample.target) * expected * (1.0 - expected);
        let (middle, end) = (
            slope * sample.middle_game,
            slope * (1.0 - sample.middle_game),
        );
        for [white, black] in data.pieces_of(sample) {
            let white = &mut self.pairs[usize::from(*white)];
            white[0] += middle;
            white[1] += end;
            let black = &mut self.pairs[usize::from(*black)];
            black[0] -= middle;
            black[1] -= end;
        }
        self.tempo += slope * sample.turn;
    }
}

/// Adam's memory of one value.
#[derive(Clone, Copy, Default)]
struct Moments {
    mean: f32,
    square: f32,
}

impl Moments {
    /// The direction and size of the next step, in units of the learning rate.
    fn step(&mut self, gradient: f32, corrections: [f32; 2]) -> f32 {
        self.mean += (gradient - self.mean) * 0.1;
        self.square += (gradient * gradient - self.square) * 0.001;
        (self.mean * corrections[0]) / ((self.square * corrections[1]).sqrt() + 1e-8)
    }
}

/// Goes downhill from `start` until the epochs are used up or the validation loss no longer falls; gives the
/// values with the best one.
fn descend(
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
    let mut order: Vec<u32> = (0..train.samples.len() as u32).collect();
    let mut random = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut steps = 0;
    let prior = step.prior_positions * POSITION_CURVATURE / train.samples.len() as f32;
    let state = |parameters: &Parameters, epoch| Progress {
        epoch,
        train_loss: parameters.loss(train),
        validation_loss: parameters.loss(validation),
    };
    // The start is a candidate too: what doesn't hold for other games is not learned.
    let mut kept = (parameters.clone(), state(&parameters, 0));

    for epoch in 1..=settings.epochs.max(1) {
        shuffle(&mut order, &mut random);
        let done = (epoch - 1) as f32 / settings.epochs.max(2) as f32;
        let rate = step.rate * 0.1f32.powf(done);
        for batch in order.chunks(BATCH) {
            let gradient = batch_gradient(&parameters, train, batch);
            steps += 1;
            let corrections = [
                1.0 / (1.0 - 0.9f32.powi(steps)),
                1.0 / (1.0 - 0.999f32.powi(steps)),
            ];
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
        } else if epoch >= kept.1.epoch + PATIENCE {
            break;
        }
    }
    kept
}

/// The gradient of a batch, summed on all threads. The batch is cut into the same parts however many those
/// are, and the parts are added in order, so that the result is the same everywhere.
fn batch_gradient(parameters: &Parameters, data: &Samples, batch: &[u32]) -> Gradient {
    const PARTS: usize = 4;
    let parts: Vec<Gradient> = batch
        .par_chunks(batch.len().div_ceil(PARTS))
        .map(|part| {
            let pairs = vec![[0.0; 2]; parameters.pairs.len()];
            let mut gradient = Gradient { pairs, tempo: 0.0 };
            for number in part {
                gradient.add(parameters, data, &data.samples[*number as usize]);
            }
            gradient
        })
        .collect();
    let mut parts = parts.into_iter();
    let mut sum = parts.next().unwrap_or(Gradient {
        pairs: Vec::new(),
        tempo: 0.0,
    });
    for part in parts {
        for (sum, part) in sum.pairs.iter_mut().zip(&part.pairs) {
            sum[0] += part[0];
            sum[1] += part[1];
        }
        sum.tempo += part.tempo;
    }
    sum
}

fn shuffle(order: &mut [u32], random: &mut ChaCha8Rng) {
    for last in (1..order.len()).rev() {
        let other = random.next_u64() % (last as u64 + 1);
        order.swap(last, other as usize);
    }
}

/// What each role is worth on average over the positions, in the sigmoid's units: to its own side, less what
/// it is worth to the enemy.
fn average_values(data: &Samples, parameters: &Parameters) -> [Pair; 6] {
    let mut seen = vec![0u64; parameters.pairs.len()];
    for [white, black] in &data.indices {
        seen[usize::from(*white)] += 1;
        seen[usize::from(*black)] += 1;
    }
    std::array::from_fn(|role| {
        let mean = |is_enemy: bool, phase: usize| -> f32 {
            let view = Shape::PLAIN.view(Color::White, Square::A1);
            let first = view.index(is_enemy, role, Square::A1);
            let (mut sum, mut count) = (0.0, 0u64);
            let buckets = seen
                .chunks(BUCKET_LENGTH)
                .zip(parameters.pairs.chunks(BUCKET_LENGTH));
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
