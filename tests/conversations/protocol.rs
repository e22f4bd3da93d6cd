//! The rules of our protocol page, as far as they can be seen from outside: what is read, what is
//! printed, and in which order.
//!
//! shakmaty checks every move that the engine sends: each line must be playable move by move, in
//! the castling notation that is set, and must stop where the game is over. The page's second half,
//! the decisions where the specification is silent, is tested in `protocol_decisions.rs`.

#[cfg(unix)]
use std::process::Command;
use std::time::{Duration, Instant};
use std::{env, fs};

#[cfg(unix)]
use crate::support::engine;
use crate::support::scratch::Scratch;
use crate::support::{Conversation, KIWIPETE, START, move_of};
use shakmaty::fen::Epd;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use squarewise_engine::position::from_fen;

/// The fields of an `info` line, in order.
const FIELDS: [&str; 10] = [
    "depth", "seldepth", "multipv", "score", "nodes", "nps", "hashfull", "tbhits", "time", "pv",
];

/// Words that an option's name must not contain, since they separate the parts of its line.
const OPTION_KEYWORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

/// Castling both ways, promotion with and without capture, en passant, a forced mate, a bare
/// endgame.
const POSITIONS: [&str; 6] = [
    START,
    KIWIPETE,
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    MATE_IN_TWO,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1";
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";
const MATED_NEXT_MOVE: &str = "7k/R7/8/8/8/8/8/1R5K b - - 0 1";

/// Both sides may castle on both wings.
const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

#[test]
fn uci_is_answered_with_the_name_the_options_and_uciok() {
    let mut engine = Conversation::start();
    engine.send("uci");
    let answer = engine.lines_until_prefix("uciok");
    let name = concat!("id name Squarewise ", env!("CARGO_PKG_VERSION"));
    assert!(answer.iter().any(|line| line == name), "{answer:?}");
    assert!(answer.iter().any(|line| line.starts_with("id author ")));
    for option in [
        "option name Hash type spin default 16 min 1 max 262144",
        "option name Clear Hash type button",
        "option name Tables type combo default Attacks var Attacks var Pairs var Learned var Simplified",
        "option name BookFile type string default <empty>",
    ] {
        assert!(answer.iter().any(|line| line == option), "no {option:?}");
    }
    engine.assert_idle();
}

#[test]
fn option_lines_keep_to_their_syntax() {
    let mut engine = Conversation::start();
    engine.send("uci");
    let answer = engine.lines_until_prefix("uciok");
    for line in &answer {
        let Some(option) = line.strip_prefix("option name ") else {
            continue;
        };
        let (name, rest) = option.split_once(" type ").expect("an option has a type");
        let mut name_words = name.split(' ');
        assert!(!name_words.any(|word| OPTION_KEYWORDS.contains(&word)));
        let words: Vec<&str> = rest.split(' ').collect();
        match words.as_slice() {
            ["button"] | ["check", "default", "true" | "false"] => {}
            ["string", "default", value, ..] => assert!(!value.is_empty(), "{line}"),
            ["combo", "default", default, choices @ ..] => {
                assert!(choices.chunks(2).any(|choice| choice == ["var", *default]));
            }
            ["spin", "default", default, "min", min, "max", max] => {
                let [default, min, max] = [default, min, max]
                    .map(|number| number.parse::<i64>().expect("a spin holds whole numbers"));
                assert!(min <= default && default <= max, "{line}");
                assert!(max <= i64::from(i32::MAX), "{line}");
            }
            _ => panic!("this is no option: {line}"),
        }
    }
}

#[test]
fn the_page_of_options_lists_every_option_with_its_range_and_default() {
    let page = include_str!("../../docs/options.md");
    let mut documented: Vec<(String, String)> = page
        .lines()
        .filter_map(|row| row.strip_prefix("| `")?.split_once("` | "))
        .map(|(name, rest)| {
            let kind = rest.split(" | ").next().unwrap_or_default();
            (name.to_owned(), kind.to_owned())
        })
        .collect();
    let options = options_of(&mut Conversation::start());
    let in_words = |(name, kind): (String, String)| (name, kind_in_words(&kind));
    let mut declared: Vec<_> = options.into_iter().map(in_words).collect();
    // With the feature `tuning` the parameters of the search follow, each one a spin.
    if cfg!(feature = "tuning") {
        declared.retain(|option| documented.contains(option));
    }
    documented.sort();
    declared.sort();
    assert_eq!(documented, declared);
}

#[test]
fn every_option_refuses_bad_values_and_accepts_its_default() {
    let mut engine = Conversation::start();
    let missing_file = env::temp_dir().join("squarewise-no-such-folder/nor-file");
    let missing_file = missing_file.display().to_string();
    for (name, kind) in options_of(&mut engine) {
        let words: Vec<&str> = kind.split(' ').collect();
        let bad_values = match words.as_slice() {
            ["button"] => continue,
            ["spin", "default", _, "min", min, "max", max] => {
                let [min, max] = [min, max].map(|number| number.parse::<i64>().expect("a number"));
                vec![
                    (min - 1).to_string(),
                    (max + 1).to_string(),
                    "many".to_owned(),
                ]
            }
            ["string", ..] => vec![missing_file.clone()],
            _ => vec!["perhaps".to_owned()],
        };
        for bad in bad_values {
            engine.assert_refused(&format!("setoption name {name} value {bad}"), &bad);
        }
        engine.assert_refused(&format!("setoption name {name}"), &name);
        engine.assert_accepted(&format!("setoption name {name} value {}", words[2]));
    }
    engine.best_move("go depth 2");
}

#[test]
fn a_lone_carriage_return_is_answered_without_waiting_for_more() {
    let mut engine = Conversation::start();
    engine.send_raw(b"isready\r");
    engine.expect_prefix("readyok");
}

#[test]
fn white_space_of_any_kind_and_length_separates_words() {
    let mut engine = Conversation::start();
    engine.send(" \t isready \t ");
    engine.expect_prefix("readyok");
    engine.send("\tposition \u{b} startpos\u{c}moves\t\te2e4\u{a0} e7e5 ");
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w";
    assert!(engine.shown("Fen").starts_with(board));
    engine.best_move("  go\t depth \t 2\t");
    engine.assert_accepted("\tsetoption  name  Move \t Overhead  value \t 20 ");
}

#[test]
fn bytes_that_are_not_utf8_do_not_stop_the_engine() {
    let mut engine = Conversation::start();
    engine.send_raw(b"\xff\xfe\x80\n");
    engine.send_raw(b"go depth 2 \xc3\x28\n");
    engine.expect_prefix("bestmove");
    let before = engine.shown("Fen");
    engine.send_raw(b"position startpos moves e2e4\xff\n");
    engine.expect_prefix("info string");
    assert_eq!(engine.shown("Fen"), before);
    engine.send_raw(b"setoption name \xf0\x9f value 1\n");
    engine.expect_prefix("info string");
    engine.assert_idle();
}

#[test]
fn unknown_commands_are_ignored_and_named_in_debug_mode() {
    let mut engine = Conversation::start();
    for unknown in ["xyzzy", "castle kingside at once", "exit"] {
        engine.assert_accepted(unknown);
    }
    engine.send("debug on");
    engine.assert_refused("xyzzy", "xyzzy");
    engine.send("debug off");
    engine.sync();
    engine.assert_accepted("xyzzy");
}

#[test]
fn a_slip_in_go_or_position_is_named() {
    let mut engine = Conversation::start();
    let answer = engine.search("go depth 3 nodes100");
    assert!(
        answer[0].starts_with("info string 'nodes100' means nothing"),
        "{answer:?}"
    );
    engine.send("go depth5");
    engine.expect_prefix("info string 'depth5' means nothing");
    engine.assert_no_answer_yet();
    engine.send("stop");
    engine.expect_prefix("bestmove");
    engine.send("position startpos moves d2d4");
    let before = engine.shown("Fen");
    engine.assert_refused("position startpos e2e4", "'position startpos moves e2e4'");
    engine.assert_refused(&format!("position fen {START} e2e4"), "e2e4");
    assert_eq!(engine.shown("Fen"), before);
}

#[test]
fn an_error_quotes_little_of_the_input_and_nothing_that_steers_a_terminal() {
    let mut engine = Conversation::start();
    engine.send("debug on");
    // Many words, and a single one.
    let many = "\u{1b}[2J\u{202e}x".repeat(20_000);
    let long = "\u{202e}x".repeat(20_000);
    for command in [
        "",
        "position ",
        "position fen ",
        "position startpos moves ",
        "setoption name ",
        "setoption name Hash value ",
        "setoption name BookFile value ",
        "setoption name TablesFile value ",
        "setoption name SyzygyPath value ",
        "setoption name Debug Log File value ",
        "perft ",
        "debug ",
        "genfens 1 seed ",
        "genfens 1 seed 1 book ",
        "go depth 1 mate ",
        "go depth 1 ",
    ] {
        for input in [&many, &long] {
            engine.send(&format!("{command}{input}"));
            let answer = engine.expect_prefix("info string ");
            // 200 of the input, the reason, and what is said around both.
            let length = answer.chars().count();
            assert!(length < 400, "{command}: {length} characters");
            let steers = |c: char| c.is_control() || c == '\u{202e}';
            assert!(!answer.contains(steers), "{answer:?}");
        }
    }
}

#[test]
fn bounds_and_current_moves_are_told_only_after_a_second() {
    let mut engine = Conversation::start();
    let began = Instant::now();
    engine.send("go infinite");
    loop {
        let line = engine.expect_prefix("info ");
        if line.contains(" currmove ") {
            break;
        }
        let words: Vec<&str> = line.split(' ').collect();
        let time = words.iter().position(|word| *word == "time");
        let time = time.map(|place| words[place + 1].parse::<u64>());
        let time = time.expect("a time").expect("a number");
        let is_bound = line.contains(" lowerbound ") || line.contains(" upperbound ");
        assert!(!is_bound || time >= 1_000, "{line}");
    }
    assert!(began.elapsed() >= Duration::from_secs(1));
    engine.send("stop");
    engine.expect_prefix("bestmove");
}

#[test]
fn a_line_that_is_too_long_is_refused_and_the_next_one_heard() {
    let mut engine = Conversation::start();
    engine.send("position startpos moves d2d4");
    let before = engine.shown("Fen");
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(60_000);
    engine.assert_refused(&format!("position startpos moves {moves}"), "1048576 bytes");
    assert_eq!(engine.shown("Fen"), before);
}

#[test]
fn nothing_is_printed_when_idle() {
    let mut engine = Conversation::start();
    engine.assert_withheld_for(Duration::from_millis(150), "");
    for command in [
        "ucinewgame",
        "position startpos moves e2e4",
        "setoption name Hash value 4",
        "setoption name Ponder value true",
        "setoption name Clear Hash",
        "debug off",
        "stop",
        "ponderhit",
        "",
        " ",
    ] {
        engine.assert_accepted(command);
    }
    engine.search("go depth 3");
    engine.assert_withheld_for(Duration::from_millis(150), "");
}

#[test]
fn a_closed_stdout_ends_the_program_quietly() {
    for command in ["uci", "isready", "go infinite"] {
        let mut engine = Conversation::start_unheard();
        engine.send(command);
        assert!(engine.wait_exit().success(), "after {command}");
    }
}

#[test]
fn quit_ends_the_program_whatever_it_is_doing() {
    for command in ["isready", "go infinite", "go ponder", "go depth 3"] {
        let mut engine = Conversation::start();
        engine.send(command);
        engine.send("quit");
        assert!(engine.wait_exit().success(), "after {command}");
    }
}

#[test]
fn info_lines_keep_their_fields_in_order() {
    let mut engine = Conversation::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    let lines = engine.search("go depth 5");
    let reports = || lines.iter().filter(|line| line.contains(" pv "));
    let is_exact = |line: &&String| field(line, "score").len() == 2;
    let mut exact = reports().filter(is_exact);
    assert!(exact.any(|line| field(line, "depth") == ["1"]), "{lines:?}");
    for line in reports() {
        let present = line.split(' ').filter(|word| FIELDS.contains(word));
        assert_eq!(present.collect::<Vec<_>>(), FIELDS, "{line}");
        match field(line, "score").as_slice() {
            ["cp" | "mate", value] | ["cp" | "mate", value, "lowerbound" | "upperbound"] => {
                assert!(value.parse::<i32>().is_ok(), "{line}");
            }
            _ => panic!("this is no score: {line}"),
        }
        for key in FIELDS.iter().filter(|key| !["score", "pv"].contains(key)) {
            let value = field(line, key);
            assert_eq!(value.len(), 1, "{key} in {line}");
            assert!(value[0].parse::<u64>().is_ok(), "{key} in {line}");
        }
        assert_eq!(field(line, "multipv"), ["1"]);
    }
}

/// The numbers after the score of an `info` line, wins, draws and losses per mille; `None` if the
/// line has none.
fn chances(line: &str) -> Option<[u32; 3]> {
    let score = match field(line, "score").as_slice() {
        [_, _, rest @ ..] => match rest {
            ["lowerbound" | "upperbound", rest @ ..] => rest.to_vec(),
            rest => rest.to_vec(),
        },
        _ => panic!("this is no score: {line}"),
    };
    match score.as_slice() {
        [] => None,
        ["wdl", numbers @ ..] => {
            let parsed = numbers
                .iter()
                .map(|number| number.parse().expect("a whole number"));
            let parsed: Vec<u32> = parsed.collect();
            Some(parsed.try_into().expect("three numbers"))
        }
        _ => panic!("what follows the score is no wdl: {line}"),
    }
}

#[test]
fn chances_follow_the_score_of_every_line_once_they_are_asked_for() {
    let mut engine = Conversation::start();
    engine.send(&format!("position fen {KIWIPETE}"));
    let shown = |engine: &mut Conversation| -> Vec<Option<[u32; 3]>> {
        let answer = engine.search("go depth 6");
        let infos = answer.iter().filter(|line| line.contains(" score "));
        infos.map(|line| chances(line)).collect()
    };
    assert!(shown(&mut engine).iter().all(Option::is_none));
    engine.assert_accepted("setoption name UCI_ShowWDL value true");
    engine.assert_accepted("setoption name MultiPV value 3");
    let with_chances = shown(&mut engine);
    assert!(with_chances.len() > 3 * 6);
    for numbers in with_chances {
        assert_eq!(numbers.map(|numbers| numbers.iter().sum()), Some(1_000));
    }
    engine.assert_refused("setoption name UCI_ShowWDL value perhaps", "perhaps");
    assert!(shown(&mut engine).iter().all(Option::is_some));
    engine.assert_accepted("setoption name UCI_ShowWDL value false");
    assert!(shown(&mut engine).iter().all(Option::is_none));
}

#[test]
fn each_go_ends_with_an_exact_info_that_begins_with_the_one_bestmove_and_all_moves_are_legal() {
    let mut engine = Conversation::start();
    for fen in POSITIONS {
        let game = Referee::new(fen, CastlingMode::Standard);
        for go in [
            "go depth 5",
            "go nodes 1",
            "go nodes 2000",
            "go movetime 30",
            "go wtime 300 btime 300",
            "go mate 2 depth 4",
        ] {
            engine.send(&format!("position fen {fen}"));
            let lines = engine.search(go);
            let [.., report, bestmove] = lines.as_slice() else {
                panic!("{go} in {fen} was answered without an info: {lines:?}");
            };
            assert_eq!(field(report, "score").len(), 2, "no bound in {report}");
            assert_eq!(field(report, "pv")[0], move_of(bestmove), "{report}");
            game.check_answer(&lines);
            engine.assert_idle();
        }
    }
}

#[test]
fn a_chess960_game_is_played_in_its_own_castling_notation() {
    let fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";
    let mut engine = Conversation::start();
    engine.assert_accepted("setoption name UCI_Chess960 value true");
    for fen in [fen, CASTLING, KIWIPETE] {
        let game = Referee::new(fen, CastlingMode::Chess960);
        engine.send(&format!("position fen {fen}"));
        game.check_answer(&engine.search("go depth 5"));
    }
}

#[test]
fn a_pv_ends_at_the_fifty_move_draw() {
    // The next halfmove is the hundredth without progress: every move draws and none mates.
    let fen = "8/8/8/8/8/k7/8/K6R w - - 99 120";
    let mut engine = Conversation::start();
    engine.send(&format!("position fen {fen}"));
    let lines = engine.search("go depth 4");
    let report = &lines[lines.len() - 2];
    assert_eq!(field(report, "score"), ["cp", "0"]);
    assert_eq!(field(report, "pv").len(), 1, "{report}");
}

#[test]
fn a_pv_ends_at_the_third_repetition() {
    // A perpetual check along e8 and h5; Black's only move repeats the first position a third time.
    let fen = "6k1/6p1/8/7Q/8/8/rq6/7K w - - 0 1";
    let moves = "h5e8 g8h7 e8h5 h7g8 h5e8 g8h7 e8h5";
    let mut engine = Conversation::start();
    engine.send(&format!("position fen {fen} moves {moves}"));
    let lines = engine.search("go depth 4");
    let report = &lines[lines.len() - 2];
    assert_eq!(field(report, "score"), ["cp", "0"]);
    assert_eq!(field(report, "pv"), ["h7g8"]);
}

#[test]
fn mate_scores_count_moves_for_the_engine_and_their_pvs_end_in_mate() {
    for (fen, moves, plies) in [
        (MATE_IN_ONE, "1", 1),
        (MATE_IN_TWO, "2", 3),
        (MATED_NEXT_MOVE, "-1", 2),
    ] {
        let mut engine = Conversation::start();
        engine.send(&format!("position fen {fen}"));
        let lines = engine.search("go depth 6");
        let report = &lines[lines.len() - 2];
        assert_eq!(field(report, "score"), ["mate", moves]);
        let line = field(report, "pv");
        assert_eq!(line.len(), plies, "{report}");
        let mut game = Referee::new(fen, CastlingMode::Standard);
        line.iter().for_each(|word| game.play(word));
        assert!(game.position.is_checkmate(), "{report}");
    }
}

#[test]
fn every_notation_of_castling_is_accepted() {
    let mut engine = Conversation::start();
    for (chess960, short, long) in [("false", "e1g1", "e1c1"), ("true", "e1h1", "e1a1")] {
        engine.assert_accepted(&format!("setoption name UCI_Chess960 value {chess960}"));
        for (written, printed, board) in [
            ("e1g1", short, "r3k2r/8/8/8/8/8/8/R4RK1 b"),
            ("e1h1", short, "r3k2r/8/8/8/8/8/8/R4RK1 b"),
            ("e1c1", long, "r3k2r/8/8/8/8/8/8/2KR3R b"),
            ("e1a1", long, "r3k2r/8/8/8/8/8/8/2KR3R b"),
            ("O-O", short, "r3k2r/8/8/8/8/8/8/R4RK1 b"),
            ("0-0-0", long, "r3k2r/8/8/8/8/8/8/2KR3R b"),
        ] {
            engine.assert_accepted(&format!("position fen {CASTLING}"));
            let go = format!("go depth 1 searchmoves {written}");
            assert_eq!(engine.best_move(&go), printed);
            engine.assert_accepted(&format!("position fen {CASTLING} moves {written}"));
            assert!(engine.shown("Fen").starts_with(board), "after {written}");
        }
    }
}

#[test]
fn castling_letters_are_those_of_x_fen_or_shredder_fen() {
    let mut engine = Conversation::start();
    let all_rights = |letters: &str| CASTLING.replace("KQkq", letters);
    let in_standard = fen_after(&mut engine, &all_rights("KQkq"));
    assert_eq!(fen_after(&mut engine, &all_rights("HAha")), in_standard);
    assert_ne!(fen_after(&mut engine, &all_rights("Hh")), in_standard);

    engine.assert_accepted("setoption name UCI_Chess960 value true");
    // K is the outermost rook on the king's side, wherever it stands.
    let on_the_g_file = |letter: &str| format!("5k1r/8/8/8/8/8/8/1K4R1 w {letter} - 0 1");
    let by_outermost_rook = fen_after(&mut engine, &on_the_g_file("K"));
    assert_eq!(
        fen_after(&mut engine, &on_the_g_file("G")),
        by_outermost_rook
    );
    // An inner rook is named by its file; the outermost one can't castle.
    let two_rooks = |letters: &str| format!("rr2k3/8/8/8/8/8/8/RR2K3 w {letters} - 0 1");
    let castled = fen_after(&mut engine, &(two_rooks("Bb") + " moves e1b1"));
    assert!(castled.starts_with("rr2k3/8/8/8/8/8/8/R1KR4 b"));
    let refused = format!("position fen {} moves e1a1", two_rooks("Qq"));
    engine.assert_refused(&refused, "e1a1");
}

#[test]
fn the_log_file_holds_the_conversation_and_can_have_spaces_in_its_name() {
    let folder = Scratch::new("log");
    let log = folder.path("of the protocol.log");
    let mut engine = Conversation::start();
    let setoption = "setoption name Debug Log File value";
    engine.assert_accepted(&format!("{setoption} {log}"));
    engine.send("position startpos moves e2e4");
    engine.search("go depth 2");
    engine.assert_accepted(&format!("{setoption} <empty>"));
    engine.send("position startpos moves d2d4");
    engine.assert_idle();
    let content = fs::read_to_string(log).expect("the engine has created the file");
    for logged in ["position startpos moves e2e4", "go depth 2"] {
        assert!(content.contains(logged), "no {logged:?} in:\n{content}");
    }
    assert!(!content.contains("d2d4"), "the log was closed:\n{content}");
}

#[cfg(unix)]
#[test]
fn a_log_file_that_is_no_regular_file_is_refused_at_once() {
    let folder = Scratch::new("log-pipe");
    let pipe = folder.pipe("pipe");
    let mut engine = Conversation::start();
    for path in [&pipe, folder.as_str(), "/dev/zero", "/dev/null"] {
        engine.assert_refused(&format!("setoption name Debug Log File value {path}"), path);
    }
    engine.best_move("go depth 2");
}

#[cfg(unix)]
#[test]
fn a_log_that_cannot_be_written_any_more_does_not_end_the_engine() {
    let folder = Scratch::new("log-full");
    let log = folder.path("log");
    // The shell limits the size of files to a few blocks, and writing more becomes an error.
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -f 8; exec \"$0\"", engine()]);
    let mut engine = Conversation::start_by(&mut shell);
    engine.send(&format!("setoption name Debug Log File value {log}"));
    for _ in 0..50 {
        engine.send(&"x".repeat(1_000));
        engine.send("uci");
        engine.expect_prefix("uciok");
    }
    engine.best_move("go depth 2");
    let length = fs::metadata(log).expect("the engine has created it").len();
    assert!(0 < length && length < 50_000, "{length} bytes were logged");
}

