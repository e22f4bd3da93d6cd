//! `squarewise bench`: the benchmark, whose node count is the fingerprint of the search.
//!
//! Prints a line for each position and the total in the form that OpenBench reads. The positions and the
//! search are in [`crate::bench`].

use std::io::{self, Write};

use clap::Args;

use crate::bench;
use crate::search::stop::StopToken;
use crate::uci::options::MAX_HASH_MEGABYTES;
use crate::uci::response;

/// Searches fixed positions to a fixed depth, each as in a new game. The number of nodes is the same on
/// every run, build and machine.
#[derive(Debug, Args)]
pub struct Bench {
    /// Depth of each search in plies.
    #[arg(long, value_name = "D", default_value_t = bench::DEFAULT_DEPTH,
          value_parser = clap::value_parser!(u32).range(1..=127))]
    depth: u32,

    /// Size of the transposition table in MiB. The number of nodes depends on it.
    #[arg(long, value_name = "MB", default_value_t = bench::DEFAULT_HASH as u32,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_HASH_MEGABYTES)))]
    hash: u32,
}

impl Bench {
    /// Runs it.
    ///
    /// # Errors
    ///
    /// If there is no memory for the transposition table, or the output can't be written.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let mut written = Ok(());
        let mut on_position = |number, fen: &str, result: &_| {
            if written.is_ok() {
                written = writeln!(output, "{}", response::bench_position(number, fen, result));
            }
        };
        let total = bench::run(
            self.depth,
            self.hash as usize,
            &StopToken::new(),
            &mut on_position,
        )
        .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        written?;
        writeln!(output, "{}", response::bench_total(total))
    }
}
