//! The engine as a conversation: an event loop and the state that it is in.
//!
//! One thread reads the input and puts every line into a channel; another thinks and puts its news into the
//! same channel. The loop here takes them out one by one, owns all state, and alone writes the output. So
//! there is no lock around the output and no moment at which a question goes unanswered.
//!
//! No input ends the engine, hangs it, or costs a `bestmove`: what can't be understood or done is refused
//! with an `info string`, and everything stays as it was.

pub mod command;
mod input;
pub mod options;
pub mod response;
mod worker;

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, Sender, channel};
use std::time::{Duration, Instant};

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position, PositionError};

use crate::debug_log::DebugLog;
use crate::evaluation::explain::explain;
use crate::evaluation::{TableSet, Tables};
use crate::game::Game;
use crate::movegen;
use crate::search::clock::{Clock, StartSignal};
use crate::search::limits::{Limits, PlayerClock};
use crate::search::line::Line;
use crate::search::stop::StopToken;
use crate::search::window::Bound;
use crate::search::{Finding, Report, Request, Searcher};
use command::{Command, Go, Start};
use options::Setting;
use worker::{Answer, Job, News, Worker};

/// What the loop waits for.
pub enum Event {
    /// A line of input, and when it was read.
    Line(String, Instant),
    /// There will be no more input.
    EndOfInput,
    /// A job tells something.
    News(News),
    /// A job is done; the searcher is free again.
    Done(Box<Searcher>, Answer),
}

/// Reads standard input and writes `output` until told to quit or the input ends.
///
/// # Errors
///
/// If the output can't be written (a closed one gives [`io::ErrorKind::BrokenPipe`]), or the engine can't
/// be set up for lack of memory or threads.
pub fn run(output: impl Write, debug_log: DebugLog) -> io::Result<()> {
    let (sender, events) = channel();
    input::start(sender.clone())?;
    Engine::new(output, debug_log, events, sender)?.run()
}

/// What the engine does at the moment.
enum State {
    /// Nothing.
    Idle,
    /// A job runs, and has the searcher.
    Busy(Busy),
    /// A search is over, but its answer must wait for `stop` or `ponderhit`.
    Holding(Finding, Wait),
}

struct Busy {
    stop: StopToken,
    kind: Kind,
}

enum Kind {
    /// A search, which owes a `bestmove`.
    Search {
        start: StartSignal,
        wait: Wait,
        /// What it will be answered with, should the search not come to an end of its own.
        known: Finding,
    },
    /// Anything else.
    Errand,
}

/// What an answer waits for, even if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wait {
    /// `ponderhit` or `stop`.
    pondering: bool,
    /// `stop`.
    infinite: bool,
}

impl Wait {
    fn is_over(self) -> bool {
        !self.pondering && !self.infinite
    }
}

/// Whether the loop goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    End,
}

struct Engine<W> {
    output: W,
    debug_log: DebugLog,
    events: Receiver<Event>,
    worker: Worker,
    /// Input that came while the loop waited for a job to end.
    backlog: VecDeque<Event>,
    input_ended: bool,
    state: State,
    /// What thinks; `None` while it is lent to the worker.
    searcher: Option<Searcher>,
    game: Game,
    tables: Arc<Tables>,
    castling_mode: CastlingMode,
    move_overhead: Duration,
    is_talkative: bool,
}

impl<W: Write> Engine<W> {
    fn new(
        output: W,
        debug_log: DebugLog,
        events: Receiver<Event>,
        sender: Sender<Event>,
    ) -> io::Result<Engine<W>> {
        let searcher = Searcher::new(options::DEFAULT_HASH)
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let tables = TableSet::default().tables();
        Ok(Engine {
            output,
            debug_log,
            events,
            worker: Worker::start(sender)?,
            backlog: VecDeque::new(),
            input_ended: false,
            state: State::Idle,
            searcher: Some(searcher),
            game: Game::new(Chess::default(), Arc::clone(&tables)),
            tables,
            castling_mode: CastlingMode::Standard,
            move_overhead: Duration::from_millis(options::DEFAULT_MOVE_OVERHEAD),
            is_talkative: false,
        })
    }

    fn run(mut self) -> io::Result<()> {
        // The channel can't close: the worker holds a sender as long as `self` holds the worker.
        while let Ok(event) = self.next_event() {
            let flow = match event {
                Event::Line(line, read_at) => self.hear(&line, read_at)?,
                Event::EndOfInput => self.end_input()?,
                Event::News(news) => self.pass_on(news)?,
                Event::Done(searcher, answer) => self.finish(*searcher, answer)?,
            };
            let is_free = !matches!(self.state, State::Busy(_));
            if flow == Flow::End || (self.input_ended && is_free) {
                break;
            }
        }
        Ok(())
    }

