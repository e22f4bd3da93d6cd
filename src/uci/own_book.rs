//! The engine's own opening book, and that of a player's style: when it is asked, and how its move
//! is sent.
//!
//! A book move answers `go` at once, without a search and without a move to ponder on. As in the
//! versions of Stockfish that had a book, it is for play under a clock or another limit:
//! `go infinite`, `go mate`, `go ponder` and every `go` under `UCI_AnalyseMode` search.

use std::io::{self, Write};
use std::time::Instant;

use shakmaty::{Move, Position};

use super::engine::Engine;
use super::error::SetupError;
use super::go::Go;
use super::options::Options;
use super::response;
use squarewise_desk::openings::common_moves_at;
use squarewise_engine::book::{self, Book, BookMove};
use squarewise_engine::score::Score;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::strength::Level;
use squarewise_engine::search::{Fallback, SearchResult};

impl<W: Write> Engine<W> {
    /// Answers `go` with a book move. Returns whether there was one.
    pub(super) fn play_from_book(
        &mut self,
        go: &Go,
        limits: &Limits,
        read_at: Instant,
    ) -> io::Result<bool> {
        if go.ponder || !self.is_for_play(go, limits) {
            return Ok(false);
        }
        let mut moves = self.book_moves(limits);
        let is_best_wanted = self.options.best_book_move && !moves.is_empty();
        if moves.is_empty() {
            moves = self.common_moves(limits);
        }
        let chosen = if is_best_wanted {
            book::best(&moves)
        } else {
            book::draw(&moves, &mut self.random)
        };
        let Some(BookMove { m, weight }) = chosen else {
            return Ok(false);
        };
        self.send(&response::book_move(weight, book::total_weight(&moves)))?;
        let mut result =
            SearchResult::from(Fallback::new(self.game.position(), &self.tables, &[m]));
        result.info.depth = 1;
        result.info.selective_depth = 1;
        result.info.score = self.score_after(m);
        result.info.time = read_at.elapsed();
        self.send_result(&result)?;
        Ok(true)
    }

    /// The book moves from which to choose, those that `searchmoves` allows: of the player's style,
    /// or else of the own book if it is to be used.
    fn book_moves(&self, limits: &Limits) -> Vec<BookMove> {
        let position = self.game.position();
        if position.fullmoves().get() as usize > self.options.book_depth {
            return Vec::new();
        }
        let of_style = self.style.as_ref().and_then(|style| style.book.as_ref());
        let own = self.book.as_ref().filter(|_| self.options.own_book);
        let books = [of_style, own].into_iter().flatten();
        books
            .map(|book| only_searched(book.moves_in_game(&self.game), limits))
            .find(|moves| !moves.is_empty())
            .unwrap_or_default()
    }

    /// The moves of people in an opening, for a level of weaker play that still knows them: it
    /// plays as people of its strength begin a game, and not always the same.
    fn common_moves(&self, limits: &Limits) -> Vec<BookMove> {
        let level = self.options.elo_limit().map(Level::of_elo);
        only_searched(common_moves_at(level, &self.game), limits)
    }

    /// The score after a move, for the side that makes it: mate, a draw, or the static evaluation.
    fn score_after(&self, m: Move) -> Score {
        let mut after = self.game.recent();
        after.play(m);
        if after.position().is_checkmate() {
            Score::mate_in(1)
        } else if after.position().is_stalemate() || after.is_draw(1) {
            Score::DRAW
        } else {
            -self.tables.evaluate(after.position())
        }
    }
}

/// Without those that `searchmoves` leaves out.
fn only_searched(mut moves: Vec<BookMove>, limits: &Limits) -> Vec<BookMove> {
    moves.retain(|book_move| limits.allows(book_move.m));
    moves
}

/// The book that the options ask for; `None` if they name no file.
pub(super) fn load(options: &Options) -> Result<Option<Book>, SetupError> {
    let Some(path) = &options.book_file else {
        return Ok(None);
    };
    let book = Book::read(path).map_err(|error| SetupError::BookFile {
        path: path.display().to_string(),
        error,
    })?;
    tracing::info!("book {}: {} entries", path.display(), book.len());
    Ok(Some(book))
}
