//! What a person asks the adviser: a hint, and why the position is evaluated as it is.

use std::io::{self, Write};
use std::time::Instant;

use crate::notation::play_in_san;
use shakmaty::Move;
use squarewise_engine::position::variant_position::VariantPosition;

use super::adviser::Adviser;
use super::arbiter::{Arbiter, Thought};
use super::scene::Scene;
use super::session::Session;
use crate::pgn::shown_score;
use crate::why::{self, Effort, Page, ScoredLine};
use squarewise_engine::evaluation::tables_of;
use squarewise_engine::position::game::Game;

/// The moves of a line that a hint shows.
const SHOWN_MOVES: usize = 6;

impl<W: Write> Session<W> {
    pub(super) fn hint(&mut self) -> io::Result<()> {
        let (adviser, arbiter, keep_going) = self.adviser();
        let Some(result) = adviser.answer(arbiter.game(), &[], Effort::Full, keep_going)? else {
            return Ok(());
        };
        let thought = Thought::from(&result).of_white(arbiter.turn());
        let line = san_line(arbiter.position(), &result.info.pv);
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
            let answer = adviser.answer(game, moves, effort, keep_going);
            let result = answer.unwrap_or_else(|error| {
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
    fn adviser(&mut self) -> (&mut Adviser, &Arbiter, impl Fn() -> bool + Copy) {
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
        let result = self
            .adviser
            .answer(arbiter.game(), &[], Effort::Aside, || true)?;
        *glance = result.map(|result| Thought::from(&result).of_white(turn));
        if let Some(thought) = glance.filter(|_| !players.get(!turn).is_person()) {
            arbiter.judge_last_move(thought.of_white(!turn));
        }
        Ok(())
    }
}

/// The first moves of a line in SAN.
fn san_line(position: &VariantPosition, line: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let moves = line.iter().take(SHOWN_MOVES);
    moves
        .map(|m| play_in_san(&mut position, *m).to_string())
        .collect()
}
