//! The keyboard: asks a person for a line, in a thread of its own, so that meanwhile the clock can
//! run out.
//!
//! In a terminal the line can be edited, has a history, and Tab completes moves and commands
//! (rustyline). The editor stays open while the engine thinks, so nothing that is typed is lost;
//! what is to be shown meanwhile goes through it, and it draws its own line anew below. Without a
//! terminal, lines are read as they are, so that games can be scripted.

use std::borrow::Cow;
use std::fs::{self, DirEntry};
use std::io::{self, BufRead, IsTerminal, Read};
use std::path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event,
    EventContext, EventHandler, ExternalPrinter, Helper, KeyEvent, RepeatCount,
};

use super::commands::{self, LegalMoves};

/// The longest line that is read without a terminal, in bytes. What is longer is cut.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// The time that the editor has to begin, and to leave the terminal as it was.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time after which an editor that has not answered the signal is sent it again.
#[cfg(unix)]
const TIME_TO_LISTEN: Duration = Duration::from_millis(100);

/// What a person has typed.
#[derive(Debug)]
pub enum Typed {
    /// A line, and when it was complete.
    Line(String, Instant),
    /// Ctrl-L: the screen is to be drawn anew. The line stays open.
    Redraw,
    Interrupted,
    /// The end of the input, in a terminal Ctrl-D.
    End,
}

/// What the editor of the line shows and completes.
#[derive(Default)]
struct Line {
    /// The text before the cursor.
    prompt: String,
    /// The moves that Tab completes.
    moves: LegalMoves,
    /// Whether the editor reads the keyboard.
    is_open: bool,
}

/// The line that is shared with the editor's thread.
#[derive(Clone, Default)]
struct SharedLine(Arc<(Mutex<Line>, Condvar)>);

