//! The rules of who may know whom, read off the `use crate::` lines.
//!
//! The map is in the crate's documentation. A module may use what stands in its row, and itself.

use std::fs;
use std::path::{Path, PathBuf};

/// Each room of the house and the rooms that it may know.
const MAY_KNOW: [(&str, &[&str]); 16] = [
    ("score", &[]),
    ("debug_log", &[]),
    ("keys", &[]),
    ("reversible", &["keys"]),
    ("suite", &[]),
    ("packed_move", &[]),
    ("movegen", &["packed_move"]),
    ("evaluation", &["score"]),
    (
        "game",
        &[
            "evaluation",
            "keys",
            "movegen",
            "packed_move",
            "reversible",
            "score",
        ],
    ),
    (
        "search",
        &[
            "evaluation",
            "game",
            "keys",
            "movegen",
            "packed_move",
            "score",
        ],
    ),
    ("perft", &["movegen", "search"]),
    ("bench", &["evaluation", "game", "search"]),
    (
        "uci",
        &[
            "bench",
            "debug_log",
            "evaluation",
            "game",
            "movegen",
            "perft",
            "score",
            "search",
        ],
    ),
    (
        "learning",
        &["evaluation", "game", "movegen", "score", "search"],
    ),
    (
        "cli",
        &[
            "bench",
            "evaluation",
            "game",
            "learning",
            "perft",
            "search",
            "suite",
            "uci",
        ],
    ),
    ("lib", &[]),
];

/// Inside the search: who stands above whom. A file may use those after it, never those before it.
const SEARCH_FROM_TOP: [&str; 18] = [
    "mod",
    "deepening",
    "negamax",
    "forward",
    "singular",
    "quiescence",
    "lessons",
    "ordering",
    "correction",
    "history",
    "exchange",
    "transposition",
    "pruning",
    "parameters",
    "line",
    "clock",
    "limits",
    "stop",
];

fn source_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the sources can be read");
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.expect("a folder's entry can be read").path();
        if path.is_dir() {
            files.extend(source_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The top-level module that a file belongs to.
fn room(file: &Path) -> String {
    let inside = file.strip_prefix(source_folder()).expect("a file of ours");
    let first = inside.components().next().expect("a file has a name");
    let name = first.as_os_str().to_string_lossy().into_owned();
    name.trim_end_matches(".rs").to_owned()
}

/// The modules named after a prefix anywhere in the text, tests left out.
fn named_after<'a>(text: &'a str, prefix: &str) -> Vec<&'a str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let ends = |c: char| !c.is_alphanumeric() && c != '_';
    let after = code.split(prefix).skip(1);
    after
        .map(|rest| rest.split(ends).next().unwrap_or(""))
        .filter(|name| !name.is_empty())
        .collect()
}

#[test]
fn modules_know_only_whom_they_may() {
    let mut seen = 0;
    for file in source_files(&source_folder()) {
        let room = room(&file);
        if room == "main" {
            continue;
        }
        let (_, may_know) = MAY_KNOW
            .iter()
            .find(|(name, _)| *name == room)
            .unwrap_or_else(|| panic!("{room} has no row in the table of who may know whom"));
        let text = fs::read_to_string(&file).expect("a source is text");
        for known in named_after(&text, "crate::") {
            seen += 1;
            let is_allowed = known == room || may_know.contains(&known);
            assert!(is_allowed, "{} must not know {known}", file.display());
        }
    }
    assert!(
        seen > 50,
        "only {seen} uses were seen: the test reads the wrong files"
    );
}

#[test]
fn the_search_knows_downwards_only() {
    let place = |name: &str| SEARCH_FROM_TOP.iter().position(|other| *other == name);
    for file in source_files(&source_folder().join("search")) {
        let name = file
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        // The facade declares the others, and its types are the language that they share.
        let Some(own_place) = place(&name).filter(|place| *place > 1) else {
            continue;
        };
        let text = fs::read_to_string(&file).expect("a source is text");
        for known in named_after(&text, "use super::") {
            if known == "deepening" || place(known).is_none() {
                continue; // the search's own state, which the node's functions are methods of
            }
            assert!(
                place(known) > Some(own_place),
                "{name} must not know {known}"
            );
        }
    }
}

#[test]
fn clap_stays_in_the_command_line_and_uci_words_stay_in_uci() {
    for file in source_files(&source_folder()) {
        let room = room(&file);
        let text = fs::read_to_string(&file).expect("a source is text");
        let mentions = |word: &str| text.contains(word);
        if !["cli", "main"].contains(&room.as_str()) {
            assert!(!mentions("clap::"), "{} knows clap", file.display());
        }
        if room != "main" {
            assert!(
                !mentions("tracing_subscriber"),
                "{} subscribes",
                file.display()
            );
        }
        if !["uci", "cli", "main", "lib"].contains(&room.as_str()) {
            for word in ["bestmove", "setoption", "println!", "eprintln!"] {
                assert!(!mentions(word), "{} says {word:?}", file.display());
            }
        }
    }
}
