//! `squarewise-lab tree`: the shape of the trees that the search visits. Only with the feature
//! `tuning`.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use shakmaty::CastlingMode;

use super::playing::read_book;
use squarewise_engine::bench::{DEFAULT_HASH, POSITIONS};
use squarewise_engine::position::from_fen;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::score::MAX_PLY;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::{Progress, SearchRequest, Searcher, TreeShape};

/// Searches positions, each as in a new game on one thread, and tells what the trees are like:
/// nodes to each depth, how often the first move cuts off, how often a reduced move is searched
/// again, and how many nodes belong to the quiescence search. It shows what a change to the search
/// did before any game is played.
#[derive(Debug, Args)]
pub struct Tree {
    /// Depth of each search, in plies.
    #[arg(long, value_name = "D", default_value_t = 14,
          value_parser = clap::value_parser!(u32).range(1..=MAX_PLY as i64))]
    depth: u32,

    /// Size of the transposition table, in MiB.
    #[arg(long, value_name = "MB", default_value_t = DEFAULT_HASH as u32,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,

    /// A file with a position in each line, in FEN or EPD, instead of the positions of `bench`.
    #[arg(long, value_name = "FILE")]
    positions: Option<PathBuf>,
}

impl Tree {
    pub fn run(&self, mut output: impl Write) -> anyhow::Result<()> {
        let games = self.games()?;
        let mut searcher = Searcher::new(self.hash as usize)?;
        // By depth, the nodes up to the end of its iteration.
        let mut nodes_to_depth = vec![0; self.depth as usize + 1];
        let mut shape = TreeShape::default();
        let mut nodes = 0;
        for game in &games {
            searcher.new_game();
            let mut own = vec![0; nodes_to_depth.len()];
            let request = SearchRequest::new(Limits::depth(self.depth));
            let result = searcher.search(game, request, &mut |progress| {
                if let Progress::Info(info) = progress
                    && let Some(nodes) = own.get_mut(info.depth as usize)
                {
                    *nodes = info.nodes;
                }
            });
            own[self.depth as usize] = result.info.nodes;
            for (sum, nodes) in nodes_to_depth.iter_mut().zip(own) {
                *sum += nodes;
            }
            nodes += result.info.nodes;
            shape += result.tree;
        }
        writeln!(output, "{} positions, {nodes} nodes\n", games.len())?;
        writeln!(output, "depth        nodes   growth")?;
        for depth in 1..nodes_to_depth.len() {
            let growth = ratio(nodes_to_depth[depth], nodes_to_depth[depth - 1]);
            writeln!(
                output,
                "{depth:>5} {:>12} {growth:>8.2}",
                nodes_to_depth[depth]
            )?;
        }
        let share = |part, of| 100.0 * ratio(part, of);
        writeln!(
            output,
            "\n{:.1} % of the nodes are of the quiescence search\n\
             {:.1} % of {} cutoffs are by the first move\n\
             {:.1} % of {} reduced moves are searched again\n\
             {} windows of the root failed",
            share(shape.quiescence_nodes, nodes),
            share(shape.first_move_cutoffs, shape.cutoffs),
            shape.cutoffs,
            share(shape.researches, shape.reduced_moves),
            shape.reduced_moves,
            shape.failed_windows,
        )?;
        Ok(())
    }

    /// The positions to search.
    fn games(&self) -> anyhow::Result<Vec<Game>> {
        let Some(file) = &self.positions else {
            let games = POSITIONS.iter().map(|fen| {
                let position = from_fen(fen, CastlingMode::Standard)?;
                Ok(Game::new(position))
            });
            return games.collect();
        };
        let positions = read_book(file, Variant::Chess)?;
        Ok(positions.into_iter().map(Game::new).collect())
    }
}

fn ratio(part: u64, of: u64) -> f64 {
    part as f64 / of.max(1) as f64
}
