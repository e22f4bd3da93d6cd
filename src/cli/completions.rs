//! `squarewise completions`: the script that teaches a shell to complete our arguments.

use std::io::{self, Write};

use clap::{Args, Command};
use clap_complete::Shell;

/// Writes the completions of a shell to standard output. For bash, for example:
/// squarewise completions bash > ~/.local/share/bash-completion/completions/squarewise
#[derive(Debug, Args)]
pub struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    /// Runs it. `program` describes all arguments.
    pub fn run(&self, mut output: impl Write, mut program: Command) -> io::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "squarewise", &mut script);
        output.write_all(&script)
    }
}
