//! Syzygy endgame tablebases: for positions with few pieces they know who wins (WDL: win, draw,
//! loss) and how far the next capture or pawn move is (DTZ: distance to zeroing of the fifty-move
//! clock).
//!
//! The files are read by shakmaty-syzygy when a position first needs them. A probe that needs a
//! missing file has no answer. Nor has one that meets a damaged or truncated file; that is reported
//! once for each file, and the search goes on without the answers to the same question, WDL or DTZ,
//! about positions with the same pieces. The tables contain no positions with castling rights.

mod files;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shakmaty::{Chess, Position};
pub use shakmaty_syzygy::Wdl;
use shakmaty_syzygy::{Dtz, Material, Metric, ProbeError, SyzygyError, Tablebase};

use files::{Files, check_magic, invalid_name, is_wdl, table_files};

/// The most problems of a path that are listed.
const MAX_PROBLEMS: usize = 10;

/// The tables found in the directories of a `SyzygyPath`. All threads share them.
#[derive(Debug)]
pub struct Tablebases {
    tables: Tablebase<Chess>,
    wdl_files: usize,
    dtz_files: usize,
    largest: usize,
    damage: Damage,
}

/// The tablebases of a path, and the reasons why parts of it were left out.
#[derive(Debug)]
pub struct Loaded {
    /// The tables that can be used.
    pub tablebases: Tablebases,
    /// What can't be used: directories that can't be read and damaged files.
    pub problems: Vec<String>,
}

/// The error of a path without a usable WDL table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no tablebases in '{path}'{}", problems.iter().map(|problem| format!("; {problem}")).collect::<String>())]
pub struct NoTablebases {
    /// The path as it was given.
    pub path: String,
    /// What can't be used.
    pub problems: Vec<String>,
}

impl Tablebases {
    /// The tables in the directories of `path`, which are separated as in the platform's `PATH`. If
    /// two directories have the same table, the first one is used. Checks the length and the first
    /// bytes of each file.
    ///
    /// # Errors
    ///
    /// [`NoTablebases`] if there is no WDL table among them.
    pub fn load(path: &OsStr) -> Result<Loaded, NoTablebases> {
        let mut tablebases = Tablebases {
            tables: Tablebase::with_filesystem(Arc::new(Files::default())),
            wdl_files: 0,
            dtz_files: 0,
            largest: 0,
            damage: Damage::default(),
        };
        let mut problems = Vec::new();
        let mut names = HashSet::new();
        for directory in std::env::split_paths(path).filter(|path| !path.as_os_str().is_empty()) {
            match table_files(&directory) {
                Ok(files) => {
                    for file in files {
                        tablebases.add(&file, &mut names, &mut problems);
                    }
                }
                Err(error) => problems.push(format!("'{}': {error}", directory.display())),
            }
        }
        if problems.len() > MAX_PROBLEMS {
            let more = problems.len() - MAX_PROBLEMS;
            problems.truncate(MAX_PROBLEMS);
            problems.push(format!("and {more} more like this"));
        }
        if tablebases.wdl_files == 0 {
            return Err(NoTablebases {
                path: path.to_string_lossy().into_owned(),
                problems,
            });
        }
        Ok(Loaded {
            tablebases,
            problems,
        })
    }

    /// Adds a file, unless one of this name was added before.
    fn add(&mut self, file: &Path, names: &mut HashSet<OsString>, problems: &mut Vec<String>) {
        let Some(name) = file.file_name().filter(|name| !names.contains(*name)) else {
            return;
        };
        let mut add = || self.tables.add_file(file).map_err(invalid_name);
        if let Err(error) = check_magic(file).and_then(|()| add()) {
            problems.push(format!("'{}': {error}", file.display()));
            return;
        }
        names.insert(name.to_owned());
        if is_wdl(file) {
            self.wdl_files += 1;
            // The name has a letter for each piece, and a `v`.
            let letters = file.file_stem().map_or(0, OsStr::len);
            self.largest = self.largest.max(letters.saturating_sub(1));
        } else {
            self.dtz_files += 1;
        }
    }

    /// The number of pieces of the largest table, kings included.
    pub fn largest(&self) -> usize {
        self.largest
    }

    /// The number of WDL files.
    pub fn wdl_files(&self) -> usize {
        self.wdl_files
    }

    /// The number of DTZ files.
    pub fn dtz_files(&self) -> usize {
        self.dtz_files
    }

