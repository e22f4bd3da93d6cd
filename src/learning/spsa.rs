//! SPSA: tunes the parameters of the search by games (Spall, *Multivariate stochastic approximation using a
//! simultaneous perturbation gradient approximation*, 1992).
//!
//! All parameters are perturbed at once, each up or down at random, and a second set is perturbed the other
//! way. The two sets play a pair of games from one opening with colors exchanged, and every parameter moves a
//! small step towards the set that won. One pair says next to nothing, but ten thousand pairs say as much about
//! every parameter as if they had been played for it alone. Steps and perturbations shrink with Spall's
//! exponents. Each pair is drawn from the run's seed and its own number. But with several threads the values at
//! the start of a pair depend on which pairs have ended, so only a run on one thread can be repeated exactly.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::{Chess, Color, Position};

use super::openings::Openings;
use super::playing::{TT_MEGABYTES, play_numbered, play_to_end, usual_adjudication};
use super::training_position::GameResult;
use crate::bounded_file;
use crate::evaluation::Tables;
use crate::output_file;
use crate::position::game::Game;
use crate::search::limits::Limits;
use crate::search::parameters::{self, ALL, Parameter, Values};
use crate::search::transposition_table::AllocationError;
use crate::search::{SearchRequest, Searcher};

/// Spall's exponent for the steps: how fast they shrink.
const STEP_EXPONENT: f64 = 0.602;
/// Spall's exponent for the perturbations.
const PERTURBATION_EXPONENT: f64 = 0.101;
/// The share of the run in which the steps hardly shrink.
const STABILITY_SHARE: f64 = 0.1;
/// The perturbation at the end of the run, as a share of a parameter's range.
const LAST_PERTURBATION: f64 = 1.0 / 20.0;

/// Elo points for a surplus of one game won per game played: the slope of the rating curve at a score of one
/// half, 400 * 4 / ln 10, halved because a win adds half a point to an expected half.
const ELO_PER_SURPLUS: f64 = 347.4;
/// The standard deviation of a game's result (-1, 0 or 1) between equals who draw a third of their games.
const RESULT_DEVIATION: f64 = 0.82;

/// The largest state file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of pairs of games in all, including those already played.
    pub pairs: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// Where games begin.
    pub openings: Openings,
    /// The tables that both sides play with.
    pub tables: Arc<Tables>,
    /// Which parameters are tuned, in the order of [`ALL`]; the others keep their values.
    pub tuned: Vec<bool>,
    /// The step at the end of the run for each game won, as a share of the perturbation. With 0 no value changes,
    /// and the run only measures.
    pub last_step: f64,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Pairs played.
    pub pairs: u32,
    /// The values, in the order of [`ALL`].
    pub values: Vec<f64>,
    /// For each parameter, the games won minus those lost by the sets with the higher value.
    pub surplus: Vec<i64>,
}

impl State {
    /// The state before the first pair: the values that the engine plays with.
    pub fn first() -> State {
        State {
            pairs: 0,
            values: ALL
                .iter()
                .map(|parameter| f64::from(parameter.default))
                .collect(),
            surplus: vec![0; ALL.len()],
        }
    }

    /// The gain of sets with the higher value of a parameter over those with the lower one, and twice its standard
    /// error, both in Elo points.
    pub fn gain(&self, index: usize) -> (f64, f64) {
        let games = f64::from(2 * self.pairs.max(1));
        let mean = self.surplus[index] as f64 / games;
        (
            ELO_PER_SURPLUS * mean,
            ELO_PER_SURPLUS * 2.0 * RESULT_DEVIATION / games.sqrt(),
        )
    }

