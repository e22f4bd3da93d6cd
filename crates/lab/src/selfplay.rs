//! Self-play: the engine plays itself and writes positions of its games to a file.
//!
//! Each game is independent of all others: it has its own opening, a cleared searcher, and random
//! numbers drawn from the run's seed and the game's number. So a run can be stopped and resumed at
//! any game, and plays the same games on any number of threads.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::adjudication::Adjudication;
use super::game_file::{TrainingGame, Writer};
use super::openings::{Openings, happens};
use super::playing::{TT_MEGABYTES, play_numbered, play_to_end, usual_adjudication};
use super::training_position::{GameResult, TrainingPosition, is_quiet};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::random_moves::play_randomly;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::search::{SearchRequest, Searcher};

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of games in all, including those already in the file.
    pub games: u32,
    /// Nodes for each move: the iteration in which the search reaches them is its last.
    pub nodes: u64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of threads.
    pub threads: usize,
    /// Where games begin.
    pub openings: Openings,
    /// The share of games, in per cent, that begin off the usual paths: with the position that some
    /// random moves make of one in the middle of another game. A search visits such positions all
    /// the time, and games never.
    pub detours: u8,
    /// The tables that both sides play with.
    pub tables: Arc<Tables>,
    /// Whether games are played to their end by the rules, without adjudication, and all their
    /// positions are kept whose score is not decisive, not only the quiet ones.
    pub whole_games: bool,
    /// The signal that ends the run. The games under way are dropped then, and played again when it
    /// is resumed.
    pub stop: StopToken,
}

/// The description of a run of whole games ends with these words.
pub const WHOLE_GAMES: &str = " whole games";

/// The variant of the games in a file, by the description that self-play gives it. Games of any
/// other origin are of chess.
pub fn variant_of(description: &str) -> Variant {
    let is_own = description.starts_with("seed ");
    let is_played =
        |variant: &Variant| is_own && description.contains(&format!(" of {variant} tables "));
    let found = Variant::ALL.into_iter().find(is_played);
    found.unwrap_or(Variant::Chess)
}

/// The plies of the quick game before a detour: fewer than this.
const DETOUR_MAX_PLIES: u32 = 80;
/// The random plies of a detour, at most.
const DETOUR_MAX_RANDOM_PLIES: u32 = 4;
/// An opening is drawn again if its first score is beyond this, in centipawns: games that begin
/// decided say little (Sirius draws the line at 300).
const OPENING_SCORE_LIMIT: i32 = 350;
/// An opening is drawn this many times at most, for players who see every position as decided.
const OPENING_DRAWS: u32 = 20;
/// A search ends inside an iteration only if it has taken this many times its nodes.
const HARD_LIMIT_FACTOR: u64 = 4;
/// The quick game before a detour has the nodes of the run divided by this.
const DETOUR_NODES_DIVISOR: u64 = 10;

/// Plays the games that the file still lacks. `progress` receives the numbers of games and
/// positions in the file, at first and after each game.
pub fn run(
    plan: &Plan,
    path: &Path,
    description: &str,
    progress: &mut dyn FnMut(u32, u64),
) -> anyhow::Result<()> {
    let mut writer = Writer::open(path, description)?;
    progress(writer.games(), writer.positions());
    let searchers = (0..plan.threads.max(1))
        .map(|_| Searcher::new(TT_MEGABYTES))
        .collect::<Result<Vec<_>, _>>()?;
    // Games are written in the order of their numbers, whichever is finished first.
    let mut finished = BTreeMap::new();
    play_numbered(
        writer.games()..plan.games,
        searchers,
        |number, searcher| play(plan, number, searcher),
        |number, game| {
            // What is found at once after the signal is no game.
            if plan.stop.is_requested() {
                let games = writer.games();
                bail!("interrupted after {games} games; the same command goes on from there");
            }
            finished.insert(number, game);
            while let Some(game) = finished.remove(&writer.games()) {
                writer.add(&game)?;
                progress(writer.games(), writer.positions());
            }
            Ok(())
        },
    )
}

/// Plays one game of the run.
pub fn play(plan: &Plan, number: u32, searcher: &mut Searcher) -> TrainingGame {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(u64::from(number));
    let opening = balanced_opening(plan, searcher, &mut random);
    searcher.new_game();
    let adjudication = if plan.whole_games {
        Adjudication::Off
    } else {
        usual_adjudication(&plan.tables)
    };
    let game = Game::new(opening);
    let mut positions = Vec::new();
    let result = play_to_end(game, adjudication, |game| {
        let request = request(plan, plan.nodes);
        let result = searcher.search(game, request, &mut |_| ());
        let (position, score) = (game.position(), result.score());
        let is_kept = if plan.whole_games {
            !score.is_decisive()
        } else {
            let best = result.best_move();
            best.is_some_and(|best| is_quiet(position, best, score))
        };
        if is_kept {
            // The result is filled in when the game is over.
            positions.push(TrainingPosition::new(position, score, GameResult::Draw));
        }
        result
    });
    for position in &mut positions {
        position.result = result;
    }
    TrainingGame { positions }
}

/// A search by the tables of the plan.
fn request(plan: &Plan, nodes: u64) -> SearchRequest {
    let limits = Limits {
        soft_nodes: Some(nodes),
        ..Limits::nodes(nodes.saturating_mul(HARD_LIMIT_FACTOR))
    };
    SearchRequest {
        tables: Arc::clone(&plan.tables),
        stop: plan.stop.clone(),
        ..SearchRequest::new(limits)
    }
}

/// A position to begin a game with that is not decided yet.
fn balanced_opening(
    plan: &Plan,
    searcher: &mut Searcher,
    random: &mut ChaCha8Rng,
) -> VariantPosition {
    let mut draws = 0;
    loop {
        draws += 1;
        searcher.new_game();
        let mut opening = plan.openings.draw(random);
        if happens(plan.detours, random) {
            opening = detour(plan, opening, searcher, random);
            searcher.new_game();
        }
        let first = searcher.search(
            &Game::new(opening.clone()),
            request(plan, plan.nodes),
            &mut |_| (),
        );
        let is_balanced = first.score().value().abs() <= OPENING_SCORE_LIMIT;
        if is_balanced || draws == OPENING_DRAWS {
            return opening;
        }
    }
}

/// A position off the usual paths: some plies of a quick game from an opening, then a few random
/// ones. The opening itself if the game is over before.
fn detour(
    plan: &Plan,
    opening: VariantPosition,
    searcher: &mut Searcher,
    random: &mut ChaCha8Rng,
) -> VariantPosition {
    let mut game = Game::new(opening.clone());
    for _ in 0..random.next_u32() % DETOUR_MAX_PLIES {
        let nodes = (plan.nodes / DETOUR_NODES_DIVISOR).max(1);
        let request = request(plan, nodes);
        match searcher.search(&game, request, &mut |_| ()).best_move() {
            Some(best) => game.play(best),
            None => return opening,
        }
    }
    let mut position = game.position().clone();
    let plies = 1 + random.next_u32() % DETOUR_MAX_RANDOM_PLIES;
    if play_randomly(&mut position, plies, random) {
        position
    } else {
        opening
    }
}
