//! Conversations: Gomocup's protocol, UCI and UCCI, the terminal, and saved games.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};

use squarewise_games::game::Outcome;
use squarewise_games::gobang::{Gobang, Rule, Scores, gomocup};
use squarewise_games::limits::Limits;
use squarewise_games::terminal::{self, Playable, Settings};
use squarewise_games::xiangqi::{FenError, Notation, Xiangqi, protocol};

/// The answers to a manager of gobang, line by line.
fn gomocup_answers(input: &str) -> Vec<String> {
    let mut output = Vec::new();
    gomocup(Scores::learned(), Some(2), input.as_bytes(), &mut output).expect("memory is written");
    let text = String::from_utf8(output).expect("text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn gomocup_s_manager_gets_a_point_for_each_turn() {
    let answers =
        gomocup_answers("START 15\nINFO timeout_turn 200\nBEGIN\nTURN 0,0\nTURN 14,14\nEND\n");
    assert_eq!(answers[..2], ["OK", "7,7"]);
    assert_eq!(answers.len(), 4);
    for answer in &answers[2..] {
        let (x, y) = answer.split_once(',').expect("a point");
        assert!(x.parse::<u8>().is_ok_and(|x| x < 15) && y.parse::<u8>().is_ok_and(|y| y < 15));
    }
}

#[test]
fn a_board_that_is_sent_is_answered_for_the_color_whose_turn_it_is() {
    // Four of the opponent's in a row, stopped on one side: there is one answer.
    let board = "0,0,2\n1,0,2\n2,0,2\n3,0,2\n0,5,1\n2,7,1\n9,9,1\nDONE\n";
    assert_eq!(
        gomocup_answers(&format!("START 15\nBOARD\n{board}")),
        ["OK", "4,0"]
    );
    // Now we have begun, and complete our own.
    let board = "0,0,1\n1,0,1\n2,0,1\n3,0,1\n0,5,2\n2,7,2\n9,9,2\n9,13,2\nDONE\n";
    assert_eq!(
        gomocup_answers(&format!("START 15\nBOARD\n{board}")),
        ["OK", "4,0"]
    );
}

#[test]
fn gomocup_s_bad_input_is_answered_and_the_game_goes_on() {
    let answers = gomocup_answers(
        "TURN 7,7\nSTART 20\nSTART 15\nTURN 15,0\nTURN x\nTURN 7,7\nTURN 7,7\nINFO rule 4\n\
         BOARD\n1,1,1\nDONE\nFLY\nTAKEBACK 0,0\nRESTART\nBEGIN\nEND\nBEGIN\n",
    );
    let begins: Vec<&str> = answers
        .iter()
        .map(|answer| answer.split(' ').next().unwrap())
        .collect();
    assert_eq!(begins[..5], ["ERROR", "ERROR", "OK", "ERROR", "ERROR"]);
    assert!(begins[5].contains(','));
    assert_eq!(
        begins[6..],
        ["ERROR", "MESSAGE", "ERROR", "UNKNOWN", "ERROR", "OK", "7,7"]
    );
}

#[test]
fn a_stone_behind_the_end_of_a_game_is_refused_and_the_board_stays_as_it_was() {
    let won = "0,0,2\n1,0,2\n2,0,2\n3,0,2\n0,5,1\n2,7,1\n9,9,1\n9,13,1\n";
    let answers = gomocup_answers(&format!(
        "RECTSTART 15,15\nRECTSTART 20,20\nBEGIN\nBOARD\n4,0,2\n{won}done\nTAKEBACK 7,7\n"
    ));
    assert_eq!(answers.len(), 5, "{answers:?}");
    assert_eq!(
        answers[..3],
        [
            "OK",
            "ERROR the board has 15 x 15 points, not \"20,20\"",
            "7,7"
        ]
    );
    assert_eq!(answers[3..], ["ERROR the game is over", "OK"]);
}

#[test]
fn blanks_and_capitals_change_nothing_in_what_the_manager_says() {
    // Five in a row wins, six don't by the standard rule.
    let board =
        "BOARD\n0,0,1\n0,7,2\n1,0,1\n2,7,2\n2,0,1\n4,7,2\n4,0,1\n6,7,2\n5,0,1\n8,7,2\nDONE\n";
    for info in [
        "INFO rule 1",
        "INFO  rule 1",
        "info RULE\t1",
        " INFO rule  1 ",
    ] {
        let text = format!("START  15\nINFO timeout_turn 100\n{info}\n{board}END\n");
        let answers = gomocup_answers(&text);
        assert_eq!(answers.len(), 2, "{info}: {answers:?}");
        assert_ne!(answers[1], "3,0", "{info}");
    }
    assert_eq!(gomocup_answers("RECTSTART 15, 15\nEND\n"), ["OK"]);
}

#[test]
fn stones_come_in_any_order_and_an_unknown_board_has_one_answer() {
    // Six in a row win nothing by the standard rule, whichever of them comes last.
    let own: String = (0..6).map(|x| format!("{x},0,1\n")).collect();
    let enemy = "0,5,2\n2,7,2\n9,9,2\n9,13,2\n13,3,2\n13,11,2\n";
    let answers = gomocup_answers(&format!(
        "START 15\nINFO rule 1\nBOARD\n{own}{enemy}DONE\nSWAP2BOARD\n7,7\n8,7\n9,9\nDONE\nABOUT\n"
    ));
    assert_eq!(answers.len(), 4, "{answers:?}");
    assert!(
        answers[1]
            .split_once(',')
            .is_some_and(|(x, _)| x.parse::<u8>().is_ok()),
        "{answers:?}"
    );
    assert_eq!(answers[2], "UNKNOWN command");
    assert!(answers[3].starts_with("name="), "{answers:?}");
}

/// Output that the test and the program share.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn xiangqi_answers(input: &str) -> String {
    let output = Shared::default();
    protocol(None, input.as_bytes(), output.clone()).expect("memory is written");
    let bytes = output.0.lock().expect("no panic").clone();
    String::from_utf8(bytes).expect("text")
}

