//! A number of the search that games decide on: its value, its range, and the macro that declares it.
//!
//! Every file declares its own numbers beside the code that they serve; [`super::parameters`] lists them
//! all. Built with the feature `tuning`, the engine offers each of them as a UCI option and `spsa` looks for
//! better values. Without the feature they are constants and cost nothing.

/// A tunable number.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, which is also that of its UCI option.
    pub name: &'static str,
    /// The value that the engine plays with.
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

/// Declares tunable numbers, as in `/// What it is. NAME = value, min to max;`, and lists them in `PARAMETERS`.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:literal, $min:literal to $max:literal;)*) => {
        $(
            $(#[$doc])*
            pub static $name: $crate::search::tunable::Parameter =
                $crate::search::tunable::Parameter::new(stringify!($name), $default, $min, $max);
        )*

        /// The tunable numbers of this file.
        pub static PARAMETERS: &[&$crate::search::tunable::Parameter] = &[$(&$name),*];

        /// How many there are.
        pub const PARAMETER_COUNT: usize = [$(stringify!($name)),*].len();
    };
}
pub(super) use parameters;

/// Values other than the defaults. Each thread plays by values of its own, so that two sets can play each
/// other in one process; values set by name wait until a thread adopts them.
#[cfg(feature = "tuning")]
pub(super) mod tuning {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

    use super::Parameter;

    /// Where the values of one parameter are kept.
    #[derive(Debug)]
    pub struct Slot {
        /// The parameter's place among all parameters, once it is known.
        index: AtomicUsize,
        /// The value that was set by name.
        waiting: AtomicI32,
    }

    impl Slot {
        pub(super) const fn new(default: i32) -> Slot {
            Slot {
                index: AtomicUsize::new(usize::MAX),
                waiting: AtomicI32::new(default),
            }
        }
    }

    thread_local! {
        /// The values of this thread by index; empty as long as it plays by the defaults.
        static OWN: RefCell<Vec<i32>> = const { RefCell::new(Vec::new()) };
    }

    /// From now on this thread plays by these values.
    pub fn play_by(values: &[i32]) {
        OWN.with_borrow_mut(|own| {
            own.clear();
            own.extend_from_slice(values);
        });
    }

    impl Parameter {
        /// The value that this thread plays by.
        #[inline]
        pub fn get(&self) -> i32 {
            let index = self.slot.index.load(Ordering::Relaxed);
            OWN.with_borrow(|own| own.get(index).copied().unwrap_or(self.default))
        }

        /// Sets a value, held to the range, for threads to adopt.
        pub fn set(&self, value: i32) {
            let value = value.clamp(self.min, self.max);
            self.slot.waiting.store(value, Ordering::Relaxed);
        }

        /// The value that was set by name, or else the default.
        pub(in crate::search) fn waiting(&self) -> i32 {
            self.slot.waiting.load(Ordering::Relaxed)
        }

        /// Tells the parameter its place among all parameters.
        pub(in crate::search) fn set_index(&self, index: usize) {
            self.slot.index.store(index, Ordering::Relaxed);
        }
    }

    /// A parameter equals itself and no other.
    impl PartialEq for Parameter {
        fn eq(&self, other: &Parameter) -> bool {
            std::ptr::eq(self, other)
        }
    }

    impl Eq for Parameter {}
}
