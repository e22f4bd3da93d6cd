//! `squarewise bench`: the benchmark, whose node count is the fingerprint of the search, and the
//! speed of the processor.
//!
//! Prints a line for each position and the total in the form that OpenBench reads. With `--threads`
//! or `--seconds` it measures the speed for a fixed time instead and prints a table. The positions
//! and the searches are in [`squarewise_engine::bench`].

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;

use crate::uci::memory::refuse_beyond_memory;
use crate::uci::options::MAX_HASH_MEGABYTES;
use crate::uci::response;
use squarewise_desk::interrupt;
use squarewise_desk::progress::progress_bar;
use squarewise_engine::bench::speed::{self, Measurement, RELATIVE_SPEED_ONE};
use squarewise_engine::bench::{self, POSITIONS};
use squarewise_engine::score::MAX_PLY;
use squarewise_engine::search::MAX_THREADS;
use squarewise_engine::search::stop::StopToken;

/// The time for each row of the table if none is given, in seconds.
const DEFAULT_SECONDS: u32 = 10;

/// The nodes a second that the companion text of the published engine gives for its processor.
const PUBLISHED_SPEED: u64 = 11_534_000;

/// Searches fixed positions to a fixed depth, each as in a new game. The number of nodes is the
/// same on every run, build and machine. With --threads or --seconds: measures the speed of the
/// processor.
#[derive(Debug, Args)]
pub struct Bench {
    /// Depth of each search in plies.
    #[arg(long, value_name = "D", default_value_t = bench::DEFAULT_DEPTH,
          value_parser = clap::value_parser!(u32).range(1..=MAX_PLY as i64))]
    depth: u32,

    /// Size of the transposition table in MiB. The number of nodes depends on it.
    #[arg(long, value_name = "MB", default_value_t = bench::DEFAULT_HASH as u32,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_HASH_MEGABYTES)))]
    hash: u32,

    /// Measure the speed on 1 to T threads instead; all processors by default.
    #[arg(long, value_name = "T", conflicts_with = "depth",
          value_parser = clap::value_parser!(u16).range(1..=MAX_THREADS as i64))]
    threads: Option<u16>,

    /// Measure the speed instead, for S seconds on each number of threads; 10 by default.
    #[arg(long, value_name = "S", conflicts_with = "depth",
          value_parser = clap::value_parser!(u32).range(1..=86_400))]
    seconds: Option<u32>,
}

impl Bench {
    /// Runs it.
    pub fn run(&self, mut output: impl Write) -> io::Result<()> {
        refuse_beyond_memory(self.hash as usize)?;
        if self.threads.is_some() || self.seconds.is_some() {
            return self.measure_speed(output);
        }
        let mut written = Ok(());
        let stop = StopToken::new();
        let mut on_position = |number, fen: &str, result: &_| {
            if written.is_ok() {
                written = writeln!(output, "{}", response::bench_position(number, fen, result));
            }
            if written.is_err() {
                // Nobody would hear of the rest.
                stop.request();
            }
        };
        let total = bench::run(self.depth, self.hash as usize, &stop, &mut on_position)
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        written?;
        writeln!(output, "{}", response::bench_total(total))
    }

    /// Measures the speed on one thread, two threads, and so on, and prints a table. Ctrl-C ends it
    /// with what was measured.
    fn measure_speed(&self, mut output: impl Write) -> io::Result<()> {
        let stop = interrupt::stop_token()?;
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        let max_threads = self.threads.map_or_else(processors, usize::from);
        let counts = speed::thread_counts(max_threads);
        let seconds = self.seconds.unwrap_or(DEFAULT_SECONDS);
        let all_seconds = u64::from(seconds) * counts.len() as u64;
        writeln!(
            output,
            "{} positions, {seconds} s on each number of threads, {all_seconds} s in all; hash {} MiB\n",
            POSITIONS.len(),
            self.hash
        )?;
        writeln!(output, "{HEADER}")?;
        let length = counts.len() * POSITIONS.len();
        let bar = progress_bar(length as u64, "{pos}/{len} positions")?;
        let mut measured: Vec<Measurement> = Vec::new();
        for threads in counts {
            bar.set_message(format!("threads: {threads}"));
            let time = Duration::from_secs(u64::from(seconds));
            let mut on_position = || bar.inc(1);
            let measurement =
                speed::measure(threads, time, self.hash as usize, &stop, &mut on_position)?;
            measured.push(measurement);
            let line = row(&measurement, &measured[0]);
            bar.suspend(|| writeln!(output, "{line}").and_then(|()| output.flush()))?;
            if stop.is_requested() {
                break;
            }
        }
        bar.finish_and_clear();
        let summary = measured.last().map(summary).unwrap_or_default();
        writeln!(output, "\n{summary}")
    }
}

const HEADER: &str =
    "threads    thousand nodes/s   per thread   relative speed   per thread   speed-up";

/// A row of the table.
fn row(measurement: &Measurement, of_one_thread: &Measurement) -> String {
    let threads = measurement.threads as u64;
    let speed = measurement.nodes_per_second();
    let relative = measurement.relative_speed();
    let stopped = if measurement.is_complete {
        ""
    } else {
        "   (stopped early)"
    };
    format!(
        "{threads:>7} {:>19} {:>12} {relative:>16.2} {:>12.2} {:>10.2}{stopped}",
        thousands(speed),
        thousands(speed / threads),
        relative / threads as f64,
        measurement.speed_up(of_one_thread),
    )
}

/// What the numbers are compared with.
fn summary(last: &Measurement) -> String {
    let threads = last.threads as u64;
    let ratio = |speed: u64| 100.0 * speed as f64 / PUBLISHED_SPEED as f64;
    let speed = last.nodes_per_second();
    let of_one = match threads {
        1 => String::new(),
        _ => format!(
            "{:.1} % on one of {threads} threads, ",
            ratio(speed / threads)
        ),
    };
    format!(
        "Relative speed 1.0 is {} thousand nodes a second.\n\
         Of the published {} thousand nodes a second: {of_one}{:.1} % in all.",
        thousands(RELATIVE_SPEED_ONE),
        thousands(PUBLISHED_SPEED),
        ratio(speed),
    )
}

/// A number of nodes in thousands, with commas.
fn thousands(nodes: u64) -> String {
    let digits = (nodes / 1_000).to_string();
    let first = digits.len() % 3;
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && index % 3 == first {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_have_commas() {
        assert_eq!(thousands(999), "0");
        assert_eq!(thousands(480_000), "480");
        assert_eq!(thousands(1_234_567), "1,234");
        assert_eq!(thousands(11_534_000), "11,534");
        assert_eq!(thousands(1_234_567_890), "1,234,567");
    }

    #[test]
    fn a_row_stands_under_its_header() {
        let measurement = |threads, nodes| Measurement {
            threads,
            nodes,
            time: Duration::from_secs(1),
            is_complete: true,
        };
        let (one, two) = (measurement(1, 1_200_000), measurement(2, 2_160_000));
        let row = row(&two, &one);
        assert_eq!(row.len(), HEADER.len());
        let words: Vec<&str> = row.split_whitespace().collect();
        assert_eq!(words, ["2", "2,160", "1,080", "4.50", "2.25", "1.80"]);
    }
}
