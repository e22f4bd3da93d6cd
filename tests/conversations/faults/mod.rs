//! Faults of the machine and of other programs: what is lost then, and that it is said.
//!
//! A full disk, signals, memory that is refused, places that can't be written, a search that
//! panics, an engine that floods its output. Shells limit what the program may use, so that the
//! tests need no rights and no devices.

mod children;
mod full_disk;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(debug_assertions)]
mod panics;
mod places;
mod signals;

use std::process::Command;

use crate::support::{engine, programs};

/// The engine with arguments, under a limit that `ulimit` sets.
fn limited(limit: &str, arguments: &[&str]) -> Command {
    programs::limited(limit, engine(), arguments)
}

/// The engine with arguments and without input.
fn program(arguments: &[&str]) -> Command {
    programs::without_input(engine(), arguments)
}
