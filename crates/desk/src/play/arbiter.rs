//! The arbiter: keeps the game, its clock and its moves, and says when it is over and who has won.
//!
//! All results of the rules are automatic, as on chess servers: nobody needs to claim a threefold
//! repetition or the fifty-move rule. A side whose time is over loses, unless the other side could
//! not mate by any moves (FIDE Laws of Chess, 6.9).

use std::time::{Duration, Instant};

use crate::notation::san_plus;
use shakmaty::{ByColor, Color, Move, Outcome, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use super::clock::{ChessClock, FlagFell, TimeControl};
use super::ending::{Ending, Failure};
use squarewise_engine::position::game::Game;
use squarewise_engine::position::played_move::{move_number, side_of_ply};
use squarewise_engine::score::Score;
use squarewise_engine::search::SearchResult;

/// What an engine thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The score from the point of view of the side to move, unless something else is said.
    pub score: Score,
    /// The depth of its search in plies; 0 for a move from a book.
    pub depth: u32,
}

impl Thought {
    /// From the point of view of White instead of this side, and the other way round.
    pub fn of_white(self, side: Color) -> Thought {
        let score = side.fold_wb(self.score, -self.score);
        Thought { score, ..self }
    }

    /// What a search before a move says of the position after it: the player's mate is a move
    /// nearer, and a mate on the board needs no score.
    fn after_the_move(self) -> Option<Thought> {
        let score = match self.score.mate_moves() {
            Some(1) => return None,
            Some(moves @ 2..) => Score::from_mate_moves(moves - 1),
            _ => self.score,
        };
        Some(Thought { score, ..self })
    }
}

impl From<&SearchResult> for Thought {
    fn from(result: &SearchResult) -> Thought {
        Thought {
            score: result.score(),
            depth: result.info.depth,
        }
    }
}

/// A move that was played.
#[derive(Clone, Debug)]
pub struct PlayedMove {
    pub m: Move,
    /// The move in SAN, with the sign of a check or mate.
    pub san: String,
    /// The time left to the player after the move; `None` without a clock.
    pub clock: Option<Duration>,
    /// What the player thought of the position after it, from the player's point of view, or of a
    /// weak engine's move the adviser; `None` for a person.
    pub thought: Option<Thought>,
    /// The clock before the move, for the case that it is taken back.
    clock_before: ChessClock,
}

/// A game that is being played.
#[derive(Clone, Debug)]
pub struct Arbiter {
    start: VariantPosition,
    game: Game,
    moves: Vec<PlayedMove>,
    clock: ChessClock,
    ending: Option<Ending>,
}

impl Arbiter {
    /// A game that begins at `start`. It can be over at once.
    pub fn new(start: VariantPosition, control: TimeControl) -> Arbiter {
        let game = Game::new(start.clone());
        let ending = game.end_by_the_rules().map(Ending::Rules);
        Arbiter {
            start,
            game,
            moves: Vec::new(),
            clock: ChessClock::new(control),
            ending,
        }
    }

    /// A game that goes on after these moves, with this time left on its clocks. Moves that can't
    /// be played end the list.
    pub fn going_on(
        start: VariantPosition,
        moves: &[Move],
        control: TimeControl,
        remaining: ByColor<Duration>,
    ) -> Arbiter {
        let mut arbiter = Arbiter::new(start, TimeControl::Depth(1));
        let now = Instant::now();
        for m in moves {
            if arbiter.ending.is_some() || !arbiter.position().is_legal(*m) {
                break;
            }
            arbiter.play(*m, None, now);
        }
        arbiter.clock = ChessClock::going_on(control, remaining);
        for played in &mut arbiter.moves {
            played.clock_before = arbiter.clock;
        }
        arbiter
    }

