//! The node: the best score that the side to move can force, by trying its moves one after another.
//!
//! Negamax writes both players as one: what is good for one side is as bad for the other, so a child's
//! score is negated and the same function serves both. Alpha-beta skips what can't matter any more.
//! Principal variation search asks of all moves but the first only whether they are better than the best
//! so far, and looks closer at the few that are. Everything else here is selectivity: rules that save
//! effort where experience says it is wasted. Their formulas are in [`super::pruning`]; what may end a node
//! before its moves are tried is in [`super::forward`].

use super::history::{HistoryContext, Killers};
use super::history_update::SearchedMoves;
use super::iterative_deepening::{Node, Search};
use super::move_picker::MovePicker;
use super::pruning::{self, LateMove};
use super::pv::Pv;
use super::quiescence::Checks;
use super::see;
use super::singular::Singularity;
use super::stop::Stopped;
use super::transposition_table::Entry;
use super::window::Window;
use crate::position::movegen::{LegalMasks, gives_direct_check};
use crate::position::packed_move::PackedMove;
use crate::score::Score;

impl Search<'_> {
    /// The value of the node's position, from the view of the side to move. Fills `line` with the best line
    /// if the score lies above alpha.
    pub(super) fn negamax(&mut self, mut node: Node, line: &mut Pv) -> Result<Score, Stopped> {
        let ply = node.ply;
        let is_root = ply == 0;
        let is_pv = node.is_pv();
        let checkers = self.stack[ply].checkers;
        let excluded = self.stack[ply].excluded;

        // Check extension: a check has few answers, and the quiet that ends the tree is not here.
        if checkers.any() && self.is_selective && excluded.is_none() {
            node.depth += 1;
        }
        if node.depth <= 0 {
            return self.quiescence(node.window, ply, Checks::Include, line);
        }
        line.clear();
        if let Some(score) = self.end_of_line(ply) {
            return Ok(score);
        }
        let bounded = node.window.within_mates(ply).and_then(|window| {
            // A draw by repetition is at hand, and nothing less needs to be asked for.
            let may_ask_less = self.is_selective && !is_root && window.alpha() < Score::DRAW;
            let has_draw = may_ask_less && self.game.has_upcoming_repetition(ply);
            window.at_least(if has_draw {
                Score::DRAW
            } else {
                window.alpha()
            })
        });
        node.window = match bounded {
            Ok(window) => window,
            Err(score) => return Ok(score),
        };

        let known = self.table.probe(self.game.key());
        let may_be_cut = !is_pv && excluded.is_none();
        if may_be_cut && let Some(score) = self.table_score(known, node) {
            return Ok(score);
        }
        let evaluation = self.judge(known, ply);
        if may_be_cut
            && self.is_selective
            && let Some(evaluation) = evaluation
            && let Some(score) = self.cut_forward(node, known, evaluation)?
        {
            return Ok(score);
        }

        self.try_moves(node, known, evaluation, line)
    }

    /// Tries the moves of a node that could not be settled before, and keeps what came of it.
    fn try_moves(
        &mut self,
        mut node: Node,
        known: Option<Entry>,
        evaluation: Option<Score>,
        line: &mut Pv,
    ) -> Result<Score, Stopped> {
        let ply = node.ply;
        let is_root = ply == 0;
        let is_pv = node.is_pv();
        let checkers = self.stack[ply].checkers;
        let excluded = self.stack[ply].excluded;

        self.note_threats(ply);
        let masks = LegalMasks::with_checkers(self.game.position(), checkers);
        let table_move = self.table_move(known, &masks);
        if self.is_selective && table_move.is_none() && (is_pv || node.is_cut) {
            node.depth -= pruning::internal_reduction(node.depth);
        }
        let outlook = Outlook {
            evaluation,
            is_improving: self.is_improving(ply),
            table_move_is_tactical: table_move.is_some_and(PackedMove::is_tactical),
            killers: self.stack[ply].killers,
            context: self.stack[ply].context,
        };
        let mut picker = MovePicker::all(masks, table_move, outlook.killers);
        self.stack[ply + 1].killers = Killers::default();

        let most = pruning::late_move_count(node.depth, outlook.is_improving, is_pv);
        let window = node.window;
        let mut best = Score::mated_in(ply);
        let mut best_move = None;
        let mut tried = SearchedMoves::default();
        let mut reply = Pv::new();
        loop {
            let number = tried.count() + 1;
            // To how many plies the next move will roughly be searched, should it be a quiet one.
            let quiet_depth = pruning::depth_of_late_move(node.depth, number);
            let may_skip = self.is_selective && !is_root && !best.is_mate();
            let hope = hope_of_quiet(quiet_depth, node, &outlook);
            if may_skip && (number > most || hope.is_some()) {
                picker.skip_quiet();
                best = hope.map_or(best, |hope| best.max(hope));
            }
            let picked = picker.next(self.game.position(), self.history, &outlook.context);
            let Some(m) = picked else {
                break;
            };
            if (is_root && !self.may_start_with(m)) || excluded == Some(m) {
                continue;
            }
            let candidate = self.candidate(m, number, &picker, &outlook.context);
            if may_skip && self.is_hopeless(candidate, quiet_depth, node) {
                tried.skip();
                continue;
            }
            let mut extension = 0;
            if Some(m) == table_move && self.is_selective && !is_root && excluded.is_none() {
                match self.singularity(m, known, node)? {
                    Singularity::Extend(plies) => extension = plies,
                    Singularity::Cut(score) => return Ok(score),
                }
            }
            if is_root {
                self.announce(m, candidate.number as usize);
            }

            let nodes_before = self.nodes();
            self.play(m, ply)?;
            self.stack[ply + 1].double_extensions += u8::from(extension > 1);
            let child = Child {
                depth: node.depth - 1 + extension,
                reduction: self.reduction(candidate, node, &outlook),
                is_first: candidate.number == 1,
            };
            let score = self.search_child(node, child, &mut reply)?;
            self.game.unmake_move();

            if score > best {
                best = score;
                if score > node.window.alpha() {
                    best_move = Some(m);
                    if is_pv {
                        line.set(m, &reply);
                    }
                    if is_root {
                        self.note_root_move(score, window, line, nodes_before);
                    }
                    if score >= window.beta() {
                        let depth = pruning::depth_of_lesson(node.depth, score - window.beta());
                        self.reward(m, &tried, Node { depth, ..node });
                        break;
                    }
                    node.window = node.window.raised_to(score);
                }
            }
            tried.add(m);
        }

        if tried.count() == 0 && best_move.is_none() {
            return Ok(match excluded {
                Some(_) => window.alpha(),
                None if checkers.any() => best,
                None => Score::DRAW,
            });
        }
        if excluded.is_none() {
            self.remember(Node { window, ..node }, best, best_move);
        }
        Ok(best)
    }

    /// What the rules ask of the move that the picker just gave.
    fn candidate(
        &self,
        m: PackedMove,
        number: i32,
        picker: &MovePicker,
        context: &HistoryContext,
    ) -> Candidate {
        let is_quiet = !m.is_tactical();
        let is_losing = picker.is_losing();
        let history = match picker.history_of_quiet() {
            Some(history) => history,
            // Nobody asks it of the first move, nor of a capture that loses nothing.
            None if number == 1 || !(is_quiet || is_losing) => 0,
            None => self.history_of(m, context),
        };
        Candidate {
            m,
            number,
            is_quiet,
            is_losing,
            history,
        }
    }

    /// Principal variation search: the first move gets the whole window; any other must first show, to
    /// reduced depth and then to full depth, that it is better than the best so far.
    fn search_child(
        &mut self,
        parent: Node,
        child: Child,
        reply: &mut Pv,
    ) -> Result<Score, Stopped> {
        let Node { window, ply, .. } = parent;
        let whole = Node {
            window: window.flipped(),
            depth: child.depth,
            ply: ply + 1,
            is_cut: false,
        };
        if child.is_first {
            let is_cut = !parent.is_pv() && !parent.is_cut;
            return Ok(-self.negamax(Node { is_cut, ..whole }, reply)?);
        }
        let question = Node {
            window: Window::above(window.alpha()).flipped(),
            is_cut: !parent.is_cut,
            ..whole
        };
        let reduced = Node {
            depth: (child.depth - child.reduction).max(child.depth.min(1)),
            is_cut: child.reduction > 0 || !parent.is_cut,
            ..question
        };
        let mut score = -self.negamax(reduced, reply)?;
        if score > window.alpha() && reduced.depth < child.depth {
            let surprise = pruning::depth_after_surprise(score - window.alpha());
            let depth = child.depth + surprise;
            if depth > reduced.depth {
                score = -self.negamax(Node { depth, ..question }, reply)?;
            }
        }
        let is_better = score > window.alpha() && (score < window.beta() || ply == 0);
        if is_better && parent.is_pv() {
            score = -self.negamax(whole, reply)?;
        }
        Ok(score)
    }

    /// Whether a move is not worth a search, as seen before it is played.
    fn is_hopeless(&self, candidate: Candidate, quiet_depth: i32, node: Node) -> bool {
        let m = candidate.m;
        let least = if candidate.is_quiet {
            let minimum = pruning::history_minimum(quiet_depth);
            if minimum.is_some_and(|minimum| candidate.history < minimum) {
                return true;
            }
            pruning::quiet_exchange_minimum(quiet_depth)
        } else if candidate.is_losing {
            pruning::capture_exchange_minimum(node.depth)
        } else {
            None
        };
        let position = self.game.position();
        // A check may be worth a sacrifice.
        least.is_some_and(|least| !see::see_ge(position, m, least))
            && !gives_direct_check(position, m)
    }

    /// How well a move did so far. The one history of captures counts twice beside the five of quiet moves.
    fn history_of(&self, m: PackedMove, context: &HistoryContext) -> i32 {
        if m.is_tactical() {
            2 * self.history.of_capture(context.turn, m)
        } else {
            self.history.of_node(context).of_quiet(m)
        }
    }

    /// By how many plies a move that was just played is reduced.
    fn reduction(&self, candidate: Candidate, node: Node, outlook: &Outlook) -> i32 {
        let Candidate { m, is_quiet, .. } = candidate;
        if !self.is_selective || !(is_quiet || candidate.is_losing) {
            return 0;
        }
        let late = LateMove {
            history: candidate.history,
            is_pv: node.is_pv(),
            is_cut: node.is_cut,
            is_improving: outlook.is_improving,
            is_killer: outlook.killers.contains(m),
            gives_check: self.stack[node.ply + 1].checkers.any(),
            table_move_is_tactical: outlook.table_move_is_tactical,
        };
        pruning::late_move_reduction(node.depth, candidate.number, late)
    }
}

/// What a quiet move, to be searched so deep, may make of the position at best, if that is not enough: then none
/// need be tried.
fn hope_of_quiet(quiet_depth: i32, node: Node, outlook: &Outlook) -> Option<Score> {
    let alpha = node.window.alpha();
    let margin = pruning::futility_margin(quiet_depth, alpha)?;
    let hope = outlook.evaluation? + margin;
    (hope <= alpha).then_some(hope)
}

/// What is known of a node before its moves are tried.
struct Outlook {
    /// The evaluation, corrected by all that is known; none in check.
    evaluation: Option<Score>,
    is_improving: bool,
    table_move_is_tactical: bool,
    killers: Killers,
    context: HistoryContext,
}

/// A move that is about to be tried.
#[derive(Clone, Copy)]
struct Candidate {
    m: PackedMove,
    /// Its place in the order, from 1.
    number: i32,
    is_quiet: bool,
    /// Whether it is a capture that loses material.
    is_losing: bool,
    /// How well it did so far.
    history: i32,
}

/// How a child is to be searched.
#[derive(Clone, Copy)]
struct Child {
    /// Its full depth.
    depth: i32,
    /// What is taken off the depth at the first look.
    reduction: i32,
    /// Whether it is the first of its parent.
    is_first: bool,
}
