//! Matches between two sets of tables by the rules of a variant.
//!
//! Each opening is played twice, with colors exchanged. The two games of a pair aren't independent,
//! so errors are computed from pairs. Nodes limit each move, which makes a match the same on any
//! machine and number of threads.

use std::sync::Arc;

use anyhow::{bail, ensure};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use shakmaty::{Color, Position};

use super::adjudication::Adjudication;
use super::openings::Openings;
use super::playing::{pairs_of_searchers, play_numbered, play_to_end};
use super::training_position::GameResult;
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{SearchRequest, Searcher};

/// The openings of matches lie behind those of self-play with the same seed, so that tables aren't
/// judged by the openings that they learned from.
const FIRST_STREAM: u64 = 1 << 32;

/// Half of a 95 % interval in standard errors.
const CONFIDENCE: f64 = 1.96;

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of pairs of games.
    pub pairs: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// The seed of the openings.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// Where games begin.
    pub openings: Openings,
    /// The tables of the player whose points are counted, and those of the opponent.
    pub players: [Arc<Tables>; 2],
    /// The signal that ends the match.
    pub stop: StopToken,
}

/// What a match has shown so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The pairs in which the first player has made 0, 0.5, 1, 1.5 and 2 points.
    pub pairs: [u32; 5],
    /// The games that White has won, drawn and lost.
    pub white: [u32; 3],
    /// The pairs in which White has made 0, 0.5, 1, 1.5 and 2 points.
    white_pairs: [u32; 5],
    /// The pairs with none, one and two draws.
    drawn_pairs: [u32; 3],
}

/// A figure with half of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The figure.
    pub value: f64,
    /// Half of the interval.
    pub error: f64,
}

impl Tally {
    /// The Elo difference that the points of the first player amount to. Infinite if all or no
    /// points are theirs, not a number without a pair.
    pub fn elo(&self) -> Measured {
        let Measured { value, error } = mean(&self.pairs, share_of_points);
        // The slope of the Elo difference over the points.
        let slope = 400.0 / std::f64::consts::LN_10 / (value * (1.0 - value));
        Measured {
            value: -400.0 * (1.0 / value - 1.0).log10(),
            error: error * slope,
        }
    }

    /// White's share of the points, 0 to 1; not a number without a game.
    pub fn white_score(&self) -> Measured {
        mean(&self.white_pairs, share_of_points)
    }

    /// The number of pairs.
    pub fn count(&self) -> u32 {
        self.pairs.iter().sum()
    }

    /// The share of draws, 0 to 1; not a number without a game.
    pub fn draws(&self) -> Measured {
        mean(&self.drawn_pairs, |draws| draws as f64 / 2.0)
    }

    fn add(&mut self, pair: &Tally) {
        let add = |sums: &mut [u32], more: &[u32]| {
            sums.iter_mut()
                .zip(more)
                .for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.pairs, &pair.pairs);
        add(&mut self.white, &pair.white);
        add(&mut self.white_pairs, &pair.white_pairs);
        add(&mut self.drawn_pairs, &pair.drawn_pairs);
    }
}

/// The share of a pair's points that this many half points make.
fn share_of_points(half_points: usize) -> f64 {
    half_points as f64 / 4.0
}

/// The mean of a value over counted outcomes. A single outcome tells nothing of the spread, so its
/// error is infinite.
fn mean(counts: &[u32], value: impl Fn(usize) -> f64) -> Measured {
    let total: f64 = counts.iter().copied().map(f64::from).sum();
    let average = |of: &dyn Fn(f64) -> f64| {
        let outcomes = counts.iter().enumerate();
        let sum: f64 = outcomes
            .map(|(place, count)| f64::from(*count) * of(value(place)))
            .sum();
        sum / total
    };
    let mean = average(&|value| value);
    let variance = average(&|value| (value - mean).powi(2));
    let error = if total > 1.0 {
        CONFIDENCE * (variance / (total - 1.0)).sqrt()
    } else {
        f64::INFINITY
    };
    Measured { value: mean, error }
}

/// Plays a match. `progress` receives the tally after each pair. A match that is interrupted has
/// the pairs that were played to the end by then.
///
/// # Errors
///
/// If there is no memory or thread for the players, or a book has fewer positions than there are to
/// be pairs: a pair that is played again is the same, and no other game.
pub fn run(plan: &Plan, progress: &mut dyn FnMut(&Tally)) -> anyhow::Result<Tally> {
    let openings = plan.openings.without_repeated();
    let in_book = openings.book.len();
    ensure!(
        in_book == 0 || plan.pairs as usize <= in_book,
        "the book has {in_book} different positions to begin with, too few for {} pairs",
        plan.pairs
    );
    let plan = &Plan {
        openings: openings.shuffled(plan.seed),
        ..plan.clone()
    };
    let searchers = pairs_of_searchers(plan.threads)?;
    let mut tally = Tally::default();
    let ended = play_numbered(
        0..plan.pairs,
        searchers,
        |number, searchers| play_pair(plan, number, searchers),
        |_, pair| {
            if plan.stop.is_requested() {
                bail!("interrupted");
            }
            tally.add(&pair);
            progress(&tally);
            Ok(())
        },
    );
    match ended {
        Err(error) if !plan.stop.is_requested() => Err(error),
        _ => Ok(tally),
    }
}

