//! Looking ahead: the searcher that lives across moves, and one search from its start to its answer.
//!
//! A search deepens step by step (*iterative deepening*): each iteration looks one ply further and finds
//! its way by what the last one learned. From the fifth on, the score is expected close to the last one
//! (*aspiration window*), and only when it falls outside is the question asked again with more room.
//!
//! State is grouped by how long it lives: [`Searcher`] across moves, `Search` for one search, locals for
//! one node.

pub mod clock;
pub mod exchange;
pub mod history;
pub mod limits;
pub mod line;
mod negamax;
pub mod ordering;
pub mod pruning;
mod quiescence;
pub mod stop;
pub mod transposition;
pub mod window;

use std::time::{Duration, Instant};

use shakmaty::{Color, Move, Position};

use crate::game::Game;
use crate::movegen::{self, Legality};
use crate::score::{MAX_PLY, Score};
use clock::Clock;
use history::{History, Killers};
use limits::Limits;
use line::Line;
use stop::{StopToken, Stopped};
use transposition::{AllocationError, Entry, TranspositionTable};
use window::{Bound, Window};

/// After this long a person may want to see what goes on inside an iteration.
const PATIENCE: Duration = Duration::from_secs(1);

/// The stop token and the clock are looked at once in so many nodes (a power of two).
const NODES_BETWEEN_LOOKS: u64 = 1024;

/// Whether the search may look at parts of the tree less closely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selectivity {
    /// All pruning, reductions and extensions: for play.
    #[default]
    On,
    /// Alpha-beta alone, which gives the same score as plain negamax: for tests.
    Off,
}

/// What lives across moves: the transposition table and the histories.
#[derive(Debug)]
pub struct Searcher {
    table: TranspositionTable,
    history: History,
    selectivity: Selectivity,
}

/// One search that is asked for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The game, up to the position to be searched.
    pub game: Game,
    /// What ends the search.
    pub limits: Limits,
    /// The time that the limits leave.
    pub clock: Clock,
    /// The signal that ends it from outside.
    pub stop: StopToken,
    /// When it was asked for; reports count their time from here.
    pub asked_at: Instant,
}

impl Request {
    /// A search without a clock, which nobody stops.
    pub fn new(game: Game, limits: Limits) -> Request {
        Request {
            game,
            limits,
            clock: Clock::unlimited(),
            stop: StopToken::new(),
            asked_at: Instant::now(),
        }
    }
}

/// What a search has found so far: a line and what it is worth.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Plies of full-width depth; 0 if no iteration was finished.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: usize,
    /// The score from the view of the side to move.
    pub score: Score,
    /// What the score says.
    pub bound: Bound,
    /// Moves played in the tree.
    pub nodes: u64,
    /// How full the transposition table is, in per mille.
    pub fullness: usize,
    /// Since the search was asked for.
    pub time: Duration,
    /// The line. Empty only when there is no legal move.
    pub line: Line,
}

/// News from inside a search.
#[derive(Clone, Debug)]
pub enum Report {
    /// A line, after an iteration or when the score left the aspiration window.
    Finding(Finding),
    /// The root move that is searched now; only after a second.
    CurrentMove {
        /// The depth of the iteration.
        depth: u32,
        /// The move.
        m: Move,
        /// Its number in the order of search, from 1.
        number: usize,
    },
}

impl Searcher {
    /// A searcher with an empty table of `megabytes` MiB.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for the table.
    pub fn new(megabytes: usize) -> Result<Searcher, AllocationError> {
        Ok(Searcher {
            table: TranspositionTable::new(megabytes)?,
            history: History::new(),
            selectivity: Selectivity::On,
        })
    }

    /// The same searcher, with selectivity switched.
    pub fn with_selectivity(self, selectivity: Selectivity) -> Searcher {
        Searcher { selectivity, ..self }
    }

