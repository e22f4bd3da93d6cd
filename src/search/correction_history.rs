//! What the tables get wrong, learned while searching.
//!
//! Tables know no pawn structure, no bishop pair, no trapped piece. But where the search has found a
//! position better or worse than its static evaluation, another position with the same pawns, the same
//! pieces or after the same moves is likely to be misjudged in the same direction. So the difference is
//! remembered under the keys of those parts and added to later evaluations (*correction history*, known
//! since Caissa and Stockfish 16.1).

use shakmaty::Color;

use super::history::{HISTORY_LIMIT, PieceTo, learn};
use super::parameters::{CORRECTION_GRAIN, CORRECTION_STEP};
use crate::position::zobrist::ZobristKeys;
use crate::score::Score;

/// Places in each table: keys are cut down to so many.
const PLACES: usize = 1 << 14;
/// The most that one search can tell.
const STEP_LIMIT: i32 = HISTORY_LIMIT / 4;

/// What a node is remembered under.
#[derive(Clone, Copy, Debug)]
pub struct CorrectionKeys {
    /// Who is to move.
    pub turn: Color,
    /// The keys of the position.
    pub keys: ZobristKeys,
    /// What was moved one and two plies before.
    pub before: [PieceTo; 2],
}

/// How far static evaluations were off, by traits of the position. Each table is indexed by the side to
/// move first.
#[derive(Clone, Debug)]
pub struct CorrectionHistory {
    pawns: Box<[[i16; PLACES]]>,
    /// White's pieces and Black's.
    pieces: [Box<[[i16; PLACES]]>; 2],
    moves: Box<[[i16; PLACES]]>,
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        let table = || vec![[0; PLACES]; 2].into_boxed_slice();
        CorrectionHistory {
            pawns: table(),
            pieces: [table(), table()],
            moves: table(),
        }
    }
}

impl CorrectionHistory {
    /// What to add to the static evaluation of a position with these traits, in centipawns.
    #[inline]
    pub fn of(&self, traits: &CorrectionKeys) -> i32 {
        let turn = usize::from(traits.turn);
        let [pawns, black, white, moves] = places(traits);
        let sum = i32::from(self.pawns[turn][pawns])
            + i32::from(self.pieces[0][turn][black])
            + i32::from(self.pieces[1][turn][white])
            + i32::from(self.moves[turn][moves]);
        sum / CORRECTION_GRAIN.get()
    }

    /// A search of this depth found `found` where the static evaluation, corrected, said `expected`.
    pub fn learn(&mut self, traits: &CorrectionKeys, depth: i32, expected: Score, found: Score) {
        let step =
            ((found - expected) * depth * CORRECTION_STEP.get()).clamp(-STEP_LIMIT, STEP_LIMIT);
        let turn = usize::from(traits.turn);
        let [pawns, black, white, moves] = places(traits);
        learn(&mut self.pawns[turn][pawns], step);
        learn(&mut self.pieces[0][turn][black], step);
        learn(&mut self.pieces[1][turn][white], step);
        learn(&mut self.moves[turn][moves], step);
    }
}

/// Where the traits stand in the tables.
#[inline]
fn places(traits: &CorrectionKeys) -> [usize; 4] {
    let cut = |key: u64| key as usize % PLACES;
    let ZobristKeys { pawn, non_pawn, .. } = traits.keys;
    let [last, before] = traits.before.map(PieceTo::index);
    // Pairs of moves are more than there are places; an odd factor spreads them.
    let moves = (last * 1_031 + before * 29) as u64;
    [cut(pawn), cut(non_pawn[0]), cut(non_pawn[1]), cut(moves)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traits(pawns: u64) -> CorrectionKeys {
        CorrectionKeys {
            turn: Color::White,
            keys: ZobristKeys {
                pawn: pawns,
                non_pawn: [pawns + 1, pawns + 2],
                ..ZobristKeys::default()
            },
            before: [PieceTo::NONE; 2],
        }
    }

    #[test]
    fn what_was_found_better_is_corrected_upwards_for_the_same_side_alone() {
        let mut corrections = CorrectionHistory::default();
        let (low, high) = (Score::centipawns(0), Score::centipawns(80));
        for _ in 0..20 {
            corrections.learn(&traits(7), 6, low, high);
        }
        assert!(corrections.of(&traits(7)) > 20);
        let for_black = CorrectionKeys {
            turn: Color::Black,
            ..traits(7)
        };
        assert_eq!(corrections.of(&for_black), 0);
        // Another position with the same last moves, and nothing else in common, learns a part of it.
        let elsewhere = corrections.of(&traits(1_000));
        assert!(elsewhere > 0 && elsewhere < corrections.of(&traits(7)));
    }

    #[test]
    fn no_difference_leads_out_of_bounds() {
        let mut corrections = CorrectionHistory::default();
        for _ in 0..10_000 {
            corrections.learn(
                &traits(7),
                100,
                Score::centipawns(-20_000),
                Score::centipawns(20_000),
            );
        }
        assert!(corrections.of(&traits(7)) <= 4 * HISTORY_LIMIT / CORRECTION_GRAIN.get());
    }
}
