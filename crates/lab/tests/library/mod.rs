//! The laboratory as a library: self-play, fits, and the readers of damaged files of every kind.

mod damaged_files;
mod learning;
