//! The UCI options: one table that declares each with its name, its type, its field of [`Options`]
//! and its default.
//!
//! To add an option, add an entry to the table and use the field where it is needed. Everything
//! else follows: the `option` line that `uci` prints, the check of a value against the range, and
//! the `info string` for a bad value. An option that must do more than store its value names an
//! [`Effect`], which the engine applies.

use std::fmt::Display;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::error::OptionError;
use Kind::{Button, Check, File, Milliseconds, Spin, TableSets, Variants};
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::rules::Variant;
#[cfg(feature = "tuning")]
use squarewise_engine::search::parameters::{self, Parameter};
use squarewise_engine::search::strength::{ELO_RANGE, Level, MAX_SKILL};
use squarewise_engine::search::{MAX_THREADS, SearchOptions};

/// Declares [`Options`], with a field for each entry that names one, and the table.
macro_rules! options {
    ($(
        $name:literal, $kind:expr $(, $field:ident: $type:ty = $default:expr)? => $effect:ident;
    )*) => {
        /// The value of every option.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Options {
            $($(pub $field: $type,)?)*
            /// The options that are handed to every search.
            pub search: SearchOptions,
        }

        impl Default for Options {
            fn default() -> Options {
                Options {
                    $($($field: $default,)?)*
                    search: SearchOptions::default(),
                }
            }
        }

        /// Every option. The names are Stockfish's where the option is the same.
        const OPTIONS: &[Entry] = &[$(Entry($name, $kind, Effect::$effect)),*];
    };
}

/// The largest size of the transposition table that can be asked for, in MiB.
pub const MAX_HASH_MEGABYTES: u32 = 262_144;

options! {
    "Hash", Spin(1..=MAX_HASH_MEGABYTES as i64, |o| &mut o.hash_megabytes),
        hash_megabytes: usize = 16 => ResizeHash;
    "Clear Hash", Button => ClearHash;
    "Threads", Spin(1..=MAX_THREADS as i64, |o| &mut o.threads),
        threads: usize = 1 => SetThreads;
    "MultiPV", Spin(1..=256, |o| &mut o.search.multi_pv) => None;
    // Whether the interface may ponder. Nothing reads it: `go ponder` decides when to ponder.
    "Ponder", Check(|o| &mut o.ponder), ponder: bool = false => None;
    "Move Overhead", Milliseconds(0..=5_000, |o| &mut o.search.move_overhead) => None;
    // Whether castling is written as king takes rook.
    "UCI_Chess960", Check(|o| &mut o.chess960), chess960: bool = false => ChangeChess960;
    // The rules to play by.
    "UCI_Variant", Variants(|o| &mut o.variant),
        variant: Variant = Variant::Chess => ChangeVariant;
    "UCI_ShowWDL", Check(|o| &mut o.show_wdl), show_wdl: bool = false => None;
    // Whether positions are analyzed, so that nothing but the search chooses a move.
    "UCI_AnalyseMode", Check(|o| &mut o.analyse_mode), analyse_mode: bool = false => None;
    "Tables", TableSets(|o| &mut o.tables), tables: TableSet = TableSet::default() => SelectTables;
    // A file of tables to use instead of the set.
    "TablesFile", File(|o| &mut o.tables_file),
        tables_file: Option<PathBuf> = None => LoadTables;
    "OwnBook", Check(|o| &mut o.own_book), own_book: bool = false => None;
    "BookFile", File(|o| &mut o.book_file), book_file: Option<PathBuf> = None => LoadBook;
    // The last move of the game, in full moves, that is played from the book.
    "BookDepth", Spin(1..=255, |o| &mut o.book_depth), book_depth: usize = 255 => None;
    // Whether the book's move with the greatest weight is played instead of a random one.
    "Best Book Move", Check(|o| &mut o.best_book_move), best_book_move: bool = false => None;
    // The style of a player to play like.
    "PlayerStyle", File(|o| &mut o.player_style),
        player_style: Option<PathBuf> = None => LoadStyle;
    // The seed of all random choices; 0 for another one each time.
    "RandomSeed", Spin(0..=i32::MAX as i64, |o| &mut o.random_seed),
        random_seed: usize = 0 => SeedRandom;
    "UCI_LimitStrength", Check(|o| &mut o.limit_strength),
        limit_strength: bool = false => ChangeLevel;
    "UCI_Elo", Spin(*ELO_RANGE.start() as i64..=*ELO_RANGE.end() as i64, |o| &mut o.elo),
        elo: usize = *ELO_RANGE.end() as usize => ChangeLevel;
    // The level of play without a rating; the highest is full strength.
    "Skill Level", Spin(0..=MAX_SKILL as i64, |o| &mut o.skill_level),
        skill_level: usize = MAX_SKILL as usize => ChangeLevel;
    // The directories of the endgame tablebases, separated as in the platform's `PATH`.
    "SyzygyPath", File(|o| &mut o.syzygy_path),
        syzygy_path: Option<PathBuf> = None => LoadTablebases;
    "SyzygyProbeDepth", Spin(1..=100, |o| &mut o.search.tablebase_depth) => None;
    "SyzygyProbeLimit", Spin(0..=7, |o| &mut o.search.tablebase_limit) => None;
    "Syzygy50MoveRule", Check(|o| &mut o.search.fifty_move_rule) => None;
    "Debug Log File", File(|o| &mut o.debug_log_file),
        debug_log_file: Option<PathBuf> = None => OpenDebugLog;
}

