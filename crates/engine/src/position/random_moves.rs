//! Random moves for openings, so that training games differ from each other.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use shakmaty::Position;

use crate::position::movegen::legal_moves;
use crate::position::variant_position::VariantPosition;

/// Plays random moves. Returns whether all of them could be played and the game goes on.
pub fn play_randomly(position: &mut VariantPosition, plies: u32, random: &mut ChaCha8Rng) -> bool {
    for _ in 0..plies {
        let moves = legal_moves(position);
        if moves.is_empty() {
            return false;
        }
        position.play_unchecked(moves[below(moves.len(), random)]);
    }
    !position.is_game_over()
}

/// A random number below a bound. The bias of the remainder is negligible.
pub fn below(bound: usize, random: &mut ChaCha8Rng) -> usize {
    (random.next_u64() % bound as u64) as usize
}

/// Puts the items in a random order (Fisher and Yates).
pub fn shuffle<T>(items: &mut [T], random: &mut ChaCha8Rng) {
    for last in (1..items.len()).rev() {
        items.swap(last, below(last + 1, random));
    }
}
