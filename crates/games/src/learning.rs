//! How a program learns its evaluation from nothing: it plays against itself, and fits a number to
//! each feature of its positions so that their sum foretells who wins. The next games are played
//! with these numbers, and are better ones.
//!
//! The fit is a logistic regression (Texel's method, after Peter Österlund) by Adam (Kingma and
//! Ba, 2014). A seed decides every game, so that a run can be repeated number for number.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::game::{Game, Outcome, Score};
use crate::limits::Limits;
use crate::search::Searcher;

/// An evaluation of so many points means odds of e to 1.
const POINTS_PER_UNIT: f32 = 200.0;

/// A game that takes longer is drawn.
const LONGEST_GAME: u32 = 300;

/// How games are played and how many.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How often games are played and the numbers fitted.
    pub generations: u32,
    /// Games in each generation.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// Decides all random moves.
    pub seed: u64,
    /// How many games are played at once. The numbers are the same for any.
    pub threads: u32,
}

/// A game whose evaluation is a sum of learned numbers.
pub trait Learnable: Game + Clone {
    /// The numbers, as the evaluation uses them.
    type Tables: Sync + 'static;

    /// Makes tables of the numbers.
    fn tables(weights: &[Score]) -> Self::Tables;

    /// The start of a game that is evaluated by these tables.
    fn start(tables: &'static Self::Tables) -> Self;

    /// The indices of the numbers that the evaluation adds up for the side to move, and how often.
    fn features(&self) -> Vec<(usize, f32)>;
}

/// A position and how its game ended for the side to move: 1 for a win, 0 for a loss.
struct Sample {
    features: Vec<(usize, f32)>,
    result: f32,
}

/// Plays and fits, generation by generation, and reports the progress in words. Returns the
/// numbers.
pub fn learn<G: Learnable>(
    weights: usize,
    settings: Settings,
    report: &mut dyn FnMut(String),
) -> Vec<Score> {
    let mut learned = vec![0.0; weights];
    let mut samples: Vec<Sample> = Vec::new();
    for generation in 0..settings.generations {
        // Tables live as long as the program; there are few generations.
        let tables: &'static G::Tables = Box::leak(Box::new(G::tables(&rounded(&learned))));
        let played = play_games::<G>(tables, settings, generation);
        let is_decided =
            |game: &&Vec<Sample>| game.first().is_some_and(|first| first.result != 0.5);
        let decided = played.iter().filter(is_decided).count();
        // Older games are forgotten: each generation keeps half of them.
        samples.drain(..samples.len() / 2);
        samples.extend(played.into_iter().flatten());
        let loss = fit(&mut learned, &samples, settings.seed);
        let games = settings.games;
        let count = samples.len();
        report(format!(
            "generation {generation}: {games} games, {decided} decided, {count} positions, loss {loss:.4}"
        ));
    }
    rounded(&learned)
}

fn rounded(weights: &[f32]) -> Vec<Score> {
    weights
        .iter()
        .map(|weight| weight.round() as Score)
        .collect()
}

/// Plays the games of a generation, and returns their positions in the order of the games.
fn play_games<G: Learnable>(
    tables: &'static G::Tables,
    settings: Settings,
    generation: u32,
) -> Vec<Vec<Sample>> {
    let next = AtomicU32::new(0);
    let play_some = || {
        let mut searcher = Searcher::<G>::new(16);
        let mut played = Vec::new();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= settings.games {
                return played;
            }
            let seed = settings.seed << 40 | u64::from(generation) << 20 | u64::from(game);
            let positions = play(G::start(tables), &mut searcher, settings.nodes, seed);
            played.push((game, positions));
        }
    };
    let mut played: Vec<(u32, Vec<Sample>)> = thread::scope(|scope| {
        let threads = (0..settings.threads.max(1)).map(|_| scope.spawn(play_some));
        let threads: Vec<_> = threads.collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().expect("games end");
        threads.into_iter().flat_map(join).collect()
    });
    played.sort_unstable_by_key(|(game, _)| *game);
    played.into_iter().map(|(_, positions)| positions).collect()
}

