//! What a search was asked for: how long, how deep, how far.

use std::time::Duration;

use shakmaty::{Chess, Move};

use crate::position::movegen::legal_moves;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// Time left for the moves up to the next time control.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves up to the next time control; `None` when the clock holds for the whole game.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search. The first one reached ends it; without any it runs until it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clock of the side to move.
    pub clock: Option<PlayerClock>,
    /// Time for this very move.
    pub move_time: Option<Duration>,
    /// Plies of full-width depth, 1 or more.
    pub depth: Option<u32>,
    /// Nodes, exactly.
    pub nodes: Option<u64>,
    /// Stop at a mate in this many moves or fewer.
    pub mate: Option<u32>,
    /// The root moves to consider, legal ones; all when empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Only a depth.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// The moves to consider in a position: those asked for, or all if none was. None at all is mate or
    /// stalemate.
    pub fn root_moves(&self, position: &Chess) -> Vec<Move> {
        let legal = legal_moves(position).into_iter();
        let is_wanted = |m: &Move| self.search_moves.is_empty() || self.search_moves.contains(m);
        legal.filter(is_wanted).collect()
    }

    /// Whether a search under these limits ends by itself, the depth of the tree aside.
    pub fn is_bounded(&self) -> bool {
        self.clock.is_some()
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
    }
}
