//! The keyboard: asks a person for a line, in a thread of its own, so that meanwhile the clock can run out.
//!
//! In a terminal the line can be edited, has a history, and Tab completes moves and commands (rustyline). Without one,
//! lines are read as they are, so that games can be scripted.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, DefaultEditor, Editor, Helper};

use super::commands::{self, LegalMoves};

/// The longest line that is read without a terminal, in bytes. What is longer is cut.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// The time that the editor has to leave the terminal as it was.
const TIME_TO_CANCEL: Duration = Duration::from_secs(1);

/// What a person is asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// The text before the cursor.
    pub prompt: String,
    /// The moves that Tab completes.
    pub moves: LegalMoves,
}

/// What a person has typed.
#[derive(Debug)]
pub enum Typed {
    /// A line, and when it was complete.
    Line(String, Instant),
    /// Ctrl-C.
    Interrupted,
    /// The end of the input, in a terminal Ctrl-D.
    End,
}

/// The thread that reads.
pub struct Console {
    questions: Sender<Question>,
    typed: Receiver<Typed>,
    /// Whether a question is not answered yet.
    is_asking: bool,
    has_editor: bool,
}

impl Console {
    /// Starts the thread, with a line editor if input and output are a terminal that can do it.
    ///
    /// # Errors
    ///
    /// If the thread or the editor can't be started.
    pub fn start(has_editor: bool) -> io::Result<Console> {
        let (questions, to_ask) = channel();
        let (sender, typed) = channel();
        let mut source = if has_editor {
            Source::Editor(Box::new(editor()?))
        } else {
            Source::Lines
        };
        thread::Builder::new()
            .name("console".to_owned())
            .spawn(move || {
                let _printer = source.external_printer();
                while let Ok(question) = to_ask.recv() {
                    if sender.send(source.read(question)).is_err() {
                        return;
                    }
                }
            })?;
        Ok(Console {
            questions,
            typed,
            is_asking: false,
            has_editor,
        })
    }

    /// Asks for a line, unless a question is open already.
    pub fn ask(&mut self, question: Question) {
        if !self.is_asking {
            // Fails only if the thread has ended; then `wait` says so.
            let _ = self.questions.send(question);
            self.is_asking = true;
        }
    }

    /// Waits for the line, up to this long.
    pub fn wait(&mut self, time: Duration) -> Option<Typed> {
        let typed = match self.typed.recv_timeout(time) {
            Ok(typed) => typed,
            Err(RecvTimeoutError::Timeout) => return None,
            Err(RecvTimeoutError::Disconnected) => Typed::End,
        };
        self.is_asking = false;
        Some(typed)
    }

    /// Ends an open question, so that the terminal is as it was before.
    pub fn cancel(&mut self) {
        if self.is_asking && self.has_editor {
            interrupt_editor();
            self.wait(TIME_TO_CANCEL);
        }
    }
}

/// Makes the editor return, by the signal with which it handles Ctrl-C from outside. It has no other way.
fn interrupt_editor() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, kill};
        use nix::unistd::Pid;
        // A process may always send itself a signal.
        let _ = kill(Pid::this(), Signal::SIGINT);
    }
}

/// The size of the terminal in columns and rows; `None` if the output is none.
pub fn terminal_size() -> Option<(usize, usize)> {
    let (columns, rows) = DefaultEditor::new().ok()?.dimensions()?;
    let is_known = columns > 0 && rows > 0;
    is_known.then_some((usize::from(columns), usize::from(rows)))
}

enum Source {
    Editor(Box<Editor<Completions, DefaultHistory>>),
    Lines,
}

fn editor() -> io::Result<Editor<Completions, DefaultHistory>> {
    let config = Config::builder()
        .auto_add_history(true)
        .completion_type(CompletionType::List)
        .build();
    let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
    editor.set_helper(Some(Completions {
        moves: LegalMoves::default(),
        files: FilenameCompleter::new(),
    }));
    Ok(editor)
}

impl Source {
    /// While the editor has a printer, it listens for signals, so that it can be interrupted.
    fn external_printer(&mut self) -> Option<impl rustyline::ExternalPrinter + use<>> {
        match self {
            Source::Editor(editor) => editor.create_external_printer().ok(),
            Source::Lines => None,
        }
    }

    fn read(&mut self, question: Question) -> Typed {
        match self {
            Source::Editor(editor) => {
                if let Some(completions) = editor.helper_mut() {
                    completions.moves = question.moves;
                }
                match editor.readline(&question.prompt) {
                    Ok(line) => Typed::Line(line, Instant::now()),
                    Err(ReadlineError::Interrupted) => Typed::Interrupted,
                    Err(_) => Typed::End,
                }
            }
            Source::Lines => {
                let mut line = Vec::new();
                let mut input = io::stdin().lock().take(MAX_LINE_BYTES);
                match input.read_until(b'\n', &mut line) {
                    Ok(1..) => {
                        Typed::Line(String::from_utf8_lossy(&line).into_owned(), Instant::now())
                    }
                    Ok(0) | Err(_) => Typed::End,
                }
            }
        }
    }
}

/// Completes moves, commands, and the names of files after `save`.
struct Completions {
    moves: LegalMoves,
    files: FilenameCompleter,
}

impl Completer for Completions {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        if line.trim_start().starts_with("save ") {
            return self.files.complete(line, position, context);
        }
        let typed = line.get(..position).unwrap_or(line);
        let words = commands::completions(typed, &self.moves);
        let pairs = words.into_iter().map(|word| Pair {
            display: word.clone(),
            replacement: word,
        });
        Ok((0, pairs.collect()))
    }
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}
