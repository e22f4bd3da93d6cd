//! One search for every game: read it from top to bottom.
//!
//! [`Searcher::search`] looks one ply deep, then two, then three (*iterative deepening*), until its
//! limits end it. Each iteration is one call of `negamax`, which tries the moves of a position and
//! asks itself what the opponent makes of each; what is good for one side is bad for the other, so
//! that the score changes its sign. Where the depth is used up, `quiescence` goes on with forcing
//! moves only. `MoveOrder` decides which move is tried first: the better the first move, the sooner
//! *alpha-beta* can leave the others out.
//!
//! Neither knows which game it plays. All of that is behind [`Game`].

use std::mem;

use crate::game::{Game, LONGEST_WIN, MAX_DEPTH, MAX_PLY, RankedMove, Score, WIN};
use crate::limits::{Clock, Found, Limits, Stopped};
use crate::move_order::{MoveOrder, pick};
use crate::transposition_table::{Bound, Entry, TranspositionTable};

/// Searches positions of a game, and remembers from one to the next what it has seen.
pub struct Searcher<G: Game> {
    table: TranspositionTable<G::Move>,
    /// Which moves are tried first.
    order: MoveOrder<G::Move>,
    /// The best line from each ply on, in this iteration.
    pv: Vec<Vec<G::Move>>,
    /// Memory for the moves of each ply, so that no node allocates.
    lists: Vec<Vec<RankedMove<G::Move>>>,
    clock: Clock,
    /// Whether the rules that search some moves less deep, or more, are on. Without them a score is
    /// that of plain negamax.
    is_selective: bool,
}

impl<G: Game> Searcher<G> {
    /// A searcher whose transposition table has `2^bits` entries.
    pub fn new(bits: u32) -> Searcher<G> {
        Searcher {
            table: TranspositionTable::new(bits),
            order: MoveOrder::new(),
            pv: vec![Vec::new(); MAX_PLY + 2],
            lists: (0..=MAX_PLY).map(|_| Vec::new()).collect(),
            clock: Clock::new(Limits::default()),
            is_selective: true,
        }
    }

    /// The same, with every move searched to the same depth.
    pub fn without_selectivity(mut self) -> Searcher<G> {
        self.is_selective = false;
        self
    }

