//! Random lines of a book of positions.
//!
//! The books of OpenBench have up to some million lines, and every thread of a machine runs a
//! process of its own. So a book is not read as a whole: a random place of the file is looked up,
//! and the line after it is taken. Lines after long ones are drawn a little more often; the lines
//! of a book hardly differ in length.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;
use shakmaty::Chess;

use super::error::GenfensError;
use squarewise_engine::bounded_file;
use squarewise_engine::position::{epd_lines, from_epd_of_any_mode};

/// The longest line that is read, in bytes.
const MAX_LINE_BYTES: u64 = 4_096;
/// The most empty lines and comments in a row. A file of nothing else is not read to its end,
/// however large it is.
const MAX_LINES_WITHOUT_POSITION: usize = 10_000;

/// A book of positions, one EPD or FEN a line.
#[derive(Debug)]
pub(super) struct Book {
    path: PathBuf,
    file: BufReader<File>,
    /// The length of the file in bytes.
    length: u64,
}

impl Book {
    pub(super) fn open(path: &Path) -> Result<Book, GenfensError> {
        let open = || {
            let file = bounded_file::open(path)?;
            let length = file.metadata()?.len();
            Ok((BufReader::new(file), length))
        };
        let (file, length) = open().map_err(|error| GenfensError::Book {
            path: path.to_owned(),
            error,
        })?;
        Ok(Book {
            path: path.to_owned(),
            file,
            length,
        })
    }

    /// A random position. Castling rights that standard chess can't have are read as in Chess960.
    pub(super) fn draw(&mut self, random: &mut ChaCha8Rng) -> Result<Chess, GenfensError> {
        let place = random.next_u64() % self.length.max(1);
        let line = self.line_after(place).map_err(|error| GenfensError::Book {
            path: self.path.clone(),
            error,
        })?;
        match from_epd_of_any_mode(&line) {
            Ok((position, _)) => Ok(position),
            Err(error) => Err(GenfensError::Line {
                path: self.path.clone(),
                line,
                error,
            }),
        }
    }

    /// The first line that begins after this place and holds a position. After the last line comes
    /// the first.
    fn line_after(&mut self, place: u64) -> io::Result<String> {
        self.file.seek(SeekFrom::Start(place))?;
        self.rest_of_line()?;
        let mut is_second_round = false;
        for _ in 0..MAX_LINES_WITHOUT_POSITION {
            let line = self.rest_of_line()?;
            if line.is_empty() {
                if is_second_round {
                    break;
                }
                is_second_round = true;
                self.file.rewind()?;
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim_start_matches('\u{feff}');
            if let Some((_, line)) = epd_lines(text).next() {
                return Ok(line.trim().to_owned());
            }
        }
        Err(io::Error::other("no positions"))
    }

    /// The bytes up to the end of the line; none at the end of the file.
    fn rest_of_line(&mut self) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        let mut part = (&mut self.file).take(MAX_LINE_BYTES);
        part.read_until(b'\n', &mut line)?;
        if line.len() as u64 == MAX_LINE_BYTES {
            return Err(io::Error::other("a line is too long for a position"));
        }
        Ok(line)
    }
}
