//! Faults of the machine: a full disk, signals, places that can't be written. What is lost then is
//! said, what was done is kept, and a run goes on where it was.
//!
//! `selfplay`, `tune` and `spsa` have everything in their files at any moment, so that they can be
//! killed.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use super::{PROGRAM, error, output, program, selfplay, tune};
use crate::support::programs::{
    self, SIGNALS, error_of, interrupted_after_a_line, interrupted_when, length,
};
use crate::support::scratch::Scratch;
use squarewise_lab::game_file;

/// The program with arguments, under a limit that `ulimit` sets.
fn limited(limit: &str, arguments: &[&str]) -> Command {
    programs::limited(limit, PROGRAM, arguments)
}

#[test]
fn games_of_self_play_are_kept_and_the_run_is_resumed() {
    for signal in SIGNALS {
        let folder = Scratch::new(&format!("signal-selfplay-{signal}"));
        let games = folder.path("games");
        let run = interrupted_when(signal, &mut program(&selfplay("1000000", &games)), || {
            length(&games) > 10_000
        });
        assert_eq!(run.status.code(), Some(1), "{run:?}");
        let reason = String::from_utf8_lossy(&run.stderr);
        assert!(
            reason.contains("the same command goes on from there"),
            "{reason}"
        );
        let (_, kept) = game_file::read(Path::new(&games)).expect("whole games");
        assert!(kept.len() > 2, "{signal}: {} games", kept.len());
        let more = (kept.len() + 1).to_string();
        let resumed = programs::run(&mut program(&selfplay(&more, &games)));
        let note = String::from_utf8_lossy(&resumed.stderr);
        let expected = format!("holds {} games; the run goes on from there", kept.len());
        assert!(note.contains(&expected), "{note}");
        let resumed = String::from_utf8_lossy(&resumed.stdout);
        assert!(resumed.starts_with(&format!("{more} games")), "{resumed}");
        let (_, resumed) = game_file::read(Path::new(&games)).expect("whole games");
        assert!(resumed.starts_with(&kept), "{signal}: the games differ");
    }
}

#[test]
fn the_state_of_a_fit_is_kept() {
    let folder = Scratch::new("signal-tune");
    let games = folder.path("games");
    output(&selfplay("60", &games));
    for signal in SIGNALS {
        let tables = folder.path(signal);
        let state = format!("{tables}.part");
        let long = ["--epochs", "10000"];
        let arguments = [tune(&games, &tables).as_slice(), &long].concat();
        let run = interrupted_when(signal, &mut program(&arguments), || length(&state) > 0);
        assert!(!run.status.success());
        assert!(!Path::new(&tables).exists(), "there are no tables yet");
        // It is whole, or else it would be called damaged.
        let other_fit = [arguments.as_slice(), &["--seed", "2"]].concat();
        let reason = error(&other_fit);
        assert!(reason.contains("with other settings"), "{reason}");
    }
}

#[cfg(feature = "tuning")]
#[test]
fn the_pairs_of_spsa_are_kept_and_the_run_is_resumed() {
    for signal in SIGNALS {
        let folder = Scratch::new(&format!("signal-spsa-{signal}"));
        let values = folder.path("values");
        let pairs = || -> u32 {
            let text = fs::read_to_string(&values).unwrap_or_default();
            let pairs = text
                .lines()
                .next()
                .and_then(|line| line.strip_prefix("pairs "));
            pairs.map_or(0, |pairs| pairs.parse().expect("a number"))
        };
        let spsa = |pairs| ["spsa", "--pairs", pairs, "--nodes", "60", "--out", &values];
        let run = interrupted_when(signal, &mut program(&spsa("1000000")), || pairs() > 0);
        assert!(!run.status.success());
        let kept = pairs();
        assert!(kept > 0, "{signal}");
        let measured = output(&spsa("1"));
        assert!(measured.contains(" a higher value gains "), "{measured}");
        assert_eq!(pairs(), kept);
    }
}

#[test]
fn the_games_of_wdl_are_counted_before_the_fit() {
    let folder = Scratch::new("signal-wdl");
    let games = folder.path("games");
    let run = [selfplay("80", &games).as_slice(), &["--whole-games"]].concat();
    output(&run);
    for signal in SIGNALS {
        let run = interrupted_after_a_line(signal, &mut program(&["wdl", "--data", &games]));
        let rows = String::from_utf8_lossy(&run.stdout);
        assert!(rows.starts_with("fitted to 80 games, "), "{rows}");
        assert!(rows.ends_with('\n'), "{rows}");
    }
}

