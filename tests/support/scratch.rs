//! A folder for the files of a test.

use std::fs;
use std::path::PathBuf;

/// A new, empty folder, removed at the end of the test.
pub struct Scratch(PathBuf);

impl Scratch {
    /// A folder for the test of this name.
    pub fn new(test: &str) -> Scratch {
        let name = format!("squarewise-{test}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path); // left by a run that was killed, if at all
        fs::create_dir_all(&path).expect("a folder can be made");
        Scratch(path)
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Makes a file in it and returns its path.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, contents).expect("a file can be made");
        path
    }

    /// The names of all files in it, in the order of the alphabet.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0); // nothing depends on it any more
    }
}
