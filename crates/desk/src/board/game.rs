//! A game against the engine, or of the engine against itself: the arbiter keeps moves and clocks,
//! the engine thinks in a thread of its own, and the tree of the board shows what was played.

mod requests;

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use shakmaty::{ByColor, Color, Move};

use super::command::GameWish;
use super::list::EVENT;
use super::opponent::Opponent;
use super::tree::Beginning;
use crate::pgn::{GameRecord, Ply};
use crate::play::arbiter::{Arbiter, Thought};
use crate::play::clock::TimeControl;
use crate::play::ending::end_in_words;
use crate::play::player::{Answer, Player, Turn};
use crate::play::record::record;
use squarewise_engine::position::{game::Game, rules::Variant};

/// The time of the engine for a move if there are no clocks.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// The engine takes at least this long for its answer: see [`Player::thinking_pause`].
const THINKING_PAUSE: Duration = Duration::from_millis(600);

/// A game that is being played, or has just ended.
pub(super) struct Match {
    arbiter: Arbiter,
    players: ByColor<Player>,
    /// The side of the person; without one the engine plays both.
    person: Option<Color>,
    wish: GameWish,
    /// The number of moves that lead to its first position.
    pub(super) moves_before: usize,
    pub(super) began_at: SystemTime,
    /// The numbers of its positions in the tree, the first one included.
    pub(super) nodes: Vec<usize>,
    /// What the page was told of the person's moves, by the numbers of the positions after them.
    pub(super) judged: BTreeMap<usize, Value>,
    turn_began: Instant,
    is_thinking: bool,
    /// Whether it goes on only once somebody looks at it: the clock of a game that nobody has
    /// opened since the start of the program rests.
    waits: bool,
    /// Whether the coach was told to study the position of the person's turn.
    is_studied: bool,
    answer: Option<Answer>,
    /// What the engine said to the last offer of a draw.
    note: Option<&'static str>,
    /// The game as it stands in the file of games.
    pub(super) kept: Option<Vec<u8>>,
}

impl Match {
    /// A game that begins here; one that goes on comes with its moves and the time that is left,
    /// and waits for [`Match::resume`].
    ///
    /// # Errors
    ///
    /// In words, if there is no such game.
    pub(super) fn new(
        beginning: Beginning,
        person: Option<Color>,
        wish: GameWish,
        going_on: Option<(&[Move], ByColor<Duration>)>,
        opponent: &Opponent,
    ) -> Result<Match, String> {
        let style = wish.style.as_deref().map(|name| opponent.style(name));
        let style = style.transpose()?;
        if style.is_some() && beginning.start.variant() != Variant::Chess {
            return Err("styles are for chess, not for a variant".to_owned());
        }
        let control = match wish.time.as_deref() {
            Some(text) => TimeControl::parse_clock(text)?,
            None => TimeControl::MoveTime(MOVE_TIME),
        };
        let initial = match control {
            TimeControl::Clock { initial, .. } => initial,
            TimeControl::MoveTime(_) | TimeControl::Depth(_) => Duration::ZERO,
        };
        let goes_on = going_on.is_some();
        let (played, left) = going_on.unwrap_or((&[], ByColor::new_with(|_| initial)));
        let moves_before = beginning.moves.len();
        let moves = [&beginning.moves, played].concat();
        let arbiter = Arbiter::going_on(beginning.start, &moves, control, left);
        if played.is_empty() {
            let end = end_in_words(arbiter.position());
            let end = end.or(arbiter.ending().map(|ending| ending.reason_in_words()));
            if let Some(end) = end {
                return Err(format!("a game can't begin here: {end}"));
            }
        }
        let players = ByColor {
            white: opponent.player(&wish, style, person == Some(Color::White))?,
            black: opponent.player(&wish, style, person == Some(Color::Black))?,
        };
        let mut game = Match {
            arbiter,
            players,
            person,
            wish,
            moves_before,
            began_at: SystemTime::now(),
            nodes: Vec::new(),
            judged: BTreeMap::new(),
            turn_began: Instant::now(),
            is_thinking: false,
            waits: goes_on,
            is_studied: false,
            answer: None,
            note: None,
            kept: None,
        };
        if !goes_on {
            game.begin_turn(Instant::now());
        }
        Ok(game)
    }

    /// Notes clocks and evaluations of the moves that were played before the game went on.
    pub(super) fn recall(&mut self, plies: &[Ply]) {
        let known = plies.iter().map(|ply| {
            let thought = ply.evaluation.map(|evaluation| Thought {
                score: evaluation.score,
                depth: evaluation.depth.unwrap_or_default(),
            });
            (ply.clock, thought)
        });
        self.arbiter.recall(self.moves_before, known);
    }

    pub(super) fn wish(&self) -> &GameWish {
        &self.wish
    }

    /// Where it began.
    pub(super) fn beginning(&self) -> Beginning {
        let mut moves = self.arbiter.bare_moves();
        moves.truncate(self.moves_before);
        Beginning {
            start: self.arbiter.start().clone(),
            moves,
        }
    }

