//! Every rule at work in the search: one test for each, which fails if the node no longer applies that rule.
//!
//! The tests beside the rules call them directly and check their conditions. These tests search a node of which
//! the rule changes the outcome, and compare it with a node in which one condition of the rule is missing.
//!
//! What a rule did shows in three places: in the number of nodes, in the score, and in the depth of the entry
//! that the transposition table holds for the position or for a child of it.

use shakmaty::Position;

use super::move_pruning::{futility_pruning, lmp_limit};
use super::node_pruning::{NMP_VERIFICATION_MIN_DEPTH, RFP_MIN_PLY};
use super::reductions::lmr_depth;
use crate::position::packed_move::{CompactMove, PackedMove};
use crate::score::Score;
use crate::search::history::PieceTo;
use crate::search::node::{Node, QuietChecks};
use crate::search::pv::Pv;
use crate::search::strength::Blindness;
use crate::search::thread::Thread;
use crate::search::thread::test_support::{
    WON, legal_move, node_info, pv_node, with_thread, zero_window_node,
};
use crate::search::transposition_table::Entry;
use crate::search::window::{Bound, Window};

/// White has eleven moves, all quiet. There is nothing to capture or to check soon, and null move pruning needs
/// pieces, so few rules interfere with the one that is tested.
const PAWNS: &str = "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1";

/// White's only moves are Kb1 and h3.
const TWO_MOVES: &str = "7k/8/8/8/7p/p7/P6P/K7 w - - 0 1";

/// White can take the pawn. No quiet move gives check.
const HANGING_PAWN: &str = "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1";

fn search(thread: &mut Thread, node: Node) -> Score {
    let score = thread.negamax(node, &mut Pv::new());
    score.expect("nothing stops the search")
}

/// A zero-window node at ply 1 that is expected to fail high.
fn cut_node(alpha: Score, depth: i32) -> Node {
    Node {
        cut_node: true,
        ..zero_window_node(alpha, depth)
    }
}

/// An entry with a legal move.
fn entry(thread: &Thread, best: &str, score: Score, depth: u8, bound: Bound) -> Entry {
    Entry {
        best: Some(CompactMove::from(legal_move(thread, best))),
        score,
        depth,
        bound,
    }
}

fn store(thread: &Thread, entry: Entry) {
    thread.tt.store(thread.game.key(), entry);
}

/// Stores a move for the current position and nothing else that a search could use.
fn store_move(thread: &mut Thread, best: &str) {
    let score = thread.game.evaluation();
    store(thread, entry(thread, best, score, 0, Bound::Upper));
}

/// Calls `visit` in the position after a move.
fn after<R>(thread: &mut Thread, m: PackedMove, visit: impl FnOnce(&mut Thread) -> R) -> R {
    thread.game.make_move(m, |_| ());
    let result = visit(thread);
    thread.unmake_move();
    result
}

/// The depth of the entry of the current position.
fn stored_depth(thread: &Thread) -> Option<i32> {
    let entry = thread.tt.probe(thread.game.key())?;
    Some(i32::from(entry.depth))
}

/// The depth of the entry of the position after a move.
fn depth_after(thread: &mut Thread, name: &str) -> Option<i32> {
    let m = legal_move(thread, name);
    after(thread, m, |thread| stored_depth(thread))
}

/// Changes the history of a quiet move at ply 1, up to the limit if the bonus is given often enough.
fn update_history(thread: &mut Thread, name: &str, bonus: i32, times: usize) {
    let m = legal_move(thread, name);
    thread.store_threats(1);
    let context = thread.stack[1].context;
    for _ in 0..times {
        thread.history.update_quiet(&context, m, bonus);
    }
}

// Cutoffs before any other rule.

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
    with_thread("4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", |thread| {
        for (name, ply) in [("d2d3", 1), ("e8f8", 2), ("d3d2", 3)] {
            let m = legal_move(thread, name);
            thread.make_move(m, ply).expect("nothing stops the search");
        }
        // Black is a rook behind and can go back to e8, which repeats the position of ply 1.
        let node_with_alpha = |alpha| Node {
            ply: 4,
            ..zero_window_node(Score::centipawns(alpha), 4)
        };
        let nodes = thread.nodes();
        assert_eq!(search(thread, node_with_alpha(-200)), Score::DRAW);
        assert_eq!(thread.nodes(), nodes, "the draw was found by searching");
        search(thread, node_with_alpha(0));
        assert!(thread.nodes() > nodes);
    });
}

