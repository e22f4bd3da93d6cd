//! `squarewise play`: a game at the terminal between people, this engine and other UCI engines.
//!
//! Everything that can be wrong with the arguments is found before the game: a FEN, a file, an
//! engine that does not start. The game itself is in [`squarewise_desk::play`].

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::{Args, value_parser};
use shakmaty::{ByColor, CastlingMode, Color, Position};
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;

use super::color::understands_escapes;
use super::player_arguments::{PlayerKind, Rating, option, player_kind, side};
use super::position_argument::{RulesArgument, position_text};
use crate::styles;
use crate::uci::memory::refuse_beyond_memory;
use crate::uci::options::MAX_HASH_MEGABYTES;
use squarewise_desk::interrupt;
use squarewise_desk::pgn_file::PgnFile;
use squarewise_desk::play::{
    ChildEngine, ChildSetup, Display, GameSetup, OwnEngine, OwnEngineSetup, Player, Session,
    TimeControl, end_in_words,
};
use squarewise_desk::terminal::{Style, screen_size};
use squarewise_engine::book::Book;
use squarewise_engine::score::MAX_PLY;
use squarewise_engine::search::stop::StopToken;

/// The size of the transposition table without `--hash`, in MiB.
const DEFAULT_HASH_MEGABYTES: u32 = 64;

/// The time of engines for a move if no time control is given, in milliseconds.
const DEFAULT_MOVE_TIME: u64 = 1_000;

/// How long another engine that must answer at once is waited for, in milliseconds.
const DEFAULT_PATIENCE: u64 = 10_000;

/// Plays a game: people, this engine and any other UCI engine, in every combination. Moves are
/// typed as Nf3 or g1f3; the command help shows what else can be typed. The default is a person
/// with White against this engine, which takes a second for a move.
#[derive(Debug, Args)]
pub struct Play {
    /// The color that you play against the engine: white or black. Without it, White.
    #[arg(long = "as", value_name = "COLOR", value_parser = side)]
    own_side: Option<Color>,

    /// Who plays White: human, human:NAME, engine, or uci:COMMAND for any UCI engine with its
    /// arguments.
    #[arg(long, value_name = "PLAYER", value_parser = player_kind)]
    white: Option<PlayerKind>,

    /// Who plays Black; you, if only --white is given and names an engine.
    #[arg(long, value_name = "PLAYER", value_parser = player_kind)]
    black: Option<PlayerKind>,

    /// Clocks for both sides: minutes, and seconds added for each move, such as 5+3 or 0.5+0.1.
    #[arg(long, value_name = "MIN+SEC", group = "limit", value_parser = TimeControl::parse_clock)]
    time: Option<TimeControl>,

    /// Time of engines for each move, in milliseconds. People have as long as they like. Without
    /// any limit it is 1000.
    #[arg(long, value_name = "MS", group = "limit", value_parser = value_parser!(u64).range(1..=86_400_000))]
    movetime: Option<u64>,

    /// Depth of engines, in plies. People have as long as they like.
    #[arg(long, value_name = "D", group = "limit", value_parser = value_parser!(u32).range(1..=MAX_PLY as i64))]
    depth: Option<u32>,

    /// Rating at which this engine plays, 500 to 3000; without it, at full strength. `own` is the
    /// one at which it errs as often as the player of `--style`.
    #[arg(long, value_name = "ELO|own")]
    elo: Option<Rating>,

    /// Position to start from, also one of Chess960, or startpos.
    #[arg(long, value_parser = position_text, default_value = "startpos", hide_default_value = true)]
    fen: String,

    #[command(flatten)]
    rules: RulesArgument,

    /// File to which the game is added when it is over, in PGN.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Opening book of this engine, in the Polyglot format.
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Style that this engine plays in: the name of a player such as Tal, or a file of `mimic fit`.
    #[arg(long, value_name = "NAME|FILE")]
    style: Option<PathBuf>,

    /// Turns the board round. Otherwise a person who plays alone sits at the bottom.
    #[arg(long)]
    flip: bool,

    /// Hides the evaluation; eval shows it. Between two people it is hidden anyway.
    #[arg(long)]
    hide_eval: bool,

    /// Size of the transposition table of every engine, in MiB. Default: 64 for this engine, its
    /// own for another.
    #[arg(long, value_name = "MB", value_parser = value_parser!(u32).range(1..=i64::from(MAX_HASH_MEGABYTES)))]
    hash: Option<u32>,

