//! Weaker play, in conversations with the real program: `UCI_LimitStrength`, `UCI_Elo` and `Skill
//! Level`.
//!
//! With a seed and one thread the moves of a level are the same on every machine, so that the tests
//! can play games. How strong the levels are is measured in matches; see `docs/levels.md`.

use std::collections::BTreeSet;

use crate::support::{Conversation, move_of};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};
use squarewise_engine::position::from_fen;

/// A limit that no level reaches.
const GO: &str = "go depth 60";

/// As many players of a level.
const SEEDS: std::ops::RangeInclusive<u32> = 1..=10;

fn set(engine: &mut Conversation, option: &str, value: impl std::fmt::Display) {
    engine.assert_accepted(&format!("setoption name {option} value {value}"));
}

/// An engine that plays at the level of this Elo rating.
fn player(elo: u32, seed: u32) -> Conversation {
    let mut engine = Conversation::start();
    set(&mut engine, "UCI_LimitStrength", true);
    set(&mut engine, "UCI_Elo", elo);
    set(&mut engine, "RandomSeed", seed);
    engine
}

/// A middlegame: no level plays it by heart.
const BEYOND_OPENINGS: &str =
    "fen r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/R3KB1R w KQ - 3 20";

/// The move that the engine plays in a position, and the nodes it took.
fn answer(engine: &mut Conversation, position: &str, go: &str) -> (String, u64) {
    engine.send(&format!("position {position}"));
    let lines = engine.search(go);
    let [.., info, best_move] = lines.as_slice() else {
        panic!("no answer: {lines:?}");
    };
    let nodes = info.split(" nodes ").nth(1).expect("a count of nodes");
    let nodes = nodes.split(' ').next().and_then(|word| word.parse().ok());
    (move_of(best_move), nodes.expect("a number"))
}

/// The moves of a game of an engine against itself.
fn opening(engine: &mut Conversation, plies: usize) -> Vec<String> {
    engine.send("ucinewgame");
    let mut moves: Vec<String> = Vec::new();
    for _ in 0..plies {
        let position = match moves.as_slice() {
            [] => "startpos".to_owned(),
            moves => format!("startpos moves {}", moves.join(" ")),
        };
        moves.push(answer(engine, &position, GO).0);
    }
    moves
}

#[test]
fn a_lower_rating_searches_fewer_nodes() {
    let nodes = [500, 1000, 1500, 2000, 2500].map(|elo| {
        let mut engine = player(elo, 1);
        answer(&mut engine, BEYOND_OPENINGS, GO).1
    });
    assert!(nodes.is_sorted_by(|a, b| a < b), "{nodes:?}");
    assert!(nodes[0] <= 50 && nodes[4] >= 10_000, "{nodes:?}");
}

#[test]
fn levels_begin_games_as_people_do_the_longer_the_higher_they_are() {
    let by_heart = |elo: u32, line: &str| {
        let mut engine = player(elo, 1);
        engine.send(&format!("position startpos{line}"));
        engine.search(GO).concat().contains("book move")
    };
    let ruy_lopez = " moves e2e4 e7e5 g1f3 b8c6 f1b5";
    assert!(by_heart(500, "") && by_heart(2000, ""));
    assert!(!by_heart(500, ruy_lopez) && by_heart(2000, ruy_lopez));
    assert!(!by_heart(2000, " moves e2e4 e7e5 e1e2 e8e7 e2d3 e7d6"));
    let first: BTreeSet<String> = SEEDS
        .map(|seed| answer(&mut player(1000, seed), "startpos", GO).0)
        .collect();
    assert!(
        first.contains("e2e4") && first.contains("d2d4"),
        "{first:?}"
    );
}

#[test]
fn games_differ_but_a_seed_repeats_them() {
    let game = |seed| opening(&mut player(1500, seed), 12);
    assert_eq!(game(1), game(1));
    let games: BTreeSet<Vec<String>> = SEEDS.map(game).collect();
    assert!(games.len() > 7, "{games:?}");
    // So do the games of one engine, from a new game to the next.
    let mut engine = player(1500, 1);
    assert_ne!(opening(&mut engine, 12), opening(&mut engine, 12));
}