    /// Replaces the table by an empty one of another size.
    ///
    /// # Errors
    ///
    /// [`AllocationError`] if there is no memory for it; the old table is kept.
    pub fn resize_table(&mut self, megabytes: usize) -> Result<(), AllocationError> {
        self.table = TranspositionTable::new(megabytes)?;
        Ok(())
    }

    /// Empties the table.
    pub fn clear_table(&mut self) {
        self.table.clear();
    }

    /// Forgets everything, as before a new game.
    pub fn forget(&mut self) {
        self.table.clear();
        self.history = History::new();
    }

    /// Searches until a limit is reached or the stop token is raised, and gives the best line found. On
    /// the way, `report` gets every iteration's line. One thread and limits of depth or nodes make the
    /// same tree every time.
    pub fn search(&mut self, request: Request, report: &mut dyn FnMut(Report)) -> Finding {
        self.table.age();
        Search::new(self, request, report).run()
    }
}

/// What a ply remembers while the search is below it.
#[derive(Clone, Copy, Debug, Default)]
struct PlyState {
    killers: Killers,
    /// The move that led on from this ply was a pass.
    is_null_move: bool,
}

/// One search.
struct Search<'a> {
    game: Game,
    limits: Limits,
    clock: Clock,
    stop: StopToken,
    asked_at: Instant,
    table: &'a TranspositionTable,
    history: &'a mut History,
    selectivity: Selectivity,
    report: &'a mut dyn FnMut(Report),
    root_moves: Vec<Move>,
    /// The depth of the iteration under way.
    iteration: u32,
    nodes: u64,
    selective_depth: usize,
    stack: Vec<PlyState>,
    /// The latest exact line of the root.
    best: BestLine,
}

#[derive(Clone, Debug)]
struct BestLine {
    depth: u32,
    score: Score,
    line: Line,
}

impl<'a> Search<'a> {
    fn new(searcher: &'a mut Searcher, request: Request, report: &'a mut dyn FnMut(Report)) -> Self {
        let Request { mut game, limits, clock, stop, asked_at } = request;
        game.reserve(MAX_PLY + 2);
        let legal = movegen::legal_moves(game.position());
        let wanted = |m: &Move| limits.search_moves.is_empty() || limits.search_moves.contains(m);
        let root_moves: Vec<Move> = legal.into_iter().filter(wanted).collect();
        let best = BestLine {
            depth: 0,
            score: value_without_search(&game),
            // A move is held before the search begins.
            line: root_moves.first().map_or_else(Line::new, |m| Line::of(*m)),
        };
        Search {
            game,
            limits,
            clock,
            stop,
            asked_at,
            table: &searcher.table,
            history: &mut searcher.history,
            selectivity: searcher.selectivity,
            report,
            root_moves,
            iteration: 0,
            nodes: 0,
            selective_depth: 0,
            stack: vec![PlyState::default(); MAX_PLY + 2],
            best,
        }
    }

