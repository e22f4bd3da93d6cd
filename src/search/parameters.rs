//! The numbers of the search that games decide on: one list, beside the rules in [`super::pruning`],
//! [`super::history`] and [`super::correction`] that they serve.
//!
//! Built with the feature `tuning`, the engine offers each of them as a UCI option, so that a match may try
//! other values; without it they are constants. Margins are centipawns, depths plies.

/// A number that games decide on, and the range in which it makes sense.
#[derive(Debug)]
pub struct Parameter {
    /// Its name, which is also that of its option.
    pub name: &'static str,
    /// The value that the engine plays with.
    pub default: i32,
    /// The least value to try.
    pub least: i32,
    /// The greatest value to try.
    pub most: i32,
    #[cfg(feature = "tuning")]
    tuned: tuning::Place,
}

impl Parameter {
    /// The value.
    #[cfg(not(feature = "tuning"))]
    #[inline(always)]
    pub fn get(&self) -> i32 {
        self.default
    }
}

#[cfg(feature = "tuning")]
pub use tuning::{COUNT, Values, adopt, play_by};

/// Values other than the default ones. Each thread plays by its own, so that two sets can play each other;
/// those that are set by name wait in one place until a thread adopts them.
#[cfg(feature = "tuning")]
mod tuning {
    use std::cell::Cell;
    use std::sync::atomic::{AtomicI32, Ordering};

    use super::{ALL, Parameter};

    /// How many parameters there are.
    pub const COUNT: usize = super::Index::End as usize;

    /// A value for each, in the order of [`ALL`].
    pub type Values = [i32; COUNT];

    /// Where the values of one parameter are kept.
    #[derive(Debug)]
    pub(super) struct Place {
        pub(super) index: usize,
        pub(super) waiting: AtomicI32,
    }

    thread_local! {
        static OWN: [Cell<i32>; COUNT] =
            std::array::from_fn(|index| Cell::new(ALL[index].default));
    }

    /// From now on this thread plays by these values.
    pub fn play_by(values: &Values) {
        OWN.with(|own| {
            own.iter()
                .zip(values)
                .for_each(|(cell, value)| cell.set(*value))
        });
    }

    /// From now on this thread plays by the values that were set by name.
    pub fn adopt() {
        let waiting = |index: usize| ALL[index].tuned.waiting.load(Ordering::Relaxed);
        play_by(&std::array::from_fn(waiting));
    }

    impl Parameter {
        /// The value that this thread plays by.
        #[inline]
        pub fn get(&self) -> i32 {
            OWN.with(|own| own[self.tuned.index].get())
        }

        /// Sets another value, held to the range, for threads to adopt.
        pub fn set(&self, value: i32) {
            let value = value.clamp(self.least, self.most);
            self.tuned.waiting.store(value, Ordering::Relaxed);
        }
    }

    /// A parameter is itself and no other.
    impl PartialEq for Parameter {
        fn eq(&self, other: &Parameter) -> bool {
            std::ptr::eq(self, other)
        }
    }

    impl Eq for Parameter {}
}

