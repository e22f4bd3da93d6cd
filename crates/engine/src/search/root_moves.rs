//! The root moves, each with its score, principal variation and node count from the iterations so
//! far.
//!
//! Their order says which line is searched: with several lines (MultiPV) the first moves hold one
//! line each.

use std::cmp::Reverse;

use shakmaty::Move;

use super::limits::Limits;
use super::pv::Pv;
use super::root_line::RootLine;
use super::window::Bound;
use crate::position::packed_move::PackedMove;
use crate::score::Score;

/// A root move.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: PackedMove,
    /// Its rank by the tablebases, or 0. Moves of a higher rank are better, whatever the search
    /// says; those of a lower rank than the best one of a line are not searched in that line.
    rank: i32,
    tablebase_score: Option<Score>,
    /// Its score before the current iteration.
    pub(super) previous_score: Score,
    /// What its last search that raised alpha has found.
    pub(super) line: RootLine,
    /// The nodes of all its searches for the first line.
    nodes: u64,
}

/// The root moves, the best rank first and the best one of a rank first. With several lines
/// (MultiPV) the first moves hold one line each; the others follow in no particular order.
#[derive(Clone, Debug)]
pub(super) struct RootMoves {
    moves: Vec<RootMove>,
    /// The number of the line that is being searched, from 0: the moves of the lines before it are
    /// left out.
    current_line: usize,
    /// The lines of the last finished iteration, the best first.
    finished: Vec<RootLine>,
    /// The number of lines that the current iteration has finished.
    finished_now: usize,
    /// Whether only some moves are to be searched: those of the limits (`searchmoves`), those that
    /// a weak player sees, or those of the best rank.
    is_restricted: bool,
}

impl RootMoves {
    /// These root moves under these limits, without ranks. Each begins with the static evaluation
    /// of the position as its score.
    pub(super) fn new(score: Score, moves: &[Move], limits: &Limits) -> RootMoves {
        let root_move = |m: PackedMove| RootMove {
            m,
            rank: 0,
            tablebase_score: None,
            previous_score: score,
            line: RootLine {
                score,
                bound: Bound::Exact,
                depth: 0,
                pv: Pv::of(m),
                selective_depth: 0,
            },
            nodes: 0,
        };
        let packed = moves.iter().filter_map(|m| PackedMove::new(*m));
        RootMoves {
            moves: packed.map(root_move).collect(),
            current_line: 0,
            finished: Vec::new(),
            finished_now: 0,
            is_restricted: !limits.search_moves.is_empty(),
        }
    }

    /// Gives each move its rank by the tablebases, and the score of that rank. The best rank comes
    /// first; moves of the same rank keep their order.
    pub(super) fn rank(&mut self, ranks: &[i32], score: impl Fn(i32) -> Score) {
        for (root_move, rank) in self.moves.iter_mut().zip(ranks) {
            root_move.rank = *rank;
            root_move.tablebase_score = Some(score(*rank));
        }
        self.moves.sort_by_key(|root_move| Reverse(root_move.rank));
        self.is_restricted |= self.candidates() < self.len();
    }

