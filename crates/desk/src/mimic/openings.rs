//! The opening book of a player: how often each move was played, and with what success.

use std::collections::HashMap;

use shakmaty::{Chess, Move, Position};

use super::games::PlayerGame;
use squarewise_engine::book::{Book, BookMove};

/// How far into a game the book goes, in plies.
pub const BOOK_PLIES: usize = 30;

/// A position must have been there in so many games, unless it comes in the first few moves.
const MIN_GAMES: usize = 2;

/// Up to this ply a position need not have come twice.
const ALWAYS_KEPT_PLIES: usize = 8;

/// What was played in a position.
#[derive(Default)]
struct Played {
    games: usize,
    ply: usize,
    /// The sum of the weights of the games, by move.
    moves: HashMap<Move, u32>,
}

/// The book of these games: each move that the player made in a position of the first few moves, or
/// in a later one that came at least twice. A win counts three times, a draw twice and a loss once.
pub fn book_of(games: &[PlayerGame]) -> Option<Book> {
    let mut positions: HashMap<Chess, Played> = HashMap::new();
    for game in games {
        let mut position = game.start.clone();
        for (ply, m) in game.moves.iter().take(BOOK_PLIES).enumerate() {
            if position.turn() == game.side {
                let played = positions.entry(position.clone()).or_default();
                played.games += 1;
                played.ply = ply;
                *played.moves.entry(*m).or_default() += u32::from(game.weight);
            }
            position.play_unchecked(*m);
        }
    }
    let is_kept = |played: &Played| played.games >= MIN_GAMES || played.ply < ALWAYS_KEPT_PLIES;
    let kept = positions.into_iter().filter(|(_, played)| is_kept(played));
    Book::of_moves(kept.flat_map(|(position, played)| {
        played.moves.into_iter().map(move |(m, weight)| {
            let weight = weight.min(u16::MAX.into()) as u16;
            (position.clone(), BookMove { m, weight })
        })
    }))
}
