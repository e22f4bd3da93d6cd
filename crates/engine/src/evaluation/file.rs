//! The file format of tables: what `squarewise-lab tune` writes, what ships with the engine and
//! what the option `TablesFile` reads.
//!
//! All numbers are little-endian.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `SQWTABLE` |
//! | 2 | version, 5 |
//! | 1 | whether the board is mirrored with the king, 0 or 1 |
//! | 1 | 0 |
//! | 64 | the king bucket of each square, a1 first |
//! | 2 | the tempo bonus in centipawns, signed |
//! | 4 | the number of piece-square scores, 768 for each bucket |
//! | 4 each | the piece-square scores: middlegame and endgame in eighths of a centipawn, 2 signed bytes each; by bucket, own or enemy, role, square |
//! | | the other families; each begins with 4 bytes, its number of scores, which is 0 if all of them are zero |
//! | 4 each | the material scores in the same form: 486 of them, by pawns (0 to 8), knights (0 to 2), bishops (0 to 2), rooks (0 to 2) and queens (0 and 1) |
//! | 4 each | the scores of passed pawns: 96 for each bucket, by bucket and the number of the pawn |
//! | 4 each | the scores of attacks, six families: 1,920 of threats, 112 of mobility, 768 of counts around kings, 4,395 of their danger, 1,296 of paths of passed pawns, 16,660 of attacks from square to square; [`super::attacks`] has their places |
//! | 4 each | the scores of pairs of pawns: 4,560 of them. A pawn has a number: 0 to 47 if it is an own one on a2 to h7, 48 to 95 if it is an enemy one; the pair of the lower number L and the higher one H has the place H * (H - 1) / 2 + L |
//! | 4 each | the scores of pieces with pawns: 49,152 of them, by own or enemy piece, knight to queen, its square, and the number of the pawn |
//! | 4 | the length of the provenance |
//! | as stated | the provenance: where the scores come from, in UTF-8 |
//! | 8 | FNV-1a of everything before |
//!
//! The scores of pairs are at most 1,023 on both sides of zero.

use std::io;
use std::path::Path;

use super::features::{Family, Layout};
use super::king_buckets::KingBuckets;
use super::pairs::{PAIR_SCORE_LIMIT, is_in_limits};
use super::tables::Tables;
use super::tapered_score::PackedScore;
use crate::bounded_file;
use crate::checksum::checksum;
use crate::little_endian::Reader;
use FormatError::{CutShort, NotTables, TooLong, Version};

const MAGIC: &[u8; 8] = b"SQWTABLE";
const VERSION: u16 = 5;
const SCORE_BYTES: usize = 4;
const CHECKSUM_BYTES: usize = 8;

