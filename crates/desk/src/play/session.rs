//! Games from the first move to the last: asks the players in turn, shows the game, shuts it
//! down cleanly, and offers another.
//!
//! One loop waits for the player whose turn it is and watches three things meanwhile: the clock,
//! the stop signal of the program, and the keyboard. The turns are in `engine_turn` and
//! `person_turn`.

use std::collections::{HashMap, VecDeque};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use shakmaty::{ByColor, Color};
use squarewise_engine::position::variant_position::VariantPosition;

use super::arbiter::Arbiter;
use super::clock::{self, TimeControl};
use super::commands::{Command, WHETHER_TO_RESIGN};
use super::console::Console;
use super::display::{Display, move_line};
use super::ending::Ending;
use super::player::Player;
use super::scene::Scene;
use crate::pgn::shown_score;
use crate::pgn_file::PgnFile;
use crate::search_thread::SearchThread;
use crate::terminal::{printable, wrapped};
use squarewise_engine::search::stop::StopToken;

/// How often to look at the clock, the stop signal and the keyboard, and to draw the screen anew.
pub(super) const TICK: Duration = Duration::from_millis(100);

/// What a game begins with.
pub struct GameSetup {
    /// The players.
    pub players: ByColor<Player>,
    /// The first position.
    pub start: VariantPosition,
    /// How the time is limited.
    pub control: TimeControl,
    /// Whether the board is turned round.
    pub is_flipped: bool,
    /// Whether the evaluation is hidden until somebody asks for it.
    pub hides_evaluation: bool,
    /// Where the games are kept.
    pub pgn: Option<PgnFile>,
}

/// A game with everything around it.
pub struct Session<W: Write> {
    pub(super) display: Display<W>,
    pub(super) scene: Scene,
    /// The keyboard; `None` if no person plays.
    pub(super) console: Option<Console>,
    /// The search of the adviser, once it was asked.
    pub(super) adviser: Option<SearchThread>,
    pub(super) stop: StopToken,
    /// What stands below the board.
    pub(super) message: Vec<String>,
    /// What does not fit below the board any more, and is shown when the person asks for more.
    pub(super) rest: Vec<String>,
    /// The side that has offered a draw.
    pub(super) draw_offer: Option<Color>,
    /// The side that is asked whether it resigns.
    pub(super) wants_to_resign: Option<Color>,
    /// What was typed while an engine was thinking, for the turn of the person.
    pub(super) kept: VecDeque<Command>,
    /// Whether the engine that thinks was told to move at once.
    pub(super) is_hurried: bool,
    pub(super) pgn: Option<PgnFile>,
    /// The files, without links, in which this game is saved already, and how it stands there.
    pub(super) saved: HashMap<PathBuf, Vec<u8>>,
    pub(super) began_at: SystemTime,
}

impl<W: Write> Session<W> {
    /// A game that has not begun. It ends without a result when `stop` is raised.
    pub fn new(setup: GameSetup, display: Display<W>, stop: StopToken) -> io::Result<Session<W>> {
        let players = setup.players;
        let people = players.iter().filter(|player| player.is_person()).count();
        // The longest that stands before the cursor.
        let prompt = if people == 2 {
            "White's move: "
        } else {
            "Your move: "
        };
        let console = (people > 0)
            .then(|| Console::start(display.is_live(), prompt.len()))
            .transpose()?;
        let is_black_alone = players.black.is_person() && !players.white.is_person();
        let orientation = Color::from_white(is_black_alone == setup.is_flipped);
        let arbiter = Arbiter::new(setup.start, setup.control);
        let mut scene = Scene::new(arbiter, players, orientation);
        scene.shows_evaluation &= !setup.hides_evaluation;
        Ok(Session {
            display,
            scene,
            console,
            adviser: None,
            stop,
            message: Vec::new(),
            rest: Vec::new(),
            draw_offer: None,
            wants_to_resign: None,
            kept: VecDeque::new(),
            is_hurried: false,
            pgn: setup.pgn,
            saved: HashMap::new(),
            began_at: SystemTime::now(),
        })
    }

    /// Plays games until nobody wants another, or the program is to end. Each is kept at its end.
    pub fn run(&mut self) -> io::Result<()> {
        loop {
            let played = self.play();
            let (kept, notes) = self.keep();
            let is_fine = played.is_ok() && kept.is_ok();
            if !(is_fine && self.offer_rematch(&notes)?) {
                let concluded = self.conclude(&notes);
                return played.and(kept).and(concluded);
            }
            self.begin_rematch();
        }
    }

