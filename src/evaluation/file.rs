//! The file format of tables: what `squarewise tune` writes, what ships with the engine and what the option
//! `TablesFile` reads.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SQWTABLE` |
//! | 2 | version, 2 |
//! | 1 | whether the board is mirrored with the king, 0 or 1 |
//! | 1 | 0 |
//! | 64 | the king bucket of each square, a1 first |
//! | 2 | the tempo bonus in centipawns, signed |
//! | 4 | the number of piece-square scores, 768 for each bucket |
//! | 4 each | the piece-square scores: middle game and end game in centipawns, 2 signed bytes each; by bucket, own or enemy, role, square |
//! | 4 each | since version 2, the material scores in the same form: 486 of them, by pawns (0 to 8), knights (0 to 2), bishops (0 to 2), rooks (0 to 2) and queens (0 and 1) |
//! | 4 | the length of the provenance |
//! | as stated | the provenance: where the scores come from, in UTF-8 |
//! | 8 | FNV-1a of everything before |
//!
//! Families that came after a file's version have scores of zero.

use std::io;
use std::path::Path;

use super::features::{Family, Layout};
use super::king_buckets::KingBuckets;
use super::tables::Tables;
use super::tapered_score::PackedScore;
use crate::bounded_file;
use crate::checksum::checksum;

const MAGIC: &[u8; 8] = b"SQWTABLE";
const VERSION: u16 = 2;
const SCORE_BYTES: usize = 4;

/// The largest file of tables that is read, in bytes: many times the size of the largest layout.
const MAX_FILE_BYTES: u64 = 16 << 20;

/// The first version that holds the scores of a family.
fn first_version_with(family: Family) -> u16 {
    match family {
        Family::PieceSquare => 1,
        Family::Material => 2,
    }
}

/// A set of tables and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Document {
    /// The tables.
    pub tables: Tables,
    /// Where they come from, for people to read.
    pub provenance: String,
}

/// The error of bytes that are not a file of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormatError {
    /// They don't begin with `SQWTABLE`.
    #[error("this is not a file of tables")]
    NotTables,
    /// They were written by a later version.
    #[error("version {0} of the format is not known")]
    Version(u16),
    /// They end too early.
    #[error("the file is cut short")]
    CutShort,
    /// There are more bytes than there should be.
    #[error("{0} bytes too many")]
    TooLong(usize),
    /// They were changed since they were written.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// The number of scores doesn't match the king buckets.
    #[error("the number of scores doesn't match the king buckets")]
    Layout,
}

/// The error of a file that can't be read as tables.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The operating system can't read it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its bytes are not a file of tables.
    #[error(transparent)]
    Format(#[from] FormatError),
}

impl Document {
    /// Reads a regular file of at most 16 MiB.
    ///
    /// # Errors
    ///
    /// [`ReadError`] if it is not such a file, can't be read or doesn't hold tables.
    pub fn read(path: &Path) -> Result<Document, ReadError> {
        let bytes = bounded_file::read(path, MAX_FILE_BYTES)?;
        Ok(Document::from_bytes(&bytes)?)
    }

    /// The document in the format of this file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let king_buckets = self.tables.layout().king_buckets();
        let piece_square_scores = self.tables.scores_of(Family::PieceSquare).len();
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([u8::from(king_buckets.is_mirrored()), 0]);
        bytes.extend(king_buckets.buckets());
        bytes.extend((self.tables.tempo() as i16).to_le_bytes());
        bytes.extend((piece_square_scores as u32).to_le_bytes());
        for score in self.tables.scores() {
            bytes.extend(score.middle_game.to_le_bytes());
            bytes.extend(score.end_game.to_le_bytes());
        }
        bytes.extend((self.provenance.len() as u32).to_le_bytes());
        bytes.extend(self.provenance.as_bytes());
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a document from bytes.
    ///
    /// # Errors
    ///
    /// [`FormatError`] unless [`Document::to_bytes`], of this version or an earlier one, wrote them.
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
        let king_buckets = KingBuckets::from_parts(reader.array()?, is_mirrored != 0);
        let tempo = i16::from_le_bytes(reader.array()?);
        let count = u32::from_le_bytes(reader.array()?) as usize;
        let layout = king_buckets
            .map(Layout::new)
            .filter(|layout| layout.range(Family::PieceSquare).len() == count)
            .ok_or(FormatError::Layout)?;
        let scores = read_scores(&mut reader, &layout, version)?;
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
        let tables = Tables::from_scores(layout, scores, tempo);
        Ok(Document { tables, provenance })
    }
}

/// The scores of all families in the order of the index space; zero for families added after `version`.
fn read_scores(
    reader: &mut Reader,
    layout: &Layout,
    version: u16,
) -> Result<Vec<PackedScore>, FormatError> {
    let mut scores = vec![PackedScore::default(); layout.length()];
    let is_held = |family: &Family| version >= first_version_with(*family);
    for family in Family::ALL.into_iter().filter(is_held) {
        let range = layout.range(family);
        let bytes = reader.take(range.len() * SCORE_BYTES)?;
        for (score, bytes) in scores[range]
            .iter_mut()
            .zip(bytes.chunks_exact(SCORE_BYTES))
        {
            *score = PackedScore {
                middle_game: i16::from_le_bytes([bytes[0], bytes[1]]),
                end_game: i16::from_le_bytes([bytes[2], bytes[3]]),
            };
        }
    }
    Ok(scores)
}

/// The bytes that are not read yet.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let king_buckets = KingBuckets::named("buckets").expect("a scheme of this name");
        let layout = Layout::new(king_buckets);
        let score = |number| PackedScore {
            middle_game: number,
            end_game: -number,
        };
        let scores = (0..layout.length() as i16).map(score).collect();
        Document {
            tables: Tables::from_scores(layout, scores, 12),
            provenance: "three generations".to_owned(),
        }
    }

    #[test]
    fn a_written_document_is_read_back_unchanged() {
        assert_eq!(Document::from_bytes(&document().to_bytes()), Ok(document()));
    }

    #[test]
    fn a_file_of_version_1_is_read_with_material_scores_of_zero() {
        let Document { tables, provenance } = document();
        let layout = tables.layout().clone();
        let material = layout.range(Family::Material);
        let mut bytes = document().to_bytes();
        bytes[8] = 1;
        bytes.drain(82 + material.start * SCORE_BYTES..82 + material.end * SCORE_BYTES);
        bytes.truncate(bytes.len() - 8);
        let sum = checksum(&bytes);
        bytes.extend(sum.to_le_bytes());
        let mut scores = tables.scores().to_vec();
        scores[material].fill(PackedScore::default());
        let tables = Tables::from_scores(layout, scores, 12);
        let expected = Document { tables, provenance };
        assert_eq!(Document::from_bytes(&bytes), Ok(expected));
    }

    #[test]
    fn a_file_of_a_later_version_is_refused() {
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
    fn a_file_with_bytes_after_its_end_is_refused() {
        let mut bytes = document().to_bytes();
        bytes.push(0);
        assert_eq!(Document::from_bytes(&bytes), Err(FormatError::TooLong(1)));
    }

    #[test]
    fn a_file_of_another_kind_is_refused() {
        assert_eq!(
            Document::from_bytes(b"[Event \"?\"]"),
            Err(FormatError::NotTables)
        );
    }
}
