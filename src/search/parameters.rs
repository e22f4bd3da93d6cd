//! The list of all tunable numbers of the search, gathered from the files in which they stand.

use std::sync::LazyLock;

use super::rules::{extensions, move_pruning, node_pruning, reductions};
pub use super::tunable::Parameter;
use super::{correction_history, history, iterative_deepening, move_picker, quiescence};

/// The numbers of each file.
static FILES: [&[&Parameter]; 9] = [
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

/// How many there are in all.
pub const COUNT: usize = node_pruning::PARAMETER_COUNT
    + move_pruning::PARAMETER_COUNT
    + reductions::PARAMETER_COUNT
    + extensions::PARAMETER_COUNT
    + quiescence::PARAMETER_COUNT
    + iterative_deepening::PARAMETER_COUNT
    + history::PARAMETER_COUNT
    + move_picker::PARAMETER_COUNT
    + correction_history::PARAMETER_COUNT;

/// All of them.
pub static ALL: LazyLock<Vec<&'static Parameter>> = LazyLock::new(|| {
    let all: Vec<&'static Parameter> = FILES.into_iter().flatten().copied().collect();
    #[cfg(feature = "tuning")]
    for (index, parameter) in all.iter().enumerate() {
        parameter.set_index(index);
    }
    all
});

/// A value for each parameter, in the order of [`ALL`].
#[cfg(feature = "tuning")]
pub type Values = [i32; COUNT];

/// From now on this thread plays by these values.
#[cfg(feature = "tuning")]
pub fn play_by(values: &Values) {
    LazyLock::force(&ALL); // tells every parameter its place
    super::tunable::tuning::play_by(values);
}

/// From now on this thread plays by the values that were set by name.
#[cfg(feature = "tuning")]
pub fn adopt() {
    play_by(&std::array::from_fn(|index| ALL[index].waiting()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_lies_in_its_range_and_no_name_comes_twice() {
        let mut names: Vec<&str> = ALL.iter().map(|parameter| parameter.name).collect();
        assert_eq!(names.len(), COUNT);
        for parameter in ALL.iter() {
            let range = parameter.min..=parameter.max;
            assert!(range.contains(&parameter.default), "{parameter:?}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), COUNT);
    }
}
