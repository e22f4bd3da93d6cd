//! The tables that a command-line argument names: a shipped set, that of a variant, `zero`, or a
//! file.
//!
//! A file is read while the arguments are parsed, so a bad one is a mistake in the arguments with
//! exit code 2.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use squarewise_engine::evaluation::file::{Document, ReadError, checksum_of};
use squarewise_engine::evaluation::{TableSet, Tables, tables_of};
use squarewise_engine::position::rules::Variant;

/// Tables named on the command line.
#[derive(Clone, Debug)]
pub struct NamedTables {
    /// The tables.
    pub tables: Arc<Tables>,
    /// The file that they were read from.
    pub path: Option<PathBuf>,
    set: Option<TableSet>,
}

impl NamedTables {
    /// The tables of a file, whose path need not be text.
    ///
    /// # Errors
    ///
    /// Those of [`Document::read`].
    pub fn read(path: &Path) -> Result<NamedTables, ReadError> {
        let document = Document::read(path)?;
        Ok(NamedTables {
            tables: Arc::new(document.tables),
            path: Some(path.to_owned()),
            set: None,
        })
    }

    /// A checksum of the scores, by which the description of a run names its tables.
    pub fn checksum(&self) -> u64 {
        checksum_of(&self.tables)
    }

    /// These tables as a variant is played with them.
    pub fn for_variant(&self, variant: Variant) -> Arc<Tables> {
        match self.set {
            Some(set) => set.tables_for(variant),
            None => Arc::clone(&self.tables).with_endings_for(variant),
        }
    }
}

impl std::str::FromStr for NamedTables {
    type Err = String;

    fn from_str(name: &str) -> Result<NamedTables, String> {
        let set = TableSet::named(name);
        let tables = if let Some(set) = set {
            set.tables()
        } else if name.eq_ignore_ascii_case("zero") {
            Arc::new(Tables::zero())
        } else if let Ok(variant) = name.parse() {
            tables_of(variant)
        } else {
            return NamedTables::read(Path::new(name)).map_err(|error| match error {
                ReadError::Io(error) if error.kind() == io::ErrorKind::NotFound => unknown(),
                error => error.to_string(),
            });
        };
        Ok(NamedTables {
            tables,
            path: None,
            set,
        })
    }
}

/// What is said of a name that nothing has.
fn unknown() -> String {
    let sets = TableSet::ALL.map(TableSet::name).join(", ");
    format!("there is no such file; the names are {sets}, zero, and those of the variants")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_names_its_tables_and_the_default_set_becomes_them() {
        let named = |name: &str| name.parse::<NamedTables>().expect("known tables");
        let torpedo = named("Torpedo");
        assert_eq!(torpedo.tables, tables_of(Variant::Torpedo));
        let attacks = named("attacks");
        assert_ne!(attacks.tables, torpedo.tables);
        assert_eq!(attacks.for_variant(Variant::Torpedo), torpedo.tables);
        let zero = named("zero");
        assert_eq!(zero.for_variant(Variant::Torpedo), zero.tables);
        assert!("torpedos".parse::<NamedTables>().is_err());
    }
}
