//! The limits of a search: clock, move time, depth, nodes, mate, root moves.
//!
//! These are the limits that a `go` command sets. [`super::time_management`] turns a clock into the
//! time for one move.

use std::time::Duration;

use shakmaty::Move;

use crate::position::movegen::legal_moves;
use crate::position::variant_position::VariantPosition;

/// The clock of the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// Time left until the next time control.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until the next time control; `None` if the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// The limits of one search. The first limit reached ends it; without limits it runs until it is
/// stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clock of the side to move.
    pub clock: Option<PlayerClock>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Depth of the last iteration, in plies, 1 or more.
    pub depth: Option<u32>,
    /// Number of nodes. A single thread stops at exactly this number; several threads check their
    /// total now and then.
    pub nodes: Option<u64>,
    /// A soft limit: once this many nodes are searched, no other iteration begins.
    pub soft_nodes: Option<u64>,
    /// Ends the search when a mate in this many moves or fewer is found, or when there is none.
    pub mate: Option<u32>,
    /// The legal moves to which the root is restricted; all if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Limits the depth alone.
    pub fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::default()
        }
    }

    /// Limits the number of nodes alone.
    pub fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::default()
        }
    }

    /// The root moves to search in a position: its legal moves, restricted to
    /// [`Limits::search_moves`]. Empty if the position is mate or stalemate.
    pub fn root_moves(&self, position: &VariantPosition) -> Vec<Move> {
        let legal = legal_moves(position).into_iter();
        legal.filter(|m| self.allows(*m)).collect()
    }

    /// Whether [`Limits::search_moves`] allows a root move.
    pub fn allows(&self, m: Move) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(&m)
    }

    /// Whether any limit is set.
    pub fn is_bounded(&self) -> bool {
        self.ends_by_itself() || self.mate.is_some()
    }

    /// Whether the search ends by itself in every position: by a limit other than
    /// [`Limits::mate`], which may never be found.
    pub fn ends_by_itself(&self) -> bool {
        self.clock.is_some()
            || self.move_time.is_some()
            || self.depth.is_some()
            || self.nodes.is_some()
            || self.soft_nodes.is_some()
    }
}
