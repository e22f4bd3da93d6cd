//! The tuner: fits tables to training positions (Texel's tuning method, with Adam as the
//! optimizer).
//!
//! The sigmoid of the evaluation of a position is the expected score of a side. The tuner minimizes
//! the mean square error between that expectation and the target of each position. The target
//! blends the result of the game and the score of the search; *lambda* is the weight of the result.
//!
//! The fit has up to three steps. The first fits the piece-square tables with a single king bucket.
//! The second starts every bucket from there and the other families, all but pairs, from zero, and
//! pulls all scores back to their start (the prior). So a score with few positions stays near the
//! average instead of fitting noise. The third adds the pairs, from zero and with a prior of their
//! own, and lets the other scores follow. So each family explains what the ones before leave over.
//!
//! A fit that begins with tables has a single step: everything starts from their scores, and is
//! pulled back to them. It fits every family that they know something of, besides those that it is
//! asked for.

use shakmaty::Role;

use super::adam::Prior;
use super::fit_steps::Steps;
use super::fitted_tables::{correction, start_from, to_tables};
use super::model::{Model, Target};
use super::parameters::{Parameters, ScorePair};
use super::score_scale::fitted_scale;
use super::training_data::{PackedPosition, TrainingData};
use squarewise_engine::evaluation::features::{Family, Feature, FeatureState, Layout};
use squarewise_engine::evaluation::king_buckets::{BUCKET_SIZE, table_range};
use squarewise_engine::evaluation::tables::Tables;

pub use super::descent_state::EpochLosses;
pub use super::fit_settings::{FitError, ResumeFile, Settings};
pub use super::losses::LossesApart;

/// The learning rate of the first step of the fit, which has no prior.
const FIRST_STEP_RATE: f32 = 0.005;
/// The learning rate of the second and third step, which separate the king buckets and add the
/// other families.
const LATER_RATE: f32 = 0.001;
/// The values of pieces are averaged over this many positions, at most.
const VALUED_POSITIONS: usize = 1_000_000;
/// The average value of a minor piece in centipawns. It only sets the unit, so that the margins of
/// the search mean the same with any tables. Pawns would be the usual measure, but games of engines
/// that start from zero say little about the value of pawns.
const MINOR_PIECE_CENTIPAWNS: f32 = 330.0;

/// The result of a fit.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The tables.
    pub tables: Tables,
    /// What they add to those that the fit began with, if it was to be a correction of them.
    pub correction: Option<Tables>,
    /// The numbers of training and validation positions.
    pub positions: (usize, usize),
    /// The losses of the scores that were kept.
    pub best: EpochLosses,
    /// The validation loss in other ways.
    pub apart: LossesApart,
    /// The factor between the centipawns of the search's scores and the sigmoid's units.
    pub score_scale: f64,
    /// The average value of a pawn, knight, bishop, rook and queen, in pawns of 100 centipawns: in
    /// the middlegame and in the endgame, as they were before pairs were added, unless the fit
    /// began with tables.
    pub piece_values: [[f32; 2]; 5],
}

/// Fits tables to games. `progress` receives the losses after each epoch.
///
/// # Errors
///
/// [`FitError`] if there are too few games, they say nothing about the unit of scores, the state of
/// the fit can't be read or written, or the fit is told to end.
pub fn fit(
    data: &TrainingData,
    settings: &Settings,
    progress: &mut dyn FnMut(EpochLosses),
) -> Result<Fit, FitError> {
    if !data.can_be_split() {
        return Err(FitError::TooFewPositions {
            games: data.games(),
            training: data.training.len(),
            validation: data.validation.len(),
        });
    }
    let score_scale = fitted_scale(&data.training);
    let target = Target {
        // The scores of engines that start from zero are all zero and say nothing.
        lambda: if score_scale > 0.0 {
            settings.lambda
        } else {
            1.0
        },
        score_scale,
    };
    let mut steps = Steps::resume(data, settings, progress)?;
    match &settings.from {
        Some(tables) => fit_from(tables, data, settings, target, &mut steps),
        None => fit_from_zero(data, settings, target, &mut steps),
    }
}

