//! SPSA: tunes the parameters of the search by games (Spall, *Multivariate stochastic approximation
//! using a simultaneous perturbation gradient approximation*, 1992).
//!
//! All parameters are perturbed at once, each up or down at random, and a second set is perturbed
//! the other way. The two sets play a pair of games from one opening with colors exchanged, and
//! every parameter moves a small step towards the set that won. One pair says next to nothing, but
//! ten thousand pairs say as much about every parameter as if they had been played for it alone.
//! Steps and perturbations shrink with Spall's exponents.
//!
//! Each pair is drawn from the run's seed and its own number. So on one thread a run can be
//! repeated exactly, also if it is stopped and resumed on the way. On several threads the values at
//! the start of a pair depend on which pairs have ended by then, so that no two runs are alike.
//! Besides, pairs that are under way when a run is stopped are lost, and the resumed one goes on
//! with the number of pairs that have ended: it can draw one of them a second time, and leave out
//! another. Both are as random as any pair, so that the values are none the worse.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::bail;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::{Color, Position};

use super::openings::Openings;
use super::playing::{pairs_of_searchers, play_numbered, play_to_end, usual_adjudication};
use super::spsa_state::RunSettings;
use super::training_position::GameResult;
use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::file::checksum_of;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::parameters::{self, ALL, Parameter, Values};
use squarewise_engine::search::{SearchRequest, Searcher};

pub use super::spsa_state::State;

/// Spall's exponent for the steps: how fast they shrink.
const STEP_EXPONENT: f64 = 0.602;
/// Spall's exponent for the perturbations.
const PERTURBATION_EXPONENT: f64 = 0.101;
/// The share of the run in which the steps hardly shrink.
const STABILITY_SHARE: f64 = 0.1;
/// The perturbation at the end of the run, as a share of a parameter's range.
const LAST_PERTURBATION: f64 = 1.0 / 20.0;

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
    /// The step at the end of the run for each game won, in per mille of the perturbation. With 0
    /// no value changes, and the run only measures.
    pub step_per_mille: u16,
}

impl Plan {
    /// The settings that a resumed run must share. The thread count isn't one of them, nor is the
    /// number of pairs: a longer run goes on with the steps and perturbations of the new number.
    fn settings(&self) -> RunSettings {
        let tuned = ALL.iter().zip(&self.tuned);
        let tuned: Vec<&str> = tuned
            .filter(|(_, is_tuned)| **is_tuned)
            .map(|(parameter, _)| parameter.name)
            .collect();
        RunSettings(vec![
            ("nodes", self.nodes.to_string()),
            ("seed", self.seed.to_string()),
            ("tables", format!("{:016x}", checksum_of(&self.tables))),
            ("book", self.openings.book_in_words()),
            ("chess960", self.openings.chess960.to_string()),
            ("variant", self.openings.variant.to_string()),
            ("step", self.step_per_mille.to_string()),
            (
                "parameters",
                if tuned.len() == ALL.len() {
                    "all".to_owned()
                } else {
                    tuned.join(" ")
                },
            ),
        ])
    }
}

/// The outcome of a pair.
struct PairResult {
    number: u32,
    /// The direction in which each parameter of the first set was perturbed, 1 or -1; 0 for those
    /// that are not tuned.
    signs: Vec<f64>,
    /// Games won minus games lost by the first set.
    surplus: i32,
}

/// Plays the pairs that are still missing, and writes the state to `path` at first and after each
/// pair, so that the run can be killed at any moment. `progress` receives what was written.
pub fn run(plan: &Plan, path: &Path, progress: &mut dyn FnMut(&State)) -> anyhow::Result<State> {
    let settings = plan.settings();
    let first = if path.exists() {
        State::read(path, &settings)?
    } else {
        State::first()
    };
    // Already here, so that a file that can't be written is noticed before the first pair.
    first.write(path, &settings)?;
    progress(&first);
    let searchers = pairs_of_searchers(plan.threads)?;
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
                if State::read(path, &settings)?.pairs != written {
                    bail!("{}: another run writes to this file", path.display());
                }
                written = state.pairs;
                state.write(path, &settings)?;
                progress(&state);
            }
            Ok(())
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
    last_perturbation(parameter) * perturbation_growth(plan, number)
}

/// The perturbation in a pair, as a multiple of that at the end of the run.
fn perturbation_growth(plan: &Plan, number: u32) -> f64 {
    let run = f64::from(plan.pairs) / f64::from(number + 1);
    run.powf(PERTURBATION_EXPONENT)
}

/// The step for each game won in a pair, as a share of the perturbation. The gradient is the
/// surplus divided by the perturbation, so that of two sets of equal results the nearer ones say
/// more: hence the square.
fn step_share(plan: &Plan, number: u32) -> f64 {
    let pairs = f64::from(plan.pairs);
    let stability = pairs * STABILITY_SHARE;
    let run = (stability + pairs) / (stability + f64::from(number + 1));
    let last = f64::from(plan.step_per_mille) / 1_000.0;
    last * run.powf(STEP_EXPONENT) / perturbation_growth(plan, number).powi(2)
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
    opening: &VariantPosition,
    sets: [&Values; 2],
    searchers: &mut [Searcher; 2],
) -> GameResult {
    searchers.iter_mut().for_each(Searcher::new_game);
    let game = Game::new(opening.clone());
    play_to_end(game, usual_adjudication(&plan.tables), |game| {
        let turn = usize::from(game.position().turn());
        parameters::use_values(sets[turn]);
        let request = SearchRequest {
            tables: Arc::clone(&plan.tables),
            ..SearchRequest::new(Limits::nodes(plan.nodes))
        };
        searchers[turn].search(game, request, &mut |_| ())
    })
}

