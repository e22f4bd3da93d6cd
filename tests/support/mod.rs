//! A conversation with the real program, as a GUI would hold it.
//!
//! The engine runs as a child process, and its output arrives through a channel, so that every wait
//! has a deadline: if the engine hangs, the test fails. The deadline is far longer than any answer
//! takes. When a test fails, the conversation so far is printed with the message.

// Every test crate compiles this module and uses a part of it.
#![allow(dead_code)]
// A test that fails may print what helps to understand it.
#![allow(clippy::print_stderr)]

pub mod damage;
pub mod positions;
pub mod programs;
pub mod scratch;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::LazyLock;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position with every kind of move, in which perft finds most mistakes of a move generator.
pub const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The path of the engine: the one that was built beside the tests, or the one that the variable
/// `SQUAREWISE` names, so that the program of another build can be talked to.
pub fn engine() -> &'static str {
    static ENGINE: LazyLock<String> = LazyLock::new(|| {
        let built = env!("CARGO_BIN_EXE_squarewise").to_owned();
        std::env::var("SQUAREWISE").unwrap_or(built)
    });
    &ENGINE
}

/// The longest time for any answer of the engine.
const DEADLINE: Duration = Duration::from_secs(20);

/// How often to check whether the process has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Longer entries of the transcript are cut off: some tests send a hundred thousand letters.
const TRANSCRIPT_WIDTH: usize = 200;

/// A running engine, with a transcript of what was sent and received.
pub struct Conversation {
    engine: Child,
    /// `None` after [`Conversation::close_stdin`].
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: Vec<String>,
}

impl Conversation {
    /// Starts the engine the way a GUI does, without arguments.
    pub fn start() -> Conversation {
        Conversation::start_with(&[])
    }

    /// Starts the engine with arguments.
    pub fn start_with(arguments: &[&str]) -> Conversation {
        Conversation::start_by(Command::new(engine()).args(arguments))
    }

    /// Starts the engine with a command that the test has made.
    pub fn start_by(command: &mut Command) -> Conversation {
        let mut engine = spawn(command.stderr(Stdio::null()));
        let output = engine.stdout.take().expect("stdout was piped");
        Conversation::with(engine, read_lines(output))
    }

    /// Starts the engine with its stdout closed before it can write a line.
    pub fn start_unheard() -> Conversation {
        let mut engine = spawn(Command::new(engine()).stderr(Stdio::null()));
        drop(engine.stdout.take());
        let (_, nothing) = mpsc::channel();
        Conversation::with(engine, nothing)
    }

    /// Starts the engine with arguments and with its stderr closed before it can write a line.
    pub fn start_without_stderr(arguments: &[&str]) -> Conversation {
        let mut command = Command::new(engine());
        let mut engine = spawn(command.args(arguments).stderr(Stdio::piped()));
        drop(engine.stderr.take());
        let output = engine.stdout.take().expect("stdout was piped");
        Conversation::with(engine, read_lines(output))
    }

    fn with(mut engine: Child, lines: Receiver<String>) -> Conversation {
        let input = engine.stdin.take();
        Conversation {
            engine,
            input,
            lines,
            transcript: Vec::new(),
        }
    }

    /// Sends one command.
    pub fn send(&mut self, command: &str) {
        self.send_raw(format!("{command}\n").as_bytes());
    }

