//! `squarewise play`, with people and engines at the board.
//!
//! People play through a pipe and, on Unix, through a pseudo-terminal. The engines that die, hang,
//! lie and flood are small scripts of the shell.

use std::fs;
use std::process::{Command, Output, Stdio};

use crate::support::scratch::Scratch;
use crate::support::{Conversation, START, engine};

/// Starts a game in which these lines are typed, and returns what is shown until the result.
fn play(arguments: &[&str], typed: &[&str]) -> Vec<String> {
    let mut game = Conversation::start_with(&[&["play"], arguments].concat());
    // In one piece, since the game can be over before the last line.
    let lines: String = typed.iter().map(|line| format!("{line}\n")).collect();
    game.send_raw(lines.as_bytes());
    game.close_stdin();
    let shown = until_result(&mut game);
    assert!(game.wait_exit().success());
    shown
}

/// Reads up to the line with the result.
fn until_result(game: &mut Conversation) -> Vec<String> {
    let mut lines = Vec::new();
    loop {
        let line = game.expect_prefix("");
        let is_result = ["1-0: ", "0-1: ", "1/2-1/2: ", "*: "]
            .iter()
            .any(|result| line.starts_with(result));
        lines.push(line);
        if is_result {
            return lines;
        }
    }
}

fn result(shown: &[String]) -> &str {
    shown.last().map_or("", String::as_str)
}

fn assert_shown(shown: &[String], part: &str) {
    let is_there = shown.iter().any(|line| line.contains(part));
    assert!(is_there, "{part:?} in\n{}", shown.join("\n"));
}

/// What the program writes when it does not play.
fn refused(arguments: &[&str]) -> Output {
    Command::new(engine())
        .arg("play")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the engine was built beside this test")
}

#[test]
fn who_names_an_engine_as_white_alone_plays_black() {
    let shown = play(&["--white", "engine", "--depth", "1"], &["quit"]);
    assert_shown(&shown, "against Human");
}

#[test]
fn two_people_play_the_scholars_mate() {
    let folder = Scratch::new("play-scholars-mate");
    let pgn = folder.path("game.pgn");
    let moves = ["e4", "e7e5", "bc4", "nc6", "Qh5", "Nf6", "Qf7"];
    let people = ["--white", "human:Anna", "--black", "human:Ben"];
    let arguments = [people.as_slice(), &["--pgn", &pgn]].concat();
    let shown = play(&arguments, &moves);
    assert_eq!(result(&shown), "1-0: checkmate, White wins");
    for part in ["Anna (White)", "Bishop's Opening", "2... Nc6", "4. Qxf7#"] {
        assert_shown(&shown, part);
    }
    let pgn = fs::read_to_string(pgn).expect("the game was kept");
    for part in [
        "[White \"Anna\"]",
        "[Result \"1-0\"]",
        "[ECO \"C23\"]",
        "1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# {checkmate, White wins} 1-0",
    ] {
        assert!(pgn.contains(part), "{part} in\n{pgn}");
    }
}

#[test]
fn slips_are_corrected_and_commands_obeyed() {
    let folder = Scratch::new("play-commands");
    let saved = folder.path("so far.pgn");
    let save = format!("save {saved}");
    let typed = [
        "Nf4",
        "e4",
        "undo",
        "d4",
        "resing",
        "moves",
        "fen",
        "flip",
        "help",
        "hint",
        &save,
        "save /nonexistent/folder/game.pgn",
        "resign",
    ];
    let people = ["--black", "human"];
    let shown = play(&people, &typed);
    for part in [
        "Nf4 is not possible: there is no knight that reaches f4",
        "the last move is taken back",
        "did you mean resign?",
        "1. d4",
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        "   h  g  f  e  d  c  b  a",
        "take your last move back",
        ", depth ",
        "the game so far is in ",
        "can't be written",
    ] {
        assert_shown(&shown, part);
    }
    assert_eq!(result(&shown), "1-0: Black resigns, White wins");
    let saved = fs::read_to_string(saved).expect("the game was saved");
    assert!(saved.contains("1. d4 *"), "{saved}");
}

#[test]
fn a_draw_is_offered_with_a_move_and_accepted() {
    let people = ["--black", "human"];
    let shown = play(&people, &["draw", "e4", "yes", "draw"]);
    assert_shown(&shown, "your draw offer goes with your next move");
    // Once of itself, and once in answer to the word.
    let told = shown
        .iter()
        .filter(|line| line.contains("A draw is offered"));
    assert_eq!(told.count(), 2, "{}", shown.join("\n"));
    assert_eq!(result(&shown), "1/2-1/2: a draw by agreement");
    let shown = play(&people, &["draw", "e4", "e5", "draw", "Nf3", "resign"]);
    assert_eq!(result(&shown), "1-0: Black resigns, White wins");
}

