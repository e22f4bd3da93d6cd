//! `squarewise-lab drawishness`: fits how much of a lead counts for the result.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use squarewise_lab::drawishness::{fit, rows};

use super::tune::read;
use super::wdl::refuse_other_endings;

/// Fits drawishness to the results of self-play games, and prints it as it stands in the source of
/// the engine.
#[derive(Debug, Args)]
pub struct FitDrawishness {
    /// Files of games, written by `selfplay`.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
}

impl FitDrawishness {
    pub fn run(&self, mut output: impl Write) -> anyhow::Result<()> {
        let (data, sources) = read(&self.data, &refuse_other_endings)?;
        anyhow::ensure!(
            data.can_be_split(),
            "the games have too few positions to fit to some and to test with others"
        );
        let fit = fit(&data);
        write!(output, "{sources}")?;
        let [before, after] = fit.losses;
        writeln!(
            output,
            "validation loss of results {before:.6}, {after:.6} with these shares"
        )?;
        for row in rows(&fit.shares) {
            writeln!(output, "{row}")?;
        }
        Ok(())
    }
}
