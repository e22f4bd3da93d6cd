//! The fit of drawishness: which share of a lead results leave over.
//!
//! The share that counts of an entry is a product of four factors: one for the kind of ending, one
//! for the pawns of the side that leads, one for the wings, and one of its own. So an entry that
//! few games visit follows the others. Each factor has a prior toward 1. The factors are fitted so
//! that what the WDL model expects of the search's scores comes closest to the results. Newton's
//! method takes the groups of factors in turn; its curvature is that of Gauss and Newton.

use rayon::prelude::*;
use shakmaty::Color;

use squarewise_engine::drawishness::{DRAWISHNESS_SIZE, Drawishness, EndingKind, WHOLE, fading};
use squarewise_engine::wdl::{WdlModel, WinCurve, material};

use super::training_data::{PackedPosition, TrainingData};

/// The rounds through all groups of factors.
const ROUNDS: u32 = 12;
/// The longest step of the logarithm of a factor.
const LONGEST_STEP: f64 = 0.5;
/// At most this much of a lead counts in endings of a kind, so that a greater lead always counts
/// more.
const MOST: f64 = 1.5;

/// A group of factors, and the factor in it that an entry has.
struct Group {
    factor_of: fn(Drawishness) -> usize,
    /// The weight of 1 in the curvature: that of some thousand positions of an equal ending for the
    /// factors of one entry, a twelfth of it for those that many share.
    prior: f64,
}

const GROUPS: [Group; 4] = [
    Group {
        factor_of: |entry| entry.kind as usize,
        prior: 5.0,
    },
    Group {
        factor_of: |entry| entry.pawns,
        prior: 5.0,
    },
    Group {
        factor_of: |entry| usize::from(entry.is_on_one_wing),
        prior: 5.0,
    },
    Group {
        factor_of: Drawishness::place,
        prior: 60.0,
    },
];

/// A position as the fit sees it, from the side that leads.
struct Sample {
    /// The score of the search in centipawns.
    lead: f64,
    /// The entry.
    place: usize,
    /// How much of its share is taken away, 0 to 1.
    fading: f64,
    /// What the model says of its material.
    curve: WinCurve,
    /// The points of the side that leads.
    points: f64,
}

/// Fitted shares.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The share that is taken away, by [`Drawishness::place`], in parts of [`WHOLE`].
    pub shares: Vec<i8>,
    /// The mean squared error of results that were kept apart, without drawishness and with it.
    pub losses: [f64; 2],
}

/// Fits the shares to the results of games.
pub fn fit(data: &TrainingData) -> Fit {
    let samples = |positions: &[PackedPosition]| -> Vec<Sample> {
        positions.par_iter().map(Sample::of).collect()
    };
    let (training, validation) = (samples(&data.training), samples(&data.validation));
    let mut factors = Factors([[0.0; DRAWISHNESS_SIZE]; GROUPS.len()]);
    let before = loss(&validation, &factors.counted());
    for _ in 0..ROUNDS {
        (0..GROUPS.len()).for_each(|group| factors.fit_group(group, &training));
    }
    let mut counted = factors.counted();
    let mut shares = [0; DRAWISHNESS_SIZE];
    for entry in Drawishness::all() {
        let (counted, share) = (&mut counted[entry.place()], &mut shares[entry.place()]);
        let whole = f64::from(WHOLE);
        let taken = whole * (1.0 - counted.min(most(entry.kind)));
        *share = taken.round().min(whole - 1.0) as i8;
        *counted = 1.0 - f64::from(*share) / whole;
    }
    Fit {
        shares: shares.to_vec(),
        losses: [before, loss(&validation, &counted)],
    }
}

/// The most of a lead that can count: all of it outside the special endings, since the WDL model
/// was fitted to such positions.
fn most(kind: EndingKind) -> f64 {
    match kind {
        EndingKind::WithQueens | EndingKind::WithoutQueens => 1.0,
        _ => MOST,
    }
}

impl Sample {
    fn of(position: &PackedPosition) -> Sample {
        let board = position.board();
        let leader = Color::from_white(position.score > 0);
        let lead = f64::from(position.score).abs();
        let points = f64::from(position.result.points());
        Sample {
            lead,
            place: Drawishness::of(&board, leader).place(),
            fading: fading(lead),
            curve: WdlModel::FITTED.curve(material(&board)),
            points: leader.fold_wb(points, 1.0 - points),
        }
    }

    /// The expected points, if this share of a small lead counts.
    fn expected(&self, counted: f64) -> f64 {
        let share = 1.0 - self.fading * (1.0 - counted);
        let chances = self.curve.chances(self.lead * share);
        chances.win + chances.draw / 2.0
    }
}

/// The mean squared error of the results.
fn loss(samples: &[Sample], counted: &[f64; DRAWISHNESS_SIZE]) -> f64 {
    let square = |sample: &Sample| (sample.expected(counted[sample.place]) - sample.points).powi(2);
    samples.par_iter().map(square).sum::<f64>() / samples.len() as f64
}

