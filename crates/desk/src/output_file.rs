//! Writes files whole or not at all: results, and the states of runs.
//!
//! What is written goes to a temporary file beside it, which takes its name only when it is complete. So neither a full
//! disk nor an interruption leaves half a file, and an older file of the same name stays until the new one is there. A
//! program that is killed while it writes leaves the temporary file: `.PID.tmp` behind the name, with its process id.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// A file that is being written. If it is dropped before it is finished, nothing is left of it.
#[derive(Debug)]
pub struct OutputFile {
    /// Its name as the user gave it.
    path: PathBuf,
    /// The file to replace, to which a link can lead.
    target: PathBuf,
    temporary: PathBuf,
    /// `None` when it has been finished.
    file: Option<BufWriter<File>>,
}

impl OutputFile {
    /// Begins to write a file.
    ///
    /// # Errors
    ///
    /// If its directory doesn't exist or can't be written, or there is something of this name that is not a regular
    /// file. The error names the file.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        let named = |error| named(path, error);
        let replaced = match fs::metadata(path) {
            Ok(metadata) if metadata.is_file() => Some(metadata),
            Ok(_) => return Err(named(io::Error::other("not a regular file"))),
            Err(_) => None,
        };
        // A link stays a link: the file that it leads to is replaced, or created.
        let target = match (&replaced, fs::read_link(path)) {
            (Some(_), _) => fs::canonicalize(path).map_err(named)?,
            (None, Ok(link)) => path.with_file_name(link),
            (None, Err(_)) => path.to_owned(),
        };
        let name = target.file_name().ok_or_else(|| {
            named(io::Error::new(
                io::ErrorKind::InvalidInput,
                "not a file name",
            ))
        })?;
        let mut temporary_name = name.to_owned();
        temporary_name.push(format!(".{}.tmp", std::process::id()));
        let temporary = target.with_file_name(temporary_name);
        let file = create_temporary(&temporary).map_err(named)?;
        if let Some(metadata) = replaced {
            // Where the system does not allow it, the new file has the permissions of any other.
            let _ = file.set_permissions(metadata.permissions());
        }
        Ok(OutputFile {
            file: Some(BufWriter::new(file)),
            path: path.to_owned(),
            target,
            temporary,
        })
    }

    /// Gives the complete file its name.
    ///
    /// # Errors
    ///
    /// If it can't be written; then nothing is left of it. If it is complete and only its name can't be given, it stays
    /// where it is, and the error says where.
    pub fn finish(self) -> io::Result<()> {
        let target = self.target.clone();
        self.finish_as(&target)
    }

    /// Gives the file another name: its own with `.partial` behind it. Returns that name.
    ///
    /// # Errors
    ///
    /// Those of [`OutputFile::finish`].
    pub fn finish_as_partial(self) -> io::Result<PathBuf> {
        let [path, target] = [&self.path, &self.target].map(|path| partial(path));
        self.finish_as(&target)?;
        Ok(path)
    }

    fn finish_as(mut self, target: &Path) -> io::Result<()> {
        self.flush()?;
        if let Some(file) = &self.file {
            // Some file systems notice only here that the disk is full.
            let synced = file.get_ref().sync_all();
            synced.map_err(|error| named(&self.path, error))?;
        }
        // From here on it is complete, and kept. The file must be closed before Windows renames it.
        drop(self.file.take());
        fs::rename(&self.temporary, target).map_err(|error| {
            let kept = self.temporary.display();
            let error = named(&self.path, error);
            io::Error::new(error.kind(), format!("{error}; all of it is in {kept}"))
        })
    }
}

/// The name of what an interrupted program has written of a file.
fn partial(path: &Path) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(".partial");
    PathBuf::from(path)
}

/// The errors name the file.
impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.as_mut().map_or(Ok(0), |file| file.write(bytes));
        written.map_err(|error| named(&self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.as_mut().map_or(Ok(()), BufWriter::flush);
        flushed.map_err(|error| named(&self.path, error))
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // There is nobody to tell, and the file is of no use.
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Creates a temporary file. If there is one of its name that nobody is writing to, a program that was killed has left it:
/// in a container each program can have the same process id.
fn create_temporary(path: &Path) -> io::Result<File> {
    let create = || OpenOptions::new().write(true).create_new(true).open(path);
    let file = match create() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && is_left_over(path) => {
            fs::remove_file(path)?;
            create()?
        }
        created => created?,
    };
    // Where files can't be locked, what is left over is refused.
    let _ = file.try_lock();
    Ok(file)
}

/// Whether nobody holds the lock of a temporary file.
fn is_left_over(path: &Path) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file());
    is_file && File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

/// Writes a file whole or not at all. What is not a regular file, such as a pipe or `/dev/stdout`, is written directly.
///
/// # Errors
///
/// If the file can't be written. The error names the file.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return fs::write(path, contents).map_err(|error| named(path, error));
    }
    let mut file = OutputFile::create(path)?;
    file.write_all(contents)?;
    file.finish()
}

/// Finds out whether [`write()`] could write a file, before the work that the file is for.
///
/// # Errors
///
/// As those of [`write()`].
pub fn check(path: &Path) -> io::Result<()> {
    if is_special(path) && !path.is_dir() {
        return Ok(());
    }
    OutputFile::create(path).map(drop)
}

/// Whether there is something of this name that is not a regular file.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file())
}

