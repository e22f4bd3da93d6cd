//! Negamax: the search of a node, which returns the best score that the side to move can force.
//!
//! *Negamax* writes both players as one: a score is as good for one side as it is bad for the
//! other, so a child's score is negated and the same function serves both. *Alpha-beta* cuts a node
//! off as soon as its score can't matter any more. *Principal variation search* searches all moves
//! but the first with a zero window, which only tests whether they beat the best so far, and
//! searches the few that do again. Everything else is selectivity, rule by rule in
//! [`super::rules`].

use super::move_picker::MovePicker;
use super::node::{MoveInfo, Node, NodeInfo, QuietChecks};
use super::pv::Pv;
use super::rules::extensions::SingularOutcome;
use super::rules::reductions::{internal_iterative_reduction, research_depth_change};
use super::rules::tablebase::TablebaseOutcome;
use super::searched_moves::SearchedMoves;
use super::stop::Stopped;
use super::window::Window;
use super::worker::Worker;
use crate::position::movegen::LegalMasks;
use crate::score::Score;

impl Worker<'_> {
    /// The score of the node's position from the point of view of the side to move. Fills `pv` if
    /// the score lies above alpha.
    pub(super) fn negamax(&mut self, mut node: Node, pv: &mut Pv) -> Result<Score, Stopped> {
        let ply = node.ply;
        let rules = self.rules_for(node);
        node.depth += i32::from(rules.check_extension);
        if node.depth <= 0 {
            return self.quiescence(node.window, ply, QuietChecks::Include, pv);
        }
        pv.clear();
        if let Some(score) = self.draw_or_ply_limit(ply) {
            return Ok(score);
        }
        node.window = match self.bounded_window(node, rules) {
            Ok(window) => window,
            Err(score) => return Ok(score),
        };

        let (static_eval, tt_entry) = self.evaluate_and_probe(ply, rules);
        if let Some(score) = self.tt_cutoff(tt_entry, node, rules) {
            return Ok(score);
        }
        let score_range = match self.tablebase_probe(node)? {
            TablebaseOutcome::Cutoff(score) => return Ok(score),
            TablebaseOutcome::Search(range) => range,
        };
        let mut info = NodeInfo {
            score_range,
            ..self.node_info(node, rules, tt_entry, static_eval)
        };
        if let Some(score) = self.overlooked_threat(node, &mut info) {
            return Ok(score);
        }
        if let Some(score) = self.razoring(node, &info)? {
            return Ok(score);
        }
        if let Some(score) = self.reverse_futility_pruning(node, &info) {
            return Ok(score);
        }
        if let Some(score) = self.null_move_pruning(node, &info)? {
            return Ok(score);
        }
        if let Some(score) = self.probcut(node, &info)? {
            return Ok(score);
        }

        self.search_moves(node, info, pv)
    }

    /// Searches the moves of a node that no rule cut off, and stores what they teach.
    fn search_moves(
        &mut self,
        mut node: Node,
        info: NodeInfo,
        pv: &mut Pv,
    ) -> Result<Score, Stopped> {
        let ply = node.ply;
        self.store_threats(ply);
        let masks = LegalMasks::with_checkers(self.game.position(), self.stack[ply].checkers)
            .with_attacked(self.stack[ply].context.threats);
        let info = self.with_legal_tt_move(node, info, &masks);
        node.depth -= internal_iterative_reduction(node, &info);
        let mut picker = MovePicker::all(masks, info.tt_move, info.killers);
        self.reset_killers_of_children(ply);

        let window = node.window;
        let mut moves = SearchedMoves::none(info.score_range.min.max(Score::mated_in(ply)));
        node.window = window.raised_to(moves.best.max(window.alpha()));
        let mut child_pv = Pv::new();
        while let Some(move_info) = self.next_unpruned_move(node, &info, &mut picker, &mut moves) {
            let MoveInfo { m, number, .. } = move_info;
            let extension = match self.singular_extension(node, &info, m)? {
                SingularOutcome::Extend(plies) => plies,
                SingularOutcome::MultiCut(score) => return Ok(score),
            };
            if node.is_root() {
                self.report_current_move(m, number);
            }

            let nodes_before = self.nodes();
            self.make_move(m, ply)?;
            self.count_double_extension(ply + 1, extension);
            let child = Child {
                depth: node.depth - 1 + extension,
                reduction: self.late_move_reduction(node, &info, move_info),
                is_first: number == 1,
            };
            let score = self.search_child(node, child, &mut child_pv)?;
            self.unmake_move();
            if node.is_root() {
                let nodes = self.nodes() - nodes_before;
                self.root_moves.count_nodes(m, nodes);
            }

            if score > moves.best {
                moves.best = score;
                if score > node.window.alpha() {
                    moves.best_move = Some(m);
                    if info.is_pv {
                        pv.set(m, &child_pv);
                    }
                    if node.is_root() {
                        // Only beta is proven, and a mate score above it would be shown without its
                        // line.
                        self.update_root_move(m, score.min(window.beta()), pv);
                    }
                    if score >= window.beta() {
                        self.tree.count_cutoff(number);
                        self.update_histories(m, &moves, node, score - window.beta());
                        break;
                    }
                    node.window = node.window.raised_to(score);
                }
            }
            moves.add(m);
        }

        if moves.count() == 0 && moves.best_move.is_none() {
            return Ok(self.score_without_moves(node, window));
        }
        let best = moves.best.min(info.score_range.max);
        // A search that left moves out has no score of the position.
        if self.includes_all_moves(node) {
            self.store_node(Node { window, ..node }, best, moves.best_move);
        }
        Ok(best)
    }

    /// The score of a node without a move to search: mate, or stalemate, which can be as bad; or
    /// alpha if a singular search leaves out the only move.
    #[cold]
    fn score_without_moves(&self, node: Node, window: Window) -> Score {
        match self.stack[node.ply].excluded {
            Some(_) => window.alpha(),
            None if self.is_lost_without_moves(node.ply) => Score::mated_in(node.ply),
            None => Score::DRAW,
        }
    }

    /// Whether the node searches every legal move: no singular search, and no root with moves left
    /// out.
    fn includes_all_moves(&self, node: Node) -> bool {
        self.stack[node.ply].excluded.is_none() && !(node.is_root() && self.root_moves.is_partial())
    }

    /// Principal variation search: the first move gets the full window. Any other is searched with
    /// a zero window, at first to reduced depth, and again to full depth and with the full window
    /// only as long as it beats alpha.
    fn search_child(&mut self, parent: Node, child: Child, pv: &mut Pv) -> Result<Score, Stopped> {
        let Node { window, ply, .. } = parent;
        let full_window = Node {
            window: window.flipped(),
            depth: child.depth,
            ply: ply + 1,
            cut_node: false,
        };
        if child.is_first {
            let cut_node = !parent.is_pv() && !parent.cut_node;
            return Ok(-self.negamax(
                Node {
                    cut_node,
                    ..full_window
                },
                pv,
            )?);
        }
        let zero_window = Node {
            window: Window::above(window.alpha()).flipped(),
            cut_node: !parent.cut_node,
            ..full_window
        };
        let reduced = Node {
            depth: (child.depth - child.reduction).max(child.depth.min(1)),
            cut_node: child.reduction > 0 || !parent.cut_node,
            ..zero_window
        };
        let mut score = -self.negamax(reduced, pv)?;
        if reduced.depth < child.depth {
            self.tree.count_reduced_move(score > window.alpha());
        }
        if score > window.alpha() && reduced.depth < child.depth {
            let depth = child.depth + research_depth_change(score - window.alpha());
            if depth > reduced.depth {
                score = -self.negamax(
                    Node {
                        depth,
                        ..zero_window
                    },
                    pv,
                )?;
            }
        }
        let beats_alpha = score > window.alpha() && (score < window.beta() || parent.is_root());
        if beats_alpha && parent.is_pv() {
            score = -self.negamax(full_window, pv)?;
        }
        Ok(score)
    }

    /// The same facts, without the move of the transposition table if it is illegal. At the root
    /// the best move so far takes its place: a root that leaves moves out stores nothing, and what
    /// is stored for another may come from another thread.
    fn with_legal_tt_move(&self, node: Node, info: NodeInfo, masks: &LegalMasks) -> NodeInfo {
        let position = self.game.position();
        let is_root_with_best = node.is_root()
            && (self.root_moves.is_partial() || self.root_moves.current().line.depth > 0);
        let tt_move = if is_root_with_best {
            Some(self.root_moves.current().m)
        } else {
            info.tt_move.filter(|m| masks.is_legal(position, *m))
        };
        NodeInfo { tt_move, ..info }
    }
}