#[test]
fn a_person_plays_this_engine_which_declines_an_early_draw() {
    let shown = play(
        &["--depth", "1", "--elo", "800"],
        &["e4", "draw", "undo", "d4", "quit"],
    );
    assert_shown(&shown, "(800) declines the draw");
    assert_shown(&shown, "your last move is taken back");
    assert_eq!(result(&shown), "*: the game was interrupted");
}

#[test]
fn what_a_weak_engine_thinks_is_not_shown_after_a_move_is_taken_back() {
    let shown = play(
        &["--depth", "1", "--elo", "800"],
        &["e4", "h3", "undo", "quit"],
    );
    let is_back = |line: &String| line.contains("your last move is taken back");
    let end = shown.iter().position(is_back).expect("the answer to undo");
    let depth = |line: &String| line.rsplit_once("depth ")?.1.trim().parse::<u32>().ok();
    // That of the board, which stands above the answer.
    let last = shown[..end].iter().rev().find_map(depth);
    assert!(last.is_some_and(|depth| depth > 1), "depth {last:?}");
}

#[test]
fn a_game_that_is_saved_twice_is_in_the_file_once() {
    let folder = Scratch::new("play-saved-twice");
    let pgn = folder.path("games.pgn");
    fs::write(&pgn, "[Event \"An older game\"]\n\n1. d4 *\n").expect("a file to add to");
    let save = format!("save {pgn}");
    let typed = ["e4", &save, "e5", &save, &save, "Nf3", "resign"];
    play(&["--black", "human", "--pgn", &pgn], &typed);
    let games = fs::read_to_string(&pgn).expect("the games were kept");
    assert_eq!(games.matches("[Event ").count(), 2, "{games}");
    let (older, newer) = games.split_at(games.rfind("[Event ").expect("a game"));
    assert_eq!(older, "[Event \"An older game\"]\n\n1. d4 *\n\n");
    assert!(
        newer.contains("1. e4 e5 2. Nf3 {Black resigns, White wins} 1-0"),
        "{newer}"
    );
    // What another program has added meanwhile stays.
    let mut game = Conversation::start_with(&["play", "--black", "human"]);
    game.send("e4");
    game.send(&save);
    game.expect_prefix("the game so far is in ");
    let with_another = fs::read_to_string(&pgn).expect("the games") + "\n[Event \"Other\"]\n\n*\n";
    fs::write(&pgn, &with_another).expect("a file to add to");
    game.send("e5");
    game.send(&save);
    game.expect_prefix("the game so far is in ");
    game.close_stdin();
    assert!(game.wait_exit().success());
    let games = fs::read_to_string(pgn).expect("the games were kept");
    assert!(games.starts_with(&with_another), "{games}");
}

#[test]
fn two_people_see_no_evaluation_until_they_ask_for_it() {
    let people = ["--black", "human"];
    let shown = play(&people, &["e4", "e5", "board", "resign"]);
    assert!(
        !shown.iter().any(|line| line.contains("depth")),
        "{shown:?}"
    );
    let shown = play(&people, &["e4", "eval on", "eval off", "e5", "resign"]);
    assert_shown(&shown, "the evaluation is shown");
    assert_eq!(
        shown.iter().filter(|line| line.contains("depth")).count(),
        1
    );
}

#[test]
fn the_evaluation_of_the_engine_can_be_hidden() {
    let moves = ["e4", "d4", "quit"];
    let shown = play(&["--depth", "3"], &moves);
    assert_shown(&shown, "/3");
    let shown = play(&["--depth", "3", "--hide-eval"], &moves);
    let is_evaluation = |line: &String| line.contains("/3") || line.contains("depth 3 ");
    assert!(!shown[1..].iter().any(is_evaluation), "{shown:?}");
}

#[test]
fn what_a_weak_level_thinks_is_not_written_down() {
    let folder = Scratch::new("play-weak-evaluation");
    let depths = |name: &str, more: &[&str]| {
        let pgn = folder.path(name);
        let weak = ["--depth", "1", "--elo", "800", "--pgn", &pgn];
        play(&[weak.as_slice(), more].concat(), &["e4", "h3", "quit"]);
        let pgn = fs::read_to_string(pgn).expect("the game was kept");
        let depth = |eval: &str| eval.split([',', ']']).nth(1).map(str::to_owned);
        let depths = pgn.split("[%eval ").skip(1).map(depth);
        depths.collect::<Vec<Option<String>>>()
    };
    // What the adviser thinks is.
    let shown = depths("shown.pgn", &[]);
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert!(!shown.contains(&Some("1".to_owned())), "{shown:?}");
    assert_eq!(depths("hidden.pgn", &["--hide-eval"]), []);
}

