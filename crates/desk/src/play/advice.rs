//! What a person asks the adviser: a hint, and why the position is evaluated as it is.
//!
//! The adviser is this engine at full strength beside the board. It also evaluates where no engine
//! plays.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::notation::play_in_san;
use shakmaty::Move;

use super::arbiter::{Arbiter, Thought};
use super::scene::Scene;
use super::session::Session;
use crate::pgn::shown_score;
use crate::search_thread::{SearchNews, SearchThread};
use crate::why::{self, Effort, Page, ScoredLine};
use squarewise_engine::evaluation::tables_of;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::{SearchRequest, SearchResult};

/// The moves of a line that a hint shows.
const SHOWN_MOVES: usize = 6;

/// The size of the adviser's transposition table, in MiB.
const HASH_MEGABYTES: usize = 16;

/// How long it thinks about a hint.
const HINT_TIME: Duration = Duration::from_millis(700);

/// How much it thinks about a position for the evaluation beside the board, in nodes: a few
/// hundredths of a second.
const GLANCE_NODES: u64 = 20_000;

/// How often to look whether it is to go on.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

impl<W: Write> Session<W> {
    pub(super) fn hint(&mut self) -> io::Result<()> {
        let (adviser, arbiter, keep_going) = self.adviser();
        let Some(result) = answer(adviser, arbiter.game(), &[], Effort::Full, keep_going)? else {
            return Ok(());
        };
        let thought = Thought::from(&result).of_white(arbiter.turn());
        let mut position = arbiter.position().clone();
        let moves = result.info.pv.iter().take(SHOWN_MOVES);
        let line: Vec<String> = moves
            .map(|m| play_in_san(&mut position, *m).to_string())
            .collect();
        let first = line.first().map_or("", String::as_str);
        let score = shown_score(thought.score);
        let mut hint = format!("{first} ({score}, depth {})", thought.depth);
        if let [_, then @ ..] = line.as_slice()
            && !then.is_empty()
        {
            hint.push_str(&format!(", and then perhaps {}", then.join(" ")));
        }
        self.say(&hint);
        Ok(())
    }

    /// Shows why the position is evaluated as it is.
    pub(super) fn why(&mut self) -> io::Result<()> {
        let (adviser, arbiter, keep_going) = self.adviser();
        let mut failure = None;
        let mut search = |game: &Game, moves: &[Move], effort: Effort| {
            let result = answer(adviser, game, moves, effort, keep_going);
            let result = result.unwrap_or_else(|error| {
                failure = Some(error);
                None
            });
            result.as_ref().map(ScoredLine::from)
        };
        let tables = tables_of(arbiter.position().variant());
        let advice = why::advice(arbiter.game(), &tables, None, &mut search);
        if let Some(error) = failure {
            return Err(error);
        }
        if let Some(advice) = advice {
            let page = Page {
                style: self.display.style(),
                columns: self.display.columns().saturating_sub(1).min(80),
                rows: None,
            };
            self.rest = page.lines(self.scene.arbiter.game(), &tables, &advice);
            self.turn_page();
        }
        Ok(())
    }

    /// The adviser, the game that it is asked about, and whether it may think on: the time of the
    /// person and of the program is not over.
    fn adviser(
        &mut self,
    ) -> (
        &mut Option<SearchThread>,
        &Arbiter,
        impl Fn() -> bool + Copy,
    ) {
        let (stop, arbiter) = (&self.stop, &self.scene.arbiter);
        let keep_going = || !stop.is_requested() && !arbiter.clock().is_out_of_time(Instant::now());
        (&mut self.adviser, arbiter, keep_going)
    }

    /// Shows as much of the rest of a long text as fits on the screen.
    pub(super) fn turn_page(&mut self) {
        let length = self.display.page_length();
        if self.rest.len() <= length {
            self.message = std::mem::take(&mut self.rest);
            return;
        }
        // On the lowest screen, too, each page shows something.
        let rest = self.rest.split_off((length - 1).max(1));
        self.message = std::mem::replace(&mut self.rest, rest);
        self.say("Enter shows the rest.");
    }

    /// Lets the adviser look at the position if the evaluation is shown and no player knows what to
    /// think of it. What it thinks of the move of a weak engine is written down with the game.
    pub(super) fn look_at_position(&mut self) -> io::Result<()> {
        if self.scene.has_trusted_evaluation() || !self.scene.shows_evaluation {
            // The one of an earlier position says nothing of this.
            self.scene.glance = None;
            return Ok(());
        }
        let Scene {
            arbiter,
            players,
            glance,
            ..
        } = &mut self.scene;
        let turn = arbiter.turn();
        let game = arbiter.game();
        let result = answer(&mut self.adviser, game, &[], Effort::Aside, || true)?;
        *glance = result.map(|result| Thought::from(&result).of_white(turn));
        if let Some(thought) = glance.filter(|_| !players.get(!turn).is_person()) {
            arbiter.judge_last_move(thought.of_white(!turn));
        }
        Ok(())
    }
}

/// Lets the adviser, which is started when it is asked for the first time, think about a position
/// and these moves, all if there are none: as long as a person waits, or at a glance. `None` if
/// `keep_going` says no before the end, or the search fails.
fn answer(
    adviser: &mut Option<SearchThread>,
    game: &Game,
    search_moves: &[Move],
    effort: Effort,
    mut keep_going: impl FnMut() -> bool,
) -> io::Result<Option<SearchResult>> {
    let limits = Limits {
        move_time: (effort == Effort::Full).then_some(HINT_TIME),
        nodes: (effort == Effort::Aside).then_some(GLANCE_NODES),
        search_moves: search_moves.to_vec(),
        ..Limits::default()
    };
    let searches = match adviser {
        Some(searches) => searches,
        None => adviser.insert(SearchThread::start(HASH_MEGABYTES, 1)?),
    };
    let request = SearchRequest {
        asked_at: Instant::now(),
        ..SearchRequest::of_variant(game.position().variant(), limits)
    };
    searches.search(None, game, request)?;
    loop {
        match searches.wait(POLL_INTERVAL) {
            Some(SearchNews::Done(result, _)) => return Ok(Some(*result)),
            Some(SearchNews::Failed(_)) => return Ok(None),
            Some(SearchNews::Info(_)) | None => {}
        }
        if !keep_going() {
            searches.stop();
            return Ok(None);
        }
    }
}
