//! Memory that the system refuses: the reason is given, and whatever runs goes on. Hash sizes in a conversation are
//! tested with the protocol.
//!
//! The shell limits the address space, which the program can't see.

use super::{error_of, limited};
use crate::support::Conversation;

#[test]
fn a_start_without_memory_for_the_tables_ends_with_the_reason() {
    let reason = error_of(&mut limited("-v 30000", &[]));
    assert!(
        reason.contains("no memory for a transposition table of 16 MiB"),
        "{reason}"
    );
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
