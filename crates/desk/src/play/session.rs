//! A game from the first move to the last: asks the players in turn, shows the game, and ends it in order.
//!
//! One loop waits for the player whose turn it is and watches three things meanwhile: the clock, the stop signal of the
//! program, and what is to be shown. The turn of a person is in `person_turn`.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use shakmaty::{ByColor, Chess, Color};

use super::adviser::Adviser;
use super::arbiter::Arbiter;
use super::clock::{self, TimeControl};
use super::console::Console;
use super::display::{Display, move_line};
use super::ending::{Failure, Reason};
use super::player::{Answer, Player, Turn};
use super::record;
use super::scene::Scene;
use crate::pgn::{GameRecord, shown_score};
use crate::terminal::wrapped;
use squarewise_engine::evaluation::Tables;
use squarewise_engine::search::stop::StopToken;

/// How often to look at the clock and the stop signal, and to draw the screen anew while an engine thinks.
pub(super) const TICK: Duration = Duration::from_millis(100);

/// What a game begins with.
pub struct GameSetup {
    /// The players.
    pub players: ByColor<Player>,
    /// The first position.
    pub start: Chess,
    /// How the time is limited.
    pub control: TimeControl,
    /// The tables of the evaluation that is shown and explained.
    pub tables: Arc<Tables>,
    /// Whether the board is turned round.
    pub is_flipped: bool,
}

/// A game with everything around it.
pub struct Session<W: Write> {
    pub(super) display: Display<W>,
    pub(super) scene: Scene,
    /// The keyboard; `None` if no person plays.
    pub(super) console: Option<Console>,
    pub(super) adviser: Adviser,
    pub(super) stop: StopToken,
    /// What stands below the board.
    pub(super) message: Vec<String>,
    /// What does not fit below the board any more, and is shown when the person asks for more.
    pub(super) rest: Vec<String>,
    /// The side that has offered a draw.
    pub(super) draw_offer: Option<Color>,
    began_at: SystemTime,
    /// What was drawn last while an engine thinks.
    drawn: String,
}

impl<W: Write> Session<W> {
    /// A game that has not begun. It ends without a result when `stop` is raised.
    ///
    /// # Errors
    ///
    /// If the keyboard can't be read.
    pub fn new(setup: GameSetup, display: Display<W>, stop: StopToken) -> io::Result<Session<W>> {
        let GameSetup {
            players,
            start,
            control,
            tables,
            is_flipped,
        } = setup;
        let has_person = players.iter().any(Player::is_person);
        let console = if has_person {
            Some(Console::start(display.is_live())?)
        } else {
            None
        };
        let is_black_alone = players.black.is_person() && !players.white.is_person();
        let orientation = Color::from_white(is_black_alone == is_flipped);
        let arbiter = Arbiter::new(start, tables, control);
        Ok(Session {
            display,
            scene: Scene::new(arbiter, players, orientation),
            console,
            adviser: Adviser::default(),
            stop,
            message: Vec::new(),
            rest: Vec::new(),
            draw_offer: None,
            began_at: SystemTime::now(),
            drawn: String::new(),
        })
    }

    /// Plays the game to its end, or until it is stopped.
    ///
    /// # Errors
    ///
    /// If the output can't be written, or a search can't be started. The game so far is kept.
    pub fn play(&mut self) -> io::Result<()> {
        self.introduce()?;
        while self.scene.arbiter.ending().is_none() {
            if self.stop.is_requested() {
                self.scene
                    .arbiter
                    .abandon(Reason::Interrupted, Instant::now());
            } else if self.scene.player_to_move().is_person() {
                self.person_turn()?;
            } else {
                self.engine_turn()?;
            }
        }
        Ok(())
    }

    /// The game as it is written down.
    pub fn record(&self) -> GameRecord {
        record::record(&self.scene.arbiter, &self.scene.players, self.began_at)
    }

    /// Shows the result and leaves the terminal as it was.
    ///
    /// # Errors
    ///
    /// If the output can't be written.
    pub fn conclude(&mut self, notes: Vec<String>) -> io::Result<()> {
        if let Some(console) = &mut self.console {
            console.cancel();
        }
        let ending = self.scene.arbiter.ending().map(ToString::to_string);
        let mut message: Vec<String> = ending.into_iter().collect();
        message.extend(notes);
        if self.display.is_live() {
            self.message = message;
            self.show()?;
        } else {
            self.display.lines(&message)?;
        }
        self.display.leave()
    }

    /// Shows the game and the message.
    pub(super) fn show(&mut self) -> io::Result<()> {
        let view = self.scene.view();
        self.display.show(&view, &self.message)
    }

    /// Adds a sentence to the message.
    pub(super) fn say(&mut self, sentence: &str) {
        let columns = self.display.columns();
        if self.display.is_live() {
            self.message
                .extend(wrapped(sentence, columns.saturating_sub(1)));
        } else {
            self.message.push(sentence.to_owned());
        }
    }

