//! Random choices that repeat with their seed, on every machine and in every version.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of random choices.
pub struct Dice(ChaCha8Rng);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below a bound, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    /// A number from `min` to `max`.
    pub fn between(&mut self, min: usize, max: usize) -> usize {
        min + self.below(max - min + 1)
    }

    /// Whether something happens that happens once in `times`.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of several, which must not be none.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// The place of one of these weights, drawn in proportion to them.
    pub fn weighted(&mut self, weights: impl IntoIterator<Item = usize> + Clone) -> usize {
        let mut rest = self.below(weights.clone().into_iter().sum());
        let is_drawn = |weight: usize| match rest.checked_sub(weight) {
            Some(left) => {
                rest = left;
                false
            }
            None => true,
        };
        let drawn = weights.into_iter().position(is_drawn);
        drawn.expect("the number drawn is below the sum")
    }

    pub fn bytes(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.0.fill_bytes(&mut bytes);
        bytes
    }
}
