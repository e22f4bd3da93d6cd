//! The laboratory's program: parses the arguments, starts the diagnostics, runs a subcommand, and
//! turns an error into an exit code.
//!
//! Exit codes: 0 for success, 1 for an error while running, 2 for arguments that can't be parsed.

#![forbid(unsafe_code)]

mod cli;

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::Parser;
use squarewise_desk::process;
use squarewise_desk::terminal::{ColorChoice, Style};
use tracing::level_filters::LevelFilter;

use cli::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let is_terminal = io::stderr().is_terminal();
    let style = Style::new(ColorChoice::Auto, is_terminal, |name| {
        std::env::var(name).ok()
    });
    tracing_subscriber::fmt()
        .with_max_level(arguments.log.unwrap_or(LevelFilter::WARN))
        .with_ansi(style.has_colors)
        .with_writer(io::stderr)
        .init();
    process::run(move || run(arguments.command))
}

fn run(command: Command) -> anyhow::Result<()> {
    let output = io::stdout().lock();
    match command {
        Command::Selfplay(selfplay) => selfplay.run(output),
        Command::Import(import) => import.run(output),
        Command::Tune(tune) => tune.run(output),
        Command::RuleSet(rule_set) => rule_set.run(output),
        Command::Match(table_match) => table_match.run(output),
        Command::Wdl(wdl) => wdl.run(output),
        Command::Drawishness(drawishness) => drawishness.run(output),
        Command::Endings(endings) => endings.run(output),
        #[cfg(feature = "tuning")]
        Command::Spsa(spsa) => spsa.run(output),
        #[cfg(feature = "tuning")]
        Command::SpsaInputs(inputs) => inputs.run(output),
        #[cfg(feature = "tuning")]
        Command::Tree(tree) => tree.run(output),
    }
}