#[test]
fn a_deep_enough_entry_of_the_transposition_table_cuts_a_node_off() {
    for (entry_depth, is_cut) in [(6, true), (5, false)] {
        with_thread(PAWNS, |thread| {
            let eval = thread.game.evaluation();
            let stored = entry(thread, "e2e4", eval - 500, entry_depth, Bound::Upper);
            store(thread, stored);
            let score = search(thread, zero_window_node(eval, 6));
            assert_eq!(thread.nodes() == 0, is_cut, "an entry of {entry_depth}");
            assert_eq!(score == eval - 500, is_cut, "an entry of {entry_depth}");
        });
    }
}

// Extensions of nodes.

#[test]
fn a_node_in_check_is_searched_a_ply_deeper() {
    for (selective, depth) in [(true, 4), (false, 3)] {
        with_thread("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", |thread| {
            thread.selective = selective;
            search(thread, zero_window_node(Score::DRAW, 3));
            assert_eq!(stored_depth(thread), Some(depth));
        });
    }
}

// Pruning of whole nodes.

#[test]
fn razoring_leaves_a_node_far_below_alpha_to_the_quiescence_search() {
    with_thread(PAWNS, |thread| {
        let eval = thread.game.evaluation();
        search(thread, zero_window_node(eval + 500, 2));
        assert_eq!(thread.nodes(), 0);
        assert_eq!(stored_depth(thread), Some(0));
    });
    // The margin doesn't reach from the evaluation to alpha here.
    with_thread(PAWNS, |thread| {
        let eval = thread.game.evaluation();
        search(thread, zero_window_node(eval + 200, 2));
        assert!(thread.nodes() > 0);
    });
}

#[test]
fn reverse_futility_pruning_cuts_a_quiet_node_far_above_beta_off() {
    with_thread(PAWNS, |thread| {
        let eval = thread.game.evaluation();
        thread.stack[RFP_MIN_PLY - 1] = thread.stack[0];
        thread.stack[RFP_MIN_PLY] = thread.stack[1];
        let node = Node {
            ply: RFP_MIN_PLY,
            ..zero_window_node(eval - 400, 2)
        };
        assert_eq!(search(thread, node), eval);
        assert_eq!(thread.nodes(), 0);
        // A quiet move of the transposition table shows that more than the evaluation matters.
        store_move(thread, "e2e4");
        search(thread, node);
        assert!(thread.nodes() > 0);
    });
    // The root is too close.
    with_thread(PAWNS, |thread| {
        let eval = thread.game.evaluation();
        search(thread, zero_window_node(eval - 400, 2));
        assert!(thread.nodes() > 0);
    });
}

#[test]
fn null_move_pruning_cuts_a_good_node_off_unless_it_follows_a_null_move() {
    // Close to beta reverse futility pruning doesn't apply.
    with_thread(WON, |thread| {
        let eval = thread.game.evaluation();
        assert!(search(thread, zero_window_node(eval - 10, 4)) > eval - 10);
        assert_eq!(thread.nodes(), 0);
        thread.stack[0].moved = PieceTo::NONE;
        search(thread, zero_window_node(eval - 10, 4));
        assert!(thread.nodes() > 0);
    });
}

#[test]
fn null_move_pruning_does_not_hide_a_zugzwang() {
    // Mutual zugzwang: the king that moves leaves its pawn. If White could pass, it would win Black's pawn.
    with_thread("8/8/8/8/1Kp5/2Pk4/8/8 w - - 0 1", |thread| {
        let alpha = thread.game.evaluation() - 50;
        let score = search(thread, zero_window_node(alpha, 8));
        assert!(score <= alpha, "{score} is above {alpha}");
    });
}

#[test]
fn a_deep_cutoff_by_the_null_move_is_verified() {
    // The rook can't stop both pawns. The search behind the null move doesn't see that, the verification does.
    let score_above_alpha = |min_null_move_ply| {
        with_thread("5r2/2P2P2/2p5/8/2K5/P7/7k/8 b - - 0 1", |thread| {
            let alpha = thread.game.evaluation() - 80;
            let node = zero_window_node(alpha, NMP_VERIFICATION_MIN_DEPTH);
            thread.min_null_move_ply = min_null_move_ply;
            search(thread, node) - alpha
        })
    };
    assert!(score_above_alpha(0) <= 0);
    // As within a verification search, where null moves are not verified again.
    assert!(score_above_alpha(1) > 0);
}

