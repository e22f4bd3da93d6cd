//! The program as its developers use it: arguments and subcommands, their help texts, exit codes
//! and output, and the commands that people type into a running engine.
//!
//! Without a subcommand the program speaks UCI. A mistake in the arguments ends it with exit code
//! 2, the reason on stderr and nothing on stdout: a script can't mistake a message for a result.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::process::{Command, Output, Stdio};

use crate::support::engine;
use crate::support::scratch::Scratch;
use crate::support::{Conversation, KIWIPETE, START};

#[test]
fn without_arguments_the_program_speaks_uci() {
    let mut engine = Conversation::start();
    engine.send("uci");
    engine.expect_prefix("uciok");
    engine.send("quit");
    assert!(engine.wait_exit().success());
}

#[test]
fn help_is_printed_for_the_program_and_for_each_subcommand() {
    let help = successful_output(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let commands = commands.take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let help = successful_output(&[name, "--help"]);
        assert!(
            help.contains(&format!("Usage: squarewise{EXE_SUFFIX} {name}")),
            "{help}"
        );
    }
    for (command, option) in [("bench", "--hash"), ("perft", "--divide")] {
        let help = successful_output(&[command, "--help"]);
        assert!(help.contains(option), "{command} --help prints {help}");
    }
}

#[test]
fn the_help_of_a_subcommand_begins_with_its_own_options() {
    for name in ["play", "analyze", "why", "board"] {
        let help = successful_output(&[name, "--help"]);
        let options = help
            .lines()
            .filter_map(|line| line.trim().strip_prefix("--"));
        let names: Vec<&str> = options.filter_map(|line| line.split(' ').next()).collect();
        assert_eq!(names[names.len() - 2..], ["color", "log"], "{help}");
    }
}

