//! The architecture: which module of a crate may import which. Between the crates the compiler
//! decides.
//!
//! The map of each crate is in its documentation. The imports of a file are read from its text,
//! both `use` declarations and paths in the code, except in its tests.

#[path = "support/imports.rs"]
mod imports;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use imports::{CratePath, Modules, mentions};

/// A crate whose documentation tells what its modules do, most in a map: a table of them.
struct Crate {
    /// The folder of its sources.
    folder: &'static str,
    /// The file with the documentation.
    root: &'static str,
}

const ENGINE: Crate = Crate {
    folder: "crates/engine/src",
    root: "lib.rs",
};
const DESK: Crate = Crate {
    folder: "crates/desk/src",
    root: "lib.rs",
};
const GAMES: Crate = Crate {
    folder: "crates/games/src",
    root: "lib.rs",
};
/// The laboratory, whose documentation tells what its modules do without a map.
const LAB: Crate = Crate {
    folder: "crates/lab/src",
    root: "lib.rs",
};
const PROGRAM: Crate = Crate {
    folder: "src",
    root: "main.rs",
};

impl Crate {
    fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join(self.folder)
    }

    fn modules(&self) -> Modules {
        Modules::read(&self.folder())
    }

    /// The rows of the documentation's table whose first heading this is, each as its cells.
    fn table(&self, heading: &str) -> Vec<Vec<String>> {
        let documentation = fs::read_to_string(self.folder().join(self.root));
        let documentation = documentation.expect("the crate has a documentation");
        let lines = documentation.lines();
        let lines = lines.map(|line| line.trim_start_matches("//!").trim());
        let from_heading = lines.skip_while(|line| !line.starts_with(&format!("| {heading} |")));
        let rows = from_heading
            .skip(2)
            .take_while(|line| line.starts_with('|'));
        let cells = |row: &str| {
            let cells = row.trim_matches('|').split('|');
            cells.map(|cell| cell.trim().to_owned()).collect()
        };
        let rows: Vec<Vec<String>> = rows.map(cells).collect();
        assert!(rows.len() > 5, "the table of each {heading} is not found");
        rows
    }

    /// The map: which directory or file may import which.
    fn map(&self) -> Vec<Row> {
        let row = |cells: Vec<String>| {
            let allowed = cells[2].split(", ").filter(|name| *name != "nothing");
            Row {
                module: names_in(&cells[0]).collect(),
                allowed: allowed.map(|name| name.replace("::", "/")).collect(),
            }
        };
        self.table("module").into_iter().map(row).collect()
    }
}

/// A row of the map: a directory or file, and the directories or files that it may import. Within a
/// directory everything is allowed.
struct Row {
    module: String,
    allowed: Vec<String>,
}

/// The names in backticks in a cell, with slashes between their parts.
fn names_in(cell: &str) -> impl Iterator<Item = String> + use<'_> {
    let names = cell.split('`').skip(1).step_by(2);
    names.map(|name| name.trim_start_matches("mod@").replace("::", "/"))
}

/// The rules of the search from top to bottom, which the map has as one.
const RULES_FROM_TOP: &[&str] = &[
    "search/rules",
    "search/rules/test_support",
    "search/rules/cutoffs",
    "search/rules/node_pruning",
    "search/rules/move_pruning",
    "search/rules/quiescence_pruning",
    "search/rules/reductions",
    "search/rules/extensions",
    "search/rules/overlooking",
    "search/rules/tablebase",
];

/// The files of the search from top to bottom, as the map has them. A file may import those below
/// it. Calls go upwards too, where several files implement methods of one type.
fn search_from_top() -> Vec<String> {
    let rows = ENGINE.table("file");
    let names = rows.iter().flat_map(|cells| names_in(&cells[0]));
    names
        .flat_map(|name| match name.as_str() {
            "mod" => vec!["search".to_owned()],
            "rules/" => RULES_FROM_TOP
                .iter()
                .map(|name| (*name).to_owned())
                .collect(),
            name => vec![format!("search/{name}")],
        })
        .collect()
}

fn shown(module: &[String]) -> String {
    module.join("/")
}

/// Whether a module is the given directory or file, or lies in it.
fn is_within(module: &[String], directory: &str) -> bool {
    let directory: Vec<&str> = directory
        .split('/')
        .filter(|name| !name.is_empty())
        .collect();
    module.len() >= directory.len()
        && directory
            .iter()
            .zip(module)
            .all(|(wanted, name)| wanted == name)
}

/// One line for every import.
fn listed<'a>(imports: impl IntoIterator<Item = (&'a CratePath, &'a CratePath)>) -> String {
    let lines = imports.into_iter();
    let lines = lines.map(|(module, imported)| format!("{} -> {}", shown(module), shown(imported)));
    lines.collect::<Vec<_>>().join("\n")
}

/// Every import of the crate, as pairs of importing and imported module.
fn all_imports(modules: &Modules) -> impl Iterator<Item = (&CratePath, &CratePath)> {
    modules.names().flat_map(|module| {
        let imports = modules.imports(module).into_iter();
        imports.map(move |imported| (module, imported))
    })
}

