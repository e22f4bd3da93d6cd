//! Several threads and several lines, in conversations with the real program.

use std::collections::HashSet;
use std::time::Duration;

use crate::support::{Conversation, KIWIPETE, move_of};

/// White mates in two, and no other move is nearly as good.
const MATE_IN_TWO: &str = "7k/8/8/8/8/8/R7/1R5K w - - 0 1";

/// A king with three moves.
const THREE_MOVES: &str = "7k/8/8/8/8/8/8/K7 w - - 0 1";

/// The value of a field in an `info` line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let mut words = line.split(' ');
    words.find(|word| *word == name)?;
    words.next()
}

fn number(line: &str, name: &str) -> u64 {
    let value = field(line, name).unwrap_or_else(|| panic!("no {name} in {line}"));
    value.parse().expect("a whole number")
}

/// The `info` lines with a PV at the last depth for which all lines were reported, without the one
/// that precedes the `bestmove`.
fn last_iteration(lines: &[String], multi_pv: usize) -> Vec<&str> {
    let infos: Vec<&str> = lines
        .iter()
        .filter(|line| line.contains(" pv "))
        .map(String::as_str)
        .collect();
    infos[infos.len() - 1 - multi_pv..infos.len() - 1].to_vec()
}

fn final_info(lines: &[String]) -> &str {
    &lines[lines.len() - 2]
}

fn engine_with(options: &[&str]) -> Conversation {
    let mut engine = Conversation::start();
    for option in options {
        engine.assert_accepted(&format!("setoption name {option}"));
    }
    engine
}

#[test]
fn several_lines_of_a_depth_come_together_with_different_first_moves() {
    let mut engine = engine_with(&["MultiPV value 4"]);
    engine.send(&format!("position fen {KIWIPETE}"));
    let lines = engine.search("go depth 7");
    let last = last_iteration(&lines, 4);
    let numbers: Vec<u64> = last.iter().map(|line| number(line, "multipv")).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    assert!(
        last.iter().all(|line| number(line, "depth") == 7),
        "{last:?}"
    );
    let first_moves: HashSet<_> = last.iter().map(|line| field(line, "pv")).collect();
    assert_eq!(first_moves.len(), 4, "{last:?}");
    let scores: Vec<i64> = last
        .iter()
        .map(|line| {
            field(line, "cp")
                .expect("no mate here")
                .parse()
                .expect("centipawns")
        })
        .collect();
    assert!(
        scores.is_sorted_by(|better, worse| better >= worse),
        "{scores:?}"
    );
    let best = field(last[0], "pv").expect("a move");
    assert_eq!(move_of(&lines[lines.len() - 1]), best);
    assert_eq!(field(final_info(&lines), "multipv"), Some("1"));
}

#[test]
fn there_are_no_more_lines_than_legal_moves() {
    let mut engine = engine_with(&["MultiPV value 256"]);
    engine.send(&format!("position fen {THREE_MOVES}"));
    let lines = engine.search("go depth 4");
    let most = lines
        .iter()
        .filter(|line| line.contains(" pv "))
        .map(|line| number(line, "multipv"))
        .max();
    assert_eq!(most, Some(3));
    // Nor more than searchmoves leave.
    let lines = engine.search("go depth 4 searchmoves a1a2 a1b1");
    let most = lines
        .iter()
        .filter(|line| line.contains(" pv "))
        .map(|line| number(line, "multipv"))
        .max();
    assert_eq!(most, Some(2));
}

#[test]
fn a_mate_is_found_among_several_lines() {
    let mut engine = engine_with(&["MultiPV value 3"]);
    engine.send(&format!("position fen {MATE_IN_TWO}"));
    let lines = engine.search("go mate 2");
    assert!(final_info(&lines).contains("score mate 2"), "{lines:?}");
}

#[test]
fn any_number_of_threads_answers_every_go() {
    let mut engine = Conversation::start();
    for threads in [2, 4, 64, 3, 1] {
        engine.assert_accepted(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("position fen {KIWIPETE}"));
        for go in [
            "go depth 6",
            "go nodes 20000",
            "go movetime 50",
            "go wtime 500 btime 500",
        ] {
            let lines = engine.search(go);
            assert_ne!(
                move_of(&lines[lines.len() - 1]),
                "(none)",
                "{threads} threads, {go}"
            );
        }
        engine.send("go infinite");
        engine.send("stop");
        engine.expect_prefix("bestmove");
    }
}

#[test]
fn two_threads_mate_and_see_stalemate() {
    let mut engine = engine_with(&["Threads value 2"]);
    engine.send(&format!("position fen {MATE_IN_TWO}"));
    let lines = engine.search("go mate 2");
    assert!(final_info(&lines).contains("score mate 2"), "{lines:?}");
    engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(engine.best_move("go depth 5"), "(none)");
}

#[test]
fn the_nodes_of_all_threads_are_counted() {
    let mut engine = engine_with(&["Threads value 8"]);
    let lines = engine.search("go nodes 200000");
    let nodes = number(final_info(&lines), "nodes");
    // The limit holds for all threads together, which are looked at once in a while: eight that
    // count alone would come to 1,600,000.
    assert!((200_000..1_200_000).contains(&nodes), "{nodes}");
}

#[test]
fn one_thread_searches_the_same_tree_after_several() {
    let nodes = |engine: &mut Conversation| {
        let lines = engine.search("go depth 9");
        number(final_info(&lines), "nodes")
    };
    let mut single = Conversation::start();
    let expected = nodes(&mut single);
    let mut engine = engine_with(&["Threads value 3"]);
    nodes(&mut engine);
    engine.assert_accepted("setoption name Threads value 1");
    engine.assert_accepted("ucinewgame");
    assert_eq!(nodes(&mut engine), expected);
}

#[test]
fn threads_and_lines_beyond_their_ranges_are_refused() {
    let mut engine = Conversation::start();
    for (option, bad) in [
        ("Threads", "0"),
        ("Threads", "1025"),
        ("MultiPV", "0"),
        ("MultiPV", "257"),
        ("MultiPV", "many"),
    ] {
        engine.assert_refused(&format!("setoption name {option} value {bad}"), bad);
    }
}

/// The lines on the screen in the end: the last `info` line of each number.
fn lines_in_the_end(lines: &[String], multi_pv: u64) -> Vec<&str> {
    let of_number = |wanted: u64| {
        let mut infos = lines.iter().rev().filter(|line| line.contains(" pv "));
        infos.find(|line| number(line, "multipv") == wanted)
    };
    let shown = (1..=multi_pv).filter_map(of_number);
    shown.map(String::as_str).collect()
}

#[test]
fn several_lines_are_in_order_and_never_share_a_move_after_stop() {
    let mut engine = engine_with(&["MultiPV value 5"]);
    engine.send(&format!("position fen {KIWIPETE}"));
    for delay in 0..30 {
        engine.send("ucinewgame");
        engine.send("go infinite");
        engine.expect_prefix("info depth 6");
        std::thread::sleep(Duration::from_millis(delay * 3));
        engine.send("stop");
        let lines = engine.lines_until_prefix("bestmove");
        let shown = lines_in_the_end(&lines, 5);
        let first_moves: HashSet<_> = shown.iter().map(|line| field(line, "pv")).collect();
        assert_eq!(first_moves.len(), shown.len(), "{shown:?}");
        let score = |line: &&str| field(line, "cp").expect("no mate here").parse::<i64>();
        let scores: Vec<i64> = shown.iter().flat_map(score).collect();
        assert!(
            scores.is_sorted_by(|better, worse| better >= worse),
            "{shown:?}"
        );
    }
}
