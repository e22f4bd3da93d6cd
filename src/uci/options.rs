//! The UCI options: their values ([`Options`]) and one table that declares, reads and stores each of them.
//!
//! To add an option, give [`Options`] a field and a default, add one entry to the table, and use the field
//! where it is needed. Everything else follows from the entry: the `option` line that `uci` prints, the check
//! of a value against the range, and the `info string` for a bad value. An option that must do more than store
//! its value names an [`Effect`], which the engine applies.

use std::path::PathBuf;

use super::option_kind::Kind;
use super::setup_error::OptionError;
use squarewise_engine::evaluation::TableSet;
#[cfg(feature = "tuning")]
use squarewise_engine::search::parameters;
use squarewise_engine::search::strength::{ELO_RANGE, MAX_SKILL};
use squarewise_engine::search::{MAX_THREADS, SearchOptions};

/// The value of every option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// `Hash`: the size of the transposition table in MiB.
    pub hash_megabytes: usize,
    /// `Threads`: the number of search threads.
    pub threads: usize,
    /// `Ponder`: whether the interface may ponder. Nothing reads it: `go ponder` decides when to ponder.
    pub ponder: bool,
    /// `UCI_Chess960`: whether castling is written as king takes rook.
    pub chess960: bool,
    /// `UCI_ShowWDL`: whether scores are followed by the chances to win, draw and lose.
    pub show_wdl: bool,
    /// `UCI_AnalyseMode`: whether positions are analysed, so that nothing but the search chooses a move.
    pub analyse_mode: bool,
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
    /// `UCI_LimitStrength`: whether the engine plays at the level of [`Options::elo`].
    pub limit_strength: bool,
    /// `UCI_Elo`: the Elo rating of the level of play.
    pub elo: usize,
    /// `Skill Level`: the level of play without a rating; the highest is full strength.
    pub skill_level: usize,
    /// `SyzygyPath`: the directories of the endgame tablebases, separated as in the platform's `PATH`.
    pub syzygy_path: Option<PathBuf>,
    /// `Debug Log File`: where diagnostics go instead of stderr.
    pub debug_log_file: Option<PathBuf>,
    /// The options that are handed to every search.
    pub search: SearchOptions,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash_megabytes: 16,
            threads: 1,
            ponder: false,
            chess960: false,
            show_wdl: false,
            analyse_mode: false,
            tables: TableSet::default(),
            tables_file: None,
            own_book: false,
            book_file: None,
            book_depth: 255,
            best_book_move: false,
            random_seed: 0,
            limit_strength: false,
            elo: *ELO_RANGE.end() as usize,
            skill_level: MAX_SKILL as usize,
            syzygy_path: None,
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
    /// Play at another level.
    ChangeLevel,
    /// Use the endgame tablebases of the path, or none if there is no path.
    LoadTablebases,
    /// Open the debug log, or close it.
    OpenDebugLog,
}

