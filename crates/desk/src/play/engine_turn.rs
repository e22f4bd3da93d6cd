//! The turn of an engine: it thinks, and a person who waits for it can type meanwhile.

use std::io::{self, Write};
use std::thread;
use std::time::{Duration, Instant};

use super::ending::Failure;
use super::player::{Answer, Turn};
use super::scene::Scene;
use super::session::Session;

/// The time after which a weak engine answers a person at a terminal.
const THINKING_PAUSE: Duration = Duration::from_secs(1);

impl<W: Write> Session<W> {
    pub(super) fn engine_turn(&mut self) -> io::Result<()> {
        let name = self.scene.player_to_move().name().to_owned();
        self.say(&format!("{name} is thinking."));
        self.is_hurried = false;
        let started_at = Instant::now();
        self.scene.arbiter.start_clock(started_at);
        let mut news = self.ask_engine(started_at).map(|()| None);
        let earliest = started_at + self.thinking_pause(started_at);
        if self.is_at_terminal() {
            self.ask();
        }
        if self.display.is_live() {
            self.show()?;
        }
        let mut answer = None;
        loop {
            let now = Instant::now();
            match news {
                Ok(None) => {}
                Ok(Some(found)) => answer = Some(found),
                Err(failure) => {
                    self.stop_engine();
                    self.scene.arbiter.fail(failure, now);
                    return Ok(());
                }
            }
            if let Some(answer) = answer.filter(|_| self.is_hurried || now >= earliest) {
                return self.play_answer(answer, earliest.min(now));
            }
            if self.end_if_due(now) || self.obey_keyboard()? {
                self.stop_engine();
                return Ok(());
            }
            self.tick()?;
            let time = self.time_to_wait(now);
            news = if answer.is_none() {
                self.wait_for_engine(time)
            } else {
                thread::sleep(time.min(earliest.saturating_duration_since(now)));
                Ok(None)
            };
        }
    }

    /// Plays the move of an engine, which took time at least until a moment.
    fn play_answer(&mut self, answer: Answer, earliest: Instant) -> io::Result<()> {
        let Answer { m, at, thought } = answer;
        let count = self.scene.arbiter.moves().len();
        self.scene.arbiter.play(m, thought, at.max(earliest));
        if self.scene.arbiter.moves().len() > count {
            self.after_move()?;
        }
        Ok(())
    }

    /// How long an engine waits with its answer to a person at a terminal, if it plays below its
    /// strength or in the style of a player who thinks for so long.
    fn thinking_pause(&mut self, now: Instant) -> Duration {
        if !self.is_at_terminal() {
            return Duration::ZERO;
        }
        let arbiter = &self.scene.arbiter;
        let left = arbiter.clock().remaining(arbiter.turn(), now);
        let player = self.scene.player_to_move();
        let usual = if player.is_weakened() {
            THINKING_PAUSE
        } else {
            Duration::ZERO
        };
        player.thinking_pause(usual, left)
    }

    fn ask_engine(&mut self, started_at: Instant) -> Result<(), Failure> {
        let Scene {
            arbiter, players, ..
        } = &mut self.scene;
        let turn = Turn {
            arbiter,
            control: arbiter.clock().control(),
            started_at,
            is_against_person: players.get(!arbiter.turn()).is_person(),
        };
        let engine = players.get_mut(arbiter.turn()).engine();
        engine.map_or(Ok(()), |engine| engine.go(&turn))
    }

    fn wait_for_engine(&mut self, time: Duration) -> Result<Option<Answer>, Failure> {
        let engine = self.scene.player_to_move().engine();
        engine.map_or(Ok(None), |engine| engine.wait(time))
    }

    pub(super) fn stop_engine(&mut self) {
        if let Some(engine) = self.scene.player_to_move().engine() {
            engine.stop();
        }
    }
}
