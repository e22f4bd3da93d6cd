//! What a person asks the adviser: a hint, and why the position is evaluated as it is.

use std::io::{self, Write};
use std::time::Instant;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move};

use super::arbiter::Thought;
use super::scene::Scene;
use super::session::Session;
use crate::pgn::shown_score;
use crate::why::{self, Effort, Page, ScoredLine};
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::SearchResult;

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
        let Session {
            adviser,
            scene: Scene { arbiter, .. },
            stop,
            ..
        } = self;
        let keep_going = || !stop.is_requested() && !arbiter.clock().is_out_of_time(Instant::now());
        let mut failure = None;
        let mut search = |game: &Game, moves: &[Move], effort: Effort| {
            let answer = adviser.answer(game, moves, effort, keep_going);
            let result = answer.unwrap_or_else(|error| {
                failure = Some(error);
                None
            });
            result.as_ref().map(ScoredLine::from)
        };
        let tables = TableSet::default().tables();
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

    /// Lets the adviser think about the position. `None` if the time of the person or the program
    /// is over.
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

    /// Lets the adviser look at the position if the evaluation is shown and no player knows what to
    /// think of it. What it thinks of the move of a weak engine is written down with the game.
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
