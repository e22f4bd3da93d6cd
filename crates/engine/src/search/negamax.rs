//! Negamax: the search of a node, which returns the best score that the side to move can force.
//!
//! *Negamax* writes both players as one: what is good for one side is as bad for the other, so a child's
//! score is negated and the same function serves both. *Alpha-beta* cuts a node off as soon as its score
//! can't matter any more. *Principal variation search* searches all moves but the first with a zero window,
//! which only tests whether they are better than the best so far, and searches the few that are again.
//! Everything else is selectivity, rule by rule in [`super::rules`].

use shakmaty::Position;

use super::history::{HistoryContext, Killers};
use super::history_update::SearchedMoves;
use super::move_picker::MovePicker;
use super::node::{MoveInfo, Node, NodeInfo, QuietChecks};
use super::pv::Pv;
use super::rules::extensions::SingularOutcome;
use super::rules::move_pruning::{futility_pruning, history_pruning, lmp_limit};
use super::rules::reductions::{internal_iterative_reduction, lmr_depth, research_depth_change};
use super::rules::tablebase::TablebaseOutcome;
use super::stop::Stopped;
use super::thread::Thread;
use super::transposition_table::Entry;
use super::window::Window;
use crate::position::movegen::LegalMasks;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// There are no cutoffs by the transposition table after this many halfmoves without a capture or a pawn move.
/// A hundred are a draw.
const TT_CUTOFF_HALFMOVES_LIMIT: u32 = 90;

