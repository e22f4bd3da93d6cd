//! Whose games are these? Names the player of some games among those whose styles are given, by the
//! probability of the moves: with the openings by the books, without them by the choices alone.

use std::collections::HashSet;
use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::Position;

use super::games::PlayerGame;
use super::openings::BOOK_PLIES;
use squarewise_engine::book::{Book, total_weight};
use squarewise_engine::style::Style;

/// How often games are drawn to see how often the player is named right.
const DRAWS: usize = 400;

/// How much a book is believed: as if so much weight of every position were the mean of all books.
const MEAN_WEIGHT: f64 = 2.0;

/// The chance of a move that no book knows.
const UNKNOWN: f64 = 0.02;

/// How often a player has come to play something else than in the games of the book: then all books
/// foretell alike. Repertoires drift, and one new move must not outweigh all others.
const DRIFT: f64 = 0.3;

/// The logarithms of the probability of a game by each style.
pub type Evidence = Vec<f64>;

/// What the openings say of a game: the evidence for each style.
pub fn of_opening(game: &PlayerGame, styles: &[Arc<Style>]) -> Evidence {
    let mut evidence = vec![0.0; styles.len()];
    let mut position = game.start.clone();
    for m in game.moves.iter().take(BOOK_PLIES) {
        if position.turn() == game.side {
            let known: Vec<(f64, f64)> = styles
                .iter()
                .map(|style| {
                    let moves = style
                        .book
                        .as_ref()
                        .map_or(Vec::new(), |book| Book::moves(book, &position));
                    let of_move = moves.iter().find(|book_move| book_move.m == *m);
                    let weight = of_move.map_or(0.0, |book_move| f64::from(book_move.weight));
                    (weight, total_weight(&moves) as f64)
                })
                .collect();
            let share = |(weight, total): &(f64, f64)| (weight + UNKNOWN) / (total + 1.0);
            let mean = known.iter().map(share).sum::<f64>() / styles.len() as f64;
            for (evidence, (weight, total)) in evidence.iter_mut().zip(&known) {
                let by_book = (weight + MEAN_WEIGHT * mean) / (total + MEAN_WEIGHT);
                *evidence += (DRIFT * mean + (1.0 - DRIFT) * by_book).ln();
            }
        }
        position.play_unchecked(*m);
    }
    evidence
}

/// How often, of many draws of `count` games of a player, the player is the one named: the share
/// from 0 to 1. `None` if there are fewer games.
pub fn share_named(games: &[Evidence], player: usize, count: usize) -> Option<f64> {
    if count > games.len() {
        return None;
    }
    let mut random = ChaCha8Rng::seed_from_u64(count as u64);
    let mut right = 0;
    for _ in 0..DRAWS {
        let mut drawn = HashSet::new();
        while drawn.len() < count {
            drawn.insert(random.next_u64() as usize % games.len());
        }
        right += usize::from(named(drawn.iter().map(|game| &games[*game])) == Some(player));
    }
    Some(right as f64 / DRAWS as f64)
}

/// The number of the style for which there is most evidence.
pub fn named<'a>(games: impl Iterator<Item = &'a Evidence>) -> Option<usize> {
    let mut sums: Vec<f64> = Vec::new();
    for evidence in games {
        sums.resize(evidence.len(), 0.0);
        sums.iter_mut().zip(evidence).for_each(|(sum, e)| *sum += e);
    }
    let best = sums.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1));
    best.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_player_with_most_evidence_is_named_and_more_games_name_better() {
        // Two of three games speak for the player.
        let games: Vec<Evidence> = (0..60)
            .map(|number| vec![0.0, if number % 3 == 0 { -1.0 } else { 1.0 }])
            .collect();
        assert_eq!(named(games.iter()), Some(1));
        let share = |count| share_named(&games, 1, count).expect("so many games");
        assert!(share(1) > 0.5 && share(1) < 0.8, "{}", share(1));
        assert!(share(41) > 0.95);
        assert_eq!(share_named(&games, 1, 61), None);
    }
}
