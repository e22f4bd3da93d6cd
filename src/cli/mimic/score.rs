//! `squarewise mimic score`: judges styles by games that they have not seen.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::input::GamesArguments;
use crate::styles;
use squarewise_desk::interrupt;
use squarewise_desk::mimic::fit::Searched;
use squarewise_desk::mimic::games::PlayerGame;
use squarewise_desk::mimic::lines::{LineFile, places};
use squarewise_desk::mimic::naming::{Basis, LineUp, Traces};
use squarewise_desk::mimic::score::{Foretold, Layer, Mean, agreement, by_layer, log_loss};
use squarewise_desk::terminal::{counted, printable};
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::style::{Stage, Style};

/// From how many games a player is named.
const NAMED_FROM: [usize; 4] = [1, 5, 20, 40];

/// Judges styles by games of their players that are later than those they were fitted to: how often
/// they name the move that was played, how surprised they are by it, and whether the player is
/// named right among all styles that are given.
#[derive(Debug, Args)]
pub struct Score {
    /// Styles: names of players such as Tal, or files.
    #[arg(value_name = "NAME|FILE", required = true)]
    styles: Vec<PathBuf>,

    #[command(flatten)]
    input: GamesArguments,

    /// The file of searched positions, which is made if there is none.
    #[arg(long, value_name = "FILE")]
    lines: PathBuf,

    /// The most games of each player, spread over all later ones.
    #[arg(long, value_name = "N", default_value_t = 100,
          value_parser = clap::value_parser!(u32).range(1..))]
    max_games: u32,
}

/// A style, and the games of its player that it is judged by.
struct Task {
    style: Arc<Style>,
    /// What was left out of the files, in lines.
    left_out: String,
    /// All later games, at least one.
    later: Vec<PlayerGame>,
}

/// What is known of a player's games.
struct Judged {
    foretold: Vec<Vec<Foretold>>,
    /// All later games.
    later: Vec<PlayerGame>,
}

impl Score {
    /// Runs it.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let stop = interrupt::stop_token()?;
        let styles = self.styles.iter().map(|name| styles::read(name));
        let mut styles: Vec<Arc<Style>> = styles.collect::<io::Result<_>>()?;
        // What is wrong is told before anything is searched or written.
        let people = self.input.people()?;
        // As in `mimic score *.style`: people in general are nobody who could be judged.
        let in_general = people.to_bytes();
        styles.retain(|style| style.to_bytes() != in_general);
        if styles.is_empty() {
            let reason = "people in general are no player who could be judged by later games";
            return Err(io::Error::other(reason));
        }
        let tasks = styles.iter().map(|style| self.task(style, &stop));
        let tasks: Vec<Task> = tasks.collect::<io::Result<_>>()?;
        let mut lines = LineFile::open(&self.lines, self.input.nodes)?;
        let mut judged = Vec::new();
        for task in tasks {
            judged.push(self.judge(task, &people, &mut lines, &stop, &mut output)?);
        }
        if styles.len() > 1 {
            write_together(&mut output, &judged)?;
            write_naming(&mut output, &styles, &judged)?;
        }
        Ok(())
    }

    /// Reads the games that a style is judged by.
    fn task(&self, style: &Arc<Style>, stop: &StopToken) -> io::Result<Task> {
        let read = self.input.files.of_player(&style.name, stop)?;
        let left_out = read.left_out.to_string();
        let later: Vec<PlayerGame> = read
            .games
            .into_iter()
            .filter(|game| game.date > style.until)
            .collect();
        if later.is_empty() {
            let (name, later) = (&style.name, later_than(&style.until));
            let reason = format!(
                "there are no games of {name} {later}: fit with --held-out, which keeps games of one date together"
            );
            return Err(io::Error::other(reason));
        }
        Ok(Task {
            style: Arc::clone(style),
            left_out,
            later,
        })
    }

    fn judge(
        &self,
        task: Task,
        people: &Style,
        lines: &mut LineFile,
        stop: &StopToken,
        output: &mut impl Write,
    ) -> io::Result<Judged> {
        let Task {
            style,
            left_out,
            later,
        } = task;
        write!(output, "{left_out}")?;
        let games = spread(&later, self.max_games as usize);
        let searched: Searched<'_> = games.iter().map(|game| (*game, places(game))).collect();
        let choices = self.input.choices(&searched, lines, stop)?;
        let foretold = Layer::ALL.map(|layer| by_layer(layer, &choices, &style, people));
        writeln!(
            output,
            "{}: {} of {} games {}, {} choices from move 9 on",
            printable(&style.name),
            games.len(),
            later.len(),
            later_than(&style.until),
            choices.len()
        )?;
        for (layer, foretold) in Layer::ALL.into_iter().zip(&foretold) {
            write_layer(output, layer, foretold)?;
        }
        Ok(Judged {
            foretold: foretold.to_vec(),
            later,
        })
    }
}

