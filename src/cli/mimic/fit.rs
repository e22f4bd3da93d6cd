//! `squarewise mimic fit`: fits the style of a player to games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::input::GamesArguments;
use squarewise_desk::interrupt;
use squarewise_desk::mimic::fit::{Origin, sample, style};
use squarewise_desk::mimic::games::PlayerGames;
use squarewise_desk::mimic::lines::LineFile;
use squarewise_desk::output_file::{self, OutputFile};
use squarewise_desk::terminal::counted;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::style::{Stage, Style};

/// Fits the style of a player: the openings, the choice among nearly equal moves, and what the
/// player's tables would say that the engine's don't. Positions that were searched are kept beside
/// the style, in a file that ends in .lines: a run that was interrupted goes on from there.
#[derive(Debug, Args)]
pub struct Fit {
    #[command(flatten)]
    input: GamesArguments,

    /// The player: a surname, or the name as the games have it. Several players together give
    /// people in general, without openings.
    #[arg(long, value_name = "NAME", required = true)]
    player: Vec<String>,

    /// The file to write.
    #[arg(long, value_name = "FILE.style")]
    out: PathBuf,

    /// Positions to search, of each player. They are spread over all games.
    #[arg(long, value_name = "N", default_value_t = 20_000,
          value_parser = clap::value_parser!(u32).range(1..))]
    positions: u32,

    /// Leave out the latest games, so many in a hundred: `mimic score` judges by them.
    #[arg(long, value_name = "PERCENT", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=90))]
    held_out: u32,

    /// The file of searched positions, if not the one beside the style.
    #[arg(long, value_name = "FILE")]
    lines: Option<PathBuf>,
}

impl Fit {
    /// Runs it.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let stop = interrupt::stop_token()?;
        let lines = self.lines.clone();
        let lines = lines.unwrap_or_else(|| self.out.with_added_extension("lines"));
        output_file::refuse_input(&self.out, self.input.paths())?;
        output_file::refuse_input(&lines, self.input.paths())?;
        output_file::refuse_same(("--out", Some(&self.out)), ("--lines", Some(&lines)))?;
        let people = self.input.people()?;
        let mut file = OutputFile::create(&self.out)?;
        let players = self.players(&stop)?;
        let mut lines = LineFile::open(&lines, self.input.nodes)?;
        let (mut games, mut all_choices, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for read in players {
            unless_closed(write!(output, "{}", read.left_out))?;
            let name = read.name.clone();
            names.push(name.clone());
            let (kept, later) = read.split(self.held_out);
            if kept.is_empty() {
                return Err(io::Error::other(format!(
                    "{}: no game is left to fit to; --held-out keeps all of them",
                    name
                )));
            }
            let searched = sample(&kept, self.positions as usize);
            let choices = self.input.choices(&searched, &mut lines, &stop)?;
            let until = match kept.last().map(|game| game.date.as_str()) {
                None | Some("") => String::new(),
                Some(date) => format!(" until {date}"),
            };
            unless_closed(writeln!(
                output,
                "{name}: {}{until}, {} choices; held out: {}",
                counted(kept.len(), "game"),
                choices.len(),
                counted(later.len(), "game"),
            ))?;
            all_choices.extend(choices);
            games.extend(kept);
        }
        let is_one = names.len() == 1;
        let origin = Origin {
            name: if is_one {
                names[0].clone()
            } else {
                "people".to_owned()
            },
            provenance: format!(
                "{} of {}, {} choices at {} nodes",
                counted(games.len(), "game"),
                names.join("; "),
                all_choices.len(),
                self.input.nodes
            ),
        };
        let style = style(origin, &games, &all_choices, is_one.then_some(&*people));
        file.write_all(&style.to_bytes())?;
        file.finish()?;
        write_summary(&mut output, &self.out, &style)
    }

    /// The games of all players, before anything is searched.
    fn players(&self, stop: &StopToken) -> io::Result<Vec<PlayerGames>> {
        let mut players: Vec<PlayerGames> = Vec::new();
        for player in &self.player {
            let read = self.input.files.of_player(player, stop)?;
            if players.iter().any(|other| other.name == read.name) {
                let reason = format!("{} is named twice", read.name);
                return Err(io::Error::other(reason));
            }
            players.push(read);
        }
        Ok(players)
    }
}

/// The result of writing to an output that nobody need read, such as that of `| head`: the style
/// is what counts.
fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn write_summary(output: &mut impl Write, path: &Path, style: &Style) -> io::Result<()> {
    let book = style.book.as_ref().map_or(0, |book| book.len());
    writeln!(output, "{}: {book} opening moves", path.display())?;
    for (name, stage) in Stage::NAMES.iter().zip(style.stages) {
        if stage.moves == 0 {
            writeln!(output, "  {name}: no moves")?;
            continue;
        }
        let kept = f64::from((stage.moves - stage.errors).max(1));
        writeln!(
            output,
            "  {name}: {} moves, {:.1} % lose more than 50 centipawns, the others {:.1} on average",
            stage.moves,
            100.0 * stage.error_rate(),
            f64::from(stage.loss) / kept,
        )?;
    }
    Ok(())
}
