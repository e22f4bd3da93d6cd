//! Writes files whole or not at all: results, and the states of runs.
//!
//! What is written goes to a temporary file beside it, which takes its name only when it is
//! complete. So neither a full disk nor an interruption leaves half a file, and an older file of
//! the same name stays until the new one is there. Only a program that is killed while it writes
//! leaves the temporary file: some letters and `.tmp` behind the name.

mod refusals;

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{NamedTempFile, PersistError};

use squarewise_engine::bounded_file;

pub use refusals::{refuse_input, refuse_same, refuse_standard_input};

/// The temporary files of this program. What ends it at once removes them ([`remove_unfinished`]).
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is being written. If it is dropped before it is finished, nothing is left of it.
#[derive(Debug)]
pub struct OutputFile {
    /// Its name as the user gave it.
    path: PathBuf,
    /// The file to replace, to which a link can lead.
    target: PathBuf,
    file: BufWriter<NamedTempFile>,
    /// Known as long as the file is.
    _unfinished: Unfinished,
}

impl OutputFile {
    /// Begins to write a file.
    ///
    /// # Errors
    ///
    /// If its directory doesn't exist or can't be written, or there is something of this name that
    /// may not be replaced. The error names the file.
    pub fn create(path: &Path) -> io::Result<OutputFile> {
        let named = |error| named(path, error);
        // Of an input it means the standard one, so here it is hardly meant as a name.
        if path == Path::new("-") {
            let reason = "results go to a file, not to standard output; name one, or write ./-";
            return Err(named(io::Error::new(io::ErrorKind::InvalidInput, reason)));
        }
        let replaced = permissions_of_old(path).map_err(named)?;
        // A link stays a link, and the file that it leads to is replaced.
        let target = match replaced {
            Some(_) => fs::canonicalize(path).map_err(named)?,
            None => path.to_owned(),
        };
        let name = target.file_name().ok_or_else(|| {
            let error = io::Error::new(io::ErrorKind::InvalidInput, "not a file name");
            named(error)
        })?;
        let mut prefix = name.to_owned();
        prefix.push(".");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".tmp");
        // From the start nobody may read it who could not read the old file.
        if let Some(permissions) = replaced.clone().or_else(usual_permissions) {
            builder.permissions(permissions);
        }
        let folder = target.parent().filter(|folder| *folder != Path::new(""));
        let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")));
        let file = file.map_err(|error| {
            // tempfile's own words name the temporary file.
            named(match error.kind() {
                io::ErrorKind::NotFound => io::Error::new(error.kind(), "there is no such folder"),
                kind => kind.into(),
            })
        })?;
        if let Some(permissions) = replaced {
            // Adds those that the umask took. Where the system does not allow it, fewer may read
            // the file.
            let _ = file.as_file().set_permissions(permissions);
        }
        Ok(OutputFile {
            path: path.to_owned(),
            target,
            _unfinished: Unfinished::new(file.path()),
            file: BufWriter::new(file),
        })
    }

    /// Gives the complete file its name.
    ///
    /// # Errors
    ///
    /// If it can't be written; then nothing is left of it. If it is complete and only its name
    /// can't be given, it stays where it is, and the error says where.
    pub fn finish(self) -> io::Result<()> {
        let target = self.target.clone();
        self.finish_as(&target, |file, target| file.persist(target))
    }

    /// Gives the file another name: its own with `.partial` behind it, and a number if there is
    /// something of that name, which stays. Returns the name.
    ///
    /// # Errors
    ///
    /// Those of [`OutputFile::finish`].
    pub fn finish_as_partial(self) -> io::Result<PathBuf> {
        let numbered = |number| match number {
            1 => "partial".to_owned(),
            number => format!("partial{number}"),
        };
        let is_free = |ending: &String| {
            let taken = fs::symlink_metadata(self.target.with_added_extension(ending));
            taken.is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
        };
        let ending = (1..=99).map(numbered).find(is_free);
        let ending = ending.unwrap_or_else(|| numbered(1));
        let [path, target] =
            [&self.path, &self.target].map(|path| path.with_added_extension(&ending));
        self.finish_as(&target, |file, target| file.persist_noclobber(target))?;
        Ok(path)
    }

    fn finish_as(
        self,
        target: &Path,
        persist: impl FnOnce(NamedTempFile, &Path) -> Result<File, PersistError>,
    ) -> io::Result<()> {
        let OutputFile { path, file, .. } = self;
        let named = |error| named(&path, error);
        let file = file
            .into_inner()
            .map_err(|error| named(error.into_error()))?;
        // Some file systems notice only here that the disk is full.
        file.as_file().sync_all().map_err(named)?;
        // From here on it is complete, and kept.
        let Err(refused) = persist(file, target) else {
            return Ok(());
        };
        let error = named(refused.error);
        let (_, kept) = refused.file.keep().map_err(|error| named(error.error))?;
        Err(io::Error::new(error.kind(), KeptElsewhere { error, kept }))
    }
}

/// The error of a complete file whose name can't be given.
#[derive(Debug, thiserror::Error)]
#[error("{error}; all of it is in {}", .kept.display())]
struct KeptElsewhere {
    error: io::Error,
    /// Where it is.
    kept: PathBuf,
}

