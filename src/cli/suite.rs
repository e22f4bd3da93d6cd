//! `squarewise suite`: searches the positions of a test suite and counts those that are solved.
//!
//! The exit code says whether enough of them were solved, so that a script can test a change.
//! [`squarewise_desk::suite`] reads the EPD file.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::{ArgGroup, Args};
use shakmaty::san::SanPlus;

use super::search_arguments::SearchArguments;
use super::tell::tell;
use squarewise_desk::interrupt;
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::progress::progress_bar;
use squarewise_desk::suite::{self, SuiteError, TestPosition};
use squarewise_desk::terminal::printable;
use squarewise_desk::text_encoding;
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{SearchOptions, SearchRequest, SearchResult};

/// The largest suite that is read, in bytes.
const MAX_SUITE_BYTES: u64 = 64 << 20;

/// How many lines are named that are skipped, and positions of which something was left out.
const TOLD_POSITIONS: usize = 5;

/// Searches the positions of an EPD file and counts those that are solved (bm, am, points in c0,
/// dm). Fails if not all are solved, or fewer than --at-least.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("limit").args(["depth", "movetime", "nodes"]).required(true))]
pub struct Suite {
    /// The file, with one position and its solution on each line.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    search: SearchArguments,

    /// Solves mate problems as go mate does: a search ends when the mate of dm N, ce +MN or
    /// bm #N is proven, and only that solves the position.
    #[arg(long)]
    mate: bool,

    /// The tables to evaluate by: the name of a set or of a variant, zero, or a file.
    #[arg(long, value_name = "TABLES", default_value = TableSet::default().name())]
    tables: NamedTables,

    /// How many positions must be solved; all by default.
    #[arg(long, value_name = "N")]
    at_least: Option<usize>,
}

impl Suite {
    /// Runs it.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        let stop = interrupt::stop_token()?;
        let name = self.file.display();
        let text = text_encoding::read_to_string(&self.file, MAX_SUITE_BYTES)
            .map_err(|error| io::Error::other(format!("{name}: {error}")))?;
        let suite = suite::read(&text).map_err(|error| {
            let reason = error.to_string();
            io::Error::other(format!("{name}, {}", printable(&reason)))
        })?;
        tell_skipped(&name.to_string(), &suite.skipped);
        let mut positions = suite.positions;
        if positions.is_empty() {
            return Err(io::Error::other(format!("{name}: it holds no positions")));
        }
        if self.mate {
            leave_out_without_mate(&name.to_string(), &mut positions)?;
        }
        tell_left_out(&name.to_string(), &positions);
        let mut searcher = self.search.searcher()?;

        let bar = progress_bar(positions.len() as u64, "{pos}/{len} positions")?;
        let (mut searched, mut solved, mut points, mut max_points) = (0, 0, 0_u64, 0_u64);
        bar.set_message("0 solved");
        for test in &positions {
            let mate = test.mate.filter(|_| self.mate || test.is_mate_problem());
            searcher.new_game();
            let game = Game::new(test.position.clone());
            let result = searcher.search(
                &game,
                self.request(mate.filter(|_| !test.is_mated), &stop),
                &mut |_| (),
            );
            if stop.is_requested() {
                break;
            }
            let best = result.best_move();
            let is_solved = match mate {
                Some(moves) if test.is_mated => (-result.score()).is_mate_within(moves),
                Some(moves) => result.score().is_mate_within(moves),
                None => best.is_some_and(|m| test.is_solved_by(m)),
            };
            searched += 1;
            solved += usize::from(is_solved);
            points += match mate {
                Some(_) => u64::from(is_solved),
                None => best.map_or(0, |m| test.points_for(m).into()),
            };
            max_points += mate.map_or(test.max_points().into(), |_| 1);
            bar.inc(1);
            bar.set_message(format!("{solved} solved"));
            let written = bar.suspend(|| writeln!(output, "{}", row(test, &result, is_solved)));
            written.map_err(unread)?;
        }
        bar.finish_and_clear();
        let total = format!("{solved} of {searched} solved, {points} of {max_points} points");
        writeln!(output, "{total}").map_err(unread)?;
        if searched < positions.len() {
            let all = positions.len();
            let reason = format!("interrupted after {searched} of {all} positions");
            return Err(io::Error::other(reason));
        }
        let required = self.at_least.unwrap_or(positions.len());
        if solved < required {
            return Err(io::Error::other(format!(
                "{solved} positions were solved, fewer than {required}"
            )));
        }
        Ok(())
    }

    fn request(&self, mate: Option<u32>, stop: &StopToken) -> SearchRequest {
        let limits = Limits {
            mate,
            ..self.search.limits()
        };
        SearchRequest {
            tables: Arc::clone(&self.tables.tables),
            options: SearchOptions {
                move_overhead: Duration::ZERO,
                ..SearchOptions::default()
            },
            stop: stop.clone(),
            ..SearchRequest::new(limits)
        }
    }
}

/// The error of an output that nobody reads any more, like that of `| head`: it would pass for a
/// suite that was solved.
fn unread(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => io::Error::other("nobody reads the output any more"),
        _ => error,
    }
}

/// Tells which lines are skipped, and why.
fn tell_skipped(name: &str, skipped: &[SuiteError]) {
    let lines = skipped.iter().map(|error| {
        let reason = error.to_string();
        format!("{name}, {}; the line is skipped", printable(&reason))
    });
    tell_first(lines, |more| {
        format!("and {more} more of its lines are skipped")
    });
}

/// Leaves out the positions in which there is no mate to prove, and tells them.
fn leave_out_without_mate(name: &str, positions: &mut Vec<TestPosition>) -> io::Result<()> {
    let without = positions.extract_if(.., |test| test.mate.is_none());
    let without: Vec<usize> = without.map(|test| test.line).collect();
    let lines = without
        .iter()
        .map(|line| format!("{name}, line {line}: no dm, ce or bm names a mate; it is skipped"));
    tell_first(lines, |more| {
        format!("and {more} more positions without a mate are skipped")
    });
    if positions.is_empty() {
        let reason = format!("{name}: no dm, ce or bm names a mate in any position");
        return Err(io::Error::other(reason));
    }
    Ok(())
}

/// Tells what was left out of positions.
fn tell_left_out(name: &str, positions: &[TestPosition]) {
    let lines = positions.iter().filter_map(|test| {
        let words = test.left_out.in_words()?;
        Some(format!("{name}, line {}: {words}", test.line))
    });
    tell_first(lines, |more| {
        format!("and the same in {more} more of its positions")
    });
}

/// Tells the first of these lines on stderr, and how many more there are.
fn tell_first(mut lines: impl Iterator<Item = String>, of_the_rest: impl Fn(usize) -> String) {
    lines
        .by_ref()
        .take(TOLD_POSITIONS)
        .for_each(|line| tell(&line));
    let more = lines.count();
    if more > 0 {
        tell(&of_the_rest(more));
    }
}

/// The line of a position. What the file says of it is foreign text.
fn row(test: &TestPosition, result: &SearchResult, is_solved: bool) -> String {
    let (id, operations) = (printable(&test.id), printable(&test.operations));
    let best = result.best_move().map_or_else(
        || "none".to_owned(),
        |m| SanPlus::from_move(test.position.clone(), m).to_string(),
    );
    format!(
        "{} {id:<20} {best:<8} {:<10} depth {:>3} {:>10} nodes  {operations}",
        if is_solved { "yes" } else { "no " },
        result.score().to_string(),
        result.info.depth,
        result.info.nodes,
    )
}