#[test]
fn probcut_cuts_a_node_off_by_a_capture_that_far_exceeds_beta() {
    // A node that is cut off before its moves are searched stores nothing. A defended queen is not enough.
    for (fen, is_cut) in [
        ("3q3k/8/8/8/8/8/8/3RK3 w - - 0 1", true),
        ("2rq3k/8/8/8/8/8/8/3RK3 w - - 0 1", false),
    ] {
        with_thread(fen, |thread| {
            let alpha = thread.game.evaluation() + 400;
            let score = search(thread, zero_window_node(alpha, 6));
            assert!(score > alpha || !is_cut, "{fen}: {score}");
            assert_eq!(stored_depth(thread).is_none(), is_cut, "{fen}");
        });
    }
}

// Pruning of moves.

#[test]
fn late_move_pruning_skips_all_quiet_moves_after_the_first_few() {
    with_thread(PAWNS, |thread| {
        let eval = thread.game.evaluation();
        // Too close to alpha for futility pruning.
        let node = pv_node(eval + 60, 1);
        let limit = lmp_limit(node, &node_info(thread, None, false));
        search(thread, node);
        assert_eq!(thread.nodes(), limit as u64);
    });
    with_thread(PAWNS, |thread| {
        thread.selective = false;
        let eval = thread.game.evaluation();
        search(thread, pv_node(eval + 60, 1));
        assert!(thread.nodes() >= 11, "White has eleven moves");
    });
}

#[test]
fn futility_pruning_skips_the_quiet_moves_of_a_node_far_below_alpha() {
    with_thread(PAWNS, |thread| {
        let node = pv_node(thread.game.evaluation() + 500, 1);
        let info = node_info(thread, None, false);
        let futility_value = futility_pruning(node, &info, lmr_depth(node.depth, 2));
        assert_eq!(Some(search(thread, node)), futility_value);
        // The first move is always searched.
        assert_eq!(thread.nodes(), 1);
    });
    with_thread(PAWNS, |thread| {
        let eval = thread.game.evaluation();
        search(thread, pv_node(eval + 60, 1));
        assert!(thread.nodes() > 1);
    });
}

#[test]
fn history_pruning_skips_quiet_moves_that_were_bad_before() {
    for (malus, expected_nodes) in [(0, 3), (1_900, 1)] {
        // White has three moves, all of the king.
        with_thread("7k/8/8/p7/P7/8/8/K7 w - - 0 1", |thread| {
            for name in ["a1a2", "a1b1", "a1b2"] {
                update_history(thread, name, -malus, 60);
            }
            let eval = thread.game.evaluation();
            search(thread, pv_node(eval + 60, 1));
            assert_eq!(thread.nodes(), expected_nodes, "after a malus of {malus}");
        });
    }
}

#[test]
fn see_pruning_skips_quiet_moves_and_captures_that_lose_a_piece() {
    // White has two moves: Kb1, which is searched first, and one of the knight to g6, where Black takes it. The
    // second position has no pawn on h7 and the king far away, so that the knight is safe there.
    for (fen, is_skipped) in [
        ("5b1N/5Pkp/8/8/8/p7/P7/K7 w - - 0 1", true),
        ("5b1N/5Pkp/6p1/8/8/p7/P7/K7 w - - 0 1", true),
        ("k4b1N/5P2/8/8/8/p7/P7/K7 w - - 0 1", false),
    ] {
        with_thread(fen, |thread| {
            update_history(thread, "a1b1", 500, 1);
            let eval = thread.game.evaluation();
            search(thread, pv_node(eval + 60, 1));
            assert_eq!(thread.nodes() == 1, is_skipped, "{fen}");
        });
    }
}

// Reductions and re-searches.

#[test]
fn internal_iterative_reduction_searches_a_cut_node_without_a_tt_move_a_ply_less_deeply() {
    for (node_of, has_tt_move, depth) in [
        (cut_node as fn(Score, i32) -> Node, false, 4),
        (cut_node, true, 5),
        (zero_window_node, false, 5),
    ] {
        with_thread(PAWNS, |thread| {
            if has_tt_move {
                store_move(thread, "e2e4");
            }
            let eval = thread.game.evaluation();
            search(thread, node_of(eval + 100, 5));
            assert_eq!(stored_depth(thread), Some(depth));
        });
    }
}