#[test]
fn names_with_escape_sequences_are_shown_without_them() {
    let anna = "human:\u{1b}[2JAnna\u{202e}";
    let shown = play(
        &["--white", anna, "--black", "human"],
        &["e4", "undo \u{1b}[2J", "resign"],
    );
    assert_shown(&shown, "?[2JAnna (White)");
    assert_shown(&shown, "leave out '?[2J'");
    let is_wild = |line: &String| line.contains(['\u{1b}', '\u{202e}']);
    assert!(!shown.iter().any(is_wild), "{shown:?}");
}

#[test]
fn the_own_color_has_a_short_word() {
    let shown = play(&["--as", "black", "--depth", "1"], &["resign"]);
    assert_shown(&shown, "Human (Black)");
    assert_eq!(result(&shown), "1-0: Black resigns, White wins");
    let shown = play(&["--as", "w", "--black", "human:Ben"], &["resign"]);
    assert_shown(&shown, "Human against Ben");
    for (arguments, reason) in [
        (
            ["--color", "black"].as_slice(),
            "squarewise play --as black",
        ),
        (&["--color=white"], "squarewise play --as white"),
        (&["--as", "red"], "expected white or black"),
    ] {
        let output = refused(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(reason), "{arguments:?}: {told}");
    }
    let output = refused(&["--as", "black", "--black", "engine"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        told.contains("--as black says that you play black"),
        "{told}"
    );
}

#[test]
fn the_end_of_the_input_ends_the_game_and_keeps_it() {
    let folder = Scratch::new("play-end-of-input");
    let pgn = folder.path("game.pgn");
    fs::write(&pgn, "[Event \"An older game\"]\n\n1. d4 *\n").expect("a file to add to");
    let shown = play(&["--depth", "1", "--pgn", &pgn], &["e4"]);
    assert_eq!(result(&shown), "*: the input ended before the game");
    let pgn = fs::read_to_string(pgn).expect("the game was kept");
    assert!(
        pgn.starts_with("[Event \"An older game\"]\n\n1. d4 *\n\n["),
        "{pgn}"
    );
    assert!(pgn.contains("1. e4 "), "{pgn}");
}

#[test]
fn a_game_that_cannot_be_kept_is_shown() {
    let folder = Scratch::new("play-lost");
    let pgn = folder.path("game.pgn");
    let mut game = Conversation::start_with(&["play", "--black", "human", "--pgn", &pgn]);
    game.send("e4");
    game.expect_prefix("1. e4");
    // Something else stands where the file was to be.
    fs::create_dir(&pgn).expect("a folder");
    game.send("resign");
    game.expect_prefix("1-0: ");
    game.expect_prefix("1. e4 {Black resigns, White wins} 1-0");
    assert_eq!(game.wait_exit().code(), Some(1));
}

#[test]
fn this_engine_plays_itself_to_the_end() {
    let folder = Scratch::new("play-self-play");
    let pgn = folder.path("game.pgn");
    let shown = play(
        &[
            "--white", "engine", "--black", "engine", "--depth", "1", "--pgn", &pgn,
        ],
        &[],
    );
    let has_result = ["1-0", "0-1", "1/2-1/2"]
        .iter()
        .any(|text| result(&shown).starts_with(text));
    assert!(has_result, "{}", result(&shown));
    let pgn = fs::read_to_string(pgn).expect("the game was kept");
    for part in ["[%eval ", "[Termination \"normal\"]", "[TimeControl \"-\"]"] {
        assert!(pgn.contains(part), "{part} in\n{pgn}");
    }
}

#[test]
fn this_engine_plays_another_one_on_the_clock() {
    // Double quotation marks are such on every system.
    let child = format!("uci:\"{}\"", engine());
    let players = [
        "--white",
        "engine",
        "--black",
        &child,
        "--option-black",
        "Hash=1",
    ];
    let game = [
        "--time",
        "0.5+0.05",
        "--fen",
        "7k/8/5K2/8/8/8/8/6Q1 b - - 0 1",
    ];
    let shown = play(&[players.as_slice(), &game].concat(), &[]);
    assert_shown(&shown, "1... Kh7");
    assert_shown(&shown, "2. Qg7#");
    assert_eq!(result(&shown), "1-0: checkmate, White wins");
}

#[test]
fn the_start_position_has_a_name() {
    let shown = play(&["--black", "human", "--fen", "startpos"], &["fen", "quit"]);
    assert_shown(&shown, START);
}

#[test]
fn what_is_wrong_with_the_arguments_is_told_before_the_game() {
    let folder = Scratch::new("play-arguments");
    let in_missing_folder = folder.path("missing/game.pgn");
    for (arguments, code, reason) in [
        (["--white", "computer"].as_slice(), 2, "uci:COMMAND"),
        (&["--time", "five"], 2, "minutes+seconds"),
        (&["--time", "5+3", "--depth", "1"], 2, "cannot be used with"),
        (&["--elo", "100"], 2, "a rating from 500 to 3000"),
        (&["--elo", "own"], 1, "--style"),
        (
            &["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
            2,
            "the board is empty",
        ),
        (&["--option-black", "Hash"], 2, "NAME=VALUE"),
        (&["--option-black", "Hash=1"], 1, "uci:COMMAND"),
        (&["--black", "human", "--elo", "1000"], 1, "--elo"),
        (
            &["--black", "human", "--depth", "5"],
            1,
            "--depth is for engines, and neither side is one",
        ),
        (
            &["--fen", "R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1"],
            1,
            "checkmate",
        ),
        (
            &["--fen", "8/8/4k3/8/8/8/8/K7 w - - 0 1"],
            1,
            "end of a game",
        ),
        (&["--pgn", &in_missing_folder], 1, "game.pgn"),
        (&["--pgn", folder.as_str()], 1, "not a regular file"),
        (&["--book", "/nonexistent/book.bin"], 1, "book.bin"),
        (
            &["--book", "book.bin", "--variant", "torpedo"],
            1,
            "--book is for chess, not for a variant",
        ),
        (
            &["--black", "uci:/nonexistent/engine"],
            1,
            "can't be started: there is no such program here; give its path",
        ),
        (&["--black", "uci:sh -c \"echo"], 1, "quotation mark"),
    ] {
        let output = refused(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
        assert!(told.contains(reason), "{arguments:?}: {told}");
        let paths = told.matches(&in_missing_folder).count();
        assert!(paths <= 1, "the path is told once: {told}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[cfg(unix)]
mod other_engines {
    //! Engines that behave badly, as scripts of the shell.

    use super::*;

    /// An engine that does this when it is asked for a move. It plays Black.
    fn script(on_go: &str) -> String {
        let handshake = "isready) echo readyok;; uci) echo id name Script; echo uciok;;";
        let quit = "quit) exit;;";
        format!(
            "uci:sh -c 'while read line; do case \"$line\" in {handshake} {quit} go*) {on_go};; esac; done'"
        )
    }

    /// How long an engine that has to lose may be silent, in milliseconds. It holds for the
    /// introduction, too, which comes late on a busy machine.
    const PATIENCE: [&str; 2] = ["--patience", "2000"];

    /// The result of a game in which White plays e4 and the script is to answer.
    fn against(script: &str, more: &[&str]) -> Vec<String> {
        let arguments = ["--black", script];
        play(&[arguments.as_slice(), more].concat(), &["e4", "resign"])
    }

    #[test]
    fn one_that_plays_by_the_rules_plays() {
        let shown = against(
            &script("echo info depth 3 score cp 20; echo bestmove e7e5"),
            &[],
        );
        assert_shown(&shown, "1... e5");
        assert_shown(&shown, "-0.20/3");
        assert_eq!(result(&shown), "0-1: White resigns, Black wins");
    }

    #[test]
    fn one_whose_name_has_escape_sequences_is_shown_without_them() {
        let named = script("echo bestmove e7e5");
        let wild = r#"printf "id name \\033[2JWild\n""#;
        let shown = against(&named.replace("echo id name Script", wild), &[]);
        assert_shown(&shown, "?[2JWild (Black)");
        assert!(
            !shown.iter().any(|line| line.contains('\u{1b}')),
            "{shown:?}"
        );
    }

    #[test]
    fn one_that_moves_illegally_loses() {
        for (text, shown_text) in [("e2e4", "e2e4"), ("(none)", "(none)"), ("", "nothing")] {
            let shown = against(&script(&format!("echo \"bestmove {text}\"")), &[]);
            let expected =
                format!("1-0: Black played {shown_text}, which is not a legal move, White wins");
            assert_eq!(result(&shown), expected);
        }
    }

    #[test]
    fn one_that_dies_loses_with_its_last_words() {
        let shown = against(&script("echo out of memory >&2; exit 3"), &[]);
        let expected = "1-0: Black has ended: exit status: 3, saying 'out of memory', White wins";
        assert_eq!(result(&shown), expected);
        let shown = against(&script("kill -9 $$"), &[]);
        assert!(result(&shown).contains("signal: 9"), "{}", result(&shown));
    }

    #[test]
    fn one_that_hangs_loses_under_every_time_control() {
        let hanging = script("while :; do sleep 1; done");
        for limit in [["--movetime", "50"], ["--depth", "9"], ["--time", "60"]] {
            let shown = against(&hanging, &[limit, PATIENCE].concat());
            assert!(
                result(&shown).starts_with("1-0: Black does not answer"),
                "{limit:?}: {}",
                result(&shown)
            );
        }
    }

    #[test]
    fn one_that_floods_its_output_loses_and_fills_no_memory() {
        for flood in ["bestmoves e7e5", "info depth 1 score cp 1", "readyok"] {
            let flooding = script(&format!("while :; do echo {flood}; done"));
            let shown = against(&flooding, &[["--movetime", "50"], PATIENCE].concat());
            assert!(
                result(&shown).starts_with("1-0: Black does not answer"),
                "{flood}: {}",
                result(&shown)
            );
        }
    }

    #[test]
    fn one_that_talks_rubbish_and_never_ends_is_ended() {
        let folder = Scratch::new("play-immortal");
        let pid_file = folder.path("pid");
        let rubbish = "printf \"\\\\000\\\\377 \\\\033[2J bestmove\\n\"; echo bestmove c7c5";
        let immortal = script(&format!("echo $$ > {pid_file}; {rubbish}"));
        let immortal = immortal.replace("quit) exit;;", "quit) trap \"\" TERM INT HUP; sleep 60;;");
        let shown = against(&immortal, &[]);
        assert_shown(&shown, "1... c5");
        assert_eq!(result(&shown), "0-1: White resigns, Black wins");
        let pid = fs::read_to_string(pid_file).expect("the script has written its number");
        let is_alive = Command::new("kill")
            .args(["-0", pid.trim()])
            .stderr(Stdio::null())
            .status();
        assert!(!is_alive.expect("kill is everywhere").success(), "{pid}");
    }

    #[test]
    fn one_that_cannot_be_set_up_is_an_error_before_the_game() {
        // Start position 0: the kings are not on the e-file.
        const CHESS960: &str = "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1";
        let silent = "uci:sh -c 'while read line; do :; done'";
        let short = "uci:sh -c 'echo sh: no such engine >&2; exit 127'";
        let script = script("echo bestmove e7e5");
        for (arguments, reason) in [
            (
                ["--black", silent, "--patience", "300"].as_slice(),
                "has not answered `uci`",
            ),
            (&["--black", short], "saying 'sh: no such engine'"),
            (
                &["--black", &script, "--option-black", "Foo=1"],
                "Script has no option 'Foo'",
            ),
            (
                &["--black", &script, "--fen", CHESS960],
                "Script does not play Chess960",
            ),
        ] {
            let output = refused(arguments);
            let told = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{told}");
            assert!(told.contains(reason), "{told}");
        }
    }
}

#[cfg(unix)]
mod at_a_terminal {
    //! A person at a terminal, with the line editor.

    use std::time::{Duration, Instant};

    use super::*;
    use nix::sys::signal::Signal;
    use rexpect::session::{PtySession, spawn_command};

    /// The longest time for any answer, in milliseconds.
    const DEADLINE: u64 = 20_000;

    /// A game in a terminal without colors, so that what is shown is text.
    fn start(arguments: &[&str]) -> PtySession {
        let mut command = Command::new(engine());
        command.arg("play").args(arguments);
        command.env("TERM", "xterm").env("NO_COLOR", "1");
        spawn_command(command, Some(DEADLINE)).expect("a pseudo-terminal")
    }

    fn expect(game: &mut PtySession, text: &str) {
        if let Err(error) = game.exp_string(text) {
            panic!("{text:?} was not shown: {error}");
        }
    }

    fn type_line(game: &mut PtySession, line: &str) {
        expect(game, "Your move: ");
        game.send_line(line).expect("the terminal is open");
    }

    /// Types a line after something was shown.
    fn answer(game: &mut PtySession, shown: &str, line: &str) {
        expect(game, shown);
        game.send_line(line).expect("the terminal is open");
    }

    /// A game in a window of this size.
    fn start_in_window(columns: u16, rows: u16, arguments: &str) -> PtySession {
        let program = engine();
        let script = format!("stty cols {columns} rows {rows}; exec {program} play {arguments}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]);
        command.env("TERM", "xterm").env("NO_COLOR", "1");
        spawn_command(command, Some(DEADLINE)).expect("a pseudo-terminal")
    }

    fn assert_ends(mut game: PtySession) {
        game.exp_eof().expect("the program ends");
        let status = game.process().wait().expect("the program has ended");
        let status = format!("{status:?}");
        assert!(
            status.starts_with("Exited") && status.ends_with(" 0)"),
            "{status}"
        );
    }

    #[test]
    fn a_person_plays_slips_asks_and_resigns() {
        let folder = Scratch::new("play-terminal");
        let pgn = folder.path("game.pgn");
        let mut game = start(&["--depth", "1", "--pgn", &pgn]);
        expect(&mut game, "> Human (White)");
        type_line(&mut game, "Ke3");
        expect(&mut game, "Ke3 is not possible: ");
        type_line(&mut game, "e4");
        expect(&mut game, "has played 1... ");
        type_line(&mut game, "hint");
        expect(&mut game, ", depth ");
        type_line(&mut game, "why");
        type_line(&mut game, "undo");
        expect(&mut game, "your last move is taken back");
        // The editor completes what all moves of the pawn have in common, and the command.
        type_line(&mut game, "d2\t4");
        expect(&mut game, "has played 1... ");
        type_line(&mut game, "resi\t");
        answer(&mut game, "Resign?", "no");
        expect(&mut game, "the game goes on");
        type_line(&mut game, "resign");
        answer(&mut game, "Resign?", "yes");
        expect(&mut game, "0-1: White resigns, Black wins");
        expect(&mut game, &format!("squarewise analyze {pgn}"));
        answer(&mut game, "What next: ", "quit");
        assert_ends(game);
        let pgn = fs::read_to_string(pgn).expect("the game was kept");
        assert!(pgn.contains("1. d4 ") && pgn.contains("0-1"), "{pgn}");
    }

    #[test]
    fn ctrl_c_at_the_prompt_ends_the_game_and_keeps_it() {
        let folder = Scratch::new("play-ctrl-c-at-the-prompt");
        let pgn = folder.path("game.pgn");
        let mut game = start(&["--depth", "1", "--pgn", &pgn]);
        type_line(&mut game, "e4");
        expect(&mut game, "has played 1... ");
        expect(&mut game, "Your move: ");
        game.send_control('c').expect("the terminal is open");
        expect(&mut game, "*: the game was interrupted");
        assert_ends(game);
        let pgn = fs::read_to_string(pgn).expect("the game was kept");
        assert!(
            pgn.contains("1. e4 ") && pgn.contains("[Result \"*\"]"),
            "{pgn}"
        );
    }

    #[test]
    fn ctrl_c_while_an_engine_thinks_ends_the_game_and_keeps_it() {
        let folder = Scratch::new("play-ctrl-c-while-thinking");
        let pgn = folder.path("game.pgn");
        let child = format!("uci:'{}'", engine());
        for black in ["engine", &child] {
            let limits = ["--movetime", "60000", "--black", black, "--pgn", &pgn];
            let mut game = start(&limits);
            type_line(&mut game, "e4");
            expect(&mut game, "is thinking");
            game.send_control('c').expect("the terminal is open");
            expect(&mut game, "*: the game was interrupted");
            assert_ends(game);
        }
        let pgn = fs::read_to_string(pgn).expect("the games were kept");
        assert_eq!(pgn.matches("1. e4 ").count(), 2, "{pgn}");
    }

    #[test]
    fn the_request_to_end_is_heard_at_the_prompt() {
        let folder = Scratch::new("play-terminated");
        let pgn = folder.path("game.pgn");
        let mut game = start(&["--depth", "1", "--pgn", &pgn]);
        type_line(&mut game, "e4");
        expect(&mut game, "Your move: ");
        assert_a_request_to_end_is_heard(game, &pgn);
    }

    #[test]
    fn the_request_to_end_is_heard_during_a_hint() {
        let folder = Scratch::new("play-terminated-during-a-hint");
        let pgn = folder.path("game.pgn");
        let mut game = start(&["--depth", "1", "--pgn", &pgn]);
        type_line(&mut game, "e4");
        expect(&mut game, "has played 1... ");
        type_line(&mut game, "hint");
        // The hint takes 700 ms. A signal that comes before it or after it is heard at the prompt.
        std::thread::sleep(Duration::from_millis(200));
        assert_a_request_to_end_is_heard(game, &pgn);
    }

    /// Asks the program to end, as the system does; the game must be shown as interrupted and kept.
    fn assert_a_request_to_end_is_heard(mut game: PtySession, pgn: &str) {
        let terminated = game.process_mut().signal(Signal::SIGTERM);
        terminated.expect("the program runs");
        expect(&mut game, "*: the game was interrupted");
        assert_ends(game);
        fs::metadata(pgn).expect("the game was kept");
    }

    #[test]
    fn a_flag_falls_during_a_hint() {
        let mut game = start(&["--time", "0.01"]);
        type_line(&mut game, "hint");
        expect(&mut game, "0-1: White is out of time, Black wins");
        answer(&mut game, "What next: ", "quit");
        assert_ends(game);
    }

    #[test]
    fn what_is_typed_while_the_engine_thinks_acts_at_once_or_waits() {
        let mut game = start(&["--movetime", "60000"]);
        type_line(&mut game, "e4");
        answer(&mut game, "Meanwhile: ", "flip");
        expect(&mut game, "   h  g  f  e  d  c  b  a");
        answer(&mut game, "Meanwhile: ", "Nf3");
        expect(&mut game, "Nf3 waits for your turn");
        answer(&mut game, "Meanwhile: ", "udno");
        expect(&mut game, "did you mean undo?");
        answer(&mut game, "Meanwhile: ", "now");
        // The move that has waited is played.
        expect(&mut game, "2. Nf3");
        answer(&mut game, "Meanwhile: ", "undo");
        expect(&mut game, "your last move is taken back");
        type_line(&mut game, "a3");
        answer(&mut game, "Meanwhile: ", "resign");
        answer(&mut game, "Yes or no: ", "y");
        expect(&mut game, "0-1: White resigns, Black wins");
        answer(&mut game, "What next: ", "quit");
        assert_ends(game);
    }

    #[test]
    fn lines_that_are_typed_at_once_are_obeyed_in_order() {
        let mut game = start(&["--movetime", "300"]);
        expect(&mut game, "Your move: ");
        game.send("e4\na3\nh3\n").expect("the terminal is open");
        game.flush().expect("the terminal is open");
        expect(&mut game, "3. h3");
        expect(&mut game, "has played 3... ");
        type_line(&mut game, "quit");
        expect(&mut game, "*: the game was interrupted");
        assert_ends(game);
    }

    #[test]
    fn what_was_typed_behind_a_move_that_is_impossible_is_not_played_in_its_place() {
        let mut game = start(&["--movetime", "60000"]);
        expect(&mut game, "Your move: ");
        game.send("e4\nKe4\nh3\nnow\n")
            .expect("the terminal is open");
        game.flush().expect("the terminal is open");
        expect(&mut game, "Ke4 is not possible");
        expect(&mut game, "dropped");
        type_line(&mut game, "a3");
        expect(&mut game, "2. a3");
        answer(&mut game, "Meanwhile: ", "quit");
        assert_ends(game);
    }

    #[test]
    fn another_engine_moves_at_once_when_told() {
        let child = format!("uci:'{}'", engine());
        let mut game = start(&["--movetime", "60000", "--black", &child]);
        type_line(&mut game, "e4");
        answer(&mut game, "Meanwhile: ", "now");
        expect(&mut game, "has played 1... ");
        type_line(&mut game, "quit");
        assert_ends(game);
    }

    #[test]
    fn the_late_answer_of_an_engine_that_was_stopped_is_not_its_next_move() {
        let on_stop =
            r#"n=x$n; case $n in x) sleep 1; echo bestmove e2e4;; *) echo bestmove a7a6;; esac"#;
        let script = format!(
            "uci:sh -c 'while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; stop) {on_stop};; quit) exit;; esac; done'"
        );
        let mut game = start(&["--movetime", "60000", "--black", &script]);
        type_line(&mut game, "e4");
        answer(&mut game, "Meanwhile: ", "undo");
        expect(&mut game, "your last move is taken back");
        type_line(&mut game, "d4");
        // The answer to the first move comes now, and is illegal.
        answer(&mut game, "Meanwhile: ", "now");
        expect(&mut game, "has played 1... a6");
        type_line(&mut game, "quit");
        assert_ends(game);
    }

    #[test]
    fn ctrl_l_and_another_size_of_the_window_draw_the_board_anew() {
        let mut game = start(&["--depth", "1"]);
        expect(&mut game, ";24r");
        expect(&mut game, "Your move: ");
        game.send_control('l').expect("the terminal is open");
        expect(&mut game, "8  r  n  b  q");
        expect(&mut game, ";24r");
        expect(&mut game, "Your move: ");
        let terminal = game.process().get_file_handle().expect("a terminal");
        let resized = Command::new("stty")
            .args(["cols", "40", "rows", "20"])
            .stdin(terminal)
            .status();
        assert!(resized.expect("stty is everywhere").success());
        // The panel stands above the board now.
        expect(&mut game, "(Black)");
        expect(&mut game, "8  r  n  b  q");
        expect(&mut game, ";20r");
        type_line(&mut game, "quit");
        assert_ends(game);
    }

    #[test]
    fn a_small_window_has_a_board_and_a_smaller_one_says_that_it_is_small() {
        let mut game = start_in_window(30, 10, "--depth 1");
        expect(&mut game, "8  r  n  b  q");
        type_line(&mut game, "e4");
        expect(&mut game, "4  .  .  .  .  P");
        expect(&mut game, "1... ");
        type_line(&mut game, "quit");
        assert_ends(game);
        let mut game = start_in_window(25, 8, "--depth 1");
        expect(&mut game, "The board needs 29");
        type_line(&mut game, "quit");
        assert_ends(game);
    }

    #[test]
    fn an_engine_that_lost_by_an_illegal_move_plays_the_rematch() {
        let on_go = r#"n=x$n; case $n in x) echo bestmove e2e4;; *) echo bestmove d2d4;; esac"#;
        let script = format!(
            "uci:sh -c 'while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) {on_go};; quit) exit;; esac; done'"
        );
        let mut game = start(&["--movetime", "60000", "--black", &script]);
        type_line(&mut game, "e4");
        expect(&mut game, "which is not a legal move");
        answer(&mut game, "What next: ", "rematch");
        expect(&mut game, "has played 1. d4");
        type_line(&mut game, "quit");
        assert_ends(game);
    }

    #[test]
    fn an_engine_whose_process_has_ended_plays_no_rematch_and_its_game_can_be_saved() {
        let folder = Scratch::new("play-engine-that-has-ended");
        let pgn = folder.path("game.pgn");
        let script = "uci:sh -c 'while read line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;; go*) exit 3;; quit) exit;; esac; done'";
        let mut game = start(&["--movetime", "60000", "--black", script]);
        type_line(&mut game, "e4");
        expect(&mut game, "1-0: Black has ended: exit status: 3");
        let before_the_prompt = game.exp_string("What next: ").expect("a prompt");
        assert!(
            !before_the_prompt.contains("rematch"),
            "{before_the_prompt:?}"
        );
        game.send_line("rematch").expect("the terminal is open");
        expect(&mut game, "there is no rematch");
        answer(&mut game, "What next: ", &format!("save {pgn}"));
        expect(&mut game, "the game so far is in");
        answer(&mut game, "What next: ", "quit");
        assert_ends(game);
        let pgn = fs::read_to_string(pgn).expect("the game was saved");
        assert!(pgn.contains("[Termination \"abandoned\"]"), "{pgn}");
    }

    #[test]
    fn a_rematch_is_played_with_colors_changed() {
        let folder = Scratch::new("play-rematch");
        let pgn = folder.path("games.pgn");
        let mut game = start(&["--depth", "1", "--pgn", &pgn]);
        type_line(&mut game, "e4");
        expect(&mut game, "has played 1... ");
        type_line(&mut game, "resign");
        answer(&mut game, "Yes or no: ", "yes");
        answer(&mut game, "What next: ", "e5");
        expect(&mut game, "the game is over");
        answer(&mut game, "What next: ", "rematch");
        expect(&mut game, "> Human (Black)");
        type_line(&mut game, "a6");
        expect(&mut game, "has played 2. ");
        type_line(&mut game, "quit");
        assert_ends(game);
        let pgn = fs::read_to_string(pgn).expect("the games were kept");
        assert_eq!(pgn.matches("[White \"Human\"]").count(), 1, "{pgn}");
        assert_eq!(pgn.matches("[Black \"Human\"]").count(), 1, "{pgn}");
    }

    #[test]
    fn a_weak_level_takes_a_second_before_it_answers() {
        let mut game = start(&["--depth", "1", "--elo", "800"]);
        expect(&mut game, "Your move: ");
        let asked = Instant::now();
        game.send_line("e4").expect("the terminal is open");
        expect(&mut game, "has played 1... ");
        assert!(asked.elapsed() >= Duration::from_millis(900));
        type_line(&mut game, "quit");
        assert_ends(game);
    }

    #[test]
    fn a_simple_terminal_has_a_prompt_and_no_escape_sequences() {
        let mut command = Command::new(engine());
        command.args(["play", "--depth", "1"]).env("TERM", "dumb");
        let mut game = spawn_command(command, Some(DEADLINE)).expect("a pseudo-terminal");
        type_line(&mut game, "e4");
        expect(&mut game, "1... ");
        type_line(&mut game, "resign");
        answer(&mut game, "Yes or no: ", "yes");
        let shown = game.exp_string("0-1: White resigns, Black wins");
        let shown = shown.expect("the result is shown");
        assert!(!shown.contains('\u{1b}'), "{shown:?}");
        answer(&mut game, "What next: ", "quit");
        assert_ends(game);
    }

    #[test]
    fn a_flag_falls_at_the_prompt_without_an_answer() {
        let mut game = start(&["--time", "0.01"]);
        expect(&mut game, "Your move: ");
        expect(&mut game, "0-1: White is out of time, Black wins");
        answer(&mut game, "What next: ", "quit");
        assert_ends(game);
    }
}
