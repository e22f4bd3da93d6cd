//! `squarewise-lab match`: lets two sets of tables play each other.
//!
//! The games are played by [`squarewise_lab::table_match`].

use std::io::Write;

use clap::Args;

use super::playing::Playing;
use squarewise_desk::interrupt;
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::progress::progress_bar;
use squarewise_desk::terminal::counted;
use squarewise_engine::evaluation::TableSet;
use squarewise_lab::table_match::{self, Measured, Plan, Tally};

/// Lets two sets of tables play each other: pairs of games, each pair from one opening with colors
/// exchanged. Tells the Elo difference, draws, and White's score, with 95 % intervals.
#[derive(Debug, Args)]
pub struct TableMatch {
    /// The number of pairs of games. Tables against themselves play one game of each pair: the
    /// other would be the same.
    #[arg(long, value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,

    /// Nodes for each move.
    #[arg(long, value_name = "N", default_value_t = 10_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    #[command(flatten)]
    playing: Playing,

    /// The tables of the first player: the name of a shipped set or of a variant, zero, or a file.
    #[arg(long, value_name = "TABLES", default_value = TableSet::default().name())]
    tables: NamedTables,

    /// The tables of the second player.
    #[arg(long, value_name = "TABLES", default_value = TableSet::default().name())]
    against: NamedTables,
}

impl TableMatch {
    pub fn run(&self, mut output: impl Write) -> anyhow::Result<()> {
        let openings = self.playing.openings()?;
        let stop = interrupt::stop_token()?;
        let plan = Plan {
            pairs: self.pairs,
            nodes: self.nodes,
            seed: self.playing.seed,
            threads: self.playing.threads(),
            players: [&self.tables, &self.against].map(|named| self.playing.tables(named)),
            stop: stop.clone(),
            openings,
        };
        let bar = progress_bar(u64::from(self.pairs), "{pos}/{len} pairs")?;
        let tally = table_match::run(&plan, &mut |tally| {
            bar.inc(1);
            bar.set_message(elo_in_words(tally));
        })?;
        bar.finish();
        let was_interrupted = stop.is_requested() && tally.count() < self.pairs;
        anyhow::ensure!(!was_interrupted || tally.count() > 0, "interrupted");
        let percent = |Measured { value, error }| {
            if error.is_finite() {
                format!("{:.1} % +/- {:.1}", 100.0 * value, 100.0 * error)
            } else {
                format!("{:.1} %", 100.0 * value)
            }
        };
        // Tables against themselves play each opening once.
        let plays_itself = plan.players[0] == plan.players[1];
        let [won, drawn, lost] = (tally.white).map(|count| count / (1 + u32::from(plays_itself)));
        writeln!(
            output,
            "{} in {}; pairs with 0 to 2 points {:?}\n\
             White won {won}, drew {drawn}, lost {lost}: scores {}, draws {}",
            elo_in_words(&tally),
            counted((won + drawn + lost) as usize, "game"),
            tally.pairs,
            percent(tally.white_score()),
            percent(tally.draws()),
        )?;
        anyhow::ensure!(
            !was_interrupted,
            "interrupted after {} of {} pairs; the figures are of those",
            tally.count(),
            self.pairs
        );
        Ok(())
    }
}

fn elo_in_words(tally: &Tally) -> String {
    let Measured { value, error } = tally.elo();
    // Nothing below zero that rounds to it.
    let value = if value.abs() < 0.5 { 0.0 } else { value };
    if value.is_finite() && error.is_infinite() {
        format!("{value:+.0} Elo from a single pair")
    } else if value.is_finite() {
        format!("{value:+.0} +/- {error:.0} Elo")
    } else if value > 0.0 {
        "all points won: no finite Elo difference".to_owned()
    } else {
        "no points won: no finite Elo difference".to_owned()
    }
}
