//! The tables that a command-line argument names: a shipped set, `zero`, or a file.
//!
//! A file is read while the arguments are parsed, so a bad one is a mistake in the arguments with
//! exit code 2.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use squarewise_engine::evaluation::file::{Document, checksum_of};
use squarewise_engine::evaluation::{TableSet, Tables};

/// Tables named on the command line.
#[derive(Clone, Debug)]
pub struct NamedTables {
    /// The tables.
    pub tables: Arc<Tables>,
    /// The file that they were read from.
    pub path: Option<PathBuf>,
}

impl NamedTables {
    /// A checksum of the scores, by which the description of a run names its tables.
    pub fn checksum(&self) -> u64 {
        checksum_of(&self.tables)
    }
}

impl std::str::FromStr for NamedTables {
    type Err = String;

    fn from_str(name: &str) -> Result<NamedTables, String> {
        let mut path = None;
        let tables = if let Some(set) = TableSet::named(name) {
            set.tables()
        } else if name.eq_ignore_ascii_case("zero") {
            Arc::new(Tables::zero())
        } else {
            let document = Document::read(Path::new(name)).map_err(|error| error.to_string())?;
            path = Some(PathBuf::from(name));
            Arc::new(document.tables)
        };
        Ok(NamedTables { tables, path })
    }
}