/// Slope and curvature of the sum of squared errors, by the logarithm of something.
#[derive(Clone, Copy, Default)]
struct Slope {
    slope: f64,
    curvature: f64,
}

impl Slope {
    /// That of a sample, by the logarithm of what counts.
    fn of(sample: &Sample, counted: f64) -> Slope {
        const STEP: f64 = 0.01;
        let [less, more] = [-STEP, STEP].map(|step| sample.expected(counted * step.exp()));
        let change = (more - less) / (2.0 * STEP);
        Slope {
            slope: ((more + less) / 2.0 - sample.points) * change,
            curvature: change * change,
        }
    }

    fn add(&mut self, other: Slope) {
        self.slope += other.slope;
        self.curvature += other.curvature;
    }

    /// Newton's step for a logarithm that has a prior toward 0.
    fn step(self, logarithm: f64, prior: f64) -> f64 {
        let step = -(self.slope + prior * logarithm) / (self.curvature + prior);
        step.clamp(-LONGEST_STEP, LONGEST_STEP)
    }
}

/// The logarithms of all factors, by group.
struct Factors([[f64; DRAWISHNESS_SIZE]; GROUPS.len()]);

impl Factors {
    /// The share of a small lead that counts, by the place of the entry.
    fn counted(&self) -> [f64; DRAWISHNESS_SIZE] {
        let mut counted = [1.0; DRAWISHNESS_SIZE];
        for entry in Drawishness::all() {
            let factors = self.0.iter().zip(&GROUPS);
            let logarithms = factors.map(|(factors, group)| factors[(group.factor_of)(entry)]);
            counted[entry.place()] = logarithms.sum::<f64>().exp();
        }
        counted
    }

    fn fit_group(&mut self, group: usize, samples: &[Sample]) {
        let counted = self.counted();
        let slope_of = |sample: &Sample| Slope::of(sample, counted[sample.place]);
        let slopes: Vec<Slope> = samples.par_iter().map(slope_of).collect();
        let mut of_entries = [Slope::default(); DRAWISHNESS_SIZE];
        for (sample, slope) in samples.iter().zip(slopes) {
            of_entries[sample.place].add(slope);
        }
        let Group { factor_of, prior } = GROUPS[group];
        let mut of_factors = [Slope::default(); DRAWISHNESS_SIZE];
        for entry in Drawishness::all() {
            of_factors[factor_of(entry)].add(of_entries[entry.place()]);
        }
        for (factor, slope) in self.0[group].iter_mut().zip(of_factors) {
            *factor += slope.step(*factor, prior);
        }
    }
}

/// The shares as they stand in the source of the engine: a row for each kind of ending and for
/// pawns on both wings or on one.
pub fn rows(shares: &[i8]) -> Vec<String> {
    let rows = shares.chunks_exact(DRAWISHNESS_SIZE / EndingKind::ALL.len() / 2);
    let entries = EndingKind::ALL
        .into_iter()
        .flat_map(|kind| [(kind, ""), (kind, ", on one wing")]);
    rows.zip(entries)
        .map(|(row, (kind, wing))| {
            let numbers: Vec<String> = row.iter().map(|share| format!("{share:3}")).collect();
            format!("    {}, // {kind:?}{wing}", numbers.join(", "))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_file::TrainingGame;
    use crate::training_position::{GameResult, TrainingPosition};
    use shakmaty::{CastlingMode, Position};
    use squarewise_engine::position::from_fen;
    use squarewise_engine::score::Score;

    /// A game of a single position, in which the side to move leads by a pawn.
    fn game(fen: &str, result: GameResult) -> TrainingGame {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        TrainingGame {
            positions: vec![TrainingPosition::new(
                &position,
                Score::centipawns(100),
                result,
            )],
        }
    }

    #[test]
    fn what_is_drawn_more_often_counts_less() {
        const OPPOSITE: &str = "4kb2/5ppp/8/8/8/8/4PPPP/4KB2 w - - 0 1";
        const SAME: &str = "2b1k3/5ppp/8/8/8/8/4PPPP/4KB2 w - - 0 1";
        // Of ten games that are a pawn ahead none is won here, three are there.
        let games = [(OPPOSITE, 0), (SAME, 3)].map(|(fen, won)| {
            (0..4_000).map(move |number| match number % 10 < won {
                true => game(fen, GameResult::WhiteWins),
                false => game(fen, GameResult::Draw),
            })
        });
        let games: Vec<TrainingGame> = games.into_iter().flatten().collect();
        let fit = fit(&games.iter().collect());
        let share = |fen| {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            fit.shares[Drawishness::of(position.board(), Color::White).place()]
        };
        assert!(share(OPPOSITE) > share(SAME) + 20, "{fit:?}");
        assert!(fit.losses[1] < fit.losses[0], "{fit:?}");
        assert_eq!(rows(&fit.shares).len(), 2 * EndingKind::ALL.len());
    }
}
