//! `squarewise-lab spsa` and `spsa-inputs`: tunes the parameters of the search by games, and hands
//! them to OpenBench. Only with the feature `tuning`.
//!
//! The method is in [`squarewise_lab::spsa`].

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::playing::Playing;
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::progress::progress_bar;
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::search::parameters::{ALL, needs_a_clock};
use squarewise_lab::spsa::{self, Plan, State, input_line};

/// Tunes the parameters of the search by games (SPSA): two sets of values, a little to either side
/// of the current one, play each other, and the current one moves towards the winner. A run that
/// was stopped is resumed if it is started again with the same settings; the numbers of pairs and
/// threads may differ. Only a run on one thread can be repeated exactly.
#[derive(Debug, Args)]
pub struct Spsa {
    /// The number of pairs of games in all.
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,

    /// Nodes for each move.
    #[arg(long, value_name = "N", default_value_t = 8_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// The file to write the values to.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    #[command(flatten)]
    playing: Playing,

    /// The tables to play with: the name of a shipped set or of a variant, zero, or a
    /// file.
    #[arg(long, value_name = "TABLES", default_value = TableSet::default().name())]
    tables: NamedTables,

    /// The step for each game won at the end of the run, in per mille of the perturbation, which is
    /// half of the distance between the two sets; with 0 no value changes, and the run only
    /// measures.
    #[arg(long, value_name = "PER MILLE", default_value_t = 6,
          value_parser = clap::value_parser!(u16).range(0..=1_000))]
    step: u16,

    /// The parameters to tune, by name. Without a name, all but those of time management: games
    /// with a fixed number of nodes say nothing about them.
    #[arg(value_name = "NAME", value_parser = tunable_index)]
    names: Vec<usize>,
}

/// The place of a parameter among all of them, by its name.
fn parameter_index(name: &str) -> Result<usize, String> {
    ALL.iter()
        .position(|parameter| parameter.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("no parameter of the search is called '{name}'"))
}

/// The same, for a parameter that games with a fixed number of nodes can tune.
fn tunable_index(name: &str) -> Result<usize, String> {
    let index = parameter_index(name)?;
    if needs_a_clock(ALL[index]) {
        return Err(format!(
            "{} changes nothing in games with a fixed number of nodes",
            ALL[index].name
        ));
    }
    Ok(index)
}

impl Spsa {
    pub fn run(&self, mut output: impl Write) -> anyhow::Result<()> {
        let openings = self.playing.openings()?;
        let plan = Plan {
            pairs: self.pairs,
            nodes: self.nodes,
            seed: self.playing.seed,
            threads: self.playing.threads(),
            tables: self.playing.tables(&self.tables),
            openings,
            step_per_mille: self.step,
            tuned: (0..ALL.len())
                .map(|index| match self.names.as_slice() {
                    [] => !needs_a_clock(ALL[index]),
                    names => names.contains(&index),
                })
                .collect(),
        };
        let bar = progress_bar(u64::from(self.pairs), "{pos}/{len} pairs")?;
        let mut progress = |state: &State| bar.set_position(u64::from(state.pairs));
        let state = spsa::run(&plan, &self.out, &mut progress)?;
        bar.finish();
        for (index, parameter) in ALL
            .iter()
            .enumerate()
            .filter(|(index, _)| plan.tuned[*index])
        {
            let (gain, error) = state.gain(index);
            writeln!(
                output,
                "{} = {:.0}, before {}; a higher value gains {gain:+.0} +/- {error:.0} Elo",
                parameter.name, state.values[index], parameter.default
            )?;
        }
        Ok(())
    }
}

/// Writes the parameters of the search for OpenBench's form Create Tune, one a line: name, type,
/// value, least and greatest value, C_end and R_end.
#[derive(Debug, Args)]
pub struct SpsaInputs {
    /// The parameters to write, by name; all of them if none is named.
    #[arg(value_name = "NAME", value_parser = parameter_index)]
    names: Vec<usize>,
}

impl SpsaInputs {
    pub fn run(&self, mut output: impl Write) -> anyhow::Result<()> {
        let is_wanted = |index: &usize| self.names.is_empty() || self.names.contains(index);
        for parameter in (0..ALL.len()).filter(is_wanted).map(|index| ALL[index]) {
            writeln!(output, "{}", input_line(parameter))?;
        }
        Ok(())
    }
}
