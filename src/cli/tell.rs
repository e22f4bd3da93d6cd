//! What is told beside the output: lines on stderr.

use std::io::{self, Write};

/// Writes a line to stderr. If nobody reads it, that is no reason to stop.
pub(super) fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
