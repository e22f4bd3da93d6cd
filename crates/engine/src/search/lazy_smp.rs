//! Lazy SMP: helper threads search the same position as the main thread, and share only the
//! transposition table with it.
//!
//! Each thread runs iterative deepening for itself, with its own histories. What one finds, the
//! others meet in the transposition table; that is all the cooperation there is, and it scales
//! better than splitting the tree (chessprogramming wiki, *Lazy SMP*; Cheng by Martin Sedlak,
//! Stockfish 7). Every second helper begins with the second ply, so that not all do the same from
//! the start; further on, what one finds first sends the others another way. In the end they vote
//! on the move.

use std::io;
use std::num::NonZero;
use std::thread::available_parallelism;

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::injected_panic::{SearchThread, panic_if_asked};
use super::request::MAX_THREADS;
use super::result::{Progress, SearchInfo, SearchResult};
use super::shared::Shared;
use super::spawning::ThreadRoom;
use super::stop::StopToken;
use super::time_management::TimeManager;
#[cfg(feature = "tuning")]
use super::tunable::tuning;
use super::worker::{ThreadData, Worker};

/// A vote counts the centipawns above the lowest score of all threads, and this many more.
const VOTE_BASE: i64 = 14;

/// The most threads that search on one core. More find nothing that these don't, and a search isn't
/// over until each of them has had its turn to stop.
const MAX_THREADS_OF_CORE: usize = 16;

/// The operating system has not given as many threads as were asked for.
#[derive(Debug, thiserror::Error)]
#[error("no {threads} threads: {error}")]
pub struct ThreadsError {
    /// The number of threads asked for.
    pub threads: usize,
    error: io::Error,
}

/// The threads that a searcher keeps besides the one that calls it.
#[derive(Debug)]
pub(super) struct Helpers {
    /// `None` if there are none.
    pool: Option<ThreadPool>,
    /// The processor cores that there are for the search.
    cores: usize,
}

impl Helpers {
    /// No helpers: the search has one thread.
    pub(super) fn none() -> Helpers {
        Helpers {
            pool: None,
            cores: available_parallelism().map_or(1, NonZero::get),
        }
    }

    /// Starts the helpers of a search with this many threads in all.
    pub(super) fn start(threads: usize, stack_bytes: usize) -> Result<Helpers, ThreadsError> {
        debug_assert!((1..=MAX_THREADS).contains(&threads), "{threads} threads");
        if threads == 1 {
            return Ok(Helpers::none());
        }
        let mut room = ThreadRoom::claim(vec![stack_bytes; threads - 1])
            .map_err(|error| ThreadsError { threads, error })?;
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads - 1)
            .spawn_handler(|helper| {
                let name = format!("helper {}", helper.index() + 1);
                room.start_with_arena(&name, || helper.run())
            })
            .build();
        pool.map(|pool| Helpers {
            pool: Some(pool),
            ..Helpers::none()
        })
        .map_err(|error| {
            let error = io::Error::other(error);
            ThreadsError { threads, error }
        })
    }

    /// The pool that they form; `None` if there are none.
    pub(super) fn pool(&self) -> Option<&ThreadPool> {
        self.pool.as_ref()
    }

    /// Whether there are more search threads than processor cores.
    pub(super) fn are_crowded(&self) -> bool {
        let helpers = self.pool().map_or(0, ThreadPool::current_num_threads);
        helpers >= self.cores
    }

    /// How many of this many helpers are woken for a search.
    fn awake(&self, helpers: usize, time: &TimeManager) -> usize {
        let most = self.cores * MAX_THREADS_OF_CORE - 1;
        time.useful_helpers(helpers.min(most), self.cores - 1)
    }

    /// Searches on the calling thread and with as many helpers as there is time for; each has its
    /// element of `threads`.
    pub(super) fn search(
        &self,
        shared: &Shared,
        threads: &mut [ThreadData],
        on_progress: &mut dyn FnMut(Progress),
    ) -> SearchResult {
        let (main, others) = threads
            .split_first_mut()
            .expect("a searcher has at least one thread");
        let mut main = Worker::new(shared, 0, main, on_progress);
        let awake = self.awake(others.len(), &shared.time);
        let Some(pool) = self.pool().filter(|_| awake > 0) else {
            return main.iterative_deepening();
        };
        let others = &mut others[..awake];
        #[cfg(feature = "tuning")]
        let values = &tuning::values_in_use();
        let mut answers: Vec<Option<SearchResult>> = vec![None; others.len()];
        let answer = pool.in_place_scope(|scope| {
            for ((number, data), answer) in (1..).zip(others).zip(&mut answers) {
                scope.spawn(move |_| {
                    panic_if_asked(SearchThread::Helper);
                    #[cfg(feature = "tuning")]
                    tuning::use_values(values);
                    let mut silent = |_| ();
                    let mut helper = Worker::new(shared, number, data, &mut silent);
                    *answer = Some(helper.iterative_deepening());
                });
            }
            let _guard = StopOnDrop(&shared.stop);
            main.iterative_deepening()
        });
        let elected = elect(answer, answers.into_iter().flatten(), shared);
        let info = SearchInfo {
            nodes: shared.counts.nodes(),
            tablebase_hits: shared.counts.tablebase_hits(),
            hashfull: shared.tt.hashfull(),
            time: shared.asked_at.elapsed(),
            ..elected.info
        };
        SearchResult {
            info,
            tree: elected.tree,
        }
    }
}

