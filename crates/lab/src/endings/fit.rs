//! The fit of an ending's tables to its distances to mate: least squares by the method of conjugate
//! gradients.
//!
//! A position counts as often as it occurs when every won position is played out with the best
//! moves: the narrow ways that all games take matter more than corners that none comes to.

use std::iter;

use arrayvec::ArrayVec;
use shakmaty::{Board, Color};

use super::men::{can_convert, is_check};
use super::retrograde::{Endings, Outcome};
use squarewise_engine::evaluation::endings::MAX_ENTRIES;
use squarewise_engine::evaluation::endings::{Ending, Men, PLY, WON};
use squarewise_engine::evaluation::tapered_score::UNITS;

/// One in this many positions with four men is fitted to.
const STRIDE: u64 = 4;

/// The steps of the fit.
const STEPS: usize = 100;

/// The prior that holds an entry near zero, as a number of positions with that score.
const PRIOR: f64 = 1.0;

/// Where fewer positions than this share of all aren't won, those are losses of a man that a search
/// sees, and aren't fitted to.
const FEW: f64 = 0.015;

/// A position to fit to.
struct Sample {
    /// The places of its entries.
    places: ArrayVec<u16, MAX_ENTRIES>,
    /// What it is worth to the strong side, in centipawns.
    target: f64,
    /// How often it counts.
    weight: f64,
}

/// What a fit found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The scores in eighths of a centipawn, by the place of the entry.
    pub scores: Vec<i16>,
    /// The number of positions that were fitted to.
    pub positions: usize,
    /// The standard deviation of what they are worth, in centipawns.
    pub spread: f64,
    /// The root mean square error of the tables, in centipawns.
    pub error: f64,
}

/// Fits the tables of an ending for one side to move, which have so many entries, to its positions
/// by how often each is [visited](Endings::visits). Positions in which the side to move can take
/// something or promote a pawn, or is in check, are left to the search.
pub fn fit(
    (endings, visits): (&Endings, &[f32]),
    ending: Ending,
    is_strong_turn: bool,
    entries: usize,
) -> Fitted {
    let samples = samples((endings, visits), ending, is_strong_turn);
    let scores = solve(&samples, entries);
    let total: f64 = samples.iter().map(|sample| sample.weight).sum();
    let mean_of = |value: &dyn Fn(&Sample) -> f64| -> f64 {
        let weighted = samples.iter().map(|sample| sample.weight * value(sample));
        weighted.sum::<f64>() / total
    };
    let mean = mean_of(&|sample| sample.target);
    let spread = mean_of(&|sample| (sample.target - mean).powi(2)).sqrt();
    let error = mean_of(&|sample| (sample.target - sample.sum(&scores)).powi(2)).sqrt();
    let rounded = scores
        .iter()
        .map(|score| (score * f64::from(UNITS)).round() as i16);
    Fitted {
        scores: rounded.collect(),
        positions: samples.len(),
        spread,
        error,
    }
}

fn samples(
    (endings, visits): (&Endings, &[f32]),
    ending: Ending,
    is_strong_turn: bool,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (number, position, turn, outcome) in endings.positions(ending) {
        // A multiplicative hash deals the positions out evenly.
        let deal = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        if !deal.is_multiple_of(STRIDE) && position.is_full() {
            continue;
        }
        let is_of_turn = is_strong_turn == (turn == Color::White) || ending.is_even();
        if !is_of_turn || is_check(&position, turn) || can_convert(&position, turn) {
            continue;
        }
        let mut board = Board::empty();
        for (piece, square) in &position {
            board.set_piece_at(*square, *piece);
        }
        let men = Men::on(&board, turn).filter(|men| men.is_strong_turn == is_strong_turn);
        let Some(men) = men else {
            continue;
        };
        let mut places = ArrayVec::new();
        men.for_each_entry(|place, _| places.push(place as u16));
        samples.push(Sample {
            places,
            target: target(outcome, is_strong_turn),
            weight: f64::from(visits[number]),
        });
    }
    let not_won = samples.iter().filter(|sample| sample.target <= 0.0).count();
    if (not_won as f64) < FEW * samples.len() as f64 {
        samples.retain(|sample| sample.target > 0.0);
    }
    samples
}

/// What a position is worth to the strong side, in centipawns.
fn target(outcome: Outcome, is_strong_turn: bool) -> f64 {
    let for_mover = match outcome {
        Outcome::Drawn => 0,
        Outcome::Won(plies) => WON - PLY * i32::from(plies),
        Outcome::Lost(plies) => PLY * i32::from(plies) - WON,
    };
    f64::from(if is_strong_turn {
        for_mover
    } else {
        -for_mover
    })
}

impl Sample {
    /// The sum of its entries.
    fn sum(&self, scores: &[f64]) -> f64 {
        let scores = self.places.iter().map(|place| scores[usize::from(*place)]);
        scores.sum()
    }

    /// Adds a value to all its entries.
    fn add(&self, value: f64, to: &mut [f64]) {
        let places = self.places.iter();
        places.for_each(|place| to[usize::from(*place)] += value);
    }
}

/// The scores with the least square error.
fn solve(samples: &[Sample], entries: usize) -> Vec<f64> {
    let mut seen = vec![PRIOR; entries];
    let mut rest = vec![0.0; entries];
    for sample in samples {
        sample.add(sample.weight, &mut seen);
        sample.add(sample.weight * sample.target, &mut rest);
    }
    let scaled = |rest: &[f64]| -> Vec<f64> {
        let scaled = iter::zip(rest, &seen).map(|(rest, seen)| rest / seen);
        scaled.collect()
    };
    let mut scores = vec![0.0; entries];
    let mut direction = scaled(&rest);
    let mut size = dot(&rest, &direction);
    for _ in 0..STEPS {
        let mut image: Vec<f64> = direction.iter().map(|part| PRIOR * part).collect();
        for sample in samples {
            sample.add(sample.weight * sample.sum(&direction), &mut image);
        }
        let curvature = dot(&direction, &image);
        if curvature <= 0.0 {
            break;
        }
        add_times(&mut scores, size / curvature, &direction);
        add_times(&mut rest, -size / curvature, &image);
        let next = scaled(&rest);
        let before = std::mem::replace(&mut size, dot(&rest, &next));
        for (part, next) in iter::zip(&mut direction, next) {
            *part = next + size / before * *part;
        }
    }
    scores
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    iter::zip(one, other).map(|(one, other)| one * other).sum()
}

fn add_times(sum: &mut [f64], factor: f64, summand: &[f64]) {
    iter::zip(sum, summand).for_each(|(sum, summand)| *sum += factor * summand);
}