impl Thread<'_> {
    /// The score of the node's position from the point of view of the side to move. Fills `pv` if the score lies
    /// above alpha.
    pub(super) fn negamax(&mut self, mut node: Node, pv: &mut Pv) -> Result<Score, Stopped> {
        let ply = node.ply;
        // Before the window is narrowed: no rule cuts a PV node off, even if only a zero window is left of it.
        let is_pv = node.is_pv();
        node.depth += self.check_extension(ply);
        if node.depth <= 0 {
            return self.quiescence(node.window, ply, QuietChecks::Include, pv);
        }
        pv.clear();
        if let Some(score) = self.draw_or_ply_limit(ply) {
            return Ok(score);
        }
        node.window = match self.bounded_window(node) {
            Ok(window) => window,
            Err(score) => return Ok(score),
        };

        // Before the entry is read, because memory takes as long to deliver it.
        let static_eval = self.static_evaluation(ply);
        let tt_entry = self.tt.probe(self.game.key());
        let may_cut = !is_pv && self.stack[ply].excluded.is_none();
        if may_cut && let Some(score) = self.tt_cutoff(tt_entry, node) {
            return Ok(score);
        }
        let score_range = match self.tablebase_probe(node)? {
            TablebaseOutcome::Cutoff(score) => return Ok(score),
            TablebaseOutcome::Search(range) => range,
        };
        let mut info = NodeInfo {
            score_range,
            ..self.node_info(tt_entry, static_eval, ply, may_cut)
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

    /// Searches the moves of a node that no rule cut off, and stores what it learns from them.
    fn search_moves(
        &mut self,
        mut node: Node,
        info: NodeInfo,
        pv: &mut Pv,
    ) -> Result<Score, Stopped> {
        let ply = node.ply;
        let excluded = self.stack[ply].excluded;
        self.store_threats(ply);
        let masks = LegalMasks::with_checkers(self.game.position(), self.stack[ply].checkers);
        let info = self.with_legal_tt_move(node, info, &masks);
        if self.selective {
            node.depth -= internal_iterative_reduction(node, info.tt_move.is_some());
        }
        let context = self.stack[ply].context;
        let mut picker = MovePicker::all(masks, info.tt_move, info.killers);
        self.stack[ply + 1].killers = Killers::default();

        let lmp_limit = lmp_limit(node, &info);
        let window = node.window;
        let is_pv = node.is_pv();
        let mut best = info.score_range.min.max(Score::mated_in(ply));
        node.window = window.raised_to(best.max(window.alpha()));
        let mut best_move = None;
        let mut searched = SearchedMoves::default();
        let mut child_pv = Pv::new();
        loop {
            let number = searched.count() + 1;
            let lmr_depth = lmr_depth(node.depth, number);
            // A score from before any move was searched is no reason to search none.
            let may_prune = self.selective && !node.is_root() && number > 1 && !best.is_decisive();
            if may_prune {
                let futility_value = futility_pruning(node, &info, lmr_depth);
                if number > lmp_limit || futility_value.is_some() {
                    picker.skip_quiets();
                    best = futility_value.map_or(best, |value| best.max(value));
                }
            }
            let Some(m) = picker.next(self.game.position(), self.history, &context) else {
                break;
            };
            if (node.is_root() && !self.root_moves.includes(m)) || excluded == Some(m) {
                continue;
            }
            let move_info = self.move_info(m, number, &picker, &context);
            let is_pruned = may_prune
                && (history_pruning(move_info, lmr_depth)
                    || self.see_pruning(move_info, node.depth, lmr_depth));
            if is_pruned || (number > 1 && !node.is_root() && self.overlooks(m, ply)) {
                searched.count_pruned();
                continue;
            }
            let extension = match self.singular_extension(node, &info, m)? {
                SingularOutcome::Extend(plies) => plies,
                SingularOutcome::MultiCut(score) => return Ok(score),
            };
            if node.is_root() {
                self.report_current_move(m, number);
            }

            let nodes_before = self.nodes();
            self.make_move(m, ply)?;
            self.stack[ply + 1].double_extensions += u8::from(extension > 1);
            let child = Child {
                depth: node.depth - 1 + extension,
                reduction: self.late_move_reduction(node, &info, move_info),
                is_first: number == 1,
            };
            let score = self.search_child(node, child, &mut child_pv)?;
            self.unmake_move();

            if score > best {
                best = score;
                if score > node.window.alpha() {
                    best_move = Some(m);
                    if is_pv {
                        pv.set(m, &child_pv);
                    }
                    if node.is_root() {
                        // Only beta is proven, and a mate score above it would be shown without its line.
                        self.update_root_move(m, score.min(window.beta()), pv, nodes_before);
                    }
                    if score >= window.beta() {
                        self.update_histories(m, &searched, node, score - window.beta());
                        break;
                    }
                    node.window = node.window.raised_to(score);
                }
            }
            searched.add(m);
        }

        if searched.count() == 0 && best_move.is_none() {
            return Ok(match excluded {
                Some(_) => window.alpha(),
                None if self.stack[ply].checkers.any() => best,
                None => Score::DRAW,
            });
        }
        best = best.min(info.score_range.max);
        // The score of a search that left moves out is not that of the position.
        let is_complete = excluded.is_none() && !(node.is_root() && self.root_moves.is_partial());
        if is_complete {
            self.store_node(Node { window, ..node }, best, best_move);
        }
        Ok(best)
    }

    /// Principal variation search: the first move gets the full window. Any other is searched with a zero window,
    /// at first to reduced depth, and again to full depth and with the full window only as long as it beats alpha.
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

    /// The window after mate distance pruning and, if the side to move can force a repetition, with alpha
    /// raised to a draw. `Err` holds the score of the node if nothing of the window is left.
    #[inline]
    fn bounded_window(&self, node: Node) -> Result<Window, Score> {
        let window = node.window.within_mates(node.ply)?;
        let may_hold_draw = self.selective && !node.is_root() && window.alpha() < Score::DRAW;
        if may_hold_draw && self.game.has_upcoming_repetition(node.ply) {
            window.at_least(Score::DRAW)
        } else {
            Ok(window)
        }
    }

    /// Transposition table cutoff: the stored score, if it comes from a search at least as deep and its bound
    /// allows a cutoff. Never close to the fifty-move draw, because the score can be from before it was near.
    #[inline]
    pub(super) fn tt_cutoff(&self, tt_entry: Option<Entry>, node: Node) -> Option<Score> {
        if self.game.position().halfmoves() >= TT_CUTOFF_HALFMOVES_LIMIT {
            return None;
        }
        let entry = tt_entry.filter(|entry| i32::from(entry.depth) >= node.depth)?;
        let score = entry.score.from_tt(node.ply);
        (self.selective && entry.bound.allows_cutoff(score, node.window)).then_some(score)
    }

    /// The same information, without the move of the transposition table if it is illegal. For a root that leaves
    /// moves out nothing is stored; there the best move of the last iteration takes its place.
    fn with_legal_tt_move(&self, node: Node, info: NodeInfo, masks: &LegalMasks) -> NodeInfo {
        let position = self.game.position();
        let tt_move = if node.is_root() && self.root_moves.is_partial() {
            Some(self.root_moves.current().m)
        } else {
            info.tt_move.filter(|m| masks.is_legal(position, *m))
        };
        NodeInfo { tt_move, ..info }
    }

    /// What the rules need to know about the move that the picker has just returned.
    fn move_info(
        &self,
        m: PackedMove,
        number: i32,
        picker: &MovePicker,
        context: &HistoryContext,
    ) -> MoveInfo {
        let is_quiet = !m.is_tactical();
        let is_bad_capture = picker.is_at_bad_captures();
        let history = match picker.history_of_quiet() {
            Some(history) => history,
            // No rule needs the history of the first move or of a good capture.
            None if number == 1 || !(is_quiet || is_bad_capture) => 0,
            None => self.history.of_move(m, context),
        };
        MoveInfo {
            m,
            number,
            is_quiet,
            is_bad_capture,
            history,
        }
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
    use crate::search::thread::test_support::with_thread;
    use crate::search::window::Bound;

    #[test]
    fn the_transposition_table_cuts_nothing_off_near_the_fifty_move_draw() {
        let entry = Entry {
            best: None,
            score: Score::centipawns(500),
            depth: 20,
            bound: Bound::Lower,
        };
        let node = Node {
            window: Window::above(Score::DRAW),
            depth: 5,
            ply: 1,
            cut_node: true,
        };
        for (halfmoves, expected) in [(0, Some(entry.score)), (89, Some(entry.score)), (95, None)] {
            let fen = format!("8/8/8/8/8/2k5/7R/K7 w - - {halfmoves} 80");
            let cutoff = with_thread(&fen, |thread| thread.tt_cutoff(Some(entry), node));
            assert_eq!(cutoff, expected, "after {halfmoves} halfmoves");
        }
    }
}