#[test]
fn modules_import_only_what_the_map_allows() {
    for part in [ENGINE, DESK, GAMES, PROGRAM] {
        let modules = part.modules();
        let map = part.map();
        for module in modules.names() {
            let directory = module.first().map_or("", String::as_str);
            let has_row = map.iter().any(|row| row.module == directory);
            assert!(
                has_row || directory.is_empty(),
                "{directory} has no row in the map"
            );
        }
        let is_allowed = |module: &CratePath, imported: &CratePath| {
            let mut rows = map.iter().filter(|row| is_within(module, &row.module));
            module.first() == imported.first()
                || rows.any(|row| row.allowed.iter().any(|name| is_within(imported, name)))
        };
        let imports: Vec<_> = all_imports(&modules).collect();
        assert!(
            imports.len() > 20,
            "only {} imports were found",
            imports.len()
        );
        let forbidden = imports
            .into_iter()
            .filter(|(module, imported)| !is_allowed(module, imported));
        let forbidden = listed(forbidden);
        assert!(forbidden.is_empty(), "forbidden imports:\n{forbidden}");
    }
}

#[test]
fn the_map_lists_no_module_and_no_import_that_does_not_exist() {
    for part in [ENGINE, DESK, GAMES, PROGRAM] {
        let modules = part.modules();
        let names: BTreeSet<String> = modules.names().map(|name| shown(name)).collect();
        let imports: Vec<_> = all_imports(&modules).collect();
        let map = part.map();
        let is_used = |module: &str, name: &str| {
            let mut imports = imports.iter();
            imports.any(|(from, to)| is_within(from, module) && is_within(to, name))
        };
        let unknown = map.iter().filter(|row| !names.contains(&row.module));
        let unknown: Vec<&str> = unknown.map(|row| row.module.as_str()).collect();
        assert!(unknown.is_empty(), "no modules: {unknown:?}");
        let pairs = map
            .iter()
            .flat_map(|row| row.allowed.iter().map(|name| (&row.module, name)));
        let unused: Vec<_> = pairs
            .filter(|(module, name)| !is_used(module, name))
            .collect();
        assert!(unused.is_empty(), "imports that are not used: {unused:?}");
    }
}

#[test]
fn files_of_the_search_import_downwards_only() {
    let modules = ENGINE.modules();
    let from_top = search_from_top();
    let place = |module: &CratePath| {
        let name = shown(module);
        let place = from_top.iter().position(|listed| *listed == name);
        place.unwrap_or_else(|| panic!("{name} has no place in the order of the search"))
    };
    let is_in_search = |module: &CratePath| is_within(module, "search");
    let inside = all_imports(&modules)
        .filter(|(module, imported)| is_in_search(module) && is_in_search(imported));
    let upwards = listed(inside.filter(|(module, imported)| place(module) >= place(imported)));
    assert!(upwards.is_empty(), "imports that lead upwards:\n{upwards}");
    let files = modules
        .names()
        .filter(|module| is_in_search(module))
        .count();
    assert_eq!(
        files,
        from_top.len(),
        "the order of the search lists every file once"
    );
}

#[test]
fn files_do_not_import_each_other_in_a_circle() {
    for part in [ENGINE, DESK, GAMES, LAB, PROGRAM] {
        let modules = part.modules();
        assert!(all_imports(&modules).count() > 20, "{}", part.folder);
        let circular = listed(modules.circular_imports());
        assert!(circular.is_empty(), "imports in a circle:\n{circular}");
    }
}

#[test]
fn the_libraries_have_no_output_and_speak_no_uci() {
    for part in [ENGINE, DESK] {
        let modules = part.modules();
        for module in modules.names() {
            let text = modules.text(module);
            let is_in = |directory: &str| is_within(module, directory);
            let mut absent = Vec::new();
            // Other engines are spoken to in UCI, from the other side.
            if !is_in("play/child_engine") && !is_in("play/child_lines") {
                absent.extend(["bestmove", "setoption"]);
            }
            // A child process is given its own; a program's is flushed, and measured, in one place
            // each.
            if !["play/child_process", "process", "terminal"]
                .iter()
                .any(|name| is_in(name))
            {
                absent.push("stdout(");
            }
            for word in absent {
                assert!(!text.contains(word), "{} contains {word:?}", shown(module));
            }
        }
    }
}

#[test]
fn the_board_in_the_browser_touches_files_in_one_place() {
    let modules = DESK.modules();
    let board: Vec<_> = modules
        .names()
        .filter(|module| is_within(module, "board"))
        .collect();
    assert!(board.len() > 15, "only {} files are found", board.len());
    for module in board {
        let text = modules.text(module);
        let names = [
            "std::fs",
            "fs::",
            "File::",
            "output_file",
            "bounded_file",
            "read_to_string",
        ];
        let found: Vec<_> = names.iter().filter(|name| text.contains(**name)).collect();
        let is_keeper = is_within(module, "board/keeper");
        assert_eq!(found.is_empty(), !is_keeper, "{}: {found:?}", shown(module));
    }
}

