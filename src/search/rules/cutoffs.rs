//! Cutoffs by scores that are known without a search: a quicker mate elsewhere, a repetition that can be
//! forced, and an entry of the transposition table.

use shakmaty::Position;

use crate::score::Score;
use crate::search::node::{Node, RuleSet};
use crate::search::thread::Thread;
use crate::search::transposition_table::Entry;
use crate::search::window::Window;

/// Transposition table cutoffs: none after this many halfmoves without a capture or a pawn move. A
/// hundred are a draw.
const TT_CUTOFF_HALFMOVES_LIMIT: u32 = 90;

impl Thread<'_> {
    /// Mate distance pruning, and upcoming repetition: the window without the scores that are out of
    /// reach. A mate can't be quicker than the next move, and a side that can force a repetition has a
    /// draw in hand. `Err` holds the score of the node if nothing of the window is left.
    #[inline]
    pub(in crate::search) fn bounded_window(
        &self,
        node: Node,
        rules: RuleSet,
    ) -> Result<Window, Score> {
        let window = node.window.within_mates(node.ply)?;
        let would_like_a_draw = rules.upcoming_repetition && window.alpha() < Score::DRAW;
        if would_like_a_draw && self.game.has_upcoming_repetition(node.ply) {
            window.at_least(Score::DRAW)
        } else {
            Ok(window)
        }
    }

    /// Transposition table cutoff: the stored score, if it comes from a search at least as deep and its
    /// bound allows a cutoff. Never close to the fifty-move draw, which the stored score may not have
    /// foreseen.
    #[inline]
    pub(in crate::search) fn tt_cutoff(
        &self,
        tt_entry: Option<Entry>,
        node: Node,
        rules: RuleSet,
    ) -> Option<Score> {
        if !rules.tt_cutoff || self.game.position().halfmoves() >= TT_CUTOFF_HALFMOVES_LIMIT {
            return None;
        }
        let entry = tt_entry.filter(|entry| i32::from(entry.depth) >= node.depth)?;
        let score = entry.score.from_tt(node.ply);
        entry.bound.allows_cutoff(score, node.window).then_some(score)
    }
}
