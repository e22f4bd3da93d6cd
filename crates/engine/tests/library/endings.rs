//! Won endings of at most four men: the engine mates without tablebases, with few nodes a move, by
//! the tables that ship.

use crate::support::positions::game;
use shakmaty::Color;
use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::{SearchRequest, Searcher};
use std::time::Duration;

/// The nodes of every move of both sides.
const NODES: u64 = 6_000;

/// Positions that White wins: two of each ending with tables of its own but the easiest, one of
/// others.
const FENS: [&str; 17] = [
    "k7/8/8/6K1/6R1/8/8/8 b - - 0 1",
    "8/8/8/6B1/1k2B3/7K/8/8 b - - 0 1",
    "1k6/8/8/8/8/7K/8/2BB4 w - - 0 1",
    "8/2B5/8/8/8/3K4/8/3k1N2 b - - 0 1",
    "N7/8/2k5/8/8/8/4B3/3K4 w - - 0 1",
    "K4N2/8/7B/8/8/8/8/k7 w - - 0 1",
    "2K1Q3/1r6/8/3k4/8/8/8/8 b - - 0 1",
    "8/7Q/3K4/6r1/8/3k4/8/8 b - - 0 1",
    "6b1/8/1k6/8/7Q/7K/8/8 b - - 0 1",
    "8/8/Q7/7n/2k5/8/3K4/8 b - - 0 1",
    "8/5Q2/8/8/6p1/K7/4k3/8 b - - 0 1",
    "8/k7/5K2/8/8/8/p7/Q7 w - - 0 1",
    "8/4P3/8/8/5K2/8/5k2/8 b - - 0 1",
    "1BK3k1/8/1P6/8/8/8/8/8 w - - 0 1",
    "8/4K3/8/8/8/8/1N5P/2k5 w - - 0 1",
    "1K6/8/1R6/8/8/P7/4k3/8 w - - 0 1",
    "8/7P/8/8/8/8/1RK5/6k1 w - - 0 1",
];

/// How a game from a position ends if the engine plays both sides.
fn played_out(fen: &str) -> GameEnd {
    let mut game = game(fen, "");
    let mut searchers = [1, 1].map(|size| Searcher::new(size).expect("1 MiB can be allocated"));
    for ply in 0.. {
        if let Some(end) = game.end_by_the_rules() {
            return end;
        }
        let request = SearchRequest::new(Limits::nodes(NODES));
        let result = searchers[ply % 2].search(&game, request, &mut |_| ());
        game.play(result.best_move().expect("the game goes on"));
    }
    unreachable!("every game ends")
}

#[test]
fn won_endings_end_in_mate() {
    for fen in FENS {
        let end = played_out(fen);
        assert_eq!(end.winner(), Some(Color::White), "{end:?}: {fen}");
    }
}

#[test]
fn with_a_time_for_the_move_a_known_ending_is_searched_no_deeper_than_leads_on() {
    let depth = |fen: &str, limits: Limits| {
        let mut searcher = Searcher::new(1).expect("1 MiB can be allocated");
        let request = SearchRequest::new(limits);
        searcher
            .search(&game(fen, ""), request, &mut |_| ())
            .info
            .depth
    };
    let timed = |depth| Limits {
        move_time: Some(Duration::from_secs(3_600)),
        ..Limits::depth(depth)
    };
    let rook = "8/6k1/8/8/8/7R/8/K7 w - - 0 1";
    assert_eq!(depth(rook, timed(13)), 12);
    assert_eq!(depth(rook, Limits::depth(13)), 13);
    // An ending without tables of its own.
    assert_eq!(depth("8/6k1/7p/8/8/7R/8/K7 w - - 0 1", timed(13)), 13);
}
