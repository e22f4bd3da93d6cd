//! A search that panics: the engine says so, answers with a legal move, and plays on.
//!
//! The panics are injected by `search/injected_panic.rs`, which only a build with debug assertions
//! has.

use std::process::Command;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position};

use crate::support::{Conversation, engine, move_of};

/// An engine in which the threads of this name panic, whenever they search.
fn engine_whose_panics_are_in(thread: &str) -> Conversation {
    let mut command = Command::new(engine());
    Conversation::start_by(command.env("SQUAREWISE_PANIC", thread))
}

/// Plays some moves against itself with a search that panics before each. The last line that it
/// shows is the one that it plays.
fn assert_plays_on(engine: &mut Conversation, go: &str) {
    let mut board = Chess::default();
    let mut moves = String::new();
    for _ in 0..6 {
        engine.send(&format!("position startpos moves{moves}"));
        let answer = engine.search(go);
        let told = answer.iter().filter(|line| line.contains("asked to panic"));
        assert_eq!(told.count(), 1, "{answer:?}");
        let answered = move_of(answer.last().expect("a bestmove"));
        let pv = format!(" pv {answered}");
        let last_info = answer.iter().rev().find(|line| line.contains(" pv "));
        let last_info = last_info.expect("a line of play");
        assert!(last_info.contains(&pv), "{last_info} before {answered}");
        let played: UciMove = answered.parse().expect("a move");
        board.play_unchecked(played.to_move(&board).expect("a legal move"));
        moves = format!("{moves} {answered}");
    }
}

#[test]
fn a_panic_of_the_search_is_answered_with_the_best_move_so_far() {
    let mut engine = engine_whose_panics_are_in("main");
    assert_plays_on(&mut engine, "go movetime 60000");
    engine.assert_accepted("setoption name Threads value 2");
    assert_plays_on(&mut engine, "go wtime 60000 btime 60000");
    // Whatever does not come so far is as in an engine that has not panicked.
    let mut sound = Conversation::start();
    for go in ["go depth 3", "go perft 3"] {
        let last_lines = [&mut engine, &mut sound].map(|engine| {
            engine.send("setoption name Threads value 1");
            engine.send("position startpos");
            engine.send(go);
            let last = if go.contains("perft") {
                "Nodes searched"
            } else {
                "bestmove"
            };
            engine.expect_prefix(last)
        });
        assert_eq!(last_lines[0], last_lines[1], "{go}");
    }
}

#[test]
fn a_panic_of_a_helper_thread_costs_neither_the_move_nor_the_game() {
    let mut engine = engine_whose_panics_are_in("helper");
    engine.assert_accepted("setoption name Threads value 2");
    assert_plays_on(&mut engine, "go depth 6");
    assert_plays_on(&mut engine, "go movetime 50");
    engine.assert_accepted("setoption name Threads value 1");
    let answer = engine.search("go depth 6");
    assert!(
        answer.iter().all(|line| !line.starts_with("info string")),
        "{answer:?}"
    );
}

#[test]
fn a_search_that_panics_while_it_ponders_keeps_its_answer_until_it_is_asked() {
    let mut engine = engine_whose_panics_are_in("main");
    for (go, end) in [
        ("go infinite", "stop"),
        ("go ponder wtime 1000 btime 1000", "ponderhit"),
    ] {
        engine.send(go);
        engine.expect_prefix("info string internal error");
        engine.assert_no_answer_yet();
        engine.send(end);
        engine.expect_prefix("bestmove ");
        engine.assert_idle();
    }
}
