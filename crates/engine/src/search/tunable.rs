//! Tunable parameters of the search: value, range, and the macro that declares them.
//!
//! Each file declares its own parameters beside the code that uses them; [`super::parameters`]
//! lists them all. Built with the feature `tuning`, the engine offers each of them as a UCI option,
//! and `spsa` looks for better values by playing games. Without the feature they are constants and
//! cost nothing. All are integers, since no float may shape the tree.

/// A tunable parameter.
#[derive(Debug)]
pub struct Parameter {
    /// The name, which is also that of its UCI option.
    pub name: &'static str,
    /// The value that the engine uses.
    pub default: i32,
    /// The smallest value that makes sense.
    pub min: i32,
    /// The largest value that makes sense.
    pub max: i32,
    #[cfg(feature = "tuning")]
    pub(super) slot: tuning::Slot,
}

impl Parameter {
    /// A parameter with its default value.
    pub(super) const fn new(name: &'static str, default: i32, min: i32, max: i32) -> Parameter {
        Parameter {
            name,
            default,
            min,
            max,
            #[cfg(feature = "tuning")]
            slot: tuning::Slot::new(default),
        }
    }

    /// The value.
    #[cfg(not(feature = "tuning"))]
    #[inline(always)]
    pub fn get(&self) -> i32 {
        self.default
    }
}

/// Declares the tunable parameters of a file, as in `/// What it is. NAME = value, min to max;`,
/// and lists them in `PARAMETERS`. A file has one block.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal to $max:literal;)*) => {
        $(
            $(#[$doc])*
            static $name: $crate::search::tunable::Parameter =
                $crate::search::tunable::Parameter::new(stringify!($name), $default, $min, $max);
        )*

        /// The tunable parameters of this file.
        pub(in crate::search) static PARAMETERS: &[&$crate::search::tunable::Parameter] = &[$(&$name),*];
    };
}
pub(super) use parameters;

/// Values other than the defaults. Each thread has values of its own, so that two sets can play
/// each other in one process. Values that are set by name take effect once a thread adopts them.
#[cfg(feature = "tuning")]
pub(super) mod tuning {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

    use super::Parameter;

    /// The storage of one parameter.
    #[derive(Debug)]
    pub struct Slot {
        /// The parameter's index among all parameters, once it is set.
        index: AtomicUsize,
        /// The value that was set by name.
        value_set_by_name: AtomicI32,
    }

    impl Slot {
        pub(super) const fn new(default: i32) -> Slot {
            Slot {
                index: AtomicUsize::new(usize::MAX),
                value_set_by_name: AtomicI32::new(default),
            }
        }
    }

    thread_local! {
        /// The values of this thread by index; empty while it uses the defaults.
        static OWN: RefCell<Vec<i32>> = const { RefCell::new(Vec::new()) };
    }

    /// Makes this thread use these values from now on.
    pub fn use_values(values: &[i32]) {
        OWN.with_borrow_mut(|own| {
            own.clear();
            own.extend_from_slice(values);
        });
    }

    /// The values that this thread uses, to be given to its helper threads.
    pub fn values_in_use() -> Vec<i32> {
        OWN.with_borrow(Vec::clone)
    }

    impl Parameter {
        /// The value that this thread uses.
        #[inline]
        pub fn get(&self) -> i32 {
            let index = self.slot.index.load(Ordering::Relaxed);
            OWN.with_borrow(|own| own.get(index).copied().unwrap_or(self.default))
        }

        /// Sets the value that threads can adopt, clamped to the range.
        pub fn set(&self, value: i32) {
            let value = value.clamp(self.min, self.max);
            self.slot.value_set_by_name.store(value, Ordering::Relaxed);
        }

        /// The value that was set by name, or else the default.
        pub(in crate::search) fn value_set_by_name(&self) -> i32 {
            self.slot.value_set_by_name.load(Ordering::Relaxed)
        }

        /// Sets the index of the parameter among all parameters.
        pub(in crate::search) fn set_index(&self, index: usize) {
            self.slot.index.store(index, Ordering::Relaxed);
        }
    }
}