    /// The result for the side to move in a position that a capture or a pawn move led to; `None`
    /// if the tables don't know it.
    pub fn probe_wdl(&self, position: &Chess) -> Option<Wdl> {
        self.probe(Metric::Wdl, position, |tables| {
            tables.probe_wdl_after_zeroing(position)
        })
    }

    /// The plies to the next capture or pawn move of the winning side's plan, positive if the side
    /// to move wins and negative if it loses; 0 for a draw. More than 100 in absolute value means
    /// that the fifty-move rule would interfere. Can be one ply too low, since most tables store
    /// full moves. `None` if the tables don't know it.
    pub fn probe_dtz(&self, position: &Chess) -> Option<i32> {
        let dtz = self.probe(Metric::Dtz, position, |tables| tables.probe_dtz(position))?;
        let Dtz(plies) = dtz.ignore_rounding();
        Some(plies)
    }

    /// The answer of the tables to a question about this metric; `None` if there is none. DTZ needs
    /// WDL too.
    fn probe<T>(
        &self,
        metric: Metric,
        position: &Chess,
        ask: impl FnOnce(&Tablebase<Chess>) -> Result<T, SyzygyError>,
    ) -> Option<T> {
        let question = || (metric, Material::from_board(position.board()));
        if position.castles().any() || self.damage.concerns(question) {
            return None;
        }
        // A damaged file can make the reader panic.
        let (file, reason) = match catch_unwind(AssertUnwindSafe(|| ask(&self.tables))) {
            Ok(Ok(answer)) => return Some(answer),
            Ok(Err(SyzygyError::ProbeFailed {
                metric,
                material,
                error,
            })) => ((metric, material), reason(&error)),
            // Part of the tables is not there.
            Ok(Err(_)) => return None,
            // It may also be a smaller table, to which a capture leads; nobody can tell.
            Err(_) => (question(), "the file is damaged".to_owned()),
        };
        self.damage.add(question(), file, &reason);
        None
    }

    /// The damage that probes have met since the last call.
    pub fn take_damage_reports(&self) -> Vec<String> {
        std::mem::take(&mut self.damage.lock().reports)
    }
}

fn reason(error: &ProbeError) -> String {
    match error {
        ProbeError::CorruptedTable { .. } => "the file is damaged or truncated".to_owned(),
        error => error.to_string(),
    }
}

/// A metric and the pieces on the board: what a table is about, and what a probe asks.
type Subject = (Metric, Material);

/// The questions whose tables have turned out to be damaged. They are not asked again, because each
/// time the file would be opened again.
#[derive(Debug, Default)]
struct Damage {
    /// Whether there are any: spares every probe the lock.
    is_any: AtomicBool,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    questions: HashSet<Subject>,
    /// The damaged files. A file that several questions need is met more than once.
    files: HashSet<Subject>,
    /// What is still to be reported.
    reports: Vec<String>,
}

