//! A full disk: nothing half-written is taken for whole, and a run goes on where it was.
//!
//! Here a file may not grow beyond some blocks of 512 bytes, or the output is `/dev/full`. What
//! becomes of the file of `Debug Log File` is tested with the protocol.

use std::fs::{self, File};
use std::process::{Command, Stdio};

use super::{limited, program};
use crate::support::programs::{error_of, run};
use crate::support::scratch::Scratch;
use crate::support::{Conversation, engine};

#[test]
fn games_that_were_analyzed_are_written_whole_or_said_to_be_lost() {
    let folder = Scratch::new("full-disk-analysis");
    let games = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n".repeat(200);
    let games = folder.file("in.pgn", games);
    // The report begins with everything that it needs to show games.
    for (option, name, limit) in [
        ("--pgn", "out.pgn", "-f 24"),
        ("--html", "out.html", "-f 400"),
    ] {
        let out = folder.file(name, "worth keeping");
        let arguments = ["analyze", &games, "--nodes", "1", option, &out];
        let reason = error_of(&mut limited(limit, &arguments));
        assert!(
            reason.contains(&format!("{name}: ")) && reason.contains("no file is kept of the "),
            "{reason}"
        );
        let kept = fs::read_to_string(&out).expect("the old file");
        assert_eq!(kept, "worth keeping");
    }
    assert_eq!(folder.names(), ["in.pgn", "out.html", "out.pgn"]);
}

#[test]
fn a_report_without_its_end_takes_no_place_whatever_becomes_of_the_games() {
    let folder = Scratch::new("full-disk-report");
    let games = folder.file("in.pgn", "1. e4 e5 *\n");
    let whole = folder.path("whole.html");
    let arguments = ["analyze", &games, "--nodes", "1", "--html", &whole];
    assert!(run(&mut program(&arguments)).status.success());
    let length = fs::metadata(&whole).expect("the report").len();
    let (report, annotated) = (
        folder.file("out.html", "worth keeping"),
        folder.path("out.pgn"),
    );
    // In blocks of 512 bytes: the scripts at the end of the page are cut.
    let limit = format!("-f {}", (length - 20_000) / 512);
    let arguments = [
        "analyze", &games, "--nodes", "1", "--html", &report, "--pgn", &annotated,
    ];
    let reason = error_of(&mut limited(&limit, &arguments));
    assert!(
        reason.contains("out.html: ") && !reason.contains("no file is kept"),
        "{reason}"
    );
    assert_eq!(
        fs::read_to_string(&report).expect("the old file"),
        "worth keeping"
    );
    assert!(
        fs::read_to_string(&annotated)
            .expect("the games")
            .contains("1. e4")
    );
}

#[test]
fn pictures_and_manual_pages_are_written_whole_or_not_at_all() {
    let folder = Scratch::new("full-disk-outputs");
    let picture = folder.file("tables.svg", "worth keeping");
    let reason = error_of(&mut limited("-f 8", &["tables", "--out", &picture]));
    assert!(reason.contains("tables.svg: "), "{reason}");
    let kept = fs::read_to_string(&picture).expect("the picture");
    assert_eq!(kept, "worth keeping");
    let reason = error_of(&mut limited("-f 0", &["man", "--dir", &folder.path("")]));
    assert!(reason.contains("squarewise-"), "{reason}");
    assert_eq!(folder.names(), ["tables.svg"]);
}

#[test]
fn a_game_played_at_the_terminal_is_shown_if_it_cannot_be_kept() {
    let folder = Scratch::new("full-disk-game");
    let older = format!("[Event \"{}\"]\n\n1. d4 *\n", "x".repeat(480));
    let games = folder.file("games.pgn", &older);
    let arguments = ["play", "--black", "human", "--pgn", &games];
    let mut game = Conversation::start_by(&mut limited("-f 1", &arguments));
    game.send("e4");
    game.expect_prefix("1. e4");
    game.send("resign");
    game.expect_prefix("1-0: ");
    game.expect_prefix("1. e4 {Black resigns, White wins} 1-0");
    assert_eq!(game.wait_exit().code(), Some(1));
    let kept = fs::read_to_string(&games).expect("the older game");
    assert_eq!(kept, older);
}

/// Every subcommand that has nothing but its output fails with the reason when that is full, and so
/// does the protocol.
#[cfg(target_os = "linux")]
#[test]
fn an_output_on_a_full_disk_is_an_error_of_every_subcommand() {
    let folder = Scratch::new("full-output");
    let suite = folder.path("suite.epd");
    let solved = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"back rank\";\n";
    fs::write(&suite, solved).expect("a file");
    let pgn = folder.file("in.pgn", "1. e4 e5 *\n");
    for arguments in [
        vec!["bench", "--depth", "1"],
        vec!["perft", "2"],
        vec!["suite", &suite, "--nodes", "1000"],
        vec!["analyze", &pgn, "--nodes", "1"],
        vec!["analyze", "startpos", "--nodes", "1"],
        vec!["why", "startpos", "--nodes", "1"],
        vec!["tables"],
        vec!["tables", "--csv"],
        vec!["tables", "--material"],
        vec!["completions", "bash"],
        vec!["man"],
        vec!["play", "--white", "engine", "--black", "engine"],
    ] {
        let full = File::create("/dev/full").expect("a device of Linux");
        let message = error_of(program(&arguments).stdout(full));
        assert!(
            message.contains("No space left"),
            "{arguments:?}: {message}"
        );
    }
    // With nobody to tell the reason, the exit code is still that of an error.
    for device in ["/dev/full", "a closed pipe"] {
        let mut suite = program(&["suite", "no-such-file.epd", "--nodes", "1"]);
        let status = match device {
            "/dev/full" => suite
                .stderr(File::create(device).expect("a device of Linux"))
                .status(),
            _ => {
                let mut suite = suite.stderr(Stdio::piped()).spawn().expect("it was built");
                drop(suite.stderr.take());
                suite.wait()
            }
        };
        assert_eq!(status.expect("it has run").code(), Some(1), "{device}");
    }

    let input = folder.file("input", "uci\nquit\n");
    let mut engine = Command::new(engine());
    engine.stdin(File::open(input).expect("the commands"));
    engine.stdout(File::create("/dev/full").expect("a device of Linux"));
    assert_eq!(run(&mut engine).status.code(), Some(1));
}
