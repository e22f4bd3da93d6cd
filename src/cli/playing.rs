//! What subcommands that play games ask alike: on how many threads, drawn from which seed, from which openings.

use std::fs;
use std::io;
use std::path::PathBuf;

use clap::Args;
use shakmaty::fen::Epd;
use shakmaty::{CastlingMode, Chess};

/// How games are played.
#[derive(Debug, Args)]
pub struct Playing {
    /// Threads to play on.
    #[arg(long, value_name = "T", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// What chance is drawn from. The same seed gives the same openings.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,

    /// Positions to begin at, one EPD or FEN a line; without it games begin with eight or nine random plies.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

impl Playing {
    /// Threads to play on.
    pub fn threads(&self) -> usize {
        usize::from(self.threads)
    }

    /// The positions of the book; none if there is no book.
    ///
    /// # Errors
    ///
    /// If the file can't be read; if a line is no position, naming it.
    pub fn openings(&self) -> io::Result<Vec<Chess>> {
        let Some(book) = &self.book else {
            return Ok(Vec::new());
        };
        let name = book.display();
        let text = fs::read_to_string(book)
            .map_err(|error| io::Error::other(format!("{name}: {error}")))?;
        let position = |(number, line): (usize, &str)| {
            let fields: Vec<&str> = line.split_whitespace().take(4).collect();
            let refuse =
                |reason: String| io::Error::other(format!("{name}, line {}: {reason}", number + 1));
            let epd: Epd = fields
                .join(" ")
                .parse()
                .map_err(|error| refuse(format!("{error}")))?;
            epd.into_position(CastlingMode::Standard)
                .map_err(|error| refuse(error.to_string()))
        };
        text.lines().enumerate().map(position).collect()
    }

    /// What openings were drawn from, in words.
    pub fn openings_in_words(&self, openings: &[Chess]) -> String {
        match &self.book {
            Some(_) => format!("{} from a book", openings.len()),
            None => "random".to_owned(),
        }
    }
}
