//! The node: the parameters of its search ([`Node`]), and what the rules of selectivity need to know before
//! its moves are searched ([`NodeInfo`]).
//!
//! [`NodeInfo`] is computed once per node, so that no rule computes for itself what another one needs too.

use super::correction_history::CorrectionKeys;
use super::history::{HistoryContext, Killers};
use super::thread::Thread;
use super::transposition_table::Entry;
use super::window::Window;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// The parameters of the search of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) window: Window,
    /// The remaining depth in plies.
    pub(super) depth: i32,
    /// The distance from the root in plies.
    pub(super) ply: usize,
    /// Whether the node is expected to fail high.
    pub(super) cut_node: bool,
}

impl Node {
    /// Whether this is a PV node: its window has room for an exact score.
    #[inline]
    pub(super) fn is_pv(self) -> bool {
        !self.window.is_zero_window()
    }

    /// Whether this is the root of the tree.
    #[inline]
    pub(super) fn is_root(self) -> bool {
        self.ply == 0
    }
}

/// The range in which the score of a node lies, whatever its moves score: a bound from the tablebases, or what a weaker
/// player believes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ScoreRange {
    /// The lowest score possible.
    pub(super) min: Score,
    /// The highest score possible.
    pub(super) max: Score,
}

impl ScoreRange {
    /// Every score.
    pub(super) const FULL: ScoreRange = ScoreRange {
        min: Score::LOWEST,
        max: Score::HIGHEST,
    };

    /// The scores from `min` up.
    pub(super) fn at_least(min: Score) -> ScoreRange {
        ScoreRange {
            min,
            ..ScoreRange::FULL
        }
    }

    /// The scores up to `max`.
    pub(super) fn at_most(max: Score) -> ScoreRange {
        ScoreRange {
            max,
            ..ScoreRange::FULL
        }
    }
}

/// What the rules need to know about a node before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInfo {
    /// The entry of the transposition table.
    pub(super) tt_entry: Option<Entry>,
    /// The move of the entry. It can be illegal, because two positions can share a key.
    pub(super) tt_move: Option<PackedMove>,
    /// The static evaluation, corrected; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The best estimate of the score: the corrected static evaluation, or the score of the transposition table
    /// where its bound makes it a better one. `None` in check.
    pub(super) eval: Option<Score>,
    /// Whether the rules of node pruning apply: not in PV nodes, in check, or in a singular search.
    pub(super) may_prune: bool,
    /// Whether the static evaluation has improved since the last move of the side to move.
    pub(super) improving: bool,
    /// The killer moves.
    pub(super) killers: Killers,
    /// What the endgame tablebases know about the score and, in weaker play, what an overlooked threat leaves of it.
    pub(super) score_range: ScoreRange,
}

impl NodeInfo {
    /// The estimate of the score that node pruning goes by; `None` where its rules don't apply.
    #[inline]
    pub(super) fn prunable_eval(&self) -> Option<Score> {
        self.eval.filter(|_| self.may_prune)
    }
}

/// A move that is about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveInfo {
    pub(super) m: PackedMove,
    /// The number of the move in the order of search, from 1.
    pub(super) number: i32,
    /// Whether it is neither a capture nor a promotion.
    pub(super) is_quiet: bool,
    /// Whether it is a capture that loses material, or an underpromotion that is searched after those.
    pub(super) is_bad_capture: bool,
    /// The sum of its histories.
    pub(super) history: i32,
}

/// Whether a quiescence search includes quiet moves that give check and lose no material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuietChecks {
    Include,
    Exclude,
}

impl Thread<'_> {
    /// Gathers the information on the node at `ply`, which may be cut off before its moves are searched if `may_cut`.
    #[inline]
    pub(super) fn node_info(
        &self,
        tt_entry: Option<Entry>,
        static_eval: Option<Score>,
        ply: usize,
        may_cut: bool,
    ) -> NodeInfo {
        let tt_move = tt_entry.and_then(|entry| entry.best);
        let eval = static_eval.map(|static_eval| best_estimate(static_eval, tt_entry));
        NodeInfo {
            tt_entry,
            tt_move: tt_move.and_then(|m| m.expand(self.game.position())),
            static_eval,
            eval,
            may_prune: may_cut && self.selective && eval.is_some(),
            improving: self.is_improving(ply),
            killers: self.stack[ply].killers,
            score_range: ScoreRange::FULL,
        }
    }

    /// Evaluates the node at `ply` and stores the corrected static evaluation on the ply stack; `None` in check.
    #[inline]
    pub(super) fn static_evaluation(&mut self, ply: usize) -> Option<Score> {
        let static_eval = self.stack[ply].checkers.is_empty().then(|| {
            let evaluation = self.game.evaluation();
            if !self.selective {
                return evaluation;
            }
            let keys = self.correction_keys(ply);
            Score::centipawns(evaluation.value() + self.correction_history.correction(&keys))
        });
        self.stack[ply].static_eval = static_eval;
        static_eval
    }

    /// Whether the static evaluation has improved since the last move of the side to move or, if it was in
    /// check then, since the one before.
    fn is_improving(&self, ply: usize) -> bool {
        let before = |plies: usize| {
            let ply = ply.checked_sub(plies)?;
            self.stack[ply].static_eval
        };
        match (before(0), before(2).or(before(4))) {
            (Some(now), Some(then)) => now > then,
            _ => false,
        }
    }

    /// The keys of the node's entries in the correction histories.
    pub(super) fn correction_keys(&self, ply: usize) -> CorrectionKeys {
        let HistoryContext { turn, before, .. } = self.stack[ply].context;
        let [last, second_last, _] = before;
        CorrectionKeys {
            turn,
            zobrist: self.game.keys(),
            last_moves: [last, second_last],
        }
    }
}

/// The best estimate of the score of a node: the score of the transposition table where its bound makes it a better one
/// than the static evaluation.
#[inline]
pub(super) fn best_estimate(static_eval: Score, tt_entry: Option<Entry>) -> Score {
    let from_tt = tt_entry.filter(|entry| {
        !entry.score.is_decisive() && entry.bound.improves_on(entry.score, static_eval)
    });
    from_tt.map_or(static_eval, |entry| entry.score)
}
