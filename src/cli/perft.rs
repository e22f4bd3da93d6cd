//! `squarewise perft`: counts lines of play, to test the move generator and to measure its speed.
//!
//! With `--divide` it also prints the count for each first move, to compare with another generator.

use std::io::{self, Write};
use std::time::Instant;

use clap::Args;
use shakmaty::{CastlingMode, Chess, Position};

use crate::position::{from_fen, perft};
use crate::uci::response;

/// Counts the lines of play of exactly DEPTH plies.
#[derive(Debug, Args)]
pub struct Perft {
    /// Length of the lines, in plies.
    #[arg(value_name = "DEPTH",
          value_parser = clap::value_parser!(u32).range(0..=i64::from(perft::MAX_DEPTH)))]
    depth: u32,

    /// The position to start from; for Chess960 an X-FEN or a Shredder-FEN.
    #[arg(long, value_name = "FEN", default_value = "startpos", value_parser = position)]
    fen: Chess,

    /// Also print the count for each first move.
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
        let started = Instant::now();
        let mut shares = Vec::new();
        let mut on_move = |m, count| shares.push(response::perft_move(m, count, mode));
        let nodes = perft::divide(&self.fen, self.depth, &|| true, &mut on_move)
            .ok_or_else(|| io::Error::other("the count was stopped"))?;
        if self.divide {
            shares
                .iter()
                .try_for_each(|share| writeln!(output, "{share}"))?;
        }
        let total = response::perft_total(nodes, started.elapsed());
        total.iter().try_for_each(|line| writeln!(output, "{line}"))
    }
}

/// A position from a FEN. Castling rights that only Chess960 has make it a Chess960 position.
fn position(text: &str) -> Result<Chess, String> {
    if text == "startpos" {
        return Ok(Chess::default());
    }
    from_fen(text, CastlingMode::Standard)
        .or_else(|_| from_fen(text, CastlingMode::Chess960))
        .map_err(|error| error.to_string())
}
