//! This engine as a player, at full strength or at the level of a rating, with or without an
//! opening book, in its own style or in that of a player.
//!
//! A level limits what the search sees, as the UCI option `UCI_Elo` does: see
//! [`squarewise_engine::search::strength`].

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::Position;

use super::arbiter::{Arbiter, Thought};
use super::clock::TimeControl;
use super::ending::Failure;
use super::player::{Answer, Engine, Turn};
use crate::openings::common_moves_at;
use crate::search_thread::{SearchNews, SearchThread};
use squarewise_engine::book::{self, Book};
use squarewise_engine::search::limits::{Limits, PlayerClock};
use squarewise_engine::search::strength::Level;
use squarewise_engine::search::time_management::StartSignal;
use squarewise_engine::search::window::Bound;
use squarewise_engine::search::{SearchRequest, SearchResult};
use squarewise_engine::style::{Stage, Style, StyledPlayer, unit_interval};
use squarewise_engine::weak_play::WeakPlayer;

/// Against a person, moves of the opening take less time, up to this move: nobody likes to wait for
/// them.
const LAST_QUICK_MOVE: u32 = 10;

/// The engine agrees to a draw from this move on.
const DRAW_MIN_MOVE: u32 = 30;

/// With so few men left it agrees at any move: an ending that was set up begins at the first.
const DRAW_MAX_MEN: usize = 12;

/// The engine agrees to a draw if it thinks that it has at most this many centipawns more.
const DRAW_MARGIN: i32 = 15;

/// How this engine is to play.
#[derive(Clone, Debug)]
pub struct OwnEngineSetup {
    /// The size of its transposition table, in MiB.
    pub hash_megabytes: usize,
    /// The number of its search threads.
    pub threads: usize,
    /// The Elo rating of its level; `None` for full strength.
    pub elo: Option<u32>,
    /// Its opening book.
    pub book: Option<Arc<Book>>,
    /// The style of the player that it plays like; `None` for its own.
    pub style: Option<Arc<Style>>,
}

/// This engine as a player.
pub struct OwnEngine {
    name: String,
    setup: OwnEngineSetup,
    searches: SearchThread,
    random: ChaCha8Rng,
    /// The player of the level, with its errors.
    weak_player: WeakPlayer,
    thought: Option<Thought>,
    /// How many moves the game had when it began to think.
    asked_after: usize,
    /// A move from the book, to be given as the answer.
    from_book: Option<Answer>,
    /// How long the player whose style it is would think about the move.
    time_in_style: Option<Duration>,
}

impl OwnEngine {
    /// Starts the engine.
    pub fn start(setup: OwnEngineSetup) -> io::Result<OwnEngine> {
        let searches = SearchThread::start(setup.hash_megabytes, setup.threads)?;
        let name = concat!("Squarewise ", env!("CARGO_PKG_VERSION"));
        let name = match &setup.style {
            Some(style) => format!("{name} as {}", style.name),
            None => name.to_owned(),
        };
        let name = match setup.elo {
            Some(elo) => format!("{name} ({elo})"),
            None => name,
        };
        Ok(OwnEngine {
            name,
            searches,
            random: ChaCha8Rng::seed_from_u64(RandomState::new().hash_one(0)),
            weak_player: WeakPlayer::default(),
            setup,
            thought: None,
            asked_after: 0,
            from_book: None,
            time_in_style: None,
        })
    }

    /// A move of the book for the current position, or of people in openings at a level that knows
    /// them, as an answer.
    fn book_move(&mut self, turn: &Turn<'_>) -> Option<Answer> {
        let style = self.setup.style.as_ref();
        let books = [
            style.and_then(|style| style.book.as_ref()),
            self.setup.book.as_deref(),
        ];
        let of_books = books.into_iter().flatten();
        let mut moves = of_books
            .map(|book| book.moves_in_game(turn.arbiter.game()))
            .find(|moves| !moves.is_empty())
            .unwrap_or_default();
        let level = self.setup.elo.map(Level::of_elo);
        if moves.is_empty() {
            moves = common_moves_at(level, turn.arbiter.game());
        }
        let chosen = book::draw(&moves, &mut self.random)?;
        Some(Answer {
            m: chosen.m,
            at: Instant::now(),
            thought: None,
        })
    }

    /// How long the player of the style would think about this move, for a person who waits for it.
    /// Moves from the book come as fast as without a style.
    fn draw_time_in_style(&mut self, turn: &Turn<'_>) -> Option<Duration> {
        let style = self.setup.style.as_ref()?;
        let left = turn.remaining(turn.position().turn())?;
        let pace = style.paces[Stage::of(turn.position().board())];
        let luck = unit_interval(&mut self.random);
        let is_known = self.from_book.is_none() && turn.is_against_person;
        pace.draw(left, luck).filter(|_| is_known)
    }

