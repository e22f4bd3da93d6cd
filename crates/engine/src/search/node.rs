//! The node: the parameters of its search ([`Node`]), and the facts that the rules of selectivity
//! go by ([`RuleSet`], [`NodeInfo`], [`MoveInfo`]).
//!
//! Each fact is computed once per node or move, and every rule that needs it reads it here.

use shakmaty::Position;

use super::correction_history::CorrectionKeys;
use super::history::{HistoryContext, Killers, PieceTo};
use super::move_picker::MovePicker;
use super::transposition_table::Entry;
use super::window::Window;
use super::worker::Worker;
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

/// The rules of selectivity that apply in a node, by the kind of node. [`Worker::rules_for`]
/// decides; the default is none of them, which leaves plain alpha-beta.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RuleSet {
    /// A score from the transposition table can replace the static evaluation.
    pub(super) better_estimates: bool,
    /// The static evaluation is corrected by what searches found.
    pub(super) correction: bool,
    /// A stored score can cut the node off.
    pub(super) tt_cutoff: bool,
    /// A repetition that the side to move can force counts as a draw in hand.
    pub(super) upcoming_repetition: bool,
    pub(super) check_extension: bool,
    pub(super) node_pruning: bool,
    pub(super) reductions: bool,
    pub(super) move_pruning: bool,
    pub(super) singular_extension: bool,
    pub(super) quiescence_pruning: bool,
}

/// The range in which the score of a node lies, whatever its moves score: a bound from the
/// tablebases, or the belief of a weaker player.
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

/// Facts about a node, gathered before its moves are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeInfo {
    pub(super) rules: RuleSet,
    /// Whether it is a PV node before its moves are searched. It stays one when a move raises alpha
    /// so far that a zero window is left; only late move reductions go by what is left.
    pub(super) is_pv: bool,
    /// The entry of the transposition table.
    pub(super) tt_entry: Option<Entry>,
    /// The move of the entry. It can be illegal, because two positions can share a key.
    pub(super) tt_move: Option<PackedMove>,
    /// The static evaluation, corrected; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The best estimate of the score: the corrected static evaluation, or the score of the
    /// transposition table where its bound makes it a better one. `None` in check.
    pub(super) eval: Option<Score>,
    /// Whether the static evaluation has improved since the last move of the side to move.
    pub(super) improving: bool,
    /// The killer moves.
    pub(super) killers: Killers,
    /// What the endgame tablebases know about the score and, in weaker play, what an overlooked
    /// threat leaves of it.
    pub(super) score_range: ScoreRange,
}

impl NodeInfo {
    /// The estimate of the score that node pruning goes by; `None` where its rules don't apply.
    #[inline]
    pub(super) fn prunable_eval(&self) -> Option<Score> {
        self.eval.filter(|_| self.rules.node_pruning)
    }
}

/// Whether late move reductions may reduce a move. Only for these its history is looked up.
#[inline]
pub(super) fn is_reducible(is_quiet: bool, is_bad_capture: bool) -> bool {
    is_quiet || is_bad_capture
}

/// A move that is about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoveInfo {
    pub(super) m: PackedMove,
    /// The number of the move in the order of search, from 1.
    pub(super) number: i32,
    /// Whether it is neither a capture nor a promotion.
    pub(super) is_quiet: bool,
    /// Whether the picker has put it among the bad captures: it loses material, give or take what
    /// its history says, or is an underpromotion.
    pub(super) is_bad_capture: bool,
    /// The sum of its histories, in history points; 0 where no rule asks for them: for good
    /// captures, and for a first move that the picker didn't rank.
    pub(super) history: i32,
}

/// Whether a quiescence search includes quiet moves that give check and lose no material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuietChecks {
    Include,
    Exclude,
}

