//! `squarewise mimic show`: shows a style in words and as heat maps.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;

use crate::styles;
use squarewise_desk::charts::heat_map;
use squarewise_desk::mimic::people;
use squarewise_desk::mimic::show::{KINGS, maps, parts};
use squarewise_desk::output_file;
use squarewise_desk::terminal::{Style, heat_maps, printable};

/// Shows a style: the openings, how often the player errs, and what the player likes more or less
/// than people in general, each with its standard error.
#[derive(Debug, Args)]
pub struct Show {
    /// The style: a name such as Tal, or a file.
    #[arg(value_name = "NAME|FILE")]
    style: PathBuf,

    /// Also show heat maps: where the player likes the pieces to stand more than others do.
    #[arg(long)]
    maps: bool,

    /// Write the heat maps to this file as an SVG picture.
    #[arg(long, value_name = "FILE.svg")]
    out: Option<PathBuf>,
}

impl Show {
    /// Runs it.
    pub fn run(&self, mut output: impl Write, style: Style) -> io::Result<()> {
        if let Some(path) = &self.out {
            output_file::refuse_input(path, [styles::path_of(&self.style).as_path()])?;
        }
        let of_player = styles::read(&self.style)?;
        let maps = maps(&of_player, people());
        // The file first: the output can have been closed.
        if let Some(path) = &self.out {
            output_file::write(path, heat_map::svg(&maps, KINGS).as_bytes())?;
        }
        for part in parts(&of_player, people()) {
            writeln!(output, "{}", printable(&part.heading))?;
            for line in part.lines {
                writeln!(output, "  {}", printable(&line))?;
            }
        }
        if self.maps {
            write!(output, "\n{}", heat_maps(&maps, KINGS, style))?;
        }
        Ok(())
    }
}