/// How a child is to be searched.
#[derive(Clone, Copy)]
struct Child {
    /// The full depth in plies.
    depth: i32,
    /// The late move reduction of its first search, in plies.
    reduction: i32,
    /// Whether its move is the first one searched at the parent.
    is_first: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::worker::test_support::{WON, legal_move, with_thread};
    use shakmaty::Position;

    #[test]
    fn the_root_begins_with_its_best_move_whatever_another_thread_has_stored() {
        with_thread(WON, |thread| {
            let node = Node {
                window: Window::full(),
                depth: 4,
                ply: 0,
                cut_node: false,
            };
            let [stored, best] = ["a2a8", "b2b8"].map(|name| legal_move(thread, name));
            let masks = LegalMasks::with_checkers(
                thread.game.position(),
                thread.game.position().checkers(),
            );
            let info = NodeInfo {
                tt_move: Some(stored),
                ..thread.node_info(node, thread.rules_for(node), None, None)
            };
            let first = |thread: &Worker| thread.with_legal_tt_move(node, info, &masks).tt_move;
            // Before the first iteration nothing is known but what an earlier search has stored.
            assert_eq!(first(thread), Some(stored));
            thread.update_root_move(best, Score::mate_in(1), &Pv::of(best));
            assert_eq!(first(thread), Some(best));
        });
    }
}
