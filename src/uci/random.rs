//! Random numbers, which repeat if the user names a seed.

use std::hash::{BuildHasher, RandomState};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// Random numbers from a seed; 0 stands for another seed each time.
pub fn random_numbers(seed: usize) -> ChaCha8Rng {
    let seed = match seed {
        // The standard library takes the keys of its hash maps from the operating system.
        0 => RandomState::new().hash_one(0),
        seed => seed as u64,
    };
    ChaCha8Rng::seed_from_u64(seed)
}