/// The largest file of tables that is read, in bytes: many times the size of the largest layout.
const MAX_FILE_BYTES: u64 = 16 << 20;

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
    /// They are of another version than this program reads, such as a later one.
    #[error("version {0} of the format can't be read")]
    Version(u16),
    /// They end too early, unless it is a length in them that is wrong.
    #[error("the file is cut short or damaged")]
    CutShort,
    /// There are more bytes than there should be.
    #[error("{0} bytes too many")]
    TooLong(usize),
    /// They were changed since they were written.
    #[error("the checksum is wrong: the file is damaged")]
    Checksum,
    /// The king buckets can't be those of tables.
    #[error("the king buckets are not numbered from 0 to 63 without a gap")]
    KingBuckets,
    /// The number of scores doesn't match the king buckets.
    #[error("the number of scores doesn't match the king buckets")]
    Layout,
    /// The number of scores of a family is neither 0 nor what it should be.
    #[error("{0} scores for the {name}", name = .1.name())]
    Count(usize, Family),
    /// The score of a pair is too large.
    #[error("a pair has a score beyond {PAIR_SCORE_LIMIT} eighths of a centipawn")]
    PairScore,
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
        let mut bytes = Vec::new();
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([u8::from(king_buckets.is_mirrored()), 0]);
        bytes.extend(king_buckets.buckets());
        bytes.extend((self.tables.tempo() as i16).to_le_bytes());
        for family in Family::ALL {
            let scores = self.tables.scores_of(family);
            let held = match family {
                Family::PieceSquare => scores,
                _ if self.tables.is_zero_in(family) => &[],
                _ => scores,
            };
            bytes.extend((held.len() as u32).to_le_bytes());
            for score in held {
                bytes.extend(score.middlegame.to_le_bytes());
                bytes.extend(score.endgame.to_le_bytes());
            }
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
    /// [`FormatError`] unless [`Document::to_bytes`] wrote them. What makes no sense in
    /// a file with a wrong checksum is called damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Document, FormatError> {
        Document::parse(bytes).map_err(|error| match error {
            // Where such a file ends, and so where its checksum is, nobody knows.
            NotTables | Version(_) | CutShort | TooLong(_) => error,
            _ if is_checksum_right(bytes) => error,
            _ => FormatError::Checksum,
        })
    }

    fn parse(bytes: &[u8]) -> Result<Document, FormatError> {
        let mut reader = Reader(bytes);
        if reader.take(MAGIC.len()) != Some(MAGIC) {
            return Err(NotTables);
        }
        let version = reader.u16().ok_or(CutShort)?;
        if version != VERSION {
            return Err(Version(version));
        }
        let [is_mirrored, _] = reader.array().ok_or(CutShort)?;
        let buckets = reader.array().ok_or(CutShort)?;
        let king_buckets =
            KingBuckets::from_parts(buckets, is_mirrored != 0).ok_or(FormatError::KingBuckets)?;
        let layout = Layout::new(king_buckets);
        let tempo = reader.i16().ok_or(CutShort)?;
        let count = reader.u32().ok_or(CutShort)? as usize;
        if layout.range(Family::PieceSquare).len() != count {
            return Err(FormatError::Layout);
        }
        let scores = read_scores(&mut reader, &layout)?;
        let length = reader.u32().ok_or(CutShort)? as usize;
        let provenance = reader.take(length).ok_or(CutShort)?;
        let provenance = String::from_utf8_lossy(provenance).into_owned();
        reader.take(CHECKSUM_BYTES).ok_or(CutShort)?;
        let surplus = reader.0.len();
        if !is_checksum_right(&bytes[..bytes.len() - surplus]) {
            return Err(FormatError::Checksum);
        }
        if surplus > 0 {
            return Err(TooLong(surplus));
        }
        let tables = Tables::from_scores(layout, scores, tempo);
        Ok(Document { tables, provenance })
    }
}

/// Whether bytes end with the checksum of those before it.
fn is_checksum_right(bytes: &[u8]) -> bool {
    let split = bytes.split_last_chunk::<CHECKSUM_BYTES>();
    split.is_some_and(|(content, sum)| checksum(content) == u64::from_le_bytes(*sum))
}

/// A checksum of the scores of tables, by which the description of a run names them.
pub fn checksum_of(tables: &Tables) -> u64 {
    let document = Document {
        tables: tables.clone(),
        provenance: String::new(),
    };
    checksum(&document.to_bytes())
}

