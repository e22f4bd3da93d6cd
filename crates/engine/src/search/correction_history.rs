//! Correction history: corrects the static evaluation by the errors that the search has found in
//! it.
//!
//! The tables know pieces on their squares and, in the default set, pairs with pawns and attacks,
//! but no trapped piece, no blocked wing and no larger pattern. Where the search finds that a
//! position is better or worse than its static evaluation, other positions with the same pawns, the
//! same pieces or the same last moves are likely to be wrong in the same direction. So the
//! difference is stored by the Zobrist keys of these parts and added to later evaluations (as in
//! Caissa and Stockfish 16.1).

use shakmaty::Color;

use super::history::{HISTORY_LIMIT, PieceTo, add_bonus};
use super::tunable::parameters;
use crate::position::zobrist::ZobristKeys;
use crate::score::Score;

parameters! {
    /// Correction history entries are this many times finer than a centipawn.
    CORRECTION_DIVISOR = 328, 100 to 800;
    /// What a centipawn of difference adds to the entries for each ply of depth, in history points.
    CORRECTION_FACTOR = 6, 1 to 16;
}

/// The number of entries of each correction history.
const SIZE: usize = 1 << 14;
/// The most that one search adds to an entry, in history points.
const BONUS_LIMIT: i32 = HISTORY_LIMIT / 4;

/// The keys of the correction of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectionKeys {
    pub(super) turn: Color,
    pub(super) zobrist: ZobristKeys,
    /// The moves one and two plies before.
    pub(super) last_moves: [PieceTo; 2],
}

/// The correction histories, each indexed by the side to move first.
#[derive(Clone, Debug)]
pub(super) struct CorrectionHistory {
    pawn: Box<[[i16; SIZE]]>,
    /// By the other pieces of Black and of White.
    non_pawn: [Box<[[i16; SIZE]]>; 2],
    /// By the last two moves (*continuation correction history*).
    continuation: Box<[[i16; SIZE]]>,
}

impl Default for CorrectionHistory {
    fn default() -> CorrectionHistory {
        let zeros = || vec![[0; SIZE]; 2].into_boxed_slice();
        CorrectionHistory {
            pawn: zeros(),
            non_pawn: [zeros(), zeros()],
            continuation: zeros(),
        }
    }
}

impl CorrectionHistory {
    pub(super) fn clear(&mut self) {
        let [black, white] = &mut self.non_pawn;
        for corrections in [&mut self.pawn, black, white, &mut self.continuation] {
            corrections.as_flattened_mut().fill(0);
        }
    }

    /// Prefetches the entries of a position with these keys, which will be evaluated soon.
    #[inline]
    pub(super) fn prefetch(&self, keys: &CorrectionKeys) {
        for (entries, index) in self.entries(keys) {
            prefetch_index::prefetch_index(entries.as_slice(), index);
        }
    }

    /// The correction to add to the static evaluation of a position with these keys, in centipawns.
    #[inline]
    pub(super) fn correction(&self, keys: &CorrectionKeys) -> i32 {
        let entries = self.entries(keys).into_iter();
        let sum: i32 = entries
            .map(|(entries, index)| i32::from(entries[index]))
            .sum();
        sum / CORRECTION_DIVISOR.get()
    }

    /// Where the entries of a position with these keys are.
    #[inline]
    fn entries(&self, keys: &CorrectionKeys) -> [(&[i16; SIZE], usize); 4] {
        let turn = usize::from(keys.turn);
        let [pawn, black, white, continuation] = indices(keys);
        [
            (&self.pawn[turn], pawn),
            (&self.non_pawn[0][turn], black),
            (&self.non_pawn[1][turn], white),
            (&self.continuation[turn], continuation),
        ]
    }

    /// Updates the corrections after a search of this depth, in plies, has returned `score` where
    /// the corrected static evaluation was `static_eval`.
    pub(super) fn update(
        &mut self,
        keys: &CorrectionKeys,
        depth: i32,
        static_eval: Score,
        score: Score,
    ) {
        let bonus = ((score - static_eval) * depth * CORRECTION_FACTOR.get())
            .clamp(-BONUS_LIMIT, BONUS_LIMIT);
        let turn = usize::from(keys.turn);
        let [pawn, black, white, continuation] = indices(keys);
        add_bonus(&mut self.pawn[turn][pawn], bonus);
        add_bonus(&mut self.non_pawn[0][turn][black], bonus);
        add_bonus(&mut self.non_pawn[1][turn][white], bonus);
        add_bonus(&mut self.continuation[turn][continuation], bonus);
    }
}

/// The indices in the four correction histories.
#[inline]
fn indices(keys: &CorrectionKeys) -> [usize; 4] {
    let index = |key: u64| key as usize % SIZE;
    let ZobristKeys { pawn, non_pawn, .. } = keys.zobrist;
    let [last, second_last] = keys.last_moves.map(PieceTo::index);
    // There are more pairs of moves than entries; odd factors spread them.
    let pair = (last * 1_031 + second_last * 29) as u64;
    [
        index(pawn),
        index(non_pawn[0]),
        index(non_pawn[1]),
        index(pair),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(pawn: u64) -> CorrectionKeys {
        CorrectionKeys {
            turn: Color::White,
            zobrist: ZobristKeys {
                pawn,
                non_pawn: [pawn + 1, pawn + 2],
                ..ZobristKeys::default()
            },
            last_moves: [PieceTo::NONE; 2],
        }
    }

    #[test]
    fn a_higher_search_score_corrects_the_evaluation_upwards_for_that_side_only() {
        let mut history = CorrectionHistory::default();
        let (low, high) = (Score::centipawns(0), Score::centipawns(80));
        for _ in 0..20 {
            history.update(&keys(7), 6, low, high);
        }
        assert!(history.correction(&keys(7)) > 20);
        let for_black = CorrectionKeys {
            turn: Color::Black,
            ..keys(7)
        };
        assert_eq!(history.correction(&for_black), 0);
        // Another position that has only the last moves in common gets a part of the correction.
        let elsewhere = history.correction(&keys(1_000));
        assert!(elsewhere > 0 && elsewhere < history.correction(&keys(7)));
    }

    #[test]
    fn corrections_stay_within_their_bounds() {
        let mut history = CorrectionHistory::default();
        for _ in 0..10_000 {
            history.update(
                &keys(7),
                100,
                Score::centipawns(-20_000),
                Score::centipawns(20_000),
            );
        }
        assert!(history.correction(&keys(7)) <= 4 * HISTORY_LIMIT / CORRECTION_DIVISOR.get());
    }
}
