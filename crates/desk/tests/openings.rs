//! The table of opening names against the published files that it is made of.

// An ignored test says why it does nothing.
#![allow(clippy::print_stderr)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The table as it is in the program.
const TABLE: &str = include_str!("../src/openings.txt");

/// Writes `src/openings.txt` anew from the published tables, if it is not what they say:
/// `OPENINGS=FOLDER cargo test --release -- --ignored the_table_is_that_of_the_published_files`.
/// Without a folder it only says so.
#[test]
#[ignore = "needs the tables of lichess-org/chess-openings, in a folder that the variable OPENINGS names"]
fn the_table_is_that_of_the_published_files() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let Some(published) = std::env::var_os("OPENINGS").map(PathBuf::from) else {
        eprintln!("skipped: the variable OPENINGS names no folder of published tables");
        return;
    };
    let mut openings = BTreeSet::new();
    for volume in ["a", "b", "c", "d", "e"] {
        let path = published.join(format!("{volume}.tsv"));
        let table = fs::read_to_string(path).expect("a published table");
        for line in table.lines().skip(1) {
            let fields: Vec<&str> = line.split('\t').collect();
            let [eco, name, moves] = fields.as_slice() else {
                panic!("a line has three fields: {line}");
            };
            let words = moves.split_whitespace();
            let is_move = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit());
            let moves: Vec<String> = words.filter(is_move).map(str::to_owned).collect();
            openings.insert((moves, (*eco).to_owned(), (*name).to_owned()));
        }
    }
    let mut compact = String::new();
    let mut before: (Vec<String>, String, String) = Default::default();
    for opening in openings {
        let (moves, eco, name) = &opening;
        let moves = without_shared(&before.0, moves);
        let words = |name: &str| name.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let further = without_shared(&words(&before.2), &words(name));
        let eco = if *eco == before.1 { "" } else { eco };
        compact += &format!("{moves}|{eco}|{further}\n");
        before = opening;
    }
    if compact != TABLE {
        fs::write(home.join("src/openings.txt"), &compact).expect("the table can be written");
        panic!("openings.txt was another one and has been written anew");
    }
}

/// How many words the two have in common at their beginning, and the other words of the second.
fn without_shared(before: &[String], words: &[String]) -> String {
    let pairs = before.iter().zip(words);
    let shared = pairs.take_while(|(one, other)| one == other).count();
    let mut all = vec![shared.to_string()];
    all.extend_from_slice(&words[shared..]);
    all.join(" ")
}
