//! Positions, games and searches for tests and benchmarks.
//!
//! Each function panics with a message if the text that it is given is wrong: the texts are those
//! of the tests.

// Every crate that includes this module uses a part of it.
#![allow(dead_code)]

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess};
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::from_fen;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::SearchRequest;
use squarewise_engine::search::limits::Limits;

/// The position of a FEN, by the rules of standard chess.
pub fn position(fen: &str) -> Chess {
    match from_fen(fen, CastlingMode::Standard) {
        Ok(position) => position,
        Err(error) => panic!("{fen}: {error}"),
    }
}

/// A search with the simplified tables, which do not change when the learned tables do.
pub fn request(limits: Limits) -> SearchRequest {
    SearchRequest {
        tables: TableSet::Simplified.tables(),
        ..SearchRequest::new(limits)
    }
}

/// The game that begins at a FEN and continues with these moves in UCI notation.
pub fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(position(fen));
    for word in moves.split_whitespace() {
        let uci: UciMove = word.parse().expect("a move");
        game.play(uci.to_move(game.position()).expect("a legal move"));
    }
    game
}
