//! The process of another engine: how it is started, heard, spoken to and ended.
//!
//! It may do whatever it likes. Its output is read by a thread, and only what matters is kept: the
//! latest thought, and a queue of bounded length. What is sent to it goes through a thread too, so
//! that a process that does not read blocks nobody. It is started in a process group of its own, so
//! that Ctrl-C reaches only this program, which then shuts it down cleanly; what does not end is
//! killed, and no zombie is left.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::arbiter::Thought;
use super::child_lines::{self, Said};

/// The longest line that is read as one, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 16;

/// The lines that wait to be heard, at most. Then the process has to wait too.
const QUEUE_LENGTH: usize = 256;

/// The time that a process has to end after `quit`, and its last words to be read.
const TIME_TO_QUIT: Duration = Duration::from_millis(500);

/// How often to look whether a process has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// What is heard from a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line, and when it was complete.
    Line(Said, Instant),
    /// The end of its output.
    End,
}

/// The latest thought, and when it arrived.
type Latest = Arc<Mutex<Option<(Thought, Instant)>>>;

pub struct ChildProcess {
    child: Child,
    /// `None` after the process was asked to end.
    input: Option<Sender<String>>,
    heard: Receiver<Heard>,
    latest: Latest,
    /// The last line on its stderr that is not blank.
    last_words: Arc<Mutex<String>>,
    /// Hangs up when its stderr has been read to the end.
    errors_end: Receiver<()>,
}

impl ChildProcess {
    /// Starts a command, a program with its arguments.
    pub fn start(command: &str) -> io::Result<ChildProcess> {
        let words = words(command)?;
        let Some((program, arguments)) = words.split_first() else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no command"));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        command.stdin(Stdio::piped());
        command.stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        own_group(&mut command);
        let child = command.spawn()?;
        let (input, to_send) = channel();
        let (sender, heard) = sync_channel(QUEUE_LENGTH);
        let (errors_are_read, errors_end) = channel();
        // From here on it is ended if anything fails.
        let mut process = ChildProcess {
            child,
            input: Some(input),
            heard,
            latest: Latest::default(),
            last_words: Arc::default(),
            errors_end,
        };
        if let Some(stdin) = process.child.stdin.take() {
            spawn(move || send_lines(stdin, &to_send))?;
        }
        if let Some(output) = process.child.stdout.take() {
            let latest = Arc::clone(&process.latest);
            spawn(move || hear_lines(output, &sender, &latest))?;
        }
        if let Some(errors) = process.child.stderr.take() {
            let last_words = Arc::clone(&process.last_words);
            spawn(move || {
                let _hangs_up_at_the_end: Sender<()> = errors_are_read;
                for_each_line(errors, |line| {
                    if !line.trim().is_empty() {
                        *lock(&last_words) = child_lines::text(line.trim());
                    }
                    true
                });
            })?;
        }
        Ok(process)
    }

    pub fn send(&self, line: &str) {
        if let Some(input) = &self.input {
            // Fails only if the process has closed its input; what follows from that is heard.
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Waits for a line other than a thought, up to this long.
    pub fn wait(&self, time: Duration) -> Option<Heard> {
        match self.heard.recv_timeout(time) {
            Ok(heard) => Some(heard),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Heard::End),
        }
    }

    /// The latest thought, and when it arrived.
    pub fn latest(&self) -> Option<(Thought, Instant)> {
        *lock(&self.latest)
    }

    /// Forgets the latest thought.
    pub fn forget_thought(&self) {
        *lock(&self.latest) = None;
    }

    /// Forgets what was said until now. Returns the number of moves in it.
    pub fn forget(&self) -> usize {
        self.forget_thought();
        let said = self.heard.try_iter().take(QUEUE_LENGTH);
        let is_move = |heard: &Heard| matches!(heard, Heard::Line(Said::BestMove(_), _));
        said.filter(is_move).count()
    }

    /// How a process that has closed its output has ended, in words.
    pub fn cause_of_death(&mut self) -> String {
        let status = match self.wait_for_end(TIME_TO_QUIT) {
            Some(status) => status.to_string(),
            None => "it has closed its output".to_owned(),
        };
        // What it said last may not have been read yet. Not longer, since a process that it has
        // started may live on and keep its stderr open.
        let _ = self.errors_end.recv_timeout(TIME_TO_QUIT);
        let last_words = lock(&self.last_words);
        if last_words.is_empty() {
            status
        } else {
            format!("{status}, saying '{last_words}'")
        }
    }

    fn wait_for_end(&mut self, time: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + time;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(POLL_INTERVAL);
        }
    }
}

/// Asks the process to end, and kills it if it does not.
impl Drop for ChildProcess {
    fn drop(&mut self) {
        self.send("quit");
        // The thread that sends ends, and closes the input.
        self.input = None;
        if self.wait_for_end(TIME_TO_QUIT).is_none() {
            kill(&mut self.child);
            // The process is gone or about to go, so this doesn't take long.
            let _ = self.child.wait();
        }
    }
}

/// Lets the process be the first of a new process group, which Ctrl-C does not reach.
#[cfg_attr(not(any(unix, windows)), allow(unused_variables))]
fn own_group(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        std::os::windows::process::CommandExt::creation_flags(command, CREATE_NEW_PROCESS_GROUP);
    }
}

/// Kills a process, and on Unix with it those that it has started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use nix::sys::signal::{Signal, killpg};
        use nix::unistd::Pid;
        if let Ok(group) = i32::try_from(child.id()) {
            // Fails only if all of them have ended.
            let _ = killpg(Pid::from_raw(group), Signal::SIGKILL);
        }
    }
    // Fails only if it has ended.
    let _ = child.kill();
}

fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = thread::Builder::new().name("child".to_owned());
    thread.spawn(work).map(drop)
}

/// Sends lines until there are no more, or nobody reads them.
fn send_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        let written = stdin.write_all(line.as_bytes());
        if written.and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Reads lines until the end of the output, or nobody wants to hear them.
fn hear_lines(output: ChildStdout, sender: &SyncSender<Heard>, latest: &Latest) {
    let on_line = |line: &str| {
        let now = Instant::now();
        match Said::parse(line) {
            Said::Info(thought) => {
                *lock(latest) = Some((thought, now));
                true
            }
            Said::Rubbish => true,
            said => sender.send(Heard::Line(said, now)).is_ok(),
        }
    };
    for_each_line(output, on_line);
    let _ = sender.send(Heard::End);
}

/// Calls `on_line` with each line until it returns false. A line that is too long is cut into
/// several.
fn for_each_line(stream: impl Read, mut on_line: impl FnMut(&str) -> bool) {
    let mut stream = BufReader::new(stream);
    let mut line = Vec::new();
    loop {
        line.clear();
        let mut rest = stream.by_ref().take(MAX_LINE_BYTES);
        match rest.read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(_) if on_line(&String::from_utf8_lossy(&line)) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(_) | Err(_) => return,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The quotation marks. An apostrophe is none on Windows, where names of folders contain it
/// (`O'Brien`) and no shell takes it for one.
const QUOTATION_MARKS: &[char] = if cfg!(windows) { &['"'] } else { &['"', '\''] };

/// Splits a command at spaces outside quotation marks into the program and its arguments. A
/// backslash is a letter like any other, since it separates the folders of a path on Windows. If
/// the whole command is the path of a file, it is the program.
fn words(command: &str) -> io::Result<Vec<String>> {
    let command = command.trim();
    // The name of a program without a folder would be looked up in the folders for programs only.
    let path = Path::new(".").join(command);
    if path.is_file() {
        return Ok(vec![path.display().to_string()]);
    }
    split(command, QUOTATION_MARKS)
}

/// Splits a text at spaces outside quotation marks.
fn split(text: &str, quotation_marks: &[char]) -> io::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(mark) if c == mark => quote = None,
            None if quotation_marks.contains(&c) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        let reason = "a quotation mark is not closed";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
    }
    words.extend(word);
    Ok(words)
}

/// The name of an engine that has not said one: that of its program.
pub(super) fn program_name(command: &str) -> String {
    let words = words(command).unwrap_or_default();
    let program = words.first().map_or(command, String::as_str);
    let name = Path::new(program).file_stem();
    name.map_or_else(
        || command.to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_any_length_and_encoding_are_read() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE_BYTES as usize];
        bytes.extend(b"\nreadyok\r\n\xff\xfe\nlast");
        let mut lines = Vec::new();
        for_each_line(bytes.as_slice(), |line| {
            lines.push(line.trim().to_owned());
            true
        });
        assert_eq!(lines[lines.len() - 3], "readyok");
        assert_eq!(lines[lines.len() - 1], "last");
        assert!(
            lines
                .iter()
                .all(|line| line.len() <= MAX_LINE_BYTES as usize)
        );
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        assert!(ChildProcess::start("/nonexistent/engine").is_err());
        assert!(ChildProcess::start("").is_err());
    }

    /// Splits a command in which both marks are quotation marks, or only the double one, as on
    /// Windows.
    fn split_by(marks: &[char], command: &str) -> Vec<String> {
        split(command, marks).expect("a command")
    }

    #[test]
    fn a_command_is_split_at_spaces_outside_quotation_marks() {
        let split_here = |command| split_by(&['"', '\''], command);
        assert_eq!(split_here("stockfish"), ["stockfish"]);
        assert_eq!(split_here(" a  b\tc "), ["a", "b", "c"]);
        assert_eq!(
            split_here("sh -c 'echo \"a b\"' \"c d\"e ''"),
            ["sh", "-c", "echo \"a b\"", "c de", ""]
        );
        assert_eq!(split_here(""), [""; 0]);
        assert!(split("sh -c 'echo", &['"', '\'']).is_err());
    }

    #[test]
    fn paths_of_windows_keep_their_backslashes_and_apostrophes() {
        assert_eq!(
            split_by(&['"'], r#""C:\Program Files\sf.exe" --uci \\server\x"#),
            [r"C:\Program Files\sf.exe", "--uci", r"\\server\x"]
        );
        assert_eq!(
            split_by(&['"'], r"C:\Users\O'Brien\sf.exe -t 2"),
            [r"C:\Users\O'Brien\sf.exe", "-t", "2"]
        );
    }

    #[test]
    fn the_path_of_a_file_is_one_word() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert_eq!(words(path).expect("a command"), [path]);
    }

    #[test]
    fn a_file_of_the_current_directory_is_not_looked_up_elsewhere() {
        // Tests run in the folder of Cargo.toml.
        let found = words("Cargo.toml").expect("a command");
        let expected = Path::new(".").join("Cargo.toml");
        assert_eq!(found, [expected.display().to_string()]);
    }

    #[test]
    fn the_name_of_a_program_can_have_spaces() {
        for (command, name) in [
            ("stockfish", "stockfish"),
            ("/usr/games/gnuchess --uci", "gnuchess"),
            ("\"/opt/My Engines/sf 16\" --uci", "sf 16"),
            ("Cargo.toml", "Cargo"),
            ("\"not closed", "\"not closed"),
            ("", ""),
        ] {
            assert_eq!(program_name(command), name);
        }
    }
}
