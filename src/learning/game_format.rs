//! The file format of training games.
//!
//! All numbers are little-endian; checksums are FNV-1a. [`super::training_position`] describes a position.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SQWTGAME` |
//! | 2 | version, 2 |
//! | 4 | the length of the description, at most 65,536 |
//! | as stated | the description: the settings of the run, in UTF-8; a run is resumed only if they are the same |
//! | 8 | the checksum of everything before |
//! | per game | |
//! | 4 | the number of the game in the run, from 0 |
//! | 2 | the number of its positions, at most 4,096 |
//! | 28 each | a position |
//! | 8 | the checksum of everything in this game before |
//!
//! Version 1 begins with `SQWGAMES` and has neither a version number nor checksums. Its files are still read and
//! resumed, in their own format.

use std::io::{self, BufReader, Read};

use super::training_position::{POSITION_BYTES, TrainingPosition};
use crate::evaluation::file::checksum;

const MAGIC: &[u8; 8] = b"SQWTGAME";
const MAGIC_OF_VERSION_1: &[u8; 8] = b"SQWGAMES";
const MAX_DESCRIPTION_BYTES: usize = 1 << 16;
const MAX_POSITIONS: usize = 4_096;
const GAME_HEAD_BYTES: usize = 6;
const CHECKSUM_BYTES: usize = 8;

/// The current version of the format.
pub(super) const VERSION: u16 = 2;

/// The quiet positions of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrainingGame {
    /// In the order in which they came up.
    pub positions: Vec<TrainingPosition>,
}

/// The error of a header that can't be used.
pub(super) enum HeaderError {
    /// It is that of another kind of file, or damaged.
    NotGames,
    /// It was written by a later version.
    Version(u16),
    /// It can't be read.
    Io(io::Error),
}

impl From<io::Error> for HeaderError {
    fn from(error: io::Error) -> HeaderError {
        HeaderError::Io(error)
    }
}

/// What is wrong with a game in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The file ends inside the game.
    #[error("it is cut short")]
    CutShort,
    /// Another number is expected in its place.
    #[error("it has the number {0}")]
    Number(u32),
    /// It claims more positions than a game can have.
    #[error("{0} positions are too many")]
    TooLong(usize),
    /// It was changed since it was written.
    #[error("its checksum is wrong")]
    Checksum,
    /// The position with this number, from 0, can't be one.
    #[error("position {0} makes no sense")]
    Position(usize),
}

/// The header of a file of the current version.
pub(super) fn header(description: &str) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description.as_bytes());
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// A game as bytes, in a version of the format. Positions beyond the 4,096th are left out.
pub(super) fn to_bytes(version: u16, number: u32, game: &TrainingGame) -> Vec<u8> {
    let count = game.positions.len().min(MAX_POSITIONS);
    let mut bytes = Vec::with_capacity(game_length(version, count));
    bytes.extend(number.to_le_bytes());
    bytes.extend((count as u16).to_le_bytes());
    let positions = game.positions[..count].iter();
    bytes.extend(positions.flat_map(TrainingPosition::to_bytes));
    if version > 1 {
        bytes.extend(checksum(&bytes).to_le_bytes());
    }
    bytes
}

/// The length of a game with this many positions, in bytes.
fn game_length(version: u16, positions: usize) -> usize {
    let checksum = if version > 1 { CHECKSUM_BYTES } else { 0 };
    GAME_HEAD_BYTES + positions * POSITION_BYTES + checksum
}

/// Reads the games of a file one after the other.
pub(super) struct GameReader<R> {
    reader: BufReader<R>,
    /// The version of the format that the file is written in.
    pub(super) version: u16,
    /// The number of complete games read.
    pub(super) games: u32,
    /// The end of the last of them, in bytes from the start of the file.
    pub(super) end: u64,
}

/// The next item of a file of games.
pub(super) enum Next {
    /// A complete game.
    Game(TrainingGame),
    /// A game that can't be used.
    Damaged(Damage),
    /// The end of the file.
    End,
}