#[test]
fn a_run_of_games_is_resumed_and_ends_as_one_without_a_break() {
    let folder = Scratch::new("full-disk-games");
    let (broken, whole) = (folder.path("broken"), folder.path("whole"));
    let reason = error_of(&mut limited("-f 16", &selfplay("60", &broken)));
    assert!(reason.contains(&broken), "{reason}");
    let kept = fs::metadata(&broken).expect("some games").len();
    assert_eq!(kept, 16 * 512, "the disk is full to the last byte");
    let message = error(&tune(&broken, &folder.path("tables")));
    assert!(message.contains("cut short"), "{message}");

    let resumed = output(&selfplay("60", &broken));
    assert!(resumed.starts_with("60 games"), "{resumed}");
    output(&selfplay("60", &whole));
    let bytes = |path: &str| fs::read(path).expect("the games");
    assert!(bytes(&broken) == bytes(&whole), "the files differ");
}

#[test]
fn a_fit_that_cannot_be_kept_ends_and_leaves_the_old_tables() {
    let folder = Scratch::new("full-disk-fit");
    let games = folder.path("games");
    output(&selfplay("60", &games));
    let tables = folder.file("tables", "worth keeping");
    let reason = error_of(&mut limited("-f 8", &tune(&games, &tables)));
    assert!(reason.contains("tables.part: "), "{reason}");
    assert_eq!(folder.names(), ["games", "tables"]);
    let kept = fs::read_to_string(&tables).expect("the tables");
    assert_eq!(kept, "worth keeping");
}

#[cfg(feature = "tuning")]
#[test]
fn the_values_of_a_search_that_cannot_be_kept_stay_as_they_were() {
    let folder = Scratch::new("full-disk-spsa");
    let values = folder.path("values");
    let spsa = |pairs| ["spsa", "--pairs", pairs, "--nodes", "60", "--out", &values];
    output(&spsa("2"));
    let kept = fs::read_to_string(&values).expect("the values");
    let reason = error_of(&mut limited("-f 1", &spsa("4")));
    assert!(reason.contains(&values), "{reason}");
    let after = fs::read_to_string(&values).expect("the values");
    assert_eq!(after, kept);
    assert_eq!(folder.names(), ["values"]);
    output(&spsa("4"));
    let resumed = fs::read_to_string(&values).expect("the values");
    assert!(resumed.starts_with("pairs 4\n"), "{resumed}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_on_a_full_disk_is_an_error_and_the_games_are_kept() {
    let folder = Scratch::new("full-output");
    let games = folder.path("games");
    let whole_games = |number| [selfplay(number, &games).as_slice(), &["--whole-games"]].concat();
    output(&whole_games("4"));
    for arguments in [vec!["wdl", "--check", &games], whole_games("5")] {
        let full = File::create("/dev/full").expect("a device of Linux");
        let message = error_of(program(&arguments).stdout(full));
        assert!(
            message.contains("No space left"),
            "{arguments:?}: {message}"
        );
    }
    assert!(output(&whole_games("5")).starts_with("5 games"));
}

/// Places where nothing can be written, in a folder of their own. Rights don't bind every user, so
/// they are below a file, and on Linux in `/proc`, where nobody can create files.
fn places(folder: &Scratch) -> Vec<String> {
    let mut places = vec![folder.file("a-file", "") + "/new"];
    if cfg!(target_os = "linux") {
        places.push("/proc/squarewise-new".to_owned());
    }
    places
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_the_work() {
    let folder = Scratch::new("places");
    for place in places(&folder) {
        // Without a refusal they would take days, or fail for want of games.
        for arguments in [
            selfplay("4000000000", &place),
            tune("/nonexistent/games", &place),
        ] {
            let reason = error(&arguments);
            assert!(reason.contains(&place), "{arguments:?}: {reason}");
        }
    }
    assert_eq!(folder.names(), ["a-file"]);
}

#[cfg(feature = "tuning")]
#[test]
fn the_values_of_a_search_that_cannot_be_written_are_refused_before_the_first_pair() {
    let folder = Scratch::new("places-spsa");
    for place in places(&folder) {
        let spsa = ["spsa", "--pairs", "4000000000", "--nodes", "1000000000"];
        let reason = error(&[spsa.as_slice(), &["--out", &place]].concat());
        assert!(reason.contains(&place), "{reason}");
    }
}

/// The messages of the kernel: a regular file without a length. Reading it waits for the next
/// message.
#[cfg(target_os = "linux")]
#[test]
fn a_regular_file_that_blocks_is_refused_at_once() {
    let reason = error(&tune("/proc/kmsg", "nowhere"));
    assert!(reason.contains("unknown length"), "{reason}");
}

#[test]
fn a_pipe_is_refused_at_once() {
    let folder = Scratch::new("lab-pipes");
    let (pipe, nowhere) = (folder.pipe("pipe"), folder.path("nowhere"));
    let with_book = [selfplay("1", &nowhere).as_slice(), &["--book", &pipe]].concat();
    for arguments in [tune(&pipe, &nowhere), selfplay("1", &pipe), with_book] {
        let reason = error(&arguments);
        assert!(reason.contains("not a regular file"), "{reason}");
    }
}