/// Plays a game that begins with random moves, and returns its quiet positions.
fn play<G: Learnable>(
    mut game: G,
    searcher: &mut Searcher<G>,
    nodes: u64,
    seed: u64,
) -> Vec<Sample> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let random_plies = 2 + random.next_u32() % 8;
    let mut positions = Vec::new();
    searcher.clear();
    for ply in 0..LONGEST_GAME {
        if let Some(outcome) = game.result() {
            return samples(positions, ply, outcome);
        }
        // A random move now and then leads to positions that good play avoids.
        let is_random = ply < random_plies || random.next_u32().is_multiple_of(40);
        let limits = Limits {
            nodes,
            ..Limits::default()
        };
        let mv = if is_random {
            random_move(&mut game, &mut random)
        } else {
            let found = searcher.search(&mut game, limits, &mut |_| ());
            found.map(|found| found.pv[0])
        };
        let Some(mv) = mv else {
            return samples(positions, ply, game.result_without_moves());
        };
        let mut forcing = Vec::new();
        game.forcing_moves(&mut forcing);
        let is_quiet = !game.must_answer() && forcing.iter().all(|ranked| ranked.mv != mv);
        if ply >= random_plies && is_quiet {
            positions.push((ply, game.features()));
        }
        game.make(mv);
    }
    samples(positions, 0, Outcome::Drawn)
}

/// The positions of a game with its result: `outcome` is that of the side to move at `last_ply`.
fn samples(
    positions: Vec<(u32, Vec<(usize, f32)>)>,
    last_ply: u32,
    outcome: Outcome,
) -> Vec<Sample> {
    let for_last = match outcome {
        Outcome::Won => 1.0,
        Outcome::Drawn => 0.5,
        Outcome::Lost => 0.0,
    };
    let sample = |(ply, features): (u32, _)| Sample {
        features,
        result: if ply % 2 == last_ply % 2 {
            for_last
        } else {
            1.0 - for_last
        },
    };
    positions.into_iter().map(sample).collect()
}

/// A legal move drawn by lot.
pub fn random_move<G: Game>(game: &mut G, random: &mut ChaCha8Rng) -> Option<G::Move> {
    let mut moves = Vec::new();
    game.moves(&mut moves);
    while !moves.is_empty() {
        let index = random.next_u32() as usize % moves.len();
        let mv = moves.swap_remove(index).mv;
        if game.make(mv) {
            game.unmake();
            return Some(mv);
        }
    }
    None
}

/// Fits the weights to the results by Adam, and returns the mean loss of the last tenth.
fn fit(weights: &mut [f32], samples: &[Sample], seed: u64) -> f64 {
    const BATCH: usize = 512;
    // Each sample thirty times, or less often where there are so many that it makes no difference.
    let batches = (30 * samples.len() / BATCH).min(30_000);
    let last = (batches / 10).max(1);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut mean, mut square) = (vec![0.0f32; weights.len()], vec![0.0f32; weights.len()]);
    let mut loss = 0.0;
    for batch in 0..batches {
        let rate = 8.0 * (1.0 - batch as f32 / batches as f32);
        // Weights that nothing speaks for go back to zero.
        let mut gradient: Vec<f32> = weights.iter().map(|weight| weight * 1e-6).collect();
        for _ in 0..BATCH {
            let sample = &samples[random.next_u32() as usize % samples.len()];
            let error = sample.error(weights);
            if batch >= batches - last {
                loss += f64::from(error * error);
            }
            for &(index, count) in &sample.features {
                gradient[index] += error * count / BATCH as f32;
            }
        }
        for (index, gradient) in gradient.iter().enumerate() {
            mean[index] += 0.1 * (gradient - mean[index]);
            square[index] += 0.001 * (gradient * gradient - square[index]);
            weights[index] -= rate * mean[index] / (square[index].sqrt() + 1e-6);
        }
    }
    loss / (last * BATCH) as f64
}

impl Sample {
    /// How much the foretold result is above the true one.
    fn error(&self, weights: &[f32]) -> f32 {
        let points = self
            .features
            .iter()
            .map(|(index, count)| weights[*index] * count);
        let points: f32 = points.sum();
        1.0 / (1.0 + (-points / POINTS_PER_UNIT).exp()) - self.result
    }
}

/// Reads so many numbers. Lines that begin with `#` and names at the beginning of a line are for
/// people.
pub(crate) fn read_weights(text: &str, count: usize) -> Option<Vec<Score>> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let words = lines.flat_map(str::split_whitespace);
    let numbers: Vec<Score> = words.filter_map(|word| word.parse().ok()).collect();
    (numbers.len() == count).then_some(numbers)
}

/// Lines that say how numbers came about, as comments at the head of their file.
pub(crate) fn as_comments(provenance: &str) -> String {
    let lines = provenance.lines();
    lines.map(|line| format!("# {line}\n")).collect()
}

/// Writes rows of numbers with their names, below lines that say how they came about.
pub(crate) fn write_rows<'a>(
    provenance: &str,
    rows: impl Iterator<Item = (String, &'a [Score])>,
) -> String {
    let mut text = as_comments(provenance);
    for (name, weights) in rows {
        text += &format!("{name:<10}");
        weights
            .iter()
            .for_each(|weight| text += &format!("{weight:>6}"));
        text.push('\n');
    }
    text
}
