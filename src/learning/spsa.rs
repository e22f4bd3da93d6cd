//! Better numbers for the search, found by games: simultaneous perturbation stochastic approximation (Spall,
//! *Multivariate stochastic approximation using a simultaneous perturbation gradient approximation*, 1992).
//!
//! All numbers are moved a little at once, each up or down by chance, and a second set is moved the other
//! way. The two play a pair of games from one opening, with either color, and every number goes a small step
//! towards the set that won. One pair tells next to nothing; ten thousand tell of all numbers together what
//! as many would tell of one. Steps and moves shrink as the run goes on, by Spall's exponents.
//!
//! Each pair is drawn from the run's seed and its own number; but with several threads it is played by the
//! numbers as they stand when it begins, so that only a run on one thread can be made again exactly.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::{Chess, Color, Position};

use super::adjudication::{Adjudicator, result_by_rules};
use super::openings;
use super::training_position::GameResult;
use crate::evaluation::Tables;
use crate::position::game::Game;
use crate::search::limits::Limits;
use crate::search::parameters::{self, ALL, COUNT, Parameter, Values};
use crate::search::transposition_table::AllocationError;
use crate::search::{STACK_BYTES, SearchRequest, Searcher};

/// The size of a searcher's table in MiB.
const TABLE_MEGABYTES: usize = 1;

/// Spall's exponents: how fast steps and perturbations shrink.
const STEP_EXPONENT: f64 = 0.602;
const PERTURBATION_EXPONENT: f64 = 0.101;
/// The share of the run in which steps hardly shrink yet.
const STABILITY_SHARE: f64 = 0.1;
/// At the end of the run a number is perturbed by this share of its range.
const LAST_PERTURBATION: f64 = 1.0 / 20.0;

/// One won game more in every game would be so many Elo points by the slope of the rating curve at its middle:
/// half the slope of 400 / ln 10 * 4, since a win lifts the score from a half.
const ELO_PER_SURPLUS: f64 = 347.4;
/// The standard deviation of a game's result between equals, a third of the games drawn.
const SPREAD: f64 = 0.82;

/// Once in so many pairs the numbers are written down.
const PAIRS_BETWEEN_WRITES: u32 = 50;

/// A run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Pairs of games in all, those already played among them.
    pub pairs: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// What random numbers are drawn from.
    pub seed: u64,
    /// Threads to play on.
    pub threads: usize,
    /// Positions to begin at; if empty, random plies from the start position.
    pub openings: Vec<Chess>,
    /// The tables that both sides play by.
    pub tables: Arc<Tables>,
    /// Which numbers are tuned; the others stay as they are.
    pub tuned: [bool; COUNT],
    /// At the end of the run a game won moves a number by this share of its perturbation. With 0 the numbers
    /// stay as they are, and the run only measures.
    pub last_step: f64,
}

/// How far a run has come.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Pairs played.
    pub pairs: u32,
    /// The numbers, in the order of [`ALL`].
    pub values: [f64; COUNT],
    /// For each number, the games won less those lost by the sets in which it was greater.
    pub surplus: [i64; COUNT],
}

impl State {
    /// Nothing played yet: the numbers that the engine plays with.
    pub fn first() -> State {
        State {
            pairs: 0,
            values: std::array::from_fn(|index| f64::from(ALL[index].default)),
            surplus: [0; COUNT],
        }
    }

    /// How much stronger sets with more of a number were than those with less: Elo points, and twice their
    /// standard error. All numbers are measured by the same games, each as well as if it were alone.
    pub fn gain(&self, index: usize) -> (f64, f64) {
        let games = f64::from(2 * self.pairs.max(1));
        let mean = self.surplus[index] as f64 / games;
        (
            ELO_PER_SURPLUS * mean,
            ELO_PER_SURPLUS * 2.0 * SPREAD / games.sqrt(),
        )
    }

    /// What a run wrote down.
    ///
    /// # Errors
    ///
    /// [`SpsaError`] if the file can't be read or is no such thing.
    pub fn read(path: &Path) -> Result<State, SpsaError> {
        let mut state = State::first();
        for line in fs::read_to_string(path)?.lines() {
            let damaged = || SpsaError::Damaged(line.to_owned());
            let words: Vec<&str> = line.split_whitespace().collect();
            match *words {
                ["pairs", pairs] => state.pairs = pairs.parse().map_err(|_| damaged())?,
                [name, value, surplus] => {
                    let is_named = |parameter: &&Parameter| parameter.name == name;
                    let index = ALL.iter().position(is_named).ok_or_else(damaged)?;
                    state.values[index] = value.parse().map_err(|_| damaged())?;
                    state.surplus[index] = surplus.parse().map_err(|_| damaged())?;
                }
                _ => return Err(damaged()),
            }
        }
        Ok(state)
    }

