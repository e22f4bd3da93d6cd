//! What one search thread owns: its ply stack, its histories and its node count.
//!
//! Moves are made and unmade here, nodes are counted, and the stop token and the limits are polled.
//! What the threads of one search share is in [`Shared`].

use std::sync::atomic::Ordering;
use std::thread;

use shakmaty::{Bitboard, Color, Position};

use super::correction_history::CorrectionHistory;
use super::history::{History, HistoryContext, Killers, PieceTo};
use super::result::Progress;
use super::root_moves::RootMoves;
use super::shared::{Shared, ThreadCounts};
use super::stop::Stopped;
use super::strength::Blindness;
use super::tablebase_probe::TreeProbe;
use super::transposition_table::Buckets;
use super::tree_shape::TreeShape;
use crate::evaluation::{EvaluationMemory, Evaluator};
use crate::position::attacks::attacked_by;
use crate::position::game::Game;
use crate::position::packed_move::PackedMove;
use crate::score::{MAX_PLY, Score};

/// The stop token and the limits are checked once per this many nodes.
const NODES_BETWEEN_POLLS: u64 = 1024;
/// With helper threads the stop token is checked once per this many nodes: a search isn't over
/// until its last thread has stopped, and threads that share a core stop one after another. A
/// single thread begins with this interval too and looks at the clock each time, since each of its
/// first nodes can wait for a page of memory.
const NODES_BETWEEN_SHORT_POLLS: u64 = 64;
/// The nodes of a search after which a thread alone polls less often.
const EARLY_NODES: u64 = 64 * NODES_BETWEEN_POLLS;

/// What a thread keeps from one search to the next.
#[derive(Clone, Debug, Default)]
pub(super) struct ThreadData {
    /// The move ordering histories.
    pub(super) history: History,
    /// The corrections of the static evaluation.
    pub(super) correction_history: CorrectionHistory,
    /// Evaluations by the tables of the last search.
    pub(super) evaluations: EvaluationMemory,
}

impl ThreadData {
    /// Forgets what was learned from searches, as before a new game.
    pub(super) fn clear(&mut self) {
        self.history.clear();
        self.correction_history.clear();
    }
}

/// The state of one ply of the current line.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PlyState {
    /// The enemy pieces that give check.
    pub(super) checkers: Bitboard,
    /// What the histories need to know about the node.
    pub(super) context: HistoryContext,
    /// The corrected static evaluation; `None` in check.
    pub(super) static_eval: Option<Score>,
    /// The killer moves.
    pub(super) killers: Killers,
    /// The piece and target square of the move made at this ply; [`PieceTo::NONE`] for a null move.
    pub(super) moved: PieceTo,
    /// The move that a singular search leaves out.
    pub(super) excluded: Option<PackedMove>,
    /// The number of double extensions on the line up to here.
    pub(super) double_extensions: u8,
}

/// One thread's part of one search.
pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) tt: Buckets<'a>,
    pub(super) tree_probe: Option<TreeProbe<'a>>,
    pub(super) history: &'a mut History,
    pub(super) correction_history: &'a mut CorrectionHistory,
    pub(super) selective: bool,
    pub(super) blindness: Option<Blindness>,
    pub(super) game: Game,
    pub(super) evaluator: Evaluator<'a>,
    pub(super) stack: Vec<PlyState>,
    pub(super) root_moves: RootMoves,
    /// The depth of the current iteration, in plies.
    pub(super) root_depth: u32,
    /// The first ply at which null moves are tried again while a verification search runs, which
    /// does without them up to there (Stockfish's `nmpMinPly`).
    pub(super) null_moves_from: Option<usize>,
    /// Whether the move needs no more thought.
    pub(super) has_thought_enough: bool,
    /// The deepest ply that the current line of the iteration has reached (`seldepth`).
    pub(super) selective_depth: usize,
    /// Receives every iteration and, after a second, every root move and every score outside the
    /// aspiration window.
    pub(super) on_progress: &'a mut dyn FnMut(Progress),
    /// What is counted of the tree.
    pub(super) tree: TreeShape,
    /// The number of the thread; 0 is the main thread.
    number: usize,
    nodes: u64,
    /// Where other threads read the counts.
    counts: &'a ThreadCounts,
    node_limit: Option<u64>,
    /// A power of two.
    nodes_between_polls: u64,
}

