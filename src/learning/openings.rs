//! Where games that are played for learning begin.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use shakmaty::{Chess, Position};

use crate::position::movegen::legal_moves;

/// A random opening has this many plies, or one more.
const RANDOM_PLIES: u32 = 8;

/// One of the positions of a book, or, if there are none, random plies from the start position.
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

/// A random number below a bound; the bias of the remainder is far below what a game could notice.
fn below(bound: usize, random: &mut ChaCha8Rng) -> usize {
    (random.next_u64() % bound as u64) as usize
}