    /// Takes note of a move that was played by the side that is not to move now.
    pub(super) fn after_move(&mut self) -> io::Result<()> {
        let mover = !self.scene.arbiter.turn();
        if self.draw_offer == Some(!mover) {
            // The offer is declined by a move.
            self.draw_offer = None;
        }
        self.scene.name_opening();
        let Some(played) = self.scene.arbiter.moves().last() else {
            return Ok(());
        };
        let number = self
            .scene
            .arbiter
            .move_number(self.scene.arbiter.moves().len() - 1);
        if self.display.is_live() {
            let name = self.scene.players.get(mover).name();
            let news = format!("{name} has played {number} {}", played.san);
            self.message.clear();
            self.say(&news);
        } else {
            self.message.clear();
            let evaluation = played.thought.map_or_else(String::new, |thought| {
                let score = shown_score(thought.white_score(mover));
                if thought.score.is_mate() {
                    score
                } else {
                    format!("{score}/{}", thought.depth)
                }
            });
            let clock = played.clock.map_or_else(String::new, clock::shown);
            let line = move_line(&number, &played.san, &evaluation, &clock);
            self.display.lines(&[line])?;
        }
        Ok(())
    }

    /// Takes note of moves that were taken back.
    pub(super) fn after_undo(&mut self) {
        self.draw_offer = None;
        self.scene.glance = None;
        self.scene.name_opening();
    }

    /// Ends the game if its time is over or the program is to end. Returns whether it has ended.
    pub(super) fn has_ended(&mut self, now: Instant) -> bool {
        if self.stop.is_requested() {
            self.scene.arbiter.abandon(Reason::Interrupted, now);
            return true;
        }
        self.scene.arbiter.check_flag(now)
    }

    /// The time to wait for a player before the clock is to be looked at again.
    pub(super) fn time_to_wait(&self, now: Instant) -> Duration {
        let to_flag = self.scene.arbiter.clock().time_to_flag(now);
        to_flag.map_or(TICK, |time| time.min(TICK))
    }

    fn introduce(&mut self) -> io::Result<()> {
        if self.display.is_live() {
            return Ok(());
        }
        let names = self.scene.names();
        let mut line = format!("{} against {}", names.white, names.black);
        let control = self.scene.arbiter.clock().control();
        if matches!(control, TimeControl::Clock { .. }) || !self.scene.are_all_people() {
            line.push_str(", ");
            line.push_str(&control.in_words());
        }
        self.display.lines(&[line])
    }

    fn engine_turn(&mut self) -> io::Result<()> {
        let name = self
            .scene
            .names()
            .get(self.scene.arbiter.turn())
            .to_string();
        self.say(&format!("{name} is thinking."));
        let started_at = Instant::now();
        self.scene.arbiter.start_clock(started_at);
        let mut news = self.ask_engine(started_at);
        loop {
            match news {
                Ok(None) => {}
                Ok(Some(Answer { m, at, thought })) => {
                    let count = self.scene.arbiter.moves().len();
                    self.scene.arbiter.play(m, thought, at);
                    if self.scene.arbiter.moves().len() > count {
                        self.after_move()?;
                    }
                    return Ok(());
                }
                Err(failure) => {
                    self.stop_engine();
                    self.scene.arbiter.fail(failure, Instant::now());
                    return Ok(());
                }
            }
            let now = Instant::now();
            if self.has_ended(now) {
                self.stop_engine();
                return Ok(());
            }
            self.draw_if_changed()?;
            let time = self.time_to_wait(now);
            news = self.wait_for_engine(time);
        }
    }

    fn ask_engine(&mut self, started_at: Instant) -> Result<Option<Answer>, Failure> {
        let Scene {
            arbiter, players, ..
        } = &mut self.scene;
        let turn = Turn {
            arbiter,
            control: arbiter.clock().control(),
            started_at,
        };
        match players.get_mut(arbiter.turn()) {
            Player::Engine(engine) => engine.go(&turn).map(|()| None),
            Player::Person(_) => Ok(None),
        }
    }

    fn wait_for_engine(&mut self, time: Duration) -> Result<Option<Answer>, Failure> {
        match self.scene.player_to_move() {
            Player::Engine(engine) => engine.wait(time),
            Player::Person(_) => Ok(None),
        }
    }

    fn stop_engine(&mut self) {
        if let Player::Engine(engine) = self.scene.player_to_move() {
            engine.stop();
        }
    }

    /// Draws the screen while an engine thinks, if something is to be seen.
    fn draw_if_changed(&mut self) -> io::Result<()> {
        if !self.display.is_live() {
            return Ok(());
        }
        let view = self.scene.view();
        let picture = view.picture(self.display.style(), self.display.columns());
        let drawn = picture.lines.join("\n");
        if drawn == self.drawn {
            return Ok(());
        }
        self.display.show(&view, &self.message)?;
        self.drawn = drawn;
        Ok(())
    }
}