#[test]
fn a_level_that_is_set_again_stays_the_same_opponent() {
    let second_answer = |option: &str| {
        let mut engine = player(1500, 1);
        answer(&mut engine, "startpos", GO);
        engine.assert_accepted(option);
        answer(&mut engine, "startpos moves e2e4", GO)
    };
    let expected = second_answer("setoption name Ponder value false");
    assert_eq!(second_answer("setoption name UCI_Elo value 1500"), expected);
    // The rating takes precedence over it.
    assert_eq!(
        second_answer("setoption name Skill Level value 3"),
        expected
    );
}

#[test]
fn a_piece_that_hangs_is_taken_at_a_thousand() {
    let positions = [
        // A queen, a rook, a bishop and a knight, with the square where they can be captured.
        (
            "fen rnb1kbnr/pppp1ppp/8/4p1q1/4P3/3P4/PPP2PPP/RNBQKBNR w KQkq - 1 3",
            "g5",
        ),
        (
            "fen 2kr4/ppp2ppp/2n5/3r4/4N1b1/2N5/PPP2PPP/R4RK1 w - - 0 14",
            "d5",
        ),
        (
            "fen rnbqk1nr/pppp1ppp/8/4p3/4P3/b1N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4",
            "a3",
        ),
        (
            "fen r1bqkb1r/pppp1ppp/2n5/4p3/4n3/2NP4/PPP2PPP/R1BQKBNR w KQkq - 0 5",
            "e4",
        ),
    ];
    for (position, target) in positions {
        let takes = |seed: &u32| {
            let (played, _) = answer(&mut player(1000, *seed), position, GO);
            &played[2..] == target
        };
        let taken = SEEDS.filter(takes).count();
        assert!(taken >= 9, "{position}: {taken} of 10");
    }
}

