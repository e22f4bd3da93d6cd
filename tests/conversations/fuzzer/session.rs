//! Plays a script with the real program, and checks what it answers.

use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::checker::Checker;
use super::declared_option::DeclaredOption;
use super::fault::{Fault, fault};
use super::protocol::Protocol;
use super::script::Script;
use crate::support::{engine, read_lines, wait_for_exit};

/// What is said after every script: the engine must still obey and play.
const SIGNS_OF_LIFE: [&str; 6] = [
    "stop",
    "isready",
    "setoption name UCI_Chess960 value false",
    "position startpos moves e2e4",
    "d",
    "go nodes 200",
];

/// A running engine, and what was said so far.
struct Session {
    engine: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    checker: Checker,
    deadline: Duration,
}

/// Plays a script with an engine in this folder. No answer may take longer than the deadline.
pub fn play(
    script: &Script,
    options: &[DeclaredOption],
    folder: &str,
    deadline: Duration,
) -> Result<(), Fault> {
    let mut session = Session::start(options, folder, deadline);
    for step in &script.steps {
        session.say(&step.bytes)?;
        if step.waits {
            session.listen_until("the answer of a search", |checker| !checker.answers_soon())?;
        }
    }
    for line in SIGNS_OF_LIFE {
        session.say(line.as_bytes())?;
    }
    session.listen_until("the answers to the last lines", |checker| {
        checker.is_up_to_date() && checker.is_idle()
    })?;
    session.say(script.ending.go.as_bytes())?;
    if script.ending.quits {
        session.say(b"quit")?;
    }
    session.end()
}

impl Session {
    fn start(options: &[DeclaredOption], folder: &str, deadline: Duration) -> Session {
        let mut command = Command::new(engine());
        let mut engine = command
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the engine was built beside this test");
        Session {
            input: engine.stdin.take(),
            lines: read_lines(engine.stdout.take().expect("stdout was piped")),
            engine,
            checker: Checker::new(Protocol::new(options.to_vec())),
            deadline,
        }
    }

    /// Sends bytes and a line feed. If a line asks for a sign of life, waits for it.
    fn say(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        if self.checker.has_quit {
            return Ok(());
        }
        let asks = self.checker.sent(bytes);
        let input = self
            .input
            .as_mut()
            .expect("the input is closed at the end only");
        // What was said before can be why the engine doesn't listen any more. Its last lines are
        // read at the end.
        let sent = input.write_all(&[bytes, b"\n"].concat());
        if let (Err(error), false) = (sent, self.checker.has_quit) {
            return Err(fault("the engine reads no more", error.to_string()));
        }
        if asks && !self.checker.has_quit {
            self.listen_until("readyok", Checker::is_up_to_date)?;
        }
        Ok(())
    }

    /// Reads and checks lines until the checker has what it waits for.
    fn listen_until(
        &mut self,
        awaited: &str,
        is_done: impl Fn(&Checker) -> bool,
    ) -> Result<(), Fault> {
        let end = Instant::now() + self.deadline;
        while !is_done(&self.checker) && !self.checker.has_quit {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.checker.received(&line)?,
                Err(RecvTimeoutError::Timeout) => return Err(fault("no answer in time", awaited)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(fault("the engine has ended", awaited));
                }
            }
        }
        Ok(())
    }

    /// Closes the input, reads all that is left, and waits for the end of the process.
    fn end(&mut self) -> Result<(), Fault> {
        self.input = None;
        self.checker.input_ended();
        let end = Instant::now() + self.deadline;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left) {
                Ok(line) => self.checker.received(&line)?,
                Err(RecvTimeoutError::Timeout) => return Err(fault("no end in time", "")),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match wait_for_exit(&mut self.engine, self.deadline) {
            Some(status) if status.success() => self.checker.ended(),
            status => Err(fault("a bad exit", format!("{status:?}"))),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Both fail only if the process has ended already.
        let _ = self.engine.kill();
        let _ = self.engine.wait();
    }
}