/// The step at the end of a run for each game won, as a share of the perturbation, that OpenBench
/// is told. A third of ours, because runs on many machines have many more games; fishtest's default
/// too.
const R_END: f64 = 0.002;

/// A parameter as a line of OpenBench's form: `name, int, value, min, max, C_end, R_end`.
///
/// OpenBench tunes by SPSA on many machines. It perturbs a parameter by `C_end` at the end of a run
/// and moves it by `R_end` times that for each game won. Both shrink with Spall's exponents, as
/// here.
pub fn input_line(parameter: &Parameter) -> String {
    let Parameter {
        name,
        default,
        min,
        max,
        ..
    } = parameter;
    let c_end = last_perturbation(parameter);
    format!("{name}, int, {default}, {min}, {max}, {c_end}, {R_END}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Chess;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::rules::Variant;
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
            step_per_mille: 10,
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
        assert!((step_share(&plan, 999) - 0.01).abs() < 1e-9);
    }

    #[test]
    fn steps_are_those_of_spall_and_of_openbench() {
        // a_k / c_k with a_k = a / (A + k)^0.602 and c_k = c / k^0.101, and R = a_N / c_N^2.
        let (pairs, last_step) = (1_000.0_f64, 0.01);
        let plan = plan(1_000);
        let last = last_perturbation(ALL[0]);
        let (stability, c) = (0.1 * pairs, last * pairs.powf(0.101));
        let a = last_step * last * last * (stability + pairs).powf(0.602);
        for number in [0_u32, 99, 999] {
            let k = f64::from(number + 1);
            let expected = a / (stability + k).powf(0.602) / (c / k.powf(0.101));
            let step = step_share(&plan, number) * perturbation(&plan, number, ALL[0]);
            assert!(
                (step / expected - 1.0).abs() < 1e-9,
                "{step} for {expected}"
            );
        }
    }

    #[test]
    fn a_run_is_resumed_with_its_own_settings_only_but_for_pairs_and_threads() {
        let same = Plan {
            pairs: 9,
            threads: 3,
            ..plan(4)
        };
        assert_eq!(same.settings(), plan(4).settings());
        let with_book = |book| Openings {
            book: vec![book],
            ..Openings::default()
        };
        let start = Chess::default();
        let moved = start.clone().play(start.legal_moves()[0]);
        let chess960 = Openings {
            chess960: 30,
            ..Openings::default()
        };
        let torpedo = Openings {
            variant: Variant::Torpedo,
            ..Openings::default()
        };
        let mut tuned = vec![true; ALL.len()];
        tuned[0] = false;
        #[rustfmt::skip]
        let others = [
            ("nodes", Plan { nodes: 101, ..plan(4) }),
            ("seed", Plan { seed: 2, ..plan(4) }),
            ("tables", Plan { tables: TableSet::Learned.tables(), ..plan(4) }),
            ("book", Plan { openings: with_book(start), ..plan(4) }),
            ("book", Plan { openings: with_book(moved.expect("a legal move")), ..plan(4) }),
            ("chess960", Plan { openings: chess960, ..plan(4) }),
            ("variant", Plan { openings: torpedo, ..plan(4) }),
            ("step", Plan { step_per_mille: 11, ..plan(4) }),
            ("parameters", Plan { tuned, ..plan(4) }),
        ];
        for (number, (name, other)) in others.iter().enumerate() {
            let (one, other) = (plan(4).settings(), other.settings());
            let differ = one
                .0
                .iter()
                .zip(&other.0)
                .filter(|(one, other)| one != other);
            let names: Vec<&str> = differ.map(|((name, _), _)| *name).collect();
            assert_eq!(names, [*name]);
            let is_new = |(_, earlier): &(&str, Plan)| earlier.settings() != other;
            assert!(others[..number].iter().all(is_new), "{name}");
        }
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
        let settings = plan.settings();
        midway.write(&broken, &settings).expect("a file to write");
        let resumed = run(&plan, &broken, &mut |_| ()).expect("a run");
        assert_eq!(at_once.pairs, 4);
        assert_ne!(at_once.values, State::first().values);
        assert_eq!(resumed, at_once);
        let other = Plan { nodes: 101, ..plan };
        let kept = fs::read(&broken).expect("the state of the run");
        let error = run(&other, &broken, &mut |_| ()).expect_err("another run");
        let error = error.root_cause().to_string();
        assert!(error.contains("nodes '100', not '101'"), "{error}");
        assert_eq!(fs::read(&broken).expect("the state of the run"), kept);
    }

    #[test]
    fn every_line_is_one_that_openbench_accepts() {
        // The checks of its verify_spsa_inputs.
        for parameter in ALL.iter() {
            let line = input_line(parameter);
            let fields: Vec<&str> = line.split(", ").collect();
            let [name, kind, numbers @ ..] = fields.as_slice() else {
                panic!("{line}");
            };
            assert_eq!((*name, *kind), (parameter.name, "int"));
            let numbers: Vec<f64> = numbers
                .iter()
                .map(|number| number.parse().expect("a number"))
                .collect();
            let [value, min, max, c_end, r_end] = numbers.as_slice() else {
                panic!("{line}");
            };
            assert!(min <= value && value <= max && min < max, "{line}");
            assert!(*c_end >= 0.5 && *c_end <= (max - min) / 2.0, "{line}");
            assert!(*r_end > 0.0, "{line}");
        }
    }
}
