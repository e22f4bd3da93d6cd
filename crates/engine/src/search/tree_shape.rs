//! The shape of the tree that a search visits: it tells what a change of the search does, without
//! a game.
//!
//! Everything is counted only with the feature `tuning`, so that the engine that plays pays
//! nothing for it.

/// Whether anything is counted.
const IS_COUNTED: bool = cfg!(feature = "tuning");

/// What one thread has counted in one search; zero without the feature `tuning`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeShape {
    /// Nodes of the quiescence search.
    pub quiescence_nodes: u64,
    /// Nodes of the main search in which a move reached beta.
    pub cutoffs: u64,
    /// Those in which the first move did.
    pub first_move_cutoffs: u64,
    /// Moves that were first searched to a reduced depth.
    pub reduced_moves: u64,
    /// Those that beat alpha; nearly all of them are searched again.
    pub researches: u64,
    /// Searches of the root that ended outside their aspiration window.
    pub failed_windows: u64,
}

impl TreeShape {
    /// A node of the quiescence search.
    #[inline]
    pub(super) fn count_quiescence_node(&mut self) {
        if IS_COUNTED {
            self.quiescence_nodes += 1;
        }
    }

    /// A cutoff by the move with this number, from 1.
    #[inline]
    pub(super) fn count_cutoff(&mut self, number: i32) {
        if IS_COUNTED {
            self.cutoffs += 1;
            self.first_move_cutoffs += u64::from(number == 1);
        }
    }

    /// A move that was searched to a reduced depth, and whether it beat alpha.
    #[inline]
    pub(super) fn count_reduced_move(&mut self, has_beaten_alpha: bool) {
        if IS_COUNTED {
            self.reduced_moves += 1;
            self.researches += u64::from(has_beaten_alpha);
        }
    }

    /// A search of the root that failed high or low.
    #[inline]
    pub(super) fn count_failed_window(&mut self) {
        if IS_COUNTED {
            self.failed_windows += 1;
        }
    }
}

impl std::ops::AddAssign for TreeShape {
    fn add_assign(&mut self, other: TreeShape) {
        self.quiescence_nodes += other.quiescence_nodes;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.reduced_moves += other.reduced_moves;
        self.researches += other.researches;
        self.failed_windows += other.failed_windows;
    }
}
