//! Perft ("performance test"): counts the lines of play of a given length, the test of every move generator.
//!
//! The counts for many positions are published. A generator that reproduces them is right; otherwise the counts
//! for each first move ([`divide`]) lead to the mistake. Transpositions are counted again: there is no hash
//! table.

use shakmaty::{Chess, Move, Position};

use crate::position::movegen::{LegalMasks, legal_moves};

/// The greatest depth, in plies, that a user can ask for. Each ply is one level of recursion, so this bounds
/// the stack. No count of this depth would ever end.
pub const MAX_DEPTH: u32 = 64;

/// The number of lines of exactly `depth` plies, or `None` if `keep_going` returned false before the end.
pub fn count(position: &Chess, depth: u32, keep_going: &dyn Fn() -> bool) -> Option<u64> {
    debug_assert!(depth <= MAX_DEPTH, "the depth of the recursion is bounded");
    if depth == 0 {
        return Some(1);
    }
    if depth == 1 {
        // Bulk counting: the moves of the last ply are counted but not played.
        let mut moves = 0;
        LegalMasks::of(position).for_each(position, |_| moves += 1);
        return Some(moves);
    }
    if !keep_going() {
        return None;
    }
    legal_moves(position)
        .into_iter()
        .map(|m| count(&after(position, m), depth - 1, keep_going))
        .sum()
}

/// Perft divide: the same count. Calls `on_move` with each first move and the number of its lines.
pub fn divide(
    position: &Chess,
    depth: u32,
    keep_going: &dyn Fn() -> bool,
    on_move: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for m in legal_moves(position) {
        let nodes = count(&after(position, m), depth - 1, keep_going)?;
        on_move(m, nodes);
        total += nodes;
    }
    Some(total)
}

fn after(position: &Chess, m: Move) -> Chess {
    let mut child = position.clone();
    child.play_unchecked(m);
    child
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_has_its_published_counts() {
        let start = Chess::default();
        let counts = (0..5).map(|depth| count(&start, depth, &|| true));
        let counts: Option<Vec<u64>> = counts.collect();
        assert_eq!(counts, Some(vec![1, 20, 400, 8_902, 197_281]));
    }

    #[test]
    fn the_shares_of_the_first_moves_add_up() {
        let mut shares = Vec::new();
        let mut on_move = |_, count| shares.push(count);
        let total = divide(&Chess::default(), 3, &|| true, &mut on_move);
        assert_eq!(total, Some(8_902));
        assert_eq!(shares.len(), 20);
        assert_eq!(shares.iter().sum::<u64>(), 8_902);
    }

    #[test]
    fn a_count_that_is_stopped_has_no_result() {
        assert_eq!(count(&Chess::default(), 20, &|| false), None);
    }
}
