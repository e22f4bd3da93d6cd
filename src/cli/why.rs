//! `squarewise why`: shows why a position is evaluated as it is.
//!
//! The position is searched, and the sum of its tables is taken apart on the board, piece by piece and along the best
//! line. With `--move` another move is searched too and compared. The words are those of [`squarewise_desk::why`].

use std::io::{self, Write};
use std::time::Duration;

use clap::Args;
use shakmaty::{Chess, Move};

use super::position_argument::{legal_move, position};
use crate::uci::options::{MAX_HASH_MEGABYTES, Options};
use squarewise_desk::interrupt;
use squarewise_desk::named_tables::NamedTables;
use squarewise_desk::terminal::board::BoardPicture;
use squarewise_desk::terminal::{Style, wrapped};
use squarewise_desk::why::{
    ScoredLine, TEXT_WIDTH, comparison, game_over, line_in_steps, text, verdict,
};
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::game::Game;
use squarewise_engine::score::MAX_PLY;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{SearchRequest, SearchResult, Searcher};

/// The time for each search if no other limit is given, in milliseconds.
const DEFAULT_MOVE_TIME: u64 = 1_000;

/// Shows why a position is evaluated as it is: what decides in one sentence, what each piece adds on its square by
/// each table, and what each move of the best line changes. All values are centipawns, positive if they are good for
/// White.
#[derive(Debug, Args)]
pub struct Why {
    /// The position: a FEN in quotation marks, for Chess960 an X-FEN or a Shredder-FEN, or startpos.
    #[arg(value_name = "FEN", value_parser = position)]
    position: Chess,

    /// Compare this move with the best one: in the notation of books (Nf3) or of UCI (g1f3).
    #[arg(long = "move", value_name = "MOVE")]
    other: Option<String>,

    /// Depth of each search in plies.
    #[arg(long, value_name = "N", conflicts_with_all = ["movetime", "nodes"],
          value_parser = clap::value_parser!(u32).range(1..=MAX_PLY as i64))]
    depth: Option<u32>,

    /// Milliseconds for each search; 1000 if no other limit is given.
    #[arg(long, value_name = "MS", conflicts_with = "nodes",
          value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,

    /// Nodes for each search.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Size of the transposition table in MiB.
    #[arg(long, value_name = "MB", default_value_t = Options::default().hash_megabytes as u32,
          value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_HASH_MEGABYTES)))]
    hash: u32,

    /// The tables to evaluate by: the name of a set, zero, or a file.
    #[arg(long, value_name = "TABLES", default_value = TableSet::default().name())]
    tables: NamedTables,
}

impl Why {
    /// Runs it.
    ///
    /// # Errors
    ///
    /// If the other move is not legal, there is no memory for the transposition table, the output can't be written, or
    /// an interruption leaves nothing to compare the other move with.
    pub fn run(&self, mut output: impl Write, style: Style) -> io::Result<()> {
        let game = Game::new(self.position.clone());
        let tables = &self.tables.tables;
        let other = self.other.as_deref().map(|text| self.other_move(text));
        let other = other.transpose()?;
        let picture = BoardPicture {
            position: game.position(),
            orientation: shakmaty::Color::White,
            last_move: None,
        };
        write_lines(&mut output, &picture.lines(style))?;
        writeln!(output)?;
        if game_over(&game).is_some() {
            return write_lines(&mut output, &text(&game, tables, &[], style));
        }
        let stop = interrupt::stop_token()?;
        let mut searcher = Searcher::new(self.hash as usize)
            .map_err(|error| io::Error::new(io::ErrorKind::OutOfMemory, error))?;
        let best = self.search(&mut searcher, &game, Vec::new(), &stop);
        let of_other = other.map(|m| match best.best_move() == Some(m) {
            true => best.clone(),
            false => self.search(&mut searcher, &game, vec![m], &stop),
        });

        write_lines(&mut output, &text(&game, tables, &best.info.pv, style))?;
        writeln!(output)?;
        write_sentences(&mut output, &verdict(&game, tables, scored(&best)))?;
        if let Some(of_other) = of_other {
            if stop.is_requested() && of_other.best_move() != best.best_move() {
                return Err(io::Error::other(
                    "interrupted before both moves were searched alike",
                ));
            }
            writeln!(output)?;
            let lines = comparison(&game, tables, scored(&best), scored(&of_other));
            lines
                .iter()
                .try_for_each(|line| write_sentences(&mut output, line))?;
            if of_other.best_move() != best.best_move() {
                write_lines(
                    &mut output,
                    &line_in_steps(&game, tables, &of_other.info.pv, style),
                )?;
            }
        }
        Ok(())
    }

    fn other_move(&self, text: &str) -> io::Result<Move> {
        let reason = || io::Error::other(format!("{text} is not a legal move in this position"));
        legal_move(text, &self.position).ok_or_else(reason)
    }

    /// Searches the position, restricted to these moves unless there are none.
    fn search(
        &self,
        searcher: &mut Searcher,
        game: &Game,
        search_moves: Vec<Move>,
        stop: &StopToken,
    ) -> SearchResult {
        let has_limit = self.depth.is_some() || self.nodes.is_some();
        let default_time = (!has_limit).then_some(DEFAULT_MOVE_TIME);
        let limits = Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.movetime.or(default_time).map(Duration::from_millis),
            search_moves,
            ..Limits::default()
        };
        let request = SearchRequest {
            stop: stop.clone(),
            ..SearchRequest::new(limits)
        };
        searcher.search(game, request, &mut |_| ())
    }
}

fn scored(result: &SearchResult) -> ScoredLine<'_> {
    ScoredLine {
        score: result.score(),
        depth: result.info.depth,
        moves: &result.info.pv,
    }
}

fn write_sentences(output: &mut impl Write, text: &str) -> io::Result<()> {
    write_lines(output, &wrapped(text, TEXT_WIDTH))
}

fn write_lines(output: &mut impl Write, lines: &[String]) -> io::Result<()> {
    lines.iter().try_for_each(|line| writeln!(output, "{line}"))
}
