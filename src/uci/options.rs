//! The UCI options: their values ([`Options`]) and one table that declares, reads and stores each of them.
//!
//! To add an option, give [`Options`] a field and a default, add one entry to the table, and use the field
//! where it is needed. Everything else follows from the entry: the `option` line that `uci` prints, the check
//! of a value against the range, and the `info string` for a bad value. An option that must do more than store
//! its value names an [`Effect`], which the engine applies.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use super::setup_error::OptionError;
use crate::evaluation::TableSet;
#[cfg(feature = "tuning")]
use crate::search::parameters::{self, Parameter};
use crate::search::{MAX_THREADS, SearchOptions};

/// The value of every option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `Hash`: the size of the transposition table in MiB.
    pub hash_megabytes: usize,
    /// `Ponder`: whether the interface may ponder. Nothing reads it: `go ponder` decides when to ponder.
    pub ponder: bool,
    /// `UCI_Chess960`: whether castling is written as king takes rook.
    pub chess960: bool,
    /// `Tables`: the set of piece-square tables.
    pub tables: TableSet,
    /// `TablesFile`: a file of tables to use instead of the set.
    pub tables_file: Option<PathBuf>,
    /// `OwnBook`: whether moves are played from the opening book.
    pub own_book: bool,
    /// `BookFile`: the opening book, in the Polyglot format.
    pub book_file: Option<PathBuf>,
    /// `BookDepth`: the last move of the game, in full moves, that is played from the book.
    pub book_depth: usize,
    /// `Best Book Move`: whether the book's move with the greatest weight is played, and not a random one.
    pub best_book_move: bool,
    /// `RandomSeed`: the seed of all random choices; 0 for another one each time.
    pub random_seed: usize,
    /// `Debug Log File`: where diagnostics go instead of stderr.
    pub debug_log_file: Option<PathBuf>,
    /// The options that are handed to every search.
    pub search: SearchOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_megabytes: 16,
            ponder: false,
            chess960: false,
            tables: TableSet::default(),
            tables_file: None,
            own_book: false,
            book_file: None,
            book_depth: 255,
            best_book_move: false,
            random_seed: 0,
            debug_log_file: None,
            search: SearchOptions::default(),
        }
    }
}

/// What the engine must do, besides storing the value, when an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// Allocate a transposition table of the new size.
    ResizeHash,
    /// Empty the transposition table.
    ClearHash,
    /// Start or end search threads.
    SetThreads,
    /// Use the set of tables instead of the file of tables if there is one.
    SelectTables,
    /// Use the file of tables, or the set if there is no file.
    LoadTables,
    /// Read the opening book, or close it.
    LoadBook,
    /// Start the random numbers anew.
    SeedRandom,
    /// Open the debug log, or close it.
    OpenDebugLog,
}

