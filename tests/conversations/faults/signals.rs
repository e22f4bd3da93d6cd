//! Ctrl-C and the request to end (SIGTERM): every subcommand that can take long keeps what it has
//! reported.
//!
//! `bench` has written it line by line. The others shut down cleanly. What `analyze` and `play`
//! keep is tested with them, too.

use std::fs;
use std::io::{BufRead, BufReader};

use super::program;
use crate::support::Conversation;
use crate::support::programs::{SIGNALS, interrupted_after_a_line, send, start};
use crate::support::scratch::Scratch;

#[test]
fn a_suite_sums_up_what_it_has_searched() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/wacnew.epd");
    for signal in SIGNALS {
        let arguments = ["suite", suite, "--movetime", "200"];
        let run = interrupted_after_a_line(signal, &mut program(&arguments));
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
        let run = interrupted_after_a_line(signal, &mut program(&["bench", "--depth", "14"]));
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
        let run = interrupted_after_a_line(signal, &mut program(&speed));
        assert_eq!(run.status.code(), Some(0), "{run:?}");
        let table = String::from_utf8_lossy(&run.stdout);
        assert!(table.contains("(stopped early)"), "{table}");
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
        let mut child = start(&mut program(&arguments));
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