impl Damage {
    fn lock(&self) -> MutexGuard<'_, Found> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn concerns(&self, question: impl FnOnce() -> Subject) -> bool {
        self.is_any.load(Ordering::Relaxed) && self.lock().questions.contains(&question())
    }

    fn add(&self, question: Subject, file: Subject, reason: &str) {
        let mut found = self.lock();
        let (metric, material) = &file;
        let report = format!("tablebase {material} ({metric}) is left out: {reason}");
        if found.files.insert(file) {
            found.reports.push(report);
        }
        found.questions.insert(question);
        self.is_any.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
pub mod test_support {
    //! The tablebases of the test data.

    use super::*;

    /// The directory of the test data.
    pub const DIRECTORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/syzygy");

    /// Its tablebases: a king and one piece against a king, and a queen against a rook.
    pub fn tablebases() -> Tablebases {
        let loaded = Tablebases::load(OsStr::new(DIRECTORY));
        loaded.expect("the test data is there").tablebases
    }
}

#[cfg(test)]
mod tests {
    use super::test_support::{DIRECTORY, tablebases};
    use super::*;
    use crate::position::from_fen;
    use shakmaty::CastlingMode;
    use std::fs;
    use tempfile::TempDir;

    fn position(fen: &str) -> Chess {
        from_fen(fen, CastlingMode::Standard).expect("a legal position")
    }

    #[test]
    fn the_tables_of_a_directory_are_counted() {
        let tablebases = tablebases();
        assert_eq!((tablebases.wdl_files(), tablebases.dtz_files()), (6, 6));
        assert_eq!(tablebases.largest(), 4);
    }

    #[test]
    fn a_result_is_known_for_positions_of_the_tables_only() {
        let tablebases = tablebases();
        for (fen, wdl, dtz) in [
            (
                "8/8/8/8/8/4k3/8/4K2R w - - 0 1",
                Some(Wdl::Win),
                Some(1..=32),
            ),
            (
                "8/8/8/8/8/4k3/8/4K2R b - - 0 1",
                Some(Wdl::Loss),
                Some(-32..=-1),
            ),
            (
                "8/8/8/8/4k3/8/4P3/4K3 b - - 0 1",
                Some(Wdl::Draw),
                Some(0..=0),
            ),
            ("8/8/8/8/8/4k3/8/4K2R w K - 0 1", None, None),
            ("8/8/8/8/8/4k3/8/4KB1R w - - 0 1", None, None),
        ] {
            let position = position(fen);
            assert_eq!(tablebases.probe_wdl(&position), wdl, "{fen}");
            let found = tablebases.probe_dtz(&position);
            assert_eq!(found.is_some(), dtz.is_some(), "{fen}");
            let fits = found
                .zip(dtz)
                .is_none_or(|(found, dtz)| dtz.contains(&found));
            assert!(fits, "{fen}: {found:?}");
        }
        // Missing tables are no damage.
        assert_eq!(tablebases.take_damage_reports(), Vec::<String>::new());
    }

    /// An empty directory, removed at the end of the test.
    fn new_directory() -> TempDir {
        TempDir::with_prefix("squarewise-").expect("a directory can be made")
    }

    fn write(directory: &TempDir, name: &str, bytes: &[u8]) {
        fs::write(directory.path().join(name), bytes).expect("a file can be written");
    }

    fn file(name: &str) -> Vec<u8> {
        fs::read(Path::new(DIRECTORY).join(name)).expect("the test data is there")
    }

    #[test]
    fn a_table_cut_off_at_any_length_is_refused_or_reported_and_never_panics() {
        let table = file("KQvKR.rtbw");
        let position = position("8/8/8/3k4/6r1/8/8/KQ6 w - - 0 1");
        for length in [0, 3, 4, 16, 80, 144, 1_040, 4_112, table.len() - 64] {
            let directory = new_directory();
            write(&directory, "KQvKR.rtbw", &table[..length]);
            for name in ["KQvK.rtbw", "KRvK.rtbw"] {
                write(&directory, name, &file(name));
            }
            let loaded = Tablebases::load(directory.path().as_os_str()).expect("there are others");
            let result = loaded.tablebases.probe_wdl(&position);
            let reports = loaded.tablebases.take_damage_reports();
            let is_reported = !loaded.problems.is_empty() || !reports.is_empty();
            // The end of the file can be one that this position doesn't need.
            assert!(
                is_reported || result == Some(Wdl::Win),
                "{length}: {result:?}"
            );
            assert!(length > 4_112 || is_reported, "{length}");
            if !reports.is_empty() {
                assert_eq!(loaded.tablebases.probe_wdl(&position), None);
                assert!(loaded.tablebases.take_damage_reports().is_empty());
            }
        }
    }

    #[test]
    fn tables_with_changed_bytes_give_some_answer_and_never_panic() {
        let positions = [
            "8/8/8/3k4/6r1/8/8/KQ6 w - - 0 1",
            "8/8/8/3k4/6r1/8/8/KQ6 b - - 0 1",
            "7r/8/8/3k4/8/8/1Q6/K7 w - - 0 1",
        ]
        .map(position);
        for name in ["KQvKR.rtbw", "KQvKR.rtbz"] {
            for start in (4..300).step_by(3) {
                let directory = new_directory();
                let mut bytes = file(name);
                for byte in &mut bytes[start..start + 3] {
                    *byte = !*byte;
                }
                for other in ["KQvKR.rtbw", "KQvK.rtbw", "KRvK.rtbw"] {
                    write(&directory, other, &file(other));
                }
                write(&directory, name, &bytes);
                let loaded =
                    Tablebases::load(directory.path().as_os_str()).expect("they are there");
                for position in &positions {
                    let _ = loaded.tablebases.probe_wdl(position);
                    let _ = loaded.tablebases.probe_dtz(position);
                }
            }
        }
    }

    /// The tables of the test data, one of them cut off after this many bytes.
    fn tablebases_with_cut(name: &str, length: usize) -> (TempDir, Tablebases) {
        let directory = new_directory();
        write(&directory, name, &file(name)[..length]);
        let path = std::env::join_paths([directory.path(), Path::new(DIRECTORY)]);
        let path = path.expect("the names hold no separator");
        let loaded = Tablebases::load(&path).expect("the others are whole");
        (directory, loaded.tablebases)
    }

    #[test]
    fn a_damaged_dtz_file_does_not_cost_the_wdl() {
        let (_directory, tablebases) = tablebases_with_cut("KRvK.rtbz", 80);
        let position = position("8/8/8/8/8/4k3/8/4K2R w - - 0 1");
        for _ in 0..2 {
            assert_eq!(tablebases.probe_dtz(&position), None);
            assert_eq!(tablebases.probe_wdl(&position), Some(Wdl::Win));
        }
        let reports = tablebases.take_damage_reports();
        let expected = "tablebase KRvK (dtz) is left out: the file is damaged or truncated";
        assert_eq!(reports, [expected]);
    }

    #[test]
    fn a_damaged_file_is_reported_once_whatever_positions_need_it() {
        let (_directory, tablebases) = tablebases_with_cut("KQvK.rtbw", 80);
        // The queen alone, on either side, and a rook to be taken, which leads to the same table.
        for (fen, reports) in [
            ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1", 1),
            ("8/8/8/3K4/8/8/8/kq6 b - - 0 1", 0),
            ("8/8/8/3k4/8/8/1r6/KQ6 w - - 0 1", 0),
            ("8/8/8/3K4/8/8/1R6/kq6 b - - 0 1", 0),
        ] {
            let position = position(fen);
            let _ = tablebases.probe_wdl(&position);
            let _ = tablebases.probe_dtz(&position);
            assert_eq!(tablebases.take_damage_reports().len(), reports, "{fen}");
        }
    }

    #[test]
    fn what_is_no_table_is_refused_with_the_reason() {
        let directory = new_directory();
        write(&directory, "KQvK.rtbw", &[0; 272]);
        write(&directory, "notes.rtbw", &file("KQvK.rtbw"));
        write(&directory, "readme.txt", b"no table");
        write(&directory, "KRvK.rtbw", b"");
        write(&directory, "KNvK.rtbw", &file("KNvK.rtbw")[..3]);
        let error = Tablebases::load(directory.path().as_os_str()).expect_err("no table is whole");
        assert_eq!(error.problems.len(), 4, "{error}");
        let first_bytes = error.to_string().matches("first bytes").count();
        assert_eq!(first_bytes, 2, "{error}");
        for reason in [
            "its first bytes are others",
            "not the name of a tablebase",
            "empty, or of unknown length",
        ] {
            assert!(error.to_string().contains(reason), "{error}");
        }
        for number in 0..20 {
            write(&directory, &format!("KQvK{number}.rtbw"), b"");
        }
        let error = Tablebases::load(directory.path().as_os_str()).expect_err("no table is whole");
        assert_eq!(error.problems.len(), MAX_PROBLEMS + 1, "{error}");
        let missing = directory.path().join("missing");
        let error = Tablebases::load(missing.as_os_str()).expect_err("there is no directory");
        assert_eq!(error.problems.len(), 1, "{error}");
    }

    #[test]
    fn the_first_of_several_directories_counts() {
        let directory = new_directory();
        for name in ["KQvK.rtbw", "KQvK.rtbz"] {
            // Whoever reads this one reports that it is cut off.
            write(&directory, name, &file(name)[..16]);
        }
        let path = std::env::join_paths([Path::new(DIRECTORY), directory.path()]);
        let path = path.expect("the names hold no separator");
        let loaded = Tablebases::load(&path).expect("both are there");
        assert_eq!(loaded.tablebases.wdl_files(), 6);
        assert_eq!(loaded.problems, Vec::<String>::new());
        let won = position("8/8/8/3k4/8/8/8/KQ6 w - - 0 1");
        assert_eq!(loaded.tablebases.probe_wdl(&won), Some(Wdl::Win));
        assert!(loaded.tablebases.take_damage_reports().is_empty());
    }
}
