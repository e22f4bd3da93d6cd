//! Openings from a file.

use std::fs;
use std::io;
use std::path::Path;

use shakmaty::fen::Epd;
use shakmaty::{CastlingMode, Chess};

/// The positions of a file, one EPD or FEN a line; none if there is no file.
///
/// # Errors
///
/// If the file can't be read; if a line is no position, naming it.
pub fn positions(book: Option<&Path>) -> io::Result<Vec<Chess>> {
    let Some(book) = book else {
        return Ok(Vec::new());
    };
    let name = book.display();
    let text =
        fs::read_to_string(book).map_err(|error| io::Error::other(format!("{name}: {error}")))?;
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