    /// Reads a file that [`State::write`] wrote.
    ///
    /// # Errors
    ///
    /// [`SpsaError`] if the file can't be read, is not a state, or is cut short.
    pub fn read(path: &Path) -> Result<State, SpsaError> {
        let text = bounded_file::read_to_string(path, MAX_FILE_BYTES);
        let text = text.map_err(|error| named(path, error))?;
        let mut state = State::first();
        let mut is_read = vec![false; ALL.len()];
        let mut pairs = None;
        for line in text.lines() {
            let damaged = || SpsaError::Damaged(line.to_owned());
            let words: Vec<&str> = line.split_whitespace().collect();
            match *words {
                ["pairs", number] => pairs = Some(number.parse().map_err(|_| damaged())?),
                [name, value, surplus] => {
                    let is_named = |parameter: &&Parameter| parameter.name == name;
                    let index = ALL.iter().position(is_named).ok_or_else(damaged)?;
                    state.values[index] = value.parse().map_err(|_| damaged())?;
                    state.surplus[index] = surplus.parse().map_err(|_| damaged())?;
                    is_read[index] = true;
                }
                _ => return Err(damaged()),
            }
        }
        let is_whole = !is_read.contains(&false) && text.ends_with('\n');
        match pairs {
            Some(pairs) if is_whole => Ok(State { pairs, ..state }),
            _ => Err(SpsaError::CutShort(path.to_owned())),
        }
    }

    /// Writes the state to a file: a line with the number of pairs and one for each parameter with its name, value
    /// and surplus. An older state stays until this one is complete.
    ///
    /// # Errors
    ///
    /// If the file can't be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = format!("pairs {}\n", self.pairs);
        for ((parameter, value), surplus) in ALL.iter().zip(&self.values).zip(&self.surplus) {
            text += &format!("{} {value:.3} {surplus}\n", parameter.name);
        }
        output_file::write(path, text.as_bytes())
    }
}

/// The error that ends a run early.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// The state can't be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A line of the file can't be parsed.
    #[error("'{0}' is not a parameter of the search with its value")]
    Damaged(String),
    /// The end of the file is missing.
    #[error("{0}: the file is cut short")]
    CutShort(PathBuf),
    /// There is no memory for a searcher.
    #[error(transparent)]
    Memory(#[from] AllocationError),
}

/// The error with the name of the file.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

/// The outcome of a pair.
struct PairResult {
    number: u32,
    /// The direction in which each parameter of the first set was perturbed, 1 or -1; 0 for those that are not
    /// tuned.
    signs: Vec<f64>,
    /// Games won minus games lost by the first set.
    surplus: i32,
}

/// Plays the pairs that are still missing, and writes the state to `path` at first and after each pair, so that the run
/// can be killed at any moment. `progress` receives what was written.
///
/// # Errors
///
/// [`SpsaError`] if there is no memory or thread, or the file can't be read or written.
pub fn run(plan: &Plan, path: &Path, progress: &mut dyn FnMut(&State)) -> Result<State, SpsaError> {
    let first = if path.exists() {
        State::read(path)?
    } else {
        State::first()
    };
    // Already here, so that a file that can't be written is noticed before the first pair.
    first.write(path)?;
    progress(&first);
    let new_searchers = |_| Ok([Searcher::new(TT_MEGABYTES)?, Searcher::new(TT_MEGABYTES)?]);
    let searchers = (0..plan.threads.max(1))
        .map(new_searchers)
        .collect::<Result<Vec<_>, AllocationError>>()?;
    let mut written = first.pairs;
    let state = Mutex::new(first);
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    play_numbered(
        written..plan.pairs,
        searchers,
        |number, searchers| {
            let values = lock().values.clone();
            let pair = play_pair(plan, number, &values, searchers);
            // On the playing thread, so that its next pair begins with the updated values.
            let mut state = lock();
            step(plan, &mut state, &pair);
            state.clone()
        },
        |_, state| {
            // A later state of another thread can arrive first.
            if state.pairs > written {
                written = state.pairs;
                state.write(path)?;
                progress(&state);
            }
            Ok::<(), SpsaError>(())
        },
    )?;
    Ok(lock().clone())
}

