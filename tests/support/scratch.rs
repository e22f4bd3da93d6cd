//! A folder for the files of a test.

#![allow(dead_code)] // Every test crate compiles this module and uses a part of it.

use std::fs;

use tempfile::TempDir;

/// A new, empty folder, removed at the end of the test, also if it fails.
pub struct Scratch(TempDir);

impl Scratch {
    /// A folder for a test. Its name tells whose it is, should a run be killed and leave it.
    pub fn new(test: &str) -> Scratch {
        let folder = TempDir::with_prefix(format!("squarewise-{test}-"));
        Scratch(folder.expect("a folder can be made"))
    }

    /// The path of the folder itself.
    pub fn as_str(&self) -> &str {
        self.0.path().to_str().expect("a path in UTF-8")
    }

    /// The path of a file in it.
    pub fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    /// Makes a file in it and returns its path.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::write(&path, contents).expect("a file can be made");
        path
    }

    /// Makes a named pipe in it, which nobody writes to, and returns its path.
    #[cfg(unix)]
    pub fn pipe(&self, name: &str) -> String {
        let path = self.path(name);
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("mkfifo can be run").success(), "mkfifo {path}");
        path
    }

    /// The names of all files in it, in the order of the alphabet.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.as_str()).expect("the folder is there");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names
            .map(|name| name.to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}
