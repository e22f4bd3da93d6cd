//! Xiangqi: the rules against counts of other programs, and the ends of games.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use squarewise_games::game::{Game, Outcome};
use squarewise_games::learning::{Settings, learn, random_move};
use squarewise_games::limits::Limits;
use squarewise_games::search::Searcher;
use squarewise_games::xiangqi::{FenError, MoveError, Notation, START, WEIGHTS, Xiangqi};

/// Lines of a count are followed as deep as they have at most so many moves; the deeper counts are
/// those of the ignored test.
const QUICK: u64 = 400_000;

/// Name, FEN and the counts of each line.
fn perft_positions() -> Vec<(&'static str, &'static str, Vec<u64>)> {
    let lines = include_str!("data/xiangqi-perft.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    let read = |line: &'static str| {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let counts = fields[2]
            .split(' ')
            .map(|count| count.parse().expect("a count"));
        (fields[0], fields[1], counts.collect())
    };
    lines.map(read).collect()
}

fn assert_perft(most: u64) {
    let positions = perft_positions();
    assert_eq!(positions.len(), 13);
    for (name, fen, counts) in positions {
        for (depth, count) in (1..).zip(counts).take_while(|(_, count)| *count <= most) {
            let mut position = Xiangqi::from_fen(fen).expect("a FEN");
            assert_eq!(position.perft(depth), count, "{name}, depth {depth}");
            assert_eq!(position.fen().split(' ').next(), fen.split(' ').next());
        }
    }
}

#[test]
fn perft_counts_as_fairy_stockfish_does_in_thirteen_positions() {
    assert_perft(QUICK);
}

#[test]
#[ignore = "takes a minute"]
fn perft_counts_to_the_last_depth() {
    assert_perft(u64::MAX);
}

/// The position after moves in UCI's notation.
fn after(fen: &str, moves: &str) -> Xiangqi {
    let mut position = Xiangqi::from_fen(fen).expect("a FEN");
    for mv in moves.split_whitespace() {
        position.play(mv, Notation::Uci).expect("a legal move");
    }
    position
}

#[test]
fn a_position_that_comes_for_the_third_time_is_drawn() {
    let position = after(START, "b1c3 b10c8 c3b1 c8b10 b1c3 b10c8 c3b1");
    assert_eq!(position.outcome(), None);
    let position = after(START, "b1c3 b10c8 c3b1 c8b10 b1c3 b10c8 c3b1 c8b10");
    assert_eq!(position.outcome(), Some(Outcome::Drawn));
}

#[test]
fn who_checks_perpetually_has_lost() {
    // Red's rook checks from e5 and d5, and the king steps aside.
    let fen = "4k4/9/9/9/9/R8/9/9/9/3K5 w - - 0 1";
    let round = "a5e5 e10f10 e5f5 f10e10 f5e5 e10f10 e5f5 f10e10";
    let position = after(fen, &format!("{round} f5e5"));
    // Black is to move, and Red has checked all the time.
    assert_eq!(position.outcome(), Some(Outcome::Won));
}

#[test]
fn who_has_no_move_has_lost_without_a_check_too() {
    let position = Xiangqi::from_fen("3k5/9/9/9/9/9/9/9/8R/4K4 w - - 0 1");
    let mut position = position.expect("a FEN");
    assert!(!position.is_check());
    position.play("i2d2", Notation::Uci).expect("a check");
    // The file e belongs to the king of Red, d to the rook.
    assert_eq!(position.outcome(), Some(Outcome::Lost));
    let stalemate = Xiangqi::from_fen("3k5/8R/9/9/9/9/9/9/9/4K4 b - - 0 1").expect("a FEN");
    assert!(!stalemate.is_check());
    assert_eq!(stalemate.outcome(), Some(Outcome::Lost));
}

#[test]
fn the_plies_without_a_capture_of_a_fen_count() {
    let fen = "3k5/9/9/9/9/9/9/9/R7R/4K4 w - - 98 60";
    let mut position = Xiangqi::from_fen(fen).expect("a FEN");
    position.play("a2b2", Notation::Uci).expect("a move");
    assert_eq!(position.outcome(), None);
    assert_eq!(position.fen(), "3k5/9/9/9/9/9/9/9/1R6R/4K4 b - - 99 1");
    position.play("d10d9", Notation::Uci).expect("a move");
    assert_eq!(position.outcome(), Some(Outcome::Drawn));
    for without in [
        "3k5/9/9/9/9/9/9/9/R7R/4K4 w",
        "3k5/9/9/9/9/9/9/9/R7R/4K4 w - - - -",
    ] {
        let position = Xiangqi::from_fen(without).expect("a FEN");
        assert!(position.fen().ends_with(" w - - 0 1"), "{without}");
    }
}

