//! Who plays: a person, or an engine of any kind behind one trait.
//!
//! An engine thinks elsewhere, in a thread or in a process. It is told to begin and then asked for
//! news, so that whoever waits for it can watch the clock and the screen meanwhile.

use std::time::{Duration, Instant};

use shakmaty::{Color, Move};
use squarewise_engine::position::variant_position::VariantPosition;

use super::arbiter::{Arbiter, Thought};
use super::clock::TimeControl;
use super::ending::Failure;

/// A pause for its own sake takes at most this part of the time that is left.
const PAUSE_DIVISOR: u32 = 60;

/// What an engine is asked: the game and the time.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The game, with its clock, whose time runs already.
    pub arbiter: &'a Arbiter,
    /// How the time is limited.
    pub control: TimeControl,
    /// The moment at which the time of the engine began to run.
    pub started_at: Instant,
    /// Whether a person waits for the move: as the opponent, or before the board in the browser.
    pub is_against_person: bool,
}

impl Turn<'_> {
    /// The position to move in.
    pub fn position(&self) -> &VariantPosition {
        self.arbiter.position()
    }

    /// The time that a side has left; `None` without a clock.
    pub fn remaining(&self, side: Color) -> Option<Duration> {
        self.arbiter.clock().remaining(side, self.started_at)
    }
}

/// The move of an engine.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The move, which is legal.
    pub m: Move,
    pub at: Instant,
    /// What the engine thinks of it, if it has said so and plays at full strength.
    pub thought: Option<Thought>,
}

/// An engine that plays a game.
pub trait Engine {
    /// The name, as it stands on the screen and in the PGN.
    fn name(&self) -> &str;

    /// Begins to think about a move.
    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Failure>;

    /// Waits for the move, up to this long. `None` if it is still thinking.
    fn wait(&mut self, time: Duration) -> Result<Option<Answer>, Failure>;

    /// What it thinks at this moment.
    fn thought(&self) -> Option<Thought>;

    /// Whether it plays below its strength, so that its evaluations are those of a weak player.
    fn is_weakened(&self) -> bool {
        false
    }

    /// How long the player whose style the engine plays in would think about this move, as far as
    /// that is known. The engine thinks no longer, and may answer sooner.
    fn time_in_style(&self) -> Option<Duration> {
        None
    }

    /// Ends the thinking; its move does not matter any more.
    fn stop(&mut self);

    /// Ends the thinking; the best move so far is the answer.
    fn move_now(&mut self);

    fn new_game(&mut self);

    /// Whether the engine, having played its last move, agrees to a draw.
    fn accepts_draw(&self, arbiter: &Arbiter) -> bool;
}

/// One side of the board.
pub enum Player {
    /// A person with this name.
    Person(String),
    /// An engine.
    Engine(Box<dyn Engine>),
}

impl Player {
    /// The name, as it stands on the screen and in the PGN.
    pub fn name(&self) -> &str {
        match self {
            Player::Person(name) => name,
            Player::Engine(engine) => engine.name(),
        }
    }

    /// The engine; `None` if it is a person.
    pub fn engine(&mut self) -> Option<&mut dyn Engine> {
        match self {
            Player::Person(_) => None,
            Player::Engine(engine) => Some(engine.as_mut()),
        }
    }

    /// Whether it is an engine below its strength.
    pub fn is_weakened(&self) -> bool {
        matches!(self, Player::Engine(engine) if engine.is_weakened())
    }

    /// How long its answer should take at least, since an instant answer looks like a machine's: as
    /// long as the player in whose style it plays would think or, if that isn't known, `usual`, but
    /// then no more than a small part of the time left.
    pub fn thinking_pause(&self, usual: Duration, left: Option<Duration>) -> Duration {
        let in_style = match self {
            Player::Engine(engine) => engine.time_in_style(),
            Player::Person(_) => None,
        };
        in_style.unwrap_or_else(|| left.map_or(usual, |left| usual.min(left / PAUSE_DIVISOR)))
    }

    /// Whether it is a person.
    pub fn is_person(&self) -> bool {
        matches!(self, Player::Person(_))
    }
}
