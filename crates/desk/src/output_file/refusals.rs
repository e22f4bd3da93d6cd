//! Files that a command must not write: those that it reads, and one under two names.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{is_special, named};

/// Refuses a file to write that is one of those to read, by whatever name: it would be destroyed.
///
/// # Errors
///
/// If it is one. The error names the file.
pub fn refuse_input<'a>(path: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> io::Result<()> {
    // A file that is missing is none, and a pipe that is opened waits for its other end.
    let is_same =
        |input| !is_special(path) && same_file::is_same_file(path, input).unwrap_or(false);
    if inputs.into_iter().any(is_same) {
        return Err(is_read(path));
    }
    Ok(())
}

/// Refuses to write to the file that is read as the standard input: it would be lost.
///
/// # Errors
///
/// If it is that file.
pub fn refuse_standard_input(path: &Path) -> io::Result<()> {
    // Others are refused when they are opened, and a pipe waits for its other end.
    if !fs::metadata(path).is_ok_and(|old| old.is_file()) {
        return Ok(());
    }
    let input = same_file::Handle::stdin();
    // A file that is missing is none.
    let is_input = input
        .is_ok_and(|input| same_file::Handle::from_path(path).is_ok_and(|output| output == input));
    if is_input {
        return Err(is_read(path));
    }
    Ok(())
}

fn is_read(path: &Path) -> io::Error {
    let reason = "this file is read, and would be lost; choose another to write to";
    named(path, io::Error::other(reason))
}

/// Refuses two files to write that are one, by whatever names: one would be lost. Each comes with
/// the argument that names it, such as `--out`; a path that wasn't given is no file.
///
/// # Errors
///
/// If they are one. The error names the arguments.
pub fn refuse_same(
    (one, path): (&str, Option<&Path>),
    (other, other_path): (&str, Option<&Path>),
) -> io::Result<()> {
    let (Some(path), Some(other_path)) = (path, other_path) else {
        return Ok(());
    };
    if is_special(path) || is_special(other_path) {
        return Ok(());
    }
    // Two files that don't exist yet are one if they have one name in one folder.
    let will_be_same =
        || whole_path(path).is_some_and(|whole| Some(whole) == whole_path(other_path));
    if same_file::is_same_file(path, other_path).unwrap_or_else(|_| will_be_same()) {
        let reason = format!("{one} and {other} name the same file");
        return Err(io::Error::other(reason));
    }
    Ok(())
}

/// The path of a file that may not exist yet, without links; `None` if its folder doesn't exist.
fn whole_path(path: &Path) -> Option<PathBuf> {
    if let Ok(existing) = path.canonicalize() {
        return Some(existing);
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
    Some(folder.join(path.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn directory() -> TempDir {
        TempDir::new().expect("a directory for temporary files")
    }

    #[test]
    fn a_file_that_is_read_is_refused_by_whatever_name() {
        let home = directory();
        let [file, other, hard] = ["file", "other", "hard"].map(|name| home.path().join(name));
        for path in [&file, &other] {
            fs::write(path, "old").expect("a file");
        }
        fs::hard_link(&file, &hard).expect("a link");
        let refused = |path: &Path| refuse_input(path, [other.as_path(), &file]).is_err();
        assert!(refused(&file) && refused(&other) && refused(&hard));
        assert!(refused(&home.path().join("./file")));
        assert!(!refused(&home.path().join("new")));
        #[cfg(unix)]
        {
            let link = home.path().join("link");
            std::os::unix::fs::symlink(&file, &link).expect("a link");
            assert!(refused(&link));
        }
    }

    #[test]
    fn two_names_of_one_file_to_write_are_refused_before_it_exists() {
        let home = directory();
        let [new, same, other, old, hard] =
            ["new", "./new", "other", "old", "hard"].map(|name| home.path().join(name));
        fs::write(&old, "old").expect("a file");
        fs::hard_link(&old, &hard).expect("a link");
        let refused = |one: &Path, two: &Path| {
            let error = refuse_same(("--one", Some(one)), ("--two", Some(two))).err()?;
            Some(error.to_string())
        };
        let reason = Some("--one and --two name the same file".to_owned());
        assert_eq!(refused(&new, &same), reason);
        assert_eq!(refused(&old, &hard), reason);
        assert_eq!(refused(&new, &other), None);
        assert_eq!(refused(&old, &new), None);
        assert!(refuse_same(("--one", Some(&new)), ("--two", None)).is_ok());
    }
}
