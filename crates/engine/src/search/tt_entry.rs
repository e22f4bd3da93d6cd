//! The entries of the transposition table, as the search sees them and as they lie in memory.

use super::window::Bound;
use crate::position::packed_move::CompactMove;
use crate::score::Score;

/// The generation, which is the number of the search that stored an entry, has five bits.
pub(super) const GENERATION_MASK: u8 = 0x1f;

/// The greatest depth of an entry, in plies: it has seven bits. Deeper searches are stored as if
/// they were this deep.
pub(super) const MAX_DEPTH: u8 = 0x7f;

/// The entry of a position. Mates in its score count from the position itself ([`Score::to_tt`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The best move, if the search found one.
    pub(super) best: Option<CompactMove>,
    /// The score from the point of view of the side to move.
    pub(super) score: Score,
    /// The depth of the search, in plies, 0 (quiescence) to [`MAX_DEPTH`]; a greater one is stored
    /// as that.
    pub(super) depth: u8,
    /// Whether the score is exact or a bound.
    pub(super) bound: Bound,
}

/// An entry in memory: 19 bits of the key, then the move in 15 bits, the score in 16, the depth in
/// 7, the bound in 2 (zero: empty) and the generation in 5.
#[derive(Clone, Copy)]
pub(super) struct Packed(pub(super) u64);

const KEY_MASK: u64 = (1 << MOVE_SHIFT) - 1;
const MOVE_SHIFT: u32 = 19;
const MOVE_MASK: u64 = 0x7fff;
const SCORE_SHIFT: u32 = 34;
const DEPTH_SHIFT: u32 = 50;
const BOUND_SHIFT: u32 = 57;
const GENERATION_SHIFT: u32 = 59;

impl Packed {
    pub(super) fn new(key: u64, entry: Entry, generation: u8) -> Packed {
        let best = entry.best.map_or(0, CompactMove::to_bits);
        debug_assert!(u64::from(best) <= MOVE_MASK, "a move has 15 bits");
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Packed(
            key & KEY_MASK
                | u64::from(best) << MOVE_SHIFT
                | u64::from(entry.score.to_bits()) << SCORE_SHIFT
                | u64::from(entry.depth.min(MAX_DEPTH)) << DEPTH_SHIFT
                | bound << BOUND_SHIFT
                | u64::from(generation) << GENERATION_SHIFT,
        )
    }

    #[inline]
    pub(super) fn unpack(self) -> Option<Entry> {
        let bound = match self.0 >> BOUND_SHIFT & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            best: CompactMove::from_bits((self.0 >> MOVE_SHIFT & MOVE_MASK) as u16),
            score: Score::from_bits((self.0 >> SCORE_SHIFT) as u16),
            depth: self.depth(),
            bound,
        })
    }

    /// Whether this is the entry of the position with this key.
    #[inline]
    pub(super) fn has_key(self, key: u64) -> bool {
        (self.0 ^ key) & KEY_MASK == 0 && !self.is_empty()
    }

    pub(super) fn depth(self) -> u8 {
        (self.0 >> DEPTH_SHIFT) as u8 & MAX_DEPTH
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 >> BOUND_SHIFT & 3 == 0
    }

    pub(super) fn generation(self) -> u8 {
        (self.0 >> GENERATION_SHIFT) as u8 & GENERATION_MASK
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_keeps_its_value_at_its_limits() {
        let best = CompactMove::from_bits(0x7fff).expect("not zero");
        for (depth, bound) in [
            (0, Bound::Upper),
            (MAX_DEPTH, Bound::Lower),
            (64, Bound::Exact),
        ] {
            for score in [Score::LOWEST, Score::HIGHEST, Score::DRAW] {
                for best in [Some(best), None] {
                    let entry = Entry {
                        best,
                        score,
                        depth,
                        bound,
                    };
                    let packed = Packed::new(u64::MAX, entry, GENERATION_MASK);
                    assert_eq!(packed.unpack(), Some(entry));
                    assert_eq!(packed.generation(), GENERATION_MASK);
                    assert!(packed.has_key(u64::MAX) && !packed.has_key(u64::MAX - 1));
                }
            }
        }
        let entry = Entry {
            best: None,
            score: Score::DRAW,
            depth: 255,
            bound: Bound::Lower,
        };
        let deeper = Packed::new(1, entry, 0);
        assert_eq!(deeper.depth(), MAX_DEPTH);
        assert!(!Packed(0).has_key(0));
    }
}
