//! The root moves, each with its score, principal variation and node count from the iterations so far.
//!
//! Their order says which line is searched: with several lines (MultiPV) the first moves hold one line each.

use super::limits::Limits;
use super::pv::Pv;
use crate::position::game::Game;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    /// The move.
    pub(super) m: PackedMove,
    /// Its score before the current iteration.
    pub(super) previous_score: Score,
    /// What its last search that raised alpha has found.
    pub(super) line: RootLine,
}

/// A line from the root and its score.
#[derive(Clone, Debug)]
pub(super) struct RootLine {
    /// The score: exact, or a lower bound if the move failed high.
    pub(super) score: Score,
    /// The principal variation.
    pub(super) pv: Pv,
    /// The deepest ply reached (`seldepth`).
    pub(super) selective_depth: usize,
    /// The nodes of the search.
    pub(super) nodes: u64,
}

/// The root moves, the best one first. With several lines (MultiPV) the first moves hold one line each; the
/// others follow in no particular order.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// The number of the line that is being searched, from 0: the moves of the lines before it are left out.
    current_line: usize,
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
            previous_score: score,
            line: RootLine {
                score,
                pv: Pv::of(m),
                selective_depth: 0,
                nodes: 0,
            },
        };
        let moves = limits.root_moves(game.position()).into_iter();
        RootMoves {
            moves: moves.filter_map(PackedMove::new).map(root_move).collect(),
            current_line: 0,
            is_restricted: !limits.search_moves.is_empty(),
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
    pub(super) fn current_line(&self) -> usize {
        self.current_line
    }

    /// The best move of the line that is being searched.
    pub(super) fn current(&self) -> &RootMove {
        &self.moves[self.current_line]
    }

    /// Begins an iteration.
    pub(super) fn begin_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous_score = root_move.line.score;
        }
    }

    /// Begins the search of a line.
    pub(super) fn begin_line(&mut self, line: usize) {
        self.current_line = line;
    }

    /// Sorts the first lines by their scores, the best first.
    pub(super) fn sort_lines(&mut self, lines: usize) {
        self.moves[..lines].sort_by_key(|root_move| std::cmp::Reverse(root_move.line.score));
    }

    /// Whether the current line leaves out legal moves. Its score is then not that of the position.
    pub(super) fn is_partial(&self) -> bool {
        self.is_restricted || self.current_line > 0
    }

    /// Whether a move is searched in the current line.
    pub(super) fn includes(&self, m: PackedMove) -> bool {
        self.moves[self.current_line..]
            .iter()
            .any(|root_move| root_move.m == m)
    }

    /// Makes a move that raised alpha the best one of the current line.
    pub(super) fn set_best(&mut self, m: PackedMove, line: RootLine) {
        debug_assert_eq!(
            line.pv.moves().first(),
            Some(&m),
            "a line begins with its move"
        );
        let rest = &mut self.moves[self.current_line..];
        if let Some(index) = rest.iter().position(|root_move| root_move.m == m) {
            rest[..=index].rotate_right(1);
            rest[0].line = line;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::TableSet;
    use shakmaty::Chess;

    #[test]
    fn lines_are_sorted_by_score_and_a_finished_line_keeps_its_move() {
        let game = Game::new(Chess::default(), TableSet::Simplified.tables());
        let mut root_moves = RootMoves::new(&game, &Limits::default());
        let moves: Vec<PackedMove> = root_moves
            .moves
            .iter()
            .map(|root_move| root_move.m)
            .collect();
        assert_eq!(moves.len(), 20);
        let line = |m: PackedMove, score: i32| RootLine {
            score: Score::centipawns(score),
            pv: Pv::of(m),
            selective_depth: 1,
            nodes: 1,
        };
        root_moves.begin_line(0);
        root_moves.set_best(moves[7], line(moves[7], 10));
        assert!(!root_moves.is_partial());
        root_moves.begin_line(1);
        assert!(root_moves.is_partial() && !root_moves.includes(moves[7]));
        root_moves.set_best(moves[3], line(moves[3], 30));
        assert_eq!(root_moves.best_of(0).m, moves[7]);
        root_moves.sort_lines(2);
        assert_eq!(root_moves.best_of(0).m, moves[3]);
        assert_eq!(root_moves.best_of(1).m, moves[7]);
        assert_eq!(root_moves.len(), 20);
    }
}