/// The type of an option, the values that it takes, and the field that holds its value.
#[derive(Clone)]
enum Kind {
    Spin {
        range: RangeInclusive<i64>,
        field: fn(&mut Options) -> &mut usize,
    },
    Milliseconds {
        range: RangeInclusive<i64>,
        field: fn(&mut Options) -> &mut Duration,
    },
    Check {
        field: fn(&mut Options) -> &mut bool,
    },
    Button,
    TableSets {
        field: fn(&mut Options) -> &mut TableSet,
    },
    File {
        field: fn(&mut Options) -> &mut Option<PathBuf>,
    },
    #[cfg(feature = "tuning")]
    Parameter(&'static Parameter),
}

/// An option: its name, its values, and what it does besides storing them.
#[derive(Clone)]
struct Entry {
    name: &'static str,
    kind: Kind,
    effect: Effect,
}

/// The largest size of the transposition table that can be asked for, in MiB.
pub const MAX_HASH_MEGABYTES: u32 = 262_144;

/// Every option. The names are Stockfish's where the option is the same.
const OPTIONS: &[Entry] = &[
    Entry {
        name: "Hash",
        kind: Kind::Spin {
            range: 1..=MAX_HASH_MEGABYTES as i64,
            field: |options| &mut options.hash_megabytes,
        },
        effect: Effect::ResizeHash,
    },
    Entry {
        name: "Clear Hash",
        kind: Kind::Button,
        effect: Effect::ClearHash,
    },
    Entry {
        name: "Threads",
        kind: Kind::Spin {
            range: 1..=MAX_THREADS as i64,
            field: |options| &mut options.search.threads,
        },
        effect: Effect::SetThreads,
    },
    Entry {
        name: "MultiPV",
        kind: Kind::Spin {
            range: 1..=256,
            field: |options| &mut options.search.multi_pv,
        },
        effect: Effect::None,
    },
    Entry {
        name: "Ponder",
        kind: Kind::Check {
            field: |options| &mut options.ponder,
        },
        effect: Effect::None,
    },
    Entry {
        name: "Move Overhead",
        kind: Kind::Milliseconds {
            range: 0..=5_000,
            field: |options| &mut options.search.move_overhead,
        },
        effect: Effect::None,
    },
    Entry {
        name: "UCI_Chess960",
        kind: Kind::Check {
            field: |options| &mut options.chess960,
        },
        effect: Effect::None,
    },
    Entry {
        name: "Tables",
        kind: Kind::TableSets {
            field: |options| &mut options.tables,
        },
        effect: Effect::SelectTables,
    },
    Entry {
        name: "TablesFile",
        kind: Kind::File {
            field: |options| &mut options.tables_file,
        },
        effect: Effect::LoadTables,
    },
    Entry {
        name: "OwnBook",
        kind: Kind::Check {
            field: |options| &mut options.own_book,
        },
        effect: Effect::None,
    },
    Entry {
        name: "BookFile",
        kind: Kind::File {
            field: |options| &mut options.book_file,
        },
        effect: Effect::LoadBook,
    },
    Entry {
        name: "BookDepth",
        kind: Kind::Spin {
            range: 1..=255,
            field: |options| &mut options.book_depth,
        },
        effect: Effect::None,
    },
    Entry {
        name: "Best Book Move",
        kind: Kind::Check {
            field: |options| &mut options.best_book_move,
        },
        effect: Effect::None,
    },
    Entry {
        name: "RandomSeed",
        kind: Kind::Spin {
            range: 0..=i32::MAX as i64,
            field: |options| &mut options.random_seed,
        },
        effect: Effect::SeedRandom,
    },
    Entry {
        name: "Debug Log File",
        kind: Kind::File {
            field: |options| &mut options.debug_log_file,
        },
        effect: Effect::OpenDebugLog,
    },
];

/// The text that stands for an empty string, on input and on output.
const EMPTY: &str = "<empty>";

impl Options {
    /// These options with one of them set to a value, and the effect that the engine must apply. Names are
    /// compared without regard to case. With the feature `tuning` a parameter of the search is set at once, since it
    /// holds its value itself.
    ///
    /// # Errors
    ///
    /// [`OptionError`] for an unknown name, a missing value, and a value that the option doesn't take.
    pub fn with(&self, name: &str, value: Option<&str>) -> Result<(Options, Effect), OptionError> {
        let entry = entries()
            .find(|entry| entry.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let mut options = self.clone();
        let effect = entry.set(&mut options, value)?;
        Ok((options, effect))
    }
}

/// The part of each `option` line that follows the word `option`.
pub fn descriptions() -> impl Iterator<Item = String> {
    entries().map(|entry| format!("name {} type {}", entry.name, entry.kind.description()))
}

/// Every option, and with the feature `tuning` the parameters of the search.
fn entries() -> impl Iterator<Item = Entry> {
    let entries = OPTIONS.iter().cloned();
    #[cfg(feature = "tuning")]
    let entries = entries.chain(parameters::ALL.iter().map(|parameter| Entry {
        name: parameter.name,
        kind: Kind::Parameter(parameter),
        effect: Effect::None,
    }));
    entries
}

impl Kind {
    /// The type with its default and its range, as an `option` line has them.
    fn description(&self) -> String {
        let mut defaults = Options::default();
        match self {
            Kind::Spin { range, field } => describe_spin(*field(&mut defaults), range),
            Kind::Milliseconds { range, field } => {
                describe_spin(field(&mut defaults).as_millis(), range)
            }
            Kind::Check { field } => format!("check default {}", field(&mut defaults)),
            Kind::Button => "button".to_owned(),
            Kind::TableSets { field } => {
                let default = field(&mut defaults).name();
                let choices = TableSet::ALL.map(|set| format!(" var {}", set.name()));
                format!("combo default {default}{}", choices.concat())
            }
            Kind::File { field } => {
                let default = field(&mut defaults).as_ref();
                let path = default.map_or(EMPTY.to_owned(), |path| path.display().to_string());
                format!("string default {path}")
            }
            #[cfg(feature = "tuning")]
            Kind::Parameter(parameter) => describe_spin(parameter.default, &range_of(parameter)),
        }
    }
}

fn describe_spin(default: impl std::fmt::Display, range: &RangeInclusive<i64>) -> String {
    let (min, max) = (range.start(), range.end());
    format!("spin default {default} min {min} max {max}")
}

#[cfg(feature = "tuning")]
fn range_of(parameter: &Parameter) -> RangeInclusive<i64> {
    i64::from(parameter.min)..=i64::from(parameter.max)
}

impl Entry {
    /// Parses a value, stores it, and returns the effect to apply. An error stores nothing.
    fn set(&self, options: &mut Options, value: Option<&str>) -> Result<Effect, OptionError> {
        let value = || value.ok_or(OptionError::MissingValue(self.name));
        match &self.kind {
            Kind::Spin { range, field } => {
                *field(options) = self.parse_spin(value()?, range)? as usize;
            }
            Kind::Milliseconds { range, field } => {
                let millis = self.parse_spin(value()?, range)?;
                *field(options) = Duration::from_millis(millis.unsigned_abs());
            }
            Kind::Check { field } => {
                let value = value()?;
                let is_on = value.to_ascii_lowercase().parse();
                *field(options) = is_on.map_err(|_| self.bad_value(value, "true or false"))?;
            }
            Kind::Button => {}
            Kind::TableSets { field } => {
                let value = value()?;
                let takes = || TableSet::ALL.map(TableSet::name).join(" or ");
                let set = TableSet::named(value);
                *field(options) = set.ok_or_else(|| self.bad_value(value, &takes()))?;
            }
            Kind::File { field } => {
                let value = value()?;
                let is_empty = value.is_empty() || value == EMPTY;
                *field(options) = (!is_empty).then(|| PathBuf::from(value));
            }
            #[cfg(feature = "tuning")]
            Kind::Parameter(parameter) => {
                let number = self.parse_spin(value()?, &range_of(parameter))?;
                parameter.set(number as i32);
            }
        }
        Ok(self.effect)
    }