#[test]
fn late_move_reductions_search_all_moves_but_the_first_less_deeply() {
    for (selective, expected_at_full_depth) in [(true, 1), (false, 11)] {
        with_thread(PAWNS, |thread| {
            thread.selective = selective;
            store_move(thread, "e2e4");
            let eval = thread.game.evaluation();
            search(thread, zero_window_node(eval + 100, 6));
            let moves = thread.game.position().legal_moves();
            let depths = moves.into_iter().filter_map(PackedMove::new).map(|m| {
                let depth = after(thread, m, |thread| stored_depth(thread));
                depth.expect("no rule cuts a child off")
            });
            let depths: Vec<i32> = depths.collect();
            let full_depth = depths.iter().max();
            let at_full_depth = depths.iter().filter(|depth| Some(*depth) == full_depth);
            assert_eq!(at_full_depth.count(), expected_at_full_depth, "{depths:?}");
        });
    }
}

/// The depth to which the last of eleven moves is searched at a node of depth 8, if its reduced search, by a stored
/// entry, differs from alpha by `surplus` centipawns. The entry is not deep enough for a re-search.
fn depth_of_late_move_beating_alpha_by(surplus: i32) -> Option<i32> {
    with_thread(PAWNS, |thread| {
        let alpha = thread.game.evaluation() + 100;
        update_history(thread, "h2h3", -300, 1);
        let late = legal_move(thread, "h2h3");
        after(thread, late, |thread| {
            let score = -(alpha + surplus);
            let bound = if surplus > 0 {
                Bound::Upper
            } else {
                Bound::Lower
            };
            store(thread, entry(thread, "e8e7", score, 5, bound));
        });
        search(thread, zero_window_node(alpha, 8));
        depth_after(thread, "h2h3")
    })
}

#[test]
fn a_late_quiet_move_that_beats_alpha_at_reduced_depth_is_searched_again_to_full_depth() {
    // Without a re-search the entry of depth 5 is left.
    assert_eq!(depth_of_late_move_beating_alpha_by(-20), Some(5));
    assert_eq!(depth_of_late_move_beating_alpha_by(20), Some(7));
}

#[test]
fn a_re_search_is_deeper_after_a_clear_surprise_and_shallower_after_a_slight_one() {
    assert_eq!(depth_of_late_move_beating_alpha_by(100), Some(8));
    assert_eq!(depth_of_late_move_beating_alpha_by(3), Some(6));
}

#[test]
fn a_later_move_that_beats_alpha_in_a_pv_node_is_searched_again_with_the_full_window() {
    with_thread(PAWNS, |thread| {
        // There are better moves than this one. A search with a zero window finds no reply to them.
        store_move(thread, "h2h3");
        let node = Node {
            window: Window::full(),
            ..pv_node(Score::DRAW, 3)
        };
        let mut pv = Pv::new();
        let score = thread.negamax(node, &mut pv);
        assert!(score.is_ok());
        assert_ne!(pv.moves()[0], legal_move(thread, "h2h3"));
        assert!(pv.moves().len() >= 2, "{:?}", pv.moves());
    });
}

// Singular extensions.

/// A node of depth 8 whose move Kb1 has a shallower entry of the transposition table, so that it can be singular.
/// Its only other move has an entry so deep that every search returns its score. All scores are relative to the
/// static evaluation; the margin of singular extensions is 16 centipawns.
#[derive(Clone, Copy)]
struct SingularNode {
    /// The score of Kb1 in the transposition table.
    tt_score: i32,
    tt_depth: u8,
    /// The score of the other move.
    other_score: i32,
    alpha: i32,
    cut_node: bool,
    /// The number of double extensions on the line before.
    double_extensions: u8,
}

/// The other move is as good as Kb1, so nothing is extended.
const NOT_SINGULAR: SingularNode = SingularNode {
    tt_score: 0,
    tt_depth: 6,
    other_score: 0,
    alpha: 30,
    cut_node: false,
    double_extensions: 0,
};

