//! `squarewise-lab endings`: counts distances to mate in endings of three and four men from the
//! rules, and fits the tables of these endings to them.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use squarewise_desk::output_file;
use squarewise_desk::process::unless_closed;
use squarewise_engine::evaluation::endings::{Ending, EndingTables};
use squarewise_lab::endings::fit::fit;
use squarewise_lab::endings::retrograde::Endings;
use squarewise_lab::game_file;

/// Fits the tables of endings to distances to mate, which are counted from the rules.
#[derive(Debug, Args)]
pub struct FitEndings {
    /// The file to write the tables to.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl FitEndings {
    pub fn run(&self, mut output: impl Write) -> anyhow::Result<()> {
        game_file::refuse_to_replace(&self.out, |_| false)?;
        output_file::check(&self.out)?;
        let mut endings = Endings::default();
        let mut tables = EndingTables::zero();
        for ending in Ending::all().filter(|ending| ending.has_tables()) {
            endings.count(ending);
            let visits = endings.visits(ending);
            // If both sides have the same men, the side to move is the strong one.
            let turns: &[bool] = if ending.is_even() {
                &[true]
            } else {
                &[true, false]
            };
            for is_strong_turn in turns.iter().copied() {
                let scores = tables.scores_mut(ending, is_strong_turn);
                let fitted = fit((&endings, &visits), ending, is_strong_turn, scores.len());
                scores.copy_from_slice(&fitted.scores);
                let side = if is_strong_turn { "strong" } else { "weak" };
                unless_closed(writeln!(
                    output,
                    "{} with the {side} side to move: {} positions, standard deviation {:.0} cp, \
                     error {:.0} cp",
                    ending.name(),
                    fitted.positions,
                    fitted.spread,
                    fitted.error,
                ))?;
            }
        }
        output_file::write(&self.out, &tables.to_bytes())?;
        Ok(())
    }
}
