//! The variants of chess as a person meets them: at the terminal, in analyses and explanations, in
//! PGN and on the board in the browser.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::json;

use crate::board::Board;
use crate::support::scratch::Scratch;
use crate::support::{Conversation, engine};

/// Pawns that meet by torpedo steps; after the second move of White Black takes en passant on a
/// square that no pawn crosses in chess.
const TORPEDO: &str = "[Variant \"Torpedo\"]\n\n1. a4 h6 2. a6 h5 3. axb7 h3 4. bxa8=Q hxg2 *\n";

fn run(arguments: &[&str]) -> Output {
    Command::new(engine())
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the engine was built beside this test")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Starts a game of two people, types these lines, and returns all that is shown.
fn play(arguments: &[&str], typed: &[&str]) -> String {
    let people = ["play", "--white", "human:Anna", "--black", "human:Ben"];
    let mut game = Conversation::start_with(&[people.as_slice(), arguments].concat());
    let lines: String = typed.iter().map(|line| format!("{line}\n")).collect();
    game.send_raw(lines.as_bytes());
    game.close_stdin();
    let mut shown = String::new();
    loop {
        let line = game.expect_prefix("");
        shown += &format!("{line}\n");
        if line.starts_with("*: ") || line.starts_with("0-1: ") || line.starts_with("1-0: ") {
            break;
        }
    }
    assert!(game.wait_exit().success());
    shown
}

#[test]
fn a_game_of_a_variant_is_played_by_its_rules_and_kept_with_its_name() {
    let folder = Scratch::new("variants-play");
    let pgn = folder.path("game.pgn");
    // Two pawns can go to d4, ahead and to the side.
    let moves = ["e4", "a6", "d3", "a5", "d4", "e4d4", "resign", "yes"];
    let shown = play(&["--variant", "pawnsideways", "--pgn", &pgn], &moves);
    assert!(shown.contains("d3d4") && shown.contains("e4d4"), "{shown}");
    let kept = fs::read_to_string(&pgn).expect("the game was kept");
    assert!(kept.contains("[Variant \"pawnsideways\"]"), "{kept}");
    assert!(
        kept.contains("3. e4d4") && !kept.contains("[FEN "),
        "{kept}"
    );
    let again = run(&["analyze", &pgn, "--nodes", "50"]);
    assert_eq!(again.status.code(), Some(0), "{}", text(&again.stderr));
}

#[test]
fn slips_are_explained_by_the_rules_of_the_variant() {
    let slip = |variant, typed| play(&["--variant", variant], &[typed]);
    let shown = slip("pawnone", "e4");
    assert!(shown.contains("goes one square ahead"), "{shown}");
    for (variant, reason) in [
        ("nocastle", "nobody castles in this variant"),
        ("nocastle10", "nobody castles before move 11"),
        ("chess", "is in the way"),
    ] {
        let shown = slip(variant, "O-O");
        assert!(shown.contains(reason), "{shown}");
    }
}

#[test]
fn stalemate_wins_at_the_terminal_too() {
    let fen = "7k/8/6K1/5Q2/8/8/8/8 w - - 0 1";
    let shown = play(&["--variant", "stalematewin", "--fen", fen], &["Qf7"]);
    assert!(shown.contains("1-0: stalemate, White wins"), "{shown}");
}

#[test]
fn a_game_with_the_tag_of_a_variant_is_analyzed_and_written_by_its_rules() {
    let folder = Scratch::new("variants-analyze");
    let (games, annotated) = (folder.path("games.pgn"), folder.path("annotated.pgn"));
    fs::write(&games, TORPEDO).expect("the file can be written");
    let done = run(&["analyze", &games, "--nodes", "50", "--pgn", &annotated]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let written = fs::read_to_string(&annotated).expect("the file was written");
    assert!(written.contains("[Variant \"torpedo\"]"), "{written}");
    assert!(written.contains("hxg2"), "{written}");
    let chess = TORPEDO.replace("Torpedo", "Standard");
    fs::write(&games, chess).expect("the file can be written");
    let refused = run(&["analyze", &games, "--nodes", "50"]);
    assert!(
        text(&refused.stderr).contains("a6"),
        "{}",
        text(&refused.stderr)
    );
}

#[test]
fn positions_are_shown_and_explained_by_the_rules_of_a_variant() {
    let fen = "4k3/8/8/P7/8/8/8/4K3 w - - 0 1";
    let lines = run(&["analyze", fen, "--variant", "torpedo", "--depth", "3"]);
    let shown = text(&lines.stdout);
    assert!(shown.contains("a7"), "{shown}");
    let why = run(&[
        "why",
        fen,
        "--variant",
        "torpedo",
        "--move",
        "a5a7",
        "--depth",
        "3",
    ]);
    assert_eq!(why.status.code(), Some(0), "{}", text(&why.stderr));
    let chess = run(&["why", fen, "--move", "a5a7", "--depth", "3"]);
    assert!(text(&chess.stderr).contains("is not possible"));
}

#[test]
fn a_wrong_variant_and_what_it_does_not_allow_are_refused_with_a_word() {
    let shuffled = "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1";
    for (arguments, code, reason) in [
        (
            vec!["why", "startpos", "--variant", "atomic"],
            2,
            "there is no variant \"atomic\"",
        ),
        (
            vec!["play", "--variant", "torpedos"],
            2,
            "there is no variant \"torpedos\"",
        ),
        (
            vec!["why", shuffled, "--variant", "selfcapture"],
            1,
            "can't be played as Chess960",
        ),
        (
            vec![
                "analyze",
                "tests/data/pgn/molinari-bordais-1979.pgn",
                "--variant",
                "torpedo",
            ],
            1,
            "by the tag Variant",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let said = text(&output.stderr);
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn another_engine_must_know_the_variant() {
    let folder = Scratch::new("variants-engine");
    let script = folder.path("chess-only.sh");
    let answers = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; quit) exit;; esac; done";
    fs::write(&script, answers).expect("the script can be written");
    let player = format!("uci:sh {script}");
    let output = run(&["play", "--white", &player, "--variant", "torpedo"]);
    let said = text(&output.stderr);
    assert!(
        said.contains("plays chess only: it has no option UCI_Variant"),
        "{said}"
    );
    let own = format!("uci:{}", engine());
    let limits = [
        "--white",
        &own,
        "--black",
        &own,
        "--depth",
        "1",
        "--variant",
        "selfcapture",
    ];
    let played = run(&[["play"].as_slice(), &limits].concat());
    assert_eq!(played.status.code(), Some(0), "{}", text(&played.stderr));
    assert!(
        !text(&played.stdout).contains("not a legal move"),
        "{}",
        text(&played.stdout)
    );
}

#[test]
fn the_board_plays_a_variant_from_its_start() {
    let folder = Scratch::new("variants-board");
    let board = Board::start(&folder, &[]);
    board.open();
    let wrong = board.command(&json!({ "do": "variant", "name": "atomic" }));
    assert!(
        wrong["error"]
            .as_str()
            .is_some_and(|error| error.contains("there is no variant"))
    );
    let answer = board.command(&json!({ "do": "variant", "name": "selfcapture" }));
    assert!(answer["error"].is_null(), "{answer}");
    let own = board.command(&json!({ "do": "type", "at": 0, "text": "Rxa2" }));
    assert_eq!(own["node"]["m"], "Rxa2", "{own}");
    let text = board.command(&json!({ "do": "text", "at": 0 }));
    let pgn = text["pgn"].as_str().expect("PGN");
    assert!(pgn.contains("[Variant \"selfcapture\"]"), "{pgn}");
    let wish = json!({ "do": "game", "color": "white", "elo": 500, "variant": "torpedo" });
    let game = board.command(&wish);
    assert!(game["error"].is_null(), "{game}");
    let text = board.command(&json!({ "do": "text", "at": 0 }));
    assert!(
        text["pgn"]
            .as_str()
            .is_some_and(|pgn| pgn.contains("[Variant \"torpedo\"]")),
        "{text}"
    );
}
