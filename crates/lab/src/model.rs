//! The model that the tuner fits: the evaluation in floating point, and the gradient of its error.
//!
//! The sigmoid of the evaluation is the expected score of a side. Its unit is not the centipawn but
//! the one in which the sigmoid has a slope of a quarter at zero.
//!
//! Tables of pairs have more scores than games have ever seen. So the score of a pair is the sum of
//! two parameters: one for the pair alone, and one that it shares with all pairs of the same pieces
//! at the same distance, files and ranks, from each other. What is true wherever the two stand is
//! learned from all of them (in shogi programs, whose tables are larger still, these are called
//! relative parameters).

use super::gradient::{Gradient, PairRows};
use super::parameters::{Parameters, ScorePair, add, sigmoid, subtract};
use super::position_features::{PositionFeatures, relative_numbers};
use super::training_data::PackedPosition;
use squarewise_engine::evaluation::features::{Family, Layout};
use squarewise_engine::evaluation::king_buckets::BUCKET_SIZE;
use squarewise_engine::evaluation::pair_table::{COLUMNS, EntryPlaces, ROWS, entries};
use squarewise_engine::evaluation::passed_pawns::PASSED_BUCKET_SIZE;

/// How training positions are looked at: which families of tables are fitted, and what the target
/// is.
#[derive(Clone, Debug)]
pub(super) struct Model {
    layout: Layout,
    families: Vec<Family>,
    /// Empty if no pairs are fitted.
    pair_entries: Vec<PairEntry>,
    /// The number of the relative parameter of each pair, in the order of the index space.
    relative_numbers: Vec<u16>,
    /// Whether the king buckets move together.
    ties_buckets: bool,
    pub(super) target: Target,
}

/// The target of the prediction for a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    /// The weight of the game's result; the rest is the weight of the search's score.
    pub(super) lambda: f32,
    /// The sigmoid's units to a centipawn of the search's score.
    pub(super) score_scale: f64,
}

impl Target {
    /// White's expected score, 0 to 1.
    fn of(self, position: &PackedPosition) -> f32 {
        let by_search = sigmoid((f64::from(position.score) * self.score_scale) as f32);
        self.lambda * position.result.points() + (1.0 - self.lambda) * by_search
    }
}

/// An entry of the table of pairs, with the two scores whose difference it is.
#[derive(Clone, Copy, Debug)]
struct PairEntry {
    row: u16,
    column: u16,
    /// The indices in the layout, as White and as Black sees the pair.
    white: u32,
    black: u32,
}

/// The scores as the model looks them up.
#[derive(Clone, Debug, Default)]
pub(super) struct LookUps {
    /// Of each feature, those of pairs with the shared part.
    whole: Vec<ScorePair>,
    /// Of pairs with pawns White's minus Black's, by row and column.
    rows: PairRows,
}

impl Model {
    /// The model with these families of tables; the piece-square tables must be among them.
    pub(super) fn new(layout: Layout, families: &[Family], target: Target) -> Model {
        let has_pairs = families.iter().any(|family| family.is_pairs());
        let pair_entries = entries()
            .filter(|_| has_pairs)
            .filter_map(|(row, column, places)| {
                let (family, [white, black]) = match places {
                    EntryPlaces::PawnPair(places) => (Family::PawnPairs, places),
                    EntryPlaces::PiecePawn(places) => (Family::PiecePawns, places),
                };
                let first = layout.range(family).start;
                families.contains(&family).then(|| PairEntry {
                    row: row as u16,
                    column: column as u16,
                    white: (first + white) as u32,
                    black: (first + black) as u32,
                })
            });
        Model {
            pair_entries: pair_entries.collect(),
            relative_numbers: if families.iter().any(|family| family.shares_scores()) {
                relative_numbers()
            } else {
                Vec::new()
            },
            families: families.to_vec(),
            ties_buckets: false,
            layout,
            target,
        }
    }

