//! The order in which moves are tried. Alpha-beta leaves out most of the tree if the first move is
//! good, and nothing if it is bad.
//!
//! 1. the move that the transposition table remembers,
//! 2. tactical moves, as the game ranks them,
//! 3. *killers*: quiet moves that refuted a sibling of this node,
//! 4. the other quiet moves, by the *history* of their cutoffs anywhere and by the game's rank.

use crate::game::{Game, HISTORY_SLOTS, MAX_PLY, RankedMove};

/// History scores stay within this.
const MAX_HISTORY: i32 = 1 << 14;

/// What earlier nodes say of quiet moves.
pub(crate) struct MoveOrder<M> {
    /// For each ply the last two quiet moves that caused a cutoff there.
    killers: Vec<[Option<M>; 2]>,
    /// How well each quiet move has done: a bonus for a cutoff, a malus for a try in vain.
    history: Vec<i32>,
}

impl<M: Copy + Eq> MoveOrder<M> {
    /// Knows nothing yet.
    pub(crate) fn new() -> MoveOrder<M> {
        MoveOrder {
            killers: vec![[None; 2]; MAX_PLY + 1],
            history: vec![0; HISTORY_SLOTS],
        }
    }

    /// Forgets the killers, which belong to a ply, and most of the history.
    pub(crate) fn next_search(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|entry| *entry /= 8);
    }

    /// Ranks the moves of a node.
    pub(crate) fn rank<G: Game<Move = M>>(
        &self,
        game: &G,
        moves: &mut [RankedMove<M>],
        remembered: Option<M>,
        ply: usize,
    ) {
        let killers = self.killers[ply];
        for ranked in moves.iter_mut() {
            ranked.rank = if Some(ranked.mv) == remembered {
                i32::MAX
            } else if ranked.is_tactical {
                (1 << 24) + ranked.rank
            } else if killers.contains(&Some(ranked.mv)) {
                1 << 20
            } else {
                ranked.rank + self.history[game.history_slot(ranked.mv)]
            };
        }
    }

    /// A quiet move caused a cutoff: it becomes a killer and gains history; the other quiet moves
    /// of `tried`, whose last is the cutoff move, lose history.
    pub(crate) fn remember_cutoff<G: Game<Move = M>>(
        &mut self,
        game: &G,
        mv: M,
        tried: &[RankedMove<M>],
        (depth, ply): (i32, usize),
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let bonus = (depth * depth).min(400);
        for ranked in tried.iter().filter(|ranked| !ranked.is_tactical) {
            let change = if ranked.mv == mv { bonus } else { -bonus };
            let entry = &mut self.history[game.history_slot(ranked.mv)];
            // History with gravity: the further it is from zero, the less it moves away.
            *entry += change - *entry * change.abs() / MAX_HISTORY;
        }
    }
}

/// Swaps the best of the moves from `index` on to this place. A node that is cut off after a move
/// or two need not have sorted the others.
pub(crate) fn pick<M: Copy>(moves: &mut [RankedMove<M>], index: usize) -> RankedMove<M> {
    let mut best = index;
    for other in index + 1..moves.len() {
        if moves[other].rank > moves[best].rank {
            best = other;
        }
    }
    moves.swap(index, best);
    moves[index]
}
