//! The workshop's program: parses the arguments, starts the diagnostics, runs a subcommand, and turns an error into an
//! exit code.
//!
//! Exit codes: 0 for success, 1 for an error while running, 2 for arguments that can't be parsed.

#![forbid(unsafe_code)]

mod cli;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;
use squarewise_engine::search::with_search_stack;
use tracing::level_filters::LevelFilter;

use cli::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    tracing_subscriber::fmt()
        .with_max_level(arguments.log.unwrap_or(LevelFilter::WARN))
        .with_writer(io::stderr)
        .init();
    let result = with_search_stack(move || run(arguments.command))
        .flatten()
        // At the end of the program it would be flushed, too, but an error then is lost.
        .and_then(|()| io::stdout().flush());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it, like `head`: not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> io::Result<()> {
    let output = io::stdout().lock();
    match command {
        Command::Selfplay(selfplay) => selfplay.run(output),
        Command::Import(import) => import.run(output),
        Command::Tune(tune) => tune.run(output),
        Command::Wdl(wdl) => wdl.run(output),
        #[cfg(feature = "tuning")]
        Command::Spsa(spsa) => spsa.run(output),
        #[cfg(feature = "tuning")]
        Command::SpsaInputs(inputs) => inputs.run(output),
    }
}
