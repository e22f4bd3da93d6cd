//! Read this first: plain negamax, a whole chess engine's search in sixty lines.
//!
//! It finds the best score that the side to move can force within a number of plies. It tries every
//! legal move; after each the opponent does the same, and what is good for one side is bad for the
//! other: `score = -negamax(...)` (Shannon, *Programming a Computer for Playing Chess*, 1950, as
//! minimax). At the last ply an exchange may still be under way, so a quiescence search follows the
//! captures first. It uses alpha-beta, since it would take hours without.
//!
//! With its selectivity off, [`crate::search`] returns the same score thousands of times faster; a
//! test checks this on random positions. Everything else in there is about not searching most of
//! the tree.

use std::cmp::Reverse;

use shakmaty::Position;

use crate::evaluation::Tables;
use crate::position::game::Game;
use crate::score::Score;

/// Plain negamax by some tables, within a number of nodes.
#[derive(Debug)]
pub struct PlainNegamax<'a> {
    /// The tables of the evaluation.
    pub tables: &'a Tables,
    /// How many more moves may be made.
    pub nodes_left: u64,
}

impl PlainNegamax<'_> {
    /// The score of the game's last position after `depth` plies, from the point of view of the
    /// side to move. It lies `ply` plies below the root, so that a quicker mate scores higher.
    /// `None` when the nodes are used up.
    pub fn negamax(&mut self, game: &mut Game, depth: u32, ply: usize) -> Option<Score> {
        if ply > 0 && game.is_draw(ply) {
            return Some(Score::DRAW);
        }
        if depth == 0 {
            return self.quiescence(game, ply, Score::LOWEST, Score::HIGHEST);
        }
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            let is_lost = game.position().is_lost_without_moves();
            return Some(if is_lost {
                Score::mated_in(ply)
            } else {
                Score::DRAW
            });
        }
        let mut best = Score::LOWEST;
        for m in moves {
            self.nodes_left = self.nodes_left.checked_sub(1)?;
            game.play(m);
            best = best.max(-self.negamax(game, depth - 1, ply + 1)?);
            game.unmake_move();
        }
        Some(best)
    }

    /// The score when only captures and promotions are searched, or all moves out of check. The
    /// side to move may also *stand pat*: take the static evaluation instead of a capture. Scores
    /// outside of `alpha` to `beta` are bounds.
    fn quiescence(
        &mut self,
        game: &mut Game,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        if game.is_draw(ply) {
            return Some(Score::DRAW);
        }
        let in_check = game.position().is_check();
        let mut best = if in_check {
            Score::mated_in(ply)
        } else {
            self.tables.evaluate(game.position())
        };
        let mut moves = game.position().legal_moves();
        moves.retain(|m| in_check || m.is_capture() || m.is_promotion());
        moves.sort_by_key(|m| Reverse(m.capture()));
        for m in moves {
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
            self.nodes_left = self.nodes_left.checked_sub(1)?;
            game.play(m);
            best = best.max(-self.quiescence(game, ply + 1, -beta, -alpha)?);
            game.unmake_move();
        }
        Some(best)
    }
}
