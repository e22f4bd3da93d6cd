//! Other engines that flood their output: memory stays bounded, and the game ends with a message.
//!
//! What they flood it with line by line is tested with `play`.

use std::time::Duration;

use super::program;
use crate::support::Conversation;
use crate::support::programs::error_of;

/// The most memory that a game against a flood may take, in KiB. The floods would fill it in a
/// second.
#[cfg(target_os = "linux")]
const MAX_MEMORY_KIB: u64 = 64 << 10;

/// How long an engine may be silent, in milliseconds; so long they flood. Memory is looked at well
/// before.
const PATIENCE: &str = "2000";

/// An engine that does this when it is asked for a move.
fn flooding(flood: &str) -> String {
    let handshake = "isready) echo readyok;; uci) echo uciok;; quit) exit;;";
    format!(
        "uci:sh -c 'while read line; do case \"$line\" in {handshake} go*) {flood};; esac; done'"
    )
}

#[test]
fn a_flood_without_an_end_of_line_or_on_stderr_loses_and_fills_no_memory() {
    for flood in [
        "tr \"\\\\000\" x < /dev/zero",
        "cat /dev/zero",
        "yes out of memory >&2",
        "yes id name x",
    ] {
        let black = flooding(flood);
        let limits = ["--movetime", "50", "--patience", PATIENCE];
        let mut game =
            Conversation::start_with(&[["play", "--black", &black].as_slice(), &limits].concat());
        game.send("e4");
        game.expect_prefix("1. e4");
        std::thread::sleep(Duration::from_millis(200));
        #[cfg(target_os = "linux")]
        {
            let memory = game.peak_memory_kib();
            assert!(memory < MAX_MEMORY_KIB, "{flood}: {memory} KiB");
        }
        game.expect_prefix("1-0: Black does not answer");
        assert_eq!(game.wait_exit().code(), Some(0), "{flood}");
    }
}

#[test]
fn a_flood_instead_of_an_introduction_is_an_error_before_the_game() {
    for flood in ["yes", "yes option name x type check", "cat /dev/zero"] {
        let black = format!("uci:sh -c \"{flood}\"");
        let arguments = ["play", "--black", &black, "--patience", "300"];
        let reason = error_of(&mut program(&arguments));
        assert!(reason.contains("has not answered `uci`"), "{reason}");
    }
}