    /// The moves in their order.
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().map(|root_move| root_move.m.into())
    }

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
        let first = line.first_move()?;
        let root_move = self.moves.iter().find(|root_move| root_move.m == first)?;
        root_move.tablebase_score
    }

    /// The score of a line as it is shown, and what bound it is. If the root is in the tablebases,
    /// their score takes the place of the search's, unless that is a mate.
    pub(super) fn shown_score(&self, line: &RootLine) -> (Score, Bound) {
        match self.tablebase_score(line) {
            Some(score) if !line.score.is_mate() => (score, Bound::Exact),
            _ => (line.score, line.bound),
        }
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

    /// Begins a search of this many lines.
    pub(super) fn begin_search(&mut self, lines: usize) {
        self.finished = self.lines(lines);
    }

    pub(super) fn begin_iteration(&mut self) {
        for root_move in &mut self.moves {
            root_move.previous_score = root_move.line.score;
        }
    }

    /// Begins the search of a line.
    pub(super) fn begin_line(&mut self, line: usize) {
        self.current_line = line;
    }

    /// Ends the search of the current line, whose score is now exact. The lines so far are sorted
    /// by their ranks and scores, the best first, so that the best one is first even if the search
    /// is stopped in a later one.
    pub(super) fn finish_line(&mut self) {
        self.moves[self.current_line].line.bound = Bound::Exact;
        self.finished_now = self.current_line + 1;
        let key = |root_move: &RootMove| Reverse((root_move.rank, root_move.line.score));
        self.moves[..self.finished_now].sort_by_key(key);
    }

    /// How much better the best line that the current iteration has finished is than the worst one,
    /// in centipawns.
    pub(super) fn range_of_finished(&self) -> i32 {
        let score = |line: usize| self.moves[line].line.score.value();
        score(0) - score(self.finished_now.saturating_sub(1))
    }

    /// Ends an iteration, all of whose lines that are to be searched are finished.
    pub(super) fn finish_iteration(&mut self) {
        // A line that was not searched is worth no more than the last one that was, which was the
        // best of all that were left.
        if let Some(last) = self.finished_now.checked_sub(1) {
            let limit = self.moves[last].line.score;
            for root_move in &mut self.moves[self.finished_now..self.finished.len()] {
                root_move.line.score = root_move.line.score.min(limit);
            }
        }
        self.finished = self.lines(self.finished.len());
        self.finished_now = 0;
    }

    /// The lines of the last finished iteration, the best first.
    pub(super) fn finished_lines(&self) -> &[RootLine] {
        &self.finished
    }

    /// The lines as far as they are proven, the best first. If the current iteration is unfinished,
    /// these are the lines that it has finished, or a better move that it has found; the other
    /// moves keep their lines from the previous iteration, if there was one. None of these is worth
    /// more than the last finished line, which was the best of all that were left.
    pub(super) fn proven_lines(&self) -> Vec<RootLine> {
        let mut proven = self.lines(self.finished_now);
        let last = proven.last().cloned();
        proven.extend(self.new_best_line().filter(|_| last.is_none()));
        for line in &self.finished {
            let is_new = |proven: &RootLine| proven.first_move() != line.first_move();
            // In the first iteration nothing is known yet of the others; one must be answered.
            let is_searched = line.depth > 0 || self.finished[0].depth > 0 || proven.is_empty();
            let has_room = proven.len() < self.finished.len();
            if has_room && is_searched && proven.iter().all(is_new) {
                let limit = last.as_ref().filter(|last| line.score > last.score);
                proven.push(limit.map_or_else(
                    || line.clone(),
                    |last| RootLine {
                        score: last.score,
                        bound: Bound::Upper,
                        depth: last.depth,
                        ..line.clone()
                    },
                ));
            }
        }
        self.sort_as_shown(&mut proven);
        proven
    }

    /// The best line of an iteration whose first line is unfinished, if it should replace the
    /// finished one. A better move does, but its score is unproven while other moves remain, so the
    /// old score stays unless the move wins or avoids a loss. With several lines a falling score
    /// isn't used where the others are still from a previous iteration.
    fn new_best_line(&self) -> Option<RootLine> {
        let (new, old) = (&self.moves[0].line, &self.finished[0]);
        let has_older_lines = self.finished.len() > 1 && old.depth > 0;
        let must_gain = new.is_win() || old.is_win() || has_older_lines;
        if must_gain && new.score < old.score {
            return None;
        }
        let is_other = new.first_move() != old.first_move();
        if new.is_win() || (is_other && old.is_loss()) {
            let bound = Bound::Exact;
            return Some(RootLine {
                bound,
                ..new.clone()
            });
        }
        let mut line = RootLine {
            pv: new.pv.clone(),
            ..old.clone()
        };
        if new.is_loss() {
            // Other moves may avoid it, but so far no move is better.
            line.pv = Pv::of(self.moves[0].m);
        }
        is_other.then_some(line)
    }

    /// The lines of the first moves, the best first.
    fn lines(&self, count: usize) -> Vec<RootLine> {
        let first = self.moves[..count].iter();
        let mut lines: Vec<RootLine> = first.map(|root_move| root_move.line.clone()).collect();
        self.sort_as_shown(&mut lines);
        lines
    }

    /// Sorts lines by their shown scores, the best first: a mate can be shown in place of the
    /// tablebases' score.
    fn sort_as_shown(&self, lines: &mut [RootLine]) {
        lines.sort_by_key(|line| Reverse(self.shown_score(line).0));
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

    /// Counts the nodes of a search of a move. Those of further lines, which leave out the best
    /// move, say nothing about it.
    pub(super) fn count_nodes(&mut self, m: PackedMove, nodes: u64) {
        let mut moves = self.moves.iter_mut().filter(|_| self.current_line == 0);
        if let Some(searched) = moves.find(|root_move| root_move.m == m) {
            searched.nodes += nodes;
        }
    }

    /// The share of the best move in the nodes of all moves, in thousandths.
    pub(super) fn share_of_best(&self) -> u32 {
        let all: u64 = self.moves.iter().map(|root_move| root_move.nodes).sum();
        (self.best_of(0).nodes * 1_000 / all.max(1)) as u32
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
    use crate::position::game::Game;
    use shakmaty::Chess;

    fn unranked(game: &Game) -> RootMoves {
        let limits = Limits::default();
        RootMoves::new(Score::DRAW, &limits.root_moves(game.position()), &limits)
    }

    #[test]
    fn only_moves_of_the_best_rank_are_searched_for_the_best_line() {
        let game = Game::new(Chess::default());
        let mut root_moves = unranked(&game);
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
        root_moves.finish_line();
        assert_eq!(root_moves.best_of(2).m, moves[2]);
    }

    #[test]
    fn the_share_of_the_best_move_counts_all_searches_for_the_first_line() {
        let mut root_moves = unranked(&Game::new(Chess::default()));
        assert_eq!(root_moves.share_of_best(), 0);
        root_moves.begin_line(0);
        let [best, other] = [0, 1].map(|number| root_moves.moves[number].m);
        root_moves.count_nodes(best, 100);
        root_moves.count_nodes(other, 300);
        root_moves.count_nodes(best, 200);
        assert_eq!(root_moves.share_of_best(), 500);
        root_moves.begin_line(1);
        root_moves.count_nodes(other, 1_000);
        assert_eq!(root_moves.share_of_best(), 500);
    }

    #[test]
    fn lines_are_sorted_by_score_and_a_finished_line_keeps_its_move() {
        let game = Game::new(Chess::default());
        let mut root_moves = unranked(&game);
        let moves: Vec<PackedMove> = root_moves
            .moves
            .iter()
            .map(|root_move| root_move.m)
            .collect();
        assert_eq!(moves.len(), 20);
        let line = |m: PackedMove, score: i32| RootLine {
            score: Score::centipawns(score),
            bound: Bound::Lower,
            depth: 1,
            pv: Pv::of(m),
            selective_depth: 1,
        };
        root_moves.begin_line(0);
        root_moves.set_best(moves[7], line(moves[7], 10));
        root_moves.finish_line();
        assert!(!root_moves.is_partial());
        root_moves.begin_line(1);
        assert!(root_moves.is_partial() && !root_moves.includes(moves[7]));
        root_moves.set_best(moves[3], line(moves[3], 30));
        assert_eq!(root_moves.best_of(0).m, moves[7]);
        root_moves.finish_line();
        assert_eq!(root_moves.best_of(0).m, moves[3]);
        assert_eq!(root_moves.best_of(1).m, moves[7]);
        assert_eq!(root_moves.len(), 20);
    }
}