    /// Search threads of every engine. Default: 1 for this engine, its own for another.
    #[arg(long, value_name = "T", value_parser = value_parser!(u16).range(1..=1_024))]
    threads: Option<u16>,

    /// UCI option of another engine that plays White. Can be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option_white: Vec<(String, String)>,

    /// UCI option of another engine that plays Black. Can be given several times.
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    option_black: Vec<(String, String)>,

    /// How long to wait for another engine that must answer at once, in milliseconds. Default:
    /// 10000.
    #[arg(long, value_name = "MS", value_parser = value_parser!(u64).range(1..=3_600_000))]
    patience: Option<u64>,
}

impl Play {
    /// Runs it.
    pub fn run(&self, output: impl Write, style: Style) -> io::Result<()> {
        let start = self.rules.position(&self.fen)?;
        self.check(&start)?;
        let pgn = self.pgn.as_deref().map(pgn_file).transpose()?;
        let own = self
            .kinds()
            .iter()
            .filter(|kind| **kind == PlayerKind::OwnEngine)
            .count();
        refuse_beyond_memory(own * self.hash.unwrap_or(DEFAULT_HASH_MEGABYTES) as usize)?;
        let stop = interrupt::stop_token()?;
        let setup = GameSetup {
            players: self.players(&start, &stop)?,
            start,
            control: self.control(),
            is_flipped: self.flip,
            hides_evaluation: self.hide_eval,
            pgn,
        };
        let display = Display::new(output, style, self.is_live().then_some(screen_size));
        Session::new(setup, display, stop)?.run()
    }

