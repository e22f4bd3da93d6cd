//! `squarewise mimic score`: judges styles by games that they have not seen.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::input::GamesArguments;
use crate::styles;
use squarewise_desk::interrupt;
use squarewise_desk::mimic::choices::Choice;
use squarewise_desk::mimic::fit::Searched;
use squarewise_desk::mimic::games::PlayerGame;
use squarewise_desk::mimic::lines::{LineFile, places};
use squarewise_desk::mimic::naming::{Evidence, of_opening, share_named};
use squarewise_desk::mimic::score::{Foretold, Layer, Mean, agreement, by_layer, log_loss};
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::style::{Stage, Style};

/// From how many games a player is named.
const NAMED_FROM: [usize; 4] = [1, 5, 20, 40];

/// Judges styles by games of their players that are later than those they were fitted to: how often
/// they name the move that was played, how surprised they are by it, and whether the player is
/// named right among all styles that are given.
#[derive(Debug, Args)]
pub struct Score {
    /// Style files.
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

/// What is known of a player's games.
struct Judged {
    foretold: Vec<Vec<Foretold>>,
    /// For each game the evidence for all styles: of the openings of all later games, and of the
    /// choices in those that were searched.
    evidence: [Vec<Evidence>; 2],
}

impl Score {
    /// Runs it.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let stop = interrupt::stop_token()?;
        let styles = self.styles.iter().map(|name| styles::read(name));
        let styles: Vec<Arc<Style>> = styles.collect::<io::Result<_>>()?;
        let mut lines = LineFile::open(&self.lines, self.input.nodes)?;
        let mut judged = Vec::new();
        for style in &styles {
            judged.push(self.judge(style, &styles, &mut lines, &stop, &mut output)?);
        }
        if styles.len() > 1 {
            write_together(&mut output, &judged)?;
            write_naming(&mut output, &styles, &judged)?;
        }
        Ok(())
    }

    fn judge(
        &self,
        style: &Style,
        styles: &[Arc<Style>],
        lines: &mut LineFile,
        stop: &StopToken,
        output: &mut impl Write,
    ) -> io::Result<Judged> {
        let read = self.input.of_player(&style.name, stop)?;
        let later: Vec<PlayerGame> = read
            .games
            .into_iter()
            .filter(|game| game.date > style.until)
            .collect();
        if later.is_empty() {
            let reason = format!(
                "there are no games of {} after {}: fit with --held-out",
                style.name, style.until
            );
            return Err(io::Error::other(reason));
        }
        let games = spread(&later, self.max_games as usize);
        let searched: Searched<'_> = games.iter().map(|game| (*game, places(game))).collect();
        let choices = self.input.choices(&searched, lines, stop)?;
        let people = self.input.people()?;
        let foretold = Layer::ALL.map(|layer| by_layer(layer, &choices, style, &people));
        writeln!(
            output,
            "{}: {} of {} games after {}, {} choices from move 9 on",
            style.name,
            games.len(),
            later.len(),
            style.until,
            choices.len()
        )?;
        for (layer, foretold) in Layer::ALL.into_iter().zip(&foretold) {
            write_layer(output, layer, foretold)?;
        }
        Ok(Judged {
            foretold: foretold.to_vec(),
            evidence: [
                later.iter().map(|game| of_opening(game, styles)).collect(),
                of_choices(games.len(), &choices, styles, &people),
            ],
        })
    }
}

/// At most so many of the games, spread over all of them.
fn spread(games: &[PlayerGame], most: usize) -> Vec<&PlayerGame> {
    let count = most.min(games.len());
    let place = |number: usize| &games[number * games.len() / count];
    (0..count).map(place).collect()
}

/// The evidence for each style from the choices in each of so many games.
fn of_choices(
    games: usize,
    choices: &[Choice],
    styles: &[Arc<Style>],
    people: &Style,
) -> Vec<Evidence> {
    let mut evidence: Vec<Evidence> = vec![vec![0.0; styles.len()]; games];
    for (place, style) in styles.iter().enumerate() {
        for foretold in by_layer(Layer::Tables, choices, style, people) {
            evidence[foretold.game][place] -= foretold.log_loss;
        }
    }
    evidence
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
        write!(output, "; log loss {:.4} +/- {:.4}", loss.mean, loss.error)?;
    }
    writeln!(output)
}

fn per_cent(mean: Mean) -> String {
    format!("{:.1} +/- {:.1} %", 100.0 * mean.mean, 100.0 * mean.error)
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
            write!(
                output,
                "; gains {:.4} +/- {:.4} nats",
                gain.mean, gain.error
            )?;
        }
        writeln!(output)?;
    }
    Ok(())
}

/// The mean of means that are independent, with its error.
fn mean_of(means: impl Iterator<Item = Mean>) -> Mean {
    let means: Vec<Mean> = means.collect();
    let count = means.len().max(1) as f64;
    Mean {
        mean: means.iter().map(|mean| mean.mean).sum::<f64>() / count,
        error: means
            .iter()
            .map(|mean| mean.error * mean.error)
            .sum::<f64>()
            .sqrt()
            / count,
        count: means.iter().map(|mean| mean.count).sum(),
    }
}

/// By how much less the second is surprised than the first, move by move.
fn gain(pair: &[Vec<Foretold>]) -> Mean {
    let moves = pair[0].iter().zip(&pair[1]);
    Mean::of(moves.map(|(before, after)| (before.game, before.log_loss - after.log_loss)))
}

fn write_naming(
    output: &mut impl Write,
    styles: &[Arc<Style>],
    judged: &[Judged],
) -> io::Result<()> {
    for (place, what) in ["by openings", "by moves from the ninth on"]
        .iter()
        .enumerate()
    {
        writeln!(
            output,
            "Named right among {} {what}, in per cent:",
            styles.len()
        )?;
        for count in NAMED_FROM {
            let shares = judged
                .iter()
                .enumerate()
                .map(|(player, judged)| share_named(&judged.evidence[place], player, count));
            let shares: Vec<Option<f64>> = shares.collect();
            let known: Vec<f64> = shares.iter().flatten().copied().collect();
            if known.is_empty() {
                continue;
            }
            let mean = 100.0 * known.iter().sum::<f64>() / known.len() as f64;
            write!(output, "  from {count} games: {mean:.1} (")?;
            for (number, share) in shares.iter().enumerate() {
                let comma = if number == 0 { "" } else { ", " };
                match share {
                    Some(share) => write!(output, "{comma}{:.0}", 100.0 * share)?,
                    None => write!(output, "{comma}-")?,
                }
            }
            writeln!(output, ")")?;
        }
    }
    Ok(())
}