    /// Notes what was known of the moves before the game went on: the clock after each, and what
    /// the player thought of it, from White's point of view. The clocks of the game began to run
    /// with the move of this number.
    pub fn recall(
        &mut self,
        first: usize,
        known: impl Iterator<Item = (Option<Duration>, Option<Thought>)>,
    ) {
        let mut clock = ChessClock::new(self.clock.control());
        for (ply, ((left, thought), played)) in known.zip(&mut self.moves).enumerate() {
            let side = side_of_ply(&self.start, ply);
            played.clock = left;
            played.thought = thought.map(|thought| thought.of_white(side));
            played.clock_before = clock;
            if let Some(left) = left.filter(|_| ply >= first) {
                clock = clock.with_left(side, left);
            }
        }
    }

    /// The position from which the game started.
    pub fn start(&self) -> &VariantPosition {
        &self.start
    }

    /// The game, up to the current position.
    pub fn game(&self) -> &Game {
        &self.game
    }

    pub fn position(&self) -> &VariantPosition {
        self.game.position()
    }

    pub fn turn(&self) -> Color {
        self.position().turn()
    }

    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// The moves that were played, without anything else.
    pub fn bare_moves(&self) -> Vec<Move> {
        self.moves.iter().map(|played| played.m).collect()
    }

    /// The number of a ply, 0 for the first, and its side as a scoresheet has them: `12.` or
    /// `12...`.
    pub fn move_number(&self, ply: usize) -> String {
        let is_black = self.start.turn().is_black();
        let moves_before = (ply + usize::from(is_black)) / 2;
        let number = self.start.fullmoves().get() as usize + moves_before;
        move_number(number, side_of_ply(&self.start, ply))
    }

    /// What the last engine to move thought, from White's point of view; `None` if there was none.
    pub fn last_thought(&self) -> Option<Thought> {
        let mut moves = self.moves.iter().enumerate().rev();
        moves.find_map(|(ply, played)| {
            let side = side_of_ply(&self.start, ply);
            Some(played.thought?.of_white(side))
        })
    }

    /// The clock.
    pub fn clock(&self) -> &ChessClock {
        &self.clock
    }

    /// How the game has ended; `None` while it goes on.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Starts the time of the side to move.
    pub fn start_clock(&mut self, now: Instant) {
        self.clock.start(self.turn(), now);
    }

    /// Plays a legal move that was complete at `now`, with what the player thought before it. A move
    /// that came too late loses the game instead.
    pub fn play(&mut self, m: Move, thought: Option<Thought>, now: Instant) {
        debug_assert!(self.position().is_legal(m), "{m:?} is not legal");
        let side = self.turn();
        let clock_before = self.clock;
        if let Err(FlagFell) = self.clock.press(now) {
            self.ending = Some(self.time_forfeit());
            return;
        }
        self.moves.push(PlayedMove {
            m,
            san: san_plus(self.position(), m).to_string(),
            clock: self.clock.remaining(side, now),
            thought: thought.and_then(Thought::after_the_move),
            clock_before,
        });
        self.game.play(m);
        self.ending = self.game.end_by_the_rules().map(Ending::Rules);
    }

    /// Adds to the last move what somebody else thinks of it, from the point of view of the side
    /// that has moved.
    pub fn judge_last_move(&mut self, thought: Thought) {
        if let Some(played) = self.moves.last_mut() {
            played.thought = Some(thought);
        }
    }

    /// Takes back up to this many moves. The clock shows again what it showed before them. The game
    /// goes on.
    pub fn undo(&mut self, plies: usize) {
        for _ in 0..plies {
            let Some(played) = self.moves.pop() else {
                break;
            };
            self.game.unmake_move();
            self.clock = played.clock_before.standing();
            self.ending = None;
        }
    }

    /// Ends the game if the time of the side to move is over. Returns whether it is.
    pub fn check_flag(&mut self, now: Instant) -> bool {
        let has_fallen = self.clock.is_out_of_time(now);
        if has_fallen {
            let ending = self.time_forfeit();
            self.end(ending, now);
        }
        has_fallen
    }

    /// The engine whose turn it is loses by its own fault.
    pub fn fail(&mut self, failure: Failure, now: Instant) {
        self.end(Ending::Failure(self.turn(), failure), now);
    }

    /// The result so far.
    pub fn outcome(&self) -> Outcome {
        self.ending
            .as_ref()
            .map_or(Outcome::Unknown, Ending::outcome)
    }

