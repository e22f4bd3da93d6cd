//! What fitting and judging read: games, and the lines that were found in them.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::styles;
use squarewise_desk::mimic::choices::Choice;
use squarewise_desk::mimic::fit::{Searched, searched_choices};
use squarewise_desk::mimic::games::PlayerGames;
use squarewise_desk::mimic::lines::LineFile;
use squarewise_desk::mimic::people;
use squarewise_desk::progress::progress_bar;
use squarewise_engine::bounded_file;
use squarewise_engine::search::MAX_THREADS;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::style::Style;

/// The games.
#[derive(Debug, Args)]
pub struct GameFiles {
    /// Files of games in PGN.
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pub games: Vec<PathBuf>,
}

impl GameFiles {
    /// The games of a player, from all files together.
    pub fn of_player(&self, player: &str, stop: &StopToken) -> io::Result<PlayerGames> {
        let files = self.games.iter().map(|path| {
            let file = bounded_file::open(path).map_err(|error| named(path, error))?;
            Ok((path.display().to_string(), file))
        });
        PlayerGames::read(files, player, stop)
    }
}

/// The games, and how their positions are searched.
#[derive(Debug, Args)]
pub struct GamesArguments {
    #[command(flatten)]
    pub files: GameFiles,

    /// A style of people in general, as a fit to several players gives it, instead of the one that
    /// ships: what a player's style is pulled towards, and compared with.
    #[arg(long, value_name = "FILE.style")]
    people: Option<PathBuf>,

    /// Nodes for each position.
    #[arg(long, value_name = "N", default_value_t = 50_000,
          value_parser = clap::value_parser!(u64).range(1_000..))]
    pub nodes: u64,

    /// Search threads, each with positions of its own.
    #[arg(long, value_name = "T", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    pub threads: u16,
}

impl GamesArguments {
    /// The files that are read.
    pub fn paths(&self) -> Vec<PathBuf> {
        let people = self.people.iter().map(|name| styles::path_of(name));
        self.files.games.iter().cloned().chain(people).collect()
    }

    /// Whether a style of people in general is named.
    pub fn names_people(&self) -> bool {
        self.people.is_some()
    }

    /// People in general.
    pub fn people(&self) -> io::Result<Arc<Style>> {
        let shipped = || Ok(Arc::new(people().clone()));
        self.people.as_deref().map_or_else(shipped, styles::read)
    }

    /// Searches positions, as far as the file of lines doesn't have them.
    pub fn choices(
        &self,
        searched: &Searched<'_>,
        lines: &mut LineFile,
        stop: &StopToken,
    ) -> io::Result<Vec<Choice>> {
        let bar = progress_bar(searched.len() as u64, "{pos} of {len} games")?;
        let mut on_game = |done: usize| bar.set_position(done as u64);
        let threads = self.threads.into();
        let choices = searched_choices(searched, lines, threads, stop, &mut on_game);
        bar.finish_and_clear();
        choices
    }
}

fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
