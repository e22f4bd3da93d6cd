//! Quiescence pruning: which moves are searched at the leaves of the tree.
//!
//! Captures that lose no material and, at the first ply, quiet checks that lose none: further down checks
//! would never end. In check, the first evasions until one of them doesn't lose for certain. Captures that can't
//! bring the score up to alpha are skipped.

use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;
use crate::score::Score;
use crate::search::history::Killers;
use crate::search::move_picker::MovePicker;
use crate::search::node::{QuietChecks, RuleSet};
use crate::search::see::{captured_value, see_ge};
use crate::search::thread::Thread;
use crate::search::transposition_table::Entry;
use crate::search::tunable::parameters;
use crate::search::window::Window;

parameters! {
    /// Futility pruning: what a capture can be expected to gain beyond its victim, in centipawns.
    QS_FUTILITY_MARGIN = 162, 60 to 400;
}

/// Evasion pruning: whether a move out of check with this score is enough, so that only captures are
/// searched after it. It is unless it loses for certain.
pub(in crate::search) fn evasion_suffices(score: Score) -> bool {
    !score.is_decisive()
}

impl Thread<'_> {
    /// The moves of a quiescence node. In check these are all moves. Otherwise they are the captures that lose
    /// no material, promotions, and quiet checks if they are included; for plain alpha-beta every capture
    /// and no quiet check.
    pub(in crate::search) fn quiescence_moves(
        &mut self,
        tt_entry: Option<Entry>,
        ply: usize,
        checks: QuietChecks,
        rules: RuleSet,
    ) -> MovePicker {
        let checkers = self.stack[ply].checkers;
        let position = self.game.position();
        let masks = LegalMasks::with_checkers(position, checkers);
        let tt_move = tt_entry
            .and_then(|entry| entry.best?.expand(position))
            .filter(|m| masks.is_legal(position, *m));
        if checkers.any() {
            self.store_threats(ply);
            return MovePicker::all(masks, tt_move, Killers::default());
        }
        let captures = MovePicker::captures(masks, tt_move, !rules.quiescence_pruning);
        match checks {
            QuietChecks::Include if rules.quiescence_pruning => captures.with_quiet_checks(),
            _ => captures,
        }
    }

    /// Futility pruning of captures (*delta pruning*): a capture is skipped if the evaluation plus victim
    /// plus margin doesn't exceed alpha, or the evaluation plus margin where the capture wins no material by
    /// static exchange evaluation. Returns the futility value, the most that the capture can be expected
    /// to score. Without an evaluation, as in check, nothing is skipped.
    pub(in crate::search) fn capture_futility_pruning(
        &self,
        m: PackedMove,
        eval: Option<Score>,
        window: Window,
    ) -> Option<Score> {
        let is_plain_capture = m.is_tactical() && m.promotion().is_none();
        let base = eval.filter(|_| is_plain_capture)? + QS_FUTILITY_MARGIN.get();
        let alpha = window.alpha();
        let with_victim = base + captured_value(m);
        if with_victim <= alpha {
            return Some(with_victim);
        }
        let wins_no_material = || !see_ge(self.game.position(), m, 1);
        (base <= alpha && wins_no_material()).then_some(base)
    }
}