#[test]
fn a_closed_stderr_does_not_end_the_engine() {
    let mut engine = Conversation::start_without_stderr(&["--log", "debug"]);
    engine.send("uci");
    engine.expect_prefix("uciok");
    engine.best_move("go depth 2");
}

/// The options that `uci` lists: the name of each, and what follows the word `type`.
fn options_of(engine: &mut Conversation) -> Vec<(String, String)> {
    engine.send("uci");
    let answer = engine.lines_until_prefix("uciok");
    let option = |line: &String| {
        let (name, kind) = line.strip_prefix("option name ")?.split_once(" type ")?;
        Some((name.to_owned(), kind.to_owned()))
    };
    answer.iter().filter_map(option).collect()
}

/// The type and default of an option as the page of options writes them.
fn kind_in_words(kind: &str) -> String {
    let words: Vec<&str> = kind.split(' ').collect();
    match words.as_slice() {
        ["spin", "default", default, "min", min, "max", max] => {
            format!("{min} to {max}, {default}")
        }
        ["combo", "default", default, ..] => format!("`{default}`"),
        ["string", "default", "<empty>"] => "empty".to_owned(),
        [_, "default", default] => (*default).to_owned(),
        _ => kind.to_owned(),
    }
}

/// Sets up a position that must be accepted; returns the FEN that the engine shows for it.
fn fen_after(engine: &mut Conversation, fen: &str) -> String {
    engine.assert_accepted(&format!("position fen {fen}"));
    engine.shown("Fen")
}

