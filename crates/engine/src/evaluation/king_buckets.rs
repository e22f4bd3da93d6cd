//! King buckets: piece-square tables that depend on where the king stands.
//!
//! The value of a piece on a square depends on where the kings are. So a set can hold several
//! tables for each piece, one per *bucket* of king squares. Each side looks at the board from
//! behind its own king, and the square of that king picks the bucket (as the half-king-piece inputs
//! of an NNUE do). A set can also mirror the board left to right when the king is on the e- to
//! h-files, which halves the number of scores.

use std::ops::Range;

use shakmaty::{Color, File, Role, Square};

/// The number of scores in one bucket: own and enemy pieces, six roles, 64 squares.
pub const BUCKET_SIZE: usize = 2 * 6 * 64;

/// The bucket of each king square, and whether the board is mirrored with the king.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KingBuckets {
    buckets: [u8; 64],
    is_mirrored: bool,
}

/// The perspective of one side on the board, given the square of its king.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perspective {
    /// The index of the first score of the bucket.
    first: u16,
    /// Turns a square into its square from this perspective, by exclusive or.
    flip: u8,
}

/// The names of the schemes, in the order in which they are offered.
pub const NAMES: [&str; 4] = ["plain", "mirrored", "buckets", "squares"];

impl KingBuckets {
    /// One bucket for all king squares, not mirrored.
    pub const PLAIN: KingBuckets = KingBuckets {
        buckets: [0; 64],
        is_mirrored: false,
    };

    /// The most buckets: one for each square.
    pub const MAX_COUNT: usize = 64;

    /// The scheme of this name: one of [`NAMES`].
    pub fn named(name: &str) -> Option<KingBuckets> {
        match name {
            "plain" => Some(KingBuckets::PLAIN),
            "mirrored" => Some(KingBuckets::mirrored(|_, _| 0)),
            // Fine where kings stand in the middlegame, coarse where they rarely go.
            "buckets" => Some(KingBuckets::mirrored(|file, rank| match rank {
                0 => file,
                1 => 4 + file,
                2 => 8 + file / 2,
                3 => 10 + file / 2,
                4 | 5 => 12 + file / 2,
                _ => 14 + file / 2,
            })),
            "squares" => Some(KingBuckets::mirrored(|file, rank| rank * 4 + file)),
            _ => None,
        }
    }

    /// A mirrored scheme from the bucket of each file (0 to 3) and rank (0 to 7) of a king.
    fn mirrored(bucket: impl Fn(u32, u32) -> u32) -> KingBuckets {
        let mut buckets = [0; 64];
        for square in Square::ALL {
            let file = square.file().to_u32().min(7 - square.file().to_u32());
            buckets[usize::from(square)] = bucket(file, square.rank().to_u32()) as u8;
        }
        KingBuckets {
            buckets,
            is_mirrored: true,
        }
    }

    /// The same scheme with one bucket for all king squares, mirrored or not as before.
    pub fn with_one_bucket(&self) -> KingBuckets {
        KingBuckets {
            buckets: [0; 64],
            is_mirrored: self.is_mirrored,
        }
    }

    /// A scheme from its parts; `None` unless the buckets are numbered from 0 without a gap and are
    /// 64 at most.
    pub fn from_parts(buckets: [u8; 64], is_mirrored: bool) -> Option<KingBuckets> {
        let count = usize::from(*buckets.iter().max()?) + 1;
        let is_used = |bucket| buckets.iter().any(|other| usize::from(*other) == bucket);
        (count <= KingBuckets::MAX_COUNT && (0..count).all(is_used)).then_some(KingBuckets {
            buckets,
            is_mirrored,
        })
    }

    /// The bucket of each king square, from the perspective of the king's side.
    pub fn buckets(&self) -> &[u8; 64] {
        &self.buckets
    }

    /// Whether the board is mirrored so that the king always stands on the a- to d-files.
    pub fn is_mirrored(&self) -> bool {
        self.is_mirrored
    }

    /// The number of buckets.
    pub fn count(&self) -> usize {
        let last = self.buckets.iter().max().copied().unwrap_or(0);
        usize::from(last) + 1
    }

    /// The perspective of `side` while its king stands on `king`.
    #[inline]
    pub fn perspective(&self, side: Color, king: Square) -> Perspective {
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
    /// The index of an own or enemy piece on a square.
    #[inline]
    pub fn index(self, is_enemy: bool, role: Role, square: Square) -> usize {
        usize::from(self.first) + table_start(is_enemy, role) + usize::from(self.sees(square))
    }

    /// The number of the king bucket.
    #[inline]
    pub fn bucket(self) -> usize {
        usize::from(self.first) / BUCKET_SIZE
    }

    /// The square as it is seen from this perspective.
    #[inline]
    pub fn sees(self, square: Square) -> Square {
        Square::new(u32::from(square) ^ u32::from(self.flip))
    }

    /// What turns a square into its square from this perspective, by exclusive or.
    #[inline]
    pub fn flip(self) -> u8 {
        self.flip
    }
}

/// The indices, inside one bucket, of the piece-square table of an own or enemy role.
pub fn table_range(is_enemy: bool, role: Role) -> Range<usize> {
    let start = table_start(is_enemy, role);
    start..start + 64
}

#[inline]
fn table_start(is_enemy: bool, role: Role) -> usize {
    (usize::from(is_enemy) * 6 + usize::from(role) - 1) * 64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_scheme_numbers_its_buckets_without_a_gap() {
        for (name, count) in NAMES.into_iter().zip([1, 1, 16, 32]) {
            let scheme = KingBuckets::named(name).expect("a scheme of this name");
            assert_eq!(scheme.count(), count, "{name}");
            let again = KingBuckets::from_parts(*scheme.buckets(), scheme.is_mirrored());
            assert_eq!(again.as_ref(), Some(&scheme));
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
        let scheme = KingBuckets::named("squares").expect("a scheme of this name");
        let placements = [
            (Color::White, Square::B1, Square::C4),
            (Color::White, Square::G1, Square::F4),
            (Color::Black, Square::B8, Square::C5),
            (Color::Black, Square::G8, Square::F5),
        ];
        let indices = placements.map(|(side, king, piece)| {
            scheme
                .perspective(side, king)
                .index(true, Role::Bishop, piece)
        });
        assert!(
            indices.iter().all(|index| *index == indices[0]),
            "{indices:?}"
        );
    }
}
