//! The file format of training games.
//!
//! All numbers are little-endian; checksums are FNV-1a. [`super::training_position`] describes a
//! position.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SQWTGAME` |
//! | 2 | version, 3 |
//! | 4 | the length of the description, at most 65,536 |
//! | as stated | the description: the settings of the run, in UTF-8; a run is resumed only if they are the same |
//! | 8 | the checksum of everything before |
//! | per game | |
//! | 4 | the number of the game in the run, from 0 |
//! | 2 | the number of its positions, at most 4,096 |
//! | 28 each | a position |
//! | 8 | the checksum of everything in this game before |

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use super::training_position::{POSITION_BYTES, TrainingPosition};
use squarewise_engine::checksum::checksum;

const MAGIC: &[u8; 8] = b"SQWTGAME";
const MAX_DESCRIPTION_BYTES: usize = 1 << 16;
const MAX_POSITIONS: usize = 4_096;
const GAME_HEAD_BYTES: usize = 6;
const CHECKSUM_BYTES: usize = 8;

/// A file that ends with this many zeros has a tail that was never written, as a crash of the
/// system can leave it: games have no such sequence of zeros, since a position begins with its
/// occupied squares.
const MIN_TAIL_BYTES: u64 = POSITION_BYTES as u64;

/// The version of the format.
const VERSION: u16 = 3;

/// The positions of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrainingGame {
    /// In the order in which they came up.
    pub positions: Vec<TrainingPosition>,
}