/// An option: its name, its type, and what the engine must do besides storing its value.
struct Entry(&'static str, Kind<Options>, Effect);

/// The largest size of the transposition table that can be asked for, in MiB.
pub const MAX_HASH_MEGABYTES: u32 = 262_144;

/// Every option. The names are Stockfish's where the option is the same.
const OPTIONS: &[Entry] = &[
    Entry(
        "Hash",
        Kind::Spin(1..=MAX_HASH_MEGABYTES as i64, |options| {
            &mut options.hash_megabytes
        }),
        Effect::ResizeHash,
    ),
    Entry("Clear Hash", Kind::Button, Effect::ClearHash),
    Entry(
        "Threads",
        Kind::Spin(1..=MAX_THREADS as i64, |options| &mut options.threads),
        Effect::SetThreads,
    ),
    Entry(
        "MultiPV",
        Kind::Spin(1..=256, |options| &mut options.search.multi_pv),
        Effect::None,
    ),
    Entry(
        "Ponder",
        Kind::Check(|options| &mut options.ponder),
        Effect::None,
    ),
    Entry(
        "Move Overhead",
        Kind::Milliseconds(0..=5_000, |options| &mut options.search.move_overhead),
        Effect::None,
    ),
    Entry(
        "UCI_Chess960",
        Kind::Check(|options| &mut options.chess960),
        Effect::None,
    ),
    Entry(
        "UCI_ShowWDL",
        Kind::Check(|options| &mut options.show_wdl),
        Effect::None,
    ),
    Entry(
        "UCI_AnalyseMode",
        Kind::Check(|options| &mut options.analyse_mode),
        Effect::None,
    ),
    Entry(
        "Tables",
        Kind::TableSets(|options| &mut options.tables),
        Effect::SelectTables,
    ),
    Entry(
        "TablesFile",
        Kind::File(|options| &mut options.tables_file),
        Effect::LoadTables,
    ),
    Entry(
        "OwnBook",
        Kind::Check(|options| &mut options.own_book),
        Effect::None,
    ),
    Entry(
        "BookFile",
        Kind::File(|options| &mut options.book_file),
        Effect::LoadBook,
    ),
    Entry(
        "BookDepth",
        Kind::Spin(1..=255, |options| &mut options.book_depth),
        Effect::None,
    ),
    Entry(
        "Best Book Move",
        Kind::Check(|options| &mut options.best_book_move),
        Effect::None,
    ),
    Entry(
        "RandomSeed",
        Kind::Spin(0..=i32::MAX as i64, |options| &mut options.random_seed),
        Effect::SeedRandom,
    ),
    Entry(
        "UCI_LimitStrength",
        Kind::Check(|options| &mut options.limit_strength),
        Effect::ChangeLevel,
    ),
    Entry(
        "UCI_Elo",
        Kind::Spin(
            *ELO_RANGE.start() as i64..=*ELO_RANGE.end() as i64,
            |options| &mut options.elo,
        ),
        Effect::ChangeLevel,
    ),
    Entry(
        "Skill Level",
        Kind::Spin(0..=MAX_SKILL as i64, |options| &mut options.skill_level),
        Effect::ChangeLevel,
    ),
    Entry(
        "SyzygyPath",
        Kind::File(|options| &mut options.syzygy_path),
        Effect::LoadTablebases,
    ),
    Entry(
        "SyzygyProbeDepth",
        Kind::Spin(1..=100, |options| &mut options.search.tablebase_depth),
        Effect::None,
    ),
    Entry(
        "SyzygyProbeLimit",
        Kind::Spin(0..=7, |options| &mut options.search.tablebase_limit),
        Effect::None,
    ),
    Entry(
        "Syzygy50MoveRule",
        Kind::Check(|options| &mut options.search.fifty_move_rule),
        Effect::None,
    ),
    Entry(
        "Debug Log File",
        Kind::File(|options| &mut options.debug_log_file),
        Effect::OpenDebugLog,
    ),
];

impl Options {
    /// These options with one of them set to a value, and the effect that the engine must apply. Names are
    /// compared without regard to case. With the feature `tuning` a parameter of the search is set at once, since it
    /// holds its value itself.
    ///
    /// # Errors
    ///
    /// [`OptionError`] for an unknown name, a missing value, and a value that the option doesn't take.
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
}

/// The part of each `option` line that follows the word `option`; with the feature `tuning` those of the parameters
/// of the search too.
pub fn descriptions() -> impl Iterator<Item = String> {
    let describe =
        |name: &str, kind: &Kind<Options>| format!("name {name} type {}", kind.description());
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::command::{Command, parse};
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
    fn paths_of_windows_are_taken_letter_by_letter() {
        for path in [
            r"C:\Chess  Books\book 1.bin",
            r"\\server\share\book.bin",
            "C:/books/book.bin",
            r".\new\table.bin",
            r"D:\tables\",
            r"C:\Bücher\value.bin",
        ] {
            for name in ["TablesFile", "BookFile", "SyzygyPath", "Debug Log File"] {
                let line = format!("setoption name {name} value {path}");
                let Ok(Command::SetOption { name, value }) = parse(&line) else {
                    panic!("{line} was not understood")
                };
                let set = Options::default().with(&name, value.as_deref());
                let (options, _) = set.expect("any text is a path");
                let paths = [
                    options.tables_file,
                    options.book_file,
                    options.syzygy_path,
                    options.debug_log_file,
                ];
                let set: Vec<PathBuf> = paths.into_iter().flatten().collect();
                assert_eq!(set, [PathBuf::from(path)], "{name}");
            }
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
