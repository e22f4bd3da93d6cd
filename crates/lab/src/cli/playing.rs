//! The arguments that all subcommands which play games share: threads, seed and openings.
//!
//! The openings come from a book in EPD or FEN, or are random.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use shakmaty::{CastlingMode, Chess, Position};

use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::text_encoding;
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::{FenError, epd_lines, read_epd};
use squarewise_engine::search::MAX_THREADS;
use squarewise_lab::openings::Openings;

/// The largest book that is read, in bytes.
const MAX_BOOK_BYTES: u64 = 1 << 30;

/// Arguments for playing games.
#[derive(Debug, Args)]
pub struct Playing {
    /// The number of threads to play on.
    #[arg(long, value_name = "T", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub(super) threads: u16,

    /// The seed of all random numbers. The same seed gives the same openings, unless the first
    /// search finds one of them too one-sided.
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(super) seed: u64,

    /// A file of opening positions, one EPD or FEN a line; empty lines and those that begin with #
    /// are skipped. Without it games start with eight or nine random plies.
    #[arg(long, value_name = "FILE")]
    pub(super) book: Option<PathBuf>,

    /// The share of games without a book that begin with a start position of Chess960, before the
    /// random plies.
    #[arg(long, value_name = "PERCENT", default_value_t = 0, conflicts_with = "book",
          value_parser = clap::value_parser!(u8).range(0..=100))]
    pub(super) chess960: u8,

    /// The variant to play: chess, nocastle, nocastle10, pawnone, stalematewin, torpedo,
    /// semitorpedo, pawnback, pawnsideways or selfcapture.
    #[arg(long, value_name = "NAME", default_value_t = Variant::Chess)]
    pub(super) variant: Variant,
}

impl Playing {
    /// The number of threads to play on.
    pub fn threads(&self) -> usize {
        usize::from(self.threads)
    }

    /// The tables that are named, without endings that are wrong in the variant. Unlike the engine,
    /// which plays `Attacks` with a correction by games of the variant, matches and fits take the
    /// set as it is.
    pub fn tables(&self, named: &NamedTables) -> Arc<Tables> {
        Arc::clone(&named.tables).with_endings_for(self.variant)
    }

    /// Where games begin.
    pub fn openings(&self) -> anyhow::Result<Openings> {
        if self.variant.rules().own_captures && self.chess960 > 0 {
            return Err(FenError::NoChess960(self.variant).into());
        }
        Ok(Openings {
            variant: self.variant,
            book: match &self.book {
                Some(book) => read_book(book, self.variant)?,
                None => Vec::new(),
            },
            chess960: self.chess960,
        })
    }

    /// The source of the openings, in words by which it is told from others.
    pub fn openings_in_words(&self, openings: &Openings) -> String {
        let source = match (&self.book, self.chess960) {
            (Some(_), _) => format!("from a book of {}", openings.book_in_words()),
            (None, 0) => "random".to_owned(),
            (None, percent) => format!("random, {percent} % of them Chess960"),
        };
        match self.variant {
            Variant::Chess => source,
            variant => format!("{source} of {variant}"),
        }
    }
}

/// The positions of a book, one EPD or FEN a line, by the rules of a variant.
pub(super) fn read_book(book: &Path, variant: Variant) -> anyhow::Result<Vec<Chess>> {
    let name = book.display();
    let text =
        text_encoding::read_to_string(book, MAX_BOOK_BYTES).with_context(|| name.to_string())?;
    let position = |(number, line)| {
        let place = || format!("{name}, line {number}");
        let (position, left_out, _) = read_epd(line, None).with_context(place)?;
        if let Some(words) = left_out.in_words() {
            tracing::warn!("{}: {words}", place());
        }
        let is_chess960 = position.castles().mode() == CastlingMode::Chess960;
        if variant.rules().own_captures && is_chess960 {
            return Err(FenError::NoChess960(variant)).with_context(place);
        }
        Ok(position)
    };
    let positions: Vec<Chess> = epd_lines(&text).map(position).collect::<Result<_, _>>()?;
    // Without one, the games would begin with random plies.
    if positions.is_empty() {
        bail!("{name}: no positions");
    }
    Ok(positions)
}
