//! `squarewise mimic show`: shows a style in words and as heat maps.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use shakmaty::{Role, Square};

use super::super::play::read_style;
use squarewise_desk::mimic::people;
use squarewise_desk::mimic::show::lines;
use squarewise_desk::output_file;
use squarewise_desk::terminal::{Style, heat_maps};
use squarewise_engine::evaluation::heat_map::{HeatMap, Kings};
use squarewise_engine::evaluation::heat_map_svg;

/// Shows a style: the openings, how often the player errs, and what the player likes more or less
/// than people in general, each with its standard error.
#[derive(Debug, Args)]
pub struct Show {
    /// The style file.
    #[arg(value_name = "FILE.style")]
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
        let of_player = read_style(&self.style)?;
        for line in lines(&of_player, people()) {
            writeln!(output, "{line}")?;
        }
        let tables = of_player.tables_beyond(people());
        let kings = Kings {
            white: Square::G1,
            black: Square::G8,
        };
        let maps = Role::ALL.map(|role| HeatMap::of(&tables, role, kings));
        if self.maps {
            write!(output, "\n{}", heat_maps(&maps, kings, style))?;
        }
        if let Some(path) = &self.out {
            output_file::refuse_input(path, [self.style.as_path()])?;
            output_file::write(path, heat_map_svg::svg(&maps, kings).as_bytes())?;
        }
        Ok(())
    }
}
