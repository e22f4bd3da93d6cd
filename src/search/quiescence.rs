//! The end of the tree: captures and promotions are played on until the position is quiet.
//!
//! A static evaluation in the middle of an exchange is worthless. Here the side to move may *stand pat*,
//! that is, take the evaluation as it is, or try a move that changes the material. In check it may not
//! stand pat and tries every move, so a mate at the edge of the tree is seen.

use shakmaty::{Bitboard, Position};

use super::compact_move::CompactMove;
use super::deepening::Search;
use super::history::Killers;
use super::line::Line;
use super::ordering::MovePicker;
use super::stop::Stopped;
use super::transposition::Entry;
use super::window::{Bound, Window};
use crate::movegen::Legality;
use crate::score::Score;

/// The depth of what is found here, in the table: less than any node's.
const DEPTH: i32 = 0;

impl Search<'_> {
    /// The value of the position once it is quiet, from the view of the side to move, which these pieces
    /// give check to. Fills `line` with the moves up to there.
    pub(super) fn quiescence(
        &mut self,
        window: Window,
        ply: usize,
        checkers: Bitboard,
        line: &mut Line,
    ) -> Result<Score, Stopped> {
        line.clear();
        if let Some(score) = self.end_of_line(ply) {
            return Ok(score);
        }

        let in_check = checkers.any();
        let mut best = Score::mated_in(ply);
        let mut raised = window;
        if !in_check {
            best = self.game.evaluation();
            if best >= window.beta() {
                return Ok(best);
            }
            if best > window.alpha() {
                raised = window.raised_to(best);
            }
        }

        let is_pv = !window.is_null();
        let key = self.game.key();
        let known = self.table.probe(key);
        if !is_pv && let Some(score) = self.table_score(known, window, DEPTH, ply) {
            return Ok(score);
        }

        let legality = Legality::with_checkers(self.game.position(), checkers);
        let table_move = self.table_move(known, &legality);
        let mut picker = if in_check {
            MovePicker::all(legality, table_move, Killers::default())
        } else {
            MovePicker::tactical(legality, table_move, !self.is_selective)
        };

        let mut best_move = None;
        let mut reply = Line::new();
        while let Some(m) = picker.next(self.game.position(), self.history) {
            self.play(m)?;
            let checkers = self.game.position().checkers();
            let score = -self.quiescence(raised.flipped(), ply + 1, checkers, &mut reply)?;
            self.game.undo();
            if score <= best {
                continue;
            }
            best = score;
            if score > raised.alpha() {
                best_move = Some(m);
                if is_pv {
                    line.set(m, &reply);
                }
                if score >= window.beta() {
                    break;
                }
                raised = raised.raised_to(score);
            }
        }

        let bound = match window.bound_of(best) {
            Bound::Lower => Bound::Lower,
            // The moves that were left out may be better than they look.
            Bound::Exact | Bound::Upper => Bound::Upper,
        };
        self.table.store(
            key,
            Entry {
                best: best_move.and_then(CompactMove::new),
                score: best.seen_from_node(ply),
                depth: DEPTH as u8,
                bound,
            },
        );
        Ok(best)
    }
}
