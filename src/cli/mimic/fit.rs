//! `squarewise mimic fit`: fits the style of a player to games.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::input::GamesArguments;
use squarewise_desk::interrupt;
use squarewise_desk::mimic::fit::{Origin, sample, style};
use squarewise_desk::mimic::games::PlayerGame;
use squarewise_desk::mimic::lines::LineFile;
use squarewise_desk::output_file::{self, OutputFile};
use squarewise_desk::process::unless_closed;
use squarewise_desk::terminal::{counted, printable};
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
        if self.player.len() > 1 && self.input.names_people() {
            let reason = "--people is for the style of one player; several make people in general";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        let lines = self.lines.clone();
        let lines = lines.unwrap_or_else(|| self.out.with_added_extension("lines"));
        let inputs = self.input.paths();
        for path in [&self.out, &lines] {
            output_file::refuse_input(path, inputs.iter().map(PathBuf::as_path))?;
        }
        output_file::refuse_same(("--out", Some(&self.out)), ("--lines", Some(&lines)))?;
        let people = self.input.people()?;
        let mut file = OutputFile::create(&self.out)?;
        let players = self.players(&stop)?;
        let mut lines = LineFile::open(&lines, self.input.nodes)?;
        let (mut games, mut all_choices, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for player in players {
            let Player {
                name,
                left_out,
                kept,
                later,
            } = player;
            unless_closed(write!(output, "{left_out}"))?;
            let searched = sample(&kept, self.positions as usize);
            let choices = self.input.choices(&searched, &mut lines, &stop)?;
            let until = match kept.last().map(|game| game.date.as_str()) {
                None | Some("") => String::new(),
                Some(date) => format!(" until {date}"),
            };
            unless_closed(writeln!(
                output,
                "{}: {}{until}, {} choices; held out: {}",
                printable(&name),
                counted(kept.len(), "game"),
                choices.len(),
                counted(later.len(), "game"),
            ))?;
            names.push(name);
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
    fn players(&self, stop: &StopToken) -> io::Result<Vec<Player>> {
        let mut players: Vec<Player> = Vec::new();
        for player in &self.player {
            let read = self.input.files.of_player(player, stop)?;
            let (name, left_out) = (read.name.clone(), read.left_out.to_string());
            if players.iter().any(|other| other.name == name) {
                return Err(io::Error::other(format!("{name} is named twice")));
            }
            let (kept, later) = read.split(self.held_out);
            if kept.is_empty() {
                let reason =
                    format!("{name}: no game is left to fit to; --held-out keeps them all");
                return Err(io::Error::other(reason));
            }
            if later.is_empty() && self.held_out > 0 {
                let name = printable(&name);
                tracing::warn!(
                    "{name}: no game is held out, since games of one date stay together"
                );
            }
            players.push(Player {
                name,
                left_out,
                kept,
                later,
            });
        }
        Ok(players)
    }
}

/// A player's games.
struct Player {
    name: String,
    /// What was left out, in lines.
    left_out: String,
    /// Those to fit to.
    kept: Vec<PlayerGame>,
    /// Those that are held out.
    later: Vec<PlayerGame>,
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
            "  {name}: {} moves, {:.1} % are none of the eight best or lose more than 50 centipawns, the others {:.1} on average",
            stage.moves,
            100.0 * stage.error_rate(),
            f64::from(stage.loss) / kept,
        )?;
    }
    Ok(())
}