impl SingularNode {
    /// Searches the node; returns its score and what `visit` sees afterwards.
    fn search<R>(self, visit: impl FnOnce(&mut Thread) -> R) -> (i32, R) {
        with_thread(TWO_MOVES, |thread| {
            let eval = thread.game.evaluation();
            let tt_score = eval + self.tt_score;
            store(
                thread,
                entry(thread, "a1b1", tt_score, self.tt_depth, Bound::Lower),
            );
            let [tt_move, other] = ["a1b1", "h2h3"].map(|name| legal_move(thread, name));
            let other_score = -(eval + self.other_score);
            after(thread, other, |thread| {
                store(thread, entry(thread, "h8g8", other_score, 20, Bound::Exact));
            });
            // No internal iterative reduction at the child.
            after(thread, tt_move, |thread| store_move(thread, "h8g8"));
            thread.stack[1].double_extensions = self.double_extensions;
            let node = Node {
                cut_node: self.cut_node,
                ..zero_window_node(eval + self.alpha, 8)
            };
            let score = search(thread, node);
            (score - eval, visit(thread))
        })
    }

    /// The extension of Kb1 in plies.
    fn extension(self) -> i32 {
        let (_, depth) = self.search(|thread| depth_after(thread, "a1b1"));
        depth.expect("Kb1 was searched") - 7
    }
}

#[test]
fn a_singular_move_is_extended() {
    let singular = SingularNode {
        other_score: -30,
        ..NOT_SINGULAR
    };
    assert_eq!(singular.extension(), 1);
    assert_eq!(NOT_SINGULAR.extension(), 0);
    let shallow_entry = SingularNode {
        tt_depth: 4,
        ..singular
    };
    assert_eq!(shallow_entry.extension(), 0);
}

#[test]
fn a_double_extension_extends_a_very_singular_move_by_two_plies_up_to_a_limit() {
    let very_singular = SingularNode {
        other_score: -100,
        ..NOT_SINGULAR
    };
    assert_eq!(very_singular.extension(), 2);
    let at_the_limit = SingularNode {
        double_extensions: 8,
        ..very_singular
    };
    assert_eq!(at_the_limit.extension(), 1);
}

#[test]
fn double_extensions_are_counted_along_the_line() {
    // Kb1 fails high, so its child is the last one of the node.
    let fails_high = SingularNode {
        other_score: -200,
        alpha: -100,
        ..NOT_SINGULAR
    };
    let (score, double_extensions) = fails_high.search(|thread| thread.stack[2].double_extensions);
    assert!(score > -100, "{score}");
    assert_eq!(double_extensions, 1);
}

#[test]
fn a_negative_extension_reduces_a_move_that_is_not_singular_where_a_cutoff_is_expected() {
    let expected_by_entry = SingularNode {
        tt_score: 40,
        other_score: 28,
        ..NOT_SINGULAR
    };
    assert_eq!(expected_by_entry.extension(), -2);
    let cut_node = SingularNode {
        cut_node: true,
        ..NOT_SINGULAR
    };
    assert_eq!(cut_node.extension(), -1);
}

#[test]
fn multi_cut_ends_a_node_that_fails_high_without_its_best_move() {
    let other_fails_high = SingularNode {
        other_score: 50,
        ..NOT_SINGULAR
    };
    let outcome = other_fails_high.search(|thread| (thread.nodes(), depth_after(thread, "a1b1")));
    // The singular search makes the other move. Kb1 is never searched, and its entry is as before.
    assert_eq!(outcome, (50, (1, Some(0))));
}

// The quiescence search.

#[test]
fn an_entry_of_the_transposition_table_ends_a_quiescence_search() {
    // A lower bound below alpha says nothing.
    for (bound, is_cut) in [(Bound::Upper, true), (Bound::Lower, false)] {
        with_thread(HANGING_PAWN, |thread| {
            let eval = thread.game.evaluation();
            store(thread, entry(thread, "e4d5", eval - 50, 0, bound));
            let score = search(thread, zero_window_node(eval, 0));
            assert_eq!(score == eval - 50, is_cut, "{bound:?}: {score}");
            assert_eq!(thread.nodes() == 0, is_cut, "{bound:?}");
        });
    }
}

#[test]
fn capture_futility_pruning_skips_captures_that_cannot_reach_alpha() {
    // The pawn wins a pawn; the knight is taken back, which wins nothing.
    let trade = "4k3/8/2p5/3n4/8/2N5/8/4K3 w - - 0 1";
    for (fen, surplus, is_searched) in [
        (HANGING_PAWN, 500, false),
        (HANGING_PAWN, 250, true),
        (trade, 200, false),
        (trade, 100, true),
    ] {
        with_thread(fen, |thread| {
            let eval = thread.game.evaluation();
            search(thread, zero_window_node(eval + surplus, 0));
            assert_eq!(thread.nodes() > 0, is_searched, "{fen}: {surplus}");
        });
    }
}

