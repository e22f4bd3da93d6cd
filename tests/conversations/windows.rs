//! Files named as a program for Windows names them, Arena for one: drive letters, backslashes,
//! spaces, letters beyond ASCII, and CR LF at the end of each line.
//!
//! On Windows these are the paths of files in a folder of their own. On Unix such a path is the
//! name of one file in the current folder, so that there too a file is only found if every letter
//! of its path arrives.

use std::fs;
use std::process::Command;

use crate::support::scratch::Scratch;
use crate::support::{Conversation, engine};
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::evaluation::file::Document;

const BOOK: &[u8] = include_bytes!("../data/lasker-trap.bin");

/// A folder, and the paths of files in it as Windows writes them.
struct Folder(Scratch);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Scratch::new(&format!("windows-{name}"));
        fs::create_dir(folder.path("Meine Schachprogramme")).expect("a new folder");
        Folder(folder)
    }

    /// The path of a file with an umlaut, a space and two spaces in it.
    fn path(&self, name: &str) -> String {
        if cfg!(windows) {
            let folder = self.0.as_str();
            format!(r"{folder}\Meine Schachprogramme\für  Arena {name}")
        } else {
            format!(r"C:\Meine Schachprogramme\für  Arena {name}")
        }
    }

    fn write(&self, name: &str, content: &[u8]) -> String {
        let path = self.path(name);
        self.0.file(&path, content);
        path
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.path(path)).expect("the file can be read")
    }

    /// An engine that is started here.
    fn engine(&self) -> Conversation {
        Conversation::start_by(Command::new(engine()).current_dir(self.0.as_str()))
    }
}

/// Sends an option as Arena would; anything that the engine says to it is a refusal.
fn set(engine: &mut Conversation, name: &str, value: &str) {
    engine.send_raw(format!("setoption name {name} value {value}\r\n").as_bytes());
    assert_eq!(engine.sync(), [""; 0], "{name} is refused");
}

#[test]
fn tables_are_loaded_from_a_path_of_windows() {
    let folder = Folder::new("tables");
    let document = Document {
        tables: (*TableSet::Simplified.tables()).clone(),
        provenance: "a test".to_owned(),
    };
    let path = folder.write("tables.bin", &document.to_bytes());
    let mut engine = folder.engine();
    set(&mut engine, "TablesFile", &path);
    engine.send_raw(b"position startpos moves e2e4\r\neval\r\n");
    let evaluation = engine.expect_prefix("evaluation ");
    assert_eq!(evaluation, "evaluation -40 cp", "that of these tables");
    // A path that names nothing is refused as it was sent, and the tables stay.
    let missing = format!("{path}.bak");
    engine.assert_refused(
        &format!("setoption name TablesFile value {missing}\r"),
        &missing,
    );
    engine.send_raw(b"eval\r\n");
    assert_eq!(engine.expect_prefix("evaluation "), evaluation);
}

#[test]
fn a_book_is_played_from_a_path_of_windows() {
    let folder = Folder::new("book");
    let path = folder.write("book.bin", BOOK);
    let mut engine = folder.engine();
    set(&mut engine, "OwnBook", "true");
    set(&mut engine, "BookFile", &path);
    engine.send_raw(b"position startpos moves d2d4\r\ngo wtime 60000 btime 60000\r\n");
    assert_eq!(engine.expect_prefix("bestmove"), "bestmove d7d5");
}

#[test]
fn the_conversation_is_logged_to_a_path_of_windows() {
    let folder = Folder::new("log");
    let path = folder.path("Squarewise.log");
    let mut engine = folder.engine();
    set(&mut engine, "Debug Log File", &path);
    engine.send_raw(b"quit\r\n");
    assert!(engine.wait_exit().success());
    let log = folder.read(&path);
    assert!(log.contains("readyok"), "{log}");
    assert!(
        !log.contains('\r'),
        "line ends of the input are no part of the log: {log:?}"
    );
}

/// Directories are separated as in `PATH`: on Windows by semicolons, since a colon stands behind
/// the letter of a drive.
#[cfg(windows)]
#[test]
fn tablebases_are_found_in_directories_with_drive_letters() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/syzygy");
    let folder = Folder::new("syzygy");
    let directory = folder.path("Syzygy");
    fs::create_dir(&directory).expect("a new folder");
    for file in ["KQvK.rtbw", "KQvK.rtbz"] {
        let copy = format!(r"{directory}\{file}");
        fs::copy(format!("{data}/{file}"), copy).expect("a file of the test data");
    }
    let mut engine = folder.engine();
    let other = folder.0.as_str();
    engine
        .send_raw(format!("setoption name SyzygyPath value {other};{directory}\\\r\n").as_bytes());
    let found = "info string Found 1 WDL and 1 DTZ tablebase files (up to 3-man)";
    assert_eq!(engine.sync(), [found]);
    engine.send_raw(b"position fen 8/8/8/8/8/2k5/8/K6Q w - - 0 1\r\n");
    let answer = engine.search("go depth 8");
    let last = &answer[answer.len() - 2];
    assert!(
        last.contains(" tbhits ") && !last.contains(" tbhits 0 "),
        "{last}"
    );
}