    /// Plays the game to its end, or until it is stopped.
    fn play(&mut self) -> io::Result<()> {
        self.introduce()?;
        while self.scene.arbiter.ending().is_none() {
            if self.stop.is_requested() {
                self.scene.arbiter.end(Ending::Interrupted, Instant::now());
            } else if self.scene.player_to_move().is_person() {
                self.person_turn()?;
            } else {
                self.engine_turn()?;
            }
        }
        Ok(())
    }

    /// Sets up the same game once more, with colors changed.
    fn begin_rematch(&mut self) {
        let scene = &mut self.scene;
        let control = scene.arbiter.clock().control();
        let start = scene.arbiter.start().clone();
        scene.arbiter = Arbiter::new(start, control);
        scene.players.swap();
        for player in scene.players.iter_mut() {
            if let Some(engine) = player.engine() {
                engine.new_game();
            }
        }
        if !scene.are_all_people() {
            scene.orientation = !scene.orientation;
        }
        self.after_undo();
        self.message.clear();
        self.rest.clear();
        self.kept.clear();
        self.saved.clear();
        self.began_at = SystemTime::now();
    }

    /// Shows the result and leaves the terminal as it was.
    fn conclude(&mut self, notes: &[String]) -> io::Result<()> {
        if let Some(console) = &mut self.console {
            console.cancel();
        }
        self.say_result(notes);
        if self.display.is_live() {
            self.show()?;
        } else {
            self.display.lines(&self.message)?;
        }
        self.display.leave()
    }

    /// Says how the game has ended, instead of what was said before.
    pub(super) fn say_result(&mut self, notes: &[String]) {
        self.message.clear();
        let ending = self.scene.arbiter.ending().map(ToString::to_string);
        self.message.extend(ending);
        self.message.extend_from_slice(notes);
    }

    /// Shows the game and the message.
    pub(super) fn show(&mut self) -> io::Result<()> {
        self.set_prompt();
        let frame = self.display.frame(&self.scene, &self.message);
        let console = self.console.as_ref();
        if console.is_some_and(|console| console.print(&frame)) {
            return Ok(());
        }
        self.display.write(&frame)
    }

    /// Brings the board up to date while nothing has happened.
    pub(super) fn tick(&mut self) -> io::Result<()> {
        if self.display.tick(&self.scene)? {
            self.show()?;
        }
        Ok(())
    }

    /// Adds a sentence to the message.
    pub(super) fn say(&mut self, sentence: &str) {
        let sentence = printable(sentence);
        let columns = self.display.columns();
        if self.display.is_live() {
            self.message
                .extend(wrapped(&sentence, columns.saturating_sub(1)));
        } else {
            self.message.push(sentence.into_owned());
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
        self.message.clear();
        let arbiter = &self.scene.arbiter;
        let Some(played) = arbiter.moves().last() else {
            return Ok(());
        };
        let number = arbiter.move_number(arbiter.moves().len() - 1);
        if self.display.is_live() {
            let name = self.scene.players.get(mover).name();
            let news = format!("{name} has played {number} {}", played.san);
            let is_narrow = news.chars().count() >= self.display.columns();
            let short = format!("{number} {}", played.san);
            self.say(if is_narrow { &short } else { &news });
            if self.wants_to_resign.is_some() {
                self.say(WHETHER_TO_RESIGN);
            }
            return Ok(());
        }
        let thought = played.thought.filter(|_| self.scene.shows_evaluation);
        let evaluation = thought.map_or_else(String::new, |thought| {
            let score = shown_score(thought.of_white(mover).score);
            if thought.score.is_mate() {
                score
            } else {
                format!("{score}/{}", thought.depth)
            }
        });
        let clock = played.clock.map_or_else(String::new, clock::shown);
        let line = move_line(&number, &played.san, &evaluation, &clock);
        self.display.lines(&[line])
    }

    /// Takes note of moves that were taken back.
    pub(super) fn after_undo(&mut self) {
        self.draw_offer = None;
        self.scene.glance = None;
        self.scene.name_opening();
    }

    /// Ends the game if its time is over or the program is to end. Returns whether it has ended.
    pub(super) fn end_if_due(&mut self, now: Instant) -> bool {
        if self.stop.is_requested() {
            self.scene.arbiter.end(Ending::Interrupted, now);
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
        let names = self.scene.players.as_ref().map(Player::name);
        let mut line = format!("{} against {}", names.white, names.black);
        let control = self.scene.arbiter.clock().control();
        if matches!(control, TimeControl::Clock { .. }) || !self.scene.are_all_people() {
            line.push_str(", ");
            line.push_str(&control.in_words());
        }
        self.display.lines(&[line])
    }
}
