//! The opening book of a player: how often each move was played, and with what success.

use std::collections::HashMap;

use shakmaty::{Chess, Move, Position};

use super::games::PlayerGame;
use squarewise_engine::book::{Book, BookMove};

/// How far into a game the book goes, in plies.
const BOOK_PLIES: usize = 30;

/// A position must have been there in so many games, unless it comes in the first few moves.
const MIN_GAMES: usize = 2;

/// Up to this ply a position need not have come twice.
const ALWAYS_KEPT_PLIES: usize = 8;

/// What was played in a position.
struct Played {
    games: usize,
    /// The place of the last of them among the games.
    last: Option<usize>,
    /// Where it came first, in plies from the start of the game.
    ply: usize,
    /// The sum of the weights of the games, by move.
    moves: HashMap<Move, u32>,
}

/// The book of these games: each move that the player made in a position of the first few moves, or
/// in a later one that came in at least two games. A win counts three times, a draw twice and a
/// loss once.
pub fn book_of(games: &[PlayerGame]) -> Option<Book> {
    let mut positions: HashMap<Chess, Played> = HashMap::new();
    for (number, game) in games.iter().enumerate() {
        let mut position = game.start.clone();
        for (ply, m) in game.moves.iter().take(BOOK_PLIES).enumerate() {
            if position.turn() == game.side {
                let played = positions.entry(position.clone()).or_insert(Played {
                    games: 0,
                    last: None,
                    ply,
                    moves: HashMap::new(),
                });
                // A position that is repeated has come in one game.
                played.games += usize::from(played.last.replace(number) != Some(number));
                played.ply = played.ply.min(ply);
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

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;
    use shakmaty::san::San;

    /// A game of White with these moves, and the position before the last.
    fn game(moves: &str) -> (PlayerGame, Chess) {
        let mut position = Chess::default();
        let mut before = position.clone();
        let moves = moves.split(' ').map(|san| {
            let san: San = san.parse().expect("a move");
            let m = san.to_move(&position).expect("a legal move");
            before.clone_from(&position);
            position.play_unchecked(m);
            m
        });
        let game = PlayerGame {
            date: String::new(),
            side: Color::White,
            start: Chess::default(),
            moves: moves.collect(),
            weight: 2,
            timed_moves: Vec::new(),
        };
        (game, before)
    }

    #[test]
    fn a_position_that_is_repeated_in_one_game_has_come_in_one() {
        let (once, position) = game("e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 Bb3 Ng8 Ba4 Nf6 Bb3");
        let moves = |games: &[PlayerGame]| {
            let book = book_of(games).expect("a book");
            book.moves(&position).len()
        };
        assert_eq!(moves(std::slice::from_ref(&once)), 0);
        assert_eq!(moves(&[once.clone(), once]), 1);
    }

    #[test]
    fn a_position_of_the_first_moves_is_kept_though_it_comes_again_later() {
        let (shuffled, position) = game("Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 e4");
        let book = book_of(&[shuffled]).expect("a book");
        assert_eq!(book.moves(&position).len(), 2);
    }
}