    fn next_event(&mut self) -> Result<Event, RecvError> {
        match self.backlog.pop_front() {
            Some(event) => Ok(event),
            None => self.events.recv(),
        }
    }

    /// Understands a line and acts on it.
    fn hear(&mut self, line: &str, read_at: Instant) -> io::Result<Flow> {
        tracing::debug!(target: "uci", ">> {line}");
        match command::parse(line) {
            Ok(command) => self.obey(command, read_at),
            Err(command::CommandError::Unknown(_)) if !self.is_talkative => Ok(Flow::GoOn),
            Err(error) => self.refuse(&error),
        }
    }

    fn obey(&mut self, command: Command, read_at: Instant) -> io::Result<Flow> {
        match command {
            Command::Uci => self.say_all(response::identification())?,
            Command::IsReady => self.say(&response::ready())?,
            Command::Debug(is_on) => self.is_talkative = is_on,
            Command::Help => self.say_all(response::help())?,
            Command::Display => {
                self.say_all(response::display(self.game.position(), self.game.key()))?;
            }
            Command::Evaluate => {
                let explanation = explain(self.game.position(), self.game.tables());
                self.say_all(response::explanation(&explanation))?;
            }
            Command::PonderHit => return self.hit_ponder(read_at),
            Command::Stop => self.settle()?,
            Command::Quit => {
                self.settle()?;
                return Ok(Flow::End);
            }
            // What follows changes the state, or needs the searcher: a search that runs is ended first.
            Command::SetOption { name, value } => {
                self.settle()?;
                match options::parse(&name, value.as_deref()) {
                    Ok(setting) => return self.apply(setting),
                    Err(error) => return self.refuse(&error),
                }
            }
            Command::NewGame => {
                self.settle()?;
                if let Some(searcher) = &mut self.searcher {
                    searcher.forget();
                }
            }
            Command::Position { start, moves } => {
                self.settle()?;
                match self.set_up(start, &moves) {
                    Ok(game) => self.game = game,
                    Err(reason) => return self.refuse(&reason),
                }
            }
            Command::Go(go) => {
                self.settle()?;
                return self.think(&go, read_at);
            }
            Command::Perft(depth) => {
                self.settle()?;
                let stop = StopToken::new();
                let position = self.game.position().clone();
                let job = Job::Perft { position, depth, stop: stop.clone() };
                return self.begin(job, Busy { stop, kind: Kind::Errand });
            }
            Command::Bench => {
                self.settle()?;
                let stop = StopToken::new();
                let job = Job::Bench { stop: stop.clone() };
                return self.begin(job, Busy { stop, kind: Kind::Errand });
            }
        }
        Ok(Flow::GoOn)
    }

    /// Makes a change that an option asks for.
    fn apply(&mut self, setting: Setting) -> io::Result<Flow> {
        let Some(searcher) = &mut self.searcher else { return Ok(Flow::GoOn) };
        match setting {
            Setting::Hash(megabytes) => {
                if let Err(error) = searcher.resize_table(megabytes) {
                    return self.refuse(&format_args!("Hash stays as it is: {error}"));
                }
            }
            Setting::ClearHash => searcher.clear_table(),
            Setting::Threads(_) | Setting::Ponder(_) => {}
            Setting::MoveOverhead(overhead) => self.move_overhead = overhead,
            Setting::Chess960(is_on) => self.castling_mode = CastlingMode::from_chess960(is_on),
            Setting::Tables(set) => {
                // Scores of other tables have no place among the new ones.
                searcher.clear_table();
                self.tables = set.tables();
                self.game = self.game.clone().with_tables(Arc::clone(&self.tables));
            }
            Setting::DebugLogFile(None) => self.debug_log.close(),
            Setting::DebugLogFile(Some(path)) => {
                if let Err(error) = self.debug_log.open(&path) {
                    let path = path.display();
                    return self.refuse(&format_args!("Debug Log File '{path}': {error}"));
                }
            }
        }
        Ok(Flow::GoOn)
    }

    /// The game that a `position` command describes, or why there is none.
    fn set_up(&self, start: Start, moves: &[UciMove]) -> Result<Game, String> {
        let position = match start {
            // In Chess960 too the standard array is one of the starts.
            Start::Standard => shakmaty::Setup::initial().position(self.castling_mode),
            Start::Fen(fen) if is_of_a_variant(&fen) => {
                return Err(format!("the FEN is of a chess variant: '{fen}'"));
            }
            Start::Fen(fen) => fen.into_position(self.castling_mode),
        };
        let position: Chess =
            position.map_err(|error| format!("{error}{}", self.castling_hint(&error)))?;
        let mut game = Game::new(position, Arc::clone(&self.tables));
        for (index, word) in moves.iter().enumerate() {
            let m = word.to_move(game.position()).map_err(|_| {
                format!("illegal move '{word}', number {} of the moves", index + 1)
            })?;
            game.play(m);
        }
        Ok(game)
    }

