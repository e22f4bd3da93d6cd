//! The program: parses the arguments, starts the diagnostics, runs the subcommand or the UCI
//! engine, and turns an error into an exit code.
//!
//! Exit codes: 0 for success, 1 for an error while running, 2 for arguments that can't be parsed.

#![forbid(unsafe_code)]
// They panic when the output is full or closed.
#![deny(clippy::print_stdout, clippy::print_stderr)]

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::process::ExitCode;
use std::{env, thread};

use crate::cli::color::{stderr_style, stdout_style};
use crate::cli::uci::Uci;
use crate::cli::{Arguments, Command};
use crate::debug_log::DebugLog;
use clap::CommandFactory;
use squarewise_desk::terminal::printable;
use squarewise_engine::search::STACK_BYTES;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::dynamic_filter_fn;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;

fn main() -> ExitCode {
    #[cfg(unix)]
    block_file_size_signal();
    let arguments = Arguments::from_command_line();
    let debug_log = DebugLog::new();
    let has_colors = stderr_style(arguments.color).has_colors;
    start_tracing(arguments.log, has_colors, &debug_log);

    // The operating system chooses the stack size of the first thread; a search needs at least this
    // much.
    let main_thread = thread::Builder::new()
        .name("main".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || run(arguments, debug_log));
    let result = main_thread
        .map_err(|error| io::Error::new(error.kind(), format!("can't start a thread: {error}")))
        .and_then(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
        // At the end of the program it would be flushed, too, but an error then is lost.
        .and_then(|()| io::stdout().flush());
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it, like `head`: not an error.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // It can quote foreign text, which has no line breaks.
            let message = error.to_string();
            let lines: Vec<_> = message.lines().map(printable).collect();
            // Where stderr is full or closed, the exit code has to do.
            let _ = writeln!(io::stderr(), "error: {}", lines.join("\n"));
            ExitCode::FAILURE
        }
    }
}

/// Blocks the signal that kills a process whose file grows beyond a limit (`ulimit -f`), in this
/// thread and in all that it starts: writing then fails with an error, as on a full disk. Child
/// processes start without the block.
#[cfg(unix)]
fn block_file_size_signal() {
    use nix::sys::signal::{SigSet, Signal};
    // It fails only for a signal that doesn't exist.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}

/// Runs the subcommand, or the UCI engine if there is none.
fn run(arguments: Arguments, debug_log: DebugLog) -> io::Result<()> {
    let output = io::stdout().lock();
    let style = stdout_style(arguments.color);
    match arguments.command {
        Some(Command::Play(play)) => play.run(output, style),
        Some(Command::Analyze(analyze)) => analyze.run(output, style),
        Some(Command::Why(why)) => why.run(output, style),
        Some(Command::Bench(bench)) => bench.run(output),
        Some(Command::Perft(perft)) => perft.run(output),
        Some(Command::Selfplay(selfplay)) => selfplay.run(output),
        Some(Command::Import(import)) => import.run(output),
        Some(Command::Tune(tune)) => tune.run(output),
        Some(Command::Wdl(wdl)) => wdl.run(output),
        #[cfg(feature = "tuning")]
        Some(Command::Spsa(spsa)) => spsa.run(output),
        #[cfg(feature = "tuning")]
        Some(Command::SpsaInputs(inputs)) => inputs.run(output),
        Some(Command::Suite(suite)) => suite.run(output),
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
    let from_environment = || env::var("RUST_LOG").ok()?.parse().ok();
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
