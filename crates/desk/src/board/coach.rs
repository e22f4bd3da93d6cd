//! The coach: a thread at full strength for questions on the side, such as hints, explanations and
//! the judgement of a move. One question is answered after the other.
//!
//! While a person thinks about a move that is to be judged, the coach studies the position, so that
//! it knows the best move better than a quick look would tell, and the answer comes at once.
//!
//! A job returns what is to be done with its answer by the owner of the boards, so that the owner
//! alone changes anything.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::thread;

use shakmaty::Move;

use super::event::{Consequence, Event};
use crate::analysis::analyzer::{Analyzer, Settings};
use crate::why::{Effort, ScoredLine, with_the_way_back};
use squarewise_engine::position::game::Game;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::transposition_table::AllocationError;
use squarewise_engine::search::{STACK_BYTES, SearchRequest, Searcher};
use squarewise_engine::search_worker::catch_panic;

/// The size of its transposition table, in MiB.
const HASH_MEGABYTES: usize = 32;

/// How much it thinks about a question, in nodes: a fifth of a second.
pub(super) const NODES: u64 = 150_000;

/// The most that it studies a position while a person thinks, in nodes: some seconds.
const STUDY_NODES: u64 = 4_000_000;

/// The most that it then looks at the move that was played, in nodes.
const PLAYED_NODES: u64 = 4 * NODES;

/// What the coach thinks with.
pub(super) struct Mind {
    searcher: Searcher,
    /// The Zobrist key of the position studied last, and what was found.
    studied: Option<(u64, ScoredLine)>,
}

impl Mind {
    fn new() -> Result<Mind, AllocationError> {
        Ok(Mind {
            searcher: Searcher::new(HASH_MEGABYTES)?,
            studied: None,
        })
    }

    /// Studies a position until the token is raised, or for `nodes` nodes.
    fn study(&mut self, game: &Game, nodes: u64, stop: &StopToken) {
        let request = SearchRequest {
            stop: stop.child(),
            ..SearchRequest::of_variant(game.position().variant(), Limits::nodes(nodes))
        };
        let result = self.searcher.search(game, request, &mut |_| ());
        let line = ScoredLine::from(&result);
        // One that was ended at once says less than a quick look.
        let is_enough = !stop.is_requested() || result.info.nodes >= NODES;
        self.studied = (is_enough && !line.moves.is_empty()).then(|| (game.key(), line));
    }

    /// A search as [`why`](crate::why) asks for it. `None` once the token is raised.
    pub(super) fn search(
        &mut self,
        stop: &StopToken,
        game: &Game,
        moves: &[Move],
        effort: Effort,
    ) -> Option<ScoredLine> {
        let limits = Limits::nodes(match effort {
            Effort::Full => NODES,
            Effort::Aside => NODES / 4,
        });
        self.limited_search(stop, game, moves, limits)
    }

    /// The best line, and the line that begins with a move that was played; both are searched to
    /// the same depth, if the position was studied and [`PLAYED_NODES`] are enough.
    pub(super) fn compare(&mut self, game: &Game, played: Move) -> Option<[ScoredLine; 2]> {
        let stop = StopToken::new();
        let studied = self.studied.as_ref();
        let studied = studied.filter(|(key, _)| *key == game.key());
        let (best, played) = if let Some(best) = studied.map(|(_, line)| line.clone()) {
            let limits = Limits {
                depth: Some(best.depth),
                ..Limits::nodes(PLAYED_NODES)
            };
            let played = if best.moves.first() == Some(&played) {
                best.clone()
            } else {
                self.limited_search(&stop, game, &[played], limits)?
            };
            (best, played)
        } else {
            let best = self.search(&stop, game, &[], Effort::Full)?;
            (best, self.search(&stop, game, &[played], Effort::Full)?)
        };
        let mut search =
            |game: &Game, moves: &[Move], effort| self.search(&stop, game, moves, effort);
        let played = with_the_way_back(game, played, best.score, Effort::Full, &mut search)?;
        Some([best, played])
    }

    fn limited_search(
        &mut self,
        stop: &StopToken,
        game: &Game,
        moves: &[Move],
        limits: Limits,
    ) -> Option<ScoredLine> {
        let limits = Limits {
            search_moves: moves.to_vec(),
            ..limits
        };
        let request = SearchRequest {
            stop: stop.child(),
            ..SearchRequest::of_variant(game.position().variant(), limits)
        };
        let result = self.searcher.search(game, request, &mut |_| ());
        (!stop.is_requested()).then(|| ScoredLine::from(&result))
    }
}

type Job<D> = Box<dyn FnOnce(&mut Mind) -> Option<Consequence<D>> + Send>;

/// The thread's handle. Its answers go to an owner of type `D`.
pub(super) struct Coach<D> {
    jobs: Sender<Job<D>>,
    /// Ends what it studies.
    end_study: StopToken,
}

