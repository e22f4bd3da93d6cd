//! The workshop as a library: self-play, fits, and the readers of damaged files of every kind.

#[path = "../../../../tests/support"]
mod support {
    pub mod damage;
    pub mod scratch;
}

mod damaged_files;
mod learning;