/// Stops the helpers when the main thread has finished, and also if it panics: the scope waits for
/// them.
struct StopOnDrop<'a>(&'a StopToken);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.request();
    }
}

/// The answer that counts. The main thread alone decides where it must not depend on the others: at
/// a fixed depth, and with several lines.
fn elect(
    main: SearchResult,
    others: impl Iterator<Item = SearchResult>,
    shared: &Shared,
) -> SearchResult {
    if shared.limits.depth.is_some() || shared.options.multi_pv > 1 {
        return main;
    }
    let mut voters = vec![main];
    voters.extend(others.filter(|voter| voter.info.depth > 0));
    vote(voters)
}

/// The vote: every thread votes for its move, with more weight the deeper it has searched and the
/// higher its score is (as in Stockfish). Returns the answer of the best voter for the move that
/// wins; the first of equals.
fn vote(mut voters: Vec<SearchResult>) -> SearchResult {
    let value = |voter: &SearchResult| i64::from(voter.score().value());
    let lowest = voters.iter().map(value).min().unwrap_or(0);
    let weight =
        |voter: &SearchResult| (value(voter) - lowest + VOTE_BASE) * i64::from(voter.info.depth);
    let votes_for = |voter: &SearchResult| -> i64 {
        let same = voters
            .iter()
            .filter(|other| other.best_move() == voter.best_move());
        same.map(weight).sum()
    };
    // A win that one thread has proven needs no majority.
    let win = |voter: &SearchResult| {
        if voter.score().is_win() {
            value(voter)
        } else {
            0
        }
    };
    let rank = |voter: &SearchResult| (win(voter), votes_for(voter), weight(voter));
    let mut elected = 0;
    for candidate in 1..voters.len() {
        if rank(&voters[candidate]) > rank(&voters[elected]) {
            elected = candidate;
        }
    }
    voters.swap_remove(elected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Score;
    use crate::search::limits::Limits;
    use crate::search::time_management::StartSignal;
    use crate::search::window::Bound;
    use shakmaty::{Chess, Position};
    use std::time::Duration;

    /// A voter for the move of this number in the start position.
    fn voter(number: usize, depth: u32, score: Score) -> SearchResult {
        let info = SearchInfo {
            multipv: 1,
            depth,
            selective_depth: 0,
            score,
            bound: Bound::Exact,
            nodes: 0,
            hashfull: 0,
            tablebase_hits: 0,
            is_in_tablebases: false,
            time: Duration::ZERO,
            pv: vec![Chess::default().legal_moves()[number]],
        };
        SearchResult::from(info)
    }

    fn elected(voters: &[(usize, u32, Score)]) -> usize {
        let answers = voters
            .iter()
            .map(|(number, depth, score)| voter(*number, *depth, *score));
        let elected = vote(answers.collect()).best_move();
        let legal = Chess::default().legal_moves();
        let number = legal.iter().position(|m| Some(*m) == elected);
        number.expect("a move of the start position")
    }

    #[test]
    fn threads_are_crowded_if_they_are_more_than_the_cores() {
        let cores = available_parallelism().map_or(1, NonZero::get);
        let are_crowded = |threads| {
            let helpers = Helpers::start(threads, 1 << 16).expect("a few threads");
            helpers.are_crowded()
        };
        assert!(!are_crowded(1));
        assert!(!are_crowded(cores));
        assert!(are_crowded(cores + 1));
    }

    #[test]
    fn a_core_is_shared_by_few_threads_however_many_there_are() {
        let helpers = Helpers::none();
        let time = TimeManager::new(
            &Limits::default(),
            StartSignal::pending(),
            Duration::ZERO,
            1,
        );
        let most = helpers.cores * MAX_THREADS_OF_CORE;
        assert_eq!(helpers.awake(MAX_THREADS * 64, &time) + 1, most);
        assert_eq!(helpers.awake(1, &time), 1);
    }

    #[test]
    fn the_main_thread_decides_between_equals() {
        let score = Score::centipawns(30);
        assert_eq!(elected(&[(4, 12, score), (7, 12, score)]), 4);
        assert_eq!(elected(&[(4, 12, score)]), 4);
    }

    #[test]
    fn a_majority_and_a_deeper_search_outvote_the_main_thread() {
        let score = Score::centipawns(30);
        assert_eq!(
            elected(&[(4, 12, score), (7, 12, score), (7, 11, score)]),
            7
        );
        assert_eq!(elected(&[(4, 10, score), (7, 14, score)]), 7);
        assert_eq!(
            elected(&[(4, 12, score), (7, 12, Score::centipawns(60))]),
            7
        );
    }

    #[test]
    fn a_mate_outvotes_any_majority_and_a_faster_one_a_slower_one() {
        let score = Score::centipawns(900);
        let mate = Score::mate_in(9);
        assert_eq!(elected(&[(4, 20, score), (4, 20, score), (7, 9, mate)]), 7);
        assert_eq!(elected(&[(4, 20, mate), (7, 9, Score::mate_in(5))]), 7);
        // Being mated is no reason to prefer a move.
        assert_eq!(elected(&[(4, 20, Score::mated_in(8)), (7, 20, score)]), 7);
    }
}