    pub(super) fn person(&self) -> Option<Color> {
        self.person
    }

    pub(super) fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    pub(super) fn is_over(&self) -> bool {
        self.arbiter.ending().is_some()
    }

    pub(super) fn is_persons_turn(&self) -> bool {
        !self.is_over() && Some(self.arbiter.turn()) == self.person
    }

    /// The position that the person thinks about, once in their turn, if the move is to be judged.
    pub(super) fn position_to_study(&mut self) -> Option<Game> {
        let is_persons_turn = self.is_persons_turn() && !self.waits;
        let is_wanted = self.wish.feedback && is_persons_turn && !self.is_studied;
        self.is_studied |= is_wanted;
        is_wanted.then(|| self.arbiter.game().recent())
    }

    /// The number of the position on the board of the game.
    pub(super) fn head(&self) -> usize {
        self.nodes.last().copied().unwrap_or_default()
    }

    /// Somebody looks at the game: if it has waited for that, it goes on.
    pub(super) fn resume(&mut self, now: Instant) {
        if self.waits {
            self.begin_turn(now);
        }
    }

    fn begin_turn(&mut self, now: Instant) {
        self.waits = false;
        self.turn_began = now;
        self.answer = None;
        self.is_thinking = false;
        self.is_studied = false;
        if self.is_over() {
            return;
        }
        self.arbiter.start_clock(now);
        let side = self.arbiter.turn();
        if let Some(engine) = self.players.get_mut(side).engine() {
            let turn = Turn {
                arbiter: &self.arbiter,
                control: self.arbiter.clock().control(),
                started_at: now,
                is_against_person: true,
            };
            match engine.go(&turn) {
                Ok(()) => self.is_thinking = true,
                Err(failure) => self.arbiter.fail(failure, now),
            }
        }
    }

    /// Plays a move of the person. It can come too late.
    pub(super) fn play(&mut self, m: Move, now: Instant) {
        self.resume(now);
        self.note = None;
        self.arbiter.play(m, None, now);
        self.begin_turn(now);
    }

    /// Looks at the clock and at the engine. Returns the move that it plays.
    pub(super) fn poll(&mut self, now: Instant) -> Option<Move> {
        if self.is_over() || self.waits {
            return None;
        }
        if self.is_thinking {
            let side = self.arbiter.turn();
            let news = match self.players.get_mut(side).engine() {
                Some(engine) if self.answer.is_none() => engine.wait(Duration::ZERO),
                _ => Ok(None),
            };
            match news {
                Ok(answer) => self.answer = self.answer.or(answer),
                Err(failure) => {
                    self.arbiter.fail(failure, now);
                    return None;
                }
            }
            let left = self.arbiter.clock().remaining(side, now);
            let pause = self.players.get(side).thinking_pause(THINKING_PAUSE, left);
            let earliest = self.turn_began + pause;
            if let Some(answer) = self.answer.filter(|_| now >= earliest) {
                let played = self.arbiter.moves().len();
                self.arbiter
                    .play(answer.m, answer.thought, answer.at.max(earliest));
                let was_in_time = self.arbiter.moves().len() > played;
                self.begin_turn(now);
                return was_in_time.then_some(answer.m);
            }
        }
        if self.arbiter.check_flag(now) {
            self.stop_engine();
        }
        None
    }

    fn stop_engine(&mut self) {
        let side = self.arbiter.turn();
        if let Some(engine) = self.players.get_mut(side).engine() {
            engine.stop();
        }
        self.is_thinking = false;
        self.answer = None;
    }

    /// The game as it is written down.
    pub(super) fn record(&self) -> GameRecord {
        record(EVENT, &self.arbiter, &self.players, self.began_at)
    }

    /// The time that both sides have left, in milliseconds; `None` without clocks.
    pub(super) fn clocks(&self, now: Instant) -> Option<[u128; 2]> {
        let left = |side| Some(self.arbiter.clock().remaining(side, now)?.as_millis());
        Some([left(Color::White)?, left(Color::Black)?])
    }

    /// What the page shows of the game.
    pub(super) fn json(&self, now: Instant) -> Value {
        let letter = |side: Color| side.char().to_string();
        let variant = self.arbiter.position().variant();
        let rules = (variant != Variant::Chess).then(|| variant.description());
        json!({
            "person": self.person.map(letter),
            "elo": self.wish.elo,
            "style": self.wish.style,
            "rules": rules,
            "time": self.wish.time,
            "feedback": self.wish.feedback,
            "names": [self.players.white.name(), self.players.black.name()],
            "turn": letter(self.arbiter.turn()),
            "clock": self.clocks(now),
            "ending": self.arbiter.ending().map(|ending| ending.reason_in_words()),
            "outcome": self.arbiter.outcome().to_string(),
            "note": self.note,
            "head": self.head(),
            "before": self.moves_before,
            "moves": self.arbiter.moves().len(),
        })
    }
}
