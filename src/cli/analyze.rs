//! `squarewise analyze`: evaluates the moves of games, or shows the best lines of a position.
//!
//! Games are read and written one after the other and analyzed several at a time, so that a file of
//! any size needs little memory. A broken game is reported and skipped. The annotated games and the
//! report are written whole or not at all.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{OsStringValueParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressStyle};
use squarewise_engine::position::is_meant_as_fen;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;

use super::analysis_output::{AnalysisOutput, OutputFiles, games};
use super::interruptible_input::InterruptibleInput;
use super::position_argument::{RulesArgument, position_or_epd};
use super::position_text::write_position;
use super::search_arguments::SearchArguments;
use crate::uci::memory::refuse_beyond_memory;
use squarewise_desk::analysis::Totals;
use squarewise_desk::analysis::analyzer::{Analyzer, Settings};
use squarewise_desk::analysis::batch::{DoneGame, Plan, analyze_games};
use squarewise_desk::interrupt;
use squarewise_desk::output_file::{self, OutputFile};
use squarewise_desk::pgn::{GameRecord, Games, ReadGame};
use squarewise_desk::process::unless_closed;
use squarewise_desk::progress::progress_bar;
use squarewise_desk::report::{self, Overview};
use squarewise_desk::terminal::Style;
use squarewise_engine::bounded_file;
use squarewise_engine::search::MAX_THREADS;
use squarewise_engine::search::stop::StopToken;

/// The time for a position of a game if no limit is given.
const MOVE_TIME: Duration = Duration::from_millis(100);

/// The time for a position on its own if no limit is given.
const POSITION_TIME: Duration = Duration::from_secs(3);

/// Analyzes the games of a PGN file, or a position: evaluations, best lines, inaccuracies (?!),
/// mistakes (?) and blunders (??), the accuracy of both players, the name of the opening.
///
/// Without a limit a position of a game takes 100 milliseconds, and a position on its own 3000.
///
/// A game that can't be read is reported and skipped. The exit code is 0 if at least one game was
/// analyzed, even if others were skipped, and nothing interrupted the analysis.
#[derive(Debug, Args)]
pub struct Analyze {
    /// A PGN file, - for PGN on standard input, or a position: a FEN or EPD in quotation marks, or
    /// startpos.
    #[arg(value_name = "FILE|FEN|-",
          value_parser = OsStringValueParser::new().try_map(input))]
    input: Input,

    #[command(flatten)]
    search: SearchArguments,

    #[command(flatten)]
    rules: RulesArgument,

    /// The number of lines to show of a position on its own. Of the positions of a game the best
    /// line is enough.
    #[arg(long, value_name = "K", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    multipv: u16,

    /// The number of threads. Each analyzes a game of its own; with --movetime, those left over
    /// help in the searches.
    #[arg(long, value_name = "T", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: u16,

    /// Write the games to this file with evaluations, glyphs and better lines.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Write a report to this file: one page with boards to step through.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// What is analyzed.
#[derive(Clone, Debug)]
enum Input {
    Stdin,
    File(PathBuf),
    /// The text of one.
    Position(String),
}

/// Reads the argument. A file of that name takes precedence over a position.
fn input(argument: OsString) -> Result<Input, String> {
    if argument == "-" {
        return Ok(Input::Stdin);
    }
    let path = PathBuf::from(&argument);
    let Some(text) = argument.to_str().filter(|_| !path.exists()) else {
        return Ok(Input::File(path));
    };
    match position_or_epd(text) {
        Ok(text) => Ok(Input::Position(text)),
        Err(error) if is_meant_as_fen(text) => Err(error),
        Err(_) => Ok(Input::File(path)),
    }
}

impl Analyze {
    /// Runs it.
    pub fn run(&self, output: impl Write, style: Style) -> io::Result<()> {
        let stop = interrupt::stop_token()?;
        match &self.input {
            Input::Position(text) => {
                let position = self.rules.position(text)?;
                self.run_on_position(position, &stop, output, style)
            }
            Input::Stdin => {
                let input = InterruptibleInput::start(io::stdin(), &stop)?;
                let source = Source {
                    name: "standard input".to_owned(),
                    place: "standard input".to_owned(),
                    length: None,
                    games: Games::new(Box::new(input)),
                };
                self.run_on_games(source, &stop, output, style)
            }
            Input::File(path) => {
                let named = |error| io::Error::other(format!("{}: {error}", path.display()));
                let file = bounded_file::open(path).map_err(|error| match error.kind() {
                    io::ErrorKind::NotFound => named(io::Error::other(
                        "there is no such file, nor is it a position",
                    )),
                    _ => named(error),
                })?;
                let name = path.file_name().unwrap_or(path.as_os_str());
                let length = Some(file.metadata().map_err(named)?.len());
                // Ctrl-C must also end the reading of a large file without games.
                let input = InterruptibleInput::start(file, &stop)?;
                let source = Source {
                    name: name.to_string_lossy().into_owned(),
                    place: path.display().to_string(),
                    length,
                    games: Games::new(Box::new(input)),
                };
                self.run_on_games(source, &stop, output, style)
            }
        }
    }

