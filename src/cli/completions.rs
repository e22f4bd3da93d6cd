//! `squarewise completions`: the script that teaches a shell to complete our arguments.

use std::io::{self, Write};

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Arguments;

/// Writes the completions of a shell to standard output. For bash, for example:
/// squarewise completions bash > ~/.local/share/bash-completion/completions/squarewise
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Runs it.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let mut script = Vec::new();
        let mut command = Arguments::command();
        clap_complete::generate(self.shell, &mut command, "squarewise", &mut script);
        output.write_all(&script)
    }
}