    /// Sends bytes as they are, which need not be lines or text.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        self.record('>', &String::from_utf8_lossy(bytes));
        let input = self.input.as_mut().expect("the input is still open");
        input.write_all(bytes).expect("the engine reads its input");
    }

    /// Closes the engine's input.
    pub fn close_stdin(&mut self) {
        self.input = None;
    }

    /// Reads up to the first line with this prefix and returns that line.
    pub fn expect_prefix(&mut self, prefix: &str) -> String {
        let mut lines = self.lines_until_prefix(prefix);
        lines.pop().expect("the lines end with the awaited one")
    }

    /// Reads up to the first line with this prefix and returns everything read, that line included.
    pub fn lines_until_prefix(&mut self, prefix: &str) -> Vec<String> {
        let deadline = Instant::now() + DEADLINE;
        let mut lines = Vec::new();
        loop {
            let line = self.next_line(deadline, prefix);
            let is_awaited = line.starts_with(prefix);
            lines.push(line);
            if is_awaited {
                return lines;
            }
        }
    }

    fn next_line(&mut self, deadline: Instant, awaited: &str) -> String {
        let timeout = deadline.saturating_duration_since(Instant::now());
        match self.lines.recv_timeout(timeout) {
            Ok(line) => {
                self.record('<', &line);
                line
            }
            Err(RecvTimeoutError::Timeout) => panic!("no {awaited:?} within {DEADLINE:?}"),
            Err(RecvTimeoutError::Disconnected) => {
                panic!("the engine closed its output before {awaited:?}")
            }
        }
    }

    /// Waits until the engine has processed everything sent so far; returns the lines that it sent
    /// meanwhile.
    pub fn sync(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.lines_until_prefix("readyok");
        lines.pop();
        lines
    }

    /// Fails if the engine still sends anything.
    pub fn assert_idle(&mut self) {
        let rest = self.sync();
        assert!(rest.is_empty(), "an idle engine is silent: {rest:?}");
    }

    /// Fails if the engine has sent its answer although it must still search, or wait.
    pub fn assert_no_answer_yet(&mut self) {
        let lines = self.sync();
        let has_answered = lines.iter().any(|line| line.starts_with("bestmove"));
        assert!(!has_answered, "the answer came early: {lines:?}");
    }

    /// Waits for `duration` and fails if a line with this prefix arrives; every line has the empty
    /// prefix.
    pub fn assert_withheld_for(&mut self, duration: Duration, prefix: &str) {
        let end = Instant::now() + duration;
        let rest = || end.saturating_duration_since(Instant::now());
        while let Ok(line) = self.lines.recv_timeout(rest()) {
            self.record('<', &line);
            assert!(!line.starts_with(prefix), "this came early: {line}");
        }
    }

    /// Sends a command that must be executed without an answer.
    pub fn assert_accepted(&mut self, command: &str) {
        self.send(command);
        let answer = self.sync();
        assert!(answer.is_empty(), "{command:?} was answered: {answer:?}");
    }

    /// Sends a command that must be refused by an `info string` that names the offending word.
    pub fn assert_refused(&mut self, command: &str, offender: &str) {
        self.send(command);
        let answer = self.sync();
        let is_named = answer
            .iter()
            .any(|line| line.starts_with("info string") && line.contains(offender));
        assert!(is_named, "{command:?} was answered: {answer:?}");
    }

    /// Sends a `go` that ends by itself; returns all lines up to its `bestmove`, the last one.
    pub fn search(&mut self, go: &str) -> Vec<String> {
        self.send(go);
        self.lines_until_prefix("bestmove")
    }

    /// Sends a `go` that ends by itself; returns the move of its `bestmove`.
    pub fn best_move(&mut self, go: &str) -> String {
        self.send(go);
        move_of(&self.expect_prefix("bestmove"))
    }

    /// What `d` shows under a label: `Fen`, `Key` or `Checkers`.
    pub fn shown(&mut self, label: &str) -> String {
        self.send("d");
        let board = self.sync();
        let value = board
            .iter()
            .find_map(|line| line.strip_prefix(label)?.strip_prefix(':'));
        match value {
            Some(value) => value.trim().to_owned(),
            None => panic!("d shows no {label}: {board:?}"),
        }
    }

    /// The most memory that the engine has had resident so far, in KiB, without the pages of its
    /// program: those of a build for debugging are many, and differ from machine to machine.
    #[cfg(target_os = "linux")]
    pub fn peak_memory_kib(&self) -> u64 {
        self.memory_kib("VmHWM:")
    }

    /// What of it is resident now.
    #[cfg(target_os = "linux")]
    pub fn resident_memory_kib(&self) -> u64 {
        self.memory_kib("VmRSS:")
    }

    #[cfg(target_os = "linux")]
    fn memory_kib(&self, kind: &str) -> u64 {
        let path = format!("/proc/{}/status", self.engine.id());
        let status = std::fs::read_to_string(path).expect("Linux describes its processes");
        let kib = |label| -> Option<u64> {
            status.lines().find_map(|line| {
                let number = line.strip_prefix(label)?.trim().strip_suffix(" kB")?;
                number.parse().ok()
            })
        };
        let memory = kib(kind).expect("it is in kB");
        // Some sandboxes don't count the program's pages.
        memory - kib("RssFile:").unwrap_or(0)
    }

    /// Sends the process a signal, by its name for `kill`.
    #[cfg(unix)]
    pub fn end_by(&self, signal: &str) {
        let id = self.engine.id().to_string();
        let sent = Command::new("kill")
            .args([&format!("-{signal}"), &id])
            .status();
        let sent = sent.expect("kill is everywhere");
        assert!(sent.success(), "the process has ended before");
    }

    /// Waits for the end of the process.
    pub fn wait_exit(&mut self) -> ExitStatus {
        wait_for_exit(&mut self.engine, DEADLINE)
            .unwrap_or_else(|| panic!("the process has not ended within {DEADLINE:?}"))
    }

    fn record(&mut self, direction: char, text: &str) {
        let shown: String = text.escape_debug().take(TRANSCRIPT_WIDTH).collect();
        self.transcript.push(format!("{direction} {shown}"));
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("the conversation so far:\n{}", self.transcript.join("\n"));
        }
        // Both fail only if the process has ended already.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}

/// Waits for the end of a process; `None` if it goes on for longer than this.
pub fn wait_for_exit(process: &mut Child, timeout: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + timeout;
    while Instant::now() < deadline {
        match process.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => thread::sleep(POLL_INTERVAL),
            Err(error) => panic!("the process cannot be waited for: {error}"),
        }
    }
    None
}

/// The move of a `bestmove` line.
pub fn move_of(bestmove: &str) -> String {
    let word = bestmove.split_whitespace().nth(1);
    word.expect("a bestmove line names a move").to_owned()
}

fn spawn(command: &mut Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine was built beside this test")
}

/// Reads lines in a thread of its own, which ends with the output. Carriage returns are kept, so
/// that tests notice them.
pub fn read_lines(output: ChildStdout) -> Receiver<String> {
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let text = String::from_utf8(line).expect("the engine writes UTF-8");
            if sender.send(text).is_err() {
                break;
            }
        }
    });
    lines
}
