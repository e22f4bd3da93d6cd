//! `squarewise-xiangqi`: speaks UCI and UCCI, plays at the terminal, and learns.
//!
//! Exit codes: 0 for success, 1 for an error while running, 2 for arguments that can't be parsed.

#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};
use squarewise_games::command_line::{Bench, Learn, Replay, greet_person, seconds, unless_closed};
use squarewise_games::limits::Limits;
use squarewise_games::terminal;
use squarewise_games::xiangqi::{FenError, WEIGHTS, Xiangqi, protocol, tables_text};

/// Plays xiangqi, Chinese chess.
///
/// Without a command it speaks UCI or UCCI on standard input and output, whichever the interface
/// greets it with.
#[derive(Parser)]
#[command(name = "squarewise-xiangqi", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Plays weaker: searches at most this many plies deep. `replay` and `learn` ignore it.
    #[arg(long, global = true, value_name = "DEPTH",
          value_parser = clap::value_parser!(i32).range(1..=100))]
    level: Option<i32>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Player {
    /// Begins.
    Red,
    /// Answers.
    Black,
    /// Nobody: the program plays both sides.
    None,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a game at the terminal.
    Play {
        /// Which side you play.
        #[arg(long = "as", value_enum, default_value = "red")]
        person: Player,
        /// The position in which the game begins; without one, the usual one.
        #[arg(long, value_parser = fen)]
        fen: Option<String>,
        /// Seconds for each move of the program.
        #[arg(long, default_value_t = 1.0, value_parser = seconds)]
        time: f64,
        /// Letters instead of Chinese characters.
        #[arg(long)]
        plain: bool,
    },
    /// Shows a saved game move by move.
    Replay(Replay),
    /// Searches the start and the moves after it, and tells the speed.
    Bench(Bench),
    /// Learns the tables from nothing by playing against itself, and writes them to standard
    /// output.
    Learn(Learn),
}

/// A FEN, if it is one.
fn fen(text: &str) -> Result<String, FenError> {
    Xiangqi::from_fen(text).map(|_| text.to_owned())
}

fn main() -> anyhow::Result<()> {
    unless_closed(run(Arguments::parse()))
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let mut output = io::stdout();
    let depth = arguments.level.unwrap_or(Limits::default().depth);
    let limits = |time| Limits {
        time: Some(Duration::from_secs_f64(time)),
        depth,
        ..Limits::default()
    };
    match arguments.command {
        None => {
            greet_person("squarewise-xiangqi", "UCI and UCCI");
            Ok(protocol(arguments.level, io::stdin().lock(), output)?)
        }
        Some(Command::Play {
            person,
            fen,
            time,
            plain,
        }) => {
            let person = match person {
                Player::Red => Some(true),
                Player::Black => Some(false),
                Player::None => None,
            };
            let settings = terminal::Settings {
                person,
                limits: limits(time),
                is_plain: plain,
            };
            let mut game =
                fen.map_or_else(|| Ok(Xiangqi::default()), |fen| Xiangqi::from_fen(&fen))?;
            terminal::play(&mut game, &settings, io::stdin().lock(), &mut output)
        }
        Some(Command::Replay(Replay { file, plain })) => {
            terminal::replay::<Xiangqi>(&file, plain, &mut output)
        }
        Some(Command::Bench(Bench { time })) => {
            let mut game = Xiangqi::default();
            terminal::bench(&mut game, &limits(time), &mut output)
        }
        Some(Command::Learn(learn)) => {
            let (story, weights) = learn.run::<Xiangqi>("squarewise-xiangqi", WEIGHTS);
            Ok(write!(output, "{}", tables_text(&story, &weights))?)
        }
    }
}