/// The perturbation of a parameter at the end of a run, in its own unit.
pub(super) fn last_perturbation(parameter: &Parameter) -> f64 {
    let range = f64::from(parameter.max - parameter.min);
    (range * LAST_PERTURBATION).max(0.5)
}

/// The perturbation of a parameter in a pair, in its own unit.
fn perturbation(plan: &Plan, number: u32, parameter: &Parameter) -> f64 {
    let last = last_perturbation(parameter);
    let run = f64::from(plan.pairs) / f64::from(number + 1);
    last * run.powf(PERTURBATION_EXPONENT)
}

/// The step for each game won in a pair, as a share of the perturbation.
fn step_share(plan: &Plan, number: u32) -> f64 {
    let pairs = f64::from(plan.pairs);
    let stability = pairs * STABILITY_SHARE;
    let run = (stability + pairs) / (stability + f64::from(number + 1));
    plan.last_step * run.powf(STEP_EXPONENT)
}

/// Moves the parameters towards the set that won.
fn step(plan: &Plan, state: &mut State, pair: &PairResult) {
    for ((value, sign), parameter) in state.values.iter_mut().zip(&pair.signs).zip(ALL.iter()) {
        let size = perturbation(plan, pair.number, parameter);
        *value += step_share(plan, pair.number) * size * sign * f64::from(pair.surplus);
        *value = value.clamp(f64::from(parameter.min), f64::from(parameter.max));
    }
    for (surplus, sign) in state.surplus.iter_mut().zip(&pair.signs) {
        *surplus += *sign as i64 * i64::from(pair.surplus);
    }
    state.pairs += 1;
}

/// Plays one pair.
fn play_pair(
    plan: &Plan,
    number: u32,
    values: &[f64],
    searchers: &mut [Searcher; 2],
) -> PairResult {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(u64::from(number));
    let sign = |is_tuned: &bool| match (is_tuned, random.next_u32() % 2) {
        (false, _) => 0.0,
        (true, 0) => -1.0,
        (true, _) => 1.0,
    };
    let signs: Vec<f64> = plan.tuned.iter().map(sign).collect();
    let mut moved = |direction: f64| -> Values {
        let parameters = ALL.iter().zip(values).zip(&signs);
        let moved = parameters.map(|((parameter, value), sign)| {
            let size = perturbation(plan, number, parameter);
            // Rounded at random, so that fractions count too.
            let chance = f64::from(random.next_u32()) / (f64::from(u32::MAX) + 1.0);
            let value = value + direction * sign * size + chance;
            (value.floor() as i32).clamp(parameter.min, parameter.max)
        });
        moved.collect()
    };
    let sets = [moved(1.0), moved(-1.0)];
    let opening = plan.openings.draw(&mut random);
    let surplus = Color::ALL
        .into_iter()
        .map(|first_plays| {
            let sets = first_plays.fold_wb([&sets[1], &sets[0]], [&sets[0], &sets[1]]);
            match play(plan, &opening, sets, searchers) {
                GameResult::Draw => 0,
                result if result == GameResult::won_by(first_plays) => 1,
                _ => -1,
            }
        })
        .sum();
    PairResult {
        number,
        signs,
        surplus,
    }
}

