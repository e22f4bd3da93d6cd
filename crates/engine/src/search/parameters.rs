//! The list of all tunable parameters, composed of the blocks that the files declare.
//!
//! `tunable` explains what a tunable parameter is. Only `spsa` and the UCI
//! options of the feature `tuning` need the list; the search uses its parameters directly. The
//! compiler warns of a block that is missing here, and a test fails.

use std::sync::LazyLock;

use super::rules::{extensions, move_pruning, node_pruning, quiescence_pruning, reductions};
pub use super::tunable::Parameter;
use super::{correction_history, history, iterative_deepening, move_picker, time_management};

/// The block of each file.
static BLOCKS: &[&[&Parameter]] = &[
    node_pruning::PARAMETERS,
    move_pruning::PARAMETERS,
    reductions::PARAMETERS,
    extensions::PARAMETERS,
    quiescence_pruning::PARAMETERS,
    iterative_deepening::PARAMETERS,
    history::PARAMETERS,
    move_picker::PARAMETERS,
    correction_history::PARAMETERS,
    time_management::PARAMETERS,
];

/// All parameters.
pub static ALL: LazyLock<Vec<&'static Parameter>> = LazyLock::new(|| {
    let all: Vec<&'static Parameter> = BLOCKS.concat();
    #[cfg(feature = "tuning")]
    for (index, parameter) in all.iter().enumerate() {
        parameter.set_index(index);
    }
    all
});

/// Whether a parameter changes the search only on a clock, so that games with a fixed number of
/// nodes tell nothing about it.
pub fn needs_a_clock(parameter: &Parameter) -> bool {
    let mut on_the_clock = time_management::PARAMETERS.iter();
    on_the_clock.any(|other| other.name == parameter.name)
}

/// A value for each parameter, in the order of [`ALL`].
#[cfg(feature = "tuning")]
pub type Values = Vec<i32>;

/// Makes this thread use these values from now on.
#[cfg(feature = "tuning")]
pub fn use_values(values: &[i32]) {
    LazyLock::force(&ALL); // sets the index of every parameter
    super::tunable::tuning::use_values(values);
}

/// Makes this thread use the values that were set by name from now on.
#[cfg(feature = "tuning")]
pub fn use_values_set_by_name() {
    let values: Values = ALL
        .iter()
        .map(|parameter| parameter.value_set_by_name())
        .collect();
    use_values(&values);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    #[test]
    fn every_default_lies_in_its_range_and_no_name_comes_twice() {
        let mut names: Vec<&str> = ALL.iter().map(|parameter| parameter.name).collect();
        let count = names.len();
        assert!(count > 0);
        for parameter in ALL.iter() {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.default), "{parameter:?}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    /// The names that the `parameters!` blocks of a folder declare.
    fn declared_in(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder of sources");
        let paths = entries.map(|entry| entry.expect("an entry of the folder").path());
        paths.flat_map(|path| declared_by(&path)).collect()
    }

    fn declared_by(path: &Path) -> Vec<String> {
        if path.is_dir() {
            return declared_in(path);
        }
        let text = fs::read_to_string(path).expect("a readable source");
        let block = text.lines().skip_while(|line| *line != "parameters! {");
        let block = block.take_while(|line| *line != "}");
        let names = block.filter_map(|line| line.split_once(" = "));
        let names = names.map(|(name, _)| name.trim().to_owned());
        names.collect()
    }

    #[test]
    fn no_number_is_declared_without_being_in_the_list() {
        let mut declared = declared_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/search"));
        let mut listed: Vec<&str> = ALL.iter().map(|parameter| parameter.name).collect();
        declared.sort_unstable();
        listed.sort_unstable();
        assert_eq!(declared, listed);
    }
}