/// Whether this is the error of a file that is complete, and kept under another name.
pub fn is_of_kept_file(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner.is_some_and(|inner| inner.is::<KeptElsewhere>())
}

/// The errors name the file.
impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes);
        written.map_err(|error| named(&self.path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.file.flush();
        flushed.map_err(|error| named(&self.path, error))
    }
}

/// The entry of a temporary file among those of this program, as long as it is being written.
#[derive(Debug)]
struct Unfinished(PathBuf);

impl Unfinished {
    fn new(path: &Path) -> Unfinished {
        Unfinished::all().push(path.to_owned());
        Unfinished(path.to_owned())
    }

    fn all() -> MutexGuard<'static, Vec<PathBuf>> {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        Unfinished::all().retain(|path| *path != self.0);
    }
}

/// Removes what is being written, before the program ends at once.
pub(crate) fn remove_unfinished() {
    for path in Unfinished::all().drain(..) {
        // There is nobody to tell, and the file is of no use.
        let _ = fs::remove_file(path);
    }
}

/// The permissions of a new file before the umask; `None` for those that the system gives.
fn usual_permissions() -> Option<Permissions> {
    #[cfg(unix)]
    return Some(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    #[cfg(not(unix))]
    None
}

/// The permissions of the file that one of this name would replace or be added to; `None` if there
/// is none.
///
/// # Errors
///
/// If there is something of this name that is not a regular file or must not be written, or the
/// system doesn't tell.
pub fn permissions_of_old(path: &Path) -> io::Result<Option<Permissions>> {
    // Also a link that leads nowhere exists. What it stands for is not ours to guess.
    if let Err(error) = fs::symlink_metadata(path) {
        let is_missing = error.kind() == io::ErrorKind::NotFound;
        return if is_missing { Ok(None) } else { Err(error) };
    }
    bounded_file::check_regular(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::new(error.kind(), "a link that leads nowhere"),
        _ => error,
    })?;
    let permissions = fs::metadata(path)?.permissions();
    if permissions.readonly() {
        let reason = "the file is read-only; choose another name, or make it writable";
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
    }
    Ok(Some(permissions))
}

/// Writes a file whole or not at all. What is not a regular file, such as a pipe or `/dev/stdout`,
/// is written directly.
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
        let nowhere = home.path().join("none").join("tables.svg");
        let refused = write(&nowhere, b"new").expect_err("a folder that isn't there");
        let reason = refused.to_string();
        assert!(
            reason.ends_with("tables.svg: there is no such folder"),
            "{reason}"
        );
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
        // What has that name stays: it may be what is being read.
        let mut file = OutputFile::create(&path).expect("a writable directory");
        file.write_all(b"more").expect("space");
        let second = file.finish_as_partial().expect("space");
        assert_eq!(names(&home), ["games.pgn.partial", "games.pgn.partial2"]);
        assert_eq!(fs::read(second).expect("the file"), b"more");
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
        let error = OutputFile::create(Path::new("-")).expect_err("no name of a file");
        assert!(
            error.to_string().contains("not to standard output"),
            "{error}"
        );
        #[cfg(unix)]
        assert!(OutputFile::create(Path::new("/dev/null")).is_err());
        assert!(names(&home).is_empty());
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
        let error = write(&link, b"newer").expect_err("no file to replace");
        assert!(error.to_string().contains("leads nowhere"), "{error}");
        assert_eq!(names(&home), ["link"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_the_system_does_not_follow_is_no_missing_file() {
        let home = directory("loop");
        let [one, other] = ["one", "other"].map(|name| home.path().join(name));
        std::os::unix::fs::symlink(&one, &other).expect("a link");
        std::os::unix::fs::symlink(&other, &one).expect("a link");
        write(&one, b"new").expect_err("the links go round in a circle");
        assert!(fs::symlink_metadata(&other).expect("it").is_symlink());
        assert_eq!(names(&home).len(), 2);
    }

    #[test]
    fn a_read_only_file_is_refused_with_a_word() {
        let home = directory("read-only");
        let path = home.path().join("games.pgn");
        fs::write(&path, "old").expect("a file");
        let mut permissions = fs::metadata(&path).expect("the file").permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).expect("the file is ours");
        for refused in [write(&path, b"new"), check(&path)] {
            let error = refused.expect_err("the file is protected").to_string();
            assert!(error.contains("the file is read-only"), "{error}");
        }
        assert_eq!(fs::read(&path).expect("the file"), b"old");
    }

    #[test]
    fn files_are_known_as_long_as_they_are_being_written() {
        let home = directory("known");
        let known = || {
            Unfinished::all()
                .iter()
                .any(|path| path.starts_with(home.path()))
        };
        let file = OutputFile::create(&home.path().join("games.pgn")).expect("a directory");
        assert!(known());
        drop(file);
        assert!(!known() && names(&home).is_empty());
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
        let kept = error.split("all of it is in ").nth(1).expect("a place");
        assert_eq!(fs::read(kept).expect("the file"), b"new");
    }
}
