//! Cutoffs by scores that are known without a search: a quicker mate elsewhere, a repetition that
//! can be forced, and an entry of the transposition table.

use shakmaty::Position;

use crate::position::draws::FIFTY_MOVES;
use crate::score::Score;
use crate::search::node::{Node, RuleSet};
use crate::search::transposition_table::Entry;
use crate::search::window::Window;
use crate::search::worker::Worker;

/// Transposition table cutoffs: none after this many halfmoves without a capture or a pawn move. A
/// hundred are a draw.
const TT_CUTOFF_HALFMOVES_LIMIT: u32 = 90;

impl Worker<'_> {
    /// Mate distance pruning, and upcoming repetition: the window without the scores that are out
    /// of reach. A mate can't be quicker than the next move, and a side that can force a repetition
    /// has a draw in hand. `Err` holds the score of the node if nothing of the window is left.
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

    /// Transposition table cutoff: the stored score, if it comes from a search at least as deep and
    /// its bound allows a cutoff. Never close to the fifty-move draw, which the stored score may
    /// not have foreseen, and no mate that would come after it.
    #[inline]
    pub(in crate::search) fn tt_cutoff(
        &self,
        tt_entry: Option<Entry>,
        node: Node,
        rules: RuleSet,
    ) -> Option<Score> {
        let halfmoves = self.game.position().halfmoves();
        if !rules.tt_cutoff || halfmoves >= TT_CUTOFF_HALFMOVES_LIMIT {
            return None;
        }
        let comes_in_time = |plies| halfmoves + plies <= FIFTY_MOVES;
        let entry = tt_entry.filter(|entry| {
            i32::from(entry.depth) >= node.depth
                && entry.score.plies_to_decision().is_none_or(comes_in_time)
        })?;
        let score = entry.score.from_tt(node.ply);
        entry
            .bound
            .allows_cutoff(score, node.window)
            .then_some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::rules::test_support::{
        HANGING_PAWN, PAWNS, entry, evaluation, search, store,
    };
    use crate::search::window::Bound;
    use crate::search::worker::test_support::{legal_move, pv_node, with_thread, zero_window_node};

    #[test]
    fn mate_distance_pruning_ends_a_node_that_can_only_mate_later() {
        let nodes_with_a_mate_found_at_ply = |ply| {
            with_thread(PAWNS, |thread| {
                search(thread, zero_window_node(Score::mate_in(ply), 4));
                thread.nodes()
            })
        };
        // The node lies at ply 1: its first move can mate at ply 2, which is no sooner.
        assert_eq!(nodes_with_a_mate_found_at_ply(2), 0);
        assert!(nodes_with_a_mate_found_at_ply(3) > 0);
    }

    #[test]
    fn an_upcoming_repetition_ends_a_node_that_would_be_glad_of_a_draw() {
        for (alpha, selective, is_ended) in [
            (-200, true, true),
            (-1, true, true),
            (0, true, false),
            (-200, false, false),
        ] {
            with_thread("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", |thread| {
                thread.selective = selective;
                for (name, ply) in [("d2d3", 1), ("e8f8", 2), ("d3d2", 3)] {
                    let m = legal_move(thread, name);
                    thread.make_move(m, ply).expect("nothing stops the search");
                }
                // Black is a rook behind and can go back to e8, which repeats the position of ply
                // 1.
                let node = Node {
                    ply: 4,
                    ..zero_window_node(Score::centipawns(alpha), 4)
                };
                let nodes = thread.nodes();
                let score = search(thread, node);
                assert_eq!(thread.nodes() == nodes, is_ended, "{alpha} {selective}");
                assert!(score == Score::DRAW || !is_ended, "{score}");
            });
        }
    }

    #[test]
    fn a_deep_enough_entry_of_the_transposition_table_cuts_a_node_off() {
        // Without a capture or a pawn move for so long, and with an entry of so much depth.
        for (halfmoves, depth, is_cut) in [
            (0, 6, true),
            (0, 5, false),
            (89, 6, true),
            (90, 6, false),
            (95, 20, false),
        ] {
            let fen = PAWNS.replace(" 0 1", &format!(" {halfmoves} 80"));
            with_thread(&fen, |thread| {
                let eval = evaluation(thread);
                store(
                    thread,
                    entry(thread, "e2e4", eval - 500, depth, Bound::Upper),
                );
                let score = search(thread, zero_window_node(eval, 6));
                assert_eq!(thread.nodes() == 0, is_cut, "{halfmoves}, {depth}");
                assert_eq!(score == eval - 500, is_cut, "{halfmoves}, {depth}");
            });
        }
    }

    #[test]
    fn a_stored_mate_cuts_a_node_off_only_if_it_comes_within_fifty_moves() {
        // Without a capture or a pawn move for so long, and with a mate in so many plies.
        for (halfmoves, plies, is_cut) in [
            (0, 100, true),
            (0, 101, false),
            (69, 31, true),
            (70, 31, false),
            (89, 11, true),
            (89, 13, false),
        ] {
            let fen = PAWNS.replace(" 0 1", &format!(" {halfmoves} 80"));
            with_thread(&fen, |thread| {
                let mate = Score::mate_in(plies);
                store(thread, entry(thread, "e2e4", mate, 6, Bound::Lower));
                let eval = evaluation(thread);
                search(thread, zero_window_node(eval, 6));
                assert_eq!(thread.nodes() == 0, is_cut, "{halfmoves}, {plies}");
            });
        }
    }

    #[test]
    fn the_transposition_table_cuts_off_no_pv_node_and_nothing_of_plain_alpha_beta() {
        for (is_pv, selective) in [(true, true), (false, false)] {
            with_thread(PAWNS, |thread| {
                thread.selective = selective;
                let eval = evaluation(thread);
                store(thread, entry(thread, "e2e4", eval - 500, 6, Bound::Exact));
                let node = if is_pv { pv_node } else { zero_window_node };
                search(thread, node(eval, 2));
                assert!(thread.nodes() > 0);
            });
        }
    }

    #[test]
    fn an_entry_of_the_transposition_table_ends_a_quiescence_search() {
        // A lower bound below alpha says nothing.
        for (bound, is_cut) in [(Bound::Upper, true), (Bound::Lower, false)] {
            with_thread(HANGING_PAWN, |thread| {
                let eval = evaluation(thread);
                store(thread, entry(thread, "e4d5", eval - 50, 0, bound));
                let score = search(thread, zero_window_node(eval, 0));
                assert_eq!(score == eval - 50, is_cut, "{bound:?}: {score}");
                assert_eq!(thread.nodes() == 0, is_cut, "{bound:?}");
            });
        }
    }
}
