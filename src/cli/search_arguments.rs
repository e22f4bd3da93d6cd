//! The arguments of every subcommand that searches positions: how much, and with how much memory.

use std::io;
use std::time::Duration;

use clap::Args;

use crate::uci::memory::refuse_beyond_memory;
use crate::uci::options::{MAX_HASH_MEGABYTES, Options};
use squarewise_engine::score::MAX_PLY;
use squarewise_engine::search::Searcher;
use squarewise_engine::search::limits::Limits;

/// The nodes of a search for which a MiB is enough: there is room for those of hundreds of
/// positions of a game, which share the table.
const NODES_A_MEGABYTE: u64 = 512;

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
    /// Without it 16, or less if so few nodes don't need as much.
    #[arg(long, value_name = "MB",
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_HASH_MEGABYTES)))]
    hash: Option<u32>,
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

    /// The size of the transposition table, in MiB. The usual one is cleared for every game, which
    /// takes longer than searches of a few nodes.
    pub fn hash_megabytes(&self) -> usize {
        let usual = Options::default().hash_megabytes;
        let needed = |nodes: u64| usize::try_from(nodes / NODES_A_MEGABYTE).unwrap_or(usize::MAX);
        let by_nodes = self
            .nodes
            .map_or(usual, |nodes| needed(nodes).clamp(1, usual));
        self.hash.map_or(by_nodes, |megabytes| megabytes as usize)
    }

    /// A searcher with a transposition table of that size.
    pub fn searcher(&self) -> io::Result<Searcher> {
        refuse_beyond_memory(self.hash_megabytes())?;
        Searcher::new(self.hash_megabytes())
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_nodes_get_a_small_table_unless_a_size_is_named() {
        let megabytes = |nodes, hash| {
            let arguments = SearchArguments {
                depth: None,
                movetime: None,
                nodes,
                hash,
            };
            arguments.hash_megabytes()
        };
        assert_eq!(megabytes(None, None), 16);
        assert_eq!(megabytes(Some(1), None), 1);
        assert_eq!(megabytes(Some(2_048), None), 4);
        assert_eq!(megabytes(Some(u64::MAX), None), 16);
        assert_eq!(megabytes(Some(1), Some(64)), 64);
    }
}