impl SharedLine {
    fn lock(&self) -> MutexGuard<'_, Line> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
        let (mut source, screens) = if has_editor {
            let mut editor = editor(&line, sender.clone())?;
            let screens = start_printer(&mut editor)?;
            (Source::Editor(Box::new(editor)), Some(screens))
        } else {
            (Source::Lines, None)
        };
        thread::Builder::new()
            .name("console".to_owned())
            .spawn(move || {
                while to_ask.recv().is_ok() {
                    if sender.send(source.read(prompt_columns)).is_err() {
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
            let is_closed = |line: &mut Line| !line.is_open;
            let open = &self.line.0.1;
            let _ = open.wait_timeout_while(self.line.lock(), PATIENCE, is_closed);
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

type LineEditor = Editor<Completions, DefaultHistory>;

enum Source {
    Editor(Box<LineEditor>),
    Lines,
}

fn editor(line: &SharedLine, typed: Sender<Typed>) -> io::Result<LineEditor> {
    let config = Config::builder()
        .auto_add_history(true)
        .completion_type(CompletionType::List)
        // Lines that are pasted are lines, as if they were typed.
        .bracketed_paste(false)
        // It draws nothing in color, but only so it asks for the prompt each time.
        .color_mode(ColorMode::Forced)
        .build();
    let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
    editor.set_helper(Some(Completions(line.clone())));
    let redraw = EventHandler::Conditional(Box::new(Redraw(typed)));
    editor.bind_sequence(KeyEvent::ctrl('l'), redraw);
    Ok(editor)
}

/// Starts the thread that hands screens to the open editor. It waits while somebody searches the
/// history or looks at completions; of what has come meanwhile only the last screen is shown.
fn start_printer(editor: &mut LineEditor) -> io::Result<Sender<String>> {
    let mut printer = editor.create_external_printer().map_err(io::Error::other)?;
    let (screens, to_print) = channel::<String>();
    thread::Builder::new()
        .name("printer".to_owned())
        .spawn(move || {
            while let Ok(first) = to_print.recv() {
                let latest = to_print.try_iter().last().unwrap_or(first);
                if printer.print(latest).is_err() {
                    return;
                }
            }
        })?;
    Ok(screens)
}

/// What Ctrl-L does: it asks for the screen, instead of emptying it.
struct Redraw(Sender<Typed>);

impl ConditionalEventHandler for Redraw {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, _: &EventContext<'_>) -> Option<Cmd> {
        // Fails only if nobody wants to hear any more.
        let _ = self.0.send(Typed::Redraw);
        Some(Cmd::Noop)
    }
}

impl Source {
    fn read(&mut self, prompt_columns: usize) -> Typed {
        match self {
            Source::Editor(editor) => match editor.readline(&" ".repeat(prompt_columns)) {
                Ok(line) => Typed::Line(line, Instant::now()),
                Err(ReadlineError::Interrupted) => Typed::Interrupted,
                Err(_) => Typed::End,
            },
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
struct Completions(SharedLine);

impl Completer for Completions {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..position).unwrap_or(line);
        if let Some(path) = commands::path_to_save(typed) {
            return Ok((typed.len() - path.len(), paths_that_begin_with(path)));
        }
        let words = commands::completions(typed, &self.0.lock().moves);
        let pairs = words.into_iter().map(|word| Pair {
            display: word.clone(),
            replacement: word,
        });
        Ok((0, pairs.collect()))
    }
}

/// The paths that begin with what is typed of one, by name. Unlike in rustyline's own completion
/// nothing is escaped.
fn paths_that_begin_with(typed: &str) -> Vec<Pair> {
    let folder_length = typed.rfind(path::is_separator).map_or(0, |index| index + 1);
    let (folder, beginning) = typed.split_at(folder_length);
    let listed = fs::read_dir(if folder.is_empty() { "." } else { folder });
    let entries = listed.into_iter().flatten().flatten();
    let pair = |entry: DirEntry| {
        let mut name = entry.file_name().into_string().ok()?;
        if !name.starts_with(beginning) {
            return None;
        }
        if entry.path().is_dir() {
            name.push(path::MAIN_SEPARATOR);
        }
        Some(Pair {
            replacement: format!("{folder}{name}"),
            display: name,
        })
    };
    let mut pairs: Vec<Pair> = entries.filter_map(pair).collect();
    pairs.sort_by(|one, other| one.display.cmp(&other.display));
    pairs
}

impl Hinter for Completions {
    type Hint = String;
}

impl Highlighter for Completions {
    /// The prompt of this moment. The editor asks for it when it begins, too.
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, other: &'p str, own: bool) -> Cow<'b, str> {
        if !own {
            return Cow::Borrowed(other);
        }
        let mut line = self.0.lock();
        line.is_open = true;
        self.0.0.1.notify_all();
        Cow::Owned(line.prompt.clone())
    }
}

impl Validator for Completions {}
impl Helper for Completions {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::commands::Command;
    use tempfile::TempDir;

    /// The lines that Tab makes of one.
    fn completed(line: &str) -> Vec<String> {
        let completions = Completions(SharedLine::default());
        let history = DefaultHistory::new();
        let (start, pairs) = completions
            .complete(line, line.len(), &Context::new(&history))
            .expect("completions");
        let lines = pairs.iter().map(|pair| &pair.replacement);
        lines
            .map(|replacement| format!("{}{replacement}", &line[..start]))
            .collect()
    }

    #[test]
    fn a_completed_path_is_the_one_that_is_saved() {
        let home = TempDir::with_prefix("squarewise-completion-").expect("a folder");
        let folder = home.path().join("my games (2)");
        fs::create_dir(&folder).expect("a folder");
        let file = folder.join("Anna's game.pgn");
        fs::write(&file, "").expect("a file");
        fs::write(folder.join("another.pgn"), "").expect("a file");
        let to_folder = completed(&format!("save {}", home.path().join("my").display()));
        assert_eq!(
            to_folder,
            [format!("save {}{}", folder.display(), path::MAIN_SEPARATOR)]
        );
        let to_file = completed(&format!("  Save  {}", folder.join("A").display()));
        assert_eq!(to_file, [format!("  Save  {}", file.display())]);
        let command = Command::parse(&to_file[0]);
        assert_eq!(command, Command::Save(file));
        let all = completed(&to_folder[0]);
        assert_eq!(all.len(), 2);
        assert!(all.is_sorted());
        assert_eq!(completed(&format!("{}nothing", to_folder[0])), [""; 0]);
    }

    #[test]
    fn other_words_are_completed_as_moves_and_commands() {
        assert_eq!(completed("sa"), ["save"]);
        assert_eq!(completed("resi"), ["resign"]);
        assert_eq!(completed("saved "), [""; 0]);
    }
}
