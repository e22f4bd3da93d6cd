//! A line of play: the moves that the search expects, best move first.

use arrayvec::ArrayVec;

use crate::position::packed_move::PackedMove;
use crate::score::MAX_PLY;

/// Moves from a node onwards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pv(ArrayVec<PackedMove, { MAX_PLY + 1 }>);

impl Pv {
    /// A line without moves.
    pub fn new() -> Pv {
        Pv::default()
    }

    /// A line of one move.
    pub fn of(m: PackedMove) -> Pv {
        let mut line = Pv::new();
        line.0.push(m);
        line
    }

    /// The moves, in the order in which they are played.
    pub fn moves(&self) -> &[PackedMove] {
        &self.0
    }

    /// Forgets all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Becomes a move and what follows it.
    pub fn set(&mut self, m: PackedMove, rest: &Pv) {
        self.0.clear();
        self.0.push(m);
        // A line as long as the tree is deep loses its last move rather than its first.
        let room = self.0.remaining_capacity().min(rest.0.len());
        self.0.extend(rest.0[..room].iter().copied());
    }
}
