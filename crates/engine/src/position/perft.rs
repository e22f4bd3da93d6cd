//! Perft ("performance test"): counts the lines of play of a given length, the test of every move
//! generator.
//!
//! The counts for many positions are published. A generator that reproduces them is right;
//! otherwise the counts for each first move ([`divide`]) lead to the mistake. Transpositions are
//! counted again: there is no hash table.

use rayon::prelude::*;
use shakmaty::{Move, Position};

use crate::position::movegen::{LegalMasks, legal_moves};
use crate::position::variant_position::VariantPosition;

/// The greatest depth, in plies, that a user can ask for. Each ply is one level of recursion, so
/// this bounds the stack. No count of this depth would ever end.
pub const MAX_DEPTH: u32 = 64;

/// The number of lines of exactly `depth` plies, or `None` if `keep_going` returned false before
/// the end.
pub fn count(position: &VariantPosition, depth: u32, keep_going: &dyn Fn() -> bool) -> Option<u64> {
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
    position: &VariantPosition,
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

/// The same as [`divide`], with the lines counted on all threads of the current rayon pool: a task
/// for each pair of first move and reply. `on_move` is called at the end, in the same order.
pub fn divide_in_parallel(
    position: &VariantPosition,
    depth: u32,
    keep_going: &(dyn Fn() -> bool + Sync),
    on_move: &mut dyn FnMut(Move, u64),
) -> Option<u64> {
    if depth < 3 {
        return divide(position, depth, keep_going, on_move);
    }
    let first_moves = legal_moves(position);
    let tasks: Vec<(usize, VariantPosition)> = first_moves
        .iter()
        .enumerate()
        .flat_map(|(index, first)| {
            let child = after(position, *first);
            let replies = legal_moves(&child);
            replies
                .into_iter()
                .map(move |reply| (index, after(&child, reply)))
        })
        .collect();
    let of_task = |(index, child): &(usize, VariantPosition)| {
        Some((*index, count(child, depth - 2, keep_going)?))
    };
    let counts: Option<Vec<(usize, u64)>> = tasks.par_iter().map(of_task).collect();
    let mut nodes = vec![0; first_moves.len()];
    for (index, count) in counts? {
        nodes[index] += count;
    }
    for (first, count) in first_moves.into_iter().zip(&nodes) {
        on_move(first, *count);
    }
    Some(nodes.iter().sum())
}

fn after(position: &VariantPosition, m: Move) -> VariantPosition {
    let mut child = position.clone();
    child.play_unchecked(m);
    child
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_position_has_its_published_counts() {
        let start = VariantPosition::default();
        let counts = (0..5).map(|depth| count(&start, depth, &|| true));
        let counts: Option<Vec<u64>> = counts.collect();
        assert_eq!(counts, Some(vec![1, 20, 400, 8_902, 197_281]));
    }

    #[test]
    fn the_shares_of_the_first_moves_add_up() {
        let mut shares = Vec::new();
        let mut on_move = |_, count| shares.push(count);
        let total = divide(&VariantPosition::default(), 3, &|| true, &mut on_move);
        assert_eq!(total, Some(8_902));
        assert_eq!(shares.len(), 20);
        assert_eq!(shares.iter().sum::<u64>(), 8_902);
    }

    #[test]
    fn threads_change_neither_the_counts_nor_their_order() {
        let shares = |in_parallel: bool, depth| {
            let mut shares = Vec::new();
            let mut on_move = |m, count| shares.push((m, count));
            let start = VariantPosition::default();
            let total = if in_parallel {
                divide_in_parallel(&start, depth, &|| true, &mut on_move)
            } else {
                divide(&start, depth, &|| true, &mut on_move)
            };
            (total, shares)
        };
        for depth in 0..5 {
            assert_eq!(shares(true, depth), shares(false, depth), "depth {depth}");
        }
    }

    #[test]
    fn a_count_that_is_stopped_has_no_result() {
        assert_eq!(count(&VariantPosition::default(), 20, &|| false), None);
        let in_parallel =
            divide_in_parallel(&VariantPosition::default(), 20, &|| false, &mut |_, _| ());
        assert_eq!(in_parallel, None);
    }
}
