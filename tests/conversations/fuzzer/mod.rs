//! A conversation fuzzer: random scripts of valid, broken and hostile lines, from a seed.
//!
//! Whatever is said, the engine must not exit, hang, lose an answer or send one too many; its moves
//! and lines are legal, `readyok` comes at once and in order, a refusal changes nothing, and every
//! line has a known form. [`generator`] writes the scripts, [`protocol`] knows what each line asks
//! for, [`checker`] compares that with what the engine prints, and [`shrink`] leaves only those
//! lines of a script that show a fault.
//!
//! The scripts of seeds 1 to 150 are part of every run of the tests. More of them:
//!
//! ```text
//! FUZZ_SCRIPTS=10000 FUZZ_SEED=1 cargo test --release --test conversations fuzzer -- --ignored --nocapture
//! ```

mod checker;
pub mod declared_option;
pub mod dice;
mod fault;
mod folder;
mod generator;
mod go_line;
mod info_line;
mod open_job;
mod places;
mod protocol;
mod script;
mod searches;
mod session;
mod shrink;
mod values;

use std::env;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use declared_option::declared_options;
use fault::Fault;
use folder::filled_folder;

/// How many scripts every run of the tests plays, from seed 1 on.
const SCRIPTS: u64 = 150;

/// The longest time for any answer. Far longer than any takes, even on a busy machine.
const DEADLINE: Duration = Duration::from_secs(20);

/// The same while a script shrinks, when many of them hang.
const DEADLINE_WHILE_SHRINKING: Duration = Duration::from_secs(5);

#[test]
fn random_conversations_keep_to_the_protocol() {
    run(1, SCRIPTS);
}

#[test]
#[ignore = "minutes: FUZZ_SCRIPTS scripts (10000) from FUZZ_SEED (1) on"]
fn many_random_conversations_keep_to_the_protocol() {
    let number = |name, default| match env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name} is no number: {text}")),
        Err(_) => default,
    };
    run(number("FUZZ_SEED", 1), number("FUZZ_SCRIPTS", 10_000));
}

/// Plays the scripts of this many seeds on all processors; fails with the first fault that is
/// found.
fn run(first_seed: u64, scripts: u64) {
    let options = declared_options();
    let (next, has_failed) = (AtomicU64::new(first_seed), AtomicBool::new(false));
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let work = || -> Option<String> {
        let folder = filled_folder();
        while !has_failed.load(Ordering::Relaxed) {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= first_seed + scripts {
                break;
            }
            let script = generator::script(seed, &options);
            let play =
                |script: &_, deadline| session::play(script, &options, folder.as_str(), deadline);
            if let Err(found) = play(&script, DEADLINE) {
                has_failed.store(true, Ordering::Relaxed);
                let is_same = |fault: Fault| fault.what == found.what;
                let fails = |script: &_| play(script, DEADLINE_WHILE_SHRINKING).is_err_and(is_same);
                let short = shrink::shrink_script(&script, fails);
                let Fault { what, detail } = found;
                return Some(format!(
                    "seed {seed}: {what}: {detail}\nthe lines that show it:\n{short}"
                ));
            }
        }
        None
    };
    let faults: Vec<String> = thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let found = running
            .into_iter()
            .map(|worker| worker.join().expect("a worker doesn't panic"));
        found.flatten().collect()
    });
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}
