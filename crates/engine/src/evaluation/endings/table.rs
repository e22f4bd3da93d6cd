//! The tables of all endings, their sum, and the file that holds them.
//!
//! All numbers of the file are little-endian: `SQWENDING`, a version of 2 bytes, the scores in
//! eighths of a centipawn, 2 signed bytes each, and FNV-1a of everything before. The scores stand
//! by the number of the ending, by the turn (the strong side's first) and by the place of the
//! entry.

use std::iter;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::Ending;
use super::men::Men;
use crate::checksum::checksum;

const MAGIC: &[u8; 9] = b"SQWENDING";
const VERSION: u16 = 1;
const CHECKSUM_BYTES: usize = 8;

/// The tables that ship with the engine.
pub static SHIPPED: LazyLock<Arc<EndingTables>> = LazyLock::new(|| {
    let tables = EndingTables::from_bytes(include_bytes!("../endings.bin"));
    Arc::new(tables.expect("the file of the endings is intact"))
});

/// The tables of all endings of three and four men.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingTables {
    /// The place of the first score of each ending, by its number.
    starts: Vec<usize>,
    scores: Vec<i16>,
}

impl EndingTables {
    /// Tables whose scores are all zero.
    pub fn zero() -> EndingTables {
        let mut length = 0;
        let starts = Ending::all().map(|ending| {
            let start = length;
            length += 2 * ending.entries();
            start
        });
        EndingTables {
            starts: starts.collect(),
            scores: vec![0; length],
        }
    }

    /// The scores of an ending in eighths of a centipawn, good for the strong side if they are
    /// positive, by the place of the entry.
    #[inline]
    pub fn scores(&self, ending: Ending, is_strong_turn: bool) -> &[i16] {
        &self.scores[self.range(ending, is_strong_turn)]
    }

    /// The same, to be set.
    pub fn scores_mut(&mut self, ending: Ending, is_strong_turn: bool) -> &mut [i16] {
        let range = self.range(ending, is_strong_turn);
        &mut self.scores[range]
    }

    fn range(&self, ending: Ending, is_strong_turn: bool) -> Range<usize> {
        let entries = ending.entries();
        let start = self.starts[ending.number()] + usize::from(!is_strong_turn) * entries;
        start..start + entries
    }

    /// What the men are worth to the strong side, in eighths of a centipawn.
    pub fn sum(&self, men: &Men) -> i32 {
        let scores = self.scores(men.ending, men.is_strong_turn);
        let mut sum = 0;
        men.for_each_entry(|place, _| sum += i32::from(scores[place]));
        sum
    }

    /// The tables in the format of their file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(self.scores.iter().flat_map(|score| score.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The tables of a file; `None` unless [`EndingTables::to_bytes`] wrote it.
    pub fn from_bytes(bytes: &[u8]) -> Option<EndingTables> {
        let mut tables = EndingTables::zero();
        let (content, sum) = bytes.split_last_chunk::<CHECKSUM_BYTES>()?;
        let scores = content.strip_prefix(MAGIC)?;
        let scores = scores.strip_prefix(&VERSION.to_le_bytes())?;
        if checksum(content) != u64::from_le_bytes(*sum) || scores.len() != 2 * tables.scores.len()
        {
            return None;
        }
        for (score, bytes) in iter::zip(&mut tables.scores, scores.chunks_exact(2)) {
            *score = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        Some(tables)
    }
}
