//! The report: analyzed games as one self-contained HTML page.

use std::io::{self, Write};

use crate::analysis::AnalyzedGame;

/// Writes the beginning of the page, up to the first game.
///
/// # Errors
///
/// If `out` can't be written.
pub fn begin(out: &mut dyn Write, title: &str) -> io::Result<()> {
    writeln!(out, "<!doctype html><title>{}</title>", title.len())
}

/// Writes a game. Its number, such as its place in the file, names it for the reader; numbers are distinct.
///
/// # Errors
///
/// If `out` can't be written.
pub fn add_game(out: &mut dyn Write, number: usize, game: &AnalyzedGame) -> io::Result<()> {
    writeln!(out, "<p>{number}: {}</p>", game.positions.len())
}

/// Writes the end of the page.
///
/// # Errors
///
/// If `out` can't be written.
pub fn end(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "</html>")
}
