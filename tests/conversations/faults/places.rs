//! Places where nothing can be written: every file that the program would write is refused there
//! with a reason, before the work that would be lost.
//!
//! Rights don't bind every user, so the places are below a file, and on Linux in `/proc`, where
//! nobody can create files.

use super::program;
use crate::support::Conversation;
use crate::support::programs::error_of;
use crate::support::scratch::Scratch;

/// The places of a test, in a folder of its own.
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
    let pgn = folder.file("in.pgn", "1. e4 *");
    for place in places(&folder) {
        // Without a refusal they would take days.
        for arguments in [
            vec!["analyze", &pgn, "--movetime", "1000000000", "--pgn", &place],
            vec![
                "analyze",
                &pgn,
                "--movetime",
                "1000000000",
                "--html",
                &place,
            ],
            vec![
                "play", "--white", "engine", "--black", "engine", "--pgn", &place,
            ],
            vec!["tables", "--out", &place],
            vec!["man", "--dir", &place],
        ] {
            let reason = error_of(&mut program(&arguments));
            assert!(reason.contains(&place), "{arguments:?}: {reason}");
        }
    }
    assert_eq!(folder.names(), ["a-file", "in.pgn"]);
}

#[test]
fn a_log_file_that_cannot_be_written_is_refused_and_the_engine_plays_on() {
    let folder = Scratch::new("places-log");
    let mut engine = Conversation::start();
    for place in places(&folder) {
        engine.assert_refused(
            &format!("setoption name Debug Log File value {place}"),
            &place,
        );
    }
    engine.best_move("go depth 2");
}

#[test]
fn a_game_is_not_lost_when_it_cannot_be_saved() {
    let folder = Scratch::new("places-save");
    for place in places(&folder) {
        let mut game = Conversation::start_with(&["play", "--black", "human"]);
        game.send("e4");
        game.expect_prefix("1. e4");
        game.send(&format!("save {place}"));
        game.send("e5");
        let shown = game.lines_until_prefix("1... e5");
        assert!(shown.iter().any(|line| line.contains(&place)), "{shown:?}");
        game.send("resign");
        game.expect_prefix("0-1: ");
    }
}