impl<'a> Worker<'a> {
    /// The thread with this number, ready to search.
    pub(super) fn new(
        shared: &'a Shared<'a>,
        number: usize,
        data: &'a mut ThreadData,
        on_progress: &'a mut dyn FnMut(Progress),
    ) -> Worker<'a> {
        let mut game = shared.game.clone();
        game.reserve(MAX_PLY + 2);
        let mut stack = vec![PlyState::default(); MAX_PLY + 2];
        let has_helpers = shared.counts.threads() > 1;
        stack[0].checkers = game.position().checkers();
        stack[0].context = HistoryContext::first(game.position().turn());
        Worker {
            shared,
            tt: shared.tt,
            tree_probe: shared.tree_probe,
            history: &mut data.history,
            correction_history: &mut data.correction_history,
            selective: shared.selective,
            blindness: shared.blindness,
            evaluator: Evaluator::new(
                &shared.tables,
                game.position(),
                MAX_PLY + 1,
                &mut data.evaluations,
            ),
            game,
            stack,
            root_moves: shared.root_moves.clone(),
            root_depth: 0,
            null_moves_from: None,
            has_thought_enough: false,
            selective_depth: 0,
            on_progress,
            tree: TreeShape::default(),
            nodes: 0,
            number,
            counts: shared.counts.of_thread(number),
            // With helpers the nodes of all threads count, which is checked less often.
            node_limit: shared.limits.nodes.filter(|_| !has_helpers),
            nodes_between_polls: NODES_BETWEEN_SHORT_POLLS,
        }
    }

    /// Makes a move at this ply and counts a node.
    #[inline]
    pub(super) fn make_move(&mut self, m: PackedMove, ply: usize) -> Result<(), Stopped> {
        self.count_node()?;
        self.stack[ply].moved = PieceTo::of(self.turn(), m);
        let (tt, evaluator) = (self.tt, &self.evaluator);
        self.game.make_move(m, |key| {
            tt.prefetch(key);
            evaluator.prefetch(key);
        });
        self.enter(ply + 1, self.game.position().checkers());
        Ok(())
    }

    /// Makes a null move at this ply, which must not be in check. It doesn't count as a node.
    pub(super) fn make_null_move(&mut self, ply: usize) {
        self.stack[ply].moved = PieceTo::NONE;
        self.game.make_null_move();
        self.tt.prefetch(self.game.key());
        self.evaluator.prefetch(self.game.key());
        // A side that is not in check gives no check by passing.
        self.enter(ply + 1, Bitboard::EMPTY);
    }

    /// Takes the last move back, null move or not.
    #[inline]
    pub(super) fn unmake_move(&mut self) {
        self.game.unmake_move();
    }

    /// Counts a node, unless a limit is reached.
    #[inline]
    fn count_node(&mut self) -> Result<(), Stopped> {
        if self.node_limit.is_some_and(|limit| self.nodes >= limit) {
            return Err(Stopped);
        }
        // No check at the first node, so that a move is searched even with an empty clock or after
        // an immediate stop.
        let is_time_to_poll = self.nodes & (self.nodes_between_polls - 1) == 0 && self.nodes > 0;
        if is_time_to_poll {
            self.poll()?;
        }
        self.nodes += 1;
        self.counts.nodes.store(self.nodes, Ordering::Relaxed);
        Ok(())
    }

    /// Counts a position that was found in the tablebases. That can have taken as long as many
    /// nodes, so the stop token and the clock are checked too; not in the first iteration, so that
    /// a move is searched.
    pub(super) fn count_tablebase_hit(&mut self) -> Result<(), Stopped> {
        self.counts.tablebase_hits.fetch_add(1, Ordering::Relaxed);
        if self.root_depth > 1 && self.must_stop() {
            return Err(Stopped);
        }
        Ok(())
    }

    /// Checks the stop token and, at every [`NODES_BETWEEN_POLLS`] or early in the search, the
    /// limits. If there are more threads than cores, the thread then also gives its core away, so
    /// that those that read a `stop` and pass it on needn't wait for the time slices of all others.
    #[cold]
    fn poll(&mut self) -> Result<(), Stopped> {
        let is_full_poll = self.nodes.is_multiple_of(NODES_BETWEEN_POLLS);
        let is_early = self.nodes < EARLY_NODES;
        if is_full_poll && self.shared.is_crowded {
            thread::yield_now();
        }
        if !is_early && self.shared.counts.threads() == 1 {
            self.nodes_between_polls = NODES_BETWEEN_POLLS;
        }
        // The first iteration is short, and an answer without it would be any move.
        if !is_full_poll && self.is_main() && self.root_depth == 1 {
            return Ok(());
        }
        let must_stop = if is_full_poll || is_early {
            self.must_stop()
        } else {
            self.shared.stop.is_requested()
        };
        if must_stop { Err(Stopped) } else { Ok(()) }
    }

    /// Whether the search must stop: the token is raised or, on the main thread, a limit is
    /// reached.
    #[cold]
    fn must_stop(&self) -> bool {
        let shared = self.shared;
        let is_limit_reached = || {
            let node_limit = shared.limits.nodes;
            let has_all_nodes = node_limit.is_some_and(|limit| shared.counts.nodes() >= limit);
            shared.time.hard_limit_reached() || has_all_nodes
        };
        shared.stop.is_requested() || (self.is_main() && (self.must_move() || is_limit_reached()))
    }

    /// Whether the move needs no more thought and its clock runs, which it doesn't while the engine
    /// ponders.
    pub(super) fn must_move(&self) -> bool {
        self.has_thought_enough && self.shared.time.is_on_clock()
    }

    /// Whether this is the main thread, which alone reports and watches the limits.
    pub(super) fn is_main(&self) -> bool {
        self.number == 0
    }

    /// The number of the thread; 0 is the main thread.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// Sets up the state of a ply from the plies before.
    #[inline]
    fn enter(&mut self, ply: usize, checkers: Bitboard) {
        let moved = |plies: usize| {
            let state = ply.checked_sub(plies).map(|ply| &self.stack[ply]);
            state.map_or(PieceTo::NONE, |state| state.moved)
        };
        let context = HistoryContext {
            turn: self.turn(),
            before: [moved(1), moved(2), moved(4)],
            pawn_key: self.game.keys().pawn,
            threats: Bitboard::EMPTY,
        };
        self.evaluator.enter(ply);
        self.stack[ply].checkers = checkers;
        self.stack[ply].context = context;
        self.stack[ply].double_extensions = self.stack[ply - 1].double_extensions;
        // Most nodes are evaluated at once.
        self.correction_history.prefetch(&self.correction_keys(ply));
    }

    /// Stores the squares that the enemy attacks. Needed before the histories of quiet moves are
    /// read.
    #[inline]
    pub(super) fn store_threats(&mut self, ply: usize) {
        let position = self.game.position();
        self.stack[ply].context.threats = attacked_by(position, !position.turn());
    }

    /// The score of a node that is not searched: a draw by the rules, or the static evaluation at
    /// the ply limit. Counts the ply as reached.
    #[inline]
    pub(super) fn draw_or_ply_limit(&mut self, ply: usize) -> Option<Score> {
        self.selective_depth = self.selective_depth.max(ply);
        if ply > 0 && self.game.is_draw(ply) {
            Some(Score::DRAW)
        } else {
            (ply >= MAX_PLY).then(|| self.evaluation(ply))
        }
    }

    /// The static evaluation of the current position, which lies at this ply.
    #[inline]
    pub(super) fn evaluation(&mut self, ply: usize) -> Score {
        self.evaluator.evaluation(&self.game, ply)
    }

    /// The nodes of this thread so far.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(super) fn turn(&self) -> Color {
        self.game.position().turn()
    }
}