#[test]
fn quiet_checks_at_the_leaves_find_a_mate() {
    with_thread("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", |thread| {
        let node = zero_window_node(thread.game.evaluation() + 100, 0);
        assert_eq!(search(thread, node), Score::mate_in(2));
    });
    // Further down they would never end.
    with_thread("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", |thread| {
        let node = zero_window_node(thread.game.evaluation() + 100, 0);
        let score = thread.quiescence(node.window, 1, QuietChecks::Exclude, &mut Pv::new());
        assert_eq!(score, Ok(thread.game.evaluation()));
    });
}

#[test]
fn after_one_evasion_the_quiescence_search_looks_at_no_other_quiet_move() {
    for (selective, expected_nodes) in [(true, 1), (false, 4)] {
        with_thread("4r2k/8/8/8/8/8/8/4K3 w - - 0 1", |thread| {
            thread.selective = selective;
            let window = Window::above(Score::DRAW);
            let score = thread.quiescence(window, 1, QuietChecks::Exclude, &mut Pv::new());
            assert!(score.is_ok_and(|score| score < Score::DRAW));
            assert_eq!(thread.nodes(), expected_nodes);
        });
    }
}

// Overlooking, in weaker play.

/// The nodes of a search by each of a hundred of the weakest players, and at full strength.
fn nodes_of_players(fen: &str, search: impl Fn(&mut Thread)) -> (Vec<u64>, u64) {
    let nodes = |blindness| {
        with_thread(fen, |thread| {
            thread.blindness = blindness;
            thread.stack[5] = thread.stack[1];
            search(thread);
            thread.nodes()
        })
    };
    let per_mille = 1_000;
    let players = (0..100).map(|seed| nodes(Some(Blindness { per_mille, seed })));
    (players.collect(), nodes(None))
}

#[test]
fn overlooked_moves_are_not_searched() {
    let (players, all) = nodes_of_players(PAWNS, |thread| {
        let beyond_reach = thread.game.evaluation() + 2_000;
        search(thread, pv_node(beyond_reach, 1));
    });
    let blind = players.iter().filter(|nodes| **nodes < all).count();
    assert!(blind > 60, "{players:?} {all}");
    // The first move is never overlooked.
    assert!(players.iter().all(|nodes| *nodes > 0));
}

#[test]
fn a_player_who_overlooks_a_threat_takes_no_quiet_position_for_a_stalemate() {
    let (players, _) = nodes_of_players(PAWNS, |thread| {
        // The player trusts the evaluation before a move is searched, and all moves are quiet.
        let node = pv_node(thread.game.evaluation() + 400, 1);
        let score = search(thread, node);
        assert_ne!(score, Score::DRAW);
        assert!(score <= node.window.alpha(), "{score:?}");
    });
    assert!(players.iter().all(|nodes| *nodes > 0), "{players:?}");
}

#[test]
fn a_player_who_sees_no_move_at_the_root_searches_them_all() {
    // The three moves of the king are quiet, and every player overlooks some of them further down a line.
    for seed in 0..100 {
        with_thread("8/8/8/p7/P1p5/2P2k2/8/K7 w - - 0 1", |thread| {
            thread.blindness = Some(Blindness {
                per_mille: 1_000,
                seed,
            });
            let root = Node {
                window: Window::full(),
                depth: 1,
                ply: 0,
                cut_node: false,
            };
            search(thread, root);
            assert!(thread.nodes() >= 3, "{seed}");
        });
    }
}

#[test]
fn overlooked_captures_are_not_searched_at_the_leaves() {
    let (players, all) = nodes_of_players(HANGING_PAWN, |thread| {
        let full = Window::full();
        let score = thread.quiescence(full, 5, QuietChecks::Exclude, &mut Pv::new());
        score.expect("nothing stops the search");
    });
    let blind = players.iter().filter(|nodes| **nodes < all).count();
    assert!((60..100).contains(&blind), "{blind} of 100");
}

#[test]
fn an_overlooked_threat_leaves_the_static_evaluation_as_the_score() {
    let (players, all) = nodes_of_players(PAWNS, |thread| {
        let below = thread.game.evaluation() - 50;
        search(thread, pv_node(below, 1));
    });
    let content = players.iter().filter(|nodes| **nodes == 0).count();
    assert!((25..55).contains(&content), "{content} of 100");
    assert!(all > 0);
}