/// The scores of all families in the order of the index space.
fn read_scores(reader: &mut Reader, layout: &Layout) -> Result<Vec<PackedScore>, FormatError> {
    let mut scores = vec![PackedScore::default(); layout.length()];
    for family in Family::ALL {
        let range = layout.range(family);
        if family != Family::PieceSquare {
            match reader.u32().ok_or(CutShort)? as usize {
                0 => continue,
                count if count == range.len() => {}
                count => return Err(FormatError::Count(count, family)),
            }
        }
        let bytes = reader.take(range.len() * SCORE_BYTES).ok_or(CutShort)?;
        for (score, bytes) in scores[range]
            .iter_mut()
            .zip(bytes.chunks_exact(SCORE_BYTES))
        {
            *score = PackedScore {
                middlegame: i16::from_le_bytes([bytes[0], bytes[1]]),
                endgame: i16::from_le_bytes([bytes[2], bytes[3]]),
            };
        }
    }
    let mut pairs = [Family::PawnPairs, Family::PiecePawns]
        .into_iter()
        .flat_map(|family| &scores[layout.range(family)]);
    if !pairs.all(|score| is_in_limits(*score)) {
        return Err(FormatError::PairScore);
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes before the number of piece-square scores.
    const HEADER_BYTES: usize = 78;

    fn document() -> Document {
        let king_buckets = KingBuckets::named("buckets").expect("a scheme of this name");
        let layout = Layout::new(king_buckets);
        let first_pair = layout.range(Family::PawnPairs).start;
        let score = |index: usize| {
            let number = if index < first_pair {
                (index % 4_001) as i16 - 2_000
            } else {
                (index % 2_047) as i16 - PAIR_SCORE_LIMIT
            };
            PackedScore {
                middlegame: number,
                endgame: -number,
            }
        };
        let scores = (0..layout.length()).map(score).collect();
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
    fn families_at_zero_take_no_room() {
        let later = [Family::PassedPawns, Family::PawnPairs, Family::PiecePawns];
        let Document { tables, provenance } = document();
        let layout = tables.layout().clone();
        let mut scores = tables.scores().to_vec();
        for family in later {
            scores[layout.range(family)].fill(PackedScore::default());
        }
        let without_pairs = Document {
            tables: Tables::from_scores(layout, scores, 12),
            provenance,
        };
        let later = later.map(|family| family.size(16)).iter().sum::<usize>();
        let bytes = without_pairs.to_bytes();
        assert_eq!(
            document().to_bytes().len() - bytes.len(),
            later * SCORE_BYTES
        );
        assert_eq!(Document::from_bytes(&bytes), Ok(without_pairs));
    }

    #[test]
    fn too_large_scores_of_pairs_and_wrong_counts_are_refused() {
        let document = document();
        let layout = document.tables.layout();
        let first = layout.range(Family::PawnPairs).start;
        let counts = Family::PawnPairs as usize; // those of the families before
        let place = HEADER_BYTES + first * SCORE_BYTES + counts * 4;
        let with = |at, value: &[u8]| Document::from_bytes(&changed(at, value, true));
        let too_large = with(place + 4, &1_024i16.to_le_bytes());
        assert_eq!(too_large, Err(FormatError::PairScore));
        let wrong_count = with(place, &7u32.to_le_bytes());
        assert_eq!(wrong_count, Err(FormatError::Count(7, Family::PawnPairs)));
    }

    /// Bytes with some of them replaced, and with the right checksum if it is wanted.
    fn changed(at: usize, value: &[u8], has_right_checksum: bool) -> Vec<u8> {
        let mut bytes = document().to_bytes();
        bytes[at..at + value.len()].copy_from_slice(value);
        if has_right_checksum {
            bytes.truncate(bytes.len() - CHECKSUM_BYTES);
            let sum = checksum(&bytes);
            bytes.extend(sum.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn what_makes_no_sense_is_called_damaged_if_the_checksum_is_wrong() {
        const BUCKETS: usize = 12;
        let counts = [HEADER_BYTES, HEADER_BYTES + 4 + 16 * 768 * SCORE_BYTES];
        for (at, value, expected) in [
            (BUCKETS, [17].as_slice(), FormatError::KingBuckets),
            (BUCKETS, &[64], FormatError::KingBuckets),
            (counts[0], &7u32.to_le_bytes(), FormatError::Layout),
            (
                counts[1],
                &7u32.to_le_bytes(),
                FormatError::Count(7, Family::Material),
            ),
        ] {
            let bytes = changed(at, value, true);
            assert_eq!(Document::from_bytes(&bytes), Err(expected));
            let bytes = changed(at, value, false);
            assert_eq!(Document::from_bytes(&bytes), Err(FormatError::Checksum));
        }
        // A provenance that seems to be shorter.
        let document = document();
        let length = document.to_bytes().len() - CHECKSUM_BYTES - document.provenance.len() - 4;
        let bytes = changed(length, &3u32.to_le_bytes(), false);
        assert_eq!(Document::from_bytes(&bytes), Err(FormatError::Checksum));
    }

    #[test]
    fn a_file_of_another_version_is_refused() {
        let mut bytes = document().to_bytes();
        for other in [VERSION - 1, VERSION + 1] {
            bytes[8] = other as u8;
            assert_eq!(Document::from_bytes(&bytes), Err(Version(other)));
        }
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
        assert_eq!(Document::from_bytes(&bytes), Err(TooLong(1)));
    }

    #[test]
    fn a_file_of_another_kind_is_refused() {
        assert_eq!(Document::from_bytes(b"[Event \"?\"]"), Err(NotTables));
    }
}