    fn castling_hint(&self, error: &PositionError<Chess>) -> &'static str {
        let is_about_castling =
            error.kinds().contains(shakmaty::PositionErrorKinds::INVALID_CASTLING_RIGHTS);
        if is_about_castling && self.castling_mode.is_standard() {
            " (is this Chess960, and UCI_Chess960 not set?)"
        } else {
            ""
        }
    }

    /// Begins a search.
    fn think(&mut self, go: &Go, read_at: Instant) -> io::Result<Flow> {
        for remark in &go.remarks {
            self.refuse(remark)?;
        }
        let limits = self.limits(go);
        let wait = Wait {
            pondering: go.ponder,
            infinite: go.infinite || !limits.is_bounded(),
        };
        let start = if go.ponder { StartSignal::pending() } else { StartSignal::at(read_at) };
        let stop = StopToken::new();
        let known = self.fallback(&limits);
        let request = Request {
            game: self.game.clone(),
            clock: Clock::new(&limits, start.clone(), self.move_overhead),
            limits,
            stop: stop.clone(),
            asked_at: read_at,
        };
        let kind = Kind::Search { start, wait, known };
        self.begin(Job::Search(Box::new(request)), Busy { stop, kind })
    }

    /// What the words after `go` mean for the side to move.
    fn limits(&self, go: &Go) -> Limits {
        let position = self.game.position();
        let (time, increment) = match position.turn() {
            Color::White => (go.white_time, go.white_increment),
            Color::Black => (go.black_time, go.black_increment),
        };
        // A clock that is told for the other side only is an empty one for ours.
        let has_clock = go.white_time.is_some() || go.black_time.is_some();
        let clock = has_clock.then(|| PlayerClock {
            remaining: millis(time.unwrap_or(0)),
            increment: millis(increment.unwrap_or(0)),
            moves_to_go: go.moves_to_go.map(at_least_one),
        });
        Limits {
            clock,
            move_time: go.move_time.map(millis),
            depth: go.depth.map(at_least_one),
            nodes: go.nodes.map(|nodes| nodes.max(0).unsigned_abs()),
            mate: go.mate.map(at_least_one),
            search_moves: go.search_moves.iter().filter_map(|m| m.to_move(position).ok()).collect(),
        }
    }

    /// An answer for the case that the search gives none: a legal move.
    fn fallback(&self, limits: &Limits) -> Finding {
        let first = limits.search_moves.first().copied();
        let first = first.or_else(|| movegen::legal_moves(self.game.position()).first().copied());
        Finding {
            depth: 0,
            selective_depth: 0,
            score: self.game.evaluation(),
            bound: Bound::Exact,
            nodes: 0,
            fullness: 0,
            time: Duration::ZERO,
            line: first.map_or_else(Line::new, Line::of),
        }
    }

    /// Lends the searcher to the worker for a job.
    fn begin(&mut self, job: Job, busy: Busy) -> io::Result<Flow> {
        if let Some(searcher) = self.searcher.take() {
            self.worker.give(searcher, job).map_err(|_| io::Error::other("the worker is gone"))?;
            self.state = State::Busy(busy);
        }
        Ok(Flow::GoOn)
    }

    /// The opponent played what we pondered on: the clock runs from here.
    fn hit_ponder(&mut self, read_at: Instant) -> io::Result<Flow> {
        match &mut self.state {
            State::Busy(Busy { kind: Kind::Search { start, wait, .. }, .. }) => {
                start.start(read_at);
                wait.pondering = false;
            }
            State::Holding(_, wait) => {
                wait.pondering = false;
                if wait.is_over() {
                    self.settle()?;
                }
            }
            State::Idle | State::Busy(_) => {}
        }
        Ok(Flow::GoOn)
    }

    /// Ends whatever runs, answer included. Lines that come in the meantime wait in the backlog.
    fn settle(&mut self) -> io::Result<()> {
        if let State::Busy(busy) = &mut self.state {
            busy.stop.request();
            if let Kind::Search { wait, .. } = &mut busy.kind {
                *wait = Wait { pondering: false, infinite: false };
            }
        }
        while matches!(self.state, State::Busy(_)) {
            match self.events.recv() {
                Ok(Event::News(news)) => self.pass_on(news)?,
                Ok(Event::Done(searcher, answer)) => self.finish(*searcher, answer)?,
                Ok(input) => {
                    self.backlog.push_back(input);
                    Flow::GoOn
                }
                Err(RecvError) => return Err(io::Error::other("the worker is gone")),
            };
        }
        if let State::Holding(finding, _) = std::mem::replace(&mut self.state, State::Idle) {
            self.answer(&finding)?;
        }
        Ok(())
    }

    /// The input has ended: a bounded search may finish and answer, anything else ends now.
    fn end_input(&mut self) -> io::Result<Flow> {
        self.input_ended = true;
        let is_bounded = match &self.state {
            State::Busy(Busy { kind: Kind::Search { wait, .. }, .. }) => wait.is_over(),
            State::Busy(_) => true,
            State::Idle | State::Holding(..) => false,
        };
        if !is_bounded {
            self.settle()?;
        }
        Ok(Flow::GoOn)
    }

    /// Tells what a running job tells.
    fn pass_on(&mut self, news: News) -> io::Result<Flow> {
        let mode = self.game.castling_mode();
        let words = match news {
            News::Search(report) => {
                let words = response::report(&report, mode);
                if let State::Busy(Busy { kind: Kind::Search { known, .. }, .. }) = &mut self.state
                    && let Report::Finding(finding) = report
                    && finding.bound == Bound::Exact
                {
                    *known = finding;
                }
                words
            }
            News::Perft(m, count) => response::perft_part(m, count, mode),
            News::Bench(number, fen, finding) => response::bench_part(number, &fen, &finding),
        };
        self.say(&words)?;
        Ok(Flow::GoOn)
    }

    /// A job is done: takes the searcher back, and answers unless the answer must wait.
    fn finish(&mut self, searcher: Searcher, answer: Answer) -> io::Result<Flow> {
        self.searcher = Some(searcher);
        let before = std::mem::replace(&mut self.state, State::Idle);
        let State::Busy(busy) = before else { return Ok(Flow::GoOn) };
        let finding = match (answer, busy.kind) {
            (Answer::Search(finding), Kind::Search { wait, .. }) => Some((finding, wait)),
            (Answer::Panicked(words), Kind::Search { wait, known, .. }) => {
                self.refuse(&format_args!("internal error, the search was given up: {words}"))?;
                Some((known, wait))
            }
            (Answer::Panicked(words), Kind::Errand) => {
                self.refuse(&format_args!("internal error, given up: {words}"))?;
                None
            }
            (Answer::Perft { nodes: Some(nodes), time }, _) => {
                self.say_all(response::perft_total(nodes, time))?;
                None
            }
            (Answer::Perft { nodes: None, .. }, _) => {
                self.refuse(&"perft was stopped")?;
                None
            }
            (Answer::Bench(Ok(total)), _) => {
                self.say(&response::bench_total(total))?;
                None
            }
            (Answer::Bench(Err(error)), _) => {
                self.refuse(&error)?;
                None
            }
            (Answer::Search(_), Kind::Errand) => None,
        };
        match finding {
            Some((finding, wait)) if wait.is_over() => self.answer(&finding)?,
            Some((finding, wait)) => self.state = State::Holding(finding, wait),
            None => {}
        }
        Ok(Flow::GoOn)
    }

    /// Says what was found and the move.
    fn answer(&mut self, finding: &Finding) -> io::Result<()> {
        let mode = self.game.castling_mode();
        self.say(&response::info(finding, mode))?;
        self.say(&response::best_move(&finding.line, mode))
    }

    /// Says why something was not done.
    fn refuse(&mut self, reason: &impl std::fmt::Display) -> io::Result<Flow> {
        self.say(&response::remark(&reason.to_string()))?;
        Ok(Flow::GoOn)
    }

    fn say_all(&mut self, lines: Vec<String>) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.say(line))
    }

    /// Writes a line and sends it off.
    fn say(&mut self, line: &str) -> io::Result<()> {
        tracing::debug!(target: "uci", "<< {line}");
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }
}

fn is_of_a_variant(fen: &shakmaty::fen::Fen) -> bool {
    fen.as_setup().pockets.is_some() || fen.as_setup().remaining_checks.is_some()
}

/// Milliseconds as a span of time; less than none is none.
fn millis(millis: i64) -> Duration {
    Duration::from_millis(millis.max(0).unsigned_abs())
}

/// A count that makes no sense below one.
fn at_least_one(number: i64) -> u32 {
    u32::try_from(number.max(1)).unwrap_or(u32::MAX)
}
