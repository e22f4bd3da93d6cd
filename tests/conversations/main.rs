//! Conversations with the real program, and its command line.
//!
//! They are one test program, because each test program is linked with the whole engine, which
//! takes longer than most of the tests.

#[path = "../support/mod.rs"]
mod support;

mod analyze;
mod board;
mod book;
mod command_line;
mod damaged_files;
#[cfg(unix)]
mod faults;
mod fuzzer;
mod loaders;
mod openbench;
mod play;
mod protocol;
mod protocol_decisions;
mod robustness;
mod styles;
mod syzygy;
mod tables;
mod terminal;
mod threads_and_lines;
mod variants;
mod weak_play;
mod why;
mod windows;