    fn answer(&mut self, result: &SearchResult, at: Instant) -> Result<Answer, Failure> {
        self.thought = Some(Thought::from(result));
        let m = result.best_move().ok_or_else(|| {
            Failure::Internal("it found no move in a game that is not over".to_owned())
        })?;
        Ok(Answer {
            m,
            at,
            // What a weak player thinks would mislead whoever reads the game.
            thought: self.thought.filter(|_| !self.is_weakened()),
        })
    }
}

impl Engine for OwnEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Failure> {
        self.from_book = self.book_move(turn);
        self.thought = None;
        self.asked_after = turn.arbiter.moves().len();
        let mut request = request(turn);
        // No style makes a person wait for the moves of an opening.
        let in_style = self.draw_time_in_style(turn);
        let longest = request.limits.move_time.unwrap_or(Duration::MAX);
        self.time_in_style = in_style.map(|time| time.min(longest));
        if self.from_book.is_some() {
            return Ok(());
        }
        request.limits.move_time = self.time_in_style.or(request.limits.move_time);
        if let Some(elo) = self.setup.elo {
            let level = Level::of_player(elo, self.setup.style.is_some(), turn.position());
            let random = &mut self.random;
            self.weak_player.weaken(&mut request, level, random);
        }
        let player = self.setup.style.clone().map(|style| StyledPlayer {
            style,
            seed: self.random.next_u64(),
        });
        let begun = self.searches.search(player, turn.arbiter.game(), request);
        begun.map_err(|error| Failure::Internal(error.to_string()))
    }

    fn wait(&mut self, time: Duration) -> Result<Option<Answer>, Failure> {
        if let Some(answer) = self.from_book.take() {
            return Ok(Some(answer));
        }
        let deadline = Instant::now() + time;
        // All that has come counts before the time is up: behind some lines there may be a move
        // from before the flag fell.
        loop {
            let rest = deadline.saturating_duration_since(Instant::now());
            match self.searches.wait(rest) {
                None => return Ok(None),
                Some(SearchNews::Info(info)) => {
                    if info.bound == Bound::Exact && info.multipv == 1 {
                        self.thought = Some(Thought {
                            score: info.score,
                            depth: info.depth,
                        });
                    }
                }
                Some(SearchNews::Done(result, at)) => return self.answer(&result, at).map(Some),
                Some(SearchNews::Failed(message)) => return Err(Failure::Internal(message)),
            }
        }
    }

    fn thought(&self) -> Option<Thought> {
        self.thought
    }

    fn time_in_style(&self) -> Option<Duration> {
        self.time_in_style
    }

    fn is_weakened(&self) -> bool {
        self.setup.elo.is_some()
    }

    fn stop(&mut self) {
        self.from_book = None;
        self.searches.stop();
    }

    fn move_now(&mut self) {
        self.searches.finish();
    }

    fn new_game(&mut self) {
        self.weak_player = WeakPlayer::default();
        self.thought = None;
        self.searches.new_game();
    }

    fn accepts_draw(&self, arbiter: &Arbiter) -> bool {
        let position = arbiter.position();
        let is_late = position.fullmoves().get() >= DRAW_MIN_MOVE
            || position.board().occupied().count() <= DRAW_MAX_MEN;
        // Of a move that was taken back, or is still looked for, nobody knows what it is worth.
        let is_of_last_move = arbiter.moves().len() == self.asked_after + 1;
        let thought = self.thought.filter(|_| is_of_last_move);
        is_late && thought.is_some_and(|thought| thought.score.value() <= DRAW_MARGIN)
    }
}

/// The longest time for a move of the opening against a person: under 5+3 it is 4.5 seconds. In a
/// match time is strength; in a game a person waits, and the first moves gain least from it.
fn longest_opening_move(turn: &Turn<'_>, increment: Duration) -> Option<Duration> {
    let is_opening = turn.position().fullmoves().get() <= LAST_QUICK_MOVE;
    let remaining = turn.remaining(turn.position().turn())?;
    (turn.is_against_person && is_opening).then_some(remaining / 100 + increment / 2)
}

