//! Faults of the machine and of other programs: what is lost then, and that it is said.
//!
//! A full disk, signals, memory that is refused, places that can't be written, a search that panics, an engine that
//! floods its output. Shells limit what the program may use, so that the tests need no rights and no devices.

mod children;
mod full_disk;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(debug_assertions)]
mod panics;
mod places;
mod signals;

use std::process::{Command, Output, Stdio};

use crate::support::program_with;

/// The program with arguments, under a limit that `ulimit` sets. The program itself sees to it that
/// writing is an error where a file would become too large, as on a full disk.
fn limited(limit: &str, arguments: &[&str]) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
    let program = program_with(arguments);
    shell.args(["-c", &script]).arg(program).args(arguments);
    shell.stdin(Stdio::null());
    shell
}

/// The program with arguments and without input.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(program_with(arguments));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs a command that must succeed; returns what it writes.
fn output_of(command: &mut Command) -> String {
    let output = run(command);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("the output is text")
}

/// Runs a command that must end with an error; returns its message.
fn error_of(command: &mut Command) -> String {
    let output = run(command);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8(output.stderr).expect("the message is text");
    assert!(message.contains("error: "), "{message}");
    message
}

fn run(command: &mut Command) -> Output {
    command.output().expect("the program was built")
}

/// The arguments that play quick games and write them to a file.
fn selfplay<'a>(games: &'a str, file: &'a str) -> Vec<&'a str> {
    let settings = ["--nodes", "60", "--tables", "simplified"];
    let run = ["selfplay", "--games", games, "--out", file];
    [run.as_slice(), &settings].concat()
}

/// The arguments that fit tables to games, quickly.
fn tune<'a>(games: &'a str, file: &'a str) -> Vec<&'a str> {
    let run = ["tune", "--data", games, "--out", file];
    [run.as_slice(), &["--king-buckets", "plain"]].concat()
}
