//! The engine as a conversation: an event loop and the state that it is in.
//!
//! One thread reads the input and puts every line into a channel; another thinks and puts its news into the
//! same channel. The loop here takes them out one by one, owns all state, and alone writes the output. So
//! there is no lock around the output and no moment at which a question goes unanswered.
//!
//! No input ends the engine, hangs it, or costs a `bestmove`: what can't be understood or done is refused
//! with an `info string`, and everything stays as it was.

pub mod command;
pub mod command_error;
pub mod go;
mod input;
mod jobs;
pub mod options;
pub mod response;
mod setup;
mod worker;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, Sender, channel};
use std::time::{Duration, Instant};

use shakmaty::{CastlingMode, Chess};

use crate::debug_log::DebugLog;
use crate::evaluation::explain::explain;
use crate::evaluation::{TableSet, Tables};
use crate::position::game::Game;
use crate::search::Searcher;
use command::Command;
use command_error::CommandError;
use jobs::State;
use setup::SetupError;
use worker::{Answer, News, Worker};

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
    /// The set to go back to when a file of tables is given up.
    table_set: TableSet,
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
            table_set: TableSet::default(),
            castling_mode: CastlingMode::Standard,
            move_overhead: Duration::from_millis(options::DEFAULT_MOVE_OVERHEAD),
            is_talkative: false,
        })
    }

    fn run(mut self) -> io::Result<()> {
        // The channel can't close: the worker holds a sender as long as `self` holds the worker.
        while let Ok(event) = self.next_event() {
            let mut flow = Flow::GoOn;
            match event {
                Event::Line(line, read_at) => flow = self.hear(&line, read_at)?,
                Event::EndOfInput => self.end_input()?,
                Event::News(news) => self.pass_on(news)?,
                Event::Done(searcher, answer) => self.finish(*searcher, answer)?,
            }
            let is_done = self.input_ended && !matches!(self.state, State::Busy(_));
            if flow == Flow::End || is_done {
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
            Ok(command) => return self.obey(command, read_at),
            Err(CommandError::Unknown(_)) if !self.is_talkative => {}
            Err(error) => self.refuse(&error)?,
        }
        Ok(Flow::GoOn)
    }

    /// Does what a command asks. Questions are answered at once, whatever the engine is doing; a job that
    /// runs is ended first where the command changes the state or needs the searcher.
    fn obey(&mut self, command: Command, read_at: Instant) -> io::Result<Flow> {
        if command.ends_job() {
            self.settle()?;
        }
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
            Command::SetOption { name, value } => {
                let setting = options::parse(&name, value.as_deref()).map_err(SetupError::from);
                let applied = setting.and_then(|setting| self.apply(setting));
                self.refuse_if_failed(applied)?;
            }
            Command::Position { start, moves } => {
                let set_up = self.set_up(start, &moves).map(|game| self.game = game);
                self.refuse_if_failed(set_up)?;
            }
            Command::NewGame => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.new_game();
                }
            }
            Command::Go(go) => self.think(&go, read_at)?,
            Command::Perft(depth) => self.count(depth)?,
            Command::Bench => self.bench()?,
            Command::PonderHit => self.hit_ponder(read_at)?,
            Command::Stop => {} // the job, if there was one, is ended
            Command::Quit => return Ok(Flow::End),
        }
        Ok(Flow::GoOn)
    }

    fn refuse_if_failed(&mut self, done: Result<(), SetupError>) -> io::Result<()> {
        done.or_else(|error| self.refuse(&error))
    }

    /// Says why something was not done.
    fn refuse(&mut self, reason: &impl Display) -> io::Result<()> {
        self.say(&response::remark(&reason.to_string()))
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
