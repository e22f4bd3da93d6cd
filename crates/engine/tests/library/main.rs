//! The engine as a library: the move generator, the search, and what must always hold.
//!
//! They are one test program, because each test program is linked with the whole engine, which
//! takes longer than most of the tests.

#[path = "../../../../tests/support"]
mod support {
    pub mod positions;
}

mod endings;
mod perft;
mod properties;
mod search;
mod tactics;
mod variants;
