//! The program: parses the arguments, starts the diagnostics, runs the subcommand or the UCI
//! engine, and turns an error into an exit code.
//!
//! # Data flow
//!
//! ```text
//! stdin line -> Command -> Engine (state machine) -> Searcher -> Progress / SearchResult -> response -> stdout
//! ```
//!
//! `uci::command` parses every line of the protocol, and `uci::response` formats most answers;
//! those of `eval` come from `uci::explanation`. Between them almost everything is a type. One
//! thread reads the input and one works; both send events into one channel. The main thread
//! receives them, owns all state and alone writes the output. The searcher is lent to the worker
//! with each job and comes back with the result.
//!
//! # The map
//!
//! What is imported from the libraries is not listed.
//!
//! | module | what it does | what it imports |
//! |---|---|---|
//! | `genfens` | start positions for data generation with OpenBench | nothing |
//! | `styles` | the styles of players, by name or file | nothing |
//! | `uci` | the protocol: event loop, commands, options, responses | debug_log, genfens, styles |
//! | `cli` | the command line, a file for each subcommand | styles, uci |
//! | `cli::uci` | the engine on standard input and output | debug_log |
//! | `main` | the program: where diagnostics go, and which subcommand runs | cli, debug_log |
//! | `debug_log` | where diagnostics go | nothing |
//!
//! Exit codes: 0 for success, 1 for an error while running, 2 for arguments that can't be parsed.

#![forbid(unsafe_code)]

mod cli;
mod debug_log;
mod genfens;
mod styles;
mod uci;

use std::env;
use std::io;
use std::process::ExitCode;

use crate::cli::color::{stderr_style, stdout_style};
use crate::cli::uci::Uci;
use crate::cli::{Arguments, Command};
use crate::debug_log::DebugLog;
use clap::CommandFactory;
use squarewise_desk::process;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

fn main() -> ExitCode {
    let arguments = Arguments::from_command_line();
    let debug_log = DebugLog::new();
    let has_colors = stderr_style(arguments.color).has_colors;
    start_tracing(arguments.log, has_colors, &debug_log);
    process::run(move || run(arguments, debug_log))
}

/// Runs the subcommand, or the UCI engine if there is none.
fn run(arguments: Arguments, debug_log: DebugLog) -> io::Result<()> {
    let output = io::stdout().lock();
    let style = stdout_style(arguments.color);
    match arguments.command {
        Some(Command::Play(play)) => play.run(output, style),
        Some(Command::Analyze(analyze)) => analyze.run(output, style),
        Some(Command::Why(why)) => why.run(output, style),
        Some(Command::Board(board)) => board.run(output),
        Some(Command::Bench(bench)) => bench.run(output),
        Some(Command::Perft(perft)) => perft.run(output),
        Some(Command::Suite(suite)) => suite.run(output),
        Some(Command::Mimic(mimic)) => mimic.run(output, style),
        Some(Command::Tables(tables)) => tables.run(output, style),
        Some(Command::Uci(uci)) => uci.run(output, debug_log),
        Some(Command::Completions(completions)) => completions.run(output, Arguments::command()),
        Some(Command::Man(man)) => man.run(output, Arguments::command()),
        None => Uci::default().run(output, debug_log),
    }
}

/// Sends diagnostics to stderr, from the level of `--log` or else of RUST_LOG or else from warnings
/// up. While the debug log is open they go there instead, with the whole conversation.
fn start_tracing(level: Option<LevelFilter>, has_colors: bool, debug_log: &DebugLog) {
    // An empty one would mean errors alone.
    let named = || env::var("RUST_LOG").ok().filter(|level| !level.is_empty());
    let from_environment = || named()?.parse().ok();
    let level = level.or_else(from_environment).unwrap_or(LevelFilter::WARN);
    let has_file = {
        let debug_log = debug_log.clone();
        move || debug_log.is_open()
    };
    let goes_to_file = has_file.clone();
    let to_file = tracing_subscriber::fmt::layer()
        .with_ansi(false)
        .with_writer({
            let debug_log = debug_log.clone();
            move || debug_log.clone()
        })
        .with_filter(dynamic_filter_fn(move |event, _| {
            *event.level() <= LevelFilter::DEBUG && goes_to_file()
        }));
    let to_stderr = tracing_subscriber::fmt::layer()
        .with_ansi(has_colors)
        .with_writer(io::stderr)
        .with_filter(dynamic_filter_fn(move |event, _| {
            *event.level() <= level && !has_file()
        }));
    tracing_subscriber::registry()
        .with(to_file)
        .with(to_stderr)
        .init();
}
