//! Ctrl-C and the request to end (SIGTERM): every subcommand that can take long keeps what it has reported.
//!
//! `selfplay`, `tune` and `spsa` have it in their files at any moment, so that they can be killed; `bench` and `wdl` have
//! written it line by line. The others end in order. What `analyze` and `play` keep is tested with them, too.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{self, Child, Command, Output, Stdio};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use squarewise_lab::game_file;

use super::{error_of, output_of, program, selfplay, tune};
use crate::support::Conversation;
use crate::support::scratch::Scratch;

/// The signals, by their names for `kill`.
const SIGNALS: [&str; 2] = ["INT", "TERM"];

/// Makes the programs that are started from now on end at a signal, as in a terminal. What a shell runs in the background
/// ignores Ctrl-C, and hands that down; a signal that is caught here is nothing to ignore for the others.
fn hand_down_no_ignored_signal() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ctrlc::set_handler(|| process::exit(130)).expect("no other handler is set");
    });
}

/// Starts the program with pipes for its output.
fn start(arguments: &[&str]) -> Child {
    hand_down_no_ignored_signal();
    let mut command = program(arguments);
    let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    pipes.spawn().expect("the program was built")
}

fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &id])
        .status();
    assert!(sent.expect("kill is everywhere").success(), "{signal}");
}

/// Starts the program and sends it a signal when its first line of output has come. Returns all that it has written.
fn interrupted_after_a_line(signal: &str, arguments: &[&str]) -> Output {
    let mut child = start(arguments);
    let mut output = BufReader::new(child.stdout.take().expect("stdout was piped"));
    let mut stdout = String::new();
    output.read_line(&mut stdout).expect("a line");
    send(signal, &child);
    output.read_to_string(&mut stdout).expect("text");
    let ended = child.wait_with_output().expect("the program ends");
    Output {
        stdout: stdout.into_bytes(),
        ..ended
    }
}

/// Starts the program and sends it a signal when `is_time`.
fn interrupted_when(signal: &str, arguments: &[&str], is_time: impl Fn() -> bool) -> Output {
    let child = start(arguments);
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_time() {
        assert!(Instant::now() < deadline, "{arguments:?} takes too long");
        thread::sleep(Duration::from_millis(5));
    }
    send(signal, &child);
    child.wait_with_output().expect("the program ends")
}

fn length(path: &str) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}

#[test]
fn games_of_self_play_are_kept_and_the_run_is_resumed() {
    for signal in SIGNALS {
        let folder = Scratch::new(&format!("signal-selfplay-{signal}"));
        let games = folder.path("games");
        let run = interrupted_when(signal, &selfplay("1000000", &games), || {
            length(&games) > 10_000
        });
        assert!(!run.status.success());
        // Resumed without a further game, it drops at most one that was being written.
        output_of(&mut program(&selfplay("0", &games)));
        let (_, kept) = game_file::read(Path::new(&games)).expect("whole games");
        assert!(kept.len() > 2, "{signal}: {} games", kept.len());
        let more = (kept.len() + 1).to_string();
        let resumed = output_of(&mut program(&selfplay(&more, &games)));
        assert!(resumed.starts_with(&format!("{more} games")), "{resumed}");
        let (_, resumed) = game_file::read(Path::new(&games)).expect("whole games");
        assert!(resumed.starts_with(&kept), "{signal}: the games differ");
    }
}

#[test]
fn the_state_of_a_fit_is_kept() {
    let folder = Scratch::new("signal-tune");
    let games = folder.path("games");
    output_of(&mut program(&selfplay("60", &games)));
    for signal in SIGNALS {
        let tables = folder.path(signal);
        let state = format!("{tables}.part");
        let long = ["--epochs", "10000"];
        let arguments = [tune(&games, &tables).as_slice(), &long].concat();
        let run = interrupted_when(signal, &arguments, || length(&state) > 0);
        assert!(!run.status.success());
        assert!(!Path::new(&tables).exists(), "there are no tables yet");
        // It is whole, or else it would be called damaged.
        let other_fit = [arguments.as_slice(), &["--seed", "2"]].concat();
        let reason = error_of(&mut program(&other_fit));
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
        let run = interrupted_when(signal, &spsa("1000000"), || pairs() > 0);
        assert!(!run.status.success());
        let kept = pairs();
        assert!(kept > 0, "{signal}");
        let measured = output_of(&mut program(&spsa("1")));
        assert!(measured.contains(" a higher value gains "), "{measured}");
        assert_eq!(pairs(), kept);
    }
}