    /// The same model, in which a score moves by as much in every king bucket.
    pub(super) fn with_tied_buckets(self) -> Model {
        Model {
            ties_buckets: true,
            ..self
        }
    }

    /// The same model with another target.
    pub(super) fn with_target(&self, target: Target) -> Model {
        Model {
            target,
            ..self.clone()
        }
    }

    /// The families that are fitted.
    pub(super) fn families(&self) -> &[Family] {
        &self.families
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn zero(&self) -> Parameters {
        let relative = self.relative_numbers.iter().max();
        let relative_count = relative.map_or(0, |last| usize::from(*last) + 1);
        Parameters {
            scores: vec![[0.0; 2]; self.layout.length()],
            relative: vec![[0.0; 2]; relative_count],
            tempo: 0.0,
        }
    }

    /// A gradient of no positions.
    pub(super) fn no_gradient(&self) -> Gradient {
        let rows = if self.pair_entries.is_empty() {
            0
        } else {
            ROWS
        };
        Gradient {
            scores: vec![[0.0; 2]; self.layout.range(Family::PawnPairs).start],
            pair_rows: vec![[[0.0; 2]; COLUMNS]; rows],
            tempo: 0.0,
            square_error: 0.0,
        }
    }

    /// The relative parameter of the pair with this index in the layout.
    pub(super) fn relative_number(&self, index: usize) -> usize {
        let first = self.layout.range(Family::AttackPairs).start;
        usize::from(self.relative_numbers[index - first])
    }

    /// Writes the scores for look-ups into `look_ups`. Those of pairs of families that are not
    /// fitted are zero.
    pub(super) fn fill_look_ups(&self, parameters: &Parameters, look_ups: &mut LookUps) {
        let LookUps { whole, rows } = look_ups;
        *whole = self.whole_scores(parameters);
        if self.pair_entries.is_empty() {
            return;
        }
        rows.resize(ROWS, [[0.0; 2]; COLUMNS]);
        for entry in &self.pair_entries {
            let mut score = whole[entry.white as usize];
            subtract(&mut score, whole[entry.black as usize]);
            rows[usize::from(entry.row)][usize::from(entry.column)] = score;
        }
    }

    /// The score of each feature, those of pairs with the shared part.
    pub(super) fn whole_scores(&self, parameters: &Parameters) -> Vec<ScorePair> {
        let mut scores = parameters.scores.clone();
        for family in self.families.iter().filter(|family| family.shares_scores()) {
            for index in self.layout.range(*family) {
                add(
                    &mut scores[index],
                    parameters.relative[self.relative_number(index)],
                );
            }
        }
        scores
    }

    /// The expected score of White.
    fn expectation(
        &self,
        features: &PositionFeatures,
        parameters: &Parameters,
        LookUps { whole, rows }: &LookUps,
    ) -> f32 {
        let mut sum = [0.0; 2];
        for [black, white] in &features.singles {
            add(&mut sum, whole[*white as usize]);
            subtract(&mut sum, whole[*black as usize]);
        }
        for (index, sign) in &features.attacks {
            add(&mut sum, whole[*index as usize].map(|score| score * sign));
        }
        if let Some(pairs) = &features.pairs {
            for (row, columns) in pairs.rows() {
                let row = &rows[row];
                for column in columns {
                    add(&mut sum, row[usize::from(*column) % COLUMNS]);
                }
            }
        }
        let blended = sum[0] * features.middlegame + sum[1] * (1.0 - features.middlegame);
        sigmoid(blended + parameters.tempo * features.turn)
    }

    /// The square of the error of the prediction for a position.
    pub(super) fn square_error(
        &self,
        position: &PackedPosition,
        parameters: &Parameters,
        look_ups: &LookUps,
    ) -> f64 {
        let features = PositionFeatures::new(position, &self.layout, &self.families);
        let expected = self.expectation(&features, parameters, look_ups);
        f64::from((expected - self.target.of(position)).powi(2))
    }

    /// Adds the gradient of a position's error (half its square) to `gradient`.
    pub(super) fn add_gradient(
        &self,
        position: &PackedPosition,
        parameters: &Parameters,
        look_ups: &LookUps,
        gradient: &mut Gradient,
    ) {
        let features = PositionFeatures::new(position, &self.layout, &self.families);
        let expected = self.expectation(&features, parameters, look_ups);
        let error = expected - self.target.of(position);
        let slope = error * expected * (1.0 - expected);
        let slopes = [
            slope * features.middlegame,
            slope * (1.0 - features.middlegame),
        ];
        for [black, white] in &features.singles {
            add(&mut gradient.scores[*white as usize], slopes);
            subtract(&mut gradient.scores[*black as usize], slopes);
        }
        for (index, sign) in &features.attacks {
            let slopes = slopes.map(|slope| slope * sign);
            add(&mut gradient.scores[*index as usize], slopes);
        }
        if let Some(pairs) = &features.pairs {
            for (row, columns) in pairs.rows() {
                let row = &mut gradient.pair_rows[row];
                for column in columns {
                    add(&mut row[usize::from(*column) % COLUMNS], slopes);
                }
            }
        }
        gradient.tempo += slope * features.turn;
        gradient.square_error += f64::from(error * error);
    }

    /// Writes the gradient by parameter into `sum`.
    pub(super) fn collect(&self, gradient: &Gradient, sum: &mut Parameters) {
        sum.scores[..gradient.scores.len()].copy_from_slice(&gradient.scores);
        sum.tempo = gradient.tempo;
        sum.scores[gradient.scores.len()..].fill([0.0; 2]);
        sum.relative.fill([0.0; 2]);
        for entry in &self.pair_entries {
            let slopes = gradient.pair_rows[usize::from(entry.row)][usize::from(entry.column)];
            if slopes != [0.0; 2] {
                add(&mut sum.scores[entry.white as usize], slopes);
                subtract(&mut sum.scores[entry.black as usize], slopes);
            }
        }
        for family in self.families.iter().filter(|family| family.shares_scores()) {
            for index in self.layout.range(*family) {
                add(
                    &mut sum.relative[self.relative_number(index)],
                    sum.scores[index],
                );
            }
        }
        if self.ties_buckets {
            self.tie_buckets(&mut sum.scores);
        }
    }

    /// Gives each score of a king bucket the sum over all buckets. What begins alike and has the
    /// same slopes stays alike.
    fn tie_buckets(&self, scores: &mut [ScorePair]) {
        for (family, size) in [
            (Family::PieceSquare, BUCKET_SIZE),
            (Family::PassedPawns, PASSED_BUCKET_SIZE),
        ] {
            let buckets = &mut scores[self.layout.range(family)];
            let (sum, others) = buckets.split_at_mut(size);
            for bucket in others.chunks_exact(size) {
                for (sum, score) in sum.iter_mut().zip(bucket) {
                    add(sum, *score);
                }
            }
            for bucket in others.chunks_exact_mut(size) {
                bucket.copy_from_slice(sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training_position::{GameResult, TrainingPosition};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    use shakmaty::CastlingMode;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::from_fen;
    use squarewise_engine::score::Score;

    /// How far a parameter is moved to either side, in the sigmoid's units: far enough for numbers
    /// of 32 bits.
    const DISTANCE: f32 = 0.03;

    fn positions() -> Vec<PackedPosition> {
        let games = [
            (
                "r1bq1rk1/pp3ppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQ - 0 8",
                35,
                GameResult::Draw,
            ),
            (
                "8/5pk1/4p1p1/P2pP2p/3N1P1P/6P1/1r4K1/8 w - - 0 40",
                -120,
                GameResult::WhiteWins,
            ),
            (
                "3r2k1/1p3p1p/p4qp1/2Pp4/8/1B3Q1P/PP3PP1/4R1K1 w - - 0 25",
                210,
                GameResult::BlackWins,
            ),
            (
                // A middlegame with a passed pawn.
                "r2q1rk1/pp3ppp/2n1bn2/3P4/2B2b2/2N2N2/PP3PPP/R1BQR1K1 w - - 0 14",
                -150,
                GameResult::BlackWins,
            ),
        ];
        let position = |(fen, score, result)| {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            PackedPosition::new(&TrainingPosition::new(
                &position,
                Score::centipawns(score),
                result,
            ))
        };
        games.into_iter().map(position).collect()
    }

    /// Random parameters, the evaluation of a position with which is some pawns at most.
    fn random_parameters(model: &Model) -> Parameters {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut number = || (random.next_u32() as f32 / u32::MAX as f32 - 0.5) * 0.05;
        let mut parameters = model.zero();
        let all = parameters.scores.iter_mut().chain(&mut parameters.relative);
        all.for_each(|score| *score = [number(), number()]);
        parameters.tempo = number();
        parameters
    }

    /// Half the squared errors of all positions.
    fn error(model: &Model, parameters: &Parameters) -> f64 {
        let mut look_ups = LookUps::default();
        model.fill_look_ups(parameters, &mut look_ups);
        let squares = positions();
        let squares = squares
            .iter()
            .map(|p| model.square_error(p, parameters, &look_ups));
        squares.sum::<f64>() / 2.0
    }

    /// The slope of the error by one number of the parameters, from its values on both sides.
    fn slope(model: &Model, number: impl Fn(&mut Parameters) -> &mut f32) -> f32 {
        let [lower, upper] = [-DISTANCE, DISTANCE].map(|distance| {
            let mut parameters = random_parameters(model);
            *number(&mut parameters) += distance;
            error(model, &parameters)
        });
        ((upper - lower) / f64::from(2.0 * DISTANCE)) as f32
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_error_in_every_family() {
        let layout = TableSet::Pairs.tables().layout().clone();
        let target = Target {
            lambda: 0.3,
            score_scale: 0.004,
        };
        let model = Model::new(layout.clone(), &Family::ALL, target);
        let parameters = random_parameters(&model);
        let (mut look_ups, mut sums) = (LookUps::default(), model.no_gradient());
        model.fill_look_ups(&parameters, &mut look_ups);
        for position in positions() {
            model.add_gradient(&position, &parameters, &look_ups, &mut sums);
        }
        let mut gradient = model.zero();
        model.collect(&sums, &mut gradient);

        let is_close = |one: f32, other: f32| (one - other).abs() < 2e-4 + 0.02 * other.abs();
        assert!(gradient.tempo.abs() > 1e-3);
        assert!(is_close(
            gradient.tempo,
            slope(&model, |parameters| &mut parameters.tempo)
        ));
        let far_from_zero = |scores: &[ScorePair], phase: usize| {
            let steep = scores
                .iter()
                .enumerate()
                .filter(|(_, slopes)| slopes[phase].abs() > 4e-3);
            let numbers: Vec<usize> = steep.map(|(number, _)| number).step_by(3).take(2).collect();
            assert!(!numbers.is_empty());
            numbers
        };
        for phase in 0..2 {
            for family in Family::ALL {
                let range = layout.range(family);
                for number in far_from_zero(&gradient.scores[range.clone()], phase) {
                    let index = range.start + number;
                    let expected = slope(&model, |parameters| &mut parameters.scores[index][phase]);
                    let found = gradient.scores[index][phase];
                    assert!(
                        is_close(found, expected),
                        "{family:?} {number}: {found} for {expected}"
                    );
                }
            }
            for number in far_from_zero(&gradient.relative, phase) {
                let expected = slope(&model, |parameters| &mut parameters.relative[number][phase]);
                let found = gradient.relative[number][phase];
                assert!(
                    is_close(found, expected),
                    "relative {number}: {found} for {expected}"
                );
            }
        }
    }
}
