//! Playing like a player: the option `PlayerStyle`, and `mimic` on games as they come.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::{fs, iter};

use crate::support::scratch::Scratch;
use crate::support::{Conversation, engine, programs};
use squarewise_engine::style::Style;

const TAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/styles/tal.style");

/// A middlegame in which several moves are nearly equal.
const QUIET: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b - - 0 9";

/// A game of Smith and one that is broken, with other people around.
const GAMES: &str = "[White \"Smith, J\"]\n[Black \"A\"]\n[Date \"2020.01.01\"]\n\n\
    1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
    9. h3 Na5 10. Bc2 c5 11. d4 Qc7 12. Nbd2 cxd4 1-0\n\n\
    [White \"Smith, J\"]\n[Black \"B\"]\n\n1. e4 Ke4 1-0\n\n\
    [White \"C\"]\n[Black \"Smith, Zoe\"]\n\n1. e4 c5 0-1\n\n\
    [White \"Smith, J\"]\n[Black \"A\"]\n[Date \"2020.01.01\"]\n\n1. d4 d5 0-1\n";

/// The moves that an engine with this style and this seed plays.
fn moves(seed: u32) -> Vec<String> {
    let mut engine = Conversation::start();
    engine.assert_accepted(&format!("setoption name PlayerStyle value {TAL}"));
    engine.assert_accepted(&format!("setoption name RandomSeed value {seed}"));
    engine.send("position startpos");
    let mut moves = vec![engine.best_move("go nodes 5000")];
    engine.send(QUIET);
    moves.extend((0..4).map(|_| engine.best_move("go nodes 5000")));
    moves
}

#[test]
fn the_seed_decides_what_a_style_plays() {
    let first = moves(1);
    assert_eq!(moves(1), first);
    assert!((2..6).any(|seed| moves(seed) != first), "{first:?}");
}

#[test]
fn a_style_opens_from_its_book_and_analysis_ignores_it() {
    let mut engine = Conversation::start();
    engine.assert_accepted(&format!("setoption name PlayerStyle value {TAL}"));
    engine.send("position startpos");
    let answer = engine.search("go depth 3");
    assert!(answer[0].starts_with("info string book move"), "{answer:?}");
    engine.assert_accepted("setoption name UCI_AnalyseMode value true");
    let answer = engine.search("go depth 3");
    assert!(!answer[0].contains("book"), "{answer:?}");
}

#[test]
fn each_of_several_lines_has_the_depth_of_the_first() {
    let mut engine = Conversation::start();
    engine.assert_accepted(&format!("setoption name PlayerStyle value {TAL}"));
    engine.assert_accepted("setoption name MultiPV value 3");
    // The first move wins the queen, so that no other is near it.
    engine.send("position fen 4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1");
    let answer = engine.search("go depth 6");
    let lines: Vec<&String> = answer
        .iter()
        .filter(|line| line.contains(" multipv ") && !line.contains("bound"))
        .collect();
    for depth in 1..=6 {
        for line in 1..=3 {
            let shown = format!("info depth {depth} ");
            let multipv = format!(" multipv {line} ");
            let is_shown = |other: &&String| other.starts_with(&shown) && other.contains(&multipv);
            assert!(lines.iter().any(is_shown), "{answer:#?}");
        }
    }
}

#[test]
fn the_lines_that_are_left_at_the_end_begin_with_different_moves() {
    let mut engine = Conversation::start();
    engine.assert_accepted(&format!("setoption name PlayerStyle value {TAL}"));
    engine.assert_accepted("setoption name MultiPV value 3");
    engine.send("position startpos moves a2a3 a7a6 h2h3 h7h6 b2b3 b7b6 g2g3 g7g6 c1b2 g8f6");
    let word = |line: &str, name: &str| -> String {
        let mut words = line.split(' ').skip_while(|word| *word != name);
        words.nth(1).expect("a value").to_owned()
    };
    let mut later = 0;
    for search in 0..20 {
        let answer = engine.search(&format!("go nodes {}", 2_000 + 137 * search));
        let mut left = HashMap::new();
        let is_line = |line: &&String| line.contains(" multipv ");
        for line in answer.iter().filter(is_line) {
            left.insert(word(line, "multipv"), word(line, "pv"));
        }
        let moves: HashSet<&String> = left.values().collect();
        assert_eq!(moves.len(), left.len(), "{answer:#?}");
        let last = answer.iter().rfind(is_line).expect("a line");
        assert_eq!(
            word(last, "pv"),
            word(&answer[answer.len() - 1], "bestmove")
        );
        later += u32::from(word(last, "multipv") != "1");
    }
    assert!(later > 0, "the style chose another move than the best");
}

#[test]
fn the_styles_that_ship_have_names() {
    let mut engine = Conversation::start();
    for name in ["Tal", "tal", "MORPHY"] {
        engine.assert_accepted(&format!("setoption name PlayerStyle value {name}"));
    }
    engine.assert_refused(
        "setoption name PlayerStyle value Anderssen",
        "capablanca, carlsen, fischer, karpov, kasparov, kramnik, morphy, tal",
    );
}

#[test]
fn an_engine_can_be_as_strong_as_the_player() {
    let level = Style::read(Path::new(TAL)).expect("a style").level();
    assert!((2_000..2_900).contains(&level), "{level}");
    let arguments = [
        "play",
        "--white",
        "engine",
        "--black",
        "engine",
        "--style",
        TAL,
        "--elo",
        "own",
        "--movetime",
        "1",
        "--fen",
        "4k3/8/3K4/8/8/8/8/6Q1 w - - 0 1",
    ];
    let shown = programs::output_of(&mut programs::without_input(engine(), &arguments));
    assert!(shown.contains(&format!("({level})")), "{shown}");
}

#[test]
fn a_bad_style_is_refused_with_a_word_and_the_engine_plays_on() {
    let folder = Scratch::new("styles-bad");
    let whole = fs::read(TAL).expect("the style");
    let cut = folder.file("cut.style", &whole[..whole.len() / 2]);
    let other = folder.file("other.style", "1. e4 e5\n");
    let missing = folder.path("missing.style");
    let mut plain = Conversation::start();
    let mut engine = Conversation::start();
    for path in [&cut, &other, &missing] {
        engine.assert_refused(&format!("setoption name PlayerStyle value {path}"), path);
    }
    for conversation in [&mut plain, &mut engine] {
        conversation.send(QUIET);
    }
    let answers = [&mut plain, &mut engine].map(|engine| engine.best_move("go nodes 20000"));
    assert_eq!(answers[0], answers[1], "full strength");
}

#[test]
fn a_fit_tells_what_it_leaves_out_and_goes_on_where_it_was() {
    let folder = Scratch::new("styles-fit");
    let games = folder.file("games.pgn", GAMES);
    let style = folder.path("smith.style");
    let arguments = [
        "mimic", "fit", "--games", &games, "--player", "Smith", "--out", &style, "--nodes", "1000",
    ];
    let run = || programs::output_of(&mut programs::without_input(engine(), &arguments));
    let told = run();
    for part in [
        "games.pgn, game 2: ",
        "\"Smith, Zoe\"",
        "Smith, J: 2 games until 2020.01.01",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let first = fs::read(&style).expect("a style");
    assert_eq!(run(), told);
    assert_eq!(fs::read(&style).expect("a style"), first);
    let read = Style::read(Path::new(&style)).expect("a style");
    assert_eq!((read.name.as_str(), read.games), ("Smith, J", 2));
    assert!(told.contains("  few pieces: no moves\n"), "{told}");
    let shown = programs::output_of(&mut programs::without_input(
        engine(),
        &["mimic", "show", &style],
    ));
    assert!(shown.contains("as White: e4 75 %, d4 25 %"), "{shown}");
    assert!(shown.contains("  with few pieces: no moves\n"), "{shown}");
    // The same games in UTF-16, after other ones.
    let other = folder.file("other.pgn", "[White \"Other\"]\n\n1. c4 *\n");
    let utf16 = folder.path("utf16.pgn");
    let units = iter::once(0xfeff).chain(GAMES.encode_utf16());
    fs::write(
        &utf16,
        units.flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
    )
    .expect("room");
    let style = folder.path("utf16.style");
    let arguments = [
        "mimic", "fit", "--games", &other, &utf16, "--player", "Smith", "--out", &style, "--nodes",
        "1000",
    ];
    programs::output_of(&mut programs::without_input(engine(), &arguments));
    assert_eq!(fs::read(&style).expect("a style"), first);
}

#[test]
fn a_player_who_is_not_there_or_named_twice_is_an_error_and_writes_nothing() {
    let folder = Scratch::new("styles-nobody");
    let games = folder.file("games.pgn", GAMES);
    let style = folder.path("nobody.style");
    for (names, reason) in [
        (["Smith", "Nobody"], "\"Nobody\""),
        (["Smith", "Smith, J"], "Smith, J is named twice"),
    ] {
        let mut arguments = vec!["mimic", "fit", "--games", &games, "--out", &style];
        arguments.extend(names.iter().flat_map(|name| ["--player", name]));
        let output = programs::run(&mut programs::without_input(engine(), &arguments));
        assert_eq!(output.status.code(), Some(1));
        let message = String::from_utf8_lossy(&output.stderr);
        assert!(message.contains(reason), "{message}");
        // Nothing was searched or written.
        assert_eq!(folder.names(), ["games.pgn"]);
    }
}

#[test]
fn why_tells_the_openings_of_a_style_before_its_choices() {
    let why = |position: &str| {
        let arguments = ["why", position, "--nodes", "2000", "--style", TAL];
        programs::output_of(&mut programs::without_input(engine(), &arguments))
    };
    let style = Style::read(Path::new(TAL)).expect("a style");
    let opening = why("startpos");
    let (_, told) = opening
        .split_once(&format!(
            "{} would play an opening from the book:",
            style.name
        ))
        .expect("the openings");
    assert!(told.contains("  e4 ") && told.contains("  d4 "), "{told}");
    assert!(!opening.contains("would choose"), "{opening}");
    // Behind the book the player chooses.
    let endgame = why("8/5pk1/6p1/8/3R4/5P2/r5PK/8 w - - 0 40");
    assert!(!endgame.contains("from the book"), "{endgame}");
    assert!(endgame.contains(&style.name), "{endgame}");
}

#[test]
fn why_knows_no_style_in_a_variant() {
    let arguments = ["why", "startpos", "--variant", "torpedo", "--style", TAL];
    let message = programs::error_of(&mut programs::without_input(engine(), &arguments));
    assert!(message.contains("--style is for chess"), "{message}");
}

#[test]
fn two_players_are_judged_by_later_games_and_named() {
    let folder = Scratch::new("styles-score");
    let games_of = |player: &str, moves: &str| -> String {
        let game = |year: u32| {
            format!("[White \"{player}\"]\n[Black \"B\"]\n[Date \"{year}\"]\n\n{moves} *\n\n")
        };
        (1990..1998).map(game).collect()
    };
    let ruy = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O \
               9. h3 Nb8 10. d4 Nbd7 11. Nbd2 Bb7";
    let italian = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Re1 a6 8. a4 Ba7 \
                   9. h3 h6 10. Nbd2 Be6 11. Bxe6 fxe6";
    let text = [games_of("Ruy, A", ruy), games_of("Giuoco, B", italian)].concat();
    let games = folder.file("games.pgn", &text);
    let lines = folder.path("all.lines");
    let files = ["Ruy", "Giuoco"].map(|player| {
        let file = folder.path(&format!("{player}.style"));
        let arguments = [
            "mimic",
            "fit",
            "--games",
            &games,
            "--player",
            player,
            "--out",
            &file,
            "--lines",
            &lines,
            "--nodes",
            "1000",
            "--held-out",
            "50",
        ];
        programs::output_of(&mut programs::without_input(engine(), &arguments));
        file
    });
    let arguments = [
        "mimic", "score", &files[0], &files[1], "--games", &games, "--lines", &lines, "--nodes",
        "1000",
    ];
    let told = programs::output_of(&mut programs::without_input(engine(), &arguments));
    for basis in ["by openings", "by moves from the ninth on"] {
        assert!(
            told.contains(&format!("Named right among 2 {basis}")),
            "{told}"
        );
    }
    let named = "  from 1 game: 100.0 (100, 100); from the next 1: 2 of 2\n";
    assert_eq!(told.matches(named).count(), 2, "{told}");
    assert!(!told.contains("from 5 games"), "there are four: {told}");

    let name = |of: &[&str], player: &str| {
        let arguments = ["mimic", "name", "--games", &games, "--player", player];
        let styles: Vec<&str> = files.iter().map(String::as_str).collect();
        let of = if of.is_empty() { &styles[..] } else { of };
        programs::without_input(engine(), &[&arguments[..2], of, &arguments[2..]].concat())
    };
    let told = programs::output_of(&mut name(&[], "Giuoco"));
    assert!(
        told.starts_with("Giuoco, B: 8 games, most like those of\n"),
        "{told}"
    );
    assert_eq!(
        told.matches("    1. Giuoco, B\n    2. Ruy, A, each game ")
            .count(),
        2,
        "{told}"
    );
    let told = programs::error_of(&mut name(&[&files[0]], "Ruy"));
    assert!(told.contains("two styles"), "{told}");
    let told = programs::error_of(&mut name(&[&files[0], &files[1], &files[0]], "Ruy"));
    assert!(told.contains("this player is named twice"), "{told}");
    let told = programs::output_of(&mut name(&["Tal", "Carlsen"], "Ruy"));
    assert!(
        told.contains(" 1. Tal, Mihail\n") || told.contains(" 1. Carlsen,M\n"),
        "{told}"
    );
}
