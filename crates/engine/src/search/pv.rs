//! The principal variation (PV): the line that both sides play if the search is right, best move
//! first.
//!
//! Every node of the principal variation builds its own from its best move and the variation of the
//! child (the triangular PV array, with the rows on the call stack).

use arrayvec::ArrayVec;

use crate::position::packed_move::PackedMove;
use crate::score::MAX_PLY;

/// The principal variation of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pv(ArrayVec<PackedMove, { MAX_PLY + 1 }>);

impl Pv {
    pub(super) fn new() -> Pv {
        Pv::default()
    }

    /// A variation of one move.
    pub(super) fn of(m: PackedMove) -> Pv {
        let mut pv = Pv::new();
        pv.0.push(m);
        pv
    }

    /// The moves in the order of play.
    pub(super) fn moves(&self) -> &[PackedMove] {
        &self.0
    }

    /// Removes all moves.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Replaces the variation by a move and the variation of the child that it leads to. If they
    /// are too long together, the last moves are dropped.
    pub(super) fn set(&mut self, m: PackedMove, child: &Pv) {
        self.0.clear();
        self.0.push(m);
        let kept = self.0.remaining_capacity().min(child.0.len());
        self.0.extend(child.0[..kept].iter().copied());
    }
}
