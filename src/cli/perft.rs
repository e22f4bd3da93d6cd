//! `squarewise perft`

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Position};

use crate::position::perft;
use crate::search::stop::StopToken;
use crate::uci::response;

/// Counts the lines of play of exactly so many plies.
#[derive(Debug, Args)]
pub struct Perft {
    /// Length of the lines in plies.
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,

    /// The position to start from; X-FEN and Shredder-FEN for Chess960.
    #[arg(long, value_name = "FEN", default_value = "startpos", value_parser = position)]
    fen: Chess,

    /// Tell the count for each first move.
    #[arg(long)]
    divide: bool,
}

impl Perft {
    /// Runs it.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let mode = self.fen.castles().mode();
        let began = Instant::now();
        let mut parts = Vec::new();
        let mut note = |m, count| parts.push(response::perft_part(m, count, mode));
        let nodes = perft::divide(&self.fen, self.depth, &StopToken::new(), &mut note)
            .map_err(|_| io::Error::other("the count was stopped"))?;
        if self.divide {
            parts
                .iter()
                .try_for_each(|part| writeln!(output, "{part}"))?;
        }
        let total = response::perft_total(nodes, began.elapsed());
        total.iter().try_for_each(|line| writeln!(output, "{line}"))
    }
}

/// A position from a FEN; castling that only Chess960 knows makes it a Chess960 position.
fn position(text: &str) -> Result<Chess, String> {
    if text == "startpos" {
        return Ok(Chess::default());
    }
    let fen: Fen = text.parse().map_err(|error| format!("{error}"))?;
    let mode = CastlingMode::detect(fen.as_setup());
    fen.into_position(mode).map_err(|error| error.to_string())
}
