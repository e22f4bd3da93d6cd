//! Tables in a file: what the tuner writes, what ships with the engine and what the option `TablesFile` reads.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `SQWTABLE` |
//! | 2 | version, 2 |
//! | 1 | whether boards are mirrored with the king, 0 or 1 |
//! | 1 | 0 |
//! | 64 | the bucket of each square of a king, a1 first |
//! | 2 | the tempo in centipawns, signed |
//! | 4 | the number of values, 768 for each bucket |
//! | 4 each | a value: middle game and end game in centipawns, 2 signed bytes each; by bucket, own or enemy, role, square |
//! | 4 each | what an army is worth beyond its pieces, in the same way: 486 of them, by pawns (0 to 8), knights (0 to 2), bishops (0 to 2), rooks (0 to 2) and queens (0 and 1) |
//! | 4 | the length of the provenance |
//! | as told | the provenance: where the values come from, in UTF-8 |
//! | 8 | FNV-1a of everything before |
//!
//! Files of version 1 know no armies and are read as if these were worth nothing.

use std::path::Path;
use std::{fs, io};

use super::king_buckets::KingBuckets;
use super::material::MATERIAL_SIZE;
use super::tables::{PackedScore, Tables, no_material_scores};

const MAGIC: &[u8; 8] = b"SQWTABLE";
const VERSION: u16 = 2;
/// The first version that knows armies.
const ARMIES_SINCE: u16 = 2;

/// A set of tables and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The tables.
    pub tables: Tables,
    /// Where they come from, for people.
    pub provenance: String,
}

/// Why bytes are no tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// They begin otherwise.
    #[error("this is no file of tables")]
    NotTables,
    /// They were written by a later version.
    #[error("version {0} of the format is not known")]
    Version(u16),
    /// They end too early.
    #[error("the file is cut short")]
    CutShort,
    /// Something follows that should not.
    #[error("{0} bytes too many")]
    TooLong(usize),
    /// They were changed since they were written.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// They contradict themselves.
    #[error("the values don't fit the shape")]
    Layout,
}

/// Why a file holds no tables that can be used.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system says no.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its bytes are no tables.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if it can't be read or holds no tables.
    pub fn read(path: &Path) -> Result<Document, ReadError> {
        Ok(Document::from_bytes(&fs::read(path)?)?)
    }

    /// The document as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = self.tables.shape();
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([u8::from(shape.is_mirrored()), 0]);
        bytes.extend(shape.buckets());
        bytes.extend((self.tables.tempo() as i16).to_le_bytes());
        bytes.extend((self.tables.cells().len() as u32).to_le_bytes());
        for cell in self.tables.cells().iter().chain(self.tables.armies()) {
            bytes.extend(cell.middle_game.to_le_bytes());
            bytes.extend(cell.end_game.to_le_bytes());
        }
        bytes.extend((self.provenance.len() as u32).to_le_bytes());
        bytes.extend(self.provenance.as_bytes());
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The document that these bytes hold.
    ///
    /// # Errors
    ///
    /// [`FormatError`] if they are anything but what [`Document::to_bytes`] gives.
    pub fn from_bytes(bytes: &[u8]) -> Result<Document, FormatError> {
        let mut reader = Reader { rest: bytes };
        if reader.take(MAGIC.len()) != Ok(MAGIC) {
            return Err(FormatError::NotTables);
        }
        let version = u16::from_le_bytes(reader.array()?);
        if !(1..=VERSION).contains(&version) {
            return Err(FormatError::Version(version));
        }
        let [is_mirrored, _] = reader.array()?;
        let shape = KingBuckets::from_parts(reader.array()?, is_mirrored != 0);
        let tempo = i16::from_le_bytes(reader.array()?);
        let count = u32::from_le_bytes(reader.array()?) as usize;
        let values = reader.take(count.checked_mul(4).ok_or(FormatError::CutShort)?)?;
        let armies = if version >= ARMIES_SINCE {
            cells(reader.take(MATERIAL_SIZE * 4)?)
        } else {
            no_material_scores()
        };
        let length = u32::from_le_bytes(reader.array()?) as usize;
        let provenance = String::from_utf8_lossy(reader.take(length)?).into_owned();
        let covered = bytes.len() - reader.rest.len();
        let expected = u64::from_le_bytes(reader.array()?);
        if !reader.rest.is_empty() {
            return Err(FormatError::TooLong(reader.rest.len()));
        }
        if checksum(&bytes[..covered]) != expected {
            return Err(FormatError::Checksum);
        }
        let shape = shape
            .filter(|shape| shape.length() == count)
            .ok_or(FormatError::Layout)?;
        let tables = Tables::from_scores(shape, cells(values), armies, tempo);
        Ok(Document { tables, provenance })
    }
}

