//! `squarewise perft`: counts lines of play, to test the move generator and to measure its speed.
//!
//! With `--divide` it also prints the count for each first move, to compare with another generator.
//! The lines are counted on all processors; the counts and their order don't depend on the number
//! of threads.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use rayon::ThreadPoolBuilder;
use shakmaty::Position;

use super::position_argument::{RulesArgument, position_text};
use crate::uci::response;
use squarewise_desk::interrupt;
use squarewise_engine::position::perft;
use squarewise_engine::search::{MAX_THREADS, STACK_BYTES};

/// Counts the lines of play of exactly DEPTH plies.
#[derive(Debug, Args)]
pub struct Perft {
    /// Length of the lines, in plies.
    #[arg(value_name = "DEPTH",
          value_parser = clap::value_parser!(u32).range(0..=i64::from(perft::MAX_DEPTH)))]
    depth: u32,

    /// The position to start from; for Chess960 an X-FEN or a Shredder-FEN.
    #[arg(long, value_name = "FEN", default_value = "startpos", value_parser = position_text)]
    fen: String,

    #[command(flatten)]
    rules: RulesArgument,

    /// Also print the count for each first move.
    #[arg(long)]
    divide: bool,

    /// The number of threads to count on; all processors by default.
    #[arg(long, value_name = "T",
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,
}

impl Perft {
    /// Runs it.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let stop = interrupt::stop_token()?;
        let keep_going = || !stop.is_requested();
        let start = self.rules.position(&self.fen)?;
        let mode = start.castles().mode();
        // Without a number rayon starts a thread for each processor.
        let threads = self.threads.map_or(0, usize::from);
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .build()
            .map_err(io::Error::other)?;
        let started = Instant::now();
        let (nodes, shares) = pool.install(|| {
            let mut shares = Vec::new();
            let mut on_move = |m, count| shares.push(response::perft_move(m, count, mode));
            let nodes = perft::divide_in_parallel(&start, self.depth, &keep_going, &mut on_move);
            (nodes, shares)
        });
        let time = started.elapsed();
        let nodes = nodes.ok_or_else(|| io::Error::other("the count was stopped"))?;
        if self.divide {
            shares
                .iter()
                .try_for_each(|share| writeln!(output, "{share}"))?;
        }
        writeln!(output, "{}", response::perft_speed(nodes, time))?;
        writeln!(output, "{}", response::perft_total(nodes))
    }
}