    /// Iterative deepening. Gives the final line.
    fn run(mut self) -> Finding {
        let depth_limit = self.limits.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32);
        if !self.root_moves.is_empty() {
            for depth in 1..=depth_limit {
                self.iteration = depth;
                if self.iterate().is_err() {
                    break;
                }
                let finding = self.best_finding();
                (self.report)(Report::Finding(finding));
                if self.has_found_enough() {
                    break;
                }
            }
        }
        self.best_finding()
    }

    /// One iteration, in an aspiration window that opens until the score lies inside.
    fn iterate(&mut self) -> Result<(), Stopped> {
        let depth = self.iteration;
        let expected = self.best.score;
        let mut margin = pruning::ASPIRATION_MARGIN;
        let mut window = Window::full();
        if depth >= pruning::ASPIRATION_DEPTH_MINIMUM && !expected.is_mate() {
            window = Window::new(expected - margin, expected + margin);
        }
        let mut line = Line::new();
        loop {
            let score = self.negamax(window, depth as i32, 0, &mut line)?;
            let bound = window.bound_of(score);
            if bound == Bound::Exact {
                self.best = BestLine { depth, score, line };
                return Ok(());
            }
            self.report_bound(score, bound, &line);
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

    /// Whether another iteration would be wasted.
    fn has_found_enough(&self) -> bool {
        let mate_found = self.limits.mate.is_some_and(|wanted| {
            let found = self.best.score.mate_moves();
            found.is_some_and(|moves| moves > 0 && moves.unsigned_abs() <= wanted)
        });
        let is_forced = self.root_moves.len() == 1 && self.clock.is_worth_saving();
        mate_found || is_forced || self.clock.is_late()
    }

    /// Plays a move in the tree and counts it: the one place where nodes are counted.
    #[inline]
    fn play(&mut self, m: Move) -> Result<(), Stopped> {
        if self.limits.nodes.is_some_and(|limit| self.nodes >= limit) {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_LOOKS) {
            // The clock spares the first few nodes, so that even an empty one leaves a searched move.
            let is_out = self.nodes > 0 && self.clock.is_out();
            if is_out || self.stop.is_requested() {
                return Err(Stopped);
            }
        }
        self.nodes += 1;
        self.game.play(m);
        Ok(())
    }

    /// The table's move for this position, if it is legal here.
    #[inline]
    fn table_move(&self, known: Option<Entry>, legality: &Legality) -> Option<Move> {
        let position = self.game.position();
        let m = known?.best?.expand(position)?;
        legality.allows(position, m).then_some(m)
    }

    fn turn(&self) -> Color {
        self.game.position().turn()
    }

    /// A ply was reached.
    #[inline]
    fn reach(&mut self, ply: usize) {
        self.selective_depth = self.selective_depth.max(ply);
    }

    /// Whether the root may be searched with this move (`searchmoves`).
    fn may_start_with(&self, m: Move) -> bool {
        self.root_moves.contains(&m)
    }

    /// A root move raised alpha. If its score is exact it is the move to play, should the search be
    /// stopped before the iteration ends.
    fn note_root_move(&mut self, score: Score, window: Window, line: &Line) {
        if window.bound_of(score) == Bound::Exact {
            self.best = BestLine { depth: self.iteration, score, line: line.clone() };
        }
    }

    /// Tells which root move is searched, to those who wait.
    fn announce(&mut self, m: Move, number: usize) {
        if self.asked_at.elapsed() >= PATIENCE {
            (self.report)(Report::CurrentMove { depth: self.iteration, m, number });
        }
    }

    /// Tells that the score left the aspiration window, to those who wait.
    fn report_bound(&mut self, score: Score, bound: Bound, line: &Line) {
        if self.asked_at.elapsed() >= PATIENCE {
            let shown = if line.best().is_some() { line } else { &self.best.line };
            let finding = self.finding(self.iteration, score, bound, shown);
            (self.report)(Report::Finding(finding));
        }
    }

    fn best_finding(&self) -> Finding {
        let BestLine { depth, score, line } = &self.best;
        self.finding(*depth, *score, Bound::Exact, line)
    }

    fn finding(&self, depth: u32, score: Score, bound: Bound, line: &Line) -> Finding {
        Finding {
            depth,
            selective_depth: self.selective_depth,
            score,
            bound,
            nodes: self.nodes,
            fullness: self.table.fullness(),
            time: self.asked_at.elapsed(),
            line: line.clone(),
        }
    }
}

/// A speed in whole nodes per second; of no time at all, as of a microsecond.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let per_second = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    u64::try_from(per_second).unwrap_or(u64::MAX)
}

/// What a position is worth before any search: mated, stalemated, or its evaluation.
fn value_without_search(game: &Game) -> Score {
    let legality = Legality::of(game.position());
    let has_moves = !movegen::legal_moves(game.position()).is_empty();
    match (has_moves, legality.is_check()) {
        (true, _) => game.evaluation(),
        (false, true) => Score::mated_in(0),
        (false, false) => Score::DRAW,
    }
}
