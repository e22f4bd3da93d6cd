//! Iterative deepening: the root is searched to depth 1, 2, 3 and so on, until a limit is reached.
//! Each iteration orders its moves by what the earlier ones left in the transposition table and the
//! histories.
//!
//! From the fifth iteration on the root is searched with an *aspiration window* around its last
//! score, and again with a wider one only if the score falls outside. With several lines (MultiPV)
//! each is searched in turn without the best moves of the lines before.

use std::time::{Duration, Instant};

use shakmaty::Position;

use super::mate_search::{MateSearch, TurnEnd};
use super::node::Node;
use super::pv::Pv;
use super::result::{Progress, SearchInfo, SearchResult};
use super::root_line::RootLine;
use super::root_moves::RootMove;
use super::stop::Stopped;
use super::time_management::TimeScaling;
use super::tunable::parameters;
use super::window::{Bound, Window};
use super::worker::Worker;
use crate::position::packed_move::PackedMove;
use crate::score::{MAX_PLY, Score};

parameters! {
    /// Half the width of the first aspiration window, in centipawns.
    ASPIRATION_MARGIN = 11, 5 to 50;
}

/// The first iteration that uses an aspiration window.
const ASPIRATION_MIN_DEPTH: u32 = 5;
/// Beyond this half-width, in centipawns, the window is opened entirely on the side on which the
/// score fell outside.
const ASPIRATION_LIMIT: i32 = 800;
/// The most plies by which fail highs reduce the depth of an iteration.
const FAIL_HIGH_REDUCTION_LIMIT: i32 = 3;

/// The depth that suffices in endings with tables of their own, in plies. A deeper search picks the
/// leaf where these tables are most wrong. It can reach that leaf just as well a move later, so the
/// engine would shuffle.
const KNOWN_ENDING_DEPTH: u32 = 12;

/// Bounds and current root moves are reported only after this time, so that fast searches don't
/// flood the interface.
const REPORT_DELAY: Duration = Duration::from_secs(1);

/// How long the line of a tablebase win may be looked up when time is over.
const MAX_LINE_TIME: Duration = Duration::from_millis(5);

