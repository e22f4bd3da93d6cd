//! What commands ask to be set up: options, positions, and the limits of a search.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Color, Position, PositionError, PositionErrorKinds};

use super::Engine;
use super::command::Start;
use super::go::Go;
use super::options::{OptionError, Setting};
use crate::evaluation::Tables;
use crate::evaluation::file::{Document, ReadError};
use crate::position::game::Game;
use crate::search::limits::{Limits, PlayerClock};
use crate::search::transposition_table::AllocationError;

/// Why something can't be set up. Everything stays as it was.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// There is no such option, or it doesn't take the value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// The position breaks the rules.
    #[error("{reason}{hint} '{fen}'")]
    IllegalPosition {
        /// What shakmaty says about it.
        reason: String,
        /// What may be the matter, or nothing.
        hint: &'static str,
        /// The position.
        fen: String,
    },
    /// The position belongs to another game.
    #[error("this is a chess variant's position, not chess '{0}'")]
    Variant(String),
    /// A move breaks the rules.
    #[error("illegal move '{word}', number {number} in the list")]
    IllegalMove {
        /// The move.
        word: UciMove,
        /// Its place in the list, from 1.
        number: usize,
    },
    /// The table would not fit.
    #[error("Hash stays as it is: {0}")]
    Hash(#[from] AllocationError),
    /// The file can't be read, or holds no tables.
    #[error("the tables stay as they are: '{path}': {error}")]
    TablesFile {
        /// The file.
        path: String,
        /// Why not.
        error: ReadError,
    },
    /// The log can't be written.
    #[error("Debug Log File stays as it is: '{path}': {error}")]
    DebugLog {
        /// The file.
        path: String,
        /// What the operating system says.
        error: io::Error,
    },
}

impl<W> Engine<W> {
    /// Makes a change that an option asks for.
    pub(super) fn apply(&mut self, setting: Setting) -> Result<(), SetupError> {
        match setting {
            Setting::Hash(megabytes) => {
                if let Some(searcher) = &mut self.searcher {
                    searcher.resize_hash(megabytes)?;
                }
            }
            Setting::ClearHash => self.clear_hash(),
            Setting::Threads(_) | Setting::Ponder(_) => {}
            Setting::MoveOverhead(overhead) => self.move_overhead = overhead,
            Setting::Chess960(is_on) => self.castling_mode = CastlingMode::from_chess960(is_on),
            Setting::Tables(set) => {
                self.table_set = set;
                self.judge_by(set.tables());
            }
            Setting::TablesFile(None) => self.judge_by(self.table_set.tables()),
            Setting::TablesFile(Some(path)) => {
                let document = Document::read(&path).map_err(|error| SetupError::TablesFile {
                    path: path.display().to_string(),
                    error,
                })?;
                tracing::info!("tables of {}: {}", path.display(), document.provenance);
                self.judge_by(Arc::new(document.tables));
            }
            #[cfg(feature = "tuning")]
            Setting::Parameter(parameter, value) => parameter.set(value),
            Setting::DebugLogFile(None) => self.debug_log.close(),
            Setting::DebugLogFile(Some(path)) => {
                self.debug_log
                    .open(&path)
                    .map_err(|error| SetupError::DebugLog {
                        path: path.display().to_string(),
                        error,
                    })?;
            }
        }
        Ok(())
    }

    /// Takes other tables up. Scores by the old ones have no place among the new.
    fn judge_by(&mut self, tables: Arc<Tables>) {
        self.clear_hash();
        self.game.set_tables(Arc::clone(&tables));
        self.tables = tables;
    }

    fn clear_hash(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.clear_hash();
        }
    }

    /// The game that a `position` command describes.
    pub(super) fn set_up(&self, start: Start, moves: &[UciMove]) -> Result<Game, SetupError> {
        let mut game = Game::new(self.first_position(start)?, Arc::clone(&self.tables));
        for (index, word) in moves.iter().enumerate() {
            let m = word
                .to_move(game.position())
                .map_err(|_| SetupError::IllegalMove {
                    word: *word,
                    number: index + 1,
                })?;
            game.play(m);
        }
        Ok(game)
    }

    fn first_position(&self, start: Start) -> Result<Chess, SetupError> {
        let fen = match start {
            Start::Standard => Fen::default(),
            Start::Fen(fen) => fen,
        };
        if fen.as_setup().pockets.is_some() || fen.as_setup().remaining_checks.is_some() {
            return Err(SetupError::Variant(fen.to_string()));
        }
        fen.clone()
            .into_position(self.castling_mode)
            .map_err(|error: PositionError<Chess>| SetupError::IllegalPosition {
                reason: error.to_string(),
                hint: self.castling_hint(error.kinds()),
                fen: fen.to_string(),
            })
    }

    fn castling_hint(&self, reasons: PositionErrorKinds) -> &'static str {
        let is_about_castling = reasons.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS);
        if is_about_castling && self.castling_mode.is_standard() {
            " (is this Chess960, and UCI_Chess960 not set?)"
        } else {
            ""
        }
    }

    /// What the words after `go` mean for the side to move.
    pub(super) fn limits(&self, go: &Go) -> Limits {
        let position = self.game.position();
        let (time, increment) = match position.turn() {
            Color::White => (go.white_time, go.white_increment),
            Color::Black => (go.black_time, go.black_increment),
        };
        // A clock that is told for the other side only is an empty one for ours.
        let has_clock = go.white_time.is_some() || go.black_time.is_some();
        let clock = has_clock.then(|| PlayerClock {
            remaining: millis(time.unwrap_or(0)),
            increment: millis(increment.unwrap_or(0)),
            moves_to_go: go.moves_to_go.map(at_least_one),
        });
        Limits {
            clock,
            move_time: go.move_time.map(millis),
            depth: go.depth.map(at_least_one),
            nodes: go.nodes.map(|nodes| nodes.max(0).unsigned_abs()),
            mate: go.mate.map(at_least_one),
            search_moves: go
                .search_moves
                .iter()
                .filter_map(|m| m.to_move(position).ok())
                .collect(),
        }
    }
}

/// Milliseconds as a span of time; less than none is none.
fn millis(millis: i64) -> Duration {
    Duration::from_millis(millis.max(0).unsigned_abs())
}

/// A count that makes no sense below one.
fn at_least_one(number: i64) -> u32 {
    u32::try_from(number.max(1)).unwrap_or(u32::MAX)
}