/// What the engine must do, besides storing the value, when an option is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    ResizeHash,
    ClearHash,
    SetThreads,
    /// Use the set of tables instead of the file of tables if there is one.
    SelectTables,
    /// Use the file of tables, or the set if there is no file.
    LoadTables,
    /// Read the opening book, or close it.
    LoadBook,
    /// Read the style of a player, or play without one.
    LoadStyle,
    /// Start the random numbers anew.
    SeedRandom,
    ChangeLevel,
    /// Nothing, unless the variant has no Chess960.
    ChangeChess960,
    /// Begin a game by other rules, if they are others.
    ChangeVariant,
    /// Use the endgame tablebases of the path, or none if there is no path.
    LoadTablebases,
    /// Open the debug log, or close it.
    OpenDebugLog,
}

/// An option: its name, its type, and what the engine must do besides storing its value.
struct Entry(&'static str, Kind, Effect);

impl Options {
    /// These options with one of them set to a value, and the effect that the engine must apply.
    /// Names are compared without regard to case. With the feature `tuning` a parameter of the
    /// search is set at once, since it holds its value itself.
    pub fn with(&self, name: &str, value: Option<&str>) -> Result<(Options, Effect), OptionError> {
        let mut options = self.clone();
        for Entry(entry, kind, effect) in OPTIONS {
            if entry.eq_ignore_ascii_case(name) {
                kind.set(entry, &mut options, value)?;
                return Ok((options, *effect));
            }
        }
        #[cfg(feature = "tuning")]
        for parameter in parameters::ALL.iter() {
            if parameter.name.eq_ignore_ascii_case(name) {
                Kind::Parameter(parameter).set(parameter.name, &mut options, value)?;
                return Ok((options, Effect::None));
            }
        }
        Err(OptionError::Unknown(name.to_owned()))
    }

    /// Random numbers from `RandomSeed`, or from another seed each time if that is 0.
    pub fn random_numbers(&self) -> ChaCha8Rng {
        let seed = match self.random_seed {
            // The standard library takes the keys of its hash maps from the operating system.
            0 => RandomState::new().hash_one(0),
            seed => seed as u64,
        };
        ChaCha8Rng::seed_from_u64(seed)
    }

    /// The Elo rating of the level of play; `None` for full strength. `UCI_LimitStrength` takes
    /// precedence over `Skill Level`.
    pub fn elo_limit(&self) -> Option<u32> {
        if self.limit_strength {
            Some(self.elo as u32)
        } else {
            Level::elo_of_skill(self.skill_level as u32)
        }
    }
}

/// The part of each `option` line that follows the word `option`; with the feature `tuning` the
/// parameters of the search follow.
pub fn descriptions() -> impl Iterator<Item = String> {
    let describe = |name: &str, kind: &Kind| format!("name {name} type {}", kind.description());
    let options = OPTIONS
        .iter()
        .map(move |Entry(name, kind, _)| describe(name, kind));
    #[cfg(feature = "tuning")]
    let options = options.chain(
        parameters::ALL
            .iter()
            .map(move |parameter| describe(parameter.name, &Kind::Parameter(parameter))),
    );
    options
}

/// The text that stands for an empty string, on input and on output.
const EMPTY: &str = "<empty>";

/// The field that holds a value of type `T`.
type Field<T> = fn(&mut Options) -> &mut T;

/// The type of an option, the values that it takes, and the field that holds its value.
enum Kind {
    /// A whole number in a range.
    Spin(RangeInclusive<i64>, Field<usize>),
    /// A time in milliseconds in a range.
    Milliseconds(RangeInclusive<i64>, Field<Duration>),
    /// Yes or no.
    Check(Field<bool>),
    /// No value: an action.
    Button,
    /// A set of tables by its name.
    TableSets(Field<TableSet>),
    /// A variant by its name.
    Variants(Field<Variant>),
    /// A file by its path, or none.
    File(Field<Option<PathBuf>>),
    /// A parameter of the search, which holds its value itself.
    #[cfg(feature = "tuning")]
    Parameter(&'static Parameter),
}

impl Kind {
    /// The type with its default and its range, as an `option` line has them.
    fn description(&self) -> String {
        let mut defaults = Options::default();
        match self {
            Spin(range, field) => describe_spin(*field(&mut defaults), range),
            Milliseconds(range, field) => describe_spin(field(&mut defaults).as_millis(), range),
            Check(field) => format!("check default {}", field(&mut defaults)),
            Button => "button".to_owned(),
            TableSets(field) => {
                let default = field(&mut defaults).name();
                let choices = TableSet::ALL.map(|set| format!(" var {}", set.name()));
                format!("combo default {default}{}", choices.concat())
            }
            Variants(field) => {
                let choices = Variant::ALL.map(|variant| format!(" var {variant}"));
                format!("combo default {}{}", field(&mut defaults), choices.concat())
            }
            File(field) => {
                let default = field(&mut defaults).as_ref();
                let path = default.map_or(EMPTY.to_owned(), |path| path.display().to_string());
                format!("string default {path}")
            }
            #[cfg(feature = "tuning")]
            Kind::Parameter(parameter) => describe_spin(parameter.default, &range_of(parameter)),
        }
    }

    /// Parses a value of the option `name` and stores it. An error stores nothing.
    fn set(
        &self,
        name: &'static str,
        options: &mut Options,
        value: Option<&str>,
    ) -> Result<(), OptionError> {
        if let Button = self {
            return Ok(());
        }
        let value = value.ok_or(OptionError::MissingValue(name))?;
        let bad_value = |takes: String| OptionError::BadValue {
            name,
            value: value.to_owned(),
            takes,
        };
        let parse_spin = |range: &RangeInclusive<i64>| {
            let number = value.parse().ok();
            number
                .filter(|number| range.contains(number))
                .ok_or_else(|| {
                    let (min, max) = (range.start(), range.end());
                    bad_value(format!("whole numbers from {min} to {max}"))
                })
        };
        match self {
            Spin(range, field) => *field(options) = parse_spin(range)? as usize,
            Milliseconds(range, field) => {
                *field(options) = Duration::from_millis(parse_spin(range)?.unsigned_abs());
            }
            Check(field) => {
                let is_on = value.to_ascii_lowercase().parse();
                *field(options) = is_on.map_err(|_| bad_value("true or false".to_owned()))?;
            }
            Button => {}
            TableSets(field) => {
                let takes = || TableSet::ALL.map(TableSet::name).join(" or ");
                *field(options) = TableSet::named(value).ok_or_else(|| bad_value(takes()))?;
            }
            Variants(field) => {
                let takes = || Variant::ALL.map(Variant::name).join(", ");
                *field(options) = value.parse().map_err(|_| bad_value(takes()))?;
            }
            File(field) => {
                let is_empty = value.is_empty() || value == EMPTY;
                *field(options) = (!is_empty).then(|| PathBuf::from(value));
            }
            #[cfg(feature = "tuning")]
            Kind::Parameter(parameter) => parameter.set(parse_spin(&range_of(parameter))? as i32),
        }
        Ok(())
    }
}

fn describe_spin(default: impl Display, range: &RangeInclusive<i64>) -> String {
    let (min, max) = (range.start(), range.end());
    format!("spin default {default} min {min} max {max}")
}

#[cfg(feature = "tuning")]
fn range_of(parameter: &Parameter) -> RangeInclusive<i64> {
    i64::from(parameter.min)..=i64::from(parameter.max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

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
        for (Entry(name, ..), description) in OPTIONS.iter().zip(descriptions()) {
            let default = description.split(" default ").nth(1);
            if let Some(value) = default.and_then(|rest| rest.split(' ').next()) {
                assert_eq!(set(name, value), Ok(Options::default()), "{description}");
            }
        }
    }
}
