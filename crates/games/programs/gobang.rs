//! `squarewise-gobang`: speaks the protocol of Gomocup, plays at the terminal, and learns.
//!
//! Exit codes: 0 for success, 1 for an error while running, 2 for arguments that can't be parsed.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use squarewise_games::command_line::{Bench, Learn, Replay, greet_person, seconds, unless_closed};
use squarewise_games::gobang::{Gobang, Rule, Scores, WEIGHTS, gomocup, scores_text};
use squarewise_games::limits::Limits;
use squarewise_games::terminal;

/// Plays gobang (gomoku) on a board of 15 x 15 points.
///
/// Without a command it speaks the protocol of Gomocup and Piskvork on standard input and output,
/// as managers of games expect.
#[derive(Parser)]
#[command(name = "squarewise-gobang", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Plays weaker: searches at most this many plies deep. `replay` and `learn` ignore it.
    #[arg(long, global = true, value_name = "DEPTH",
          value_parser = clap::value_parser!(i32).range(1..=100))]
    level: Option<i32>,
    /// Which set of scores evaluates. `replay` uses the learned ones, `learn` begins from nothing.
    #[arg(long, global = true, value_enum, default_value = "learned")]
    scores: ScoreSet,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScoreSet {
    /// Fitted to games of this program.
    Learned,
    /// The published scores of shapes.
    Published,
}

#[derive(Clone, Copy, ValueEnum)]
enum Player {
    /// Begins.
    Black,
    /// Answers.
    White,
    /// Nobody: the program plays both sides.
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum RuleName {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five win.
    Standard,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a game at the terminal.
    Play {
        /// Which color you play.
        #[arg(long = "as", value_enum, default_value = "black")]
        person: Player,
        /// What wins.
        #[arg(long, value_enum, default_value = "freestyle")]
        rule: RuleName,
        /// Seconds for each move of the program.
        #[arg(long, default_value_t = 1.0, value_parser = seconds)]
        time: f64,
        /// X and O instead of stones.
        #[arg(long)]
        plain: bool,
    },
    /// Shows a saved game move by move.
    Replay(Replay),
    /// Searches the center stone and the moves after it, and tells the speed.
    Bench(Bench),
    /// Learns scores from nothing by playing against itself, and writes them to standard output.
    Learn(Learn),
}

fn main() -> anyhow::Result<()> {
    unless_closed(run(Arguments::parse()))
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let mut output = io::stdout();
    let scores = match arguments.scores {
        ScoreSet::Learned => Scores::learned(),
        ScoreSet::Published => Scores::published(),
    };
    let depth = arguments.level.unwrap_or(Limits::default().depth);
    let limits = |time| Limits {
        time: Some(Duration::from_secs_f64(time)),
        depth,
        ..Limits::default()
    };
    match arguments.command {
        None => {
            greet_person("squarewise-gobang", "the protocol of Gomocup");
            let input = io::stdin().lock();
            Ok(gomocup(scores, arguments.level, input, &mut output)?)
        }
        Some(Command::Play {
            person,
            rule,
            time,
            plain,
        }) => {
            let person = match person {
                Player::Black => Some(true),
                Player::White => Some(false),
                Player::None => None,
            };
            let rule = match rule {
                RuleName::Freestyle => Rule::Freestyle,
                RuleName::Standard => Rule::Standard,
            };
            let settings = terminal::Settings {
                person,
                limits: limits(time),
                is_plain: plain,
            };
            let mut game = Gobang::new(rule, scores);
            terminal::play(&mut game, &settings, io::stdin().lock(), &mut output)
        }
        Some(Command::Replay(Replay { file, plain })) => {
            terminal::replay::<Gobang>(&file, plain, &mut output)
        }
        Some(Command::Bench(Bench { time })) => {
            let mut game = Gobang::new(Rule::Freestyle, scores);
            terminal::bench(&mut game, &limits(time), &mut output)
        }
        Some(Command::Learn(learn)) => {
            let (story, weights) = learn.run::<Gobang>("squarewise-gobang", WEIGHTS);
            Ok(write!(output, "{}", scores_text(&story, &weights))?)
        }
    }
}
