//! Damaged files in the options of a running engine: it refuses them or plays with them, and its
//! memory stays bounded.
//!
//! What the readers make of many more of them is tested in
//! `crates/lab/tests/library/damaged_files.rs`.

#![cfg(target_os = "linux")] // which tells how much memory a process has had

use std::fs;

use crate::support::Conversation;
use crate::support::damage::{changes, damaged};
use crate::support::scratch::Scratch;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");

/// Damaged files of each kind.
const FILES: usize = 40;

/// The most memory that an engine with a table of 1 MiB may need for any of them, in KiB. With
/// whole files it is about half of that.
const MAX_MEMORY_KIB: u64 = 40 << 10;

#[test]
fn damaged_files_are_refused_or_played_with_in_bounded_memory() {
    let syzygy = |name: &str| format!("{DATA}/syzygy/{name}");
    for (option, value, name, original, fen) in [
        (
            "TablesFile",
            "tables",
            "tables",
            concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/crates/engine/src/evaluation/pairs.bin"
            )
            .to_owned(),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "BookFile",
            "book.bin",
            "book.bin",
            format!("{DATA}/dog-book.bin"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "SyzygyPath",
            ".",
            "KQvKR.rtbw",
            syzygy("KQvKR.rtbw"),
            "8/8/8/3k4/2p3r1/8/8/KQ6 w - - 0 1",
        ),
        (
            "SyzygyPath",
            ".",
            "KQvKR.rtbz",
            syzygy("KQvKR.rtbz"),
            "8/8/8/3k4/6r1/8/8/KQ6 w - - 0 1",
        ),
    ] {
        let folder = Scratch::new("damaged");
        for name in [
            "KQvK.rtbw",
            "KQvK.rtbz",
            "KRvK.rtbw",
            "KRvK.rtbz",
            "KQvKR.rtbw",
        ] {
            fs::copy(syzygy(name), folder.path(name)).expect("a file can be copied");
        }
        let bytes = fs::read(original).expect("the file is there");
        let mut engine = Conversation::start();
        for line in ["Hash value 1", "OwnBook value true"] {
            engine.assert_accepted(&format!("setoption name {line}"));
        }
        engine.send(&format!("position fen {fen}"));
        let mut runner = TestRunner::deterministic();
        let path = folder.path(value);
        for _ in 0..FILES {
            let tree = changes()
                .new_tree(&mut runner)
                .expect("there are always changes");
            let changed = damaged(&bytes, &tree.current());
            folder.file(name, &changed);
            engine.send(&format!("setoption name {option} value {path}"));
            let answer = engine.sync();
            assert!(
                answer.iter().all(|line| line.starts_with("info string ")),
                "{answer:?}"
            );
            engine.search("go nodes 500");
        }
        let peak = engine.peak_memory_kib();
        assert!(peak <= MAX_MEMORY_KIB, "{peak} KiB with damaged {name}");
    }
}