impl Worker<'_> {
    /// Searches one ply deeper at a time until a limit is reached. There must be a root move.
    pub(super) fn iterative_deepening(&mut self) -> SearchResult {
        let lines = self.shared.options.multi_pv.clamp(1, self.root_moves.len());
        let depth_limit = self.shared.limits.depth.unwrap_or(u32::MAX);
        let mut scaling = TimeScaling::default();
        self.root_moves.begin_search(lines);
        let mut mate_search = self.shared.limits.mate.map(MateSearch::new);
        for depth in 1..=depth_limit.clamp(1, MAX_PLY as u32) {
            // Every second helper begins a ply deeper.
            self.root_depth = (depth + self.number() as u32 % 2).min(MAX_PLY as u32);
            let previous = self.root_moves.best_of(0).clone();
            if self.search_lines(lines).is_err() {
                break;
            }
            if !self.is_main() {
                continue;
            }
            let finished = self.root_moves.finished_lines().to_vec();
            self.report_lines(&finished);
            if let Some(mate_search) = &mut mate_search
                && !self.mate_found()
                && mate_search.take_turn(self) != Ok(TurnEnd::Interrupted)
            {
                break;
            }
            scaling = self.time_scaling(scaling, &previous);
            self.has_thought_enough = self.needs_no_more_thought(scaling);
            if self.is_finished() {
                break;
            }
        }
        let proven = self.root_moves.proven_lines();
        // One line is the result, which is reported anyway.
        if lines > 1 && proven != self.root_moves.finished_lines() {
            self.report_lines(&proven);
        }
        let info = self.info(0, &proven[0]);
        SearchResult {
            info,
            tree: self.tree,
        }
    }

    /// One iteration: searches each line once.
    fn search_lines(&mut self, lines: usize) -> Result<(), Stopped> {
        let depth = self.root_depth;
        self.root_moves.begin_iteration();
        for line in 0..lines {
            if let Some(alternatives) = self.shared.options.alternatives.filter(|_| line > 0) {
                if self.root_moves.range_of_finished() > alternatives.margin {
                    break;
                }
                self.root_depth = depth.saturating_sub(alternatives.lag).max(1);
            }
            self.root_moves.begin_line(line);
            self.selective_depth = 0;
            self.aspiration_search()?;
            self.root_moves.finish_line();
        }
        self.root_depth = depth;
        self.root_moves.finish_iteration();
        Ok(())
    }

    /// Searches the root with an aspiration window, which is widened until the score lies inside.
    fn aspiration_search(&mut self) -> Result<(), Stopped> {
        let expected = self.root_moves.current().previous_score;
        let mut margin = ASPIRATION_MARGIN.get();
        let mut window = Window::full();
        if self.root_depth >= ASPIRATION_MIN_DEPTH && !expected.is_decisive() {
            window = Window::new(expected - margin, expected + margin);
        }
        let mut pv = Pv::new();
        let mut fail_highs = 0;
        loop {
            let root = Node {
                window,
                depth: fail_high_depth(self.root_depth as i32, fail_highs),
                ply: 0,
                cut_node: false,
            };
            let score = self.negamax(root, &mut pv)?;
            let bound = window.bound_of(score);
            if bound == Bound::Exact {
                return Ok(());
            }
            self.report_bound(score, bound, &pv);
            self.tree.count_failed_window();
            fail_highs = if bound == Bound::Lower && self.rules_for(root).reductions {
                fail_highs + 1
            } else {
                0
            };
            margin += margin / 2 + 1;
            window = widened(window, score, bound, margin);
        }
    }

    /// The time scaling after an iteration, before which `previous` was the best move.
    fn time_scaling(&self, before: TimeScaling, previous: &RootMove) -> TimeScaling {
        let best = self.root_moves.best_of(0);
        let (score, previous_score) = (best.line.score, previous.line.score);
        let is_comparable =
            self.root_depth > 1 && !previous_score.is_decisive() && !score.is_decisive();
        TimeScaling {
            stable_iterations: if best.m == previous.m {
                before.stable_iterations + 1
            } else {
                0
            },
            best_move_share: self.root_moves.share_of_best(),
            fall: if is_comparable {
                previous_score - score
            } else {
                0
            },
        }
    }

    /// Whether the move needs no more thought: it is forced, a known ending is searched deep
    /// enough, or the soft limit of its time is reached.
    fn needs_no_more_thought(&self, scaling: TimeScaling) -> bool {
        let since_asked = self.shared.asked_at.elapsed();
        let is_forced = self.root_moves.candidates() == 1;
        is_forced
            || self.is_deep_enough_in_ending()
            || self.shared.time.soft_limit_reached(scaling, since_asked)
    }

    /// Whether no other iteration begins: the mate asked for is found, the move needs no more
    /// thought, or a limit is reached. While the engine ponders, all but the mate and the nodes
    /// wait for its clock.
    fn is_finished(&self) -> bool {
        let time = &self.shared.time;
        let soft_nodes = self.shared.limits.soft_nodes;
        self.mate_found()
            || self.must_move()
            || (self.is_deep_enough_in_ending() && time.is_timed())
            || time.hard_limit_reached()
            || soft_nodes.is_some_and(|nodes| self.shared.counts.nodes() >= nodes)
    }

    /// Whether the root is an ending with tables of its own, and has been searched to the depth
    /// that suffices there. It ends a search that has a time; others go as deep as was asked.
    fn is_deep_enough_in_ending(&self) -> bool {
        self.root_depth >= KNOWN_ENDING_DEPTH
            && (self.shared.tables).knows_ending(self.game.position().board())
    }

    /// Whether the mate that is asked for is found.
    fn mate_found(&self) -> bool {
        let score = self.root_moves.best_of(0).line.score;
        let wanted = self.shared.limits.mate;
        wanted.is_some_and(|moves| score.is_mate_within(moves))
    }

    /// Makes a root move that raised alpha the move to play, even if the search is stopped before
    /// the iteration ends: no move so far has a better score.
    pub(super) fn update_root_move(&mut self, m: PackedMove, score: Score, pv: &Pv) {
        let line = RootLine {
            score,
            bound: Bound::Lower,
            depth: self.root_depth,
            pv: pv.clone(),
            selective_depth: self.selective_depth,
        };
        self.root_moves.set_best(m, line);
    }

    fn report_lines(&mut self, lines: &[RootLine]) {
        for (number, line) in lines.iter().enumerate() {
            let info = self.info(number, line);
            (self.on_progress)(Progress::Info(info));
        }
    }

    /// Reports the root move that is searched next, once the search has taken a while.
    pub(super) fn report_current_move(&mut self, m: PackedMove, number: i32) {
        if self.shared.asked_at.elapsed() >= REPORT_DELAY {
            (self.on_progress)(Progress::CurrentMove {
                depth: self.root_depth,
                m: m.into(),
                number: self.root_moves.current_line() + number as usize,
            });
        }
    }

    /// Reports that the score fell outside the aspiration window, once the search has taken a
    /// while. Of several lines only whole iterations are reported, so that no move is in two of
    /// them.
    fn report_bound(&mut self, score: Score, bound: Bound, pv: &Pv) {
        let has_several_lines = self.root_moves.finished_lines().len() > 1;
        if has_several_lines || self.shared.asked_at.elapsed() < REPORT_DELAY {
            return;
        }
        let best = &self.root_moves.current().line;
        let pv = if pv.moves().is_empty() { &best.pv } else { pv };
        let failed = RootLine {
            score,
            bound,
            depth: self.root_depth,
            pv: pv.clone(),
            selective_depth: self.selective_depth,
        };
        self.report_lines(&[failed]);
    }

    /// The report on a line, by its number from 0.
    fn info(&self, number: usize, line: &RootLine) -> SearchInfo {
        let (score, bound) = self.root_moves.shown_score(line);
        let moves = line.pv.moves();
        let moves = &moves[..self.shown_moves(moves, score)];
        SearchInfo {
            multipv: number + 1,
            depth: line.depth,
            selective_depth: line.selective_depth,
            score,
            bound,
            nodes: self.shared.counts.nodes(),
            hashfull: self.tt.hashfull(),
            tablebase_hits: self.shared.counts.tablebase_hits(),
            is_in_tablebases: self.root_moves.tablebase_score(line).is_some(),
            time: self.shared.asked_at.elapsed(),
            pv: moves.iter().copied().map(Into::into).collect(),
        }
    }

    /// How many moves of a line with this score are shown: a line to a win by the tablebases only
    /// as far as it is won.
    fn shown_moves(&self, moves: &[PackedMove], score: Score) -> usize {
        let is_tablebase_win = score.is_decisive() && !score.is_mate();
        match self.shared.line_probe.filter(|_| is_tablebase_win) {
            Some(probe) => {
                // Not the thread's own game, which is somewhere in the tree if the search was
                // stopped.
                let root = self.shared.game;
                let turn = root.position().turn();
                let winner = if score > Score::DRAW { turn } else { !turn };
                let since = Instant::now();
                probe.moves_to_win(root, moves, winner, || {
                    since.elapsed() >= MAX_LINE_TIME
                        && (self.shared.stop.is_requested()
                            || self.shared.time.hard_limit_reached())
                })
            }
            None => moves.len(),
        }
    }
}