#[test]
fn a_suite_sums_up_what_it_has_searched() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wacnew.epd");
    for signal in SIGNALS {
        let arguments = ["suite", suite, "--movetime", "200"];
        let run = interrupted_after_a_line(signal, &arguments);
        assert_eq!(run.status.code(), Some(1), "{run:?}");
        let rows = String::from_utf8_lossy(&run.stdout);
        let searched = rows.lines().count() - 1;
        let sum = rows.lines().last().expect("a line");
        assert!(sum.contains(&format!(" of {searched} solved, ")), "{rows}");
        let reason = String::from_utf8_lossy(&run.stderr);
        let expected = format!("interrupted after {searched} of ");
        assert!(reason.contains(&expected), "{reason}");
    }
}

#[test]
fn a_benchmark_has_written_the_positions_that_it_has_searched() {
    for signal in SIGNALS {
        let run = interrupted_after_a_line(signal, &["bench", "--depth", "17"]);
        assert!(!run.status.success());
        let rows = String::from_utf8_lossy(&run.stdout);
        assert!(rows.ends_with('\n'), "{rows}");
        // What is not complete has no total.
        assert!(!rows.contains(" nps"), "{rows}");
        assert!(rows.starts_with("position  1 "), "{rows}");
    }
}

#[test]
fn the_speed_that_was_measured_is_shown() {
    for signal in SIGNALS {
        let speed = ["bench", "--threads", "1", "--seconds", "600"];
        let run = interrupted_after_a_line(signal, &speed);
        assert_eq!(run.status.code(), Some(0), "{run:?}");
        let table = String::from_utf8_lossy(&run.stdout);
        assert!(table.contains("(stopped early)"), "{table}");
    }
}

#[test]
fn the_games_of_wdl_are_counted_before_the_fit() {
    let folder = Scratch::new("signal-wdl");
    let games = folder.path("games");
    let run = [selfplay("200", &games).as_slice(), &["--whole-games"]].concat();
    output_of(&mut program(&run));
    for signal in SIGNALS {
        let run = interrupted_after_a_line(signal, &["wdl", "--data", &games]);
        let rows = String::from_utf8_lossy(&run.stdout);
        assert!(rows.starts_with("fitted to 200 games, "), "{rows}");
        assert!(rows.ends_with('\n'), "{rows}");
    }
}

#[test]
fn a_game_between_engines_is_kept() {
    for signal in SIGNALS {
        let folder = Scratch::new(&format!("signal-play-{signal}"));
        let pgn = folder.path("game.pgn");
        let players = ["--white", "engine", "--black", "engine"];
        let limits = ["--movetime", "300", "--pgn", &pgn];
        let arguments = [["play"].as_slice(), &players, &limits].concat();
        let mut child = start(&arguments);
        let mut output = BufReader::new(child.stdout.take().expect("stdout was piped")).lines();
        let first = output.find_map(|line| line.ok().filter(|line| line.starts_with("1. ")));
        let first = first.expect("a move");
        send(signal, &child);
        let rest: Vec<String> = output.map_while(Result::ok).collect();
        assert!(child.wait().expect("it ends").success(), "{rest:?}");
        let kept = fs::read_to_string(&pgn).expect("the game");
        let first_move = first.split_whitespace().nth(1).expect("a move");
        assert!(kept.contains(&format!("1. {first_move} ")), "{kept}");
        assert!(kept.contains("[Result \"*\"]"), "{kept}");
    }
}

#[test]
fn the_log_of_an_engine_that_is_ended_holds_all_that_was_said() {
    for signal in SIGNALS {
        let folder = Scratch::new(&format!("signal-uci-{signal}"));
        let log = folder.path("log");
        let mut engine = Conversation::start();
        engine.send(&format!("setoption name Debug Log File value {log}"));
        engine.send("go infinite");
        let told = engine.expect_prefix("info depth 5 ");
        engine.end_by(signal);
        assert!(!engine.wait_exit().success());
        let logged = fs::read_to_string(&log).expect("the log");
        assert!(logged.contains(&told), "{logged}");
    }
}