macro_rules! parameters {
    ($($(#[$words:meta])* $name:ident = $default:literal, $least:literal to $most:literal;)*) => {
        $(
            $(#[$words])*
            pub static $name: Parameter = Parameter {
                name: stringify!($name),
                default: $default,
                least: $least,
                most: $most,
                #[cfg(feature = "tuning")]
                tuned: tuning::Place {
                    index: Index::$name as usize,
                    waiting: std::sync::atomic::AtomicI32::new($default),
                },
            };
        )*

        /// Their places in [`ALL`].
        #[cfg(feature = "tuning")]
        #[allow(non_camel_case_types)]
        enum Index {
            $($name,)*
            End,
        }

        /// All of them.
        pub static ALL: &[&Parameter] = &[$(&$name),*];
    };
}

parameters! {
    /// The depth up to which an evaluation well above beta is believed.
    REVERSE_FUTILITY_DEPTH_LIMIT = 8, 4 to 12;
    /// By how much it must lie above, for each ply.
    REVERSE_FUTILITY_MARGIN = 78, 30 to 150;
    /// The depth up to which an evaluation far below alpha is believed.
    RAZORING_DEPTH_LIMIT = 3, 1 to 6;
    /// By how much it must lie below, for each ply.
    RAZORING_MARGIN = 204, 100 to 500;
    /// What a null move is reduced by at least.
    NULL_MOVE_BASE = 3, 2 to 5;
    /// Of this many plies, one more is taken off.
    NULL_MOVE_DEPTH_DIVISOR = 3, 2 to 6;
    /// For so many centipawns above beta, one more.
    NULL_MOVE_EVALUATION_DIVISOR = 203, 80 to 400;
    /// By how much a capture must exceed beta at reduced depth.
    PROB_CUT_MARGIN = 198, 80 to 300;
    /// Moves that are tried at depth zero, in thought.
    LATE_MOVE_COUNT_BASE = 4, 1 to 8;
    /// The reduced depth up to which quiet moves may be hopeless.
    FUTILITY_DEPTH_LIMIT = 8, 4 to 12;
    /// What a quiet move may gain.
    FUTILITY_BASE = 85, 20 to 200;
    /// What it may gain with each ply.
    FUTILITY_MARGIN = 94, 30 to 200;
    /// The reduced depth up to which a bad history condemns a move.
    HISTORY_DEPTH_LIMIT = 4, 1 to 8;
    /// How bad it must be, for each ply and one more.
    HISTORY_MARGIN = 3_574, 1_000 to 10_000;
    /// What a quiet move may lose, for each ply squared.
    QUIET_EXCHANGE_MARGIN = 25, 8 to 60;
    /// What a capture may lose, for each ply.
    CAPTURE_EXCHANGE_MARGIN = 87, 40 to 200;
    /// The depth from which the only good move is looked for.
    SINGULAR_DEPTH_MINIMUM = 6, 5 to 10;
    /// By how much the others must be worse, for each ply, in sixteenths of a centipawn.
    SINGULAR_MARGIN = 33, 8 to 80;
    /// By how much more for two plies.
    DOUBLE_EXTENSION_MARGIN = 23, 5 to 60;
    /// The reduction of any late move, in parts of a ply.
    LATE_MOVE_BASE = 681, 200 to 1_500;
    /// For the product of the logarithms of depth and number, in parts of a ply.
    LATE_MOVE_FACTOR = 880, 400 to 1_500;
    /// So much history is worth a part of a ply.
    LATE_MOVE_HISTORY_DIVISOR = 7, 4 to 40;
    /// Less on the principal variation.
    LATE_MOVE_PV = 877, 0 to 2_500;
    /// More where a cut-off is expected.
    LATE_MOVE_CUT = 1_399, 0 to 3_000;
    /// More where the side to move stands worse than before.
    LATE_MOVE_WORSENING = 584, 0 to 2_000;
    /// Less for a killer.
    LATE_MOVE_KILLER = 1_119, 0 to 2_500;
    /// Less for a check.
    LATE_MOVE_CHECK = 1_137, 0 to 2_500;
    /// More beside a table move that is a capture.
    LATE_MOVE_TABLE_CAPTURE = 555, 0 to 2_000;
    /// A surprise beyond this is looked at a ply deeper.
    DEEPER_MARGIN = 49, 10 to 120;
    /// One below this a ply less deeply.
    SHALLOWER_MARGIN = 7, 0 to 30;
    /// What a capture at the edge of the tree may gain beyond its victim.
    QUIESCENCE_MARGIN = 170, 60 to 400;
    /// Half the width of the first aspiration window.
    ASPIRATION_MARGIN = 12, 5 to 50;
    /// What a move earns for each ply of depth.
    HISTORY_BONUS_FACTOR = 188, 50 to 400;
    /// Less this.
    HISTORY_BONUS_OFFSET = 79, 0 to 300;
    /// But no more than this.
    HISTORY_BONUS_LIMIT = 1_950, 500 to 4_000;
    /// How much a centipawn won weighs beside the history of captures.
    CAPTURE_GAIN_FACTOR = 16, 4 to 40;
    /// Remembered differences are this many times finer than a centipawn.
    CORRECTION_GRAIN = 310, 100 to 800;
    /// How strongly a search of depth one tells of its difference.
    CORRECTION_STEP = 6, 1 to 16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_in_its_range_and_no_name_comes_twice() {
        let mut names: Vec<&str> = ALL.iter().map(|parameter| parameter.name).collect();
        for parameter in ALL {
            let range = parameter.least..=parameter.most;
            assert!(range.contains(&parameter.default), "{parameter:?}");
        }
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
    }
}