/// The search for a move under the time control of the game.
fn request(turn: &Turn<'_>) -> SearchRequest {
    let side = turn.position().turn();
    let limits = match turn.control {
        TimeControl::Clock { increment, .. } => Limits {
            move_time: longest_opening_move(turn, increment),
            clock: turn.remaining(side).map(|remaining| PlayerClock {
                remaining,
                increment,
                moves_to_go: None,
            }),
            ..Limits::default()
        },
        TimeControl::MoveTime(time) => Limits {
            move_time: Some(time),
            ..Limits::default()
        },
        TimeControl::Depth(depth) => Limits::depth(depth),
    };
    SearchRequest {
        start: StartSignal::at(turn.started_at),
        asked_at: turn.started_at,
        ..SearchRequest::of_variant(turn.position().variant(), limits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mimic::people;
    use crate::play::arbiter::tests::{START, game};
    use shakmaty::Move;
    use squarewise_engine::style::{Pace, Tally};

    fn engine(elo: Option<u32>) -> OwnEngine {
        OwnEngine::start(OwnEngineSetup {
            hash_megabytes: 1,
            threads: 1,
            elo,
            book: None,
            style: None,
        })
        .expect("a mebibyte of memory")
    }

    fn answer(engine: &mut OwnEngine, arbiter: &Arbiter, control: TimeControl) -> Answer {
        let turn = Turn {
            arbiter,
            control,
            started_at: Instant::now(),
            is_against_person: true,
        };
        engine.go(&turn).expect("it can play");
        loop {
            let answer = engine.wait(Duration::from_secs(1)).expect("it can play");
            if let Some(answer) = answer {
                return answer;
            }
        }
    }

    #[test]
    fn a_draw_is_not_accepted_by_what_was_thought_in_the_game_before() {
        let late = "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 60";
        let mut arbiter = game(late, "5", "");
        let mut engine = engine(None);
        let Answer { m, at, thought } = answer(&mut engine, &arbiter, TimeControl::Depth(3));
        assert!(!engine.accepts_draw(&arbiter), "the move isn't played yet");
        arbiter.play(m, thought, at);
        assert!(engine.accepts_draw(&arbiter));
        arbiter.undo(1);
        assert!(!engine.accepts_draw(&arbiter), "the move was taken back");
        arbiter.play(m, thought, at);
        engine.new_game();
        assert!(!engine.accepts_draw(&arbiter));
    }

    #[test]
    fn it_plays_a_legal_move_at_every_level_and_tells_its_thought_at_full_strength() {
        let arbiter = game(START, "5", "");
        for elo in [None, Some(500), Some(2_000)] {
            let mut engine = engine(elo);
            let answer = answer(&mut engine, &arbiter, TimeControl::Depth(3));
            let is_legal = |m: Move| arbiter.position().is_legal(m);
            assert!(is_legal(answer.m));
            assert_eq!(answer.thought.is_some(), elo.is_none(), "{elo:?}");
        }
    }

    #[test]
    fn the_first_moves_against_a_person_take_less_time_than_in_a_match() {
        let limit = |fen, is_against_person| {
            let arbiter = game(fen, "5+3", "");
            let turn = Turn {
                arbiter: &arbiter,
                control: arbiter.clock().control(),
                started_at: Instant::now(),
                is_against_person,
            };
            request(&turn).limits.move_time
        };
        assert_eq!(limit(START, true), Some(Duration::from_millis(4_500)));
        assert_eq!(limit(START, false), None);
        let middlegame = "r2q1rk1/ppp2ppp/2np1n2/2b1p3/2B1P1b1/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 11";
        assert_eq!(limit(middlegame, true), None);
    }

    #[test]
    fn in_a_style_with_thinking_times_it_takes_the_time_of_the_player_against_a_person() {
        let paced = Style {
            paces: [Pace::of(&[0.001]); 3],
            seen: Tally::default(),
            ..people().clone()
        };
        let mut engine = OwnEngine::start(OwnEngineSetup {
            hash_megabytes: 1,
            threads: 1,
            elo: None,
            book: None,
            style: Some(Arc::new(paced)),
        })
        .expect("a mebibyte of memory");
        let arbiter = game(START, "1", "");
        for is_against_person in [true, false] {
            let turn = Turn {
                arbiter: &arbiter,
                control: arbiter.clock().control(),
                started_at: Instant::now(),
                is_against_person,
            };
            engine.go(&turn).expect("it can play");
            let time = engine.time_in_style();
            assert_eq!(time.is_some(), is_against_person);
            let of_opening = Duration::from_secs(60) / 100;
            assert!(time.is_none_or(|time| time <= of_opening), "{time:?}");
            engine.stop();
        }
    }

    #[test]
    fn the_level_is_part_of_the_name() {
        assert!(engine(Some(1_500)).name().ends_with("(1500)"));
        assert!(!engine(None).name().contains('('));
    }

    #[test]
    fn it_agrees_to_a_draw_late_and_if_it_is_not_better() {
        let late_and_worse = "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 40";
        let late_and_better = "6k1/5ppp/8/8/8/8/R4PPP/6K1 w - - 0 40";
        let early = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 w Qkq - 0 5";
        let set_up = "6k1/5ppp/8/8/8/8/r4PPP/6K1 w - - 0 1";
        let mut engine = engine(None);
        for (fen, expected) in [
            (late_and_worse, true),
            (late_and_better, false),
            (early, false),
            (set_up, true),
        ] {
            let mut arbiter = game(fen, "5", "");
            let Answer { m, at, thought } = answer(&mut engine, &arbiter, TimeControl::Depth(4));
            arbiter.play(m, thought, at);
            assert_eq!(engine.accepts_draw(&arbiter), expected, "{fen}");
        }
    }
}
