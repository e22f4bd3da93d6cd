//! Which single move turns one position into another, read off the difference of their keys.
//!
//! A move that can be taken back, a piece from one square to another and no capture, changes a key by one
//! number that depends on nothing else. All those numbers stand in a table, so that a look at the difference
//! of two keys tells whether one such move lies between them (van Kervinck, *The design and implementation
//! of the Rookie 2.0 chess playing program*, 2002).

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::position::zobrist::ZobristKeys;

/// Places of the table, about twice as many as there are moves.
const PLACES: usize = 1 << 13;

/// A move and the number by which it changes a key.
#[derive(Clone, Copy, Debug)]
struct Change {
    difference: u64,
    squares: (Square, Square),
}

/// Every number stands in one of two places that its own bits tell (cuckoo hashing, Pagh and Rodler 2001).
static CHANGES: LazyLock<Box<[Option<Change>]>> = LazyLock::new(|| {
    let mut table = vec![None; PLACES].into_boxed_slice();
    for change in all_changes() {
        let mut homeless = change;
        let mut place = places(change.difference)[0];
        while let Some(evicted) = table[place].replace(homeless) {
            homeless = evicted;
            let [first, second] = places(homeless.difference);
            place = if place == first { second } else { first };
        }
    }
    table
});

/// The squares between which a piece, either way, turns one position into the other; `None` if no single
/// reversible move does. The keys are of the whole positions, one with White and one with Black to move.
#[inline]
pub fn reversible_move_between(key: u64, other: u64) -> Option<(Square, Square)> {
    let difference = key ^ other;
    let candidates = places(difference).map(|place| CHANGES[place]);
    let change = candidates
        .into_iter()
        .flatten()
        .find(|change| change.difference == difference)?;
    Some(change.squares)
}

#[inline]
fn places(difference: u64) -> [usize; 2] {
    [
        difference as usize % PLACES,
        (difference >> 16) as usize % PLACES,
    ]
}

fn all_changes() -> impl Iterator<Item = Change> {
    let pieces = Color::ALL.into_iter().flat_map(|color| {
        let roles = Role::ALL.into_iter().filter(|role| *role != Role::Pawn);
        roles.map(move |role| role.of(color))
    });
    pieces.flat_map(|piece| {
        let pairs = Square::ALL.into_iter().flat_map(move |from| {
            let reached = attacks::attacks(from, piece, Bitboard::EMPTY);
            reached
                .into_iter()
                .filter(move |to| *to > from)
                .map(move |to| (from, to))
        });
        pairs.map(move |(from, to)| {
            let mut keys = ZobristKeys::default();
            keys.toggle_piece(piece.color, piece.role, from);
            keys.toggle_piece(piece.color, piece.role, to);
            keys.toggle_turn();
            Change {
                difference: keys.position,
                squares: (from, to),
            }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reversible_move_is_found_and_nothing_else() {
        // On an empty board: 168 of a knight, 280 of a bishop, 448 of a rook, 210 of a king, and a queen
        // does what rook and bishop do.
        let moves = 168 + 280 + 448 + 210 + (280 + 448);
        assert_eq!(all_changes().count(), 2 * moves);
        for change in all_changes() {
            assert_eq!(
                reversible_move_between(change.difference, 0),
                Some(change.squares)
            );
        }
        assert_eq!(reversible_move_between(0, 0), None);
        assert_eq!(reversible_move_between(0x1234_5678, 0), None);
    }
}