#[test]
fn uci_is_answered_with_ranks_from_one_to_ten() {
    let text = xiangqi_answers("uci\nisready\nposition startpos moves h3e3\ngo depth 3\n");
    assert!(
        text.contains("uciok\nreadyok\ninfo depth 1 score cp "),
        "{text}"
    );
    let best = text
        .lines()
        .last()
        .and_then(|line| line.strip_prefix("bestmove "));
    let mut position = Xiangqi::default();
    position.play("h3e3", Notation::Uci).expect("legal");
    assert!(position.play(best.expect("a move"), Notation::Uci).is_ok());
}

#[test]
fn the_level_of_the_command_line_is_the_default_of_its_option() {
    for (greeting, option) in [
        (
            "uci\n",
            "option name Level type spin default 3 min 0 max 100",
        ),
        ("ucci\n", "option level type spin min 0 max 100 default 3"),
    ] {
        let output = Shared::default();
        protocol(Some(3), greeting.as_bytes(), output.clone()).expect("memory is written");
        let bytes = output.0.lock().expect("no panic").clone();
        let text = String::from_utf8(bytes).expect("text");
        assert!(text.lines().any(|line| line == option), "{text}");
    }
}

#[test]
fn ucci_is_answered_with_ranks_from_zero_to_nine() {
    let text = xiangqi_answers(
        "ucci\nsetoption level 2\nposition startpos moves h2e2\ngo time 100 increment 0\n",
    );
    assert!(text.contains("ucciok\n"), "{text}");
    assert!(!text.contains("info depth 3"), "{text}");
    let best = text
        .lines()
        .last()
        .and_then(|line| line.strip_prefix("bestmove "));
    let mut position = Xiangqi::default();
    position.play("h2e2", Notation::Ucci).expect("legal");
    assert!(position.play(best.expect("a move"), Notation::Ucci).is_ok());
}