/// Fits tables that begin with nothing, in two steps or, with pairs, in three.
fn fit_from_zero(
    data: &TrainingData,
    settings: &Settings,
    target: Target,
    steps: &mut Steps,
) -> Result<Fit, FitError> {
    let one_bucket = Layout::new(settings.king_buckets.with_one_bucket());
    let model = Model::new(one_bucket, &[Family::PieceSquare], target);
    let (average, _) = steps.next(&model, &model.zero(), FIRST_STEP_RATE, no_prior(&model))?;

    let layout = Layout::new(settings.king_buckets.clone());
    let (pairs, singles): (Vec<Family>, Vec<Family>) = settings
        .fitted_families()
        .partition(|family| family.shares_scores());
    let mut model = Model::new(layout.clone(), &singles, target);
    let mut start = second_start(&average, &model);
    let first_prior = prior(settings, &model);
    let (mut parameters, mut best) = steps.next(&model, &start, LATER_RATE, first_prior)?;

    // The unit is set before there are pairs, since a part of a piece's value can move into those.
    let values = average_values(&data.training, &layout, &parameters.scores);
    let minor = values[1..=2].iter().flatten().sum::<f32>() / 4.0;
    if minor.is_nan() || minor <= 1e-4 {
        return Err(FitError::NoUnit);
    }
    let factor = MINOR_PIECE_CENTIPAWNS / minor;

    if !pairs.is_empty() {
        model = Model::new(layout.clone(), &[singles, pairs].concat(), target);
        start = Parameters {
            relative: model.zero().relative,
            ..parameters
        };
        let prior = prior(settings, &model);
        (parameters, best) = steps.next(&model, &start, LATER_RATE, prior)?;
    }

    let scores = model.whole_scores(&parameters);
    let tables = to_tables(&scores, parameters.tempo, layout, factor);
    let written = start_from(&tables, model.families(), &model, 1.0 / factor);
    let apart = LossesApart::of(&model, data, [&start, &parameters, &written]);
    Ok(Fit {
        tables,
        correction: None,
        apart,
        positions: (data.training.len(), data.validation.len()),
        best,
        score_scale: target.score_scale,
        piece_values: in_pawns(values, factor),
    })
}

/// Fits tables that begin with others, in one step. Their unit is kept, since the scores of the
/// search are in it.
fn fit_from(
    tables: &Tables,
    data: &TrainingData,
    settings: &Settings,
    target: Target,
    steps: &mut Steps,
) -> Result<Fit, FitError> {
    let to_units = target.score_scale as f32;
    if to_units <= 0.0 {
        return Err(FitError::NoScores);
    }
    let layout = tables.layout().clone();
    let families: Vec<Family> = settings.fitted_families().collect();
    let mut model = Model::new(layout.clone(), &families, target);
    if settings.is_correction {
        model = model.with_tied_buckets();
    }
    let start = start_from(tables, &families, &model, to_units);
    let (parameters, best) = steps.next(&model, &start, LATER_RATE, prior(settings, &model))?;
    let values = average_values(&data.training, &layout, &parameters.scores);
    let correction = settings
        .is_correction
        .then(|| correction(&layout, [&start, &parameters], 1.0 / to_units));
    let tables = match &correction {
        Some(correction) => tables.corrected_by(correction),
        None => {
            let scores = model.whole_scores(&parameters);
            to_tables(&scores, parameters.tempo, layout, 1.0 / to_units)
        }
    };
    let written = start_from(&tables, &families, &model, to_units);
    Ok(Fit {
        apart: LossesApart::of(&model, data, [&start, &parameters, &written]),
        tables,
        correction,
        positions: (data.training.len(), data.validation.len()),
        best,
        score_scale: target.score_scale,
        piece_values: in_pawns(values, 1.0 / to_units),
    })
}

/// The values of pieces below the king in pawns of 100 centipawns, with `factor` centipawns to one
/// of the sigmoid's units.
fn in_pawns(values: [ScorePair; 6], factor: f32) -> [ScorePair; 5] {
    [0, 1, 2, 3, 4].map(|role: usize| values[role].map(|value| value * factor / 100.0))
}

fn no_prior(model: &Model) -> Prior {
    Prior {
        scores: vec![0.0; model.layout().length()],
        relative: vec![0.0; model.zero().relative.len()],
        keeps_tempo: false,
    }
}

