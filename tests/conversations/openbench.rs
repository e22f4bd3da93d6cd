//! What OpenBench does with the program: it generates start positions by commands on the command line.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::support::{Conversation, ENGINE, KIWIPETE};

/// What stands before each start position.
const GENFENS: &str = "info string genfens ";

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(ENGINE);
    let output = command.args(arguments).stdin(Stdio::null()).output();
    output.expect("the engine was built beside this test")
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

/// A directory for the files of a test, removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let name = format!("squarewise-openbench-{}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a directory for temporary files");
        Folder(path)
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.0.join(name);
        fs::write(&path, content).expect("a file can be written");
        self.path(name)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).expect("it is ours");
    }
}

#[test]
fn start_positions_are_generated_by_commands_on_the_command_line() {
    // The words of OpenBench's genfens.py, with the space that its extra arguments leave when there are none.
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
    let folder = Folder::new("book");
    let book = folder.file("book.epd", format!("{KIWIPETE}\n").as_bytes());
    let rubbish = folder.file("rubbish.epd", b"rubbish\n");
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
    let unknown = run(&["uci", "frobnicate", "isready"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(stdout(&unknown).contains("'frobnicate'"));
    assert!(stdout(&unknown).ends_with("readyok\n"));
}
