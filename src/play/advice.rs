//! The adviser: this engine at full strength beside the board. A person asks it for a hint, or why the position is
//! evaluated as it is, and it evaluates where no engine plays.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move};

use super::player::Thought;
use super::scene::Scene;
use super::search_thread::{SearchNews, SearchThread};
use super::session::Session;
use crate::pgn::shown_score;
use crate::position::game::Game;
use crate::search::limits::Limits;
use crate::search::{SearchRequest, SearchResult};
use crate::terminal::wrapped;
use crate::why;

/// The size of its transposition table, in MiB.
const HASH_MEGABYTES: usize = 16;

/// How long it thinks about a hint.
const HINT_TIME: Duration = Duration::from_millis(700);

/// How much it thinks about a position for the evaluation beside the board, in nodes: a few hundredths of a second.
const GLANCE_NODES: u64 = 20_000;

/// How often to look whether it is to go on.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The adviser. Its search is started when it is asked for the first time.
#[derive(Default)]
pub struct Adviser {
    searches: Option<SearchThread>,
}

impl Adviser {
    /// Thinks about a position as long as a person waits. `None` if `keep_going` says no before the end, or the search
    /// fails.
    pub fn think(
        &mut self,
        game: &Game,
        keep_going: impl FnMut() -> bool,
    ) -> io::Result<Option<SearchResult>> {
        let limits = Limits {
            move_time: Some(HINT_TIME),
            ..Limits::default()
        };
        self.search(game, limits, keep_going)
    }

    /// Has a short look at a position.
    pub fn glance(&mut self, game: &Game) -> io::Result<Option<SearchResult>> {
        self.search(game, Limits::nodes(GLANCE_NODES), || true)
    }

    fn search(
        &mut self,
        game: &Game,
        limits: Limits,
        mut keep_going: impl FnMut() -> bool,
    ) -> io::Result<Option<SearchResult>> {
        let searches = match &mut self.searches {
            Some(searches) => searches,
            None => self
                .searches
                .insert(SearchThread::start(HASH_MEGABYTES, 1)?),
        };
        let request = SearchRequest {
            asked_at: Instant::now(),
            ..SearchRequest::new(game.recent(), limits)
        };
        searches.search(request, false);
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
}

/// The moves of a line that a hint shows.
const SHOWN_MOVES: usize = 6;

impl<W: Write> Session<W> {
    pub(super) fn hint(&mut self) -> io::Result<()> {
        let Some(result) = self.advice()? else {
            return Ok(());
        };
        let line = san_line(self.scene.arbiter.position(), &result.info.pv);
        let score = self
            .scene
            .arbiter
            .turn()
            .fold_wb(result.score(), -result.score());
        let (first, then) = line
            .split_first()
            .map_or(("", &[] as &[String]), |(first, rest)| {
                (first.as_str(), rest)
            });
        let mut hint = format!(
            "{first} ({}, depth {})",
            shown_score(score),
            result.info.depth
        );
        if !then.is_empty() {
            hint.push_str(&format!(", and then perhaps {}", then.join(" ")));
        }
        self.say(&hint);
        Ok(())
    }

    /// Shows why the position is evaluated as it is.
    pub(super) fn why(&mut self) -> io::Result<()> {
        if let Some(result) = self.advice()? {
            let style = self.display.style();
            let text = why::text(self.scene.arbiter.game(), &result.info.pv, style);
            // Tables keep their lines, and sentences are broken between words.
            let columns = self.display.columns();
            let is_table = |line: &str| line.contains("  ") || !self.display.is_live();
            let lines = text.into_iter().flat_map(|line| match is_table(&line) {
                true => vec![line],
                false => wrapped(&line, columns.saturating_sub(1)),
            });
            self.rest = lines.collect();
            self.turn_page();
        }
        Ok(())
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

    /// Lets the adviser think about the position. `None` if the time of the person or the program is over.
    fn advice(&mut self) -> io::Result<Option<SearchResult>> {
        let Session {
            adviser,
            scene: Scene { arbiter, .. },
            stop,
            ..
        } = self;
        let keep_going = || !stop.is_requested() && !arbiter.clock().is_out_of_time(Instant::now());
        adviser.think(arbiter.game(), keep_going)
    }

    /// Lets the adviser look at the position if the evaluation is shown and no player knows what to think of it. What it
    /// thinks of the move of a weak engine is written down with the game.
    pub(super) fn look_at_position(&mut self) -> io::Result<()> {
        if self.scene.has_trusted_evaluation() || !self.scene.shows_evaluation {
            return Ok(());
        }
        let turn = self.scene.arbiter.turn();
        let result = self.adviser.glance(self.scene.arbiter.game())?;
        let glance = result.map(|result| Thought {
            score: -result.score(),
            depth: result.info.depth,
        });
        self.scene.glance = glance.map(|thought| (thought.white_score(!turn), thought.depth));
        if let Some(thought) = glance.filter(|_| !self.scene.players.get(!turn).is_person()) {
            self.scene.arbiter.judge_last_move(thought);
        }
        Ok(())
    }
}

/// The first moves of a line in SAN.
fn san_line(position: &Chess, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let moves = line.iter().take(SHOWN_MOVES);
    moves
        .map(|m| SanPlus::from_move_and_play_unchecked(&mut position, *m).to_string())
        .collect()
}
