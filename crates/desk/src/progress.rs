//! The progress bar of subcommands that take long.
//!
//! It is drawn on stderr, so that the output of the subcommand can be redirected. Without a terminal nothing
//! is drawn.

use std::io;

use indicatif::{ProgressBar, ProgressStyle};

/// A progress bar on stderr, followed by `label`, an indicatif template.
pub(super) fn progress_bar(length: u64, label: &str) -> io::Result<ProgressBar> {
    let style =
        ProgressStyle::with_template(&format!("{{bar:30}} {label}")).map_err(io::Error::other)?;
    Ok(ProgressBar::new(length).with_style(style))
}
