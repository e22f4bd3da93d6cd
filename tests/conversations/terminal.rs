//! What the subcommands show in a terminal and in a file.