/// The words of one field of an `info` line; none if the line lacks it.
fn field<'line>(line: &'line str, key: &str) -> Vec<&'line str> {
    line.split(' ')
        .skip_while(|word| *word != key)
        .skip(1)
        .take_while(|word| !FIELDS.contains(word))
        .collect()
}

/// Plays a game by shakmaty's rules and detects its end.
#[derive(Clone)]
pub struct Referee {
    pub position: Chess,
    mode: CastlingMode,
    /// The positions so far; equal if they repeat each other.
    seen: Vec<Epd>,
}

impl Referee {
    pub fn new(fen: &str, mode: CastlingMode) -> Referee {
        let position = from_fen(fen, mode).expect("the tests' positions are legal");
        let seen = vec![Epd::from_position(&position, EnPassantMode::Legal)];
        Referee {
            position,
            mode,
            seen,
        }
    }

    /// Plays a move, or fails if it is illegal or not written in the notation of the game.
    pub fn play(&mut self, word: &str) {
        let parsed: UciMove = word.parse().expect("the engine prints moves");
        let Ok(m) = parsed.to_move(&self.position) else {
            panic!("{word} is illegal in {:?}", self.position.board());
        };
        assert_eq!(m.to_uci(self.mode).to_string(), word);
        self.position.play_unchecked(m);
        let now = Epd::from_position(&self.position, EnPassantMode::Legal);
        self.seen.push(now);
    }

    /// Whether the game is drawn by repetition or the fifty-move rule. Mate and stalemate leave no
    /// legal move.
    fn is_draw(&self) -> bool {
        let now = self.seen.last();
        let occurrences = self.seen.iter().filter(|epd| Some(*epd) == now).count();
        self.position.halfmoves() >= 100 || occurrences >= 3
    }

    /// Fails if a line holds an illegal move or goes on after the end of the game.
    fn check_line(&self, line: &[&str]) {
        let mut game = self.clone();
        for (ply, word) in line.iter().enumerate() {
            let goes_on_after_a_draw = ply > 0 && game.is_draw();
            assert!(!goes_on_after_a_draw, "{word} follows a draw in {line:?}");
            game.play(word);
        }
    }

    /// Checks every move in the answer to a `go`.
    pub fn check_answer(&self, answer: &[String]) {
        for line in answer {
            let words: Vec<&str> = line.split(' ').collect();
            match words.as_slice() {
                ["bestmove", best] => self.check_line(&[*best]),
                ["bestmove", best, "ponder", reply] => self.check_line(&[*best, *reply]),
                ["info", ..] => self.check_line(&field(line, "pv")),
                _ => panic!("this is no answer to a go: {line}"),
            }
        }
    }
}
