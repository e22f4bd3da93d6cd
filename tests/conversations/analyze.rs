//! `squarewise analyze`, with games as they come: real files, and files with every fault that a
//! user can meet.
//!
//! Searches have few nodes, so the evaluations mean little here; what is tested is what becomes of
//! the games.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use squarewise_desk::pgn::{GameRecord, Games};

use crate::support::engine;
use crate::support::scratch::Scratch;
#[cfg(unix)]
use crate::support::{Conversation, START};
#[cfg(target_os = "linux")]
use crate::terminal::interrupted;

const KASPAROV: &str = "tests/data/pgn/kasparov-deep-blue-1997.pgn";
const MATCHES: &str = "tests/data/pgn/world-matches.pgn";
const CHESS960: &str = "tests/data/pgn/chess960rwch.pgn";
const BYTE_ORDER_MARK: &str = "tests/data/pgn/utf8-bom.pgn";
const SHORT: &str = "tests/data/pgn/molinari-bordais-1979.pgn";

/// What a run of `analyze` has printed, and its exit code.
struct Run {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Run {
    fn new(output: Output) -> Run {
        let text = |bytes| String::from_utf8(bytes).expect("the program prints UTF-8");
        Run {
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(engine());
    command.arg("analyze").args(arguments);
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

fn analyze(arguments: &[&str]) -> Run {
    let output = command(arguments).stdin(Stdio::null()).output();
    Run::new(output.expect("the engine was built beside this test"))
}

/// The same with games on standard input.
fn analyze_stdin(games: &str, arguments: &[&str]) -> Run {
    let mut command = command(arguments);
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine was built");
    let mut input = child.stdin.take().expect("stdin was piped");
    if let Err(error) = input.write_all(games.as_bytes()) {
        // A command that is refused ends before it reads.
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
    }
    drop(input);
    Run::new(child.wait_with_output().expect("the program ends"))
}

fn games(path: &str) -> Vec<GameRecord> {
    let text = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a file");
    let games = Games::new(text.as_slice());
    games
        .map(|game| game.expect("text").record.expect("a legal game"))
        .collect()
}

#[test]
fn annotated_games_have_evaluations_and_keep_what_was_there() {
    let folder = Scratch::new("analyze-annotated");
    let out = folder.path("out.pgn");
    for path in [KASPAROV, MATCHES, CHESS960, SHORT] {
        let run = analyze(&[path, "--nodes", "200", "--pgn", &out]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let (before, after) = (games(path), games(&out));
        assert_eq!(before.len(), after.len(), "{path}");
        for (before, after) in before.iter().zip(&after) {
            assert_eq!(before.start, after.start);
            assert_eq!(before.comment, after.comment);
            assert_eq!(before.outcome, after.outcome);
            assert_eq!(before.plies.len(), after.plies.len());
            for (before, after) in before.plies.iter().zip(&after.plies) {
                assert_eq!((before.m, &before.comment), (after.m, &after.comment));
                assert!(after.variations.len() >= before.variations.len());
            }
            let evaluations = after.plies.iter().filter(|ply| ply.evaluation.is_some());
            // Mate on the board has none.
            assert!(evaluations.count() + 1 >= after.plies.len());
            let program = concat!("Squarewise ", env!("CARGO_PKG_VERSION"));
            assert!(
                after
                    .tag("Annotator")
                    .is_some_and(|name| name.ends_with(program))
            );
        }
    }
    assert_eq!(folder.names(), ["out.pgn"]);
}

#[test]
fn marks_of_one_phase_name_it_and_a_game_without_moves_has_no_table() {
    let moves = "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. d3 Nd4 5. Qxf7# 1-0\n";
    let table = analyze_stdin(moves, &["-", "--nodes", "2000"]).stdout;
    assert_eq!(
        table.matches("  marks: all in the opening\n").count(),
        2,
        "{table}"
    );
    let empty = analyze_stdin("[White \"Ann\"]\n\n*\n", &["-", "--nodes", "100"]);
    assert_eq!(
        empty.stdout, "Ann - Black  *\nno moves\n",
        "{}",
        empty.stderr
    );
}

#[test]
fn one_game_is_shown_as_a_table_and_several_as_summaries() {
    let table = analyze(&[SHORT, "--nodes", "2000"]).stdout;
    assert!(
        table.starts_with("Molinari - Bordais  0-1  (cr, 1979)\n"),
        "{table}"
    );
    assert!(
        table.contains("B20 Sicilian Defense: Staunton-Cochrane Variation\n"),
        "{table}"
    );
    assert!(table.contains("\n    5. g3??"), "{table}");
    assert!(table.contains("\n  5... Nd3#            0-1\n"), "{table}");
    assert!(table.contains("\nBlack: accuracy "), "{table}");
    let summaries = analyze(&[KASPAROV, "--nodes", "100"]).stdout;
    assert!(
        summaries.contains("\n6. Deep Blue (Computer) - Garry Kasparov  1-0"),
        "{summaries}"
    );
    assert!(summaries.ends_with("\n6 games analyzed\n"), "{summaries}");
}

#[test]
fn several_games_end_with_the_totals_of_each_player() {
    let game = |number: u32, white: &str, black: &str| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Round \"{number}\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"
        )
    };
    let text = game(1, "Ann", "Bob") + &game(2, "Ann", "Cid");
    let folder = Scratch::new("analyze-totals");
    let (input, report) = (folder.file("in.pgn", text), folder.path("report.html"));
    let run = analyze(&[&input, "--nodes", "1000", "--html", &report]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let (_, totals) = run.stdout.split_once("\nplayer ").expect("the totals");
    let rows: Vec<&str> = totals.lines().skip(1).take(3).collect();
    assert!(
        rows[0].starts_with("Ann ") && rows[0].contains(" 2 "),
        "{totals}"
    );
    assert!(
        rows[1].starts_with("Bob ") && rows[2].starts_with("Cid "),
        "{totals}"
    );
    let page = fs::read_to_string(&report).expect("the report");
    assert!(page.contains("id=\"totals\"") && page.contains("<bdi>Ann</bdi>"));
}

#[test]
fn a_summary_says_how_many_marked_moves_it_leaves_out() {
    // A queen that is left to be taken and not taken, time and again.
    let moves = "1. e4 e5 2. Qg4 a6 3. Qg6 a5 4. Qg4 h6 5. Qg6 Ra6 6. Qg4 Ra7 7. Qg6 Ra6 *\n\n";
    let run = analyze_stdin(&moves.repeat(2), &["-", "--nodes", "2000"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let more = run.stdout.lines().find(|line| line.starts_with("   and "));
    assert!(
        more.is_some_and(|line| line.ends_with(" more moves")),
        "{}",
        run.stdout
    );
}

#[test]
fn a_game_cannot_steer_the_terminal() {
    let hostile = "[White \"A\u{202e}nn\u{1b}[2J\"]\n[Event \"\u{2066}E\"]\n\n1. e4 *\n\n1. \u{202e}e5 *\n\n1. Qxx\u{1b}[2J *\n";
    let run = analyze_stdin(hostile, &["-", "--nodes", "10"]);
    for text in [&run.stdout, &run.stderr] {
        assert!(
            !text.contains(['\u{202e}', '\u{2066}', '\u{1b}']),
            "{text:?}"
        );
    }
    assert!(run.stdout.contains("Ann"), "{}", run.stdout);
}

#[test]
fn the_report_has_every_game() {
    let folder = Scratch::new("analyze-report");
    let out = folder.path("report.html");
    let run = analyze(&[KASPAROV, "--nodes", "50", "--html", &out]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let page = fs::read_to_string(&out).expect("the report");
    assert!(page.trim_end().ends_with("</html>"));
    // The data of each game.
    assert_eq!(page.matches("type=\"application/json\"").count(), 6);
}

#[test]
fn several_threads_write_the_same_file_as_one() {
    let folder = Scratch::new("analyze-threads");
    let written = |threads: &str| {
        let out = folder.path("out.pgn");
        let arguments = [
            KASPAROV,
            "--depth",
            "4",
            "--threads",
            threads,
            "--pgn",
            &out,
        ];
        let run = analyze(&arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        (run.stdout, fs::read_to_string(out).expect("the games"))
    };
    let alone = written("1");
    assert_eq!(written("3"), alone);
    assert_eq!(written("16"), alone);
}

#[test]
fn games_without_moves_behind_a_byte_order_mark_are_read() {
    let run = analyze(&[BYTE_ORDER_MARK, "--nodes", "10"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(
        run.stdout.starts_with("1. White vs 1...c5 - Black  *"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.ends_with("2 games analyzed\n"), "{}", run.stdout);
}

#[test]
fn a_broken_game_is_reported_and_skipped() {
    let folder = Scratch::new("analyze-broken");
    let games_before = "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"c\"]\n\n1. d4 *\n";
    let (input, out) = (folder.file("in.pgn", games_before), folder.path("out.pgn"));
    let run = analyze(&[&input, "--nodes", "10", "--pgn", &out, "--threads", "2"]);
    assert_eq!(run.code, Some(0));
    let expected = "game 2 is skipped: 2. Ke3 (ply 3, line 7) is not a legal move\n2 games analyzed, 1 game skipped\n";
    assert_eq!(run.stderr, expected);
    let white: Vec<_> = games(&out)
        .iter()
        .map(|game| game.tag("White").map(str::to_owned))
        .collect();
    assert_eq!(white, [Some("a".to_owned()), Some("c".to_owned())]);
}

#[test]
fn games_without_named_players_have_no_empty_table_of_totals() {
    let run = analyze_stdin("1. e4 *\n\n1. d4 *\n", &["-", "--nodes", "10"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.ends_with("2 games analyzed\n"), "{}", run.stdout);
    assert!(!run.stdout.contains("cp loss"), "{}", run.stdout);
}

#[test]
fn null_moves_are_shown_and_count_for_nobody() {
    let run = analyze_stdin("1. e4 -- 2. d4 Z0 3. Nf3 *", &["-", "--nodes", "200"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert_eq!(run.stdout.matches("... --").count(), 2, "{}", run.stdout);
    assert!(run.stdout.contains("White: accuracy"), "{}", run.stdout);
    assert!(!run.stdout.contains("Black: accuracy"), "{}", run.stdout);
}

#[test]
fn what_is_left_out_of_a_line_of_epd_is_told() {
    let epd = "4k3/8/8/8/8/8/8/4K2R w KQ e6 bm O-O;";
    let run = analyze(&[epd, "--nodes", "200"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("castling rights"), "{}", run.stderr);
    assert!(run.stderr.contains("en passant square"), "{}", run.stderr);
}

#[test]
fn games_come_from_standard_input_too() {
    let run = analyze_stdin("1. f3 e5 2. g4 Qh4# 0-1", &["-", "--nodes", "1000"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("    2. g4??"), "{}", run.stdout);
    let empty = analyze_stdin("", &["-"]);
    assert_eq!(empty.code, Some(1));
    assert_eq!(empty.stderr, "error: standard input: there are no games\n");
}

#[test]
fn with_a_depth_a_position_is_analyzed_alike_on_any_number_of_threads() {
    let of_threads = |threads| analyze(&[START, "--depth", "11", "--threads", threads]).stdout;
    let alone = of_threads("1");
    assert!(alone.contains("depth 11"), "{alone}");
    for _ in 0..3 {
        assert_eq!(of_threads("3"), alone);
    }
}

#[test]
fn several_lines_of_games_are_refused() {
    let run = analyze_stdin("1. f3 e5 2. g4 Qh4# 0-1", &["-", "--multipv", "2"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(
        run.stderr,
        "error: --multipv needs a position; these are games\n"
    );
}

#[test]
fn a_position_is_shown_with_its_best_lines() {
    let mate = "6k1/5ppp/8/8/8/8/8/K6R w - - 0 1";
    let run = analyze(&[mate, "--nodes", "5000", "--multipv", "3"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("White to move."), "{}", run.stdout);
    assert_eq!(run.stdout.matches("depth").count(), 3, "{}", run.stdout);
    for (position, words) in [
        ("startpos", "White to move."),
        ("6k1/5ppp/8/8/8/8/8/K6R w - - bm Rh4;", "White to move."),
        (
            "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w FCfc - 0 1",
            "White to move.",
        ),
        (
            "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w FCfc - bm e4;",
            "White to move.",
        ),
        (
            "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1",
            "checkmate, White has won",
        ),
        ("k7/2Q5/8/8/8/8/8/K7 b - - 0 1", "stalemate"),
        (
            "k7/8/8/8/8/8/8/KN6 w - - 0 1",
            "a draw, neither side can mate",
        ),
    ] {
        let run = analyze(&[position, "--depth", "2"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains(words), "{}", run.stdout);
    }
}

#[test]
fn what_is_no_file_with_games_is_refused_with_a_reason() {
    let folder = Scratch::new("analyze-refused");
    let empty = folder.file("empty.pgn", "");
    let blank = folder.file("blank.pgn", "\n\n");
    let binary = folder.file("binary.pgn", [0x1f, 0x8b, 8, 0, 0, 0xff]);
    let letter = folder.file("letter.pgn", "Dear Sir,\nhello.\n");
    let zeros = folder.file("zeros.pgn", [0, 1, 8, 0, 0, 0xff]);
    let home = folder.path("");
    for (path, reason) in [
        (empty.as_str(), "empty.pgn: empty, or of unknown length"),
        (&blank, "blank.pgn: there are no games"),
        (
            &binary,
            "binary.pgn: this is compressed by gzip; unpack it first (gunzip)",
        ),
        (&zeros, "zeros.pgn: its only game can't be read"),
        (&letter, "this is not a game: it has neither tags nor moves"),
        (&home, "not a regular file"),
        ("missing.pgn", "missing.pgn: there is no such file"),
        (
            "8/8/8/8 w",
            "8/8/8/8 w: there is no such file, nor is it a position",
        ),
    ] {
        let out = folder.path("out.pgn");
        let run = analyze(&[path, "--nodes", "10", "--pgn", &out]);
        assert_eq!(run.code, Some(1), "{path}");
        assert!(run.stderr.contains(reason), "{path}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{path}");
        assert!(!Path::new(&out).exists(), "{path}");
    }
    assert_eq!(folder.names().len(), 5, "nothing is left over");
}

#[test]
fn a_mistake_in_the_arguments_is_named() {
    for (arguments, offender) in [
        ([].as_slice(), "<FILE|FEN|->"),
        (&[SHORT, "--nodes", "0"], "0"),
        (&[SHORT, "--depth", "0"], "0"),
        (&[SHORT, "--nodes", "5", "--depth", "5"], "--depth"),
        (&[SHORT, "--movetime", "5", "--depth", "5"], "--depth"),
        (&[SHORT, "--threads", "0"], "0"),
        (&[SHORT, "--multipv", "0"], "0"),
        (&["8/8/8/8/8/8/8/8 w - - 0 1"], "8/8"),
    ] {
        let run = analyze(arguments);
        assert_eq!(run.code, Some(2), "{arguments:?}");
        assert!(
            run.stderr.contains(offender),
            "{arguments:?}: {}",
            run.stderr
        );
    }
}

/// To open a pipe is to wait for its other end.
#[cfg(unix)]
#[test]
fn an_output_that_is_a_pipe_is_refused_before_the_work() {
    let folder = Scratch::new("analyze-pipe");
    let input = folder.file("in.pgn", "1. e4 *");
    let pipe = folder.pipe("pipe");
    for option in ["--pgn", "--html"] {
        let run = analyze(&[&input, option, &pipe, "--movetime", "1000000000"]);
        assert_eq!(run.code, Some(1), "{option}");
        assert!(run.stderr.contains("not a regular file"), "{}", run.stderr);
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_work() {
    let folder = Scratch::new("analyze-outputs");
    let input = folder.file("in.pgn", "1. e4 *");
    let name = Path::new(folder.as_str()).file_name();
    let name = name.expect("a folder has a name").display();
    let same = folder.path(&format!("../{name}/in.pgn"));
    let missing = folder.path("missing/out.pgn");
    let home = folder.path("");
    for (arguments, reason) in [
        ([&input, "--pgn", &missing].as_slice(), "missing/out.pgn: "),
        (&[&input, "--html", &missing], "missing/out.pgn: "),
        (&[&input, "--pgn", &home], "not a regular file"),
        (
            &[&input, "--pgn", &same],
            "this file is read, and would be lost",
        ),
        (
            &[&input, "--html", &input],
            "this file is read, and would be lost",
        ),
        (&["startpos", "--pgn", &input], "--pgn needs a game"),
    ] {
        // Without a limit that ends it soon, the work itself would take days.
        let slow = [arguments, &["--movetime", "1000000000"]].concat();
        let run = analyze(&slow);
        assert_eq!(run.code, Some(1), "{arguments:?}");
        assert!(run.stderr.contains(reason), "{arguments:?}: {}", run.stderr);
    }
    // The file behind the standard input, too.
    for option in ["--pgn", "--html"] {
        let mut command = command(&["-", option, &input, "--movetime", "1000000000"]);
        let output = command
            .stdin(fs::File::open(&input).expect("the input"))
            .output();
        let output = output.expect("it runs");
        let reason = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{option}");
        assert!(
            reason.contains("this file is read, and would be lost"),
            "{reason}"
        );
    }
    assert_eq!(fs::read_to_string(&input).expect("the input"), "1. e4 *");
    assert_eq!(folder.names(), ["in.pgn"]);
}

#[test]
fn an_existing_file_stays_if_no_game_can_be_read() {
    let folder = Scratch::new("analyze-kept");
    let input = folder.file("in.pgn", "1. e5 *");
    let out = folder.file("out.pgn", "old");
    let run = analyze(&[&input, "--nodes", "10", "--pgn", &out, "--html", &out]);
    assert!(run.stderr.contains("the same file"), "{}", run.stderr);
    let run = analyze(&[&input, "--nodes", "10", "--pgn", &out]);
    assert_eq!(run.code, Some(1));
    assert_eq!(fs::read_to_string(&out).expect("the file"), "old");
    assert_eq!(folder.names(), ["in.pgn", "out.pgn"]);
}

#[cfg(unix)]
#[test]
fn an_interruption_keeps_the_old_file_and_the_games_so_far() {
    use std::io::{BufRead, BufReader};

    let folder = Scratch::new("analyze-interrupted");
    let out = folder.file("out.pgn", "old");
    // The first game is short; the second is still searched when the signal comes.
    let long = "[White \"long\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n".repeat(1_000);
    let input = folder.file("in.pgn", format!("[White \"first\"]\n\n*\n\n{long}"));
    let mut command = command(&[&input, "--movetime", "500", "--pgn", &out]);
    let pipes = command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = pipes
        .stderr(Stdio::piped())
        .spawn()
        .expect("the engine was built");
    let mut lines = BufReader::new(child.stdout.take().expect("stdout was piped")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.starts_with("1. first"), "{first}");
    let signal = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(signal.expect("kill is there").success());
    let run = Run::new(child.wait_with_output().expect("the program ends"));
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("interrupted after"), "{}", run.stderr);
    assert!(run.stderr.contains("out.pgn.partial"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&out).expect("the file"), "old");
    assert_eq!(folder.names(), ["in.pgn", "out.pgn", "out.pgn.partial"]);
    let partial = games(&folder.path("out.pgn.partial"));
    assert_eq!(partial[0].tag("White"), Some("first"));
    assert!(partial.len() < 1_000);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_position_is_shown_and_keeps_the_old_report() {
    let folder = Scratch::new("analyze-interrupted-position");
    let out = folder.file("report.html", "old");
    let long = ["startpos", "--movetime", "600000", "--html", &out];
    let run = Run::new(interrupted(&[&["analyze"], long.as_slice()].concat()));
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.contains("White to move."), "{}", run.stdout);
    assert!(run.stderr.contains("interrupted"), "{}", run.stderr);
    assert_eq!(fs::read_to_string(&out).expect("the file"), "old");
    assert_eq!(folder.names(), ["report.html"]);
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_the_wait_for_further_games_on_standard_input() {
    let folder = Scratch::new("analyze-idle-input");
    let out = folder.path("out.pgn");
    let mut analysis = Conversation::start_with(&["analyze", "-", "--nodes", "10", "--pgn", &out]);
    analysis.send("[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 *\n\n[White \"c\"]\n\n1. c4");
    analysis.expect_prefix("2. b");
    analysis.end_by("INT");
    assert_eq!(analysis.wait_exit().code(), Some(1));
    assert_eq!(folder.names(), ["out.pgn.partial"]);
    assert_eq!(games(&folder.path("out.pgn.partial")).len(), 2);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_the_reading_of_a_large_file_without_games() {
    let folder = Scratch::new("analyze-zeros");
    let zeros = folder.path("zeros.pgn");
    let file = fs::File::create(&zeros).expect("a file");
    file.set_len(4 << 30).expect("a file with a hole");
    let run = Run::new(interrupted(&["analyze", &zeros]));
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "error: interrupted after 0 games\n");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interruption_ends_the_wait_for_the_first_game_on_standard_input() {
    let run = Run::new(interrupted(&["analyze", "-"]));
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "error: interrupted after 0 games\n");
}
