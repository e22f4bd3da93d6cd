//! What a page can do with a board.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Board, DEADLINE, Events};
use crate::support::scratch::Scratch;

/// Waits until the file of the boards has this in it.
fn wait_until_kept(folder: &Scratch, text: &str) {
    let deadline = Instant::now() + DEADLINE;
    while !std::fs::read_to_string(folder.path("boards.json")).is_ok_and(|kept| kept.contains(text))
    {
        assert!(Instant::now() < deadline, "{text} is not kept");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Plays moves one after the other from the first position; returns the number of the last.
fn play(board: &Board, moves: &str) -> u64 {
    let mut at = 0;
    for text in moves.split_whitespace() {
        let answer = board.command(&json!({ "do": "type", "at": at, "text": text }));
        at = answer["node"]["id"]
            .as_u64()
            .unwrap_or_else(|| panic!("{text}: {answer}"));
    }
    at
}

fn error(answer: &Value) -> &str {
    answer["error"]
        .as_str()
        .unwrap_or_else(|| panic!("an error is missing: {answer}"))
}

#[test]
fn a_game_is_played_annotated_and_written_as_pgn() {
    let folder = Scratch::new("board-game");
    let board = Board::start(&folder, &[]);
    board.open();
    let at = play(&board, "e4 e7e5 bc4 Nc6 Qh5 nf6 Qxf7");
    let details = board.command(&json!({ "do": "look", "at": at, "worth": true }));
    assert_eq!(
        (&details["d"], &details["over"]),
        (&json!(""), &json!("checkmate, White wins"))
    );
    assert!(
        details["v"]
            .as_array()
            .is_some_and(|worths| worths.len() > 100)
    );
    let glyph = json!({ "do": "annotate", "at": at, "glyphs": [3], "comment": "mate", "shapes": ["Rh5f7", "Ge8"] });
    assert_eq!(board.command(&glyph), json!({}));
    let text = board.command(&json!({ "do": "text", "at": 0 }));
    let pgn = text["pgn"].as_str().expect("PGN");
    let end = "4. Qxf7# $3 {[%csl Ge8] [%cal Rh5f7] mate} *";
    assert!(
        pgn.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .ends_with(end),
        "{pgn}"
    );
    assert_eq!(
        text["fen"],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
}

#[test]
fn what_is_not_possible_is_said_and_changes_nothing() {
    let folder = Scratch::new("board-wrong");
    let board = Board::start(&folder, &[]);
    board.open();
    let text = || board.command(&json!({ "do": "text", "at": 0 }));
    let before = text();
    let answer = board.command(&json!({ "do": "type", "at": 0, "text": "Bb5" }));
    assert!(error(&answer).contains("can't pass"), "{answer}");
    for (command, reason) in [
        (
            json!({ "do": "play", "at": 0, "move": "e2e5" }),
            "not possible",
        ),
        (
            json!({ "do": "type", "at": 0, "text": "hello" }),
            "not a move",
        ),
        (json!({ "do": "look", "at": 99 }), "no longer"),
        (
            json!({ "do": "load", "text": "hello" }),
            "neither tags nor moves",
        ),
        (
            json!({ "do": "position", "fen": "8/8/8/8/8/8/8/8 w - - 0 1" }),
            "the board is empty",
        ),
        (
            json!({ "do": "game", "color": "green" }),
            "`white`, `black`, `random`, `none`",
        ),
        (json!({ "do": "game", "color": "white", "elo": 100 }), "500"),
        (
            json!({ "do": "game", "color": "white", "time": "soon" }),
            "5+3",
        ),
        (json!({ "do": "review", "nodes": 30_000 }), "no moves"),
        (json!({ "do": "resign" }), "no game"),
        (json!({ "do": "puzzle" }), "no puzzle"),
        (json!({ "do": "fly" }), "not understood"),
        (json!({ "do": "rest", "now": true }), "not understood"),
    ] {
        let answer = board.command(&command);
        assert!(error(&answer).contains(reason), "{command}: {answer}");
    }
    assert_eq!(text(), before);
}

#[test]
fn an_answer_names_the_last_event_before_it() {
    let folder = Scratch::new("board-told");
    let board = Board::start(&folder, &[]);
    board.open();
    let mut events = board.listen(1);
    events.read();
    let before = events.heard;
    let told = |command: &Value| {
        let (_, answer) = board.post("/api/boards/1", &command.to_string());
        let answer: Value = serde_json::from_str(&answer).expect("the answer is JSON");
        answer["told"].as_u64().expect("a number")
    };
    let look = json!({ "do": "look", "at": 0 });
    assert_eq!(told(&look), before);
    let number = told(&json!({ "do": "play", "at": 0, "move": "e2e4" }));
    assert_eq!(number, before + 1);
    let event = events.read();
    assert_eq!((&event["node"]["m"], events.heard), (&json!("e4"), number));
    assert_eq!(told(&look), number);
    // Another page begins where the first one is.
    let mut others = board.listen(1);
    others.read();
    assert_eq!(others.heard, number);
}

#[test]
fn the_analysis_reports_lines_and_stops_when_it_is_told() {
    let folder = Scratch::new("board-live");
    let board = Board::start(&folder, &["6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]);
    board.open();
    let mut events = board.listen(1);
    let first = events.read();
    assert_eq!(
        first["nodes"][0]["f"],
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"
    );
    let wish = json!({ "do": "analyze", "at": 0, "lines": 2, "threads": 1, "hash": 16 });
    assert_eq!(board.command(&wish), json!({}));
    let lines = events.wait_for("lines");
    assert_eq!(lines["at"], 0);
    assert_eq!(lines["lines"][0]["l"][0][0], "Rd8#");
    assert_eq!(lines["lines"][0]["s"], "#1");
    assert_eq!(lines["wdl"], json!([1000, 0, 0]));
    assert_eq!(board.command(&json!({ "do": "rest" })), json!({}));
    let threat = json!({ "do": "analyze", "at": 0, "lines": 1, "threads": 1, "hash": 16, "threat": true, "seconds": 1 });
    assert_eq!(board.command(&threat), json!({}));
    let over = loop {
        let lines = events.wait_for("lines");
        if lines["threat"] == true && lines["over"] == true {
            break lines;
        }
    };
    assert!(over["lines"][0]["l"][0][0].is_string());
}

#[test]
fn the_start_of_a_game_is_named_as_everywhere() {
    let folder = Scratch::new("board-startpos");
    let board = Board::start(&folder, &["startpos"]);
    board.open();
    let first = board.listen(1).read();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(first["nodes"][0]["f"], start);
}

#[test]
fn a_game_against_the_engine_is_kept_and_goes_on_after_the_program_was_killed() {
    let folder = Scratch::new("board-kept");
    let board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    let wish = json!({ "do": "game", "color": "white", "elo": 500, "time": "5+3" });
    board.command(&wish);
    board.command(&json!({ "do": "play", "at": 0, "move": "e2e4" }));
    let moves = loop {
        let game = events.wait_for("game");
        if game["game"]["moves"] == 2 {
            break game;
        }
    };
    assert_eq!(moves["game"]["turn"], "w");
    wait_until_kept(&folder, r#""moves":2"#);
    let pgn = board.command(&json!({ "do": "text", "at": 0 }))["pgn"].clone();
    board.kill();

    let board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    let state = events.read();
    assert_eq!(state["game"]["moves"], 2);
    assert_eq!(board.command(&json!({ "do": "text", "at": 0 }))["pgn"], pgn);
    let taken = board.command(&json!({ "do": "take-back" }));
    assert_eq!(taken["error"], Value::Null);
    board.command(&json!({ "do": "play", "at": 0, "move": "d2d4" }));
    board.command(&json!({ "do": "resign" }));
    let ended = loop {
        let game = events.wait_for("game");
        if game["game"]["ending"].is_string() {
            break game;
        }
    };
    assert_eq!(ended["game"]["ending"], "White resigns, Black wins");
    let kept = std::fs::read_to_string(folder.path("games.pgn")).expect("the game was kept");
    assert!(
        kept.contains("[Result \"0-1\"]") && kept.contains("1. d4"),
        "{kept}"
    );
}

#[test]
fn a_review_judges_moves_and_makes_puzzles_that_come_back() {
    let folder = Scratch::new("board-review");
    let board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    board.command(&json!({ "do": "load", "text": "1. f3 e5 2. g4 Qh4# 0-1" }));
    assert_eq!(
        board.command(&json!({ "do": "review", "nodes": 20_000 })),
        json!({})
    );
    let done = events.wait_for("review-done");
    assert_eq!(
        done["summary"][0]["marks"][2], 1,
        "one blunder by White: {done}"
    );
    let page = board.command(&json!({ "do": "report" }));
    assert!(
        page["page"]
            .as_str()
            .is_some_and(|page| page.starts_with("<!DOCTYPE html>"))
    );
    let pgn = board.command(&json!({ "do": "text", "at": 0 }));
    assert!(
        pgn["pgn"]
            .as_str()
            .is_some_and(|pgn| pgn.contains("2. g4 $4")),
        "{pgn}"
    );
    let puzzle = board.command(&json!({ "do": "puzzle" }));
    assert_eq!(puzzle["played"], "g2g4");
    for (name, good) in [("g2g4", false), ("e2e4", true)] {
        board.command(&json!({ "do": "try", "at": 0, "move": name }));
        assert_eq!(events.wait_for("tried")["good"], good, "{name}");
    }
    board.command(&json!({ "do": "puzzle-done", "solved": true }));
    assert!(error(&board.command(&json!({ "do": "puzzle" }))).contains("no puzzle for today"));
    board.kill();
    let board = Board::start(&folder, &[]);
    board.open();
    assert!(error(&board.command(&json!({ "do": "puzzle" }))).contains("no puzzle for today"));
}

#[test]
fn why_is_said_in_chess_words() {
    let folder = Scratch::new("board-why");
    let fen = "r5k1/1pq2p1p/p1p1rnp1/2b1pN2/P3P3/5Q2/1PP2PPP/R1B2RK1 w - - 0 16";
    let board = Board::start(&folder, &[fen]);
    let mut events = board.open().listen(1);
    board.command(&json!({ "do": "why", "at": 0, "move": "f5d4" }));
    let why = events.wait_for("why");
    let sentences = why["sentences"].as_array().expect("sentences");
    assert_eq!(
        (why["move"].as_str(), sentences.len()),
        (Some("Nd4"), 3),
        "{why}"
    );
    assert!(
        sentences[1]
            .as_str()
            .is_some_and(|words| words.contains("Nh6+")),
        "{why}"
    );
}

#[test]
fn an_answer_about_a_game_that_has_left_the_board_is_not_told() {
    let folder = Scratch::new("board-late");
    let board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    board.command(&json!({ "do": "hint", "step": 1 }));
    board.command(&json!({ "do": "position", "fen": "8/8/8/8/3QK3/8/8/7k w - - 0 1" }));
    // The board as it was, perhaps a hint for it, and the board as it is.
    events.wait_for("board");
    events.wait_for("board");
    board.command(&json!({ "do": "hint", "step": 1 }));
    let hint = events.wait_for("hint");
    assert!(hint["from"] == "d4" || hint["from"] == "e4", "{hint}");
}

#[test]
fn two_boards_share_one_analysis_and_the_first_is_told() {
    let folder = Scratch::new("board-two");
    let board = Board::start(&folder, &[]);
    let mut first = board.open().listen(1);
    board.post("/api/boards", r#"{"do":"new"}"#);
    let wish = json!({ "do": "analyze", "at": 0, "lines": 1, "threads": 1, "hash": 16 });
    board.command(&wish);
    first.wait_for("lines");
    assert_eq!(board.command_to(2, &wish), json!({}));
    assert!(first.wait_for("paused")["why"].is_string());
}

#[test]
fn the_pages_of_a_board_hear_that_its_analysis_has_ended() {
    let folder = Scratch::new("board-paused");
    let board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    let moves = ["e2e4", "d7d6", "d1h5", "g8f6", "h5f7"];
    let mut at = json!(0);
    for m in moves {
        at = board.command(&json!({ "do": "play", "at": at, "move": m }))["node"]["id"].clone();
    }
    let wish = |at: &Value, threat: bool| json!({ "do": "analyze", "at": at, "lines": 1, "threads": 1, "hash": 16, "threat": threat });
    let is_told = |events: &mut Events, why: &str| {
        let told = events.wait_for("paused")["why"].clone();
        assert!(
            told.as_str().is_some_and(|told| told.contains(why)),
            "{told}"
        );
    };
    board.command(&wish(&json!(0), false));
    events.wait_for("lines");
    // In the same position it is the same analysis.
    board.command(&wish(&json!(0), false));
    board.command(&wish(&json!(1), false));
    is_told(&mut events, "is being analyzed");
    // In check there is no threat to wait for: what was analyzed before has ended, too.
    let refused = board.command(&wish(&at, true));
    assert!(refused["error"].is_string(), "{refused}");
    is_told(&mut events, "has stopped");
    board.command(&wish(&json!(0), false));
    events.wait_for("lines");
    board.command(&json!({ "do": "rest", "at": 0 }));
    is_told(&mut events, "has stopped");
}

#[test]
fn a_move_that_comes_after_the_end_of_a_game_is_not_played_behind_it() {
    let folder = Scratch::new("board-late");
    let board = Board::start(&folder, &[]);
    let wish = json!({ "do": "game", "color": "white", "elo": 500 });
    board.open().command(&wish);
    board.command(&json!({ "do": "resign" }));
    for late in [
        json!({ "do": "play", "at": 0, "move": "e2e4", "game": true }),
        json!({ "do": "type", "at": 0, "text": "e4", "game": true }),
    ] {
        assert_eq!(board.command(&late)["error"], "the game is over");
    }
    let tried = board.command(&json!({ "do": "play", "at": 0, "move": "e2e4" }));
    assert_eq!(tried["node"]["m"], "e4");
}

#[test]
fn a_flag_falls_and_the_game_is_lost() {
    let folder = Scratch::new("board-flag");
    let board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    board.command(&json!({ "do": "game", "color": "white", "elo": 500, "time": "0.01+0" }));
    let ending = loop {
        let game = events.wait_for("game");
        if game["game"]["ending"].is_string() {
            break game["game"].clone();
        }
    };
    assert_eq!(ending["ending"], "White is out of time, Black wins");
    assert_eq!(ending["outcome"], "0-1");
    let answer = board.command(&json!({ "do": "resign" }));
    assert!(error(&answer).contains("over"), "{answer}");
}

#[test]
fn a_game_of_chess960_begins_by_its_number_with_hints_and_a_word_on_each_move() {
    let folder = Scratch::new("board-960");
    let board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    let wish =
        json!({ "do": "game", "color": "white", "elo": 2000, "chess960": 0, "feedback": true });
    board.command(&wish);
    let start = loop {
        let event = events.wait_for("board");
        if event["game"].is_object() {
            break event;
        }
    };
    let fen = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
    assert_eq!(start["nodes"][0]["f"], fen);
    for step in 1..=3 {
        board.command(&json!({ "do": "hint", "step": step }));
        let hint = events.wait_for("hint");
        assert!(hint["from"].is_string());
        let moves = hint["line"].as_array().map_or(0, Vec::len);
        assert!(
            if step == 1 { moves == 0 } else { moves >= 1 },
            "{step}: {hint}"
        );
    }
    board.command(&json!({ "do": "play", "at": 0, "move": "g2g4" }));
    let feedback = events.wait_for("feedback");
    assert_eq!(feedback["at"], 1);
    assert!(
        ["j", "loss", "depth"].map(|key| feedback[key].is_number()) == [true; 3],
        "{feedback}"
    );
}

#[test]
fn a_game_from_a_later_position_keeps_the_moves_before_it() {
    let folder = Scratch::new("board-from");
    let board = Board::start(&folder, &[]);
    let mut events = board.open().listen(1);
    board.command(&json!({ "do": "load", "text": "1. e4 e5 2. Nf3 Nc6 3. Bb5 *" }));
    board.command(&json!({ "do": "game", "color": "black", "elo": 500, "from": 5 }));
    let begun = loop {
        let event = events.wait_for("board");
        if event["game"].is_object() {
            break event;
        }
    };
    assert_eq!(begun["nodes"].as_array().map(Vec::len), Some(6));
    assert_eq!(begun["game"]["moves"], 5);
    assert_eq!(begun["game"]["head"], 5);
    // None of them was played in this game, so none can be taken back.
    let refused = board.command(&json!({ "do": "take-back" }));
    assert!(error(&refused).contains("no move of yours"), "{refused}");
    board.command(&json!({ "do": "play", "at": 5, "move": "a7a6" }));
    board.command(&json!({ "do": "resign" }));
    let text = std::fs::read_to_string(folder.path("games.pgn")).expect("the game was kept");
    assert!(text.contains("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6"), "{text}");
    // The rematch begins where this game began.
    board.command(&json!({ "do": "rematch" }));
    let again = loop {
        let event = events.wait_for("board");
        if event["game"]["ending"].is_null() {
            break event;
        }
    };
    assert_eq!(again["game"]["person"], "w");
    assert_eq!(again["game"]["moves"], 5);
}