fn play_pair(plan: &Plan, number: u32, searchers: &mut [Searcher; 2]) -> Tally {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(FIRST_STREAM + u64::from(number));
    let in_book = plan.openings.in_book(number as usize);
    let opening = in_book.unwrap_or_else(|| plan.openings.draw(&mut random));
    let plays_itself = plan.players[0] == plan.players[1];
    let mut last = None;
    let mut tally = Tally::default();
    let (mut half_points, mut of_white) = (0, 0);
    for first_player in Color::ALL {
        // A player against itself would play the same game again.
        let result = last
            .filter(|_| plays_itself)
            .unwrap_or_else(|| play(plan, &opening, first_player, searchers));
        last = Some(result);
        half_points += half_points_of(first_player, result);
        of_white += half_points_of(Color::White, result);
        tally.white[match result {
            GameResult::WhiteWins => 0,
            GameResult::Draw => 1,
            GameResult::BlackWins => 2,
        }] += 1;
    }
    tally.pairs[half_points] = 1;
    tally.white_pairs[of_white] = 1;
    tally.drawn_pairs[tally.white[1] as usize] = 1;
    tally
}

fn half_points_of(side: Color, result: GameResult) -> usize {
    match result {
        GameResult::Draw => 1,
        _ if result == GameResult::won_by(side) => 2,
        _ => 0,
    }
}

/// Plays one game, in which the first player has this color.
fn play(
    plan: &Plan,
    opening: &VariantPosition,
    first_player: Color,
    searchers: &mut [Searcher; 2],
) -> GameResult {
    searchers.iter_mut().for_each(Searcher::new_game);
    let game = Game::new(opening.clone());
    play_to_end(game, Adjudication::NoAgreedDraws, |game| {
        let player = usize::from(game.position().turn() != first_player);
        let request = SearchRequest {
            tables: Arc::clone(&plan.players[player]),
            stop: plan.stop.clone(),
            ..SearchRequest::new(Limits::nodes(plan.nodes))
        };
        searchers[player].search(game, request, &mut |_| ())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::rules::Variant;

    fn plan(players: [Arc<Tables>; 2], threads: usize) -> Plan {
        Plan {
            pairs: 12,
            nodes: 200,
            seed: 1,
            threads,
            openings: Openings {
                variant: Variant::Torpedo,
                ..Openings::default()
            },
            players,
            stop: StopToken::new(),
        }
    }

    fn played(plan: &Plan) -> Tally {
        run(plan, &mut |_| ()).expect("a match of a second")
    }

    #[test]
    fn tables_that_know_something_beat_those_that_are_zero_on_any_number_of_threads() {
        let players = || [TableSet::Learned.tables(), Arc::new(Tables::zero())];
        let tally = played(&plan(players(), 1));
        assert!(tally.elo().value > 200.0, "{tally:?}");
        assert_eq!(tally.pairs.iter().sum::<u32>(), 12);
        assert_eq!(tally.white.iter().sum::<u32>(), 24);
        assert_eq!(tally, played(&plan(players(), 3)));
    }

    #[test]
    fn a_single_pair_has_no_interval() {
        let mut tally = Tally::default();
        tally.pairs[3] = 1;
        let Measured { value, error } = tally.elo();
        assert!(value.is_finite() && error.is_infinite());
    }

    #[test]
    fn a_book_with_fewer_different_positions_than_pairs_is_refused() {
        let tables = TableSet::Learned.tables();
        let mut plan = plan([Arc::clone(&tables), tables], 1);
        let starts = (0..11).map(squarewise_engine::position::chess960_start);
        plan.openings.book = starts.collect();
        plan.openings.book.extend_from_within(..5);
        let error = run(&plan, &mut |_| ()).expect_err("twelve pairs");
        let expected = "11 different positions to begin with, too few for 12 pairs";
        assert!(error.to_string().contains(expected), "{error}");
    }

    #[test]
    fn an_interrupted_match_has_the_pairs_before() {
        let tables = TableSet::Learned.tables();
        let plan = plan([Arc::clone(&tables), tables], 1);
        let stop = plan.stop.clone();
        let tally = run(&plan, &mut |tally| {
            if tally.count() == 3 {
                stop.request();
            }
        });
        assert_eq!(tally.expect("what was played").count(), 3);
    }

    #[test]
    fn equal_players_are_equal_in_each_pair() {
        let tables = TableSet::Learned.tables();
        let tally = played(&plan([Arc::clone(&tables), tables], 1));
        assert_eq!(tally.pairs, [0, 0, 12, 0, 0]);
        // Both games of a pair are one game.
        assert_eq!(
            [
                tally.white_pairs[1],
                tally.white_pairs[3],
                tally.drawn_pairs[1]
            ],
            [0; 3]
        );
        assert_eq!(
            tally.elo(),
            Measured {
                value: 0.0,
                error: 0.0
            }
        );
    }

    #[test]
    fn figures_have_the_errors_of_their_formulas() {
        let tally = Tally {
            pairs: [10, 20, 30, 25, 15],
            white: [80, 80, 40],
            white_pairs: [10, 10, 30, 30, 20],
            drawn_pairs: [40, 40, 20],
        };
        let is_near = |Measured { value, error }, expected: [f64; 2]| {
            (value - expected[0]).abs() < 1e-3 && (error - expected[1]).abs() < 1e-3
        };
        // The mean of the pairs is 0.5375 and their standard deviation 0.2987.
        assert!(is_near(tally.elo(), [26.107, 41.117]), "{:?}", tally.elo());
        // Those of White's points 0.6 and 0.3, those of the draws 0.4 and 0.3742.
        assert!(is_near(tally.white_score(), [0.6, 0.0588]));
        assert!(is_near(tally.draws(), [0.4, 0.0733]));
    }
}
