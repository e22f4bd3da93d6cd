//! The folder in which an engine runs: files of every kind that an option can name, good and bad.

use std::path::{Path, PathBuf};
use std::{env, fs, process};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
const LEARNED: &[u8] = include_bytes!("../../../src/evaluation/learned.bin");

/// A folder of its own, removed in the end.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = env::temp_dir().join(format!("squarewise-fuzzer-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&path); // left by a run that was killed, if at all
        let folder = Folder(path);
        folder.fill();
        folder
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    fn fill(&self) {
        for folder in ["syzygy", "damaged"] {
            fs::create_dir_all(self.0.join(folder)).expect("a directory can be made");
        }
        let read =
            |name: &str| fs::read(Path::new(DATA).join(name)).expect("the test data is there");
        let dog = read("dog-book.bin");
        self.write("learned.tables", LEARNED);
        self.write("cut.tables", &LEARNED[..LEARNED.len() / 2]);
        self.write("trap.bin", &read("lasker-trap.bin"));
        self.write("dog.bin", &dog);
        self.write("cut.bin", &dog[..1_000]);
        self.write("empty", b"");
        for name in ["KQvK", "KRvK", "KQvKR", "KPvK"] {
            for end in ["rtbw", "rtbz"] {
                let table = read(&format!("syzygy/{name}.{end}"));
                self.write(&format!("syzygy/{name}.{end}"), &table);
                let mut damaged = table;
                damaged
                    .iter_mut()
                    .skip(16)
                    .step_by(5)
                    .for_each(|byte| *byte ^= 0x55);
                self.write(&format!("damaged/{name}.{end}"), &damaged);
            }
        }
        #[cfg(unix)]
        self.add_devices();
    }

    /// A pipe that nobody writes to, a device without an end, and one that is always full.
    #[cfg(unix)]
    fn add_devices(&self) {
        let made = process::Command::new("mkfifo")
            .arg(self.0.join("pipe"))
            .status();
        assert!(made.expect("mkfifo is there").success());
        for (device, name) in [("/dev/zero", "zeros"), ("/dev/full", "full")] {
            std::os::unix::fs::symlink(device, self.0.join(name)).expect("a link can be made");
        }
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        fs::write(self.0.join(name), bytes).expect("a file can be written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
