//! One search, from its start to its answer: iterative deepening in aspiration windows, and the place where
//! moves are played in the tree, counted, and stopped.

use std::time::{Duration, Instant};

use shakmaty::{Bitboard, Color, Position};

use super::correction_history::CorrectionHistory;
use super::history::{History, HistoryContext, Killers, PieceTo};
use super::limits::Limits;
use super::pv::Pv;
use super::stop::{StopToken, Stopped};
use super::time_management::{TimeManager, TimeScaling};
use super::transposition_table::{Entry, TranspositionTable};
use super::window::{Bound, Window};
use super::{
    Fallback, Progress, SearchInfo, SearchRequest, SearchResult, Searcher, Selectivity, parameters,
    pruning,
};
use crate::position::game::Game;
use crate::position::movegen::{LegalMasks, attacked_by};
use crate::position::packed_move::PackedMove;
use crate::score::{MAX_PLY, Score};

/// After this long a person may want to see what goes on inside an iteration.
const PATIENCE: Duration = Duration::from_secs(1);

/// The stop token and the clock are looked at once in so many nodes.
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// What a ply remembers while the search is below it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlyState {
    /// The enemy pieces that give check here.
    pub(super) checkers: Bitboard,
    /// What the histories need to know here.
    pub(super) context: HistoryContext,
    /// The static evaluation, corrected; none in check.
    pub(super) evaluation: Option<Score>,
    /// Quiet moves that refuted siblings.
    pub(super) killers: Killers,
    /// What the move that leads on from here brings where; nothing if it is a pass.
    pub(super) moved: PieceTo,
    /// The move that is left out, while the node is searched for how good the others are.
    pub(super) excluded: Option<PackedMove>,
    /// How often the line up to here was extended by two plies at once.
    pub(super) double_extensions: u8,
}

/// What is asked of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) window: Window,
    /// Plies to look ahead.
    pub(super) depth: i32,
    /// The distance from the root.
    pub(super) ply: usize,
    /// Whether it is expected to fail high.
    pub(super) is_cut: bool,
}

impl Node {
    /// Whether the node may lie on the principal variation: only there is an exact score asked for.
    #[inline]
    pub(super) fn is_pv(self) -> bool {
        !self.window.is_null()
    }
}

/// One search.
pub(super) struct Search<'a> {
    pub(super) game: Game,
    limits: Limits,
    time: TimeManager,
    stop: StopToken,
    asked_at: Instant,
    pub(super) table: &'a TranspositionTable,
    pub(super) history: &'a mut History,
    pub(super) corrections: &'a mut CorrectionHistory,
    /// Whether parts of the tree may be looked at less closely.
    pub(super) is_selective: bool,
    on_progress: &'a mut dyn FnMut(Progress),
    root_moves: Vec<PackedMove>,
    /// The depth of the iteration under way.
    iteration: u32,
    nodes: u64,
    /// Nodes spent on the root's best move in the iteration under way.
    best_move_nodes: u64,
    time_scaling: TimeScaling,
    selective_depth: usize,
    pub(super) stack: Vec<PlyState>,
    /// The latest exact line of the root.
    best: BestLine,
}