    /// Ends the game.
    pub fn end(&mut self, ending: Ending, now: Instant) {
        self.clock.stop(now);
        self.ending = Some(ending);
    }

    /// The end of a game in which the side to move is out of time.
    fn time_forfeit(&self) -> Ending {
        let loser = self.turn();
        if self.position().has_insufficient_material(!loser) {
            Ending::TimeForfeitWithoutMaterial
        } else {
            Ending::TimeForfeit(loser)
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use shakmaty::san::San;
    use squarewise_engine::position::draws::GameEnd;
    use squarewise_engine::position::from_fen_of_any_mode;

    const SECOND: Duration = Duration::from_secs(1);
    pub(in crate::play) const START: &str =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    /// A game from a position under a time control, after these moves. Each takes no time.
    pub(in crate::play) fn game(fen: &str, control: &str, moves: &str) -> Arbiter {
        let start = VariantPosition::from(from_fen_of_any_mode(fen).expect("a legal position"));
        let control = TimeControl::parse_clock(control).expect("a time control");
        let mut arbiter = Arbiter::new(start, control);
        for word in moves.split_whitespace() {
            assert_eq!(arbiter.ending(), None, "before {word}");
            let m = legal_move(&arbiter, word);
            arbiter.play(m, None, Instant::now());
        }
        arbiter
    }

    fn legal_move(arbiter: &Arbiter, word: &str) -> Move {
        let san: San = word.parse().expect("a move");
        san.to_move(arbiter.position()).expect("a legal move")
    }

    #[test]
    fn the_rules_end_a_game_even_before_it_begins() {
        use GameEnd::*;
        let mate = |winner| Some(Checkmate { winner });
        let shuffle = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1";
        let third = format!("{shuffle} Ng8");
        for (fen, moves, expected) in [
            (START, "f3 e5 g4 Qh4", mate(Color::Black)),
            ("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "Qg6", Some(Stalemate)),
            (
                "8/8/4k3/3R4/8/8/8/K7 b - - 0 1",
                "Kxd5",
                Some(InsufficientMaterial),
            ),
            (
                "8/8/4k3/8/8/8/8/KB6 w - - 0 1",
                "",
                Some(InsufficientMaterial),
            ),
            (START, shuffle, None),
            (START, &third, Some(ThreefoldRepetition)),
            ("7k/8/8/8/8/8/6Q1/K7 w - - 99 90", "Qf3", Some(FiftyMoves)),
            // A mate takes precedence.
            (
                "6k1/8/6K1/8/8/8/8/5R1Q w - - 99 90",
                "Qa8",
                mate(Color::White),
            ),
        ] {
            let ending = game(fen, "5", moves).ending().cloned();
            assert_eq!(ending, expected.map(Ending::Rules), "{fen} {moves}");
        }
    }

    #[test]
    fn a_side_out_of_time_loses_at_once_and_with_a_late_move() {
        let mut arbiter = game(START, "1", "");
        let now = Instant::now();
        arbiter.start_clock(now);
        assert!(!arbiter.check_flag(now + 59 * SECOND));
        assert!(arbiter.check_flag(now + 61 * SECOND));
        let lost = Ending::TimeForfeit(Color::White);
        assert_eq!(arbiter.ending(), Some(&lost));

        let mut arbiter = game(START, "1", "");
        arbiter.start_clock(now);
        let m = arbiter.position().legal_moves()[0];
        arbiter.play(m, None, now + 61 * SECOND);
        assert_eq!(arbiter.ending(), Some(&lost));
        assert!(arbiter.moves().is_empty(), "the late move does not count");
    }

    #[test]
    fn a_side_out_of_time_draws_against_a_bare_king() {
        let mut arbiter = game("8/8/4k3/8/8/8/3Q4/K7 w - - 0 1", "1", "");
        let now = Instant::now();
        arbiter.start_clock(now);
        assert!(arbiter.check_flag(now + 60 * SECOND));
        assert_eq!(arbiter.ending(), Some(&Ending::TimeForfeitWithoutMaterial));
    }

    #[test]
    fn resignation_agreement_failure_and_interruption_end_the_game() {
        let now = Instant::now();
        let after_one_move = || game(START, "5", "e4");
        let failure = Failure::IllegalMove("e2e4".to_owned());
        let mut games = [(); 4].map(|()| after_one_move());
        games[0].end(Ending::Resignation(Color::Black), now);
        games[1].end(Ending::Agreement, now);
        games[2].fail(failure.clone(), now);
        games[3].end(Ending::Interrupted, now);
        let outcomes = games.each_ref().map(|game| game.outcome().to_string());
        assert_eq!(outcomes, ["1-0", "1/2-1/2", "1-0", "*"]);
        let failed = Ending::Failure(Color::Black, failure);
        assert_eq!(games[2].ending(), Some(&failed));
    }

    #[test]
    fn moves_are_numbered_as_on_a_scoresheet() {
        let white = game(START, "5", "");
        let numbers = |arbiter: &Arbiter| [0, 1, 2].map(|ply| arbiter.move_number(ply));
        assert_eq!(numbers(&white), ["1.", "1...", "2."]);
        let black = game("8/8/4k3/3R4/8/8/8/K7 b - - 0 41", "5", "");
        assert_eq!(numbers(&black), ["41...", "42.", "42..."]);
    }

    #[test]
    fn the_last_thought_is_told_from_the_point_of_view_of_white() {
        let mut arbiter = game(START, "5", "");
        let thought = |centipawns| Thought {
            score: Score::centipawns(centipawns),
            depth: 7,
        };
        let mut play = |text: &str, thought| {
            arbiter.play(legal_move(&arbiter, text), thought, Instant::now());
            arbiter.last_thought()
        };
        assert_eq!(play("e4", None), None);
        assert_eq!(play("e5", Some(thought(30))), Some(thought(-30)));
        assert_eq!(play("Nf3", None), Some(thought(-30)));
        assert_eq!(play("Nc6", None), Some(thought(-30)));
        assert_eq!(play("Bb5", Some(thought(50))), Some(thought(50)));
    }

    #[test]
    fn a_mate_is_counted_from_the_position_after_the_move() {
        let mut arbiter = game(START, "5", "f3 e5");
        let mut play = |text: &str, mate_in| {
            let thought = Thought {
                score: Score::from_mate_moves(mate_in),
                depth: 7,
            };
            arbiter.play(legal_move(&arbiter, text), Some(thought), Instant::now());
            let thought = arbiter.moves().last().and_then(|played| played.thought);
            thought.and_then(|thought| thought.score.mate_moves())
        };
        assert_eq!(play("g4", -1), Some(-1));
        assert_eq!(play("Qh4", 1), None);
        let mut arbiter = game("7k/8/8/8/8/8/R7/1R5K w - - 0 1", "5", "");
        let thought = Thought {
            score: Score::from_mate_moves(2),
            depth: 7,
        };
        arbiter.play(legal_move(&arbiter, "Ra7"), Some(thought), Instant::now());
        let nearer = Thought {
            score: Score::from_mate_moves(1),
            ..thought
        };
        assert_eq!(arbiter.last_thought(), Some(nearer));
    }

    #[test]
    fn undo_restores_the_position_and_the_clock() {
        let mut arbiter = game(START, "1+1", "");
        let mut now = Instant::now();
        for word in ["f3", "e5", "g4", "Qh4"] {
            arbiter.start_clock(now);
            now += 3 * SECOND;
            arbiter.play(legal_move(&arbiter, word), None, now);
        }
        assert!(arbiter.ending().is_some(), "that is mate");
        arbiter.undo(2);
        assert_eq!(arbiter.ending(), None);
        assert_eq!(arbiter.bare_moves().len(), 2);
        assert_eq!(arbiter.turn(), Color::White);
        arbiter.start_clock(now);
        for side in Color::ALL {
            // One move each: three seconds less, one more.
            let remaining = arbiter.clock().remaining(side, now);
            assert_eq!(remaining, Some(58 * SECOND), "{side}");
        }
        arbiter.undo(100);
        assert_eq!(arbiter.position(), arbiter.start());
    }
}
