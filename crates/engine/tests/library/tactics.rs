//! Tactics that the search must find: mates, stalemates, and draws by rule.
//!
//! Every search is limited by depth or nodes, never by time, so the tests behave the same on any
//! machine.

use crate::support::positions::{game, position, request};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{EnPassantMode, Position};
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::position::from_epd;
use squarewise_engine::position::game::Game;
use squarewise_engine::score::Score;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::{SearchResult, Searcher};

fn search(game: Game, limits: Limits) -> SearchResult {
    let mut searcher = Searcher::new(16).expect("16 MiB can be allocated");
    searcher.search(&game, request(limits), &mut |_| ())
}

fn best_move(result: &SearchResult) -> String {
    let best = result.best_move().expect("a move was found");
    UciMove::from_standard(best).to_string()
}

/// Searches every position of a suite until a mate in `moves` moves is found or the nodes are used
/// up, and returns how many were solved. Any line that mates in exactly that many moves is a
/// solution.
fn mates_solved(suite: &str, moves: u32, nodes: u64) -> usize {
    let is_solved = |line: &&str| {
        let (mut position, _) = from_epd(line).expect("a legal position");
        let game = Game::new(position.clone());
        let limits = Limits {
            mate: Some(moves),
            nodes: Some(nodes),
            ..Limits::default()
        };
        let result = search(game, limits);
        if result.score() != Score::mate_in(2 * moves as usize - 1) {
            return false;
        }
        for m in &result.info.pv {
            position = position.play(*m).expect("the variation is legal");
        }
        assert!(
            position.is_checkmate(),
            "the variation does not mate: {line}"
        );
        true
    };
    suite.lines().filter(is_solved).count()
}

#[test]
fn go_mate_proves_every_mate_in_one_to_four() {
    for (suite, moves, positions) in [
        (include_str!("../../../../tests/data/mate_in_1.epd"), 1, 64),
        (include_str!("../../../../tests/data/mate_in_2.epd"), 2, 55),
        (include_str!("../../../../tests/data/mate_in_3.epd"), 3, 32),
        (include_str!("../../../../tests/data/mate_in_4.epd"), 4, 25),
    ] {
        let solved = mates_solved(suite, moves, 3_000_000);
        assert_eq!(solved, positions, "mates in {moves}");
    }
}

#[test]
fn no_mate_is_announced_that_takes_more_moves_or_starts_with_another_move() {
    // A quiet move mates in two; nothing mates in one.
    let problem = "bn4B1/R6n/1pkp4/2p3r1/P1P3r1/8/6p1/Q5K1 w - - 0 1";
    let searched = |mate: u32, search_moves: &[&str]| {
        let game = game(problem, "");
        let legal = |name: &&str| {
            let uci: UciMove = name.parse().expect("a move");
            uci.to_move(game.position()).expect("a legal move")
        };
        let limits = Limits {
            mate: Some(mate),
            nodes: Some(100_000),
            search_moves: search_moves.iter().map(legal).collect(),
            ..Limits::default()
        };
        search(game.clone(), limits).score().mate_moves()
    };
    assert_eq!(searched(2, &[]), Some(2));
    assert_eq!(searched(2, &["a1a2", "a1g7"]), Some(2));
    assert_eq!(searched(1, &[]), None);
    assert_eq!(searched(2, &["a1a2"]), None);
}

#[test]
fn most_wac_positions_are_solved_in_two_hundred_thousand_nodes() {
    let (mut solved, mut searched) = (0, 0);
    for line in include_str!("../../../../tests/data/wacnew.epd")
        .lines()
        .step_by(10)
    {
        let (position, operations) = from_epd(line).expect("a legal position");
        let game = Game::new(position.clone());
        let result = search(game, Limits::nodes(200_000));
        let best = result.best_move().expect("a move was found");
        let san = SanPlus::from_move(position, best).san.to_string();
        let wanted = operations.strip_prefix("bm ").expect("a best move");
        let wanted = wanted
            .split(';')
            .next()
            .expect("moves stand before the semicolon");
        searched += 1;
        solved += usize::from(
            wanted
                .split(' ')
                .any(|word| word.trim_end_matches('+') == san),
        );
    }
    assert_eq!(searched, 30);
    assert!(solved >= 22, "{solved} of {searched}");
}

#[test]
fn a_stalemate_is_avoided_by_the_side_that_wins() {
    // Qb6 leaves the bare king without a move; Kc7 mates next.
    let won = game("k7/8/3K4/8/8/8/8/1Q6 w - - 0 1", "");
    let result = search(won, Limits::nodes(100_000));
    assert_eq!(result.score().mate_moves(), Some(2), "{result:?}");
}