/// Plays one game. Sets and searchers are indexed by color.
fn play(
    plan: &Plan,
    opening: &Chess,
    sets: [&Values; 2],
    searchers: &mut [Searcher; 2],
) -> GameResult {
    searchers.iter_mut().for_each(Searcher::new_game);
    let game = Game::new(opening.clone(), Arc::clone(&plan.tables));
    play_to_end(game, usual_adjudication(&plan.tables), |game| {
        let turn = usize::from(game.position().turn());
        parameters::use_values(sets[turn]);
        let request = SearchRequest::new(game.recent(), Limits::nodes(plan.nodes));
        searchers[turn].search(request, &mut |_| ())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;
    use std::fs;
    use tempfile::TempDir;

    fn plan(pairs: u32) -> Plan {
        Plan {
            pairs,
            nodes: 100,
            seed: 1,
            threads: 1,
            openings: Openings::default(),
            tables: TableSet::Simplified.tables(),
            tuned: vec![true; ALL.len()],
            last_step: 0.01,
        }
    }

    #[test]
    fn parameters_move_towards_the_set_that_won_and_stay_in_their_range() {
        let plan = plan(100);
        let mut signs = vec![1.0; ALL.len()];
        signs[0] = -1.0;
        signs[1] = 0.0;
        let mut state = State::first();
        let won = PairResult {
            number: 0,
            signs,
            surplus: 2,
        };
        step(&plan, &mut state, &won);
        let first = State::first();
        assert!(state.values[0] < first.values[0]);
        assert_eq!(state.values[1], first.values[1]);
        assert!(state.values[2] > first.values[2]);
        assert_eq!((state.surplus[0], state.surplus[1]), (-2, 0));
        assert!(state.gain(2).0 > 0.0 && state.gain(2).1 > 0.0);
        for _ in 0..100_000 {
            step(&plan, &mut state, &won);
        }
        assert_eq!(state.values[0], f64::from(ALL[0].min));
        assert_eq!(state.values[2], f64::from(ALL[2].max));
    }

    #[test]
    fn steps_and_perturbations_shrink() {
        let plan = plan(1_000);
        assert!(step_share(&plan, 0) > step_share(&plan, 999));
        assert!(perturbation(&plan, 0, ALL[0]) > perturbation(&plan, 999, ALL[0]));
        assert!((step_share(&plan, 999) - plan.last_step).abs() < 1e-9);
    }

    #[test]
    fn a_state_without_its_number_of_pairs_is_cut_short() {
        let folder = TempDir::with_prefix("squarewise-").expect("a folder to write to");
        let path = folder.path().join("state");
        State::first().write(&path).expect("a file can be written");
        assert_eq!(State::read(&path).expect("a whole state"), State::first());
        let text = std::fs::read_to_string(&path).expect("what was written");
        let (_, rest) = text.split_once('\n').expect("a line with the pairs");
        std::fs::write(&path, rest).expect("a file can be written");
        assert!(matches!(State::read(&path), Err(SpsaError::CutShort(_))));
    }

    #[test]
    fn a_resumed_run_ends_like_one_without_a_break() {
        let folder = TempDir::with_prefix("squarewise-").expect("a folder to write to");
        let folder = folder.path();
        let (whole, broken) = (folder.join("whole"), folder.join("broken"));
        let plan = plan(4);
        let at_once = run(&plan, &whole, &mut |_| ()).expect("a run");
        // Stopped after two pairs: what was written then.
        let mut midway = State::first();
        run(&plan, &folder.join("other"), &mut |state| {
            if state.pairs == 2 {
                midway = state.clone();
            }
        })
        .expect("a run");
        midway.write(&broken).expect("a file to write");
        let resumed = run(&plan, &broken, &mut |_| ()).expect("a run");
        assert_eq!(at_once.pairs, 4);
        assert_eq!(resumed.pairs, 4);
        assert_eq!(at_once.surplus, resumed.surplus);
        for (a, b) in at_once.values.iter().zip(&resumed.values) {
            assert!((a - b).abs() < 0.01, "{a} and {b}");
        }
        assert_ne!(at_once.values, State::first().values);
        fs::write(&broken, "pairs many\n").expect("a file to write");
        assert!(matches!(
            State::read(&broken),
            Err(SpsaError::Damaged(line)) if line == "pairs many"
        ));
        let whole = fs::read_to_string(&whole).expect("the state of the run");
        for length in 0..whole.len() {
            fs::write(&broken, &whole[..length]).expect("a file to write");
            assert!(State::read(&broken).is_err(), "{length} bytes");
        }
    }
}
