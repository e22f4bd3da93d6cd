//! Quiescence pruning: which moves are searched at the leaves of the tree.
//!
//! Searched are captures that lose no material and, at the first ply only, quiet checks that lose
//! none; checks further down would never end. In check, evasions are searched until one doesn't
//! lose for certain, then only captures. Captures that can't bring the score up to alpha are
//! skipped, and so are late ones.

use crate::position::attacks::gives_direct_check;
use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;
use crate::score::Score;
use crate::search::history::Killers;
use crate::search::move_picker::MovePicker;
use crate::search::node::{QuietChecks, RuleSet};
use crate::search::see::{captured_value, see_ge};
use crate::search::transposition_table::Entry;
use crate::search::tunable::parameters;
use crate::search::window::Window;
use crate::search::worker::Worker;

parameters! {
    /// Futility pruning: what a capture can be expected to gain beyond its victim, in centipawns.
    QS_FUTILITY_MARGIN = 162, 60 to 400;
}

/// Late capture pruning: the number of moves after which captures are skipped.
const LATE_CAPTURE_LIMIT: usize = 2;

impl Worker<'_> {
    /// The moves of a quiescence node. In check these are all moves. Otherwise they are the good
    /// captures and queen promotions, and quiet checks if they are included; for plain alpha-beta
    /// every capture and promotion, and no quiet check.
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
        let captures = MovePicker::captures(masks, tt_move);
        if !rules.quiescence_pruning {
            return captures.with_bad_captures();
        }
        match checks {
            QuietChecks::Include => captures.with_quiet_checks(),
            QuietChecks::Exclude => captures,
        }
    }

    /// Evasion pruning: whether a move out of check with this score is enough, so that only
    /// captures are searched after it. It is unless it decides the game.
    pub(in crate::search) fn evasion_suffices(&self, score: Score, ply: usize) -> bool {
        self.stack[ply].checkers.any() && !score.is_decisive()
    }

    /// Late capture pruning: the first captures are the best ones, and where two haven't brought a
    /// cutoff, only promotions, recaptures and checks are searched after them (as in Stockfish).
    /// Nothing is skipped in check, or where the best score so far decides the game.
    pub(in crate::search) fn late_capture_pruning(
        &self,
        m: PackedMove,
        searched: usize,
        best: Score,
        ply: usize,
    ) -> bool {
        searched >= LATE_CAPTURE_LIMIT
            && m.is_tactical()
            && m.promotion().is_none()
            && self.stack[ply].checkers.is_empty()
            && !best.is_decisive()
            && !self.is_recapture(m, ply)
            && !gives_direct_check(self.game.position(), m)
    }

    /// Futility pruning of captures (*delta pruning*): a capture is skipped if the evaluation plus
    /// victim plus margin doesn't exceed alpha, or the evaluation plus margin where the capture
    /// wins no material by static exchange evaluation. Returns the futility value, the most that
    /// the capture can be expected to score. Without an evaluation, as in check, nothing is
    /// skipped.
    pub(in crate::search) fn capture_futility_pruning(
        &self,
        m: PackedMove,
        eval: Option<Score>,
        window: Window,
    ) -> Option<Score> {
        let is_plain_capture = m.is_tactical() && m.promotion().is_none();
        let base = eval.filter(|_| is_plain_capture)? + QS_FUTILITY_MARGIN.get();
        let alpha = window.alpha();
        let with_victim = base + captured_value(self.game.position(), m);
        if with_victim <= alpha {
            return Some(with_victim);
        }
        let wins_no_material = || !see_ge(self.game.position(), m, 1);
        (base <= alpha && wins_no_material()).then_some(base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::history::PieceTo;
    use crate::search::pv::Pv;
    use crate::search::rules::test_support::{
        HANGING_PAWN, after, entry, evaluation, search, store,
    };
    use crate::search::window::Bound;
    use crate::search::worker::test_support::{legal_move, with_thread, zero_window_node};
    use shakmaty::Position;

    /// The nodes of the quiescence search of a position whose evaluation lies so far below alpha.
    fn nodes(fen: &str, surplus: i32, checks: QuietChecks) -> u64 {
        with_thread(fen, |thread| {
            let window = Window::above(evaluation(thread) + surplus);
            let score = thread.quiescence(window, 1, checks, &mut Pv::new());
            score.expect("nothing stops the search");
            thread.nodes()
        })
    }

    #[test]
    fn capture_futility_pruning_skips_captures_that_cannot_reach_alpha() {
        let margin = QS_FUTILITY_MARGIN.get();
        // The pawn wins a pawn; the knight is taken back, which wins nothing; the promotion is no
        // plain capture.
        let trade = "4k3/8/2p5/3n4/8/2N5/8/4K3 w - - 0 1";
        for (fen, surplus, is_searched) in [
            (HANGING_PAWN, margin + 99, true),
            (HANGING_PAWN, margin + 100, false),
            (trade, margin - 1, true),
            (trade, margin, false),
            ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", 1_000, true),
        ] {
            assert_eq!(
                nodes(fen, surplus, QuietChecks::Exclude) > 0,
                is_searched,
                "{fen}: {surplus}"
            );
        }
        // The skipped capture is expected to score that much.
        with_thread(HANGING_PAWN, |thread| {
            let eval = evaluation(thread);
            assert_eq!(
                search(thread, zero_window_node(eval + 500, 0)),
                eval + margin + 100
            );
        });
        with_thread(trade, |thread| {
            let eval = evaluation(thread);
            assert_eq!(
                search(thread, zero_window_node(eval + 200, 0)),
                eval + margin
            );
        });
    }

    #[test]
    fn after_two_captures_only_recaptures_promotions_and_checks_are_searched() {
        let searched = |fen: &str, last: Option<&str>| {
            with_thread(fen, |thread| {
                if let Some(last) = last {
                    let m = legal_move(thread, last);
                    thread.stack[1].context.before[0] = PieceTo::of(shakmaty::Color::Black, m);
                }
                let window = Window::above(evaluation(thread) + 255);
                let score = thread.quiescence(window, 1, QuietChecks::Exclude, &mut Pv::new());
                score.expect("nothing stops the search");
                thread.nodes()
            })
        };
        // The pawn takes one of two pawns, and the queen, which comes last, takes a third one.
        let three = "1k6/6p1/8/p1p4p/1P6/8/6P1/6KQ w - - 0 1";
        assert_eq!(searched(three, None), 2);
        assert_eq!(
            searched(three, Some("h1h5")),
            3,
            "a piece has just gone to h5"
        );
        assert_eq!(
            searched(three, Some("h1h2")),
            2,
            "a piece has just gone where nothing takes it"
        );
        let with_check = three.replace("1k6", "4k3");
        assert!(searched(&with_check, None) > 2);
    }

    #[test]
    fn no_capture_is_late_that_takes_a_piece_out_of_check_or_follows_a_mate() {
        let is_late = |fen: &str, searched, best| {
            with_thread(fen, |thread| {
                thread.stack[1].checkers = thread.game.position().checkers();
                let m = legal_move(thread, "h1h5");
                thread.late_capture_pruning(m, searched, best, 1)
            })
        };
        let quiet = "1k6/8/8/7p/8/8/8/6KQ w - - 0 1";
        assert!(is_late(quiet, LATE_CAPTURE_LIMIT, Score::DRAW));
        assert!(!is_late(quiet, LATE_CAPTURE_LIMIT - 1, Score::DRAW));
        assert!(!is_late(quiet, LATE_CAPTURE_LIMIT, Score::mated_in(4)));
        let in_check = "1k6/8/8/7q/8/8/8/3K3R w - - 0 1";
        assert!(!is_late(in_check, LATE_CAPTURE_LIMIT, Score::DRAW));
    }

    #[test]
    fn captures_that_lose_material_are_not_searched_at_the_leaves() {
        let losing = "4k3/8/2p5/3p4/8/8/3Q4/4K3 w - - 0 1";
        assert_eq!(nodes(losing, 0, QuietChecks::Exclude), 0);
        with_thread(losing, |thread| {
            thread.selective = false;
            let window = Window::above(evaluation(thread));
            let score = thread.quiescence(window, 1, QuietChecks::Exclude, &mut Pv::new());
            assert!(score.is_ok() && thread.nodes() > 0);
        });
    }

    #[test]
    fn quiet_checks_at_the_first_leaf_find_a_mate() {
        let mate_in_one = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
        for (selective, finds_it) in [(true, true), (false, false)] {
            with_thread(mate_in_one, |thread| {
                thread.selective = selective;
                let node = zero_window_node(evaluation(thread) + 100, 0);
                assert_eq!(search(thread, node) == Score::mate_in(2), finds_it);
            });
        }
        // Further down they would never end.
        assert_eq!(nodes(mate_in_one, 100, QuietChecks::Exclude), 0);
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

    #[test]
    fn after_an_evasion_that_is_mated_another_is_searched() {
        with_thread("4r2k/8/8/8/8/8/8/4K3 w - - 0 1", |thread| {
            let no_cutoff = entry(thread, "e1d1", Score::centipawns(-900), 0, Bound::Lower);
            store(thread, no_cutoff);
            after(thread, "e1d1", |thread| {
                let mate = Score::mate_in(5);
                store(thread, entry(thread, "h8g8", mate, 0, Bound::Exact));
            });
            let window = Window::above(Score::DRAW);
            let score = thread.quiescence(window, 1, QuietChecks::Exclude, &mut Pv::new());
            assert!(score.is_ok_and(|score| !score.is_decisive()));
            assert_eq!(thread.nodes(), 2);
        });
    }
}
