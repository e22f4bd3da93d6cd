//! The openings of training games.
//!
//! They come from a book or, without one, are random: eight or nine random plies from the start position, so
//! that no two games are alike.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use shakmaty::{Chess, Position};

use crate::position::movegen::legal_moves;

/// The number of plies of a random opening; half of them have one more.
const RANDOM_PLIES: u32 = 8;

/// A random position of the book or, if it is empty, a position some random plies away from the start position.
pub fn draw(book: &[Chess], random: &mut ChaCha8Rng) -> Chess {
    if !book.is_empty() {
        return book[below(book.len(), random)].clone();
    }
    loop {
        let mut position = Chess::default();
        let plies = RANDOM_PLIES + random.next_u32() % 2;
        for _ in 0..plies {
            let moves = legal_moves(&position);
            if moves.is_empty() {
                break;
            }
            position.play_unchecked(moves[below(moves.len(), random)]);
        }
        if !position.is_game_over() {
            return position;
        }
    }
}

/// A random number below a bound. The bias of the remainder is negligible.
fn below(bound: usize, random: &mut ChaCha8Rng) -> usize {
    (random.next_u64() % bound as u64) as usize
}
