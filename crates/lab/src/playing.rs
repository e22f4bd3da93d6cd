//! Playing games: what self-play, SPSA and matches of tables share.
//!
//! [`play_to_end`] plays one game until it is over or adjudicated. [`play_numbered`] plays many on
//! several threads: each thread takes the next number, plays what belongs to it, and sends the
//! outcome back.

use std::ops::Range;
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use anyhow::Context;
use shakmaty::Position;

use super::adjudication::{Adjudication, Adjudicator};
use super::training_position::GameResult;
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::transposition_table::AllocationError;
use squarewise_engine::search::{STACK_BYTES, SearchResult, Searcher};

/// The adjudication of games in which the results need not all be the true ones. Players whose
/// tables are all zero may not agree to draws, because they would agree to everything.
pub(super) fn usual_adjudication(tables: &Tables) -> Adjudication {
    if tables.is_zero() {
        Adjudication::NoAgreedDraws
    } else {
        Adjudication::Full
    }
}

/// The size of a searcher's transposition table in MiB: ample for some thousand nodes, and quickly
/// cleared.
pub(super) const TT_MEGABYTES: usize = 1;

/// The searchers of both players, for each of `threads` threads; at least for one.
pub(super) fn pairs_of_searchers(threads: usize) -> Result<Vec<[Searcher; 2]>, AllocationError> {
    let new_pair = |_| Ok([Searcher::new(TT_MEGABYTES)?, Searcher::new(TT_MEGABYTES)?]);
    (0..threads.max(1)).map(new_pair).collect()
}

/// Plays a game to its end and returns its result. `search` chooses each move; a search without a
/// best move ends the game as a draw.
pub(super) fn play_to_end(
    mut game: Game,
    adjudication: Adjudication,
    mut search: impl FnMut(&Game) -> SearchResult,
) -> GameResult {
    let mut adjudicator = Adjudicator::new(adjudication);
    loop {
        if let Some(end) = game.end_by_the_rules() {
            return GameResult::by_the_rules(end);
        }
        let turn = game.position().turn();
        let search = search(&game);
        let Some(best) = search.best_move() else {
            return GameResult::Draw;
        };
        game.play(best);
        if let Some(result) = adjudicator.add_ply(turn, search.score()) {
            return result;
        }
    }
}

/// Calls `play` once for each number, on one thread per player, and passes the outcomes to
/// `receive` on the calling thread, in the order in which they come in. An error of `receive` ends
/// the run after the games that are being played; so does a panic of `play`, which then goes on
/// here.
pub(super) fn play_numbered<Player: Send, Outcome: Send>(
    numbers: Range<u32>,
    players: Vec<Player>,
    play: impl Fn(u32, &mut Player) -> Outcome + Sync,
    mut receive: impl FnMut(u32, Outcome) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let numbers = NumbersLeft(Mutex::new(numbers));
    thread::scope(|scope| {
        let (sender, outcomes) = channel();
        for mut player in players {
            let (sender, numbers, play) = (sender.clone(), &numbers, &play);
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let started = thread.spawn_scoped(scope, move || {
                let _no_more_after_a_panic = ForgottenInPanic(numbers);
                while let Some(number) = numbers.next() {
                    if sender.send((number, play(number, &mut player))).is_err() {
                        break;
                    }
                }
            });
            started.context("can't start a thread")?;
        }
        drop(sender);
        // An error drops the receiver, so that every thread fails to send its next outcome and
        // ends.
        outcomes
            .into_iter()
            .try_for_each(|(number, outcome)| receive(number, outcome))
    })
}

/// The numbers of the games that no thread has taken yet.
struct NumbersLeft(Mutex<Range<u32>>);

impl NumbersLeft {
    fn next(&self) -> Option<u32> {
        self.lock().next()
    }

    fn lock(&self) -> MutexGuard<'_, Range<u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Leaves no numbers if its thread panics, since the outcome of that game will never come: the
/// others would play on to the end of a run that can't be completed.
struct ForgottenInPanic<'a>(&'a NumbersLeft);

impl Drop for ForgottenInPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            *self.0.lock() = 0..0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::time::Duration;

    #[test]
    fn a_panic_of_one_player_ends_the_run_after_the_games_under_way() {
        let played = AtomicU32::new(0);
        let run = || {
            play_numbered(
                0..u32::MAX,
                vec![(); 2],
                |number, _| {
                    assert_ne!(number, 20, "a panic");
                    played.fetch_add(1, Ordering::Relaxed);
                    thread::sleep(Duration::from_millis(1));
                },
                |_, ()| Ok(()),
            )
        };
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        assert!((20..1_000).contains(&played.into_inner()));
    }

    #[test]
    fn every_number_is_played_once_on_any_number_of_threads() {
        for threads in [1, 3] {
            let mut played = Vec::new();
            let result = play_numbered(
                5..40,
                vec![(); threads],
                |number, _| number * 2,
                |number, outcome| {
                    assert_eq!(outcome, number * 2);
                    played.push(number);
                    Ok(())
                },
            );
            played.sort_unstable();
            assert!(result.is_ok());
            assert_eq!(played, (5..40).collect::<Vec<u32>>());
        }
    }

    #[test]
    fn an_error_of_the_receiver_ends_the_run() {
        let played = AtomicU32::new(0);
        let result = play_numbered(
            0..u32::MAX,
            vec![(); 2],
            |_, _| played.fetch_add(1, Ordering::Relaxed),
            |number, _| {
                if number < 10 {
                    Ok(())
                } else {
                    Err(anyhow!("the disk is full"))
                }
            },
        );
        assert_eq!(
            result.map_err(|error| error.to_string()),
            Err("the disk is full".to_owned())
        );
        assert!(played.into_inner() > 10);
    }
}
