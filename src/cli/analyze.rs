//! `squarewise analyze`.

use std::io::{self, Write};

use clap::Args;

use crate::terminal::Style;

/// Not built yet.
#[derive(Debug, Args)]
pub struct Analyze {}

impl Analyze {
    /// Runs it.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn run(&self, mut output: impl Write, _style: Style) -> io::Result<()> {
        writeln!(output, "not built yet")
    }
}
