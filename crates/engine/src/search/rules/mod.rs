//! The rules of selectivity, one file per family. Each rule is in one place: when it applies, by
//! how much, its tunable parameters, its test and, where one can be named, the source of the idea.
//!
//! | file | what it decides |
//! |---|---|
//! | `cutoffs` | which nodes have a score that is known without a search |
//! | `tablebase` | which nodes get their score from the endgame tablebases |
//! | `node_pruning` | whether a node can be cut off before its moves are searched |
//! | `move_pruning` | which moves are skipped |
//! | `quiescence_pruning` | which moves are searched at the leaves |
//! | `reductions` | which moves and nodes are searched to less depth |
//! | `extensions` | which moves and nodes are searched to more |
//! | `overlooking` | what a player of a lower level doesn't see |
//!
//! Which families apply in which kind of node is in one place too: `Worker::rules_for` in
//! `search/node.rs`.
//!
//! Most tests search a node where the rule changes the outcome, and compare it with one where a
//! single condition of the rule fails; a few call the function of the rule.

pub(super) mod cutoffs;
pub(super) mod extensions;
pub(super) mod move_pruning;
pub(super) mod node_pruning;
pub(super) mod overlooking;
pub(super) mod quiescence_pruning;
pub(super) mod reductions;
pub(super) mod tablebase;

#[cfg(test)]
mod test_support;
