//! Why no more positions are made.

use std::io;
use std::path::PathBuf;

use squarewise_engine::position::FenError;
use squarewise_engine::search::transposition_table::AllocationError;

/// The tries for a position before it is given up. A few suffice, unless all of a book is
/// one-sided.
pub(super) const MAX_TRIES: u32 = 1_000;

/// Why no more positions are made.
#[derive(Debug, thiserror::Error)]
pub enum GenfensError {
    /// The book can't be read.
    #[error("{path}: {error}")]
    Book {
        /// The book.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A line of the book is not a position.
    #[error("{path}: '{line}' is not a position: {error}")]
    Line {
        /// The book.
        path: PathBuf,
        line: String,
        /// What is wrong with it.
        error: FenError,
    },
    /// Everything that was tried is a game that is over, or one-sided.
    #[error("no balanced position was found in {MAX_TRIES} tries")]
    NothingBalanced,
    /// There is no memory for the search.
    #[error(transparent)]
    Memory(#[from] AllocationError),
}
