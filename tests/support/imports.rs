//! The modules that a source file imports, read from its text.
//!
//! This is not a Rust parser: it relies on the layout of rustfmt, and it ignores comments and
//! everything under `#[cfg(test)]`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A path in the crate, such as `["search", "window", "Bound"]`. The crate itself is empty.
pub type CratePath = Vec<String>;

/// The paths that a file mentions.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// In `use` declarations and in the code.
    pub imports: BTreeSet<CratePath>,
    /// In `pub use` declarations, by the name that they give. A facade does not import what it
    /// re-exports from the modules inside it.
    pub reexports: BTreeMap<String, CratePath>,
}

/// All modules of a crate that are files, with their texts and what they import.
pub struct Modules {
    files: BTreeMap<CratePath, (String, Mentions)>,
}

impl Modules {
    /// Reads all files of a source folder. `main.rs` becomes the module `main`, `lib.rs` the crate
    /// itself.
    pub fn read(folder: &Path) -> Modules {
        Modules::of(source_files(folder, &[]))
    }

    /// The modules with these names and texts.
    pub fn of(mut files: Vec<(CratePath, String)>) -> Modules {
        if files.iter().all(|(name, _)| !name.is_empty()) {
            files.push((CratePath::new(), String::new()));
        }
        let names = files.iter().map(|(name, _)| name.clone()).collect();
        let files = files.into_iter().map(|(name, text)| {
            let found = mentions(&name, &text, &names);
            (name, (text, found))
        });
        Modules {
            files: files.collect(),
        }
    }

    /// The names of all modules that are files.
    pub fn names(&self) -> impl Iterator<Item = &CratePath> {
        self.files.keys()
    }

    /// The text of a module's file.
    pub fn text(&self, module: &CratePath) -> &str {
        &self.files[module].0
    }

    /// The other modules that a module imports. An item that a module re-exports counts as the
    /// original.
    pub fn imports(&self, module: &CratePath) -> BTreeSet<&CratePath> {
        let imports = self.files[module].1.imports.iter();
        let modules = imports.map(|path| self.module_of(path));
        modules.filter(|other| *other != module).collect()
    }

    fn module_of(&self, path: &[String]) -> &CratePath {
        let prefixes = (0..=path.len()).rev().map(|length| path[..length].to_vec());
        let found = prefixes
            .filter_map(|prefix| self.files.get_key_value(&prefix))
            .next();
        let (module, (_, mentions)) = found.expect("the crate itself is a prefix of every path");
        match path
            .get(module.len())
            .and_then(|item| mentions.reexports.get(item))
        {
            Some(original) => self.module_of(original),
            None => module,
        }
    }

    /// The imports that are part of a circle, as pairs of importing and imported module.
    pub fn circular_imports(&self) -> Vec<(&CratePath, &CratePath)> {
        let imports = self.names().map(|name| (name, self.imports(name)));
        let graph: BTreeMap<&CratePath, _> = imports.collect();
        let pairs = graph
            .iter()
            .flat_map(|(module, imports)| imports.iter().map(move |imported| (*module, *imported)));
        pairs
            .filter(|(module, imported)| reachable_from(imported, &graph).contains(module))
            .collect()
    }
}

/// A module and all that it imports, directly or indirectly.
fn reachable_from<'a>(
    module: &'a CratePath,
    graph: &BTreeMap<&CratePath, BTreeSet<&'a CratePath>>,
) -> BTreeSet<&'a CratePath> {
    let mut reached = BTreeSet::from([module]);
    let mut pending = vec![module];
    while let Some(next) = pending.pop() {
        let imports = graph[next].iter().copied();
        pending.extend(imports.filter(|imported| reached.insert(imported)));
    }
    reached
}

/// The modules of a folder with their texts.
fn source_files(folder: &Path, parent: &[String]) -> Vec<(CratePath, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the sources can be read") {
        let path = entry.expect("a folder's entry can be read").path();
        let stem = path
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy();
        let mut name = parent.to_vec();
        if !["mod", "lib"].contains(&&*stem) {
            name.push(stem.into_owned());
        }
        if path.is_dir() {
            files.extend(source_files(&path, &name));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push((name, fs::read_to_string(&path).expect("a source is text")));
        }
    }
    files
}

