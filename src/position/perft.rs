//! Counting the positions that a number of moves can lead to: the test of every move generator.
//!
//! The counts for many positions are published, so a generator that reaches them, move by move and depth
//! by depth, is right ("performance test", perft).

use shakmaty::{Chess, Move, Position};

use crate::position::movegen::{LegalMasks, legal_moves};
use crate::search::stop::{StopToken, Stopped};

/// How many lines of exactly `depth` plies the position has.
///
/// # Errors
///
/// [`Stopped`] if the token is raised before the count is complete.
pub fn count(position: &Chess, depth: u32, stop: &StopToken) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    if depth == 1 {
        // The last ply is counted without playing it.
        let mut moves = 0;
        LegalMasks::of(position).for_each(position, |_| moves += 1);
        return Ok(moves);
    }
    if stop.is_requested() {
        return Err(Stopped);
    }
    legal_moves(position)
        .into_iter()
        .map(|m| count(&after(position, m), depth - 1, stop))
        .sum()
}

/// The same count, told move by move of the first ply. Gives the sum.
///
/// # Errors
///
/// [`Stopped`] if the token is raised before the count is complete.
pub fn divide(
    position: &Chess,
    depth: u32,
    stop: &StopToken,
    each: &mut dyn FnMut(Move, u64),
) -> Result<u64, Stopped> {
    if depth == 0 {
        return Ok(1);
    }
    let mut sum = 0;
    for m in legal_moves(position) {
        let below = count(&after(position, m), depth - 1, stop)?;
        each(m, below);
        sum += below;
    }
    Ok(sum)
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
        let counts = (0..5).map(|depth| count(&start, depth, &StopToken::new()));
        let counts: Vec<u64> = counts
            .map(|count| count.expect("nobody stops it"))
            .collect();
        assert_eq!(counts, [1, 20, 400, 8_902, 197_281]);
    }

    #[test]
    fn the_parts_of_a_division_add_up() {
        let mut parts = Vec::new();
        let mut note = |_, count| parts.push(count);
        let sum = divide(&Chess::default(), 3, &StopToken::new(), &mut note);
        assert_eq!(sum, Ok(8_902));
        assert_eq!(parts.len(), 20);
        assert_eq!(parts.iter().sum::<u64>(), 8_902);
    }

    #[test]
    fn a_raised_token_stops_the_count() {
        let stop = StopToken::new();
        stop.request();
        assert_eq!(count(&Chess::default(), 20, &stop), Err(Stopped));
    }
}
