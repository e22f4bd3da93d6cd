//! The node: the best score that the side to move can force, by trying its moves one after another.
//!
//! Negamax writes both players as one: what is good for one side is as bad for the other, so a child's
//! score is negated and the same function serves both. Alpha-beta skips what can't matter any more.
//! Principal variation search asks of all moves but the first only whether they are better than the best
//! so far, and looks closer at the few that are. Everything else here is selectivity: rules that save
//! effort where experience says it is wasted. Their formulas are in [`super::pruning`].

use arrayvec::ArrayVec;
use shakmaty::{Move, Position};

use super::compact_move::CompactMove;
use super::deepening::Search;
use super::line::Line;
use super::ordering::{MovePicker, is_tactical};
use super::pruning;
use super::stop::Stopped;
use super::transposition::Entry;
use super::window::Window;
use crate::movegen::Legality;
use crate::score::Score;

/// Quiet moves that are remembered as tried in vain, so that a later cut-off can hold it against them.
type TriedQuiets = ArrayVec<Move, 64>;

impl Search<'_> {
    /// The value of the position `depth` plies deep, from the view of the side to move. Fills `line` with
    /// the best line if the score lies above alpha. `ply` is the distance from the root.
    pub(super) fn negamax(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        line: &mut Line,
    ) -> Result<Score, Stopped> {
        let is_root = ply == 0;
        let is_pv = !window.is_null();
        let checkers = self.game.position().checkers();
        let in_check = checkers.any();

        // Check extension: a check has few answers, and the quiet that ends the tree is not here.
        let depth = depth + i32::from(in_check && self.is_selective);
        if depth <= 0 {
            return self.quiescence(window, ply, checkers, line);
        }

        line.clear();
        if let Some(score) = self.end_of_line(ply) {
            return Ok(score);
        }
        let window = match window.within_mates(ply) {
            Ok(window) => window,
            Err(score) => return Ok(score),
        };

        let key = self.game.key();
        let known = self.table.probe(key);
        if !is_pv && let Some(score) = self.table_score(known, window, depth, ply) {
            return Ok(score);
        }
        if self.is_selective && !is_pv && !in_check {
            let evaluation = self.game.evaluation();
            if is_futile_for_opponent(evaluation, window.beta(), depth) {
                return Ok(evaluation);
            }
            let surplus = evaluation - window.beta();
            if let Some(score) = self.null_move(window.beta(), surplus, depth, ply)? {
                return Ok(score);
            }
        }

        let legality = Legality::with_checkers(self.game.position(), checkers);
        let table_move = self.table_move(known, &legality);
        let mut picker = MovePicker::all(legality, table_move, self.stack[ply].killers);
        self.stack[ply + 1].killers = Default::default();

        let mut best = Score::mated_in(ply);
        let mut best_move = None;
        let mut raised = window;
        let mut tried = 0;
        let mut tried_quiets = TriedQuiets::new();
        let mut reply = Line::new();
        while let Some(m) = picker.next(self.game.position(), self.history) {
            if is_root && !self.may_start_with(m) {
                continue;
            }
            tried += 1;
            if is_root {
                self.announce(m, tried);
            }
            let is_quiet = !is_tactical(m);
            let is_reducible = self.is_selective && !in_check && (is_quiet || picker.is_losing());
            let reduction = if is_reducible {
                self.late_move_reduction(m, depth, tried, is_pv)
            } else {
                0
            };

            self.stack[ply].is_null_move = false;
            self.play(m)?;
            let child = Child {
                depth: depth - 1,
                ply: ply + 1,
                reduction,
                is_first: tried == 1,
            };
            let score = self.search_child(raised, child, &mut reply)?;
            self.game.undo();

            if score > best {
                best = score;
                if score > raised.alpha() {
                    best_move = Some(m);
                    if is_pv {
                        line.set(m, &reply);
                    }
                    if is_root {
                        self.note_root_move(score, window, line);
                    }
                    if score >= window.beta() {
                        if is_quiet {
                            self.stack[ply].killers.add(m);
                            self.history.reward(self.turn(), m, &tried_quiets, depth);
                        }
                        break;
                    }
                    raised = raised.raised_to(score);
                }
            }
            if is_quiet {
                // Past the sixty-fourth the moves are so poor that their history says it already.
                let _ = tried_quiets.try_push(m);
            }
        }

        if tried == 0 {
            return Ok(if in_check { best } else { Score::DRAW });
        }
        self.table.store(
            key,
            Entry {
                best: best_move.and_then(CompactMove::new),
                score: best.seen_from_node(ply),
                depth: depth.min(255) as u8,
                bound: window.bound_of(best),
            },
        );
        Ok(best)
    }

    /// Principal variation search: the first move gets the whole window; any other must first show, to
    /// reduced depth and then to full depth, that it is better than the best so far.
    fn search_child(
        &mut self,
        window: Window,
        child: Child,
        reply: &mut Line,
    ) -> Result<Score, Stopped> {
        let Child {
            depth,
            ply,
            reduction,
            is_first,
        } = child;
        if is_first {
            return Ok(-self.negamax(window.flipped(), depth, ply, reply)?);
        }
        let question = Window::above(window.alpha()).flipped();
        let reduced_depth = (depth - reduction).max(depth.min(1));
        let mut score = -self.negamax(question, reduced_depth, ply, reply)?;
        if score > window.alpha() && reduced_depth < depth {
            score = -self.negamax(question, depth, ply, reply)?;
        }
        let is_better = score > window.alpha() && (score < window.beta() || ply == 1);
        if is_better && !window.is_null() {
            score = -self.negamax(window.flipped(), depth, ply, reply)?;
        }
        Ok(score)
    }

    /// By how much a late move is reduced. Only quiet moves have a history.
    fn late_move_reduction(&self, m: Move, depth: i32, number: usize, is_pv: bool) -> i32 {
        let history = if is_tactical(m) {
            0
        } else {
            self.history.of(self.turn(), m)
        };
        pruning::late_move_reduction(depth, number, is_pv, history)
    }

    /// A score of at least beta, if the side to move, evaluated `surplus` above beta, holds it even after
    /// passing. Passing is the worst move there is, except in zugzwang; so not with pawns alone, and never
    /// twice in a row.
    fn null_move(
        &mut self,
        beta: Score,
        surplus: i32,
        depth: i32,
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        let passed_before = self.stack[ply - 1].is_null_move;
        if surplus < 0 || passed_before || beta.is_mate() || !self.game.has_pieces() {
            return Ok(None);
        }
        let Some(reduction) = pruning::null_move_reduction(depth, surplus) else {
            return Ok(None);
        };
        self.stack[ply].is_null_move = true;
        self.game.play_null();
        let window = Window::below(beta).flipped();
        let score = -self.negamax(window, depth - 1 - reduction, ply + 1, &mut Line::new())?;
        self.game.undo();
        // A mate that follows a pass is not a proven one.
        let proven = if score.is_mate() { beta } else { score };
        Ok((score >= beta).then_some(proven))
    }
}

/// Whether the evaluation exceeds beta by so much that the moves to come will hardly spoil it (reverse
/// futility).
fn is_futile_for_opponent(evaluation: Score, beta: Score, depth: i32) -> bool {
    pruning::reverse_futility_margin(depth)
        .is_some_and(|margin| !beta.is_mate() && evaluation - margin >= beta)
}

/// How a child is to be searched.
#[derive(Clone, Copy)]
struct Child {
    /// Its full depth.
    depth: i32,
    /// Its distance from the root.
    ply: usize,
    /// What is taken off the depth at the first look.
    reduction: i32,
    /// Whether it is the first of its parent.
    is_first: bool,
}