/// The error with the name of the file.
fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    /// An empty directory whose name begins like this, removed at the end of the test.
    fn directory(name: &str) -> TempDir {
        let directory = TempDir::with_prefix(format!("squarewise-{name}-"));
        directory.expect("a directory for temporary files")
    }

    fn names(directory: &TempDir) -> Vec<String> {
        let entries = fs::read_dir(directory.path()).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_complete() {
        let home = directory("whole");
        let path = home.path().join("games.pgn");
        fs::write(&path, "old").expect("a file");
        let mut file = OutputFile::create(&path).expect("a writable directory");
        file.write_all(b"new").expect("space");
        file.flush().expect("space");
        assert_eq!(fs::read(&path).expect("the file"), b"old");
        drop(file);
        assert_eq!(fs::read(&path).expect("the file"), b"old");
        assert_eq!(names(&home), ["games.pgn"]);

        let mut file = OutputFile::create(&path).expect("a writable directory");
        file.write_all(b"new").expect("space");
        file.finish().expect("space");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        assert_eq!(names(&home), ["games.pgn"]);
    }

    #[test]
    fn contents_written_in_one_go_replace_a_file_and_nothing_else() {
        let home = directory("in-one-go");
        let path = home.path().join("tables.svg");
        for contents in ["old", "new"] {
            write(&path, contents.as_bytes()).expect("space");
            assert_eq!(fs::read(&path).expect("the file"), contents.as_bytes());
        }
        assert_eq!(names(&home), ["tables.svg"]);
        check(&path).expect("it was written before");
        for refused in [
            write(home.path(), b"new").expect_err("a directory can't be written"),
            check(home.path()).expect_err("a directory can't be written"),
        ] {
            assert!(refused.to_string().contains("in-one-go"), "{refused}");
        }
        #[cfg(unix)]
        {
            check(Path::new("/dev/null")).expect("a device is written directly");
            write(Path::new("/dev/null"), b"new").expect("a device is written directly");
        }
    }

    #[test]
    fn a_partial_file_has_a_name_of_its_own() {
        let home = directory("partial");
        let path = home.path().join("games.pgn");
        let mut file = OutputFile::create(&path).expect("a writable directory");
        file.write_all(b"half").expect("space");
        let partial = file.finish_as_partial().expect("space");
        assert_eq!(fs::read(partial).expect("the file"), b"half");
        assert_eq!(names(&home), ["games.pgn.partial"]);
    }

    #[test]
    fn what_is_no_regular_file_or_has_no_directory_is_refused() {
        let home = directory("refused");
        for path in [
            home.path().to_owned(),
            home.path().join("missing/games.pgn"),
            home.path().join(".."),
        ] {
            let error = OutputFile::create(&path).expect_err("no file can be there");
            assert!(error.to_string().contains("squarewise-refused"), "{error}");
        }
        #[cfg(unix)]
        assert!(OutputFile::create(Path::new("/dev/null")).is_err());
        assert!(names(&home).is_empty());
    }

    #[test]
    fn what_a_killed_program_left_is_overwritten_and_what_is_being_written_is_not() {
        let home = directory("left-over");
        let path = home.path().join("games.pgn");
        let left_over = format!("games.pgn.{}.tmp", std::process::id());
        fs::write(home.path().join(left_over), "half").expect("a file");
        let mut file = OutputFile::create(&path).expect("nobody writes to what is left over");
        file.write_all(b"new").expect("space");
        OutputFile::create(&path).expect_err("the file is being written");
        file.finish().expect("space");
        assert_eq!(fs::read(&path).expect("the file"), b"new");
        assert_eq!(names(&home), ["games.pgn"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let home = directory("link");
        let (target, link) = (home.path().join("target"), home.path().join("link"));
        fs::write(&target, "old").expect("a file");
        std::os::unix::fs::symlink(&target, &link).expect("a link");
        let mut file = OutputFile::create(&link).expect("a writable directory");
        file.write_all(b"new").expect("space");
        file.finish().expect("space");
        assert_eq!(fs::read(&target).expect("the file"), b"new");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());

        fs::remove_file(&target).expect("the file");
        write(&link, b"newer").expect("a link may lead to a file that is still to come");
        assert_eq!(fs::read(&target).expect("the file"), b"newer");
        assert!(fs::symlink_metadata(&link).expect("the link").is_symlink());
    }

    #[cfg(unix)]
    #[test]
    fn who_may_read_a_file_may_read_the_one_that_replaces_it_and_nobody_else() {
        use std::os::unix::fs::PermissionsExt;
        let home = directory("permissions");
        let path = home.path().join("games.pgn");
        fs::write(&path, "old").expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("the file is ours");
        write(&path, b"new").expect("space");
        let mode = fs::metadata(&path).expect("the file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_complete_file_that_cannot_have_its_name_is_kept() {
        let home = directory("kept");
        let path = home.path().join("games.pgn");
        let mut file = OutputFile::create(&path).expect("a writable directory");
        file.write_all(b"new").expect("space");
        fs::create_dir(&path).expect("a directory that takes the name");
        let error = file.finish().expect_err("the name is taken").to_string();
        let kept = format!("games.pgn.{}.tmp", std::process::id());
        assert!(error.contains(&kept), "{error}");
        assert_eq!(fs::read(home.path().join(kept)).expect("the file"), b"new");
    }
}
