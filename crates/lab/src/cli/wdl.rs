//! `squarewise-lab wdl`: fits the WDL model to games and compares its predictions with results.
//!
//! The fit itself is in [`squarewise_lab::wdl_fit`], the comparison in
//! [`squarewise_lab::calibration`].

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;

use squarewise_desk::terminal::printable;
use squarewise_engine::wdl::{KNOTS, WdlModel, WinCurve};
use squarewise_lab::calibration::{Bin, PARTS, calibrate, check_number, cross_validate};
use squarewise_lab::game_file::{self, TrainingGame};
use squarewise_lab::{selfplay, wdl_fit};

/// The largest standard error of a share, in percentage points, with which the last line counts a
/// bin.
const MAX_ERROR: f64 = 1.5;

/// Fits the WDL model to self-play games and shows how well it predicts results.
#[derive(Debug, Args)]
pub struct FitWdl {
    /// Files of games to fit the model to, written by `selfplay --whole-games`. Without them the
    /// model of the engine is checked.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "check")]
    data: Vec<PathBuf>,

    /// Files of other games to check its predictions with. Without them the games of --data are
    /// dealt into ten parts, and each is predicted by a model fitted to the others
    /// (cross-validation).
    #[arg(long, value_name = "FILE", num_args = 1..)]
    check: Vec<PathBuf>,
}

impl FitWdl {
    pub fn run(&self, mut output: impl Write) -> anyhow::Result<()> {
        let (data, fitted_to) = read(&self.data, "fitted to")?;
        let (check, checked_with) = read(&self.check, "checked with")?;
        if self.check.is_empty() {
            check_number(data.len())?;
        }
        anyhow::ensure!(
            self.check.is_empty() || !check.is_empty(),
            "there are no games to check the model with"
        );
        write!(output, "{fitted_to}{checked_with}")?;
        let model = if self.data.is_empty() {
            WdlModel::FITTED
        } else {
            wdl_fit::fit(&data)?
        };
        write_model(&model, &mut output)?;
        let bins = if self.check.is_empty() {
            writeln!(output, "cross-validation in {PARTS} parts:")?;
            cross_validate(&data).context("in the cross-validation, without a part of the games")?
        } else {
            calibrate(&model, &check)
        };
        write_bins(&bins, &mut output)?;
        Ok(())
    }
}

/// Reads files of games. Returns them with a line about each file.
fn read(paths: &[PathBuf], purpose: &str) -> anyhow::Result<(Vec<TrainingGame>, String)> {
    let (mut games, mut lines) = (Vec::new(), String::new());
    for path in paths {
        let (description, mut more) = game_file::read(path)?;
        let positions: usize = more.iter().map(|game| game.positions.len()).sum();
        let count = more.len();
        lines += &format!(
            "{purpose} {count} games, {positions} positions: {}\n",
            printable(&description)
        );
        refuse_other_endings(path, &description)?;
        if !description.ends_with(selfplay::WHOLE_GAMES) {
            tracing::warn!(
                "{}: adjudicated games with only quiet positions; play them with selfplay --whole-games",
                path.display()
            );
        }
        games.append(&mut more);
    }
    Ok((games, lines))
}

/// Refuses the games of a variant with other endings than chess, by the description of their file.
pub(super) fn refuse_other_endings(path: &Path, description: &str) -> anyhow::Result<()> {
    let variant = selfplay::variant_of(description);
    anyhow::ensure!(
        variant.has_endgames_of_chess(),
        "{}: games of {variant}, whose endings are not those of chess",
        path.display()
    );
    Ok(())
}

/// Writes the numbers of the model.
fn write_model(model: &WdlModel, output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "material      a      b      p  even chance to win at"
    )?;
    for (material, curve) in KNOTS.into_iter().zip(model.0) {
        let (WinCurve { a, b, p }, even) = (curve, curve.even_score());
        writeln!(
            output,
            "{material:8}  {a:5.3}  {b:5.3}  {p:5.3}  {even:18.0} cp"
        )?;
    }
    Ok(())
}

/// Writes the comparison, a line for each bin, and the largest difference.
fn write_bins(bins: &[Bin], output: &mut impl Write) -> io::Result<()> {
    writeln!(
        output,
        "per cent predicted / observed, difference and its standard error in percentage points:"
    )?;
    writeln!(
        output,
        "material     score   games positions  {:^25}  {:^25}  {:^25}",
        "win", "draw", "loss"
    )?;
    for bin in bins {
        let shares = bin.shares.map(|share| {
            let (predicted, observed) = (share.predicted, share.observed);
            let difference = observed - predicted;
            format!(
                "{predicted:5.1} /{observed:5.1} {difference:+5.1} ± {:3.1}",
                share.error
            )
        });
        writeln!(
            output,
            "{:>8}  {:>8}  {:6} {:9}  {}",
            shown(&bin.material),
            shown(&bin.centipawns),
            bin.games,
            bin.positions,
            shares.join("  ")
        )?;
    }
    let judged = bins.iter().filter(|bin| bin.largest_error() <= MAX_ERROR);
    let differences = judged.clone().map(Bin::largest_difference);
    let Some(largest) = differences.reduce(f64::max) else {
        return writeln!(
            output,
            "none of {} bins has standard errors of at most {MAX_ERROR:.1} points: more games are needed",
            bins.len()
        );
    };
    writeln!(
        output,
        "largest difference {largest:.1} points, in the {} of {} bins with standard errors of at most {MAX_ERROR:.1} points",
        judged.count(),
        bins.len()
    )
}

/// A range of whole numbers, its last number included.
fn shown(range: &std::ops::Range<u32>) -> String {
    match range.end {
        u32::MAX => format!("{}-", range.start),
        end => format!("{}-{}", range.start, end - 1),
    }
}
