//! Tables as a user meets them: shown on the command line, loaded over UCI.
//!
//! The tests run the real program. Files that are damaged, too large or no regular files are
//! rejected with a reason, and what was there before stays as it was.

use std::fs;
use std::process::Output;

use crate::support::scratch::Scratch;
use crate::support::{Conversation, engine, programs};
use squarewise_engine::evaluation::features::{Family, Layout};
use squarewise_engine::evaluation::file::Document;
use squarewise_engine::evaluation::king_buckets::KingBuckets;
use squarewise_engine::evaluation::tapered_score::{PackedScore, UNITS};
use squarewise_engine::evaluation::{TableSet, Tables};

fn run(arguments: &[&str]) -> Output {
    programs::run(&mut programs::without_input(engine(), arguments))
}

fn output(arguments: &[&str]) -> String {
    programs::output_of(&mut programs::without_input(engine(), arguments))
}

/// Runs the program, which must fail with this exit code; returns the error message.
fn error_message(arguments: &[&str], code: i32) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("the error_message is text")
}

#[test]
fn tables_are_not_overwritten_by_the_picture_of_them() {
    let folder = Scratch::new("tables-own-picture");
    let document = Document {
        tables: (*TableSet::Simplified.tables()).clone(),
        provenance: "a test".to_owned(),
    };
    let tables = folder.file("T.bin", document.to_bytes());
    let link = folder.path("link");
    fs::hard_link(&tables, &link).expect("a link");
    for out in [&tables, &link] {
        let message = error_message(&["tables", "--tables", &tables, "--out", out], 1);
        assert!(message.contains("this file is read"), "{message}");
        assert!(fs::read(&tables).expect("the tables") == document.to_bytes());
    }
}

#[test]
fn two_kings_do_not_stand_on_one_square() {
    let message = error_message(&["tables", "--piece", "N", "--king", "e8"], 1);
    assert!(
        message.contains("both kings would stand on e8"),
        "{message}"
    );
    output(&["tables", "--king", "e8", "--enemy-king", "e1", "--csv"]);
}

