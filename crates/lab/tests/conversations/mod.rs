//! Conversations with the laboratory's program: its subcommands, what they write, and what they
//! refuse.

#[cfg(unix)]
mod faults;
mod import;
mod rule_set;
mod selfplay;
#[cfg(feature = "tuning")]
mod tree;
mod tune;

use std::process::Command;

use crate::support::programs;

/// The program, which was built beside the tests.
const PROGRAM: &str = env!("CARGO_BIN_EXE_squarewise-lab");

/// The program with arguments and without input.
fn program(arguments: &[&str]) -> Command {
    programs::without_input(PROGRAM, arguments)
}

/// What the program writes with arguments with which it must succeed.
fn output(arguments: &[&str]) -> String {
    programs::output_of(&mut program(arguments))
}

/// The message of the program with arguments with which it must fail.
fn error(arguments: &[&str]) -> String {
    programs::error_of(&mut program(arguments))
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
