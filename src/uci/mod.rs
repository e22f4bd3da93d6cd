//! The UCI engine: an event loop and the state that it works on.
//!
//! One thread reads the input and another runs the search; both send events into one channel. The loop here
//! receives the events one by one, owns all state, and is alone in writing the output. So the output needs
//! no lock, and `isready` is answered at once even while a search runs.
//!
//! No input ends the engine, hangs it, or costs a `bestmove`: a command that can't be understood or carried
//! out is refused with an `info string`, and the state stays as it was.

pub mod command;
pub mod command_error;
pub mod go;
mod input;
mod jobs;
mod memory;
pub mod options;
pub mod response;
mod setup;
mod worker;

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, Sender, channel};
use std::time::Instant;

use shakmaty::Chess;

use crate::debug_log::DebugLog;
use crate::evaluation::Tables;
use crate::evaluation::explain::explain;
use crate::position::game::Game;
use crate::search::Searcher;
use command::Command;
use command_error::CommandError;
use jobs::State;
use options::Options;
use setup::SetupError;
use worker::{JobProgress, JobResult, Worker};

/// What the loop waits for.
pub enum Event {
    /// A line of input, and when it was read.
    Line(String, Instant),
    /// The end of the input.
    EndOfInput,
    /// Progress of the job that runs.
    Progress(JobProgress),
    /// The job has ended, and the searcher is free again.
    Done(Box<Searcher>, JobResult),
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
    /// Input that arrived while the loop waited for a job to end.
    backlog: VecDeque<Event>,
    input_ended: bool,
    state: State,
    /// The searcher; `None` while it is lent to the worker.
    searcher: Option<Searcher>,
    game: Game,
    options: Options,
    /// The tables that `options` name, loaded.
    tables: Arc<Tables>,
    /// Whether `debug on` was sent: unknown commands are reported.
    debug: bool,
}

impl<W: Write> Engine<W> {
    fn new(
        output: W,
        debug_log: DebugLog,
        events: Receiver<Event>,
        sender: Sender<Event>,
    ) -> io::Result<Engine<W>> {
        let options = Options::default();
        let searcher = Searcher::new(options.hash_megabytes)
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let tables = options.tables.tables();
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
            options,
            tables,
            debug: false,
        })
    }

    fn run(mut self) -> io::Result<()> {
        // The channel can't close: the worker holds a sender as long as `self` holds the worker.
        while let Ok(event) = self.next_event() {
            let mut flow = Flow::GoOn;
            match event {
                Event::Line(line, read_at) => flow = self.handle_line(&line, read_at)?,
                Event::EndOfInput => self.on_end_of_input()?,
                Event::Progress(progress) => self.on_progress(progress)?,
                Event::Done(searcher, result) => self.on_done(*searcher, result)?,
            }
            let is_done = self.input_ended && !matches!(self.state, State::Running(_));
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

    /// Parses a line and executes the command in it.
    fn handle_line(&mut self, line: &str, read_at: Instant) -> io::Result<Flow> {
        tracing::debug!(target: "uci", ">> {line}");
        match command::parse(line) {
            Ok(command) => return self.execute(command, read_at),
            Err(CommandError::Unknown(_)) if !self.debug => {}
            Err(error) => self.report_error(&error)?,
        }
        Ok(Flow::GoOn)
    }

    /// Executes a command. Questions are answered at once, even while a job runs; a command that changes the
    /// state or needs the searcher stops the job first.
    fn execute(&mut self, command: Command, read_at: Instant) -> io::Result<Flow> {
        if command.ends_job() {
            self.stop_and_wait()?;
        }
        match command {
            Command::Uci => self.send_all(response::identification())?,
            Command::IsReady => self.send(&response::ready())?,
            Command::Debug(is_on) => self.debug = is_on,
            Command::Help => self.send_all(response::help())?,
            Command::Display => {
                self.send_all(response::display(self.game.position(), self.game.key()))?;
            }
            Command::Evaluate => {
                let explanation = explain(self.game.position(), self.game.tables());
                self.send_all(response::explanation(&explanation))?;
            }
            Command::SetOption { name, value } => {
                let set = self.set_option(&name, value.as_deref());
                self.report_if_failed(set)?;
            }
            Command::Position { start, moves } => {
                let set_up = self.set_up(start, &moves).map(|game| self.game = game);
                self.report_if_failed(set_up)?;
            }
            Command::NewGame => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.new_game();
                }
            }
            Command::Go(go) => self.start_search(&go, read_at)?,
            Command::Perft(depth) => self.start_perft(depth)?,
            Command::Bench => self.start_bench()?,
            Command::PonderHit => self.ponder_hit(read_at)?,
            Command::Stop => {} // the job, if there was one, has ended
            Command::Quit => return Ok(Flow::End),
        }
        Ok(Flow::GoOn)
    }

    fn report_if_failed(&mut self, done: Result<(), SetupError>) -> io::Result<()> {
        done.or_else(|error| self.report_error(&error))
    }

    /// Sends the reason why something was not done.
    fn report_error(&mut self, error: &impl Display) -> io::Result<()> {
        self.send(&response::info_string(&error.to_string()))
    }

    fn send_all(&mut self, lines: Vec<String>) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.send(line))
    }

    /// Writes a line and flushes it.
    fn send(&mut self, line: &str) -> io::Result<()> {
        tracing::debug!(target: "uci", "<< {line}");
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }
}