/// The values that these bytes hold, four bytes each.
fn cells(bytes: &[u8]) -> Vec<PackedScore> {
    let cell = |value: &[u8]| PackedScore {
        middle_game: i16::from_le_bytes([value[0], value[1]]),
        end_game: i16::from_le_bytes([value[2], value[3]]),
    };
    bytes.chunks_exact(4).map(cell).collect()
}

/// What is left to read.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], FormatError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(FormatError::CutShort)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], FormatError> {
        self.take(LENGTH)?
            .try_into()
            .map_err(|_| FormatError::CutShort)
    }
}

/// FNV-1a with 64 bits (Fowler, Noll and Vo): enough to notice an accident.
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let shape = KingBuckets::named("buckets").expect("a shape of this name");
        let cell = |number| PackedScore {
            middle_game: number,
            end_game: -number,
        };
        let cells = (0..shape.length() as i16).map(cell).collect();
        let armies = (0..MATERIAL_SIZE as i16).rev().map(cell).collect();
        Document {
            tables: Tables::from_scores(shape, cells, armies, 12),
            provenance: "three generations".to_owned(),
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        assert_eq!(Document::from_bytes(&document().to_bytes()), Ok(document()));
    }

    #[test]
    fn a_file_from_before_armies_is_read_without_them() {
        let Document { tables, provenance } = document();
        let mut bytes = document().to_bytes();
        bytes[8] = 1;
        let armies = 82 + tables.cells().len() * 4;
        bytes.drain(armies..armies + MATERIAL_SIZE * 4);
        bytes.truncate(bytes.len() - 8);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        let cells = tables.cells().to_vec();
        let tables = Tables::from_scores(tables.shape().clone(), cells, no_material_scores(), 12);
        let expected = Document { tables, provenance };
        assert_eq!(Document::from_bytes(&bytes), Ok(expected));
    }

    #[test]
    fn a_file_of_a_version_to_come_is_refused() {
        let mut bytes = document().to_bytes();
        bytes[8] = 3;
        assert_eq!(Document::from_bytes(&bytes), Err(FormatError::Version(3)));
    }

    #[test]
    fn a_file_cut_short_anywhere_is_refused() {
        let bytes = document().to_bytes();
        for length in (0..bytes.len()).step_by(97).chain([bytes.len() - 1]) {
            assert!(
                Document::from_bytes(&bytes[..length]).is_err(),
                "{length} bytes"
            );
        }
    }

    #[test]
    fn every_damaged_byte_is_noticed() {
        let bytes = document().to_bytes();
        for place in (0..bytes.len()).step_by(211) {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x10;
            assert!(Document::from_bytes(&damaged).is_err(), "byte {place}");
        }
    }

    #[test]
    fn a_file_that_goes_on_is_refused() {
        let mut bytes = document().to_bytes();
        bytes.push(0);
        assert_eq!(Document::from_bytes(&bytes), Err(FormatError::TooLong(1)));
    }

    #[test]
    fn a_stranger_is_told_so() {
        assert_eq!(
            Document::from_bytes(b"[Event \"?\"]"),
            Err(FormatError::NotTables)
        );
    }
}