    /// Finds arguments that don't fit together.
    fn check(&self, start: &VariantPosition) -> io::Result<()> {
        let kinds = self.kinds();
        let has_own = kinds.iter().any(|kind| *kind == PlayerKind::OwnEngine);
        let has_engine = !kinds.iter().all(PlayerKind::is_person);
        let error = |text: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, text));
        if let Some(side) = self.own_side
            && !kinds.get(side).is_person()
        {
            let side = side.fold_wb("white", "black");
            return error(&format!(
                "--as {side} says that you play {side}, and --{side} that another does"
            ));
        }
        let own = (has_own, "the player engine");
        let any = (has_engine, "engines");
        for (name, is_given, (has_one, is_for)) in [
            ("--elo", self.elo.is_some(), own),
            ("--book", self.book.is_some(), own),
            ("--style", self.style.is_some(), own),
            ("--movetime", self.movetime.is_some(), any),
            ("--depth", self.depth.is_some(), any),
            ("--hash", self.hash.is_some(), any),
            ("--threads", self.threads.is_some(), any),
        ] {
            if is_given && !has_one {
                return error(&format!("{name} is for {is_for}, and neither side is one"));
            }
        }
        if self.elo == Some(Rating::OfStyle) && self.style.is_none() {
            return error("--elo own takes the rating of the player of --style, which is missing");
        }
        for (name, is_given) in [
            ("--style", self.style.is_some()),
            ("--book", self.book.is_some()),
        ] {
            if is_given && start.variant() != Variant::Chess {
                return error(&format!("{name} is for chess, not for a variant"));
            }
        }
        for (kind, options, name) in [
            (&kinds.white, &self.option_white, "--option-white"),
            (&kinds.black, &self.option_black, "--option-black"),
        ] {
            if !options.is_empty() && !matches!(kind, PlayerKind::Child(_)) {
                return error(&format!("{name} is for a player uci:COMMAND"));
            }
        }
        let is_child = |kind: &PlayerKind| matches!(kind, PlayerKind::Child(_));
        if self.patience.is_some() && !kinds.iter().any(is_child) {
            return error("--patience is for a player uci:COMMAND, and neither side is one");
        }
        match end_in_words(start) {
            Some(reason) => error(&format!(
                "the position of --fen is the end of a game: {reason}"
            )),
            None => Ok(()),
        }
    }

    /// Who plays which side. Where nothing is said, a person plays the engine, or that which is
    /// named alone.
    fn kinds(&self) -> ByColor<PlayerKind> {
        let usual = match (&self.white, &self.black) {
            (Some(white), None) if !white.is_person() => Color::Black,
            _ => Color::White,
        };
        let own_side = self.own_side.unwrap_or(usual);
        let kind = |side: Color, named: &Option<PlayerKind>| match named {
            Some(kind) => kind.clone(),
            None if side == own_side => PlayerKind::Person("Human".to_owned()),
            None => PlayerKind::OwnEngine,
        };
        ByColor {
            white: kind(Color::White, &self.white),
            black: kind(Color::Black, &self.black),
        }
    }

    fn control(&self) -> TimeControl {
        if let Some(depth) = self.depth {
            return TimeControl::Depth(depth);
        }
        let move_time = self.movetime.unwrap_or(DEFAULT_MOVE_TIME);
        let move_time = TimeControl::MoveTime(Duration::from_millis(move_time));
        self.time.unwrap_or(move_time)
    }

    /// Starts the players.
    fn players(&self, start: &VariantPosition, stop: &StopToken) -> io::Result<ByColor<Player>> {
        let kinds = self.kinds();
        Ok(ByColor {
            white: self.player(&kinds.white, &self.option_white, start, stop)?,
            black: self.player(&kinds.black, &self.option_black, start, stop)?,
        })
    }

    fn player(
        &self,
        kind: &PlayerKind,
        options: &[(String, String)],
        start: &VariantPosition,
        stop: &StopToken,
    ) -> io::Result<Player> {
        match kind {
            PlayerKind::Person(name) => Ok(Player::Person(name.clone())),
            PlayerKind::OwnEngine => {
                let book = self.book.as_deref().map(read_book).transpose()?;
                let style = self.style.as_deref().map(styles::read).transpose()?;
                let elo = self.elo.and_then(|rating| match rating {
                    Rating::Elo(elo) => Some(elo),
                    Rating::OfStyle => style.as_ref().map(|style| style.level()),
                });
                let engine = OwnEngine::start(OwnEngineSetup {
                    hash_megabytes: self.hash.unwrap_or(DEFAULT_HASH_MEGABYTES) as usize,
                    threads: usize::from(self.threads.unwrap_or(1)),
                    elo,
                    book,
                    style,
                })?;
                Ok(Player::Engine(Box::new(engine)))
            }
            PlayerKind::Child(command) => {
                let hash = self.hash.map(|megabytes| ("Hash", megabytes.to_string()));
                let threads = self.threads.map(|threads| ("Threads", threads.to_string()));
                let wishes = hash.into_iter().chain(threads);
                let setup = ChildSetup {
                    command: command.clone(),
                    options: options.to_vec(),
                    wishes: wishes
                        .map(|(name, value)| (name.to_owned(), value))
                        .collect(),
                    is_chess960: start.castles().mode() == CastlingMode::Chess960,
                    variant: start.variant(),
                    patience: Duration::from_millis(self.patience.unwrap_or(DEFAULT_PATIENCE)),
                };
                let engine = ChildEngine::start(&setup, stop).map_err(io::Error::other)?;
                Ok(Player::Engine(Box::new(engine)))
            }
        }
    }

    /// Whether the board stays on the screen and is drawn over: in a terminal with a cursor, and if
    /// people play only if they sit at it.
    fn is_live(&self) -> bool {
        let has_person = self.kinds().iter().any(PlayerKind::is_person);
        // Those that rustyline does not support.
        let is_simple = |name: &str| matches!(name, "dumb" | "cons25" | "emacs");
        let has_cursor = match std::env::var("TERM") {
            Ok(name) => !is_simple(&name),
            Err(_) => cfg!(windows),
        };
        let has_keyboard = !has_person || io::stdin().is_terminal();
        io::stdout().is_terminal() && has_keyboard && has_cursor && understands_escapes()
    }
}

fn pgn_file(path: &Path) -> io::Result<PgnFile> {
    let named = |error: io::Error| {
        let (path, reason) = (path.display().to_string(), error.to_string());
        // Some errors name the file themselves.
        let reason = reason.strip_prefix(&format!("{path}: ")).unwrap_or(&reason);
        io::Error::new(error.kind(), format!("{path} can't be written: {reason}"))
    };
    PgnFile::new(path).map_err(named)
}

pub(super) fn read_book(path: &Path) -> io::Result<Arc<Book>> {
    let named = |error| io::Error::other(format!("{}: {error}", path.display()));
    Book::read(path).map(Arc::new).map_err(named)
}