    fn parse_spin(&self, value: &str, range: &RangeInclusive<i64>) -> Result<i64, OptionError> {
        let number = value.parse().ok();
        number
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                let (min, max) = (range.start(), range.end());
                self.bad_value(value, &format!("whole numbers from {min} to {max}"))
            })
    }

    fn bad_value(&self, value: &str, takes: &str) -> OptionError {
        OptionError::BadValue {
            name: self.name,
            value: value.to_owned(),
            takes: takes.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The options after one of them is set, all others at their defaults.
    fn set(name: &str, value: &str) -> Result<Options, OptionError> {
        let changed = Options::default().with(name, Some(value));
        changed.map(|(options, _)| options)
    }

    #[test]
    fn names_and_values_are_accepted_in_any_case() {
        let defaults = Options::default;
        let hash = Options {
            hash_megabytes: 32,
            ..defaults()
        };
        assert_eq!(set("hash", "32"), Ok(hash));
        let chess960 = Options {
            chess960: true,
            ..defaults()
        };
        assert_eq!(set("uci_chess960", "True"), Ok(chess960));
        let tables = Options {
            tables: TableSet::Simplified,
            ..defaults()
        };
        assert_eq!(set("tables", "simplified"), Ok(tables));
        let overhead = set("MOVE overhead", "70").map(|options| options.search.move_overhead);
        assert_eq!(overhead, Ok(Duration::from_millis(70)));
    }

    #[test]
    fn setting_an_option_returns_its_effect() {
        let effect = |name: &str, value| {
            let changed = Options::default().with(name, value);
            changed.map(|(_, effect)| effect)
        };
        assert_eq!(effect("CLEAR HASH", None), Ok(Effect::ClearHash));
        assert_eq!(effect("Hash", Some("1")), Ok(Effect::ResizeHash));
        assert_eq!(effect("Ponder", Some("true")), Ok(Effect::None));
    }

    #[test]
    fn a_value_outside_the_range_is_refused_with_the_range() {
        for value in [
            "0",
            "262145",
            "-1",
            "many",
            "",
            "1.5",
            "99999999999999999999",
        ] {
            let error = set("Hash", value).expect_err("a bad size").to_string();
            assert_eq!(
                error,
                format!(
                    "option 'Hash' can't be '{value}': it takes whole numbers from 1 to 262144"
                )
            );
        }
        assert!(set("Threads", "1025").is_err());
        assert!(set("Ponder", "maybe").is_err());
        assert!(set("Tables", "None").is_err());
    }

    #[test]
    fn a_missing_value_and_an_unknown_name_are_different_errors() {
        let options = Options::default();
        assert_eq!(
            options.with("Hash", None),
            Err(OptionError::MissingValue("Hash"))
        );
        assert_eq!(
            options.with("Nope", Some("1")),
            Err(OptionError::Unknown("Nope".to_owned()))
        );
    }

    #[test]
    fn an_empty_file_name_means_no_file() {
        let with_log = set("Debug Log File", "a b.log").expect("any name is a file's name");
        assert_eq!(with_log.debug_log_file, Some(PathBuf::from("a b.log")));
        for empty in ["<empty>", ""] {
            let (closed, _) = with_log
                .with("Debug Log File", Some(empty))
                .expect("no file is a value too");
            assert_eq!(closed.debug_log_file, None);
        }
    }

    #[test]
    fn every_default_is_accepted_by_its_option() {
        for (entry, description) in entries().zip(descriptions()) {
            let default = description.split(" default ").nth(1);
            if let Some(value) = default.and_then(|rest| rest.split(' ').next()) {
                assert_eq!(
                    set(entry.name, value),
                    Ok(Options::default()),
                    "{description}"
                );
            }
        }
    }
}
