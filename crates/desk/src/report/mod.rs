//! The report: analyzed games as one self-contained HTML page.
//!
//! The page needs no network and no server. It shows a board to step through each game, the moves
//! with their judgements, a graph of the expected points, and what each piece is worth on its
//! square, table by table.
//!
//! The page is written as a stream, so that many games need little memory: [`begin`], [`add_game`]
//! for each game, [`end`]. A page with several games opens on an [`Overview`] of them. All numbers
//! are computed here and embedded as JSON; the script (`script/`, and that of `page`) only shows
//! them. Names and comments from PGN files are untrusted: they enter the page through maud's
//! escaping or through `page::json`.

mod data;
mod game;
mod graph;
mod overview;
mod page;
#[cfg(test)]
mod tests;

use std::io::{self, Write};

pub use overview::Overview;

use crate::analysis::{AnalyzedGame, Totals};

/// Writes the beginning of the page, up to the first game.
///
/// # Errors
///
/// If `out` can't be written.
pub fn begin(out: &mut dyn Write, title: &str) -> io::Result<()> {
    out.write_all(page::before_games(title).as_bytes())
}

/// Writes a game. Its number, such as its place in the file, names it for the reader; numbers are
/// distinct. `before` is how many games the page has already.
///
/// # Errors
///
/// If `out` can't be written.
pub fn add_game(
    out: &mut dyn Write,
    number: usize,
    before: usize,
    game: &AnalyzedGame,
) -> io::Result<()> {
    let section = game::section(number, before, game);
    out.write_all(section.into_string().as_bytes())
}

/// Writes the end of the page, with the overview and the totals of the players if there are several
/// games.
///
/// # Errors
///
/// If `out` can't be written.
pub fn end(out: &mut dyn Write, overview: &Overview, totals: &Totals) -> io::Result<()> {
    let overview = overview.section(totals);
    out.write_all(page::after_games(overview).as_bytes())
}
