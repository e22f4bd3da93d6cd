//! The keyboard: asks a person for a line, in a thread of its own, so that meanwhile the clock can run out.
//!
//! In a terminal the line can be edited, has a history, and Tab completes moves and commands (rustyline). Without one,
//! lines are read as they are, so that games can be scripted.

use std::fs::{self, DirEntry};
use std::io::{self, BufRead, Read};
use std::path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, Pair};
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
#[cfg(unix)]
const TIME_TO_CANCEL: Duration = Duration::from_secs(1);

/// The time after which an editor that has not answered the signal is sent it again.
#[cfg(unix)]
const TIME_TO_LISTEN: Duration = Duration::from_millis(100);

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

    /// Ends an open question, so that the terminal is as it was before. On Windows the editor can't be interrupted, and
    /// the console keeps its mode.
    pub fn cancel(&mut self) {
        #[cfg(unix)]
        if self.is_asking && self.has_editor {
            let deadline = Instant::now() + TIME_TO_CANCEL;
            // An editor that was asked just now may not listen yet.
            while Instant::now() < deadline {
                interrupt_editor();
                if self.wait(TIME_TO_LISTEN).is_some() {
                    break;
                }
            }
        }
    }
}

/// Makes the editor return, by the signal with which it handles Ctrl-C from outside. It has no other way.
#[cfg(unix)]
fn interrupt_editor() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;
    // A process may always send itself a signal.
    let _ = kill(Pid::this(), Signal::SIGINT);
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
}

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
        let words = commands::completions(typed, &self.moves);
        let pairs = words.into_iter().map(|word| Pair {
            display: word.clone(),
            replacement: word,
        });
        Ok((0, pairs.collect()))
    }
}

/// The paths that begin with what is typed of one, in the order of their names. Nothing in them is escaped, since the path
/// is all of the line that follows the command; so rustyline's own completion of paths does not fit here.
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

impl Highlighter for Completions {}
impl Validator for Completions {}
impl Helper for Completions {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::commands::Command;
    use shakmaty::Chess;
    use tempfile::TempDir;

    /// The lines that Tab makes of one.
    fn completed(line: &str) -> Vec<String> {
        let completions = Completions {
            moves: LegalMoves::default(),
        };
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
        let command = Command::parse(&to_file[0], &Chess::default());
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