#[test]
fn who_is_mated_gets_no_move_in_either_protocol() {
    let fen = "position fen 3k5/9/9/9/9/9/9/9/3R5/4K4 b - - 0 1\ngo depth 2\n";
    assert!(xiangqi_answers(&format!("uci\n{fen}")).ends_with("bestmove (none)\n"));
    assert!(xiangqi_answers(&format!("ucci\n{fen}")).ends_with("nobestmove\n"));
}

#[test]
fn bad_input_is_answered_by_info_string_and_changes_nothing() {
    let text = xiangqi_answers(
        "uci\nposition startpos moves h3e3\nposition fen 9/9 w\nposition startpos moves a1a9\n\
         setoption name Level value many\ngo depth x\nfly\nd\nquit\n",
    );
    let refusals = text
        .lines()
        .filter(|line| line.starts_with("info string"))
        .count();
    assert_eq!(refusals, 5, "{text}");
    assert!(text.contains("RNBAKABNR b"), "{text}");
}

#[test]
fn words_that_go_does_not_know_cost_no_move() {
    let go = "go searchmoves h3e3 depth 2\n";
    let text = xiangqi_answers(&format!("uci\n{go}"));
    assert!(
        text.contains("info string go does not know \"searchmoves\""),
        "{text}"
    );
    assert!(
        text.lines()
            .last()
            .is_some_and(|line| line.starts_with("bestmove ")),
        "{text}"
    );
    // The end of the input ends a search without limits.
    assert!(xiangqi_answers("ucci\ngo\n").contains("bestmove "));
}

#[test]
fn stop_sent_right_after_go_still_yields_a_move() {
    let text = xiangqi_answers("uci\ngo infinite\nstop\nquit\n");
    assert!(text.contains("bestmove "), "{text}");
}

/// The moves of a hundred plies without a capture from this position, in which nothing comes a
/// third time, and the position after them.
fn hundred_quiet_plies(fen: &str) -> (Vec<String>, Xiangqi) {
    let mut position = Xiangqi::from_fen(fen).expect("a FEN");
    let mut moves = Vec::new();
    for ply in 1..=100 {
        let legal = position.legal_moves().into_iter();
        let mut quiet = legal.filter(|mv| position.piece_at(mv.to).is_none());
        let next = quiet.find_map(|mv| {
            let (mut next, text) = (position.clone(), mv.text(Notation::Uci));
            next.play(&text, Notation::Uci).expect("legal");
            (ply == 100 || next.outcome().is_none()).then_some((text, next))
        });
        let (text, next) = next.expect("a move that ends nothing");
        moves.push(text);
        position = next;
    }
    (moves, position)
}

#[test]
fn a_hundred_plies_without_a_capture_are_a_draw_and_who_goes_on_gets_a_sensible_move() {
    let fen = "3k5/9/9/9/9/9/9/9/8R/4K4 w - - 0 1";
    let (moves, position) = hundred_quiet_plies(fen);
    assert_eq!(position.outcome(), Some(Outcome::Drawn));
    let ending = position.ending().expect("an ending");
    assert!(ending.contains("fifty moves"), "{ending}");
    let text = xiangqi_answers(&format!(
        "uci\nposition fen {fen} moves {}\ngo depth 4\n",
        moves.join(" ")
    ));
    // Red has a rook more, and not every move is a draw.
    assert!(text.contains("info depth 4 score "), "{text}");
    assert!(!text.contains("info depth 4 score cp 0 "), "{text}");
}

#[test]
fn ucci_s_button_begins_a_game_and_an_idle_engine_says_that_it_has_no_move() {
    let text = xiangqi_answers("ucci\nstop\nsetoption newgame\nposition startpos\ngo depth 2\n");
    assert!(text.contains("ucciok\nnobestmove\n"), "{text}");
    assert!(!text.contains("info string"), "{text}");
    assert!(text.contains("\nbestmove "), "{text}");
}

#[test]
fn points_far_off_the_board_are_refused() {
    let text =
        xiangqi_answers("uci\nposition startpos moves h30e3\nucci\nposition startpos moves 0000\n");
    assert_eq!(text.matches("info string").count(), 2, "{text}");
    let answers = gomocup_answers("START 15\nTURN 0,9999999999999999999\n");
    assert_eq!(answers.len(), 2, "{answers:?}");
    assert!(answers[1].starts_with("ERROR"), "{answers:?}");
    let mut game = Gobang::new(Rule::Freestyle, Scores::learned());
    assert!(game.play_text("a0").is_err());
}