/// At most so many of the games, spread over all of them.
fn spread(games: &[PlayerGame], most: usize) -> Vec<&PlayerGame> {
    let count = most.min(games.len());
    let place = |number: usize| &games[number * games.len() / count];
    (0..count).map(place).collect()
}

fn write_layer(output: &mut impl Write, layer: Layer, foretold: &[Foretold]) -> io::Result<()> {
    let loss = log_loss(foretold, None);
    let all = agreement(foretold, None);
    write!(output, "  {:24} agreement {}", layer.name(), per_cent(all))?;
    for (stage, name) in Stage::NAMES.iter().enumerate() {
        write!(
            output,
            ", {name} {}",
            per_cent(agreement(foretold, Some(stage)))
        )?;
    }
    if layer != Layer::Search {
        write!(output, "; log loss {}", in_nats(loss, ""))?;
    }
    writeln!(output)
}

fn per_cent(mean: Mean) -> String {
    shown(mean, 100.0, 1, " %")
}

fn in_nats(mean: Mean, unit: &str) -> String {
    shown(mean, 1.0, 4, unit)
}

/// So many times a mean, with its error as far as that is known, so many digits behind the point
/// and the unit. A hyphen stands where there are no values.
fn shown(mean: Mean, factor: f64, digits: usize, unit: &str) -> String {
    if mean.count == 0 {
        return "-".to_owned();
    }
    let value = factor * mean.mean;
    let error = mean.error.map_or_else(String::new, |error| {
        format!(" +/- {:.digits$}", factor * error)
    });
    format!("{value:.digits$}{error}{unit}")
}

/// The means over the players, each counting the same, and what each layer adds to the one before.
fn write_together(output: &mut impl Write, judged: &[Judged]) -> io::Result<()> {
    writeln!(output, "All players, each counting the same:")?;
    for (place, layer) in Layer::ALL.into_iter().enumerate() {
        let means = judged
            .iter()
            .map(|judged| agreement(&judged.foretold[place], None));
        let mean = mean_of(means);
        write!(output, "  {:24} agreement {}", layer.name(), per_cent(mean))?;
        if place > 1 {
            let gains = judged
                .iter()
                .map(|judged| gain(&judged.foretold[place - 1..=place]));
            let gain = mean_of(gains);
            write!(output, "; gains {}", in_nats(gain, " nats"))?;
        }
        writeln!(output)?;
    }
    Ok(())
}

/// The mean of means that are independent, with its error if that of each is known. A mean of no
/// values doesn't count.
fn mean_of(means: impl Iterator<Item = Mean>) -> Mean {
    let means: Vec<Mean> = means.filter(|mean| mean.count > 0).collect();
    let count = means.len().max(1) as f64;
    let squares = means.iter().map(|mean| Some(mean.error?.powi(2)));
    let squares: Option<f64> = squares.sum();
    Mean {
        mean: means.iter().map(|mean| mean.mean).sum::<f64>() / count,
        error: squares.map(|sum| sum.sqrt() / count),
        count: means.iter().map(|mean| mean.count).sum(),
    }
}