impl Worker<'_> {
    /// The rules that apply in a node: none of them if the search is to be plain alpha-beta. To be
    /// asked before an upcoming repetition narrows the window, since neither stored scores nor node
    /// pruning cut a PV node off, even if only a zero window is left of it.
    #[inline]
    pub(super) fn rules_for(&self, node: Node) -> RuleSet {
        if !self.selective {
            return RuleSet::default();
        }
        let state = &self.stack[node.ply];
        let in_check = state.checkers.any();
        // A singular search shares the ply of its node and runs after that node's own cutoffs and
        // check extension.
        let in_singular_search = state.excluded.is_some();
        let may_cut_off = !node.is_pv() && !in_singular_search;
        // In endings with tables of their own the way to the mate is a slope of a few centipawns a
        // ply: margins are wider than that, and corrections would be bumps on it.
        let is_known_ending = (self.shared.tables).knows_ending(self.game.position().board());
        RuleSet {
            better_estimates: true,
            correction: !is_known_ending,
            tt_cutoff: may_cut_off,
            upcoming_repetition: !node.is_root(),
            check_extension: in_check && !in_singular_search && node.depth <= 0,
            node_pruning: may_cut_off && !in_check && !is_known_ending,
            reductions: true,
            move_pruning: !node.is_root() && !is_known_ending,
            singular_extension: !node.is_root() && !in_singular_search,
            quiescence_pruning: true,
        }
    }

    /// Gathers the facts about a node.
    #[inline]
    pub(super) fn node_info(
        &self,
        node: Node,
        rules: RuleSet,
        tt_entry: Option<Entry>,
        static_eval: Option<Score>,
    ) -> NodeInfo {
        let ply = node.ply;
        let tt_move = tt_entry.and_then(|entry| entry.best);
        let eval = static_eval.map(|static_eval| best_estimate(static_eval, tt_entry, rules));
        NodeInfo {
            rules,
            is_pv: node.is_pv(),
            tt_entry,
            tt_move: tt_move.and_then(|m| m.expand(self.game.position())),
            static_eval,
            eval,
            improving: self.is_improving(ply),
            killers: self.stack[ply].killers,
            score_range: ScoreRange::FULL,
        }
    }

    /// Gathers the facts about the move that the picker has just returned.
    #[inline]
    pub(super) fn move_info(
        &self,
        m: PackedMove,
        number: i32,
        ply: usize,
        picker: &MovePicker,
    ) -> MoveInfo {
        let is_quiet = !m.is_tactical();
        let is_bad_capture = picker.is_at_bad_captures();
        let history = match picker.history_of_quiet() {
            Some(history) => history,
            None if number == 1 || !is_reducible(is_quiet, is_bad_capture) => 0,
            None => self.history.of_move(m, &self.stack[ply].context),
        };
        MoveInfo {
            m,
            number,
            is_quiet,
            is_bad_capture,
            history,
        }
    }

    /// Evaluates the node at `ply` and stores the corrected static evaluation on the ply stack;
    /// `None` in check.
    #[inline]
    pub(super) fn static_evaluation(&mut self, ply: usize, rules: RuleSet) -> Option<Score> {
        let static_eval = self.stack[ply].checkers.is_empty().then(|| {
            let evaluation = self.evaluation(ply);
            if !rules.correction {
                return evaluation;
            }
            let keys = self.correction_keys(ply);
            Score::centipawns(evaluation.value() + self.correction_history.correction(&keys))
        });
        self.stack[ply].static_eval = static_eval;
        static_eval
    }

    /// The static evaluation of a node, and its entry in the transposition table. The former comes
    /// first, while the prefetched bucket is on its way: few nodes are then cut off without a need
    /// of it.
    #[inline]
    pub(super) fn evaluate_and_probe(
        &mut self,
        ply: usize,
        rules: RuleSet,
    ) -> (Option<Score>, Option<Entry>) {
        let static_eval = self.static_evaluation(ply, rules);
        (static_eval, self.tt.probe(self.game.key()))
    }

    /// Whether the static evaluation has improved since the last move of the side to move or, if it
    /// was in check then, since the one before.
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

    /// Whether a move captures on the square to which the last move went.
    #[inline]
    pub(super) fn is_recapture(&self, m: PackedMove, ply: usize) -> bool {
        let [last, ..] = self.stack[ply].context.before;
        m.is_tactical() && last != PieceTo::NONE && m.to() == last.square()
    }

    /// Whether the side to move has lost if it has no legal move: it is in check, or stalemate
    /// loses.
    pub(super) fn is_lost_without_moves(&self, ply: usize) -> bool {
        self.stack[ply].checkers.any() || self.game.loses_by_stalemate()
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

/// The best estimate of the score of a node: the score of the transposition table where its bound
/// makes it a better one than the static evaluation. Plain alpha-beta keeps the static evaluation,
/// since the entry can come from a deeper search.
#[inline]
pub(super) fn best_estimate(static_eval: Score, tt_entry: Option<Entry>, rules: RuleSet) -> Score {
    let from_tt = tt_entry.filter(|entry| {
        rules.better_estimates
            && !entry.score.is_decisive()
            && entry.bound.improves_on(entry.score, static_eval)
    });
    from_tt.map_or(static_eval, |entry| entry.score)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::worker::test_support::{WON, with_thread};

    #[test]
    fn a_side_improves_on_its_last_evaluation_out_of_check() {
        for (now, two_before, four_before, is_improving) in [
            (Some(10), Some(9), Some(20), true),
            (Some(10), Some(10), Some(0), false),
            (Some(10), None, Some(9), true),
            (Some(10), None, Some(11), false),
            (Some(10), None, None, false),
            (None, Some(9), Some(9), false),
        ] {
            with_thread(WON, |thread| {
                for (ply, eval) in [(4, now), (2, two_before), (0, four_before)] {
                    thread.stack[ply].static_eval = eval.map(Score::centipawns);
                }
                let evals = (now, two_before, four_before);
                assert_eq!(thread.is_improving(4), is_improving, "{evals:?}");
            });
        }
    }
}
