//! The folder in which an engine runs: files of every kind that an option can name, good and bad.

use std::fs;
use std::path::Path;

use crate::support::scratch::Scratch;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
const LEARNED: &[u8] = include_bytes!("../../../crates/engine/src/evaluation/learned.bin");

/// A new folder with them.
pub fn filled_folder() -> Scratch {
    let folder = Scratch::new("fuzzer");
    add_files(&folder);
    #[cfg(unix)]
    add_devices(&folder);
    folder
}

fn add_files(folder: &Scratch) {
    for name in ["syzygy", "damaged"] {
        fs::create_dir(folder.path(name)).expect("a directory can be made");
    }
    let read = |name: &str| fs::read(Path::new(DATA).join(name)).expect("the test data is there");
    let dog = read("dog-book.bin");
    folder.file("learned.tables", LEARNED);
    folder.file("cut.tables", &LEARNED[..LEARNED.len() / 2]);
    folder.file("trap.bin", read("lasker-trap.bin"));
    folder.file("dog.bin", &dog);
    folder.file("cut.bin", &dog[..1_000]);
    folder.file("empty", "");
    for name in ["KQvK", "KRvK", "KQvKR", "KPvK"] {
        for end in ["rtbw", "rtbz"] {
            let table = read(&format!("syzygy/{name}.{end}"));
            folder.file(&format!("syzygy/{name}.{end}"), &table);
            let mut damaged = table;
            damaged
                .iter_mut()
                .skip(16)
                .step_by(5)
                .for_each(|byte| *byte ^= 0x55);
            folder.file(&format!("damaged/{name}.{end}"), &damaged);
        }
    }
}

/// A pipe that nobody writes to, a device without an end, and one that is always full.
#[cfg(unix)]
fn add_devices(folder: &Scratch) {
    folder.pipe("pipe");
    for (device, name) in [("/dev/zero", "zeros"), ("/dev/full", "full")] {
        std::os::unix::fs::symlink(device, folder.path(name)).expect("a link can be made");
    }
}