    fn run_on_position(
        &self,
        position: VariantPosition,
        stop: &StopToken,
        mut output: impl Write,
        style: Style,
    ) -> io::Result<()> {
        if self.pgn.is_some() {
            return Err(io::Error::other("--pgn needs a game; this is a position"));
        }
        let mut files = self.output_files("Analysis of a position")?;
        let plan = Plan::new(self.threads.into(), Some(1), self.settings(POSITION_TIME));
        refuse_beyond_memory(plan.settings.hash_megabytes)?;
        let mut analyzer = Analyzer::new(&plan.settings)?;
        let game = analyzer.analyze_start(GameRecord::new(position), stop);
        let written = write_position(&mut output, &game, style);
        if files.are_some() {
            unless_closed(written)?;
        } else {
            written?;
        }
        if stop.is_requested() {
            let reason = "interrupted before the search of the position was over";
            return Err(io::Error::other(reason));
        }
        files.add(1, &game)?;
        files.finish()
    }

    fn run_on_games(
        &self,
        source: Source,
        stop: &StopToken,
        output: impl Write,
        style: Style,
    ) -> io::Result<()> {
        if self.multipv > 1 {
            return Err(io::Error::other(
                "--multipv needs a position; these are games",
            ));
        }
        if self.rules.variant != Variant::Chess {
            return Err(io::Error::other(
                "--variant needs a position; games name their variant by the tag Variant",
            ));
        }
        let files = self.output_files(&source.name)?;
        let threads = usize::from(self.threads);
        // Whether there are fewer games than threads, or just one, shows in the first few.
        let enough = threads.max(2);
        let place = source.place;
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{place}: {error}"));
        let mut read = source.games.map(|game| game.map_err(named));
        let first: Vec<io::Result<ReadGame>> = read.by_ref().take(enough).collect();
        let count = (first.len() < enough).then_some(first.len());
        let plan = Plan::new(threads, count, self.settings(MOVE_TIME));
        refuse_beyond_memory(plan.games.saturating_mul(plan.settings.hash_megabytes))?;
        let bar = bar(source.length)?;
        let mut analyses = AnalysisOutput {
            output,
            is_output_closed: false,
            style,
            is_table: count == Some(1),
            has_files: files.are_some(),
            has_failed_file: false,
            files,
            analyzed: 0,
            skipped: 0,
            remarks: 0,
        };
        let mut sink = |done: DoneGame| {
            bar.suspend(|| analyses.add(done))?;
            bar.set_message(games(analyses.analyzed));
            Ok(())
        };
        let all = first.into_iter().chain(read);
        let on_progress = |bytes| bar.inc(bytes);
        let ended = analyze_games(&plan, all, stop, &on_progress, &mut sink);
        bar.finish_and_clear();
        if let Err(error) = ended {
            return Err(analyses.fail(error));
        }
        if stop.is_requested() {
            return analyses.leave();
        }
        analyses.finish(&source.name)
    }

    fn settings(&self, default_time: Duration) -> Settings {
        Settings {
            limits: self.search.limits_or(default_time),
            lines: usize::from(self.multipv),
            hash_megabytes: self.search.hash_megabytes(),
            threads: usize::from(self.threads),
        }
    }

    /// Begins to write the files, before any work that would be lost if they can't be written.
    fn output_files(&self, title: &str) -> io::Result<OutputFiles> {
        let input = match &self.input {
            Input::File(path) => Some(path.as_path()),
            _ => None,
        };
        let create = |path: &Path| {
            output_file::refuse_input(path, input)?;
            if matches!(self.input, Input::Stdin) {
                output_file::refuse_standard_input(path)?;
            }
            OutputFile::create(path)
        };
        let (pgn, html) = (self.pgn.as_deref(), self.html.as_deref());
        output_file::refuse_same(("--pgn", pgn), ("--html", html))?;
        let mut files = OutputFiles {
            pgn: pgn.map(create).transpose()?,
            html: html.map(create).transpose()?,
            games: 0,
            totals: Totals::default(),
            overview: Overview::default(),
        };
        if let Some(html) = &mut files.html {
            report::begin(html, title)?;
        }
        Ok(files)
    }
}

/// Where the games come from.
struct Source {
    name: String,
    /// As errors name them.
    place: String,
    /// In bytes; `None` if nobody can tell.
    length: Option<u64>,
    games: Games<Box<dyn Read + Send>>,
}

/// The progress bar, by bytes of the file; without a length only a message.
fn bar(length: Option<u64>) -> io::Result<ProgressBar> {
    let bar = match length {
        Some(length) => progress_bar(length, "{percent} %")?,
        None => {
            let style = ProgressStyle::with_template("{spinner} {msg}, {elapsed}");
            ProgressBar::no_length().with_style(style.map_err(io::Error::other)?)
        }
    };
    bar.set_message(games(0));
    bar.enable_steady_tick(Duration::from_millis(500));
    Ok(bar)
}
