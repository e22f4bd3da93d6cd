//! The list of all tunable parameters of the search, gathered from the files that declare them.
//!
//! `tunable.rs` explains what a tunable parameter is. Only `spsa` and the UCI options of the feature
//! `tuning` need the list; the search uses its parameters directly.

use std::sync::LazyLock;

use super::rules::{extensions, move_pruning, node_pruning, reductions};
pub use super::tunable::Parameter;
use super::{correction_history, history, iterative_deepening, move_picker, quiescence};

/// The parameters of each file.
static FILES: &[&[&Parameter]] = &[
    node_pruning::PARAMETERS,
    move_pruning::PARAMETERS,
    reductions::PARAMETERS,
    extensions::PARAMETERS,
    quiescence::PARAMETERS,
    iterative_deepening::PARAMETERS,
    history::PARAMETERS,
    move_picker::PARAMETERS,
    correction_history::PARAMETERS,
];

/// All parameters.
pub static ALL: LazyLock<Vec<&'static Parameter>> = LazyLock::new(|| {
    let all: Vec<&'static Parameter> = FILES.concat();
    #[cfg(feature = "tuning")]
    for (index, parameter) in all.iter().enumerate() {
        parameter.set_index(index);
    }
    all
});

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
}
