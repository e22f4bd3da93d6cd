//! Cuckoo tables: finds the reversible move between two positions by the difference of their
//! Zobrist keys.
//!
//! A reversible move takes a piece from one square to another and captures nothing. It changes the
//! key by a number that depends on the piece and the two squares only. All these numbers are stored
//! in a cuckoo hash table, so one lookup tells whether a single reversible move leads from one
//! position to another (van Kervinck, *The design and implementation of the Rookie 2.0 chess
//! playing program*, 2002; also in Stockfish).

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::position::piece_changes::PieceChange;
use crate::position::zobrist::ZobristKeys;

/// Slots of the table, about twice as many as there are reversible moves.
const SLOTS: usize = 1 << 13;

/// A reversible move and the number by which it changes a key.
#[derive(Clone, Copy, Debug)]
struct ReversibleMove {
    key_difference: u64,
    squares: (Square, Square),
}

/// The hash table. Each key difference is in one of two slots, chosen by its own bits; an insertion
/// moves the old occupant of a slot to its other slot (cuckoo hashing, Pagh and Rodler 2001).
static CUCKOO: LazyLock<Box<[Option<ReversibleMove>]>> = LazyLock::new(|| {
    let mut table = vec![None; SLOTS].into_boxed_slice();
    for reversible in all_reversible_moves() {
        let mut inserted = reversible;
        let mut slot = slots(reversible.key_difference)[0];
        while let Some(evicted) = table[slot].replace(inserted) {
            inserted = evicted;
            let [first, second] = slots(inserted.key_difference);
            slot = if slot == first { second } else { first };
        }
    }
    table
});

/// The two squares of the reversible move that changes a key by `key_difference`, the exclusive or
/// of the keys of two positions with different sides to move. The piece can be on either square.
/// `None` if no single reversible move does.
#[inline]
pub(super) fn reversible_move(key_difference: u64) -> Option<(Square, Square)> {
    let found = slots(key_difference)
        .into_iter()
        .filter_map(|slot| CUCKOO[slot])
        .find(|reversible| reversible.key_difference == key_difference)?;
    Some(found.squares)
}

/// The two possible slots of a key difference.
#[inline]
fn slots(key_difference: u64) -> [usize; 2] {
    [
        key_difference as usize % SLOTS,
        (key_difference >> 16) as usize % SLOTS,
    ]
}

fn all_reversible_moves() -> impl Iterator<Item = ReversibleMove> {
    let pieces = Color::ALL.into_iter().flat_map(|color| {
        let roles = Role::ALL.into_iter().filter(|role| *role != Role::Pawn);
        roles.map(move |role| role.of(color))
    });
    pieces.flat_map(|piece| {
        let pairs = Square::ALL.into_iter().flat_map(move |from| {
            let targets = attacks::attacks(from, piece, Bitboard::EMPTY);
            targets
                .into_iter()
                .filter(move |to| *to > from)
                .map(move |to| (from, to))
        });
        pairs.map(move |(from, to)| {
            let mut keys = ZobristKeys::default();
            keys.apply(PieceChange {
                piece,
                from: Some(from),
                to: Some(to),
            });
            keys.toggle_turn();
            ReversibleMove {
                key_difference: keys.position,
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
        // On an empty board: 168 of a knight, 280 of a bishop, 448 of a rook, 210 of a king, and
        // the queen's moves are those of a rook and a bishop together.
        let moves = 168 + 280 + 448 + 210 + (280 + 448);
        assert_eq!(all_reversible_moves().count(), 2 * moves);
        for reversible in all_reversible_moves() {
            assert_eq!(
                reversible_move(reversible.key_difference),
                Some(reversible.squares)
            );
        }
        assert_eq!(reversible_move(0), None);
        assert_eq!(reversible_move(0x1234_5678), None);
    }
}
