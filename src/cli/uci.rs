//! `squarewise uci`: speaks UCI, or executes UCI commands that are given as arguments.
//!
//! The protocol is in [`crate::uci`].

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};

use clap::Args;

use crate::debug_log::DebugLog;
use crate::uci::error::CommandError;
use crate::uci::{self, Audience, command};

/// The name of the subcommand.
const NAME: &str = "uci";

/// Speaks UCI on standard input and output, as without a subcommand.
///
/// With commands it executes these instead and ends: squarewise uci "position startpos moves e2e4"
/// "go depth 10". A search that ends by itself is waited for, and so is every perft; any other
/// search is stopped before the next command. If a command can't be executed, or a value, a limit
/// or a move in it isn't understood, an info string says so, and the exit code is 1.
///
/// The word uci can be left out if the first argument of all is a command of several words.
#[derive(Debug, Default, Args)]
pub struct Uci {
    /// UCI commands, each an argument in quotation marks.
    #[arg(value_name = "COMMAND")]
    commands: Vec<String>,
}

impl Uci {
    /// Runs it.
    pub fn run(&self, output: impl Write, debug_log: DebugLog) -> io::Result<()> {
        if !self.commands.is_empty() {
            return uci::execute(&self.commands, output, debug_log);
        }
        if !io::stdin().is_terminal() {
            return uci::run(output, debug_log, Audience::Program);
        }
        let greeting = "\
Squarewise speaks UCI. Type 'help' for the commands, 'quit' to leave.
To play, start it as 'squarewise play', in the browser as 'squarewise board'.";
        // Nobody misses it where it can't be shown.
        let _ = writeln!(io::stderr(), "{greeting}");
        let audience = if io::stdout().is_terminal() {
            Audience::Person
        } else {
            Audience::Program
        };
        uci::run(output, debug_log, audience)
    }
}

/// The arguments of the program with the name of this subcommand where it was left out: OpenBench
/// starts engines as `engine "genfens 8 seed 1 book None" "quit"`. No other subcommand has white
/// space in its name.
pub(super) fn named(mut arguments: Vec<OsString>) -> Vec<OsString> {
    let first = arguments.get(1).and_then(|argument| argument.to_str());
    let is_command = first.is_some_and(|first| {
        let is_unknown = matches!(command::parse(first), Err(CommandError::Unknown(_)));
        first.contains(char::is_whitespace) && !is_unknown
    });
    if is_command {
        arguments.insert(1, NAME.into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_of_several_words_needs_no_subcommand_before_it() {
        for (arguments, is_named) in [
            (
                ["squarewise", "genfens 8 seed 1 book None ", "quit"].as_slice(),
                true,
            ),
            (&["squarewise", "position startpos", "d"], true),
            // A mistake in a command is for the engine to report.
            (&["squarewise", "genfens many", "quit"], true),
            (&["squarewise", "bench"], false),
            (&["squarewise", "bench", "go depth 1"], false),
            (&["squarewise", "rub bish"], false),
            (&["squarewise"], false),
        ] {
            let before: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            let mut expected = before.clone();
            if is_named {
                expected.insert(1, NAME.into());
            }
            assert_eq!(named(before), expected);
        }
    }
}