#[test]
fn perft_over_the_protocol_names_each_move_and_the_sum() {
    let text = xiangqi_answers("uci\ngo perft 2\n");
    assert_eq!(
        text.lines().filter(|line| line.contains(": 4")).count(),
        44,
        "{text}"
    );
    assert!(text.ends_with("Nodes searched: 1920\n"), "{text}");
}

fn settings(person: Option<bool>) -> Settings {
    Settings {
        person,
        limits: Limits {
            depth: 2,
            ..Limits::default()
        },
        is_plain: true,
    }
}

/// A file of this test's that does not exist yet.
fn new_file(name: &str) -> PathBuf {
    let file = std::env::temp_dir().join(format!("squarewise-games-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&file);
    file
}

#[test]
fn a_person_plays_saves_and_replays() {
    let file = new_file("my gobang");
    let input = format!(
        "p20\nh8\nundo\nhelp\nh8\nsave {0}\nsave {0}\nquit\n",
        file.display()
    );
    let mut game = Gobang::new(Rule::Standard, Scores::learned());
    let mut output = Vec::new();
    terminal::play(
        &mut game,
        &settings(Some(true)),
        input.as_bytes(),
        &mut output,
    )
    .expect("played");
    let text = String::from_utf8(output).expect("text");
    assert!(
        text.contains("is no point") && text.contains("can't be written"),
        "{text}"
    );
    let mut replayed = Vec::new();
    terminal::replay::<Gobang>(&file, true, &mut replayed).expect("a saved game");
    let replayed = String::from_utf8(replayed).expect("text");
    assert!(replayed.contains("The game is not over."), "{replayed}");
    assert!(
        fs::read_to_string(&file)
            .expect("saved")
            .starts_with("gobang standard\nh8 ")
    );
    fs::remove_file(file).expect("it was written");
}

#[test]
fn damaged_games_are_refused_with_the_line() {
    for (text, reason) in [
        ("chess\n", "line 1"),
        ("\u{feff}gobang freestyle\n", "line 1: \"gobang"),
        ("xiangqi 9/9 w\n", "line 1"),
        (
            "xiangqi rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w\nh3e3\nh3e3\n",
            "line 3",
        ),
    ] {
        let file = new_file("damaged");
        fs::write(&file, text).expect("written");
        let error = terminal::replay::<Xiangqi>(&file, true, &mut Vec::new());
        let error = format!("{:#}", error.expect_err("damaged"));
        let named = format!("{}: {reason}", file.display());
        assert!(error.starts_with(&named), "{error}");
        fs::remove_file(file).expect("it was written");
    }
}

#[test]
fn the_program_plays_xiangqi_against_itself_to_the_end() {
    let in_check = Xiangqi::from_fen("4k4/9/9/9/9/9/9/9/3RR4/3K5 w - - 0 1");
    assert_eq!(in_check.err(), Some(FenError::Check));
    let mut game = Xiangqi::from_fen("3k5/9/9/9/9/9/9/9/R7R/4K4 w - - 0 1").expect("a FEN");
    let mut output = Vec::new();
    terminal::play(&mut game, &settings(None), io::empty(), &mut output).expect("played");
    assert_eq!(game.outcome(), Some(Outcome::Lost), "{:?}", game.ending());
}

#[test]
fn each_program_tells_its_own_name() {
    for (program, name) in [
        (env!("CARGO_BIN_EXE_squarewise-gobang"), "squarewise-gobang"),
        (
            env!("CARGO_BIN_EXE_squarewise-xiangqi"),
            "squarewise-xiangqi",
        ),
    ] {
        let told = Command::new(program).arg("--version").output();
        let told = told.expect("the program runs").stdout;
        let told = String::from_utf8(told).expect("text");
        assert_eq!(told, format!("{name} {}\n", env!("CARGO_PKG_VERSION")));
    }
}
