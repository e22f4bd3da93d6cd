//! The openings of training games.
//!
//! They come from a book or, without one, are random: eight or nine random plies from the start
//! position, so that no two games are alike. A share of the random ones begins with one of the
//! start positions of Chess960, where pieces and pawns meet in ways that they never do from the
//! usual one (Nalwald gained 19 points with such games).

use std::collections::HashSet;

use shakmaty::fen::{Epd, Fen};
use shakmaty::{Chess, EnPassantMode};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use squarewise_engine::checksum::RunningChecksum;
use squarewise_engine::position::random_moves::{below, play_randomly, shuffle};
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::position::{CHESS960_STARTS, chess960_start};

/// The number of plies of a random opening; half of them have one more.
const RANDOM_PLIES: u32 = 8;

/// Where games begin.
#[derive(Clone, Debug, Default)]
pub struct Openings {
    /// The positions of a book to choose from. If there are none, games start with random plies.
    pub book: Vec<Chess>,
    /// The share of games without a book that begin with a start position of Chess960, in per cent.
    pub chess960: u8,
    /// The variant that is played.
    pub variant: Variant,
}

impl Openings {
    /// The book in words, with a checksum by which it is told from others: `none`, or `1000
    /// positions 0123456789abcdef`.
    pub fn book_in_words(&self) -> String {
        if self.book.is_empty() {
            return "none".to_owned();
        }
        let mut sum = RunningChecksum::default();
        for position in &self.book {
            let fen = Fen::from_position(position, EnPassantMode::Legal);
            sum.add(format!("{fen}\n").as_bytes());
        }
        format!("{} positions {:016x}", self.book.len(), sum.value())
    }

    /// The same openings, each position of the book once, whatever its counters say.
    pub(crate) fn without_repeated(&self) -> Openings {
        let mut seen = HashSet::new();
        let mut openings = self.clone();
        (openings.book).retain(|position| {
            seen.insert(Epd::from_position(position, EnPassantMode::Legal).to_string())
        });
        openings
    }

    /// The same openings, those of the book in a random order.
    pub(crate) fn shuffled(&self, seed: u64) -> Openings {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut openings = self.clone();
        shuffle(&mut openings.book, &mut random);
        openings
    }

    /// The position at this place of the book; `None` behind its end, and without a book.
    pub(crate) fn in_book(&self, place: usize) -> Option<VariantPosition> {
        let position = self.book.get(place)?.clone();
        Some(VariantPosition::new(position, self.variant))
    }

    /// A random position of the book or, if it is empty, a position some random plies away from a
    /// start position.
    pub(crate) fn draw(&self, random: &mut ChaCha8Rng) -> VariantPosition {
        if !self.book.is_empty() {
            let place = below(self.book.len(), random);
            return self.in_book(place).expect("a place in the book");
        }
        let is_chess960 = happens(self.chess960, random);
        loop {
            let start = if is_chess960 {
                chess960_start(random.next_u32() % CHESS960_STARTS)
            } else {
                Chess::default()
            };
            let mut position = VariantPosition::new(start, self.variant);
            let plies = RANDOM_PLIES + random.next_u32() % 2;
            if play_randomly(&mut position, plies, random) {
                return position;
            }
        }
    }
}

/// Whether something happens that does so in this share of cases, in per cent. Draws no number for
/// what never happens, so that runs without it stay as they were.
pub(super) fn happens(percent: u8, random: &mut ChaCha8Rng) -> bool {
    percent > 0 && random.next_u32() % 100 < u32::from(percent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Position};

    #[test]
    fn a_shuffled_book_has_each_of_its_positions_once() {
        let book: Vec<Chess> = (0..20).map(chess960_start).collect();
        let openings = Openings {
            book: book.clone(),
            ..Openings::default()
        };
        let shuffled = openings.shuffled(1);
        assert_ne!(shuffled.book, book);
        assert_eq!(shuffled.book, openings.shuffled(1).book);
        assert!(book.iter().all(|position| shuffled.book.contains(position)));
        assert_eq!(shuffled.book.len(), book.len());
        assert!(shuffled.in_book(20).is_none());
    }

    #[test]
    fn the_share_of_chess960_is_that_asked_for() {
        let mode_of = |chess960, seed| {
            let openings = Openings {
                chess960,
                ..Openings::default()
            };
            let position = openings.draw(&mut ChaCha8Rng::seed_from_u64(seed));
            position.castles().mode()
        };
        let count = |share| {
            let modes = (0..300).map(|seed| mode_of(share, seed));
            modes.filter(|mode| *mode == CastlingMode::Chess960).count()
        };
        assert_eq!((count(0), count(100)), (0, 300));
        assert!((110..190).contains(&count(50)));
    }
}
