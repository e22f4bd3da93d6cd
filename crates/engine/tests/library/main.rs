//! The engine as a library: the move generator, the search, what must always hold, and learning.
//!
//! They are one test program, because each test program is linked with the whole engine, which takes longer than most
//! of the tests.

#[path = "../support/mod.rs"]
mod support;

mod damaged_files;
mod learning;
mod openings;
mod perft;
mod properties;
mod search;
mod tactics;
