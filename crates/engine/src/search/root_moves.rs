//! The root moves, each with its score, principal variation and node count from the iterations so far.
//!
//! Their order says which line is searched: with several lines (MultiPV) the first moves hold one line each.

use super::limits::Limits;
use super::pv::Pv;
use super::root_ranking::{RankedMove, RootRanking};
use crate::position::game::Game;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    /// The move.
    pub(super) m: PackedMove,
    /// Its rank by the tablebases; moves of a lower rank than the best one of a line are not searched in that line.
    rank: i32,
    /// Its score by the tablebases.
    tablebase_score: Option<Score>,
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

/// The root moves, the best rank first and the best one of a rank first. With several lines (MultiPV) the first
/// moves hold one line each; the others follow in no particular order.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// The number of the line that is being searched, from 0: the moves of the lines before it are left out.
    current_line: usize,
    /// Whether the limits leave out legal moves (`searchmoves`), or the ranks do.
    is_restricted: bool,
}

impl RootMoves {
    /// The root moves of a game's last position under these limits, in the order of their ranks. Each begins with
    /// the static evaluation as its score.
    pub(super) fn new(game: &mut Game, ranking: &RootRanking, limits: &Limits) -> RootMoves {
        let score = game.evaluation();
        let root_move = |ranked: &RankedMove| {
            let m = PackedMove::new(ranked.m)?;
            Some(RootMove {
                m,
                rank: ranked.rank,
                tablebase_score: ranked.score,
                previous_score: score,
                line: RootLine {
                    score,
                    pv: Pv::of(m),
                    selective_depth: 0,
                    nodes: 0,
                },
            })
        };
        let moves: Vec<RootMove> = ranking.moves.iter().filter_map(root_move).collect();
        let has_ranks = moves.first().map(|m| m.rank) != moves.last().map(|m| m.rank);
        RootMoves {
            moves,
            current_line: 0,
            is_restricted: has_ranks || !limits.search_moves.is_empty(),
        }
    }

    /// The number of root moves.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The number of moves of the best rank.
    pub(super) fn candidates(&self) -> usize {
        let is_best = |root_move: &&RootMove| root_move.rank == self.moves[0].rank;
        self.moves.iter().take_while(is_best).count()
    }

    /// The score of a line's first move by the tablebases; `None` if they don't know the root.
    pub(super) fn tablebase_score(&self, line: &RootLine) -> Option<Score> {
        let first = line.pv.moves().first()?;
        let root_move = self.moves.iter().find(|root_move| root_move.m == *first)?;
        root_move.tablebase_score
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

    /// Sorts the first lines by their ranks and scores, the best first.
    pub(super) fn sort_lines(&mut self, lines: usize) {
        let key = |root_move: &RootMove| std::cmp::Reverse((root_move.rank, root_move.line.score));
        self.moves[..lines].sort_by_key(key);
    }

    /// Whether the current line leaves out legal moves. Its score is then not that of the position.
    pub(super) fn is_partial(&self) -> bool {
        self.is_restricted || self.current_line > 0
    }

    /// Whether a move is searched in the current line.
    pub(super) fn includes(&self, m: PackedMove) -> bool {
        let rank = self.current().rank;
        self.moves[self.current_line..]
            .iter()
            .any(|root_move| root_move.m == m && root_move.rank == rank)
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
    use crate::search::request::SearchOptions;
    use shakmaty::Chess;

    fn unranked(game: &mut Game) -> RootMoves {
        let limits = Limits::default();
        let moves = limits.root_moves(game.position());
        let ranking = RootRanking::new(game, &moves, None, &SearchOptions::default());
        RootMoves::new(game, &ranking, &limits)
    }

    #[test]
    fn only_moves_of_the_best_rank_are_searched_for_the_best_line() {
        let mut game = Game::new(Chess::default(), TableSet::Simplified.tables());
        let mut root_moves = unranked(&mut game);
        assert_eq!(root_moves.candidates(), 20);
        for (index, root_move) in root_moves.moves.iter_mut().enumerate() {
            root_move.rank = if index < 2 { 5 } else { -5 };
        }
        let moves: Vec<PackedMove> = root_moves
            .moves
            .iter()
            .map(|root_move| root_move.m)
            .collect();
        assert_eq!(root_moves.candidates(), 2);
        root_moves.begin_line(0);
        assert!(root_moves.includes(moves[1]) && !root_moves.includes(moves[2]));
        root_moves.begin_line(2);
        assert!(!root_moves.includes(moves[1]) && root_moves.includes(moves[2]));
        // A high score doesn't lift a move above a better rank.
        root_moves.moves[2].line.score = Score::mate_in(1);
        root_moves.sort_lines(3);
        assert_eq!(root_moves.best_of(2).m, moves[2]);
    }

    #[test]
    fn lines_are_sorted_by_score_and_a_finished_line_keeps_its_move() {
        let mut game = Game::new(Chess::default(), TableSet::Simplified.tables());
        let mut root_moves = unranked(&mut game);
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