/// The paths that a file's text mentions. `modules` are the names of all modules of the crate.
pub fn mentions(module: &CratePath, text: &str, modules: &BTreeSet<CratePath>) -> Mentions {
    let mut found = Mentions::default();
    // The modules written inside this file that are open, with the indentation of their closing
    // brace.
    let mut inline: Vec<(String, usize)> = Vec::new();
    let lines = without_tests(text);
    let mut lines = lines.into_iter();
    while let Some(line) = lines.next() {
        let code = line.trim_start();
        let indent = line.len() - code.len();
        if code == "}" && inline.last().is_some_and(|(_, open)| *open == indent) {
            inline.pop();
        }
        let (is_public, item) = without_visibility(code);
        if let Some(name) = item
            .strip_prefix("mod ")
            .and_then(|rest| rest.strip_suffix(" {"))
        {
            inline.push((name.to_owned(), indent));
            continue;
        }
        let here = || {
            module
                .iter()
                .cloned()
                .chain(inline.iter().map(|(name, _)| name.clone()))
        };
        let resolve = |path: &[String]| resolve(here().collect(), path, modules);
        if let Some(first) = item.strip_prefix("use ") {
            let mut tree = first.to_owned();
            while !tree.contains(';') {
                tree.push_str(lines.next().expect("a use ends with a semicolon"));
            }
            for (path, name) in expand(tree.split(';').next().unwrap_or("")) {
                let Some(path) = resolve(&path) else { continue };
                if is_public {
                    found.reexports.insert(name, path.clone());
                }
                if !is_public || !path.starts_with(module) {
                    found.imports.insert(path);
                }
            }
        } else {
            found
                .imports
                .extend(paths_of(item).iter().filter_map(|path| resolve(path)));
        }
    }
    found
}

/// The lines of code: no comments, and no items under `#[cfg(test)]`.
fn without_tests(text: &str) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push(line);
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        lines.find(|line| {
            let is_outermost = line.len() - line.trim_start().len() == indent;
            is_outermost && (line.trim() == "}" || line.ends_with(';'))
        });
    }
    kept
}

/// Whether the item is visible elsewhere, and the item.
fn without_visibility(code: &str) -> (bool, &str) {
    let Some(rest) = code.strip_prefix("pub") else {
        return (false, code);
    };
    let rest = match rest.strip_prefix('(') {
        Some(restricted) => restricted.split_once(')').map_or("", |(_, item)| item),
        None => rest,
    };
    (true, rest.trim_start())
}

/// All paths of a use tree, each with the name that it gives.
fn expand(tree: &str) -> Vec<(CratePath, String)> {
    let tree = tree.trim();
    let Some((prefix, rest)) = tree.split_once('{') else {
        let (path, alias) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path: CratePath = path
            .split("::")
            .map(|part| part.trim().to_owned())
            .collect();
        if path.len() > 1
            && path
                .last()
                .is_some_and(|last| last == "self" || last == "*")
        {
            path.pop();
        }
        let name = if alias.is_empty() {
            path.last().cloned().unwrap_or_default()
        } else {
            alias.trim().to_owned()
        };
        return vec![(path, name)];
    };
    let inside = rest
        .trim_end()
        .strip_suffix('}')
        .expect("the braces of a use are closed");
    let mut depth = 0;
    let branches = inside.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    let branches = branches.filter(|branch| !branch.trim().is_empty());
    branches
        .flat_map(|branch| expand(&format!("{prefix}{}", branch.trim())))
        .collect()
}

/// All paths of two or more names in a line of code.
fn paths_of(code: &str) -> Vec<CratePath> {
    let words = code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    let paths = words.map(|word| word.split("::").map(str::to_owned).collect::<CratePath>());
    paths.filter(|path| path.len() > 1).collect()
}

/// The path seen from the crate; `None` if it leads into another crate or to an item of the file.
fn resolve(here: CratePath, path: &[String], modules: &BTreeSet<CratePath>) -> Option<CratePath> {
    let (first, rest) = path.split_first()?;
    let mut base = match first.as_str() {
        "crate" => Vec::new(),
        "self" => here,
        "super" => {
            let (_, parent) = here.split_last()?;
            if rest.first().is_some_and(|name| name == "super") {
                return resolve(parent.to_vec(), rest, modules);
            }
            parent.to_vec()
        }
        _ => {
            let mut child = here;
            child.push(first.clone());
            if !modules.contains(&child) {
                return None;
            }
            child
        }
    };
    base.extend(rest.iter().cloned());
    Some(base)
}