/// By how much less the second is surprised than the first, move by move.
fn gain(pair: &[Vec<Foretold>]) -> Mean {
    let moves = pair[0].iter().zip(&pair[1]);
    Mean::of(moves.map(|(before, after)| (before.game, before.log_loss - after.log_loss)))
}

/// How often each player is named right from some of the later games.
fn write_naming(
    output: &mut impl Write,
    styles: &[Arc<Style>],
    judged: &[Judged],
) -> io::Result<()> {
    if let Some(style) = styles.iter().find(|style| style.seen.is_empty()) {
        let name = printable(&style.name);
        return writeln!(
            output,
            "Nobody is named: the style of {name} is of several people, or of an earlier version."
        );
    }
    for basis in Basis::ALL {
        let (count, what) = (styles.len(), basis.name());
        writeln!(output, "Named right among {count} {what}, in per cent:")?;
        let mut line_up = LineUp::new(basis, styles);
        let traces = judged.iter().map(|judged| {
            let games = judged.later.iter();
            games.map(|game| line_up.traces(game)).collect()
        });
        let traces: Vec<Vec<Traces>> = traces.collect();
        for count in NAMED_FROM {
            let players = || traces.iter().enumerate();
            let shares = players().map(|(player, games)| line_up.share_named(games, player, count));
            let shares: Vec<Option<f64>> = shares.collect();
            let next = players().filter(|(player, games)| {
                games.len() >= count && line_up.named(games.iter().take(count)) == Some(*player)
            });
            write_named(output, count, &shares, next.count())?;
        }
    }
    Ok(())
}

/// Writes how often each player is named right from so many games, the mean of all who played as
/// many, and how many are named right from the `next` games after those of their styles.
fn write_named(
    output: &mut impl Write,
    count: usize,
    shares: &[Option<f64>],
    next: usize,
) -> io::Result<()> {
    let known: Vec<f64> = shares.iter().flatten().copied().collect();
    if known.is_empty() {
        return Ok(());
    }
    let players = known.len();
    let mean = 100.0 * known.iter().sum::<f64>() / players as f64;
    let text = |share: &Option<f64>| match share {
        Some(share) => format!("{:.0}", 100.0 * share),
        None => "-".to_owned(),
    };
    let each = shares.iter().map(text).collect::<Vec<_>>().join(", ");
    let games = counted(count, "game");
    writeln!(
        output,
        "  from {games}: {mean:.1} ({each}); from the next {count}: {next} of {players}"
    )
}

/// The games that a style is judged by, in words: those with a later date than any that it was
/// fitted to.
fn later_than(until: &str) -> String {
    match until {
        "" => "with a date".to_owned(),
        date => format!("after {date}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_shown_where_there_are_two_games_and_a_mean_where_there_are_values() {
        let of_two_games = Mean::of([(0, 0.0), (1, 1.0)]);
        let of_one = Mean::of([(0, 1.0), (0, 1.0)]);
        let of_none = Mean::of([]);
        assert_eq!(per_cent(of_two_games), "50.0 +/- 50.0 %");
        assert_eq!(per_cent(of_one), "100.0 %");
        assert_eq!(per_cent(of_none), "-");
        assert_eq!(in_nats(of_two_games, " nats"), "0.5000 +/- 0.5000 nats");
        // Who has made no choice is no part of the mean of all.
        let of_all = |means: &[Mean]| per_cent(mean_of(means.iter().copied()));
        assert_eq!(of_all(&[of_two_games, of_none]), "50.0 +/- 50.0 %");
        assert_eq!(of_all(&[of_two_games, of_two_games]), "50.0 +/- 35.4 %");
        assert_eq!(of_all(&[of_two_games, of_one]), "75.0 %");
        assert_eq!(of_all(&[of_none]), "-");
    }
}