/// Fail-high reduction: the depth in plies of the root search after this many fail highs in a row.
/// The best move has been found, and a slightly shallower search finds its score sooner (as in
/// Stockfish).
fn fail_high_depth(depth: i32, fail_highs: i32) -> i32 {
    (depth - fail_highs.min(FAIL_HIGH_REDUCTION_LIMIT)).max(1)
}

/// The wider aspiration window after a score outside the last one.
fn widened(window: Window, score: Score, bound: Bound, margin: i32) -> Window {
    let full = Window::full();
    let open = margin > ASPIRATION_LIMIT || score.is_decisive();
    let (alpha, beta) = (window.alpha(), window.beta());
    let middle = Score::centipawns((alpha.value() + beta.value()) / 2);
    match bound {
        Bound::Lower if open => Window::new(alpha, full.beta()),
        Bound::Lower => Window::new(alpha, score + margin),
        _ if open => Window::new(full.alpha(), beta),
        // The score is not expected to come back to the upper half, and a narrow window is cheaper
        // (as in Stockfish).
        _ if middle > alpha && !beta.is_decisive() => Window::new(score - margin, middle),
        _ => Window::new(score - margin, beta),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fail_highs_reduce_the_depth_of_an_iteration_up_to_a_limit() {
        assert_eq!(fail_high_depth(9, 0), 9);
        assert_eq!(fail_high_depth(9, 2), 7);
        assert_eq!(fail_high_depth(9, 20), 6);
        assert_eq!(fail_high_depth(2, 2), 1);
    }

    #[test]
    fn the_window_opens_on_the_side_where_the_score_fell_outside() {
        let window = Window::new(Score::centipawns(-10), Score::centipawns(10));
        let higher = widened(window, Score::centipawns(15), Bound::Lower, 24);
        assert_eq!(
            (higher.alpha(), higher.beta().value()),
            (window.alpha(), 39)
        );
        let lower = widened(window, Score::centipawns(-15), Bound::Upper, 24);
        assert_eq!((lower.alpha().value(), lower.beta().value()), (-39, 0));
        let mate = widened(window, Score::mate_in(3), Bound::Lower, 24);
        assert_eq!(mate.beta(), Window::full().beta());
    }
}
