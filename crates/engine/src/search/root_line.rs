//! A line from the root, as it is shown and chosen from.

use super::pv::Pv;
use super::window::Bound;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// A line from the root and its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RootLine {
    pub(super) score: Score,
    /// Whether the score is exact or a bound. Until its line is finished, the score of a move that
    /// raised alpha is a lower bound: a move that is still to be searched can be better.
    pub(super) bound: Bound,
    /// The depth of the iteration, in plies; 0 for the static evaluation.
    pub(super) depth: u32,
    pub(super) pv: Pv,
    /// The deepest ply reached (`seldepth`).
    pub(super) selective_depth: usize,
}

impl RootLine {
    /// The move that the line begins with.
    pub(super) fn first_move(&self) -> Option<PackedMove> {
        self.pv.moves().first().copied()
    }

    /// Whether the side to move wins for certain. That is so whatever its other moves are worth.
    pub(super) fn is_win(&self) -> bool {
        self.score.is_win()
    }

    /// Whether the side to move loses for certain if it has no better move.
    pub(super) fn is_loss(&self) -> bool {
        self.score.is_loss()
    }
}
