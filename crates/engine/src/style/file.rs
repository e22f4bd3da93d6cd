//! The format of style files: what `squarewise mimic fit` writes and the option `PlayerStyle`
//! reads.
//!
//! All numbers are little-endian, but for the book.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SQWSTYLE` |
//! | 2 | version, 3; 2 ends with the book, and 1 has no thinking times either |
//! | 4 and as stated | the length of the player's name, and the name, in UTF-8 |
//! | the same | where the style comes from |
//! | the same | the date of the latest game |
//! | 4 | the number of games |
//! | 12 each | three stages: moves, errors, loss, 4 bytes each |
//! | 8 each | thinking times in the stages: moves, the mean share of the time left, 4 bytes each |
//! | 4 | the number of weights |
//! | 4 each | a weight and its standard error, each in thousandths of a nat, 2 signed bytes |
//! | 4 | the number of book entries |
//! | 16 each | the book, in the Polyglot format |
//! | 4 | the number of things seen in games |
//! | 12 each | in order: situation, 8 bytes, what happened, 2, its weight in sixteenths, 2 |
//! | 8 | FNV-1a of everything before |

use std::io;
use std::path::Path;

use super::{FEATURES, Pace, Stage, Style, Tally};
use crate::book::{Book, BookError};
use crate::bounded_file;
use crate::checksum::checksum;
use crate::little_endian::Reader;

const MAGIC: &[u8; 8] = b"SQWSTYLE";
const VERSION: u16 = 3;
/// The first version with thinking times. Earlier ones are read too.
const VERSION_WITH_TIMES: u16 = 2;
/// The first version with what was seen in the games.
const VERSION_WITH_TALLY: u16 = 3;
const CHECKSUM_BYTES: usize = 8;
const BOOK_ENTRY_BYTES: usize = 16;

/// The units to a weight of one nat.
const UNITS: f32 = 1_000.0;

/// The largest style file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// Why a file can't be read as a style.
#[derive(Debug, thiserror::Error)]
pub enum StyleError {
    /// The operating system can't read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It doesn't begin with `SQWSTYLE`.
    #[error("this is not a style file")]
    NotStyle,
    /// It is of another version than this program reads, such as a later one.
    #[error("version {0} of the format can't be read")]
    Version(u16),
    /// It ends too early, has too many bytes, or was changed since it was written.
    #[error("the file is cut short or damaged")]
    Damaged,
    /// It has another number of weights than this program.
    #[error("the style has {0} weights, and this program knows {FEATURES}")]
    Weights(usize),
    /// Its opening book can't be read.
    #[error("its book can't be read: {0}")]
    Book(#[from] BookError),
}

impl Style {
    /// Reads a regular file of at most 64 MiB.
    ///
    /// # Errors
    ///
    /// [`StyleError`] if it is not such a file, can't be read or is no style.
    pub fn read(path: &Path) -> Result<Style, StyleError> {
        Style::from_bytes(&bounded_file::read(path, MAX_FILE_BYTES)?)
    }

    /// The style in the format of this file. Weights beyond 32 nats are cut to that.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        for text in [&self.name, &self.provenance, &self.until] {
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.as_bytes());
        }
        bytes.extend(self.games.to_le_bytes());
        for stage in self.stages {
            let numbers = [stage.moves, stage.errors, stage.loss];
            bytes.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        }
        for pace in self.paces {
            bytes.extend(
                [pace.moves, pace.share]
                    .into_iter()
                    .flat_map(u32::to_le_bytes),
            );
        }
        bytes.extend((self.weights.len() as u32).to_le_bytes());
        for pair in self.weights.iter().zip(&self.errors) {
            for number in [pair.0, pair.1] {
                bytes.extend(((number * UNITS).round() as i16).to_le_bytes());
            }
        }
        let book = self.book.as_ref().map_or(&[][..], Book::as_bytes);
        bytes.extend(((book.len() / BOOK_ENTRY_BYTES) as u32).to_le_bytes());
        bytes.extend(book);
        self.seen.write(&mut bytes);
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a style from bytes.
    ///
    /// # Errors
    ///
    /// [`StyleError`] unless [`Style::to_bytes`] wrote them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Style, StyleError> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len()) != Some(MAGIC) {
            return Err(StyleError::NotStyle);
        }
        let version = reader.u16().ok_or(StyleError::Damaged)?;
        if !(1..=VERSION).contains(&version) {
            return Err(StyleError::Version(version));
        }
        let content = bytes.split_last_chunk::<CHECKSUM_BYTES>();
        let is_right =
            content.is_some_and(|(content, sum)| checksum(content).to_le_bytes() == *sum);
        if !is_right {
            return Err(StyleError::Damaged);
        }
        parse(reader, version)
    }
}

/// Reads what follows the version.
fn parse(mut reader: Reader, version: u16) -> Result<Style, StyleError> {
    let mut text = || -> Option<String> {
        let length = reader.u32()? as usize;
        Some(String::from_utf8_lossy(reader.take(length)?).into_owned())
    };
    let texts = [text(), text(), text()];
    let [Some(name), Some(provenance), Some(until)] = texts else {
        return Err(StyleError::Damaged);
    };
    let mut number = || reader.u32().ok_or(StyleError::Damaged);
    let games = number()?;
    let mut stages = [Stage::default(); 3];
    for stage in &mut stages {
        *stage = Stage {
            moves: number()?,
            errors: number()?,
            loss: number()?,
        };
    }
    let mut paces = [Pace::default(); 3];
    if version >= VERSION_WITH_TIMES {
        for pace in &mut paces {
            *pace = Pace {
                moves: number()?,
                share: number()?,
            };
        }
    }
    let count = number()? as usize;
    if count != FEATURES {
        return Err(StyleError::Weights(count));
    }
    let mut weight = || {
        let number = reader.i16().ok_or(StyleError::Damaged)?;
        Ok::<f32, StyleError>(f32::from(number) / UNITS)
    };
    let (mut weights, mut errors) = (Vec::new(), Vec::new());
    for _ in 0..count {
        weights.push(weight()?);
        errors.push(weight()?);
    }
    let entries = reader.u32().ok_or(StyleError::Damaged)? as usize;
    let book = entries
        .checked_mul(BOOK_ENTRY_BYTES)
        .and_then(|length| reader.take(length))
        .ok_or(StyleError::Damaged)?;
    let seen = if version >= VERSION_WITH_TALLY {
        Tally::read(&mut reader).ok_or(StyleError::Damaged)?
    } else {
        Tally::default()
    };
    if reader.0.len() != CHECKSUM_BYTES {
        return Err(StyleError::Damaged);
    }
    let book = (!book.is_empty())
        .then(|| Book::from_bytes(book.to_vec()))
        .transpose()?;
    Ok(Style {
        name,
        provenance,
        until,
        games,
        book,
        weights,
        errors,
        stages,
        paces,
        seen,
    })
}