#[test]
fn moves_that_can_t_be_played_are_refused_with_the_reason() {
    let mut position = Xiangqi::default();
    let before = position.fen();
    for (text, reason) in [
        ("h3", MoveError::Text("h3".into(), "h3e3")),
        ("h3e11", MoveError::Text("h3e11".into(), "h3e3")),
        ("e5e6", MoveError::NoPiece("e5e6".into())),
        ("h10g8", MoveError::NoPiece("h10g8".into())),
        ("a1b1", MoveError::Unreachable("a1b1".into())),
    ] {
        assert_eq!(position.play(text, Notation::Uci), Err(reason));
        assert_eq!(position.fen(), before);
    }
    let mut flying = Xiangqi::from_fen("4k4/9/9/9/9/9/9/9/4C4/4K4 w - - 0 1").expect("a FEN");
    assert_eq!(
        flying.play("e2d2", Notation::Uci),
        Err(MoveError::Check("e2d2".into()))
    );
    assert!(flying.play("e1e2", Notation::Ucci).is_ok());
}

#[test]
fn fens_that_are_none_are_refused_with_the_reason() {
    for (fen, reason) in [
        ("9/9 w", FenError::Size),
        (
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN w",
            FenError::Size,
        ),
        (
            "rnbakabnx/9/9/9/9/9/9/9/9/RNBAKABNR w",
            FenError::Piece('x'),
        ),
        ("9/9/9/9/9/9/9/9/9/4K4 w", FenError::Kings),
        ("3k5/9/9/9/9/9/9/9/9/RRR1K4 w", FenError::Pieces),
        ("3k5/9/9/9/9/9/9/9/3A5/4K4 w", FenError::Pieces),
        ("3k5/9/9/9/9/9/9/9/9/B3K4 w", FenError::Pieces),
        ("3k5/9/9/9/9/9/1P7/9/9/4K4 w", FenError::Pieces),
        ("3k5/9/9/9/9/9/9/9/9/4K4 x", FenError::Turn("x".into())),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", FenError::Check),
    ] {
        assert_eq!(Xiangqi::from_fen(fen).err(), Some(reason), "{fen}");
    }
}

#[test]
fn what_is_kept_move_by_move_is_what_a_position_has_when_it_is_set_up() {
    for seed in 0..40 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut position = Xiangqi::default();
        let mut evaluations = vec![position.evaluate()];
        while position.outcome().is_none()
            && let Some(mv) = random_move(&mut position, &mut random)
        {
            position.make(mv);
            let afresh = Xiangqi::from_fen(&position.fen()).expect("a FEN");
            assert_eq!(position.evaluate(), afresh.evaluate(), "{}", afresh.fen());
            evaluations.push(position.evaluate());
        }
        assert!(evaluations.len() > 20, "a game, not a position");
        while let Some(evaluation) = evaluations.pop() {
            assert_eq!(position.evaluate(), evaluation);
            if !evaluations.is_empty() {
                position.unmake();
            }
        }
    }
}

#[test]
fn a_search_that_ends_within_an_iteration_keeps_the_better_move_that_it_found_there() {
    let mut differ = 0;
    for (_, fen, _) in perft_positions() {
        let mut position = Xiangqi::from_fen(fen).expect("a FEN");
        for nodes in (500..8_000).step_by(500) {
            let limits = Limits {
                nodes,
                ..Limits::default()
            };
            let mut finished = None;
            let found = Searcher::new(14).search(&mut position, limits, &mut |found| {
                finished = Some(found.pv[0]);
            });
            let found = found.expect("a move").pv[0];
            assert!(position.legal_moves().contains(&found));
            differ += u32::from(Some(found) != finished);
        }
    }
    assert!(differ > 0);
}

#[test]
fn what_is_learned_is_the_same_for_any_number_of_threads() {
    let learned = [1, 3].map(|threads| {
        let settings = Settings {
            generations: 2,
            games: 7,
            nodes: 100,
            seed: 5,
            threads,
        };
        learn::<Xiangqi>(WEIGHTS, settings, &mut |_| ())
    });
    assert_eq!(learned[0], learned[1]);
    assert!(learned[0].iter().any(|weight| *weight != 0));
}
