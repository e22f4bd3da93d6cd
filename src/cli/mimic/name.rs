//! `squarewise mimic name`: whose games some games are like.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::input::GameFiles;
use crate::styles;
use squarewise_desk::interrupt;
use squarewise_desk::mimic::naming::{Basis, LineUp, Traces};
use squarewise_desk::terminal::{counted, printable};
use squarewise_engine::style::Style;

/// How many players are told.
const TOLD: usize = 3;

/// Says whose games the games of a player are most like: by the openings, and by where the pieces
/// go from move 9 on.
#[derive(Debug, Args)]
pub struct Name {
    /// Styles among which the player is named, by their names or files: two or more, or all that
    /// have a name.
    #[arg(value_name = "NAME|FILE")]
    styles: Vec<PathBuf>,

    #[command(flatten)]
    files: GameFiles,

    /// The player: a surname, or the name as the games have it.
    #[arg(long, value_name = "NAME")]
    player: String,
}

impl Name {
    /// Runs it.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let stop = interrupt::stop_token()?;
        let named = self.styles.iter().map(|name| styles::read(name));
        let mut styles: Vec<Arc<Style>> = named.collect::<io::Result<_>>()?;
        if styles.is_empty() {
            // One of an earlier version in a folder of styles need not spoil the others, nor a second
            // one of the same player.
            let mut names = HashSet::new();
            let mut is_new = |style: &Style| names.insert(style.name.clone());
            styles = styles::all()
                .filter(|style| !style.seen.is_empty() && is_new(style))
                .collect();
        }
        if let Some(style) = styles.iter().find(|style| style.seen.is_empty()) {
            let name = &style.name;
            let reason = format!(
                "{name}: this style names nobody: it is of several people, or of an earlier version"
            );
            return Err(io::Error::other(reason));
        }
        let names: Vec<&str> = styles.iter().map(|style| style.name.as_str()).collect();
        if let Some(again) =
            (1..names.len()).find(|number| names[..*number].contains(&names[*number]))
        {
            return Err(io::Error::other(format!(
                "{}: this player is named twice",
                printable(names[again])
            )));
        }
        if styles.len() < 2 {
            return Err(io::Error::other(
                "it takes two styles to tell players apart",
            ));
        }
        let player = self.files.of_player(&self.player, &stop)?;
        write!(output, "{}", player.left_out)?;
        let (name, count) = (printable(&player.name), player.games.len());
        let games = counted(count, "game");
        writeln!(output, "{name}: {games}, most like those of")?;
        for basis in Basis::ALL {
            let mut line_up = LineUp::new(basis, &styles);
            let traces = player.games.iter().map(|game| line_up.traces(game));
            let traces: Vec<Traces> = traces.collect();
            writeln!(output, "  {}", basis.name())?;
            if traces.iter().all(Vec::is_empty) {
                writeln!(output, "    nobody: none of them has seen anything of it")?;
                continue;
            }
            let ranking = line_up.ranking(traces.iter());
            for (place, (number, behind)) in ranking.into_iter().take(TOLD).enumerate() {
                let style = &styles[number];
                write!(output, "    {}. {}", place + 1, printable(&style.name))?;
                if place > 0 {
                    let times = (-behind / count as f64).exp();
                    write!(
                        output,
                        ", each game {times:.2} times less likely on average"
                    )?;
                }
                writeln!(output)?;
            }
        }
        Ok(())
    }
}
