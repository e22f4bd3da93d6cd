//! The options: one table that both prints them and understands their values.

use std::path::PathBuf;
use std::time::Duration;

use crate::evaluation::TableSet;
#[cfg(feature = "tuning")]
use crate::search::parameters::{self, Parameter};

/// A change that an option makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The size of the transposition table in MiB.
    Hash(usize),
    /// Empty the transposition table.
    ClearHash,
    /// The number of search threads.
    Threads(usize),
    /// Whether the interface will ponder. Nothing depends on it, since `go ponder` says when.
    Ponder(bool),
    /// Time lost between our clock and the arbiter's, per move.
    MoveOverhead(Duration),
    /// Whether castling is king-takes-rook.
    Chess960(bool),
    /// The tables by which positions are judged.
    Tables(TableSet),
    /// A file of tables to judge by; `None` goes back to the set that `Tables` names.
    TablesFile(Option<PathBuf>),
    /// The file for diagnostics; `None` closes it.
    DebugLogFile(Option<PathBuf>),
    /// Another value for a parameter of the search.
    #[cfg(feature = "tuning")]
    Parameter(&'static Parameter, i32),
}

/// What values an option takes, and what becomes of them.
enum Kind {
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(i64) -> Setting,
    },
    Check {
        default: bool,
        set: fn(bool) -> Setting,
    },
    Button {
        set: fn() -> Setting,
    },
    TableSets {
        set: fn(TableSet) -> Setting,
    },
    File {
        set: fn(Option<PathBuf>) -> Setting,
    },
}

struct Entry {
    name: &'static str,
    kind: Kind,
}

/// The word for a text that is empty, in both directions.
const EMPTY: &str = "<empty>";

/// The default size of the transposition table in MiB.
pub const DEFAULT_HASH: usize = 16;

/// The default of `Move Overhead` in milliseconds.
pub const DEFAULT_MOVE_OVERHEAD: u64 = 10;

/// Every option. Names are Stockfish's where the option is the same.
const OPTIONS: [Entry; 9] = [
    Entry {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_HASH as i64,
            min: 1,
            max: 262_144,
            set: |megabytes| Setting::Hash(megabytes as usize),
        },
    },
    Entry {
        name: "Clear Hash",
        kind: Kind::Button {
            set: || Setting::ClearHash,
        },
    },
    Entry {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 1,
            set: |threads| Setting::Threads(threads as usize),
        },
    },
    Entry {
        name: "Ponder",
        kind: Kind::Check {
            default: false,
            set: Setting::Ponder,
        },
    },
    Entry {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: DEFAULT_MOVE_OVERHEAD as i64,
            min: 0,
            max: 5_000,
            set: |millis| Setting::MoveOverhead(Duration::from_millis(millis.unsigned_abs())),
        },
    },
    Entry {
        name: "UCI_Chess960",
        kind: Kind::Check {
            default: false,
            set: Setting::Chess960,
        },
    },
    Entry {
        name: "Tables",
        kind: Kind::TableSets {
            set: Setting::Tables,
        },
    },
    Entry {
        name: "TablesFile",
        kind: Kind::File {
            set: Setting::TablesFile,
        },
    },
    Entry {
        name: "Debug Log File",
        kind: Kind::File {
            set: Setting::DebugLogFile,
        },
    },
];

/// Why an option can't be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("no option '{0}'")]
    Unknown(String),
    /// The option needs a value.
    #[error("option '{0}' needs a value")]
    MissingValue(&'static str),
    /// The option doesn't take this value.
    #[error("option '{name}' can't be '{value}': it takes {takes}")]
    BadValue {
        /// The option.
        name: &'static str,
        /// The value, as it was said.
        value: String,
        /// What the option takes instead.
        takes: String,
    },
}

/// The part of each option's line that follows the word `option`.
pub fn descriptions() -> impl Iterator<Item = String> {
    let options = OPTIONS.iter().map(|option| {
        let kind = match &option.kind {
            Kind::Spin {
                default, min, max, ..
            } => {
                format!("spin default {default} min {min} max {max}")
            }
            Kind::Check { default, .. } => format!("check default {default}"),
            Kind::Button { .. } => "button".to_owned(),
            Kind::TableSets { .. } => {
                let vars: String = TableSet::ALL
                    .iter()
                    .map(|set| format!(" var {}", set.name()))
                    .collect();
                format!("combo default {}{vars}", TableSet::default().name())
            }
            Kind::File { .. } => format!("string default {EMPTY}"),
        };
        format!("name {} type {kind}", option.name)
    });
    #[cfg(feature = "tuning")]
    let options = options.chain(parameters::ALL.iter().map(|parameter| {
        let Parameter {
            name,
            default,
            least,
            most,
            ..
        } = parameter;
        format!("name {name} type spin default {default} min {least} max {most}")
    }));
    options
}

