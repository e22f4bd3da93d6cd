//! The engine: it owns all state and handles one event at a time.
//!
//! Questions are answered at once, even while a search runs. Commands that need the searcher stop
//! the search first.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvError, Sender};
use std::time::Instant;

use rand_chacha::ChaCha8Rng;
use shakmaty::Chess;

use super::command::{self, Command};
use super::error::CommandError;
use super::event::Event;
use super::expected_result::by_score;
use super::explanation::explanation as explanation_lines;
use super::input::{Audience, Input};
use super::options::Options;
use super::response;
use super::state::State;
use super::worker::Worker;
use crate::debug_log::DebugLog;
use squarewise_desk::why::in_general;
use squarewise_engine::book::Book;
use squarewise_engine::evaluation::Breakdown;
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::Searcher;
use squarewise_engine::search::spawning::ThreadRoom;
use squarewise_engine::style::Style;
use squarewise_engine::syzygy::Tablebases;
use squarewise_engine::weak_play::WeakPlayer;

/// Whether the event loop continues.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    GoOn,
    End,
}

/// The engine: the output, the worker, and all state.
pub(super) struct Engine<W> {
    pub(super) output: W,
    pub(super) debug_log: DebugLog,
    pub(super) events: Receiver<Event>,
    pub(super) worker: Worker,
    /// The announcements of input that arrived while the loop waited for a job to end.
    pub(super) announced_input: usize,
    pub(super) input_ended: bool,
    pub(super) state: State,
    /// The searcher; `None` while it is lent to the worker.
    pub(super) searcher: Option<Searcher>,
    pub(super) game: Game,
    pub(super) options: Options,
    /// The tables that `options` names, as their variant is played with them.
    pub(super) tables: Arc<Tables>,
    /// The tables of the file that `options` name, as they were read; `None` without a file.
    pub(super) tables_of_file: Option<Arc<Tables>>,
    /// The weak player with its own errors, a new one for every game.
    pub(super) weak_player: WeakPlayer,
    /// The book that `options` name, loaded; `None` without one.
    pub(super) book: Option<Book>,
    /// The style that `options` name, loaded; `None` without one.
    pub(super) style: Option<Arc<Style>>,
    pub(super) random: ChaCha8Rng,
    /// The endgame tablebases of the path in `options`, loaded.
    pub(super) tablebases: Option<Arc<Tablebases>>,
    audience: Audience,
    /// Whether `debug on` was sent: unknown commands are reported.
    debug: bool,
    /// The number of errors that were reported.
    errors: u32,
}

impl<W: Write> Engine<W> {
    pub(super) fn new(
        output: W,
        debug_log: DebugLog,
        events: Receiver<Event>,
        sender: Sender<Event>,
        room: &mut ThreadRoom,
    ) -> io::Result<Engine<W>> {
        let options = Options::default();
        let searcher = Searcher::new(options.hash_megabytes)
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let tables = options.tables.tables();
        let random = options.random_numbers();
        Ok(Engine {
            output,
            debug_log,
            events,
            worker: Worker::start(sender, room)?,
            announced_input: 0,
            input_ended: false,
            state: State::Idle,
            searcher: Some(searcher),
            game: Game::new(Chess::default()),
            options,
            weak_player: WeakPlayer::default(),
            tables,
            tables_of_file: None,
            book: None,
            style: None,
            random,
            tablebases: None,
            audience: Audience::Program,
            debug: false,
            errors: 0,
        })
    }

