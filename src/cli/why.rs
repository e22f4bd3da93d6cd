//! `squarewise why`: says why a position, or a move, is good or bad.
//!
//! The words are those of [`squarewise_desk::why`]; here are the searches behind them.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use shakmaty::Move;

use super::position_argument::{RulesArgument, position_text};
use super::search_arguments::SearchArguments;
use super::tablebases;
use crate::styles;
use squarewise_desk::interrupt;
use squarewise_desk::mimic::{people, preference};
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::slips::read_move;
use squarewise_desk::terminal::{Style, printable, screen_size};
use squarewise_desk::why::{Effort, Page, ScoredLine, advice};
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::search::SearchRequest;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::style::search_lines;

/// The time for each search if no other limit is given.
const DEFAULT_MOVE_TIME: Duration = Duration::from_millis(1_500);

/// A question on the side gets this part of the limit.
const ASIDE_DIVISOR: u32 = 4;

/// The columns and rows of a terminal that doesn't tell its size.
const DEFAULT_SIZE: (usize, usize) = (80, 24);

/// Says in chess words why a position or a move is good or bad: what decides, what the best move
/// does, and why another move is worse. Below that stand the numbers, as many as fit on the screen.
/// Without a limit a search takes 1500 milliseconds, and one on the side a quarter of that.
#[derive(Debug, Args)]
pub struct Why {
    /// The position: a FEN in quotation marks, for Chess960 an X-FEN or a Shredder-FEN, or
    /// startpos.
    #[arg(value_name = "FEN", value_parser = position_text)]
    position: String,

    #[command(flatten)]
    rules: RulesArgument,

    /// Compare this move with the best one: in the notation of books (Nf3) or of UCI (g1f3).
    #[arg(long = "move", value_name = "MOVE")]
    other: Option<String>,

    #[command(flatten)]
    search: SearchArguments,

    /// The tables to evaluate by: the name of a set or of a variant, zero, or a file.
    #[arg(long, value_name = "TABLES", default_value = TableSet::default().name())]
    tables: NamedTables,

    /// Directories with endgame tablebases, separated as in PATH.
    #[arg(long, value_name = "PATH")]
    syzygy: Option<OsString>,

    /// Also say what the player of this style would choose, and why: a name such as Tal, or a file.
    #[arg(long, value_name = "NAME|FILE")]
    style: Option<PathBuf>,

    /// Show all numbers: what each table adds for each piece, and what each move of the line
    /// changes.
    #[arg(long)]
    full: bool,
}

impl Why {
    /// Runs it. Fails if a style or tablebases are asked for in a variant, the other move isn't
    /// legal, the tablebases can't be read, there is no memory, or it is interrupted.
    pub fn run(&self, mut output: impl Write, style: Style) -> io::Result<()> {
        if self.rules.variant != Variant::Chess {
            let given = [
                ("--style", self.style.is_some()),
                ("--syzygy", self.syzygy.is_some()),
            ];
            if let Some((name, _)) = given.iter().find(|(_, is_given)| *is_given) {
                let reason = format!("{name} is for chess, not for a variant");
                return Err(io::Error::other(reason));
            }
        }
        let position = self.rules.position(&self.position)?;
        let tables = self.tables.for_variant(self.rules.variant);
        let other = self.other.as_deref().map(|text| {
            let read = read_move(text, &position);
            let read = read.unwrap_or_else(|| Err(format!("{text} is not a move")));
            read.map_err(io::Error::other)
        });
        let other = other.transpose()?;
        let game = Game::new(position);
        let tablebases = tablebases::load(self.syzygy.as_deref())?;
        let player = self.style.as_deref().map(styles::read).transpose()?;
        let stop = interrupt::stop_token()?;
        let mut searcher = self.search.searcher()?;
        let request = |limits| SearchRequest {
            stop: stop.clone(),
            tables: Arc::clone(&tables),
            tablebases: tablebases.clone(),
            ..SearchRequest::new(limits)
        };
        // What a first search has found is worth showing when it is interrupted.
        let mut is_first = true;
        let mut search = |game: &Game, moves: &[Move], effort: Effort| {
            let request = request(self.limits(moves, effort));
            let result = searcher.search(game, request, &mut |_| ());
            let counts = std::mem::replace(&mut is_first, false) || !stop.is_requested();
            counts.then(|| ScoredLine::from(&result))
        };
        let Some(advice) = advice(&game, &tables, other, &mut search) else {
            return Err(io::Error::other(
                "interrupted before both moves were searched alike",
            ));
        };
        tablebases::tell_damage(tablebases.as_deref());
        let (columns, rows) = screen_size().unwrap_or(DEFAULT_SIZE);
        let page = Page {
            style,
            columns: columns.min(DEFAULT_SIZE.0),
            rows: (!self.full).then_some(rows),
        };
        let mut lines = page.lines(&game, &tables, &advice).into_iter();
        lines.try_for_each(|line| writeln!(output, "{line}"))?;
        fail_if_interrupted(&stop)?;
        // A game can be over though there are moves.
        let Some(player) = player.filter(|_| advice.best.is_some()) else {
            return Ok(());
        };
        let mut told = preference::openings(&game, &player);
        if told.is_empty() {
            let request = request(self.limits(&[], Effort::Full));
            let found = search_lines(&mut searcher, &game, request);
            tablebases::tell_damage(tablebases.as_deref());
            told = preference::lines(&game, &found, &player, people());
        }
        for line in told {
            writeln!(output, "{}", printable(&line))?;
        }
        fail_if_interrupted(&stop)
    }

    /// The limits of a search, restricted to these moves unless there are none. A question aside
    /// gets a part of the nodes or the time.
    fn limits(&self, moves: &[Move], effort: Effort) -> Limits {
        let limits = self.search.limits_or(DEFAULT_MOVE_TIME);
        let divisor = match effort {
            Effort::Full => 1,
            Effort::Aside => ASIDE_DIVISOR,
        };
        Limits {
            nodes: limits
                .nodes
                .map(|nodes| (nodes / u64::from(divisor)).max(1)),
            move_time: limits.move_time.map(|time| time / divisor),
            search_moves: moves.to_vec(),
            ..limits
        }
    }
}

/// An interruption is an error, though what was found by then was shown.
fn fail_if_interrupted(stop: &StopToken) -> io::Result<()> {
    if stop.is_requested() {
        return Err(io::Error::other("interrupted before the search was over"));
    }
    Ok(())
}
