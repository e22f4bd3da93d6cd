//! The command line: its arguments, and one file for each subcommand. Without a subcommand the
//! program speaks UCI.
//!
//! clap parses the arguments into the types here, and each subcommand's `run` does the work and
//! writes to the output that it is given. Arguments that can't be parsed end the program with exit
//! code 2.

mod analysis_output;
mod analysis_text;
pub mod analyze;
pub mod bench;
pub mod board;
pub mod color;
pub mod completions;
mod interruptible_input;
pub mod man;
pub mod mimic;
pub mod perft;
pub mod play;
mod player_arguments;
mod position_argument;
mod position_text;
mod search_arguments;
pub mod suite;
mod tablebases;
pub mod tables;
mod tell;
pub mod uci;
pub mod why;

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use squarewise_desk::terminal::ColorChoice;

/// The place of options that every subcommand has in its help: behind its own.
const LAST: usize = 900;

/// A UCI chess engine that evaluates a position by tables alone.
///
/// Without a subcommand it speaks UCI on standard input and output: load it into a chess program,
/// or type `help`.
#[derive(Debug, Parser)]
#[command(version, about)]
pub struct Arguments {
    /// Level of diagnostics on stderr: off, error, warn, info, debug or trace. Overrides RUST_LOG.
    #[arg(long, global = true, value_name = "LEVEL", display_order = LAST)]
    pub log: Option<tracing::level_filters::LevelFilter>,

    /// When to use colors. In auto: in a terminal, unless NO_COLOR is set or TERM is dumb.
    #[arg(long, global = true, value_name = "WHEN", default_value = ColorChoice::Auto.name(),
          value_parser = color::ColorChoiceParser, display_order = LAST)]
    pub color: ColorChoice,

    /// What to do instead of speaking UCI.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Arguments {
    /// The arguments of this process. If they can't be parsed, or ask for help, the program ends
    /// with a message, which obeys `--color` too.
    pub fn from_command_line() -> Arguments {
        let arguments = uci::named(std::env::args_os().collect());
        let color = color::color_of_messages(arguments.iter().cloned());
        let mut matches = Arguments::command()
            .color(color)
            .try_get_matches_from(arguments)
            .unwrap_or_else(|error| with_tip(error).exit());
        Arguments::from_arg_matches_mut(&mut matches)
            .unwrap_or_else(|error| error.format(&mut Arguments::command().color(color)).exit())
    }
}

/// The error with a tip if the side to move is taken for an argument: a shell splits a FEN that has
/// no quotation marks.
fn with_tip(mut error: Error) -> Error {
    let word = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(word)) => word.as_str(),
        _ => "",
    };
    if error.kind() == ErrorKind::UnknownArgument && matches!(word, "w" | "b") {
        let tip = "a FEN has spaces, so it stands in quotation marks".into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// What the program can do besides speaking UCI.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play a game: a person, this engine, or any other UCI engine.
    Play(play::Play),
    /// Analyze games or a position: evaluations, mistakes, an annotated PGN, a report.
    Analyze(analyze::Analyze),
    /// Show why a position is evaluated as it is.
    Why(why::Why),
    /// Open a board in the browser: play, analyze, review your games, ask why.
    Board(board::ShowBoard),
    /// Search fixed positions to a fixed depth, or measure the speed on several threads.
    Bench(bench::Bench),
    /// Count the lines of play of a given length, on all processors.
    Perft(perft::Perft),
    /// Search the positions of a test suite and count those that are solved.
    Suite(suite::Suite),
    /// Learn to play like a certain player.
    Mimic(mimic::Mimic),
    /// Show tables as heat maps, in the terminal or as a picture.
    Tables(tables::ShowTables),
    /// Speak UCI, or execute UCI commands given as arguments and end.
    Uci(uci::Uci),
    /// Write the completions of a shell.
    Completions(completions::Completions),
    /// Write the manual page.
    Man(man::Man),
}
