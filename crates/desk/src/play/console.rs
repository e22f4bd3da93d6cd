//! The keyboard: asks a person for a line, in a thread of its own, so that meanwhile the clock can
//! run out.
//!
//! In a terminal the line can be edited, has a history, and Tab completes moves and commands
//! (rustyline). The editor stays open while the engine thinks, so nothing that is typed is lost;
//! what is to be shown meanwhile goes through it, and it draws its own line anew below. Without a
//! terminal, lines are read as they are, so that games can be scripted.

use std::io::{self, BufRead, IsTerminal, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::error::ReadlineError;

use super::commands::LegalMoves;
use super::line_editor::{self, LineEditor, SharedLine, Typed};

/// The longest line that is read without a terminal, in bytes. What is longer is cut.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// The time that the editor has to begin, and to leave the terminal as it was.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time after which an editor that has not answered the signal is sent it again.
#[cfg(unix)]
const TIME_TO_LISTEN: Duration = Duration::from_millis(100);

pub struct Console {
    questions: Sender<()>,
    typed: Receiver<Typed>,
    line: SharedLine,
    /// Where screens go while the editor is open; `None` if there is no editor.
    screens: Option<Sender<String>>,
    prompt_columns: usize,
    /// Whether a question is not answered yet.
    is_asking: bool,
    is_terminal: bool,
}

impl Console {
    /// Starts the thread, with a line editor if input and output are a terminal that can do it. The
    /// prompts take this many columns: the editor measures them once, and they change while the
    /// line is open.
    pub fn start(has_editor: bool, prompt_columns: usize) -> io::Result<Console> {
        let (questions, to_ask) = channel();
        let (sender, typed) = channel();
        let line = SharedLine::default();
        let (mut read, screens): (Box<dyn FnMut() -> Typed + Send>, _) = if has_editor {
            let mut editor = line_editor::start(&line, sender.clone())?;
            let screens = line_editor::start_printer(&mut editor)?;
            let prompt = " ".repeat(prompt_columns);
            let read = move || read_in_editor(&mut editor, &prompt);
            (Box::new(read), Some(screens))
        } else {
            (Box::new(read_bare_line), None)
        };
        thread::Builder::new()
            .name("console".to_owned())
            .spawn(move || {
                while to_ask.recv().is_ok() {
                    if sender.send(read()).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Console {
            questions,
            typed,
            line,
            screens,
            prompt_columns,
            is_asking: false,
            is_terminal: io::stdin().is_terminal(),
        })
    }

    /// Whether a person can type at any time. Elsewhere lines come from a script, which is obeyed
    /// in order.
    pub fn is_terminal(&self) -> bool {
        self.is_terminal
    }

    /// Sets the prompt, and the moves that Tab completes. An open line shows it when it is drawn
    /// next.
    pub fn set(&mut self, prompt: &str, moves: LegalMoves) {
        let columns = self.prompt_columns;
        let mut line = self.line.lock();
        line.prompt = format!("{prompt:<columns$}");
        line.moves = moves;
    }

    /// Asks for a line, unless a question is open already.
    pub fn ask(&mut self) {
        if self.is_asking {
            return;
        }
        self.is_asking = true;
        self.line.lock().is_open = false;
        // Fails only if the thread has ended; then `wait` says so.
        let _ = self.questions.send(());
        if self.screens.is_some() {
            // Until then, what is written would come between the editor's own output.
            self.line.wait_until_open(PATIENCE);
        }
    }

    /// Waits for the line, up to this long.
    pub fn wait(&mut self, time: Duration) -> Option<Typed> {
        let typed = match self.typed.recv_timeout(time) {
            Ok(typed) => typed,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Typed::End,
        };
        self.is_asking &= matches!(typed, Typed::Redraw);
        Some(typed)
    }

    /// Shows a screen by way of the open editor, which draws its line below. Returns whether there
    /// is one.
    pub fn print(&self, screen: &str) -> bool {
        let screens = self.screens.as_ref().filter(|_| self.is_asking);
        screens.is_some_and(|screens| screens.send(screen.to_owned()).is_ok())
    }

    /// Ends an open question, so that the terminal is as it was before. On Windows the editor can't
    /// be interrupted, and the console keeps its mode.
    pub fn cancel(&mut self) {
        #[cfg(unix)]
        if self.is_asking && self.screens.is_some() {
            let deadline = Instant::now() + PATIENCE;
            // An editor that was asked just now may not listen yet.
            while self.is_asking && Instant::now() < deadline {
                interrupt_editor();
                self.wait(TIME_TO_LISTEN);
            }
        }
    }
}

/// Makes the editor return, by the signal with which it handles Ctrl-C from outside. It has no
/// other way.
#[cfg(unix)]
fn interrupt_editor() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    let _ = kill(Pid::this(), Signal::SIGINT);
}

fn read_in_editor(editor: &mut LineEditor, prompt: &str) -> Typed {
    match editor.readline(prompt) {
        Ok(line) => Typed::Line(line, Instant::now()),
        Err(ReadlineError::Interrupted) => Typed::Interrupted,
        // Bytes that are no text, as of a keyboard in Latin-1, are a slip like any other.
        Err(ReadlineError::Io(error)) if error.kind() == io::ErrorKind::InvalidData => {
            Typed::Line(char::REPLACEMENT_CHARACTER.into(), Instant::now())
        }
        Err(_) => Typed::End,
    }
}

fn read_bare_line() -> Typed {
    let mut line = Vec::new();
    let mut input = io::stdin().lock().take(MAX_LINE_BYTES);
    match input.read_until(b'\n', &mut line) {
        Ok(1..) => Typed::Line(String::from_utf8_lossy(&line).into_owned(), Instant::now()),
        Ok(0) | Err(_) => Typed::End,
    }
}