/// A value for a parameter of the search; `None` if none has this name.
#[cfg(feature = "tuning")]
fn parse_parameter(name: &str, value: Option<&str>) -> Option<Result<Setting, OptionError>> {
    let is_named = |parameter: &&&Parameter| parameter.name.eq_ignore_ascii_case(name);
    let parameter = *parameters::ALL.iter().find(is_named)?;
    let Parameter { least, most, .. } = *parameter;
    let number = value.and_then(|value| value.parse().ok());
    let number = number.filter(|number| (least..=most).contains(number));
    Some(
        number
            .map(|number| Setting::Parameter(parameter, number))
            .ok_or_else(|| OptionError::BadValue {
                name: parameter.name,
                value: value.unwrap_or_default().to_owned(),
                takes: format!("whole numbers from {least} to {most}"),
            }),
    )
}

/// What setting an option means. Names are compared without regard to case.
///
/// # Errors
///
/// [`OptionError`] for an unknown name, a missing value, and one that the option doesn't take.
pub fn parse(name: &str, value: Option<&str>) -> Result<Setting, OptionError> {
    #[cfg(feature = "tuning")]
    if let Some(setting) = parse_parameter(name, value) {
        return setting;
    }
    let option = OPTIONS
        .iter()
        .find(|option| option.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
    if let Kind::Button { set } = option.kind {
        return Ok(set());
    }
    let value = value.ok_or(OptionError::MissingValue(option.name))?;
    let refuse = |takes: String| OptionError::BadValue {
        name: option.name,
        value: value.to_owned(),
        takes,
    };
    match &option.kind {
        Kind::Spin { min, max, set, .. } => value
            .parse()
            .ok()
            .filter(|number| (*min..=*max).contains(number))
            .map(set)
            .ok_or_else(|| refuse(format!("whole numbers from {min} to {max}"))),
        Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
            "true" => Ok(set(true)),
            "false" => Ok(set(false)),
            _ => Err(refuse("true or false".to_owned())),
        },
        Kind::Button { set } => Ok(set()),
        Kind::TableSets { set } => TableSet::named(value)
            .map(set)
            .ok_or_else(|| refuse(TableSet::ALL.map(TableSet::name).join(" or "))),
        Kind::File { set } => {
            let is_empty = value.is_empty() || value == EMPTY;
            Ok(set((!is_empty).then(|| PathBuf::from(value))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_words_are_understood_in_any_case() {
        assert_eq!(parse("hash", Some("32")), Ok(Setting::Hash(32)));
        assert_eq!(parse("CLEAR HASH", None), Ok(Setting::ClearHash));
        assert_eq!(
            parse("uci_chess960", Some("True")),
            Ok(Setting::Chess960(true))
        );
        assert_eq!(
            parse("tables", Some("simplified")),
            Ok(Setting::Tables(TableSet::Simplified))
        );
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
            let error = parse("Hash", Some(value))
                .expect_err("a bad size")
                .to_string();
            assert_eq!(
                error,
                format!(
                    "option 'Hash' can't be '{value}': it takes whole numbers from 1 to 262144"
                )
            );
        }
        assert!(parse("Threads", Some("2")).is_err());
        assert!(parse("Ponder", Some("maybe")).is_err());
        assert!(parse("Tables", Some("None")).is_err());
    }

    #[test]
    fn a_missing_value_and_an_unknown_name_are_told_apart() {
        assert_eq!(parse("Hash", None), Err(OptionError::MissingValue("Hash")));
        assert_eq!(
            parse("Nope", Some("1")),
            Err(OptionError::Unknown("Nope".to_owned()))
        );
    }

    #[test]
    fn an_empty_file_name_closes_the_log() {
        assert_eq!(
            parse("Debug Log File", Some("<empty>")),
            Ok(Setting::DebugLogFile(None))
        );
        assert_eq!(
            parse("Debug Log File", Some("")),
            Ok(Setting::DebugLogFile(None))
        );
        let file = Some(PathBuf::from("a b.log"));
        assert_eq!(
            parse("Debug Log File", Some("a b.log")),
            Ok(Setting::DebugLogFile(file))
        );
    }

    #[test]
    fn every_default_is_a_value_that_the_option_takes() {
        for (option, description) in OPTIONS.iter().zip(descriptions()) {
            let mut words = description.split(" default ");
            words.next();
            if let Some(default) = words.next().and_then(|rest| rest.split(' ').next()) {
                assert!(parse(option.name, Some(default)).is_ok(), "{description}");
            }
        }
    }
}
