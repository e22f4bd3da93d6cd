//! The editor of the line that a person types at a terminal (rustyline): its prompt changes while
//! it is open, Tab completes moves, commands and paths, and Ctrl-L draws the screen anew.

use std::borrow::Cow;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{self, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rustyline::completion::{Completer, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event,
    EventContext, EventHandler, ExternalPrinter, Helper, KeyEvent, RepeatCount,
};

use super::commands::{self, LegalMoves};

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
pub struct Line {
    /// The text before the cursor.
    pub prompt: String,
    /// The moves that Tab completes.
    pub moves: LegalMoves,
    /// Whether the editor reads the keyboard.
    pub is_open: bool,
}

/// The line that is shared with the editor's thread.
#[derive(Clone, Default)]
pub struct SharedLine(Arc<(Mutex<Line>, Condvar)>);

impl SharedLine {
    pub fn lock(&self) -> MutexGuard<'_, Line> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the editor reads the keyboard, up to this long.
    pub fn wait_until_open(&self, time: Duration) {
        let is_closed = |line: &mut Line| !line.is_open;
        let _ = self.0.1.wait_timeout_while(self.lock(), time, is_closed);
    }
}

pub type LineEditor = Editor<SharedLine, DefaultHistory>;

/// An editor that shows and completes this line.
pub fn start(line: &SharedLine, typed: Sender<Typed>) -> io::Result<LineEditor> {
    let config = Config::builder()
        .auto_add_history(true)
        .completion_type(CompletionType::List)
        // Lines that are pasted are lines, as if they were typed.
        .bracketed_paste(false)
        // It draws nothing in color, but only so it asks for the prompt each time.
        .color_mode(ColorMode::Forced)
        .build();
    let mut editor = Editor::with_config(config).map_err(io::Error::other)?;
    editor.set_helper(Some(line.clone()));
    let redraw = EventHandler::Conditional(Box::new(Redraw(typed)));
    editor.bind_sequence(KeyEvent::ctrl('l'), redraw);
    // A stopped program would leave the screen divided, and the clock runs on.
    editor.bind_sequence(KeyEvent::ctrl('z'), Cmd::Noop);
    Ok(editor)
}

/// Starts the thread that hands screens to the open editor. It waits while somebody searches the
/// history or looks at completions; of what has come meanwhile only the last screen is shown.
pub fn start_printer(editor: &mut LineEditor) -> io::Result<Sender<String>> {
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

/// Completes moves, commands, and the names of files after `save`.
impl Completer for SharedLine {
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
        let words = commands::completions(typed, &self.lock().moves);
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
    let listed = fs::read_dir(match folder {
        "" => PathBuf::from("."),
        _ => commands::from_home(folder),
    });
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

impl Hinter for SharedLine {
    type Hint = String;
}

impl Highlighter for SharedLine {
    /// The prompt of this moment. The editor asks for it when it begins, too.
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, other: &'p str, own: bool) -> Cow<'b, str> {
        if !own {
            return Cow::Borrowed(other);
        }
        let mut line = self.lock();
        line.is_open = true;
        self.0.1.notify_all();
        Cow::Owned(line.prompt.clone())
    }
}

impl Validator for SharedLine {}
impl Helper for SharedLine {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::commands::Command;
    use tempfile::TempDir;

    /// The lines that Tab makes of one.
    fn completed(line: &str) -> Vec<String> {
        let completions = SharedLine::default();
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
