//! Which pairs share a parameter: those of the same pieces at the same distance from each other.
//!
//! Two pawns side by side support each other on every file, and a knight is blocked by a pawn in front of it wherever
//! both stand. There are 50,000 pairs, many of them hardly ever seen in games; what holds for all that are placed alike
//! is learned from all of them, and the score of a pair only adds what is special about its squares.

use squarewise_engine::evaluation::pairs::{SeenPair, seen_pairs};

/// The number of the relative parameter of every pair, pairs of pawns first.
pub(super) fn relative_numbers() -> Vec<u16> {
    // Files differ by -7 to 7, ranks too.
    const DISTANCES: usize = 15 * 15;
    let number = |pair: SeenPair| {
        let kind = usize::from(pair.is_enemy) * 5 + usize::from(pair.role) - 1;
        let kinds = kind * 2 + usize::from(pair.is_enemy_pawn);
        let files = pair.pawn.file() as i32 - pair.square.file() as i32 + 7;
        let ranks = pair.pawn.rank() as i32 - pair.square.rank() as i32 + 7;
        (kinds * DISTANCES + (ranks * 15 + files) as usize) as u16
    };
    seen_pairs().map(number).collect()
}