#[test]
fn a_mate_in_one_is_seen_at_every_level() {
    let positions = [
        ("fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "a1a8"),
        (
            "fen r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
            "h5f7",
        ),
        ("fen 6rk/6pp/7N/8/8/8/8/6K1 w - - 0 1", "h6f7"),
    ];
    for elo in [500, 1000, 2000] {
        for seed in SEEDS {
            let mut engine = player(elo, seed);
            for (position, expected) in positions {
                let (played, _) = answer(&mut engine, position, GO);
                assert_eq!(played, expected, "{elo}, seed {seed}: {position}");
            }
        }
    }
}

/// Plays a won ending against an opponent of full strength; returns the number of White's moves to
/// mate.
fn moves_to_mate(elo: u32, fen: &str) -> Option<usize> {
    let mut players = [player(elo, 1), Conversation::start()];
    let mut position: Chess = from_fen(fen, CastlingMode::Standard).expect("a legal position");
    let mut moves = Vec::new();
    while !position.is_game_over() && moves.len() < 100 {
        let go = [GO, "go nodes 2000"][moves.len() % 2];
        let line = format!("fen {fen} moves {}", moves.join(" "));
        let line = line.trim_end_matches(" moves ").to_owned();
        let (played, _) = answer(&mut players[moves.len() % 2], &line, go);
        let m = played.parse::<UciMove>().expect("a move");
        position.play_unchecked(m.to_move(&position).expect("a legal move"));
        moves.push(played);
    }
    position.is_checkmate().then_some(moves.len().div_ceil(2))
}

#[test]
fn the_weakest_level_mates_with_a_queen_and_with_a_rook() {
    for fen in [
        "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1",
        "8/8/8/3k4/8/8/8/R3K3 w - - 0 1",
    ] {
        let moves = moves_to_mate(500, fen);
        assert!(moves.is_some_and(|moves| moves <= 40), "{fen}: {moves:?}");
    }
}

#[test]
fn skill_levels_are_levels_too_and_the_rating_counts_before_them() {
    let nodes = |options: &[(&str, &str)]| {
        let mut engine = Conversation::start();
        set(&mut engine, "RandomSeed", 1);
        for (option, value) in options {
            set(&mut engine, option, value);
        }
        answer(&mut engine, BEYOND_OPENINGS, "go depth 12").1
    };
    let full = nodes(&[]);
    assert_eq!(nodes(&[("Skill Level", "20")]), full);
    assert_eq!(nodes(&[("UCI_Elo", "500")]), full);
    let limited = ("UCI_LimitStrength", "true");
    let rated = nodes(&[("UCI_Elo", "1000"), limited]);
    assert_eq!(nodes(&[("Skill Level", "4")]), rated);
    assert!(nodes(&[("Skill Level", "0")]) < rated);
    assert_eq!(
        nodes(&[("Skill Level", "0"), ("UCI_Elo", "1000"), limited]),
        rated
    );
}

#[test]
fn analysis_has_full_strength() {
    let mut engine = player(500, 1);
    engine.send("position startpos");
    engine.send("go infinite");
    engine.expect_prefix("info depth 9 ");
    engine.send("stop");
    engine.expect_prefix("bestmove");
    set(&mut engine, "UCI_AnalyseMode", true);
    assert!(answer(&mut engine, "startpos", "go depth 9").1 > 1_000);
    set(&mut engine, "UCI_AnalyseMode", false);
    assert!(answer(&mut engine, "startpos", "go depth 9").1 < 100);
    // The mate takes far more nodes than the level has.
    let mate = "fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    assert_eq!(answer(&mut engine, mate, "go mate 2").0, "a1a6");
}

#[test]
fn a_weak_move_is_pondered_on_and_waits_for_its_ponderhit() {
    let mut engine = player(1000, 1);
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("go ponder wtime 60000 btime 60000");
    engine.assert_no_answer_yet();
    engine.send("ponderhit");
    engine.expect_prefix("bestmove");
}

#[test]
fn neither_threads_nor_lines_change_the_strength_of_a_level() {
    let mut engine = player(1000, 1);
    let (alone, nodes) = answer(&mut engine, "startpos", GO);
    set(&mut engine, "Threads", 4);
    set(&mut engine, "RandomSeed", 1);
    assert_eq!(answer(&mut engine, "startpos", GO), (alone, nodes));
    set(&mut engine, "MultiPV", 3);
    assert!(answer(&mut engine, "startpos", GO).1 <= nodes);
}

#[test]
fn the_errors_of_a_level_stay_out_of_the_evaluation_and_of_later_searches() {
    let mut engine = Conversation::start();
    let explained = |engine: &mut Conversation| {
        engine.send("position startpos moves e2e4");
        engine.send("eval");
        engine.lines_until_prefix("evaluation")
    };
    let right = explained(&mut engine);
    let (_, nodes) = answer(&mut engine, BEYOND_OPENINGS, "go depth 9");
    set(&mut engine, "UCI_LimitStrength", true);
    set(&mut engine, "UCI_Elo", 700);
    answer(&mut engine, BEYOND_OPENINGS, GO);
    assert_eq!(explained(&mut engine), right);
    set(&mut engine, "UCI_LimitStrength", false);
    assert_eq!(answer(&mut engine, BEYOND_OPENINGS, "go depth 9").1, nodes);
}

#[test]
fn bad_values_are_refused_and_change_nothing() {
    let mut engine = player(1000, 1);
    let before = answer(&mut engine, "startpos", GO);
    for (option, value) in [
        ("UCI_Elo", "499"),
        ("UCI_Elo", "3001"),
        ("UCI_Elo", "strong"),
        ("Skill Level", "21"),
        ("Skill Level", "-1"),
        ("UCI_LimitStrength", "maybe"),
    ] {
        engine.assert_refused(&format!("setoption name {option} value {value}"), value);
    }
    set(&mut engine, "RandomSeed", 1);
    assert_eq!(answer(&mut engine, "startpos", GO), before);
}