fn prior(settings: &Settings, model: &Model) -> Prior {
    let mut scores = vec![settings.prior; model.layout().length()];
    let mut relative = vec![settings.shared_prior; model.zero().relative.len()];
    for family in Family::ALL {
        let range = model.layout().range(family);
        if family.shares_scores() {
            scores[range.clone()].fill(settings.pair_prior);
        }
        if settings.keeps(family) {
            scores[range.clone()].fill(f32::INFINITY);
            if family.shares_scores() && !relative.is_empty() {
                range.for_each(|index| relative[model.relative_number(index)] = f32::INFINITY);
            }
        }
    }
    Prior {
        scores,
        relative,
        keeps_tempo: settings.keep_others,
    }
}

/// The start of the second step: the single bucket of the first in every bucket, all other families
/// at zero.
fn second_start(average: &Parameters, model: &Model) -> Parameters {
    let mut start = Parameters {
        tempo: average.tempo,
        ..model.zero()
    };
    let piece_squares = model.layout().range(Family::PieceSquare);
    for bucket in start.scores[piece_squares].chunks_exact_mut(BUCKET_SIZE) {
        bucket.copy_from_slice(&average.scores[..BUCKET_SIZE]);
    }
    start
}

/// The value of each role, averaged over the positions, in the sigmoid's units: to its own side,
/// minus that to the enemy.
fn average_values(
    positions: &[PackedPosition],
    layout: &Layout,
    scores: &[ScorePair],
) -> [ScorePair; 6] {
    let piece_squares = &scores[layout.range(Family::PieceSquare)];
    let mut seen = vec![0u64; piece_squares.len()];
    let step = positions.len() / VALUED_POSITIONS + 1;
    for position in positions.iter().step_by(step) {
        let board = position.board();
        let state = FeatureState::of(layout, &board);
        state.for_each_feature(&board, |feature| {
            if let Feature::PieceSquare(..) = feature {
                let indices = state.indices(layout, feature);
                indices.into_iter().for_each(|index| seen[index] += 1);
            }
        });
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LookUps;
    use crate::training_position::{GameResult, TrainingPosition};
    use shakmaty::{CastlingMode, Position};
    use squarewise_engine::evaluation::{Accumulator, TableSet, evaluate};
    use squarewise_engine::position::from_fen;

    #[test]
    fn the_model_expects_what_the_engine_evaluates() {
        let to_units = 0.004;
        // Positions whose score is the evaluation: a model that agrees with it makes no error.
        let target = Target {
            lambda: 0.0,
            score_scale: to_units,
        };
        for set in [TableSet::Attacks, TableSet::Pairs, TableSet::Learned] {
            let tables = set.tables();
            let model = Model::new(tables.layout().clone(), &Family::ALL, target);
            let right = start_from(&tables, &Family::ALL, &model, to_units as f32);
            let without_pairs = [Family::PieceSquare, Family::Material, Family::PassedPawns];
            let other = start_from(&tables, &without_pairs, &model, to_units as f32);
            for fen in [
                "r1bq1rk1/pp3ppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8",
                "8/5pk1/4p1p1/P2pP2p/3N1P1P/6P1/1r4K1/8 w - - 0 40",
                "3r2k1/1p3p1p/p4qp1/2Pp4/8/1B3Q1P/PP3PP1/4R1K1 w - - 0 25",
            ] {
                let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
                let accumulator = Accumulator::of(position.board(), &tables);
                let score = evaluate(accumulator, &tables, position.board(), position.turn());
                let position = TrainingPosition::new(&position, score, GameResult::Draw);
                let position = PackedPosition::new(&position);
                let error = |parameters: &Parameters| {
                    let mut look_ups = LookUps::default();
                    model.fill_look_ups(parameters, &mut look_ups);
                    model.square_error(&position, parameters, &look_ups).sqrt()
                };
                // The evaluation is a whole number of centipawns.
                assert!(error(&right) < to_units / 4.0, "{set:?}: {}", error(&right));
                let has_pairs = !tables.is_zero_in(Family::PiecePawns);
                assert_eq!(error(&other) > to_units / 4.0, has_pairs, "{set:?}");
            }
        }
    }
}
