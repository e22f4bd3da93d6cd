//! Endgame tablebases in the tree: a position with few pieces gets its score from the tables
//! instead of a search.

use crate::score::Score;
use crate::search::node::{Node, ScoreRange};
use crate::search::stop::Stopped;
use crate::search::tablebase_probe::TreeProbe;
use crate::search::window::Bound;
use crate::search::worker::Worker;
use crate::syzygy::Wdl;

/// The transposition table stores a result of the tablebases as if a search this many plies deeper
/// had found it, since such a search would hardly find a better one.
const TT_DEPTH_BONUS: i32 = 6;

/// The verdict of the tablebases on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::search) enum TablebaseOutcome {
    /// The node needs no search: this is its score.
    Cutoff(Score),
    /// The node is searched, and its score lies in this range.
    Search(ScoreRange),
}

/// The score of a result at this ply, and what bound it is: a mate can be better than a tablebase
/// win. A win that the fifty-move rule prevents is worth a centipawn more than a draw.
fn tablebase_score(wdl: Wdl, ply: usize, fifty_move_rule: bool) -> (Score, Bound) {
    let win = (Score::tablebase_win(ply), Bound::Lower);
    let loss = (Score::tablebase_loss(ply), Bound::Upper);
    match wdl {
        Wdl::Win => win,
        Wdl::CursedWin if !fifty_move_rule => win,
        Wdl::CursedWin => (Score::DRAW.next_up(), Bound::Exact),
        Wdl::Draw => (Score::DRAW, Bound::Exact),
        Wdl::BlessedLoss if !fifty_move_rule => loss,
        Wdl::BlessedLoss => (Score::DRAW.next_down(), Bound::Exact),
        Wdl::Loss => loss,
    }
}

impl Worker<'_> {
    /// Tablebase probe: the tables know whether the position is won, drawn or lost (as in
    /// Stockfish).
    ///
    /// A win or a loss is only a bound, since the search can find a mate; PV nodes are searched on
    /// for it. The rule doesn't apply at the root, whose moves are ranked instead, and in a
    /// singular search.
    #[inline]
    pub(in crate::search) fn tablebase_probe(
        &mut self,
        node: Node,
    ) -> Result<TablebaseOutcome, Stopped> {
        match self.tree_probe {
            Some(probe) if !node.is_root() => self.probe_node(probe, node),
            _ => Ok(TablebaseOutcome::Search(ScoreRange::FULL)),
        }
    }

    #[cold]
    fn probe_node(&mut self, probe: TreeProbe, node: Node) -> Result<TablebaseOutcome, Stopped> {
        let unknown = TablebaseOutcome::Search(ScoreRange::FULL);
        let is_singular_search = self.stack[node.ply].excluded.is_some();
        if is_singular_search {
            return Ok(unknown);
        }
        let Some(wdl) = probe.result(self.game.position(), node.depth) else {
            return Ok(unknown);
        };
        self.count_tablebase_hit()?;
        let (score, bound) = tablebase_score(wdl, node.ply, probe.fifty_move_rule);
        if bound.allows_cutoff(score, node.window) {
            let depth = node.depth + TT_DEPTH_BONUS;
            self.store_tt(Node { depth, ..node }, score, bound, None);
            return Ok(TablebaseOutcome::Cutoff(score));
        }
        Ok(match bound {
            _ if !node.is_pv() => unknown,
            Bound::Lower => TablebaseOutcome::Search(ScoreRange::at_least(score)),
            _ => TablebaseOutcome::Search(ScoreRange::at_most(score)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::rules::test_support::{search, stored_depth};
    use crate::search::window::Window;
    use crate::search::worker::test_support::{with_tablebases, zero_window_node};

    const WON: &str = "8/8/8/8/8/4k3/8/4K2R w - - 0 1";
    const LOST: &str = "8/8/8/8/8/4k3/8/4K2R b - - 0 1";

    /// The score of a node of this position at ply 1 and depth 3, the nodes of its search, and the
    /// depth of its entry.
    fn searched(fen: &str, window: Window) -> (Score, u64, Option<i32>) {
        with_tablebases(fen, |thread| {
            let node = Node {
                window,
                ..zero_window_node(Score::DRAW, 3)
            };
            let score = search(thread, node);
            (score, thread.nodes(), stored_depth(thread))
        })
    }

    #[test]
    fn a_won_position_is_cut_off_above_beta_and_a_lost_one_below_alpha() {
        let window = Window::above(Score::centipawns(300));
        let depth = Some(3 + TT_DEPTH_BONUS);
        let (win, loss) = (Score::tablebase_win(1), Score::tablebase_loss(1));
        assert_eq!(searched(WON, window), (win, 0, depth));
        assert_eq!(searched(LOST, window), (loss, 0, depth));
    }

    #[test]
    fn a_drawn_position_is_cut_off_with_any_window() {
        for window in [Window::full(), Window::above(Score::centipawns(300))] {
            let (score, nodes, _) = searched("8/8/8/8/4k3/8/4P3/4K3 b - - 0 1", window);
            assert_eq!((score, nodes), (Score::DRAW, 0));
        }
    }

    #[test]
    fn a_pv_node_is_searched_on_for_a_mate_but_keeps_the_result_as_a_bound() {
        let (score, nodes, _) = searched(WON, Window::full());
        assert!(score >= Score::tablebase_win(1) && nodes > 0, "{score}");
        let (score, nodes, _) = searched(LOST, Window::full());
        assert!(score <= Score::tablebase_loss(1) && nodes > 0, "{score}");
        // A zero window above the win asks for a mate, and gets no bound.
        let above = Window::above(Score::tablebase_win(1));
        let (score, nodes, _) = searched(WON, above);
        assert!(score < Score::tablebase_win(1) && nodes > 0, "{score}");
    }

    #[test]
    fn positions_after_quiet_moves_or_with_castling_rights_are_not_probed() {
        let window = Window::above(Score::DRAW);
        for fen in [
            "8/8/8/8/8/4k3/8/4K2R w - - 1 1",
            "8/8/8/8/8/4k3/8/4K2R w K - 0 1",
        ] {
            let (_, _, depth) = searched(fen, window);
            assert_ne!(depth, Some(3 + TT_DEPTH_BONUS), "{fen}");
        }
    }

    #[test]
    fn wins_that_the_fifty_move_rule_prevents_are_draws_only_under_that_rule() {
        let scores = |fifty_move_rule| {
            [Wdl::CursedWin, Wdl::BlessedLoss].map(|wdl| tablebase_score(wdl, 4, fifty_move_rule).0)
        };
        assert_eq!(scores(true), [Score::centipawns(1), Score::centipawns(-1)]);
        let (win, loss) = (Score::tablebase_win(4), Score::tablebase_loss(4));
        assert_eq!(scores(false), [win, loss]);
    }
}
