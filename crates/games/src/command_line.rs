//! What the programs of all games share: arguments, and lines of input.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::thread;

use clap::Args;

use crate::game::Score;
use crate::learning::{self, Learnable, learn};

/// The most bytes of a line that are looked at; the rest of a longer one is skipped.
const LONGEST_LINE: u64 = 1 << 20;

/// The most generations and games of each that have seeds of their own: 20 bits.
const MOST: i64 = 1 << 20;

/// Tells a person who has started `program` at a terminal what it speaks, and how to play.
pub fn greet_person(program: &str, protocol: &str) {
    if io::stdin().is_terminal() {
        // Nobody misses it where it can't be shown.
        let _ = writeln!(
            io::stderr(),
            "{program} speaks {protocol}. To play, start it as '{program} play'; Ctrl-C leaves."
        );
    }
}

/// A saved game to be shown.
#[derive(Args)]
pub struct Replay {
    /// A file that `save` wrote.
    pub file: PathBuf,
    /// Letters instead of the characters of the game.
    #[arg(long)]
    pub plain: bool,
}

/// How long the speed is measured.
#[derive(Args)]
pub struct Bench {
    /// Seconds for each of ten positions.
    #[arg(long, default_value_t = 1.0, value_parser = seconds)]
    pub time: f64,
}

/// How an evaluation is learned.
#[derive(Args)]
pub struct Learn {
    /// Generations: in each, games are played and the numbers fitted to them.
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u32).range(1..=MOST))]
    generations: u32,
    /// Games in each generation.
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=MOST))]
    games: u32,
    /// Nodes for each move.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Decides all random moves.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 24))]
    seed: u64,
    /// Games played at once, one for each core by default. It doesn't change what is learned.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

impl Learn {
    /// Learns `weights` numbers and tells the progress on standard error. Returns how they came
    /// about, in words, and the numbers.
    pub fn run<G: Learnable>(&self, program: &str, weights: usize) -> (String, Vec<Score>) {
        let Learn {
            generations,
            games,
            nodes,
            seed,
            threads,
        } = *self;
        let cores = || thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let settings = learning::Settings {
            generations,
            games,
            nodes,
            seed,
            threads: threads.unwrap_or_else(cores),
        };
        let mut story = format!(
            "Written by {program} learn --generations {generations} --games {games} \
             --nodes {nodes} --seed {seed}"
        );
        let learned = learn::<G>(weights, settings, &mut |line| {
            // Nobody misses it where it can't be shown.
            let _ = io::Write::write_fmt(&mut io::stderr(), format_args!("{line}\n"));
            story = format!("{story}\n{line}");
        });
        (story, learned)
    }
}

/// Reads seconds for a move, from a hundredth to an hour.
///
/// # Errors
///
/// In words, for anything else.
pub fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number".to_owned())?;
    let is_in_range = (0.01..=3600.0).contains(&seconds);
    is_in_range
        .then_some(seconds)
        .ok_or_else(|| "from 0.01 to 3600 seconds".to_owned())
}

/// The result of a program. That nobody reads its output any more, as behind `| head`, is no error.
///
/// # Errors
///
/// All other errors of the program.
pub fn unless_closed(result: anyhow::Result<()>) -> anyhow::Result<()> {
    let is_closed = |error: &anyhow::Error| {
        let error = error.root_cause().downcast_ref::<io::Error>();
        error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    match result {
        Err(error) if is_closed(&error) => Ok(()),
        result => result,
    }
}

/// The next line without the blanks around it; `None` at the end of the input. What is not UTF-8 is
/// replaced, so that no input ends a program.
pub(crate) fn next_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let length = input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if length as u64 == LONGEST_LINE && !line.ends_with(b"\n") {
        input.skip_until(b'\n')?;
    }
    Ok((length > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whatever_they_hold() {
        let long = "x".repeat(3 << 20);
        let text = [b"  one \r\n\xff\n", long.as_bytes(), b"\nlast"].concat();
        let mut input = text.as_slice();
        let mut next = || next_line(&mut input).expect("memory can be read");
        assert_eq!(next().as_deref(), Some("one"));
        assert_eq!(next().as_deref(), Some("\u{fffd}"));
        assert_eq!(next().map(|line| line.len()), Some(1 << 20));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }

    #[test]
    fn an_output_that_is_closed_is_no_error() {
        let error = |kind: io::ErrorKind| Err(anyhow::Error::from(io::Error::from(kind)));
        assert!(unless_closed(error(io::ErrorKind::BrokenPipe)).is_ok());
        assert!(unless_closed(error(io::ErrorKind::StorageFull)).is_err());
        assert!(unless_closed(Err(anyhow::anyhow!("other"))).is_err());
        assert!(unless_closed(Ok(())).is_ok());
    }

    #[test]
    fn seconds_are_positive_and_at_most_an_hour() {
        assert_eq!(seconds("0.5"), Ok(0.5));
        for text in ["0", "-1", "3601", "NaN", "inf", "soon"] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
