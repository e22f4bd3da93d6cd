//! Memory that the system refuses: the reason is given, and whatever runs goes on. Hash sizes in a conversation are
//! tested with the protocol.
//!
//! The shell limits the address space, which the program can't see.

use std::process::{Command, Output};

use super::{error_of, limited};
use crate::support::{Conversation, engine};

#[test]
fn a_start_without_memory_for_the_tables_ends_with_the_reason() {
    let reason = error_of(&mut limited("-v 30000", &[]));
    assert!(reason.contains("no memory for "), "{reason}");
}

/// What the engine does with these lines of input if it may use so many KiB of address space.
fn answered(limit: u32, input: &str) -> Output {
    let script = format!("ulimit -v {limit}; printf '{input}' | exec \"$0\"");
    let output = Command::new("sh").args(["-c", &script, engine()]).output();
    output.expect("the shell is there")
}

#[test]
fn under_every_limit_threads_are_given_or_refused_with_a_word_and_the_engine_answers() {
    let (mut given, mut refused, mut not_started) = (0, 0, 0);
    for limit in (30_000..230_000).step_by(4_000) {
        let input = "setoption name Threads value 8\\ngo nodes 5000\\n";
        let output = answered(limit, input);
        let text = String::from_utf8_lossy(&output.stdout);
        let is_refused = text.contains("info string Threads stays as it is: no 8 threads");
        match output.status.code() {
            Some(0) if is_refused => refused += 1,
            Some(0) => given += 1,
            Some(1) => not_started += 1,
            other => panic!("{other:?} with {limit} KiB: {output:?}"),
        }
        let is_answered = text.contains("bestmove");
        assert_eq!(is_answered, output.status.success(), "{limit} KiB: {text}");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            message.contains("error: "),
            !is_answered,
            "{limit} KiB: {message}"
        );
    }
    let counts = (given, refused, not_started);
    assert!(given > 0 && refused > 5 && not_started > 0, "{counts:?}");
}

#[test]
fn a_hash_that_is_refused_on_the_command_line_ends_with_its_size() {
    let epd = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mate_in_1.epd");
    let pgn = "/tests/data/pgn/molinari-bordais-1979.pgn";
    let pgn = format!("{}{pgn}", env!("CARGO_MANIFEST_DIR"));
    for arguments in [
        ["bench", "--hash", "3000"].as_slice(),
        &[
            "bench",
            "--hash",
            "3000",
            "--threads",
            "1",
            "--seconds",
            "1",
        ],
        &["suite", epd, "--hash", "3000", "--nodes", "1"],
        &["analyze", &pgn, "--hash", "3000", "--nodes", "1"],
        &["analyze", "startpos", "--hash", "3000", "--nodes", "1"],
        &["play", "--hash", "3000"],
    ] {
        let reason = error_of(&mut limited("-v 2000000", arguments));
        assert!(reason.contains("3000 MiB"), "{arguments:?}: {reason}");
    }
}

#[test]
fn threads_that_are_refused_leave_the_old_ones_working() {
    let mut engine = Conversation::start_by(&mut limited("-v 600000", &[]));
    engine.assert_accepted("setoption name Threads value 2");
    engine.assert_refused("setoption name Threads value 1024", "no 1024 threads");
    engine.best_move("go nodes 20000");
    engine.assert_accepted("setoption name Threads value 3");
    engine.best_move("go nodes 20000");
}
