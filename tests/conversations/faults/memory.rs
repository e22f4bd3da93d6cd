//! Memory that the system refuses: the reason is given, and whatever runs goes on. Hash sizes in a
//! conversation are tested with the protocol.
//!
//! The shell limits the address space, which the program can't see. Input without end takes a
//! bounded amount without any limit.

use std::io::{Read, Write};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use std::{fs, thread};

use super::{limited, program};
use crate::support::programs::error_of;
use crate::support::{Conversation, engine};

/// The most memory that an engine with 16 MiB of Hash may take, whatever is sent to it, in KiB.
const MAX_MEMORY_KIB: u64 = 100 << 10;

#[test]
fn input_without_the_end_of_a_line_takes_little_memory() {
    let mut engine = Conversation::start();
    let zeros = vec![0; 1 << 20];
    for _ in 0..200 {
        engine.send_raw(&zeros);
    }
    engine.send("");
    engine.assert_refused("", "was skipped");
    let memory = engine.peak_memory_kib();
    assert!(memory < MAX_MEMORY_KIB, "{memory} KiB");
}

#[test]
fn commands_whose_answers_nobody_reads_take_little_memory() {
    let mut command = program(&[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut engine = command.spawn().expect("the program was built");
    let mut input = engine.stdin.take().expect("it was piped");
    // Some 160 MiB if they were kept.
    let sent = thread::spawn(move || input.write_all(&b"d\n".repeat(1_000_000)).is_ok());
    thread::sleep(Duration::from_millis(500));
    let status = fs::read_to_string(format!("/proc/{}/statm", engine.id()));
    let status = status.expect("Linux describes its processes");
    let pages: Option<u64> = status
        .split(' ')
        .nth(1)
        .and_then(|pages| pages.parse().ok());
    let memory = 4 * pages.expect("the resident pages");
    assert!(memory < MAX_MEMORY_KIB, "{memory} KiB");
    assert!(!sent.is_finished(), "the engine has read all of it");
    engine.kill().expect("it still runs");
    engine.wait().expect("it has ended");
    assert!(!sent.join().expect("no panic"), "nobody reads any more");
}

#[test]
fn a_flood_of_commands_is_answered_to_the_last_while_the_engine_searches() {
    let mut command = program(&[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut engine = command.spawn().expect("the program was built");
    let mut input = engine.stdin.take().expect("it was piped");
    let flood = "isready\n".repeat(50_000);
    let flood = format!("go infinite\n{flood}stop\nquit\n");
    let sent = thread::spawn(move || input.write_all(flood.as_bytes()).is_ok());
    // First the engine fills the pipe and waits, then everything comes.
    thread::sleep(Duration::from_millis(300));
    let mut text = String::new();
    let output = engine.stdout.as_mut().expect("it was piped");
    output.read_to_string(&mut text).expect("text");
    assert!(engine.wait().expect("it has ended").success());
    assert!(sent.join().expect("no panic"));
    assert_eq!(text.matches("readyok\n").count(), 50_000);
    assert_eq!(text.matches("bestmove ").count(), 1);
}

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
    for limit in (30_000..1_030_000).step_by(20_000) {
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
