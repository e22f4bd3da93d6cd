//! The list from which the move picker takes its moves: each move with its score for ordering.

use arrayvec::ArrayVec;

use crate::position::movegen::MAX_MOVES;
use crate::position::packed_move::PackedMove;

/// The score of a move and its place in the list, as one number: the greatest belongs to the best
/// move, the first of equals. So the best is found by a loop over numbers, which the compiler turns
/// into one over vectors.
#[derive(Clone, Copy)]
struct Rank(i32);

impl Rank {
    const PLACE_BITS: u32 = MAX_MOVES.ilog2();
    const LAST_PLACE: i32 = (1 << Rank::PLACE_BITS) - 1;

    #[inline]
    fn new(score: i32, place: usize) -> Rank {
        Rank((score << Rank::PLACE_BITS) + Rank::LAST_PLACE - place as i32)
    }

    #[inline]
    fn score(self) -> i32 {
        self.0 >> Rank::PLACE_BITS
    }

    #[inline]
    fn place(self) -> usize {
        (Rank::LAST_PLACE - (self.0 & Rank::LAST_PLACE)) as usize
    }
}

/// Moves with their scores, sorted as far as they have been picked.
#[derive(Default)]
pub(super) struct RankedMoves {
    moves: ArrayVec<PackedMove, MAX_MOVES>,
    ranks: ArrayVec<Rank, MAX_MOVES>,
}

impl RankedMoves {
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    pub(super) fn push(&mut self, m: PackedMove, score: i32) {
        self.ranks.push(Rank::new(score, self.moves.len()));
        self.moves.push(m);
    }

    /// The move at a place.
    #[inline]
    pub(super) fn at(&self, place: usize) -> PackedMove {
        self.moves[place]
    }

    /// The score of the move at a place to which it was picked.
    #[inline]
    pub(super) fn score_at(&self, place: usize) -> i32 {
        self.ranks[place].score()
    }

    /// Brings the best of the moves from `next` on to that place, and returns it; `None` if none is
    /// left. Picked one by one, they are a selection sort that ends when the node does.
    #[inline]
    pub(super) fn pick(&mut self, next: usize) -> Option<PackedMove> {
        let left = self.ranks.get(next..).filter(|left| !left.is_empty())?;
        let best = Rank(left.iter().fold(i32::MIN, |best, rank| best.max(rank.0)));
        let place = best.place();
        self.moves.swap(next, place);
        self.ranks[place] = Rank::new(self.ranks[next].score(), place);
        self.ranks[next] = best;
        Some(self.moves[next])
    }

    /// Swaps two moves that were picked, whose scores nothing asks for any more.
    #[inline]
    pub(super) fn swap_picked(&mut self, one: usize, other: usize) {
        self.moves.swap(one, other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{Role, Square};

    #[test]
    fn the_best_move_comes_first_and_of_equals_the_one_that_stands_first() {
        let m = |to| PackedMove::normal(Role::Knight, Square::G1, None, to, None);
        let mut moves = RankedMoves::default();
        for (to, score) in [
            (Square::A1, -3),
            (Square::B1, 5),
            (Square::C1, -80_000),
            (Square::D1, 5),
            (Square::E1, 90_000),
        ] {
            moves.push(m(to), score);
        }
        let mut next = 0;
        for (to, score) in [
            (Square::E1, 90_000),
            (Square::B1, 5),
            (Square::D1, 5),
            // It took the place of the move from e1.
            (Square::A1, -3),
            (Square::C1, -80_000),
        ] {
            assert_eq!(moves.pick(next), Some(m(to)));
            assert_eq!((moves.at(next), moves.score_at(next)), (m(to), score));
            next += 1;
        }
        assert_eq!(moves.pick(next), None);
    }
}
