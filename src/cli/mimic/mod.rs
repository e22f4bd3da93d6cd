//! `squarewise mimic`: the style of a player, fitted to games, judged by others, and shown; and
//! whose games some games are like.

mod fit;
mod input;
mod name;
mod score;
mod show;

use std::io::{self, Write};

use clap::{Args, Subcommand};

use squarewise_desk::terminal::Style;

/// Learns to play like a certain player: fits a style to games, judges it by games that it has not
/// seen, and shows it. The option PlayerStyle and `play --style` play by it.
#[derive(Debug, Args)]
pub struct Mimic {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Fit the style of a player to games.
    Fit(fit::Fit),
    /// Say whose games some games are like.
    Name(name::Name),
    /// Judge styles by games that they have not seen.
    Score(score::Score),
    /// Show a style: the openings, what the player likes, and where the pieces like to stand.
    Show(show::Show),
}

impl Mimic {
    /// Runs it.
    pub fn run(&self, output: impl Write, style: Style) -> io::Result<()> {
        match &self.task {
            Task::Fit(fit) => fit.run(output),
            Task::Name(name) => name.run(output),
            Task::Score(score) => score.run(output),
            Task::Show(show) => show.run(output, style),
        }
    }
}