#[test]
fn a_stalemate_is_taken_by_the_side_that_loses() {
    // The only move that draws, by the endgame tablebases: a rook sacrifice for stalemate.
    for (fen, only_move) in [
        ("8/8/8/8/8/5kq1/8/4R2K w - - 0 1", "e1e3"),
        ("8/8/8/8/6R1/1q5k/8/K7 w - - 0 1", "g4h4"),
        ("8/5q2/8/8/R7/7K/5k2/8 w - - 0 1", "a4f4"),
    ] {
        let result = search(game(fen, ""), Limits::nodes(1_000_000));
        assert_eq!(best_move(&result), only_move, "{result:?}");
        assert_eq!(result.score(), Score::DRAW, "{result:?}");
    }
}

#[test]
fn a_repetition_is_taken_when_losing() {
    // White is a rook down and about to be mated, but has a perpetual check on e8 and h5.
    let losing = game("6k1/6p1/5p2/7Q/8/8/qr6/7K w - - 0 1", "");
    assert!(TableSet::Simplified.tables().evaluate(losing.position()) < Score::DRAW - 400);
    let result = search(losing, Limits::depth(8));
    assert_eq!(result.score(), Score::DRAW, "{result:?}");
}

#[test]
fn a_repetition_is_avoided_when_winning() {
    // Both sides have moved back and forth twice; moving back once more would be the third
    // occurrence.
    let start = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let moves = "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8 b1a1 f8g8";
    let shuffled = game(start, moves);
    assert_eq!(
        shuffled.end_by_the_rules(),
        Some(GameEnd::ThreefoldRepetition)
    );
    let once_more = game(start, &format!("{moves} a1b1 g8f8"));
    let result = search(once_more, Limits::depth(6));
    assert_ne!(best_move(&result), "b1a1");
    assert!(result.score() > Score::DRAW + 200, "{result:?}");
}

#[test]
fn a_draw_takes_three_occurrences_before_the_root_but_two_since_the_root() {
    let start = "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1";
    let first_return = game(start, "a1b1 g8f8 b1a1 f8g8");
    assert!(!first_return.is_draw(0));
    assert!(
        first_return.is_draw(4),
        "since the root the second occurrence counts"
    );
    let second_return = game(start, "a1b1 g8f8 b1a1 f8g8 a1b1 g8f8 b1a1 f8g8");
    assert!(second_return.is_draw(0));
}

#[test]
fn the_fifty_move_rule_draws_a_won_game() {
    let result = search(
        game("8/8/8/8/8/1k6/7R/K7 w - - 99 80", ""),
        Limits::depth(6),
    );
    assert_eq!(result.score(), Score::DRAW, "{result:?}");
}

#[test]
fn a_mate_on_the_hundredth_halfmove_counts() {
    let result = search(
        game("k7/8/1K6/8/8/8/8/7R w - - 99 80", ""),
        Limits::depth(4),
    );
    assert_eq!(result.score(), Score::mate_in(1), "{result:?}");
}

#[test]
fn a_capture_that_resets_the_fifty_moves_is_found() {
    let result = search(
        game("8/8/8/8/8/1k5p/7R/K7 w - - 99 80", ""),
        Limits::depth(6),
    );
    assert_eq!(best_move(&result), "h2h3", "{result:?}");
    assert!(result.score() > Score::DRAW, "{result:?}");
}

#[test]
fn bare_kings_and_lone_minor_pieces_are_drawn() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KB3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3KN3/8/8 b - - 0 1",
    ] {
        let result = search(game(fen, ""), Limits::depth(4));
        assert_eq!(result.score(), Score::DRAW, "{fen}");
    }
}

#[test]
fn a_null_move_does_not_hide_a_zugzwang() {
    // Mutual zugzwang: after the best move White wins because Black is to move.
    let result = search(
        game("8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1", ""),
        Limits::depth(14),
    );
    assert_eq!(best_move(&result), "e1f1", "{result:?}");
}

#[test]
fn the_principal_variation_consists_of_legal_moves() {
    let start = position("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let result = search(Game::new(start.clone()), Limits::depth(8));
    let mut board = start;
    for m in &result.info.pv {
        let fen = Fen::from_position(&board, EnPassantMode::Legal);
        assert!(board.is_legal(*m), "{m} in {fen}");
        board.play_unchecked(*m);
    }
    assert!(
        result.info.pv.len() >= 4,
        "the variation of depth eight has only {} moves",
        result.info.pv.len()
    );
}