impl<D: 'static> Coach<D> {
    /// Starts the thread. Its answers are events for the owner of the boards, which does what
    /// `failed` says if a search panics.
    pub(super) fn start(events: Sender<Event<D>>, failed: fn(&mut D)) -> io::Result<Coach<D>> {
        let (jobs, received) = channel::<Job<D>>();
        let mut mind = Mind::new().map_err(io::Error::other)?;
        let work = move || {
            for job in received {
                let consequence = catch_panic(|| job(&mut mind)).unwrap_or_else(|_| {
                    // The panic can have left the searcher's state half-written.
                    mind.searcher.new_game();
                    Some(Box::new(failed))
                });
                if let Some(consequence) = consequence
                    && events.send(Event::Done(consequence)).is_err()
                {
                    return;
                }
            }
        };
        thread::Builder::new()
            .name("coach".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(work)?;
        Ok(Coach {
            jobs,
            end_study: StopToken::new(),
        })
    }

    /// Asks a question. It is more urgent than what is being studied.
    pub(super) fn ask(
        &self,
        job: impl FnOnce(&mut Mind) -> Option<Consequence<D>> + Send + 'static,
    ) {
        self.end_study.request();
        // It ends with the program only.
        let _ = self.jobs.send(Box::new(job));
    }

    /// Studies the last position of a game until something is asked.
    pub(super) fn study(&mut self, game: Game) {
        self.end_study.request();
        let stop = StopToken::new();
        self.end_study = stop.clone();
        let job = move |mind: &mut Mind| {
            mind.study(&game, STUDY_NODES, &stop);
            None
        };
        let _ = self.jobs.send(Box::new(job));
    }
}

/// An analyzer for whole games, with this many nodes for a position.
pub(super) fn analyzer(nodes: u64) -> Result<Analyzer, String> {
    let settings = Settings {
        limits: Limits::nodes(nodes),
        lines: 1,
        hash_megabytes: HASH_MEGABYTES,
        threads: 1,
    };
    Analyzer::new(&settings).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Position, uci::UciMove};
    use squarewise_engine::position::from_fen;
    use squarewise_engine::position::variant_position::VariantPosition;
    use squarewise_engine::score::Score;

    fn game_and_moves(names: &[&str]) -> (Game, Vec<Move>) {
        let game = Game::new(VariantPosition::default());
        let moves = names.iter().map(|name| {
            let m: UciMove = name.parse().expect("a move");
            m.to_move(game.position()).expect("a legal move")
        });
        let moves = moves.collect();
        (game, moves)
    }

    #[test]
    fn what_was_studied_is_the_best_line_and_the_other_move_is_searched_as_deeply() {
        let (game, moves) = game_and_moves(&["g2g4"]);
        let mut mind = Mind::new().expect("a small table");
        let [quick, _] = mind.compare(&game, moves[0]).expect("lines");
        mind.study(&game, 2 * NODES, &StopToken::new());
        let [best, played] = mind.compare(&game, moves[0]).expect("lines");
        assert!(best.depth > quick.depth, "{} {}", best.depth, quick.depth);
        assert_eq!(played.depth, best.depth);
        assert_eq!(played.moves[0], moves[0]);
        assert!(played.score < best.score);
        // The best move needs no search of its own.
        let [best, same] = mind.compare(&game, best.moves[0]).expect("lines");
        assert_eq!((same.score, same.moves), (best.score, best.moves));
    }

    #[test]
    fn a_study_that_was_ended_at_once_is_forgotten() {
        let (game, _) = game_and_moves(&[]);
        let mut mind = Mind::new().expect("a small table");
        let stop = StopToken::new();
        stop.request();
        mind.study(&game, STUDY_NODES, &stop);
        assert!(mind.studied.is_none());
    }

    #[test]
    fn what_was_studied_says_nothing_about_another_position() {
        let (game, moves) = game_and_moves(&["e2e4"]);
        let mut mind = Mind::new().expect("a small table");
        mind.study(&game, 1_000, &StopToken::new());
        let mut after = game.position().clone();
        after.play_unchecked(moves[0]);
        let other = Game::new(after);
        let reply = other.position().legal_moves()[0];
        let [best, played] = mind.compare(&other, reply).expect("lines");
        let is_legal = |line: &ScoredLine| other.position().is_legal(line.moves[0]);
        assert!(is_legal(&best) && is_legal(&played));
    }

    #[test]
    fn a_move_that_wins_by_going_back_is_not_judged_a_draw() {
        let fen = "2k5/8/p1P5/P1K5/8/8/8/8 w - - 0 1";
        let game = Game::new(from_fen(fen, CastlingMode::Standard).expect("a position"));
        let detour = UciMove::from_ascii(b"c5d5").expect("a move");
        let detour = detour.to_move(game.position()).expect("a legal move");
        let mut mind = Mind::new().expect("a small table");
        let [_, played] = mind.compare(&game, detour).expect("lines");
        assert_eq!(played.moves[0], detour);
        assert!(played.score > Score::centipawns(500), "{played:?}");
    }

    #[test]
    fn a_question_ends_what_is_studied() {
        let (events, answers) = channel();
        let coach = Coach::<bool>::start(events, |has_failed| *has_failed = true);
        let mut coach = coach.expect("a thread and a small table");
        let (game, _) = game_and_moves(&[]);
        coach.study(game.recent());
        coach.ask(|_| Some(Box::new(|_| ())));
        assert!(coach.end_study.is_requested());
        assert!(matches!(answers.recv(), Ok(Event::Done(_))));
        coach.study(game);
        assert!(!coach.end_study.is_requested());
    }
}