#[test]
fn maps_of_what_tables_do_not_know_are_refused() {
    for (arguments, reason) in [
        (
            ["--tables", "simplified", "--passed"].as_slice(),
            "nothing of passed pawns",
        ),
        (
            &["--tables", "simplified", "--pawns", "d4"],
            "nothing of pieces with pawns",
        ),
        (&["--pawns", "d1"], "no pawn can stand on d1"),
        (&["--enemy-pawns", "d8"], "no pawn can stand on d8"),
        (&["--pawns", "d4,e4,d4"], "two pawns would stand on d4"),
        (
            &["--pawns", "d4", "--king", "d4"],
            "a king and a pawn would stand on d4",
        ),
        (
            &["--pawns", "d4", "--enemy-pawns", "d4"],
            "two pawns would stand on d4",
        ),
        (
            &["--pawns", "a2,b2,c2,d2,e2,f2,g2,h2,h3"],
            "eight pawns at most",
        ),
    ] {
        let message = error_message(&[&["tables"], arguments].concat(), 1);
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn kings_have_no_map_beside_pawns() {
    let message = error_message(&["tables", "--piece", "K", "--pawns", "d4"], 1);
    assert!(message.contains("kings form no pairs"), "{message}");
}

fn evaluation(engine: &mut Conversation) -> String {
    engine.send("eval");
    let lines = engine.sync();
    lines.last().expect("eval says something").clone()
}

#[test]
fn tables_are_shown_as_numbers_as_squares_and_as_a_picture() {
    let folder = Scratch::new("tables-show");
    let csv = output(&["tables", "--tables", "simplified", "--csv"]);
    assert_eq!(csv.lines().count(), 1 + 6 * 64);
    assert!(csv.contains("queen,d4,905,905"), "{csv}");
    let material = output(&["tables", "--tables", "simplified", "--material"]);
    assert_eq!(material.lines().count(), 1 + 486);
    assert!(material.ends_with("8,2,2,2,1,0,0\n"), "{material}");
    let knight = output(&["tables", "--piece", "N", "--king", "g1"]);
    assert!(knight.starts_with("Knight"), "{knight}");
    let picture = folder.path("tables.svg");
    assert_eq!(output(&["tables", "--out", &picture]), "");
    let svg = fs::read_to_string(&picture).expect("the picture was written");
    // Twelve boards, and pawns stand on 48 squares only.
    assert_eq!(svg.matches("<rect x=").count(), 12 * 64 - 2 * 16);
}

#[test]
fn attacks_are_shown_as_charts_as_numbers_and_as_a_picture() {
    let folder = Scratch::new("tables-attacks");
    for (what, title) in [
        ("mobility", "Pieces by the number"),
        ("threats", "Attacks on pieces"),
        ("king", "Squares beside the king"),
        ("passed-paths", "A passed pawn"),
    ] {
        let chart = output(&["tables", "--attacks", what]);
        assert!(chart.starts_with(title), "{chart}");
        assert!(chart.lines().all(|line| line.len() <= 80), "{chart}");
        let csv = output(&["tables", "--attacks", what, "--csv"]);
        let picture = folder.path(what);
        assert_eq!(
            output(&["tables", "--attacks", what, "--out", &picture]),
            ""
        );
        let svg = fs::read_to_string(&picture).expect("the picture was written");
        // Both phases of every line but the head.
        let scores = csv.lines().count() - 1;
        assert_eq!(svg.matches("<rect x=").count(), 2 * scores);
    }
    let message = error_message(&["tables", "--attacks", "king", "--tables", "pairs"], 1);
    assert!(message.contains("know nothing of attacks"), "{message}");
}

#[test]
fn a_passed_pawn_is_worth_more_and_said_to_be_passed() {
    let folder = Scratch::new("tables-passed");
    let layout = Layout::new(KingBuckets::PLAIN);
    let mut scores = vec![PackedScore::default(); layout.length()];
    // Every own pawn that is passed.
    for score in &mut scores[layout.range(Family::PassedPawns)][..48] {
        score.endgame = 70 * UNITS as i16;
    }
    let document = Document {
        tables: Tables::from_scores(layout, scores, 0),
        provenance: "a test".to_owned(),
    };
    let file = folder.file("passed.tables", document.to_bytes());
    let map = output(&["tables", "--tables", &file, "--passed", "--csv"]);
    assert!(map.contains("pawn,d4,0,70"), "{map}");
    let error = error_message(&["tables", "--passed", "--piece", "N"], 2);
    assert!(error.contains("--piece"), "{error}");

    let mut engine = Conversation::start();
    engine.assert_accepted(&format!("setoption name TablesFile value {file}"));
    // White's pawn on d5 is passed, those on the wings stop each other.
    engine.send("position fen 4k3/6p1/p7/3P4/8/P7/6P1/4K3 w - - 0 1");
    engine.send("eval");
    let explanation = engine.sync();
    let named = explanation.iter().filter(|line| line.contains("passed"));
    let named: Vec<&str> = named.map(String::as_str).collect();
    assert_eq!(
        named,
        [
            "  pawn d5 +70: material +0, square +0, passed +70",
            "what decides: White is better: White is a pawn up; White's pawn on d5 is passed",
        ]
    );
    assert_eq!(evaluation(&mut engine), "evaluation 70 cp");
}

#[test]
fn unknown_tables_pieces_and_squares_are_refused_on_the_command_line() {
    assert!(error_message(&["tables", "--tables", "no-such-file"], 2).contains("no-such-file"));
    assert!(error_message(&["tables", "--piece", "X"], 2).contains("a piece is"));
    assert!(error_message(&["tables", "--king", "j9"], 2).contains("j9"));
    assert!(error_message(&["tables", "--material", "--king", "g1"], 2).contains("--king"));
}

#[test]
fn a_file_of_tables_is_loaded_and_unloaded() {
    let folder = Scratch::new("tables-load");
    let file = folder.path("simplified.tables");
    let tables = (*TableSet::Simplified.tables()).clone();
    let document = Document {
        tables,
        provenance: "a test".to_owned(),
    };
    fs::write(&file, document.to_bytes()).expect("the file can be written");
    let mut engine = Conversation::start();
    engine.send("position startpos moves e2e4");
    let learned = evaluation(&mut engine);
    engine.assert_accepted(&format!("setoption name TablesFile value {file}"));
    assert_eq!(evaluation(&mut engine), "evaluation -40 cp");
    engine.assert_accepted("setoption name TablesFile value <empty>");
    assert_eq!(evaluation(&mut engine), learned);
    engine.assert_accepted("setoption name Tables value Simplified");
    assert_eq!(evaluation(&mut engine), "evaluation -40 cp");
}

#[test]
fn a_bad_file_of_tables_is_refused_and_the_old_ones_kept() {
    let folder = Scratch::new("tables-refuse");
    let file = folder.path("damaged.tables");
    let mut engine = Conversation::start();
    let before = evaluation(&mut engine);
    engine.assert_refused(&format!("setoption name TablesFile value {file}"), &file);
    fs::write(&file, "no tables at all").expect("the file can be written");
    engine.assert_refused(
        &format!("setoption name TablesFile value {file}"),
        "not a file of tables",
    );
    assert_eq!(evaluation(&mut engine), before);
}

#[cfg(unix)]
#[test]
fn a_file_option_that_names_a_pipe_a_device_or_a_directory_is_refused_at_once() {
    let folder = Scratch::new("tables-pipe");
    let (pipe, directory) = (folder.pipe("pipe"), folder.as_str());
    let mut engine = Conversation::start();
    let before = evaluation(&mut engine);
    for path in [&pipe, "/dev/zero", directory] {
        let option = format!("setoption name TablesFile value {path}");
        engine.assert_refused(&option, "not a regular file");
    }
    assert_eq!(evaluation(&mut engine), before);
}

#[test]
fn a_file_too_large_for_tables_is_refused() {
    let folder = Scratch::new("tables-large");
    let file = folder.path("large.tables");
    let large = fs::File::create(&file).expect("the file can be made");
    large.set_len((16 << 20) + 1).expect("a sparse file");
    let mut engine = Conversation::start();
    let option = format!("setoption name TablesFile value {file}");
    engine.assert_refused(&option, "larger than 16777216 bytes");
}

#[test]
fn an_empty_file_of_tables_is_refused() {
    let folder = Scratch::new("tables-empty");
    let file = folder.file("empty.tables", "");
    let mut engine = Conversation::start();
    let option = format!("setoption name TablesFile value {file}");
    engine.assert_refused(&option, "empty, or of unknown length");
}

/// The messages of the kernel: a regular file without a length. Reading it waits for the next
/// message.
#[cfg(target_os = "linux")]
#[test]
fn a_regular_file_that_blocks_is_refused_at_once() {
    let mut engine = Conversation::start();
    engine.assert_refused(
        "setoption name TablesFile value /proc/kmsg",
        "empty, or of unknown length",
    );
}

#[cfg(unix)]
#[test]
fn a_pipe_named_on_the_command_line_is_refused_at_once() {
    let folder = Scratch::new("tables-pipes");
    let pipe = folder.pipe("pipe");
    let arguments: [(&[&str], i32); 2] = [
        (&["suite", "--nodes", "1", &pipe], 1),
        (&["tables", "--tables", &pipe], 2),
    ];
    for (arguments, code) in arguments {
        let error_message = error_message(arguments, code);
        assert!(
            error_message.contains("not a regular file"),
            "{error_message}"
        );
    }
}

/// The nodes of a search to a fixed depth in a middlegame position.
fn nodes_searched(engine: &mut Conversation) -> String {
    let position = "r1bqk2r/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N2/PP1P1PPP/RNBQR1K1 b kq - 0 8";
    engine.send(&format!("position fen {position}"));
    let lines = engine.search("go depth 9");
    let info = lines.iter().rev().find(|line| line.contains(" nodes "));
    let mut words = info.expect("a search reports its nodes").split(' ');
    words.find(|word| *word == "nodes");
    words.next().expect("a number of nodes").to_owned()
}

#[test]
fn a_search_with_new_tables_depends_on_nothing_learned_with_the_old_ones() {
    let mut fresh = Conversation::start();
    fresh.assert_accepted("setoption name Tables value Simplified");
    let expected = nodes_searched(&mut fresh);
    let mut used = Conversation::start();
    nodes_searched(&mut used);
    used.assert_accepted("setoption name Tables value Simplified");
    assert_eq!(nodes_searched(&mut used), expected);
}