#[cfg(test)]
pub(super) mod test_support {
    //! A thread on any position, for tests of single nodes and rules.

    use super::*;
    use crate::evaluation::TableSet;
    use crate::position::from_fen;
    use crate::search::limits::Limits;
    use crate::search::node::Node;
    use crate::search::request::SearchOptions;
    use crate::search::root_ranking::rank_root_moves;
    use crate::search::shared::Counts;
    use crate::search::stop::StopToken;
    use crate::search::time_management::{StartSignal, TimeManager};
    use crate::search::transposition_table::TranspositionTable;
    use crate::search::window::Window;
    use crate::syzygy::Tablebases;
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, Square};
    use std::time::{Duration, Instant};

    /// Calls `test` with a thread whose position is at ply 1, after a quiet move, and whose
    /// transposition table is empty. It evaluates with the simplified tables, which never change.
    pub(in crate::search) fn with_thread<R>(fen: &str, test: impl FnOnce(&mut Worker) -> R) -> R {
        with_thread_and_tablebases(fen, None, test)
    }

    /// The same with the tablebases of the test data.
    pub(in crate::search) fn with_tablebases<R>(
        fen: &str,
        test: impl FnOnce(&mut Worker) -> R,
    ) -> R {
        with_thread_and_tablebases(fen, Some(&crate::syzygy::test_support::tablebases()), test)
    }

    fn with_thread_and_tablebases<R>(
        fen: &str,
        tablebases: Option<&Tablebases>,
        test: impl FnOnce(&mut Worker) -> R,
    ) -> R {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let game = Game::new(position);
        let tables = TableSet::Simplified.tables();
        let mut tt = TranspositionTable::new(1).expect("a mebibyte of memory");
        let limits = Limits::default();
        let options = SearchOptions::default();
        let moves = limits.root_moves(game.position());
        let mut root_moves = RootMoves::new(tables.evaluate(game.position()), &moves, &limits);
        let ranking = rank_root_moves(&mut root_moves, &game, tablebases, &options, &|| false);
        let shared = Shared {
            game: &game,
            tt: tt.start_search(),
            time: TimeManager::new(&limits, StartSignal::pending(), Duration::ZERO, 1),
            stop: StopToken::new(),
            counts: Counts::new(1, &ranking),
            root_moves,
            tables,
            tree_probe: tablebases.and_then(|tablebases| TreeProbe::new(tablebases, &options)),
            line_probe: None,
            limits,
            blindness: None,
            selective: true,
            options,
            is_crowded: false,
            asked_at: Instant::now(),
        };
        let mut data = ThreadData::default();
        let mut ignore = |_| ();
        let mut thread = Worker::new(&shared, 0, &mut data, &mut ignore);
        thread.root_depth = 10;
        thread.stack[0].moved =
            PieceTo::of(!thread.turn(), PackedMove::castle(Square::E1, Square::H1));
        thread.stack[1] = thread.stack[0];
        test(&mut thread)
    }

    /// White is two queens ahead and has nothing to capture.
    pub(in crate::search) const WON: &str = "6k1/5ppp/8/8/8/8/QQ3PPP/6K1 w - - 0 1";

    /// A PV node at ply 1 with a window around `center`. Whole-node pruning doesn't apply to PV
    /// nodes.
    pub(in crate::search) fn pv_node(center: Score, depth: i32) -> Node {
        Node {
            window: Window::new(center - 10, center + 10),
            ..zero_window_node(center, depth)
        }
    }

    /// A node at ply 1 with the zero window above `alpha`.
    pub(in crate::search) fn zero_window_node(alpha: Score, depth: i32) -> Node {
        Node {
            window: Window::above(alpha),
            depth,
            ply: 1,
            cut_node: false,
        }
    }

    /// The legal move of this name in UCI notation.
    pub(in crate::search) fn legal_move(thread: &Worker, name: &str) -> PackedMove {
        let uci: UciMove = name.parse().expect("a move");
        let m = uci.to_move(thread.game.position()).expect("a legal move");
        PackedMove::new(m).expect("no drop")
    }
}
