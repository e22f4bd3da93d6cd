//! The command line: what can be said when the program is started. Without a subcommand it speaks UCI.

pub mod bench;
pub mod named_tables;
pub mod perft;
pub mod playing;
pub mod selfplay;
#[cfg(feature = "tuning")]
pub mod spsa;
pub mod suite;
pub mod tables;
pub mod tune;

use std::io;

use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

/// A UCI chess engine that judges a position by material and piece-square tables alone.
///
/// Without a subcommand it speaks UCI on standard input and output: load it into a chess program, or type
/// `help`.
#[derive(Debug, Parser)]
#[command(version, about)]
pub struct Arguments {
    /// How much to tell on stderr: off, error, warn, info, debug or trace. Goes before RUST_LOG.
    #[arg(long, global = true, value_name = "LEVEL")]
    pub log: Option<tracing::level_filters::LevelFilter>,

    /// What to do instead of speaking UCI.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program can do besides speaking UCI.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Search fixed positions to a fixed depth; the last line tells nodes and speed.
    Bench(bench::Bench),
    /// Count the lines of play of a given length.
    Perft(perft::Perft),
    /// Play games of the engine against itself and write their positions down.
    Selfplay(selfplay::SelfPlay),
    /// Fit tables to such positions.
    Tune(tune::Tune),
    /// Look for better numbers of the search by games between slightly different ones.
    #[cfg(feature = "tuning")]
    Spsa(spsa::Spsa),
    /// Search the positions of a test suite and count those that are solved.
    Suite(suite::Suite),
    /// Show tables as heat maps, in the terminal or as a picture.
    Tables(tables::ShowTables),
}

/// A progress bar on stderr, followed by these words.
fn progress_bar(length: u64, words: &str) -> io::Result<ProgressBar> {
    let style =
        ProgressStyle::with_template(&format!("{{bar:30}} {words}")).map_err(io::Error::other)?;
    Ok(ProgressBar::new(length).with_style(style))
}