    /// Writes it down: a line for the pairs and one for each number, with its surplus. The old file is there
    /// until the new one is whole.
    ///
    /// # Errors
    ///
    /// If the file can't be written.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = format!("pairs {}\n", self.pairs);
        for ((parameter, value), surplus) in ALL.iter().zip(self.values).zip(self.surplus) {
            text += &format!("{} {value:.3} {surplus}\n", parameter.name);
        }
        let beside = path.with_extension("new");
        fs::write(&beside, text)?;
        fs::rename(beside, path)
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// The numbers can't be read or written.
    #[error(transparent)]
    File(#[from] io::Error),
    /// A line of the file makes no sense.
    #[error("'{0}' is not a number of the search with its value")]
    Damaged(String),
    /// There is no memory for a searcher.
    #[error(transparent)]
    Memory(#[from] AllocationError),
}

/// A direction to try, and what came of it.
struct Trial {
    number: u32,
    /// Up or down for each number; zero for those that are not tuned.
    signs: [f64; COUNT],
    /// Games won less games lost by the set that was moved along the signs.
    surplus: i32,
}

/// Plays the pairs that are still lacking, and writes the numbers to `path` on the way. `progress` gets the
/// state at first and after each pair.
///
/// # Errors
///
/// [`SpsaError`] if there is no memory or thread, or the file can't be read or written.
pub fn run(plan: &Plan, path: &Path, progress: &mut dyn FnMut(&State)) -> Result<State, SpsaError> {
    let state = if path.exists() {
        State::read(path)?
    } else {
        State::first()
    };
    progress(&state);
    let next = AtomicU32::new(state.pairs);
    let state = Mutex::new(state);
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let new_searchers = |_| {
        Ok([
            Searcher::new(TABLE_MEGABYTES)?,
            Searcher::new(TABLE_MEGABYTES)?,
        ])
    };
    let searchers = (0..plan.threads.max(1))
        .map(new_searchers)
        .collect::<Result<Vec<_>, AllocationError>>()?;

    thread::scope(|scope| {
        let (sender, states) = channel();
        for mut searchers in searchers {
            let (sender, next, lock) = (sender.clone(), &next, &lock);
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.pairs {
                        break;
                    }
                    let values = lock().values;
                    let trial = attempt(plan, number, &values, &mut searchers);
                    // Before the next pair begins, so that a thread alone always plays by what it learned last;
                    // and sent before another thread can go on, so that states arrive in their order.
                    let mut state = lock();
                    step(plan, &mut state, &trial);
                    if sender.send(state.clone()).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);
        for state in states {
            if state.pairs.is_multiple_of(PAIRS_BETWEEN_WRITES) {
                state.write(path)?;
            }
            progress(&state);
        }
        lock().write(path)
    })?;
    let state = lock().clone();
    Ok(state)
}

/// By how much a number is moved either way in a pair, in its own unit.
fn perturbation(plan: &Plan, number: u32, parameter: &Parameter) -> f64 {
    let range = f64::from(parameter.most - parameter.least);
    let last = (range * LAST_PERTURBATION).max(0.5);
    let run = f64::from(plan.pairs) / f64::from(number + 1);
    last * run.powf(PERTURBATION_EXPONENT)
}

/// The share of its perturbation by which a number moves for each game won in a pair.
fn step_share(plan: &Plan, number: u32) -> f64 {
    let pairs = f64::from(plan.pairs);
    let stability = pairs * STABILITY_SHARE;
    let run = (stability + pairs) / (stability + f64::from(number + 1));
    plan.last_step * run.powf(STEP_EXPONENT)
}

/// Moves the numbers towards the set that won.
fn step(plan: &Plan, state: &mut State, trial: &Trial) {
    for ((value, sign), parameter) in state.values.iter_mut().zip(trial.signs).zip(ALL) {
        let reach = perturbation(plan, trial.number, parameter);
        *value += step_share(plan, trial.number) * reach * sign * f64::from(trial.surplus);
        *value = value.clamp(f64::from(parameter.least), f64::from(parameter.most));
    }
    for (surplus, sign) in state.surplus.iter_mut().zip(trial.signs) {
        *surplus += sign as i64 * i64::from(trial.surplus);
    }
    state.pairs += 1;
}

/// Plays one pair.
fn attempt(
    plan: &Plan,
    number: u32,
    values: &[f64; COUNT],
    searchers: &mut [Searcher; 2],
) -> Trial {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(u64::from(number));
    let signs = std::array::from_fn(|index| match (plan.tuned[index], random.next_u32() % 2) {
        (false, _) => 0.0,
        (true, 0) => -1.0,
        (true, _) => 1.0,
    });
    let mut moved = |direction: f64| -> Values {
        std::array::from_fn(|index| {
            let parameter = ALL[index];
            let reach = perturbation(plan, number, parameter);
            // Rounded by chance, so that fractions count too.
            let chance = f64::from(random.next_u32()) / (f64::from(u32::MAX) + 1.0);
            let value = values[index] + direction * signs[index] * reach + chance;
            (value.floor() as i32).clamp(parameter.least, parameter.most)
        })
    };
    let sets = [moved(1.0), moved(-1.0)];
    let opening = openings::draw(&plan.openings, &mut random);
    let surplus = Color::ALL
        .into_iter()
        .map(|first_plays| {
            let players = first_plays.fold_wb([&sets[1], &sets[0]], [&sets[0], &sets[1]]);
            match play(plan, &opening, players, searchers) {
                GameResult::Draw => 0,
                result if result == GameResult::won_by(first_plays) => 1,
                _ => -1,
            }
        })
        .sum();
    Trial {
        number,
        signs,
        surplus,
    }
}

/// Plays one game. Players are indexed by color, Black first as shakmaty counts them.
fn play(
    plan: &Plan,
    opening: &Chess,
    players: [&Values; 2],
    searchers: &mut [Searcher; 2],
) -> GameResult {
    searchers.iter_mut().for_each(Searcher::new_game);
    let mut game = Game::new(opening.clone(), Arc::clone(&plan.tables));
    let mut judge = Adjudicator::new(plan.tables.is_zero());
    loop {
        if let Some(result) = result_by_rules(&game) {
            return result;
        }
        let turn = game.position().turn();
        parameters::play_by(players[usize::from(turn)]);
        let request = SearchRequest::new(game.recent(), Limits::nodes(plan.nodes));
        let search = searchers[usize::from(turn)].search(request, &mut |_| ());
        let Some(best) = search.best_move() else {
            return GameResult::Draw;
        };
        game.play(best);
        if let Some(result) = judge.see(turn, search.score()) {
            return result;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;

    fn plan(pairs: u32) -> Plan {
        Plan {
            pairs,
            nodes: 100,
            seed: 1,
            threads: 1,
            openings: Vec::new(),
            tables: TableSet::Simplified.tables(),
            tuned: [true; COUNT],
            last_step: 0.01,
        }
    }

    #[test]
    fn numbers_move_towards_the_set_that_won_and_stay_in_their_range() {
        let plan = plan(100);
        let mut signs = [1.0; COUNT];
        signs[0] = -1.0;
        signs[1] = 0.0;
        let mut state = State::first();
        let won = Trial {
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
        assert_eq!(state.values[0], f64::from(ALL[0].least));
        assert_eq!(state.values[2], f64::from(ALL[2].most));
    }

    #[test]
    fn steps_and_perturbations_shrink() {
        let plan = plan(1_000);
        assert!(step_share(&plan, 0) > step_share(&plan, 999));
        assert!(perturbation(&plan, 0, ALL[0]) > perturbation(&plan, 999, ALL[0]));
        assert!((step_share(&plan, 999) - plan.last_step).abs() < 1e-9);
    }

    #[test]
    fn a_run_that_is_taken_up_again_comes_out_the_same() {
        let folder = std::env::temp_dir().join(format!("squarewise-spsa-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder to write to");
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
        for (a, b) in at_once.values.iter().zip(resumed.values) {
            assert!((a - b).abs() < 0.01, "{a} and {b}");
        }
        assert_ne!(at_once.values, State::first().values);
        fs::write(&broken, "pairs many\n").expect("a file to write");
        assert!(matches!(
            State::read(&broken),
            Err(SpsaError::Damaged(line)) if line == "pairs many"
        ));
        fs::remove_dir_all(&folder).expect("the folder again");
    }
}