    /// Forgets everything, for a new game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.order = MoveOrder::new();
    }

    /// Searches deeper and deeper until a limit is reached. Each iteration that ends is reported.
    /// `None` if there is no legal move.
    pub fn search(
        &mut self,
        game: &mut G,
        limits: Limits,
        report: &mut dyn FnMut(&Found<G::Move>),
    ) -> Option<Found<G::Move>> {
        self.order.next_search();
        let last_depth = limits.depth.clamp(1, MAX_PLY as i32 - 1);
        self.clock = Clock::new(limits);
        let mut found = None;
        for depth in 1..=last_depth {
            let Ok(score) = self.negamax(game, depth, 0, -WIN, WIN) else {
                return found.map(|found: Found<_>| found.improved(&self.pv[0]));
            };
            let iteration = self.clock.end_iteration(depth, score, &self.pv[0]);
            if iteration.pv.is_empty() {
                return None;
            }
            report(&iteration);
            found = Some(iteration);
            // A deeper iteration can't find a quicker win.
            if score.abs() >= WIN - depth {
                break;
            }
        }
        found
    }

    /// The score of a position for the side to move, searched `depth` plies deep. If it lies
    /// outside of `alpha` to `beta`, it is a bound: the opponent or we have something better
    /// elsewhere, and the exact score doesn't matter.
    fn negamax(
        &mut self,
        game: &mut G,
        mut depth: i32,
        ply: usize,
        alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        self.pv[ply].clear();
        if ply > 0
            && let Some(outcome) = game.result()
        {
            return Ok(outcome.score(ply));
        }
        let is_threatened = game.must_answer();
        if self.is_selective && is_threatened {
            depth += 1;
        }
        if depth <= 0 || ply >= MAX_DEPTH {
            return self.quiescence(game, 0, ply, alpha, beta);
        }
        let is_pv = beta - alpha > 1;
        let entry = self.table.probe(game.key());
        let is_deep =
            |entry: &Entry<_>| entry.depth() == depth || self.is_selective && entry.depth() > depth;
        if !is_pv
            && let Some(entry) = entry.filter(is_deep)
            && let Some(score) = entry.cutoff(ply, alpha, beta)
        {
            return Ok(score);
        }
        if self.is_selective
            && !is_pv
            && !is_threatened
            && self.null_move_fails_high(game, depth, ply, beta)?
        {
            return Ok(beta);
        }
        let mut moves = mem::take(&mut self.lists[ply]);
        moves.clear();
        game.moves(&mut moves);
        let remembered = entry.and_then(|entry| entry.best);
        self.order.rank(game, &mut moves, remembered, ply);
        let score = self.try_moves(game, &mut moves, (depth, ply), alpha, beta);
        self.lists[ply] = moves;
        score
    }

    /// Searches the moves of a node one after the other. The first gets the whole window; each
    /// other one must only be shown to be worse (*principal variation search*), and is searched
    /// again if it isn't.
    fn try_moves(
        &mut self,
        game: &mut G,
        moves: &mut [RankedMove<G::Move>],
        (depth, ply): (i32, usize),
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        let (mut best, mut best_move, mut bound) = (-WIN, None, Bound::Upper);
        let mut legal = 0;
        for index in 0..moves.len() {
            let ranked = pick(moves, index);
            self.clock.count_node()?;
            if !game.make(ranked.mv) {
                continue;
            }
            legal += 1;
            let reduction = self.reduction(depth, legal, &ranked);
            let score = self.search_move(game, (depth, reduction), ply, (alpha, beta), legal == 1);
            game.unmake();
            let score = score?;
            if score > best || best_move.is_none() {
                best = score;
                best_move = Some(ranked.mv);
            }
            if score > alpha {
                alpha = score;
                bound = Bound::Exact;
                let (above, below) = self.pv.split_at_mut(ply + 1);
                above[ply].clear();
                above[ply].push(ranked.mv);
                above[ply].extend_from_slice(&below[0]);
            }
            if alpha >= beta {
                bound = Bound::Lower;
                if !ranked.is_tactical {
                    self.order
                        .remember_cutoff(game, ranked.mv, &moves[..=index], (depth, ply));
                }
                break;
            }
        }
        if legal == 0 {
            return Ok(game.result_without_moves().score(ply));
        }
        self.table
            .store(game.key(), Entry::new(depth, ply, best, bound, best_move));
        Ok(best)
    }

    /// The score of a move that was just made, for the side that made it.
    fn search_move(
        &mut self,
        game: &mut G,
        (depth, reduction): (i32, i32),
        ply: usize,
        (alpha, beta): (Score, Score),
        is_first: bool,
    ) -> Result<Score, Stopped> {
        let mut search = |depth, alpha: Score, beta: Score| {
            let score = self.negamax(game, depth, ply + 1, -beta, -alpha);
            score.map(|score| -score)
        };
        if is_first {
            return search(depth - 1, alpha, beta);
        }
        let mut score = search(depth - 1 - reduction, alpha, alpha + 1)?;
        if score > alpha && reduction > 0 {
            score = search(depth - 1, alpha, alpha + 1)?;
        }
        if score > alpha && score < beta {
            score = search(depth - 1, alpha, beta)?;
        }
        Ok(score)
    }

    /// Quiescence search: only forcing moves, since their outcome must be known before a position
    /// can be evaluated. The side to move need not play one, and *stands pat* on the evaluation,
    /// unless it must answer a threat.
    fn quiescence(
        &mut self,
        game: &mut G,
        depth: usize,
        ply: usize,
        mut alpha: Score,
        beta: Score,
    ) -> Result<Score, Stopped> {
        self.pv[ply].clear();
        if let Some(outcome) = game.result() {
            return Ok(outcome.score(ply));
        }
        let is_last = depth >= G::QUIESCENCE_PLIES || ply >= MAX_PLY;
        let must_answer = !is_last && game.must_answer();
        let mut best = if must_answer { -WIN } else { game.evaluate() };
        if best >= beta || is_last {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let mut moves = mem::take(&mut self.lists[ply]);
        moves.clear();
        if must_answer {
            game.moves(&mut moves);
        } else {
            game.forcing_moves(&mut moves);
        }
        let mut tried = 0;
        for index in 0..moves.len() {
            let mv = pick(&mut moves, index).mv;
            self.clock.count_node()?;
            if !game.make(mv) {
                continue;
            }
            tried += 1;
            let score = self.quiescence(game, depth + 1, ply + 1, -beta, -alpha);
            game.unmake();
            best = best.max(-score?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        self.lists[ply] = moves;
        Ok(if must_answer && tried == 0 {
            game.result_without_moves().score(ply)
        } else {
            best
        })
    }

    /// Null move pruning: if we may pass and the opponent still can't get below beta, a move of
    /// ours will not either, and the node isn't searched.
    fn null_move_fails_high(
        &mut self,
        game: &mut G,
        depth: i32,
        ply: usize,
        beta: Score,
    ) -> Result<bool, Stopped> {
        if depth < 3 || beta >= LONGEST_WIN || game.evaluate() < beta || !game.pass() {
            return Ok(false);
        }
        let score = self.negamax(game, depth - 3 - depth / 4, ply + 1, -beta, 1 - beta);
        game.unmake();
        Ok(-score? >= beta)
    }

    /// Late move reductions: what comes late in the order is rarely best, and is searched less deep
    /// at first.
    fn reduction(&self, depth: i32, legal: usize, ranked: &RankedMove<G::Move>) -> i32 {
        if !self.is_selective || depth < 3 || legal < 4 || ranked.is_tactical {
            return 0;
        }
        (1 + i32::from(legal > 10) + i32::from(legal > 24) + depth / 8).min(depth - 2)
    }
}