impl<R: Read> GameReader<R> {
    /// Reads the header. Returns the reader of the games and the description.
    pub(super) fn new(input: R) -> Result<(GameReader<R>, String), HeaderError> {
        let mut reader = GameReader {
            reader: BufReader::new(input),
            version: VERSION,
            games: 0,
            end: 0,
        };
        let mut header = reader.take_header(MAGIC.len())?;
        if header == MAGIC {
            header.extend(reader.take_header(2)?);
            reader.version = number(&header[MAGIC.len()..]) as u16;
        } else if header == MAGIC_OF_VERSION_1 {
            reader.version = 1;
        } else {
            return Err(HeaderError::NotGames);
        }
        if !(1..=VERSION).contains(&reader.version) {
            return Err(HeaderError::Version(reader.version));
        }
        let length = reader.take_header(4)?;
        let description = match number(&length) as usize {
            length @ 0..=MAX_DESCRIPTION_BYTES => reader.take_header(length)?,
            _ => return Err(HeaderError::NotGames),
        };
        header.extend(length);
        header.extend(&description);
        if reader.version > 1 {
            let expected = reader.take_header(CHECKSUM_BYTES)?;
            if checksum(&header) != number(&expected) {
                return Err(HeaderError::NotGames);
            }
            header.extend(expected);
        }
        reader.end = header.len() as u64;
        Ok((reader, String::from_utf8_lossy(&description).into_owned()))
    }

    /// The next bytes of the header.
    fn take_header(&mut self, length: usize) -> Result<Vec<u8>, HeaderError> {
        let bytes = self.take(length)?;
        let is_whole = bytes.len() == length;
        is_whole.then_some(bytes).ok_or(HeaderError::NotGames)
    }

    /// Reads the next game.
    pub(super) fn next_game(&mut self) -> io::Result<Next> {
        let mut bytes = self.take(GAME_HEAD_BYTES)?;
        if bytes.len() < GAME_HEAD_BYTES {
            return Ok(if bytes.is_empty() {
                Next::End
            } else {
                Next::Damaged(Damage::CutShort)
            });
        }
        let (game, count) = (number(&bytes[..4]) as u32, number(&bytes[4..]) as usize);
        if count > MAX_POSITIONS {
            return Ok(Next::Damaged(Damage::TooLong(count)));
        }
        if game != self.games {
            return Ok(Next::Damaged(Damage::Number(game)));
        }
        let length = game_length(self.version, count);
        bytes.extend(self.take(length - GAME_HEAD_BYTES)?);
        if bytes.len() < length {
            return Ok(Next::Damaged(Damage::CutShort));
        }
        let (content, expected) = bytes.split_at(GAME_HEAD_BYTES + count * POSITION_BYTES);
        if self.version > 1 && checksum(content) != number(expected) {
            return Ok(Next::Damaged(Damage::Checksum));
        }
        Ok(match game_of(&content[GAME_HEAD_BYTES..]) {
            Ok(game) => {
                self.games += 1;
                self.end += length as u64;
                Next::Game(game)
            }
            Err(damage) => Next::Damaged(damage),
        })
    }

    /// The next bytes, fewer than `length` only at the end of the file.
    fn take(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::with_capacity(length);
        let mut part = (&mut self.reader).take(length as u64);
        part.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// The game with these positions.
fn game_of(bytes: &[u8]) -> Result<TrainingGame, Damage> {
    let numbered = bytes.chunks_exact(POSITION_BYTES).enumerate();
    let positions = numbered.map(|(number, bytes)| {
        let position = bytes.try_into().ok().and_then(TrainingPosition::from_bytes);
        position.ok_or(Damage::Position(number))
    });
    let positions = positions.collect::<Result<_, _>>()?;
    Ok(TrainingGame { positions })
}

/// Up to eight bytes as a number, the lowest byte first.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}
