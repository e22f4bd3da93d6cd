//! The engine plays itself and writes down what it sees.
//!
//! Each game is played for itself: from an opening of its own, by a searcher that knows nothing of other
//! games, with random numbers drawn from the run's seed and the game's number. So a run may be stopped and
//! taken up again at any game, and any number of threads plays the same games.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::thread;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use shakmaty::{Chess, Move, Position};

use super::adjudication::{Adjudicator, result_by_rules};
use super::game_file::{GameFileError, GameRecord, Writer};
use super::openings;
use super::training_position::{GameResult, Record};
use crate::evaluation::Tables;
use crate::position::game::Game;
use crate::search::limits::Limits;
use crate::search::transposition_table::AllocationError;
use crate::search::{STACK_BYTES, SearchRequest, SearchResult, Searcher};

/// The size of a self-play searcher's table in MiB: ample for some thousand nodes, and quickly emptied.
const TABLE_MEGABYTES: usize = 1;

/// A run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Games to play in all, those already in the file among them.
    pub games: u32,
    /// Nodes for each move.
    pub nodes: u64,
    /// What random numbers are drawn from.
    pub seed: u64,
    /// Threads to play on.
    pub threads: usize,
    /// Positions to begin at, drawn by chance; if empty, random plies from the start position.
    pub openings: Vec<Chess>,
    /// The tables that both sides play by.
    pub tables: Arc<Tables>,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
pub enum SelfPlayError {
    /// The games can't be written down.
    #[error(transparent)]
    Record(#[from] GameFileError),
    /// There is no memory for a searcher.
    #[error(transparent)]
    Memory(#[from] AllocationError),
    /// The operating system has no thread for us.
    #[error("no thread to play on: {0}")]
    Thread(#[from] std::io::Error),
}

/// Plays the games that the file still lacks. `progress` gets the numbers of games and positions that the
/// file holds, at first and after each game.
///
/// # Errors
///
/// [`SelfPlayError`] if there is no memory, or the file can't be written or belongs to another run.
pub fn run(
    plan: &Plan,
    path: &Path,
    description: &str,
    progress: &mut dyn FnMut(u32, u64),
) -> Result<(), SelfPlayError> {
    let mut writer = Writer::open(path, description)?;
    progress(writer.games(), writer.positions());
    let next = AtomicU32::new(writer.games());
    let is_over = AtomicBool::new(false);
    let searchers = (0..plan.threads.max(1))
        .map(|_| Searcher::new(TABLE_MEGABYTES))
        .collect::<Result<Vec<_>, _>>()?;

    thread::scope(|scope| {
        let (sender, played) = channel();
        for mut searcher in searchers {
            let (sender, next, is_over) = (sender.clone(), &next, &is_over);
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            thread.spawn_scoped(scope, move || {
                while !is_over.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.games {
                        break;
                    }
                    let game = play(plan, number, &mut searcher);
                    if sender.send((number, game)).is_err() {
                        break;
                    }
                }
            })?;
        }
        drop(sender);

        // Games are written in the order of their numbers, whoever finishes first.
        let mut waiting = BTreeMap::new();
        for (number, game) in played {
            waiting.insert(number, game);
            while let Some(game) = waiting.remove(&writer.games()) {
                if let Err(error) = writer.add(&game) {
                    is_over.store(true, Ordering::Relaxed);
                    return Err(error.into());
                }
                progress(writer.games(), writer.positions());
            }
        }
        Ok(())
    })
}

/// Plays one game of the run.
pub fn play(plan: &Plan, number: u32, searcher: &mut Searcher) -> GameRecord {
    let mut random = ChaCha8Rng::seed_from_u64(plan.seed);
    random.set_stream(u64::from(number));
    searcher.new_game();
    let mut game = Game::new(
        openings::draw(&plan.openings, &mut random),
        Arc::clone(&plan.tables),
    );
    let mut judge = Adjudicator::new(plan.tables.is_zero());
    let mut records = Vec::new();
    let result = loop {
        if let Some(result) = result_by_rules(&game) {
            break result;
        }
        let request = SearchRequest::new(game.recent(), Limits::nodes(plan.nodes));
        let search = searcher.search(request, &mut |_| ());
        let Some(best) = search.best_move() else {
            break GameResult::Draw;
        };
        if is_quiet(&game, &search) {
            records.push(written(&game, &search));
        }
        let verdict = judge.see(game.position().turn(), search.score());
        game.play(best);
        if let Some(result) = verdict {
            break result;
        }
    };
    for record in &mut records {
        record.result = result;
    }
    GameRecord { records }
}

/// Whether the static evaluation of a position can mean anything: no check, and nothing to be taken.
fn is_quiet(game: &Game, result: &SearchResult) -> bool {
    let is_tactical = |m: Move| m.is_capture() || m.is_promotion();
    !result.best_move().is_some_and(is_tactical)
        && !result.score().is_mate()
        && !game.position().is_check()
}

fn written(game: &Game, result: &SearchResult) -> Record {
    let turn = game.position().turn();
    let score = result.score().value() as i16;
    Record {
        board: game.position().board().clone(),
        turn,
        score: turn.fold_wb(score, -score),
        // Known only when the game is over.
        result: GameResult::Draw,
    }
}