/// The error of a header that can't be used.
pub(super) enum HeaderError {
    /// It is that of another kind of file, or damaged.
    NotGames,
    /// It is of another version than this program reads, such as a later one.
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
    /// The file ends inside the game, or holds only zeros from there on.
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

/// The header of a file.
pub(super) fn header(description: &str) -> Vec<u8> {
    debug_assert!(
        description.len() <= MAX_DESCRIPTION_BYTES,
        "a longer one can't be read back"
    );
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((description.len() as u32).to_le_bytes());
    bytes.extend(description.as_bytes());
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The positions of a game that are written: those beyond the 4,096th are left out.
pub(super) fn written_positions(game: &TrainingGame) -> &[TrainingPosition] {
    &game.positions[..game.positions.len().min(MAX_POSITIONS)]
}

pub(super) fn to_bytes(number: u32, game: &TrainingGame) -> Vec<u8> {
    let positions = written_positions(game);
    let mut bytes = Vec::with_capacity(game_length(positions.len()));
    bytes.extend(number.to_le_bytes());
    bytes.extend((positions.len() as u16).to_le_bytes());
    bytes.extend(positions.iter().flat_map(TrainingPosition::to_bytes));
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// The length of a game with this many positions, in bytes.
fn game_length(positions: usize) -> usize {
    GAME_HEAD_BYTES + positions * POSITION_BYTES + CHECKSUM_BYTES
}

/// Reads the games of a file one after the other.
pub(super) struct GameReader<R> {
    reader: BufReader<R>,
    /// The number of complete games read.
    pub(super) games: u32,
    /// The end of the last of them, in bytes from the start of the file.
    pub(super) end: u64,
    /// The end of what was written: everything behind it is zero. Counted like `end`.
    content_end: u64,
    /// Whether there are more zeros behind it than a game can end with.
    has_zero_tail: bool,
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

impl<R: Read + Seek> GameReader<R> {
    /// Reads the header. Returns the reader of the games and the description.
    pub(super) fn new(mut input: R) -> Result<(GameReader<R>, String), HeaderError> {
        let (content_end, length) = content_end(&mut input)?;
        let mut reader = GameReader {
            reader: BufReader::new(input),
            games: 0,
            end: 0,
            content_end,
            has_zero_tail: length - content_end >= MIN_TAIL_BYTES,
        };
        let mut header = reader.take_header(MAGIC.len())?;
        if header != MAGIC {
            return Err(HeaderError::NotGames);
        }
        header.extend(reader.take_header(2)?);
        let version = number(&header[MAGIC.len()..]) as u16;
        if version != VERSION {
            return Err(HeaderError::Version(version));
        }
        let length = reader.take_header(4)?;
        let description = match number(&length) as usize {
            length @ 0..=MAX_DESCRIPTION_BYTES => reader.take_header(length)?,
            _ => return Err(HeaderError::NotGames),
        };
        header.extend(length);
        header.extend(&description);
        let expected = reader.take_header(CHECKSUM_BYTES)?;
        if checksum(&header) != number(&expected) {
            return Err(HeaderError::NotGames);
        }
        reader.end = (header.len() + CHECKSUM_BYTES) as u64;
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
        if bytes.is_empty() {
            return Ok(Next::End);
        }
        let is_zero_tail = self.end >= self.content_end;
        if is_zero_tail || bytes.len() < GAME_HEAD_BYTES {
            return Ok(Next::Damaged(Damage::CutShort));
        }
        let (game, count) = (number(&bytes[..4]) as u32, number(&bytes[4..]) as usize);
        if count > MAX_POSITIONS {
            return Ok(self.damaged(Damage::TooLong(count), GAME_HEAD_BYTES));
        }
        if game != self.games {
            return Ok(self.damaged(Damage::Number(game), GAME_HEAD_BYTES));
        }
        let length = game_length(count);
        bytes.extend(self.take(length - GAME_HEAD_BYTES)?);
        let is_whole = bytes.len() == length;
        let content_length = bytes.len().min(GAME_HEAD_BYTES + count * POSITION_BYTES);
        let (content, expected) = bytes.split_at(content_length);
        if is_whole && checksum(content) != number(expected) {
            return Ok(self.damaged(Damage::Checksum, length));
        }
        Ok(match game_of(&content[GAME_HEAD_BYTES..]) {
            // Its positions make sense as far as they go. If a damaged head claimed too many of
            // them, what stands behind the game would have been read as positions.
            Ok(_) if !is_whole => Next::Damaged(Damage::CutShort),
            Ok(game) => {
                self.games += 1;
                self.end += length as u64;
                Next::Game(game)
            }
            Err(place) => {
                let end = GAME_HEAD_BYTES + (place + 1) * POSITION_BYTES;
                self.damaged(Damage::Position(place), end)
            }
        })
    }

    /// The damage of the next game. `end` is the end of the damaged part, in bytes from the start
    /// of the game; if it reaches into a tail of zeros, the game was never written to its end.
    fn damaged(&self, damage: Damage, end: usize) -> Next {
        let reaches_tail = self.has_zero_tail && self.end + end as u64 > self.content_end;
        Next::Damaged(if reaches_tail {
            Damage::CutShort
        } else {
            damage
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

/// The game with these positions; if one of them makes no sense, its number from 0. Bytes after the
/// last whole position are ignored.
fn game_of(bytes: &[u8]) -> Result<TrainingGame, usize> {
    let numbered = bytes.chunks_exact(POSITION_BYTES).enumerate();
    let positions = numbered.map(|(number, bytes)| {
        let position = bytes.try_into().ok().and_then(TrainingPosition::from_bytes);
        position.ok_or(number)
    });
    let positions = positions.collect::<Result<_, _>>()?;
    Ok(TrainingGame { positions })
}

/// The place behind the last byte that is not zero, and the length of the input, which is rewound
/// to its start.
fn content_end<R: Read + Seek>(input: &mut R) -> io::Result<(u64, u64)> {
    const BLOCK_BYTES: u64 = 1 << 16;
    let length = input.seek(SeekFrom::End(0))?;
    let mut end = length;
    let mut block = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(BLOCK_BYTES);
        input.seek(SeekFrom::Start(start))?;
        block.clear();
        input.by_ref().take(end - start).read_to_end(&mut block)?;
        if let Some(last) = block.iter().rposition(|byte| *byte != 0) {
            end = start + last as u64 + 1;
            break;
        }
        end = start;
    }
    input.rewind()?;
    Ok((end, length))
}

/// Up to eight bytes as a number, the lowest byte first.
fn number(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .rev()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}