#[derive(Clone, Debug)]
struct BestLine {
    depth: u32,
    score: Score,
    line: Pv,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        searcher: &'a mut Searcher,
        request: SearchRequest,
        on_progress: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let SearchRequest {
            mut game,
            limits,
            options,
            start,
            stop,
            asked_at,
        } = request;
        let time = TimeManager::new(&limits, start, options.move_overhead);
        game.reserve(MAX_PLY + 2);
        let root_moves = limits.root_moves(game.position());
        // A move is held before the search begins.
        let held = Fallback::new(&game, &root_moves);
        let best = BestLine {
            depth: 0,
            score: held.score(),
            line: held
                .best_move()
                .and_then(PackedMove::new)
                .map_or_else(Pv::new, Pv::of),
        };
        let mut stack = vec![PlyState::default(); MAX_PLY + 2];
        stack[0].checkers = game.position().checkers();
        stack[0].context = HistoryContext::first(game.position().turn());
        Search {
            game,
            limits,
            time,
            stop,
            asked_at,
            table: &searcher.tt,
            history: &mut searcher.history,
            corrections: &mut searcher.correction_history,
            is_selective: searcher.selectivity == Selectivity::On,
            on_progress,
            root_moves: root_moves.into_iter().filter_map(PackedMove::new).collect(),
            iteration: 0,
            nodes: 0,
            best_move_nodes: 0,
            time_scaling: TimeScaling::default(),
            selective_depth: 0,
            stack,
            best,
        }
    }

    /// Iterative deepening. Gives the final line.
    pub(super) fn run(mut self) -> SearchResult {
        let depth_limit = self
            .limits
            .depth
            .unwrap_or(u32::MAX)
            .clamp(1, MAX_PLY as u32);
        if !self.root_moves.is_empty() {
            for depth in 1..=depth_limit {
                self.iteration = depth;
                let (before, nodes_before) = (self.best.clone(), self.nodes);
                if self.iterate().is_err() {
                    break;
                }
                self.weigh(&before, self.nodes - nodes_before);
                let info = self.best_info();
                (self.on_progress)(Progress::Info(info));
                if self.has_found_enough() {
                    break;
                }
            }
        }
        let info = self.best_info();
        SearchResult { info }
    }

    /// One iteration, in an aspiration window that opens until the score lies inside.
    fn iterate(&mut self) -> Result<(), Stopped> {
        let depth = self.iteration;
        let expected = self.best.score;
        let mut margin = parameters::ASPIRATION_MARGIN.get();
        let mut window = Window::full();
        if depth >= pruning::ASPIRATION_DEPTH_MINIMUM && !expected.is_mate() {
            window = Window::new(expected - margin, expected + margin);
        }
        let mut line = Pv::new();
        let mut fail_highs = 0;
        loop {
            let root = Node {
                window,
                depth: pruning::depth_after_fail_highs(depth as i32, fail_highs),
                ply: 0,
                is_cut: false,
            };
            let score = self.negamax(root, &mut line)?;
            let bound = window.bound_of(score);
            if bound == Bound::Exact {
                self.best = BestLine { depth, score, line };
                return Ok(());
            }
            self.report_bound(score, bound, &line);
            fail_highs = if bound == Bound::Lower && self.is_selective {
                fail_highs + 1
            } else {
                0
            };
            margin *= 2;
            let is_wild = margin > pruning::ASPIRATION_LIMIT || score.is_mate();
            let full = Window::full();
            window = match bound {
                Bound::Lower if is_wild => Window::new(window.alpha(), full.beta()),
                Bound::Lower => Window::new(window.alpha(), score + margin),
                _ if is_wild => Window::new(full.alpha(), window.beta()),
                _ => Window::new(score - margin, window.beta()),
            };
        }
    }

    /// Judges how hard the choice is by what an iteration of so many nodes changed.
    fn weigh(&mut self, before: &BestLine, nodes: u64) {
        let is_same = before.line.moves().first() == self.best.line.moves().first();
        let fall = before.score - self.best.score;
        let is_comparable =
            before.depth > 0 && !before.score.is_mate() && !self.best.score.is_mate();
        self.time_scaling = TimeScaling {
            stable_iterations: if is_same {
                self.time_scaling.stable_iterations + 1
            } else {
                0
            },
            best_move_share: (self.best_move_nodes * 1_000 / nodes.max(1)) as u32,
            fall: if is_comparable { fall } else { 0 },
        };
    }

    /// Whether another iteration would be wasted.
    fn has_found_enough(&self) -> bool {
        let mate_found = self.limits.mate.is_some_and(|wanted| {
            let found = self.best.score.mate_moves();
            found.is_some_and(|moves| moves > 0 && moves.unsigned_abs() <= wanted)
        });
        let is_forced = self.root_moves.len() == 1 && self.time.is_on_clock();
        mate_found || is_forced || self.time.soft_limit_reached(self.time_scaling)
    }

    /// Plays a move in the tree, from this ply, and counts it: the one place where nodes are counted.
    #[inline]
    pub(super) fn play(&mut self, m: PackedMove, ply: usize) -> Result<(), Stopped> {
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            return Err(Stopped);
        }
        // The first few nodes are spared, so that even an empty clock, or a stop that follows at once, leaves
        // a move that was searched.
        let is_time_to_look = self.nodes > 0 && self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS);
        if is_time_to_look && (self.time.hard_limit_reached() || self.stop.is_requested()) {
            return Err(Stopped);
        }
        self.nodes += 1;
        self.stack[ply].moved = PieceTo::of(self.turn(), m);
        let table = self.table;
        self.game.make_move(m, |key| table.prefetch(key));
        self.enter(ply + 1, self.game.position().checkers());
        Ok(())
    }

    /// Passes in the tree, from this ply. A side that is not in check gives none by passing.
    pub(super) fn make_null_move(&mut self, ply: usize) {
        self.stack[ply].moved = PieceTo::NONE;
        self.game.make_null_move();
        self.table.prefetch(self.game.key());
        self.enter(ply + 1, Bitboard::EMPTY);
    }

    /// Notes what a ply that a move leads to has from the ply before.
    #[inline]
    fn enter(&mut self, ply: usize, checkers: Bitboard) {
        let moved = |plies: usize| {
            let state = ply.checked_sub(plies).map(|ply| &self.stack[ply]);
            state.map_or(PieceTo::NONE, |state| state.moved)
        };
        let context = HistoryContext {
            turn: self.turn(),
            before: [moved(1), moved(2), moved(4)],
            pawns: self.game.keys().pawn,
            threats: Bitboard::EMPTY,
        };
        self.stack[ply].checkers = checkers;
        self.stack[ply].context = context;
        self.stack[ply].double_extensions = self.stack[ply - 1].double_extensions;
    }

    /// Notes what the enemy attacks, before quiet moves are asked for.
    #[inline]
    pub(super) fn note_threats(&mut self, ply: usize) {
        let position = self.game.position();
        self.stack[ply].context.threats = attacked_by(position, !position.turn());
    }

    /// The score of a node that is not searched: the game is drawn there, or the tree is as deep as it gets.
    #[inline]
    pub(super) fn end_of_line(&mut self, ply: usize) -> Option<Score> {
        self.selective_depth = self.selective_depth.max(ply);
        if ply > 0 && self.game.is_draw(ply) {
            Some(Score::DRAW)
        } else {
            (ply >= MAX_PLY).then(|| self.game.evaluation())
        }
    }

    /// The table's score for a node, if it was searched as deep and answers what the window asks.
    #[inline]
    pub(super) fn table_score(&self, known: Option<Entry>, node: Node) -> Option<Score> {
        let entry = known.filter(|entry| i32::from(entry.depth) >= node.depth)?;
        let score = entry.score.seen_from_root(node.ply);
        (self.is_selective && entry.bound.settles(score, node.window)).then_some(score)
    }

    /// The table's move for this position, if it is legal here.
    #[inline]
    pub(super) fn table_move(
        &self,
        known: Option<Entry>,
        masks: &LegalMasks,
    ) -> Option<PackedMove> {
        let position = self.game.position();
        let m = known?.best?.expand(position)?;
        masks.allows(position, m).then_some(m)
    }

    /// Nodes searched so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The depth of the iteration under way.
    pub(super) fn iteration(&self) -> usize {
        self.iteration as usize
    }

    pub(super) fn turn(&self) -> Color {
        self.game.position().turn()
    }

    /// Whether the root may be searched with this move (`searchmoves`).
    pub(super) fn may_start_with(&self, m: PackedMove) -> bool {
        self.root_moves.contains(&m)
    }

    /// A root move, begun after so many nodes, raised alpha. If its score is exact it is the move to play,
    /// should the search be stopped before the iteration ends.
    pub(super) fn note_root_move(
        &mut self,
        score: Score,
        window: Window,
        line: &Pv,
        nodes_before: u64,
    ) {
        self.best_move_nodes = self.nodes - nodes_before;
        if window.bound_of(score) == Bound::Exact {
            self.best = BestLine {
                depth: self.iteration,
                score,
                line: line.clone(),
            };
        }
    }

    /// Tells which root move is searched, to those who wait.
    pub(super) fn announce(&mut self, m: PackedMove, number: usize) {
        if self.asked_at.elapsed() >= PATIENCE {
            (self.on_progress)(Progress::CurrentMove {
                depth: self.iteration,
                m: m.into(),
                number,
            });
        }
    }

    /// Tells that the score left the aspiration window, to those who wait.
    fn report_bound(&mut self, score: Score, bound: Bound, line: &Pv) {
        if self.asked_at.elapsed() >= PATIENCE {
            let shown = if line.moves().is_empty() {
                &self.best.line
            } else {
                line
            };
            let info = self.info(self.iteration, score, bound, shown);
            (self.on_progress)(Progress::Info(info));
        }
    }

    fn best_info(&self) -> SearchInfo {
        let BestLine { depth, score, line } = &self.best;
        self.info(*depth, *score, Bound::Exact, line)
    }

    fn info(&self, depth: u32, score: Score, bound: Bound, line: &Pv) -> SearchInfo {
        SearchInfo {
            depth,
            selective_depth: self.selective_depth,
            score,
            bound,
            nodes: self.nodes,
            hashfull: self.table.hashfull(),
            time: self.asked_at.elapsed(),
            pv: line.moves().iter().copied().map(Into::into).collect(),
        }
    }
}