    /// Handles events until `quit` or the end of the input.
    pub(super) fn run(mut self, input: &Receiver<Input>, audience: Audience) -> io::Result<()> {
        self.audience = audience;
        // The channel can't close: the worker holds a sender as long as `self` holds the worker.
        while let Ok(event) = self.next_event() {
            let mut flow = Flow::GoOn;
            match event {
                // The reader ends only after the last input, which is `Input::End`.
                Event::Input => match input.recv().unwrap_or(Input::End) {
                    Input::Line(line, read_at) => flow = self.handle_line(&line, read_at)?,
                    Input::TooLong => self.report_error(&CommandError::LineTooLong)?,
                    Input::End => {
                        self.input_ended = true;
                        self.stop_if_unbounded()?;
                    }
                },
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

    /// Executes these commands, one after the other: each job that ends by itself is waited for,
    /// even a long perft, and any other is stopped. A command that can't be executed, or in which a
    /// value, a limit or a move isn't understood, is an error at the end; so is one that stands
    /// behind other words.
    pub(super) fn execute_all(mut self, commands: &[String]) -> io::Result<()> {
        // No program sends these commands in the hope that unknown ones are skipped.
        self.debug = true;
        let mut faulty = 0;
        let lines = commands.iter().flat_map(|argument| argument.split('\n'));
        for command in lines.filter(|line| !line.trim().is_empty()) {
            let before = self.errors;
            let flow = match command::name_behind_words(command) {
                None => self.handle_line(command, Instant::now())?,
                Some(name) => {
                    self.report_error(&CommandError::NotFirst(name.to_owned()))?;
                    Flow::GoOn
                }
            };
            if !self.state.is_other_job() {
                self.stop_if_unbounded()?;
            }
            self.wait_for_job()?;
            faulty += usize::from(self.errors > before);
            if flow == Flow::End {
                break;
            }
        }
        match faulty {
            0 => Ok(()),
            1 => Err(io::Error::other("a command had an error")),
            count => Err(io::Error::other(format!("{count} commands had errors"))),
        }
    }

    fn next_event(&mut self) -> Result<Event, RecvError> {
        if self.announced_input > 0 {
            self.announced_input -= 1;
            return Ok(Event::Input);
        }
        self.events.recv()
    }

    /// Parses a line and executes the command in it.
    fn handle_line(&mut self, line: &str, read_at: Instant) -> io::Result<Flow> {
        tracing::debug!(target: "uci", ">> {line}");
        match command::parse(line) {
            Ok(command) => return self.execute(command, read_at),
            Err(CommandError::Unknown(word)) if self.audience == Audience::Person => {
                if word == "exit" {
                    return self.execute(Command::Quit, read_at);
                }
                self.send(&response::unknown_command(&word))?;
            }
            Err(CommandError::Unknown(_)) if !self.debug => {}
            Err(error) => self.report_error(&error)?,
        }
        Ok(Flow::GoOn)
    }

    /// Executes a command. Questions are answered at once, even while a job runs; a command that
    /// changes the state or needs the searcher stops the job first.
    fn execute(&mut self, command: Command, read_at: Instant) -> io::Result<Flow> {
        if command.ends_job() {
            self.stop_and_wait()?;
        }
        match command {
            Command::Uci => self.send_all(response::identification())?,
            Command::IsReady => self.send("readyok")?,
            Command::Debug(is_on) => self.debug = is_on,
            Command::Help => self.send_all(response::help())?,
            Command::Display => {
                self.send_all(response::display(self.game.position(), self.game.key()))?;
            }
            Command::Evaluate => {
                let position = self.game.position();
                let breakdown = Breakdown::of(position, &self.tables);
                let expected = by_score(breakdown.score, position);
                let why = in_general(position, &breakdown);
                self.send_all(explanation_lines(&breakdown, &why, expected))?;
            }
            Command::SetOption { name, value } => match self.set_option(&name, value.as_deref()) {
                Ok(messages) => {
                    let lines = messages
                        .iter()
                        .map(|message| response::info_string(message));
                    self.send_all(lines.collect())?;
                }
                Err(error) => self.report_error(&error)?,
            },
            Command::Position { start, moves } => {
                let set_up = self.set_up(start, &moves).map(|(game, left_out)| {
                    self.game = game;
                    left_out
                });
                match set_up.map(|left_out| self.told(left_out)) {
                    Ok(Some(words)) => self.send(&response::info_string(&words))?,
                    Ok(None) => {}
                    Err(error) => self.report_error(&error)?,
                }
            }
            Command::NewGame => {
                self.weak_player = WeakPlayer::default();
                if let Some(searcher) = &mut self.searcher {
                    searcher.new_game();
                }
            }
            Command::Go(go) => self.start_search(&go, read_at)?,
            Command::Perft(depth) => self.start_perft(depth)?,
            Command::Bench => self.start_bench()?,
            Command::Genfens(plan) => self.start_genfens(plan)?,
            Command::PonderHit => self.ponder_hit(read_at)?,
            Command::Stop => {} // the job, if there was one, has ended
            Command::Quit => return Ok(Flow::End),
        }
        Ok(Flow::GoOn)
    }

    /// Sends the reason why something was not done.
    pub(super) fn report_error(&mut self, error: &impl Display) -> io::Result<()> {
        self.errors += 1;
        self.send(&response::info_string(&error.to_string()))
    }

    pub(super) fn send_all(&mut self, lines: Vec<String>) -> io::Result<()> {
        lines.iter().try_for_each(|line| self.send(line))
    }

    /// Writes a line and flushes it.
    pub(super) fn send(&mut self, line: &str) -> io::Result<()> {
        tracing::debug!(target: "uci", "<< {line}");
        self.output.write_all(format!("{line}\n").as_bytes())?;
        self.output.flush()
    }
}
