//! How a set of tables looks at the kings.
//!
//! A piece is worth one thing beside a castled king and another beside one in the centre. So a set may hold
//! several tables for each piece and choose by where a king stands: the board is looked at from each side,
//! with that side's king at the bottom, and the king's square picks the *bucket*. A set may also mirror
//! the board left to right when the king stands on the king's wing, which halves what there is to learn.

use shakmaty::{Color, File, Square};

/// The values that one bucket holds: own and enemy pieces, six roles, 64 squares.
pub const BUCKET_SIZE: usize = 2 * 6 * 64;

/// Which bucket a king's square belongs to, and whether the board is mirrored with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KingBuckets {
    buckets: [u8; 64],
    is_mirrored: bool,
}

/// One side's look at the board: what its king's square comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perspective {
    /// Where the bucket's values begin.
    first: u16,
    /// What turns a square into the square as this side sees it (by exclusive or).
    flip: u8,
}

/// Shapes by name, in the order in which they are offered.
pub const NAMES: [&str; 4] = ["plain", "mirrored", "buckets", "squares"];

impl KingBuckets {
    /// One bucket, wherever the kings stand.
    pub const PLAIN: KingBuckets = KingBuckets {
        buckets: [0; 64],
        is_mirrored: false,
    };

    /// The shape of this name: one of [`NAMES`].
    pub fn named(name: &str) -> Option<KingBuckets> {
        let by_square = |bucket: fn(u32, u32) -> u32| {
            let mut buckets = [0; 64];
            for square in Square::ALL {
                // Mirrored boards have their kings on the a- to d-files alone.
                let file = square.file().to_u32().min(7 - square.file().to_u32());
                buckets[usize::from(square)] = bucket(file, square.rank().to_u32()) as u8;
            }
            KingBuckets {
                buckets,
                is_mirrored: true,
            }
        };
        match name {
            "plain" => Some(KingBuckets::PLAIN),
            "mirrored" => Some(by_square(|_, _| 0)),
            // Fine where kings spend the middle game, coarse where they seldom go.
            "buckets" => Some(by_square(|file, rank| match rank {
                0 => file,
                1 => 4 + file,
                2 => 8 + file / 2,
                3 => 10 + file / 2,
                4 | 5 => 12 + file / 2,
                _ => 14 + file / 2,
            })),
            "squares" => Some(by_square(|file, rank| rank * 4 + file)),
            _ => None,
        }
    }

    /// The same look at the board, but one bucket for all squares of the king.
    pub fn with_one_bucket(&self) -> KingBuckets {
        KingBuckets {
            buckets: [0; 64],
            is_mirrored: self.is_mirrored,
        }
    }

    /// A shape from its parts; `None` if the buckets are not numbered from 0 without a gap, or are more
    /// than 64.
    pub fn from_parts(buckets: [u8; 64], is_mirrored: bool) -> Option<KingBuckets> {
        let count = usize::from(*buckets.iter().max()?) + 1;
        let is_used = |bucket| buckets.iter().any(|other| usize::from(*other) == bucket);
        (count <= 64 && (0..count).all(is_used)).then_some(KingBuckets {
            buckets,
            is_mirrored,
        })
    }

    /// The bucket of each square of a king, as its own side sees it.
    pub fn buckets(&self) -> &[u8; 64] {
        &self.buckets
    }

    /// Whether the board is mirrored so that the king stands on the queen's wing.
    pub fn is_mirrored(&self) -> bool {
        self.is_mirrored
    }

    /// How many values a set of this shape holds.
    pub fn length(&self) -> usize {
        let last = self.buckets.iter().max().copied().unwrap_or(0);
        (usize::from(last) + 1) * BUCKET_SIZE
    }

    /// How `side` sees the board while its king stands on `king`.
    #[inline]
    pub fn view(&self, side: Color, king: Square) -> Perspective {
        let mut flip = side.fold_wb(0, 56);
        if self.is_mirrored && king.file() >= File::E {
            flip ^= 7;
        }
        let seen = usize::from(king) ^ usize::from(flip);
        Perspective {
            first: u16::from(self.buckets[seen]) * BUCKET_SIZE as u16,
            flip,
        }
    }
}

impl Perspective {
    /// Where the value stands of a piece of this number (0 to 5, pawn to king), own or the enemy's.
    #[inline]
    pub fn index(self, is_enemy: bool, role: usize, square: Square) -> usize {
        let sheet = usize::from(is_enemy) * 6 + role;
        usize::from(self.first) + sheet * 64 + (usize::from(square) ^ usize::from(self.flip))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_shape_numbers_its_buckets_without_a_gap() {
        for (name, count) in NAMES.into_iter().zip([1, 1, 16, 32]) {
            let shape = KingBuckets::named(name).expect("a shape of this name");
            assert_eq!(shape.length(), count * BUCKET_SIZE, "{name}");
            let again = KingBuckets::from_parts(*shape.buckets(), shape.is_mirrored());
            assert_eq!(again.as_ref(), Some(&shape));
        }
        assert_eq!(KingBuckets::named("round"), None);
    }

    #[test]
    fn gaps_and_too_many_buckets_are_refused() {
        let mut buckets = [0; 64];
        buckets[3] = 2;
        assert_eq!(KingBuckets::from_parts(buckets, false), None);
        assert_eq!(KingBuckets::from_parts([64; 64], false), None);
    }

    #[test]
    fn both_sides_and_both_wings_see_the_same() {
        let shape = KingBuckets::named("squares").expect("a shape of this name");
        let views = [
            (Color::White, Square::B1, Square::C4),
            (Color::White, Square::G1, Square::F4),
            (Color::Black, Square::B8, Square::C5),
            (Color::Black, Square::G8, Square::F5),
        ];
        let indices = views.map(|(side, king, piece)| shape.view(side, king).index(true, 2, piece));
        assert!(
            indices.iter().all(|index| *index == indices[0]),
            "{indices:?}"
        );
    }
}