#[test]
fn the_engine_depends_on_ten_packages_at_most() {
    let manifest = include_str!("../crates/engine/Cargo.toml");
    let from_dependencies = manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]");
    let dependencies: Vec<_> = from_dependencies
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| line.contains('=') && !line.starts_with('#'))
        .collect();
    assert!((5..=10).contains(&dependencies.len()), "{dependencies:?}");
}

// The reader of imports, tested on texts.

fn path(text: &str) -> CratePath {
    text.split('/')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn small_crate() -> BTreeSet<CratePath> {
    [
        "",
        "score",
        "search",
        "search/pv",
        "search/rules",
        "search/rules/lmr",
        "search/stop",
    ]
    .map(path)
    .into()
}

fn modules(texts: &[(&str, &str)]) -> Modules {
    let files = texts
        .iter()
        .map(|(name, text)| (path(name), (*text).to_owned()));
    Modules::of(files.collect())
}

fn imports_of(module: &str, text: &str) -> Vec<String> {
    let found = mentions(&path(module), text, &small_crate());
    found.imports.iter().map(|import| shown(import)).collect()
}

#[test]
fn imports_are_read_from_use_trees_of_every_form() {
    for (module, text, expected) in [
        ("search/pv", "use std::fmt;\nuse shakmaty::Move;", vec![]),
        ("search/pv", "use crate::score::Score;", vec!["score/Score"]),
        ("search/pv", "use super::stop;", vec!["search/stop"]),
        (
            "search/pv",
            "use super::{Searcher, stop::{StopToken, Stopped}};",
            vec![
                "search/Searcher",
                "search/stop/StopToken",
                "search/stop/Stopped",
            ],
        ),
        (
            "search/pv",
            "use crate::{\n    score::{self, Score},\n    search::stop::*,\n};",
            vec!["score", "score/Score", "search/stop"],
        ),
        (
            "search/rules/lmr",
            "pub(super) fn f() {\n    use super::super::pv::Pv as Line;\n}",
            vec!["search/pv/Pv"],
        ),
        (
            "search/rules/lmr",
            "mod inner {\n    use super::{A, super::B};\n}\nuse super::C;",
            vec!["search/rules/B", "search/rules/C", "search/rules/lmr/A"],
        ),
        (
            "search",
            "mod pv;\nuse pv::Pv;\nuse stop::StopToken;",
            vec!["search/pv/Pv", "search/stop/StopToken"],
        ),
    ] {
        assert_eq!(imports_of(module, text), expected, "{text}");
    }
}

#[test]
fn paths_in_the_code_count_and_comments_and_tests_do_not() {
    let text = "
//! [`crate::score`]
fn f() -> crate::score::Score {
    super::stop::StopToken::new(); // a call
    let x = std::mem::take(y);
}

#[cfg(test)]
fn g(
    a: A,
) {
    crate::search::rules::h();
}

#[cfg(test)]
use crate::search::A;

impl X {
    #[cfg(test)]
    fn i() {
        super::rules::j();
    }

    fn k() {
        super::rules::lmr::l();
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules;
}
";
    let expected = [
        "score/Score",
        "search/rules/lmr/l",
        "search/stop/StopToken/new",
    ];
    assert_eq!(imports_of("search/pv", text), expected);
}

#[test]
fn reexports_are_read_by_the_names_that_they_give() {
    let found = mentions(
        &path("search"),
        "pub use pv::{Pv, Row as PvRow};\npub(crate) use stop::StopToken;",
        &small_crate(),
    );
    let names: Vec<(&str, String)> = found
        .reexports
        .iter()
        .map(|(name, path)| (name.as_str(), shown(path)))
        .collect();
    let expected = [
        ("Pv", "search/pv/Pv"),
        ("PvRow", "search/pv/Row"),
        ("StopToken", "search/stop/StopToken"),
    ];
    assert_eq!(names, expected.map(|(name, path)| (name, path.to_owned())));
    assert!(found.imports.is_empty());
}

#[test]
fn an_item_counts_for_the_module_that_defines_it_and_circles_are_found() {
    let through_the_facade = modules(&[
        ("search", "pub use stop::StopToken;\nuse pv::Pv;"),
        ("search/pv", "use super::StopToken;"),
        ("search/stop", ""),
    ]);
    assert_eq!(
        through_the_facade.imports(&path("search/pv")),
        [&path("search/stop")].into()
    );
    assert_eq!(through_the_facade.circular_imports(), []);

    let circular = modules(&[
        ("search", "use pv::Pv;\nstruct Searcher;"),
        ("search/pv", "use super::Searcher;"),
    ]);
    let (search, pv) = (&path("search"), &path("search/pv"));
    assert_eq!(circular.circular_imports(), [(search, pv), (pv, search)]);
}