#[test]
fn a_fen_without_quotation_marks_gets_a_tip() {
    let output = run(&["why", "8/8/4k3/8/8/8/8/K7", "w", "-", "-", "0", "1"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(told.contains("in quotation marks"), "{told}");
}

#[test]
fn a_mistake_in_the_arguments_is_named_on_stderr_with_exit_code_2() {
    for (arguments, offender) in [
        (["--frobnicate"].as_slice(), "--frobnicate"),
        (["frobnicate"].as_slice(), "frobnicate"),
        (["bench", "--frobnicate"].as_slice(), "--frobnicate"),
        (["bench", "--depth", "deep"].as_slice(), "deep"),
        (["bench", "--hash", "much"].as_slice(), "much"),
        (["suite", "any.epd"].as_slice(), "--movetime"),
        (["suite", "any.epd", "--nodes", "0"].as_slice(), "0"),
        (["perft", "three"].as_slice(), "three"),
        (["perft", "-1"].as_slice(), "-1"),
        (["perft", "2", "--fen", "rubbish"].as_slice(), "rubbish"),
        (["perft", "2", "--fen", "8/8/8/8/8/8/8/8"].as_slice(), "8/8"),
    ] {
        let output = run(arguments);
        let reason = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(reason.contains(offender), "{arguments:?}: {reason}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn a_suite_is_searched_and_the_exit_code_says_whether_enough_was_solved() {
    let suite = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/suite.epd");
    let output = successful_output(&["suite", suite, "--nodes", "5000"]);
    assert_eq!(
        output.lines().last(),
        Some("3 of 3 solved, 12 of 12 points")
    );
    assert_eq!(output.lines().count(), 4);
    let mates = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/mate_in_2.epd");
    let output = successful_output(&["suite", mates, "--mate", "--nodes", "100000"]);
    assert_eq!(
        output.lines().last(),
        Some("55 of 55 solved, 55 of 55 points")
    );
    let no_mates = run(&["suite", suite, "--mate", "--nodes", "1"]);
    let reason = String::from_utf8_lossy(&no_mates.stderr);
    assert_eq!(no_mates.status.code(), Some(1));
    assert!(reason.contains("a mate in any position"), "{reason}");
    let folder = Scratch::new("suite-mates");
    let mixed =
        fs::read_to_string(suite).expect("a suite") + "6k1/5ppp/8/8/8/8/8/R6K w - - dm 1;\n";
    let mixed = folder.file("mixed.epd", mixed);
    let output = run(&["suite", &mixed, "--mate", "--nodes", "1000"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("line 2: no dm, ce or bm names a mate; it is skipped"),
        "{told}"
    );
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("1 of 1 solved, 1 of 1 points\n"));
    let too_many = run(&["suite", suite, "--nodes", "1", "--at-least", "4"]);
    let reason = String::from_utf8_lossy(&too_many.stderr);
    assert_eq!(too_many.status.code(), Some(1));
    assert!(reason.contains("fewer than 4"), "{reason}");
    let missing = run(&["suite", "no-such-file.epd", "--nodes", "1"]);
    let reason = String::from_utf8_lossy(&missing.stderr);
    assert_eq!(missing.status.code(), Some(1));
    assert!(reason.contains("no-such-file.epd"), "{reason}");
}

#[test]
fn a_suite_tells_what_it_leaves_out_and_that_a_file_is_compressed() {
    let folder = Scratch::new("suite-told");
    let line = "6k1/5ppp/8/8/8/8/8/R6K w KQ - bm Ra8#;\n";
    let suite = folder.file("odds.epd", format!("# odds\n{}", line.repeat(7)));
    let told = run(&["suite", &suite, "--nodes", "2000"]);
    assert_eq!(told.status.code(), Some(0), "{told:?}");
    let words = String::from_utf8_lossy(&told.stderr);
    assert!(
        words.contains("odds.epd, line 2: castling rights"),
        "{words}"
    );
    assert_eq!(words.matches("castling rights").count(), 5, "{words}");
    assert!(words.contains("and the same in 2 more"), "{words}");
    let empty = folder.file("none.epd", "# none yet\n");
    let refused = run(&["suite", &empty, "--nodes", "1"]);
    let reason = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(reason.contains("it holds no positions"), "{reason}");
    let compressed = folder.file("suite.epd", b"\x28\xb5\x2f\xfd\0\0");
    let refused = run(&["suite", &compressed, "--nodes", "1"]);
    let reason = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        reason.contains("compressed by Zstandard; unpack it first"),
        "{reason}"
    );
    let asked = run(&["why", &compressed]);
    let reason = String::from_utf8_lossy(&asked.stderr);
    assert_eq!(asked.status.code(), Some(2));
    assert!(reason.contains("this is a file"), "{reason}");
}

#[test]
fn escape_sequences_of_a_suite_do_not_reach_the_terminal() {
    let folder = Scratch::new("suite-escapes");
    let position = "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#";
    let epd = format!("{position}; id \"\u{1b}]0;mine\u{7}\u{202e}back\";\n");
    let illegal = epd.replace("Ra8#", "\u{1b}[31mRa9");
    let solved = folder.file("solved.epd", &epd);
    let refused = folder.file("refused.epd", illegal);
    let shown = successful_output(&["suite", &solved, "--nodes", "100"]);
    assert!(shown.contains("?]0;mine?back"), "{shown}");
    let output = run(&["suite", &refused, "--nodes", "100"]);
    let reason = String::from_utf8_lossy(&output.stderr);
    assert!(reason.contains("?[31mRa9"), "{reason}");
    for text in [&shown, reason.as_ref()] {
        let is_foreign = |c: char| c == '\u{202e}' || c.is_control() && c != '\n';
        assert!(!text.contains(is_foreign), "{text:?}");
    }
}

#[test]
fn perft_ends_with_the_nodes_it_searched() {
    let output = successful_output(&["perft", "3"]);
    assert_eq!(output.lines().last(), Some("Nodes searched: 8902"));
    assert_eq!(output.lines().filter_map(divided).count(), 0, "{output}");
    let output = successful_output(&["perft", "2", "--fen", KIWIPETE]);
    assert_eq!(output.lines().last(), Some("Nodes searched: 2039"));
}

#[test]
fn perft_divide_prints_the_count_of_each_first_move() {
    let output = successful_output(&["perft", "3", "--divide"]);
    let shares: Vec<(&str, u64)> = output.lines().filter_map(divided).collect();
    assert_eq!(shares.len(), 20, "{output}");
    assert!(shares.contains(&("e2e4", 600)), "{output}");
    assert_eq!(shares.iter().map(|(_, nodes)| nodes).sum::<u64>(), 8902);
    assert_eq!(output.lines().last(), Some("Nodes searched: 8902"));
}

#[test]
fn bench_ends_with_its_nodes_and_counts_the_same_every_time() {
    let nodes = bench_nodes(&["bench", "--depth", "3"]);
    assert!(nodes > 0);
    assert_eq!(bench_nodes(&["bench", "--depth", "3"]), nodes);
}

#[test]
fn bench_accepts_a_hash_size() {
    assert!(bench_nodes(&["bench", "--depth", "2", "--hash", "1"]) > 0);
}

#[test]
fn d_shows_the_position_its_key_and_the_checkers() {
    let mut engine = Conversation::start();
    assert_eq!(engine.shown("Fen"), START);
    assert_eq!(engine.shown("Checkers"), "");
    engine.send("position startpos moves f2f3 e7e5 g2g4 d8h4");
    assert_eq!(engine.shown("Checkers"), "h4");
    engine.send("position startpos moves g1f3 g8f6 b1c3");
    let key = engine.shown("Key");
    assert_eq!(key.len(), 16, "{key}");
    assert!(key.chars().all(|digit| digit.is_ascii_hexdigit()), "{key}");
    engine.send("position startpos moves b1c3 g8f6 g1f3");
    assert_eq!(engine.shown("Key"), key, "the moves were only transposed");
    engine.send("position startpos moves b1c3 g8f6 g1h3");
    assert_ne!(engine.shown("Key"), key);
}

#[test]
fn eval_says_that_a_game_is_over() {
    let mut engine = Conversation::start();
    for (fen, end) in [
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            "the game is over: stalemate, a draw",
        ),
        (
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "the game is over: Black is checkmated and White has won",
        ),
    ] {
        engine.send(&format!("position fen {fen}"));
        engine.send("eval");
        let lines = engine.sync();
        assert!(lines.contains(&format!("what decides: {end}")), "{lines:?}");
    }
}

#[test]
fn eval_ends_with_the_evaluation() {
    let mut engine = Conversation::start();
    engine.send("eval");
    let explanation = engine.sync();
    assert!(explanation.len() > 1);
    // The start position is symmetric: only the tempo bonus is left.
    let tempo = squarewise_engine::evaluation::TableSet::default()
        .tables()
        .tempo();
    assert_eq!(explanation.last(), Some(&format!("evaluation {tempo} cp")));
    let has = |words: &str| explanation.iter().any(|line| line.contains(words));
    assert!(has("expected result of 1000 games: ") && has("the engine's own centipawns"));
}

#[test]
fn perft_and_go_perft_are_answered_in_a_conversation() {
    let mut engine = Conversation::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    for command in ["perft 2", "go perft 2"] {
        engine.send(command);
        let answer = engine.lines_until_prefix("Nodes searched: ");
        let shares = answer.iter().filter_map(|line| divided(line));
        assert_eq!(shares.map(|(_, nodes)| nodes).sum::<u64>(), 2039);
        assert_eq!(answer.last(), Some(&"Nodes searched: 2039".to_owned()));
    }
}

#[test]
fn diagnostics_have_the_level_of_the_argument_or_else_of_the_environment() {
    let logged = |arguments: &[&str], level: &str| {
        let mut command = Command::new(engine());
        command
            .args(arguments)
            .args(["uci", "isready"])
            .env("RUST_LOG", level);
        let output = command
            .output()
            .expect("the engine was built beside this test");
        String::from_utf8_lossy(&output.stderr).contains(">> isready")
    };
    assert!(logged(&["--log", "debug"], "off") && logged(&[], "debug"));
    for level in ["", "warn", "nonsense"] {
        assert!(!logged(&[], level), "{level}");
    }
    assert!(!logged(&["--log", "off"], "trace"));
}

#[test]
fn help_is_given_in_a_conversation() {
    let mut engine = Conversation::start();
    engine.send("help");
    let help = engine.sync();
    let is_mentioned = |command| help.iter().any(|line| line.contains(command));
    assert!(is_mentioned("position") && is_mentioned("go"), "{help:?}");
    let fits = |line: &String| line.chars().count() <= 80;
    assert!(help.iter().all(fits), "{help:?}");
}

#[cfg(unix)]
#[test]
fn a_person_at_a_terminal_gets_an_answer_to_every_word_and_can_leave() {
    let prompt = rexpect::session::spawn_command(Command::new(engine()), Some(20_000));
    let mut prompt = prompt.expect("a pseudo-terminal");
    let greeting = prompt.exp_string("'squarewise play'");
    assert!(greeting.is_ok(), "{greeting:?}");
    let mut say = |line: &str, answer: &str| {
        prompt.send_line(line).expect("the terminal is open");
        let answer = prompt.exp_string(answer);
        assert!(answer.is_ok(), "{line}: {answer:?}");
    };
    say(
        "e4",
        "unknown command 'e4': type 'help' for the commands, 'quit' to leave",
    );
    say("isready", "readyok");
    say("go infinite", "info depth 1 ");
    say("exit", "bestmove ");
    prompt.exp_eof().expect("the program ends");
}

fn run(arguments: &[&str]) -> Output {
    Command::new(engine())
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the engine was built beside this test")
}

/// The output of a run that must succeed.
fn successful_output(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    String::from_utf8(output.stdout).expect("the program prints UTF-8")
}

/// The nodes in the last line of a bench, `N nodes M nps`.
fn bench_nodes(arguments: &[&str]) -> u64 {
    let output = successful_output(arguments);
    let last = output.lines().last().expect("a bench prints something");
    let words: Vec<&str> = last.split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = words.as_slice() else {
        panic!("a bench does not end like this: {last}");
    };
    assert!(speed.parse::<u64>().is_ok(), "{last}");
    nodes.parse().expect("nodes are counted in whole numbers")
}

/// A move and its share of the nodes, from a line such as `e2e4: 20`; `None` for any other line.
fn divided(line: &str) -> Option<(&str, u64)> {
    let (word, nodes) = line.split_once(": ")?;
    let is_move = (4..=5).contains(&word.len()) && !word.contains(' ');
    Some((word, nodes.parse().ok()?)).filter(|_| is_move)
}
