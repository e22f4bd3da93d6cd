//! `squarewise spsa-inputs`: the parameters of the search as OpenBench's form for SPSA takes them. Only with the feature
//! `tuning`.
//!
//! The lines are written in [`squarewise_lab::spsa_inputs`].

use std::io::{self, Write};

use clap::Args;

use super::spsa::parameter_index;
use squarewise_engine::search::parameters::ALL;
use squarewise_lab::spsa_inputs::input_line;

/// Writes the parameters of the search for OpenBench's form New Tune, one a line: name, type, value, least and greatest
/// value, C_end and R_end.
#[derive(Debug, Args)]
pub struct SpsaInputs {
    /// The parameters to write, by name; all of them if none is named.
    #[arg(value_name = "NAME", value_parser = parameter_index)]
    names: Vec<usize>,
}

impl SpsaInputs {
    /// Runs it.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let is_wanted = |index: &usize| self.names.is_empty() || self.names.contains(index);
        for parameter in (0..ALL.len()).filter(is_wanted).map(|index| ALL[index]) {
            writeln!(output, "{}", input_line(parameter))?;
        }
        Ok(())
    }
}
