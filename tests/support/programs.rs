//! Programs that run to their end, to a limit that the shell sets, or until a signal.

#![allow(dead_code)] // Every test crate compiles this module and uses a part of it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{self, Child, Command, Output, Stdio};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

/// The signals that ask a program to end, by their names for `kill`.
pub const SIGNALS: [&str; 2] = ["INT", "TERM"];

/// A program with arguments, under a limit that `ulimit` sets. The program itself sees to it that
/// writing is an error where a file would become too large, as on a full disk.
pub fn limited(limit: &str, program: &str, arguments: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script, program]).args(arguments);
    shell.stdin(Stdio::null());
    shell
}

/// A program with arguments and without input.
pub fn without_input(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs a command that must succeed; returns what it writes.
pub fn output_of(command: &mut Command) -> String {
    let output = run(command);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("the output is text")
}

/// Runs a command that must end with an error; returns its message.
pub fn error_of(command: &mut Command) -> String {
    let output = run(command);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("the message is text");
    assert!(message.contains("error: "), "{message}");
    message
}

pub fn run(command: &mut Command) -> Output {
    command.output().expect("the program was built")
}

/// Makes programs started from now on end at a signal, as in a terminal. A process that a shell
/// runs in the background ignores Ctrl-C and its children inherit that, unless it catches the
/// signal.
fn hand_down_no_ignored_signal() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        ctrlc::set_handler(|| process::exit(130)).expect("no other handler is set");
    });
}

/// Starts a program with pipes for its output.
pub fn start(command: &mut Command) -> Child {
    hand_down_no_ignored_signal();
    let pipes = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    pipes.spawn().expect("the program was built")
}

/// Sends a signal, by its name for `kill`.
pub fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let sent = Command::new("kill")
        .args([&format!("-{signal}"), &id])
        .status();
    assert!(sent.expect("kill is everywhere").success(), "{signal}");
}

/// Starts the program and sends it a signal when its first line of output has come. Returns all
/// that it has written.
pub fn interrupted_after_a_line(signal: &str, command: &mut Command) -> Output {
    let mut child = start(command);
    let mut output = BufReader::new(child.stdout.take().expect("stdout was piped"));
    let mut stdout = String::new();
    output.read_line(&mut stdout).expect("a line");
    send(signal, &child);
    output.read_to_string(&mut stdout).expect("text");
    let ended = child.wait_with_output().expect("the program ends");
    Output {
        stdout: stdout.into_bytes(),
        ..ended
    }
}

/// Starts the program and sends it a signal when `is_time`.
pub fn interrupted_when(signal: &str, command: &mut Command, is_time: impl Fn() -> bool) -> Output {
    let child = start(command);
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_time() {
        assert!(Instant::now() < deadline, "{command:?} takes too long");
        thread::sleep(Duration::from_millis(5));
    }
    send(signal, &child);
    child.wait_with_output().expect("the program ends")
}

/// The length of a file; 0 if it is missing.
pub fn length(path: &str) -> u64 {
    fs::metadata(path).map_or(0, |file| file.len())
}
