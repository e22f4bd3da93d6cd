//! Styles of players by name or file. Those with a name are files in a folder `styles`: beside the
//! program, where a package puts them, at the top of the checkout that the program is built in, or
//! where the program is started.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs, io};

use squarewise_engine::style::Style;
use squarewise_engine::style::file::StyleError;

/// Where the folder may be, as seen from the program's own.
const PLACES: [&str; 3] = ["styles", "../share/squarewise/styles", "../../styles"];

/// The end of a file's name.
const EXTENSION: &str = "style";

/// Why there is no style.
#[derive(Debug, thiserror::Error)]
pub enum NoStyle {
    /// Neither a style with this name nor a file is there.
    #[error("there is no such file, and {}", known())]
    Unknown,
    /// The file can't be read or is no style.
    #[error(transparent)]
    File(#[from] StyleError),
}

/// The file of the style that a person names: a player whose style is in a folder of styles, such
/// as `Tal`, or else a file. Upper and lower case are the same; `./tal` is always a file.
pub fn path_of(name: &Path) -> PathBuf {
    let named = name.to_str().map(str::to_lowercase);
    let file = named.and_then(|named| named_files().remove(&named));
    file.unwrap_or_else(|| name.to_owned())
}

/// The style that a person names, as [`path_of`] has it.
pub fn find(name: &Path) -> Result<Arc<Style>, NoStyle> {
    match Style::read(&path_of(name)) {
        Ok(style) => Ok(Arc::new(style)),
        Err(StyleError::Io(error)) if error.kind() == io::ErrorKind::NotFound => {
            Err(NoStyle::Unknown)
        }
        Err(error) => Err(error.into()),
    }
}

/// The same for the command line: an error repeats what was asked for.
pub fn read(name: &Path) -> io::Result<Arc<Style>> {
    find(name).map_err(|error| io::Error::other(format!("{}: {error}", name.display())))
}

/// All styles that have a name, in its order. One that can't be read is left out, with a warning.
pub fn all() -> impl Iterator<Item = Arc<Style>> {
    named_files().into_values().filter_map(|file| {
        Style::read(&file)
            .map(Arc::new)
            .inspect_err(|error| tracing::warn!("{}: {error}", file.display()))
            .ok()
    })
}

/// The files in the folders of styles by their names in lower case, without the end. The first
/// folder that has a name decides.
fn named_files() -> BTreeMap<String, PathBuf> {
    let program = env::current_exe().and_then(fs::canonicalize);
    let folder = program
        .ok()
        .and_then(|file| Some(file.parent()?.to_owned()));
    let places = folder
        .iter()
        .flat_map(|folder| PLACES.map(|place| folder.join(place)))
        .chain([PathBuf::from("styles")]);
    let entries = places
        .filter_map(|place| fs::read_dir(place).ok())
        .flatten();
    let mut files = BTreeMap::new();
    for file in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let name = file.file_stem().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|_| file.extension().is_some_and(|end| end == EXTENSION)) {
            files.entry(name.to_lowercase()).or_insert(file);
        }
    }
    files
}

/// The names in words.
fn known() -> String {
    let names: Vec<String> = named_files().into_keys().collect();
    match names.as_slice() {
        [] => "no folder of styles beside the program".to_owned(),
        _ => format!("the styles that have a name are {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_style_that_ships_is_whole_and_found_by_its_name() {
        // Tests are started at the top of the checkout.
        assert_eq!(all().count(), named_files().len());
        for name in ["Tal", "tal", "MORPHY"] {
            find(Path::new(name)).expect("a style");
        }
    }

    #[test]
    fn a_name_that_nobody_has_is_an_error_that_says_what_there_is() {
        for name in ["Anderssen", "./tal"] {
            let error = find(Path::new(name)).expect_err("there is none");
            assert!(matches!(error, NoStyle::Unknown), "{error}");
            assert!(error.to_string().contains("capablanca, carlsen"), "{error}");
        }
    }
}
