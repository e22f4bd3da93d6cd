//! The root moves, each with its score, principal variation and node count from the iterations so far.
//!
//! Their order says which line is searched: with several lines (MultiPV) the first moves hold one line each.

use shakmaty::Move;

use super::limits::Limits;
use super::pv::Pv;
use crate::position::game::Game;
use crate::position::movegen::legal_moves;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    /// The move.
    pub(super) m: PackedMove,
    /// Its score when it last raised alpha: exact, or a lower bound if it failed high.
    pub(super) score: Score,
    /// Its score before the current iteration.
    pub(super) previous_score: Score,
    /// The principal variation that begins with it.
    pub(super) pv: Pv,
    /// The nodes of its last search that raised alpha.
    pub(super) nodes: u64,
}

/// The root moves, the best one first. With several lines (MultiPV) the first moves hold one line each; the
/// others follow in no particular order.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// The number of the line that is being searched, from 0: the moves of the lines before it are left out.
    line: usize,
    /// Whether the limits leave out legal moves (`searchmoves`).
    is_restricted: bool,
}

impl RootMoves {
    /// The root moves of a game's last position under these limits, in the order of the move generator. Each
    /// begins with the static evaluation as its score.
    pub(super) fn new(game: &Game, limits: &Limits) -> RootMoves {
        let score = game.evaluation();
        let root_move = |m: PackedMove| RootMove {
            m,
            score,
            previous_score: score,
            pv: Pv::of(m),
            nodes: 0,
        };
        let moves: Vec<Move> = limits.root_moves(game.position());
        RootMoves {
            is_restricted: moves.len() < legal_moves(game.position()).len(),
            moves: moves
                .into_iter()
                .filter_map(PackedMove::new)
                .map(root_move)
                .collect(),
            line: 0,
        }
    }

    /// The number of root moves.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The best move of a line, from 0.
    pub(super) fn best_of(&self, line: usize) -> &RootMove {
        &self.moves[line]
    }

    /// The number of the line that is being searched, from 0.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// The best move of the line that is being searched.
    pub(super) fn current(&self) -> &RootMove {
        &self.moves[self.line]
    }

    /// Begins an iteration.
    pub(super) fn begin_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous_score = root_move.score;
        }
    }

    /// Begins the search of a line.
    pub(super) fn begin_line(&mut self, line: usize) {
        self.line = line;
    }

    /// Sorts the first lines by their scores, the best first.
    pub(super) fn sort_lines(&mut self, lines: usize) {
        self.moves[..lines].sort_by_key(|root_move| std::cmp::Reverse(root_move.score));
    }

    /// Whether the current line leaves out legal moves. Its score is then not that of the position.
    pub(super) fn leave_out_moves(&self) -> bool {
        self.is_restricted || self.line > 0
    }

    /// Whether a move is searched in the current line.
    pub(super) fn includes(&self, m: PackedMove) -> bool {
        self.moves[self.line..]
            .iter()
            .any(|root_move| root_move.m == m)
    }

    /// Sets the node count of a move that raised alpha.
    pub(super) fn set_nodes(&mut self, m: PackedMove, nodes: u64) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.m == m) {
            root_move.nodes = nodes;
        }
    }

    /// Makes a move the best one of the current line.
    pub(super) fn set_best(&mut self, m: PackedMove, score: Score, pv: &Pv) {
        let later = &mut self.moves[self.line..];
        if let Some(index) = later.iter().position(|root_move| root_move.m == m) {
            later[..=index].rotate_right(1);
            let best = &mut later[0];
            best.score = score;
            best.pv = pv.clone();
        }
    }
}
