//! What the moves of a node have yielded.

use arrayvec::ArrayVec;

use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// The moves of a node searched so far, and the best of them.
///
/// If a later move causes a cutoff, the captures get a malus and, if it is quiet, the quiet moves
/// too. Moves beyond the capacity of the lists are so far back that their histories are low
/// already.
#[derive(Debug)]
pub(super) struct SearchedMoves {
    /// The best score, at first that of the worst case.
    pub(super) best: Score,
    /// The move that raised alpha last.
    pub(super) best_move: Option<PackedMove>,
    pub(super) quiets: ArrayVec<PackedMove, 64>,
    pub(super) captures: ArrayVec<PackedMove, 32>,
    count: i32,
}

impl SearchedMoves {
    /// No moves yet, in a node that can't score below `worst`.
    #[inline]
    pub(super) fn none(worst: Score) -> SearchedMoves {
        SearchedMoves {
            best: worst,
            best_move: None,
            quiets: ArrayVec::new(),
            captures: ArrayVec::new(),
            count: 0,
        }
    }

    /// The number of moves without a cutoff, pruned ones included.
    pub(super) fn count(&self) -> i32 {
        self.count
    }

    /// Adds a move that was searched and caused no cutoff.
    #[inline]
    pub(super) fn add(&mut self, m: PackedMove) {
        self.count += 1;
        let _ = if m.is_tactical() {
            self.captures.try_push(m)
        } else {
            self.quiets.try_push(m)
        };
    }

    /// Counts a move that was pruned.
    pub(super) fn count_pruned(&mut self) {
        self.count += 1;
    }
}
