//! The arguments of every subcommand that searches positions: how much, and with how much memory.

use std::io;
use std::time::Duration;

use clap::Args;

use crate::uci::options::{MAX_HASH_MEGABYTES, Options};
use squarewise_engine::score::MAX_PLY;
use squarewise_engine::search::Searcher;
use squarewise_engine::search::limits::Limits;

/// How much to search a position, and with how much memory. At most one limit can be given.
#[derive(Debug, Args)]
pub struct SearchArguments {
    /// Depth of each search, in plies. The result is the same every time.
    #[arg(long, value_name = "N", conflicts_with_all = ["movetime", "nodes"],
          value_parser = clap::value_parser!(u32).range(1..=MAX_PLY as i64))]
    depth: Option<u32>,

    /// Milliseconds for each search.
    #[arg(long, value_name = "MS", conflicts_with = "nodes",
          value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,

    /// Nodes for each search. The result is the same every time.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Size of the transposition table in MiB, for each position that is searched at the same time.
    #[arg(long, value_name = "MB", default_value_t = Options::default().hash_megabytes as u32,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_HASH_MEGABYTES)))]
    hash: u32,
}

impl SearchArguments {
    /// The limits of a search: `default_time` if none is given.
    pub fn limits_or(&self, default_time: Duration) -> Limits {
        let limits = self.limits();
        let move_time = (!limits.is_bounded()).then_some(default_time);
        Limits {
            move_time: limits.move_time.or(move_time),
            ..limits
        }
    }

    /// The limits that are given.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        }
    }

    /// The size of the transposition table, in MiB.
    pub fn hash_megabytes(&self) -> usize {
        self.hash as usize
    }

    /// A searcher with a transposition table of that size.
    pub fn searcher(&self) -> io::Result<Searcher> {
        Searcher::new(self.hash_megabytes())
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))
    }
}
