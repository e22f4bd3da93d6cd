//! The rules of selectivity, one file per family. Each rule is in one place: when it applies, by how much,
//! its tunable parameters, and the source of the idea.
//!
//! | file | what it decides |
//! |---|---|
//! | `node_pruning` | whether a node can be cut off before its moves are searched |
//! | `move_pruning` | which moves are skipped |
//! | `reductions` | which moves and nodes are searched to less depth |
//! | `extensions` | which moves and nodes are searched to more |
//! | `overlooking` | what a player of a lower level doesn't see |
//! | `tablebase` | which nodes get their score from the endgame tablebases |

pub mod extensions;
pub mod move_pruning;
pub mod node_pruning;
pub mod overlooking;
pub mod reductions;
pub mod tablebase;

#[cfg(test)]
mod wiring_tests;
