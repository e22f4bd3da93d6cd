//! What OpenBench does with the program: it generates start positions by commands on the command
//! line, and reads an engine file. Its own code runs against ours in `.ci/openbench.py`; its games
//! are read by the laboratory.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::Value;

use crate::support::scratch::Scratch;
use crate::support::{Conversation, KIWIPETE, engine, programs};
#[cfg(feature = "tuning")]
use squarewise_engine::search::parameters::ALL;

/// What stands before each start position.
const GENFENS: &str = "info string genfens ";

fn run(arguments: &[&str]) -> Output {
    programs::run(&mut programs::without_input(engine(), arguments))
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The start positions in an output.
fn fens(output: &str) -> Vec<&str> {
    let lines = output.lines();
    lines
        .filter_map(|line| line.strip_prefix(GENFENS))
        .collect()
}

#[test]
fn start_positions_are_generated_by_commands_on_the_command_line() {
    // The words of OpenBench's genfens.py, with the space that its extra arguments leave when there
    // are none.
    let output = run(&["genfens 5 seed 2147483646 book None ", "quit"]);
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    let fens = fens(&text);
    assert_eq!(fens.len(), text.lines().count(), "{text}");
    assert_eq!(fens.iter().collect::<BTreeSet<_>>().len(), 5);
    for fen in fens {
        // Its convert_fen_to_epd needs the clocks as the last two of six fields.
        let fields: Vec<&str> = fen.split(' ').collect();
        assert_eq!(fields.len(), 6, "{fen}");
        assert!(fields[4..].iter().all(|field| field.parse::<u32>().is_ok()));
    }
    assert_eq!(
        stdout(&run(&["genfens 5 seed 2147483646 book None", "quit"])),
        text
    );
}

#[test]
fn a_book_that_can_t_be_used_is_reported_and_the_exit_code_says_so() {
    let folder = Scratch::new("openbench-book");
    let book = folder.file("book.epd", format!("{KIWIPETE}\n"));
    let rubbish = folder.file("rubbish.epd", "rubbish\n");
    let drawn = run(&[&format!("genfens 2 seed 1 book {book} plies 1"), "quit"]);
    assert!(drawn.status.success(), "{drawn:?}");
    assert_eq!(fens(&stdout(&drawn)).len(), 2);
    for (command, offender) in [
        ("genfens many seed 1 book None", "many"),
        ("genfens 2 seed 1 book no-such-book.epd", "no-such-book.epd"),
        (&format!("genfens 2 seed 1 book {rubbish}"), "'rubbish'"),
        ("genfens 2 seed 1 book None deep", "deep"),
    ] {
        let refused = run(&[command, "quit"]);
        let text = stdout(&refused);
        assert_eq!(refused.status.code(), Some(1), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.starts_with("info string ") && text.contains(offender));
        assert!(fens(&text).is_empty(), "{text}");
    }
}

#[test]
fn start_positions_are_generated_by_hand_too_and_can_be_stopped() {
    let mut engine = Conversation::start();
    engine.send("genfens 2 seed 9 book None");
    let first = engine.expect_prefix(GENFENS);
    engine.expect_prefix(GENFENS);
    engine.assert_idle();
    engine.send("genfens 1000000 seed 9 book None");
    assert_eq!(engine.expect_prefix(GENFENS), first);
    engine.send("stop");
    engine.sync();
    engine.assert_idle();
    engine.assert_refused("genfens 8 book None", "seed");
    engine.send("genfens 1000000 seed 1 book None");
    engine.expect_prefix(GENFENS);
    engine.send("quit");
    assert!(engine.wait_exit().success());
}

#[test]
fn any_commands_can_be_given_on_the_command_line() {
    let output = run(&[
        "uci",
        "position startpos moves e2e4",
        "go depth 2",
        "go infinite",
        "d",
    ]);
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    let bestmoves = text.lines().filter(|line| line.starts_with("bestmove"));
    assert_eq!(bestmoves.count(), 2, "{text}");
    assert!(text.contains("Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"));
    let bare_kings = "position fen 7k/8/8/8/8/8/8/K7 w - - 0 1";
    let deep_perft = stdout(&run(&["uci", bare_kings, "perft 7"]));
    assert!(deep_perft.contains("71758"), "{deep_perft}");
    let unknown = run(&["uci", "frobnicate", "isready"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stdout(&unknown).contains("'frobnicate'"));
    assert!(stdout(&unknown).ends_with("readyok\n"));
    // A command must not be lost behind another.
    let glued = run(&["uci", "position startpos go depth 1"]);
    assert_eq!(glued.status.code(), Some(1));
    assert!(stdout(&glued).contains("'go' stands behind other words"));
    let right = "position fen 3rk3/8/8/8/8/8/8/4K3 b d - 0 1";
    assert!(
        run(&["uci", "setoption name UCI_Chess960 value true", right])
            .status
            .success()
    );
    let lines = run(&["uci", "position startpos\r\ngo depth 1\r\n"]);
    assert!(lines.status.success() && stdout(&lines).contains("bestmove"));
    assert!(
        run(&["uci", "go perft 1", "setoption name Hash value 1 go"])
            .status
            .code()
            == Some(1)
    );
}

#[test]
fn the_engine_file_has_what_openbench_asks_for() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(home.join("docs/openbench/Squarewise.json")).expect("the file");
    let file: Value = serde_json::from_str(&text).expect("valid JSON");
    // The checks of its config.py.
    assert_eq!(file["private"], Value::Bool(false));
    assert!(file["nps"].as_u64().is_some_and(|nps| nps > 0));
    assert!(
        file["source"]
            .as_str()
            .is_some_and(|source| source.starts_with("https://github.com/"))
    );
    let build = &file["build"];
    assert_eq!(
        build["path"].as_str(),
        Some(""),
        "the makefile is at the top"
    );
    assert!(home.join("Makefile").exists());
    for list in ["compilers", "cpuflags", "systems"] {
        let list = build[list].as_array().expect("a list");
        assert!(list.iter().all(Value::is_string));
    }
    let rust_version = format!("cargo>={}.0", env!("CARGO_PKG_RUST_VERSION"));
    assert_eq!(build["compilers"][0].as_str(), Some(rust_version.as_str()));
    for presets in ["test_presets", "tune_presets", "datagen_presets"] {
        let presets = file[presets].as_object().expect("presets by name");
        assert!(presets.contains_key("default"));
        assert!(presets.values().all(Value::is_object));
    }
}

#[cfg(feature = "tuning")]
#[test]
fn the_parameters_that_openbench_tunes_are_options() {
    let options = stdout(&run(&["uci", "uci"]));
    for parameter in ALL.iter() {
        let (name, value) = (parameter.name, parameter.default);
        let (min, max) = (parameter.min, parameter.max);
        let option = format!("option name {name} type spin default {value} min {min} max {max}");
        assert!(options.lines().any(|line| line == option), "{option}");
    }
}
