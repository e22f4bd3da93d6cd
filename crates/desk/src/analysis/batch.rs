//! Analyzes many games at a time, and hands them on in the order of the file.

use std::io;

use super::analyzer::{Analyzer, Settings};
use super::ordered_pool::in_order;
use super::{AnalyzedGame, AnalyzedPosition};
use crate::pgn::{GameError, ReadGame};
use squarewise_engine::search::stop::StopToken;

/// How many threads work on how many games.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The number of games that are analyzed at a time.
    pub games: usize,
    /// How the positions of each are searched.
    pub settings: Settings,
}

impl Plan {
    /// Shares out threads among `games` games; `None` if there are at least as many games as
    /// threads. Each game is searched by one thread. Threads that are left over help in the
    /// searches if those are limited by time; otherwise they have nothing to do, because a search
    /// on several threads isn't the same every time.
    pub fn new(threads: usize, games: Option<usize>, settings: Settings) -> Plan {
        let games = games.unwrap_or(threads).clamp(1, threads.max(1));
        let is_by_time = settings.limits.move_time.is_some();
        Plan {
            games,
            settings: Settings {
                threads: if is_by_time {
                    (threads / games).max(1)
                } else {
                    1
                },
                ..settings
            },
        }
    }
}

/// A game that is done.
#[derive(Debug)]
pub struct DoneGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// The game, or why it can't be read.
    pub game: Result<AnalyzedGame, GameError>,
    /// What was not read as it stands, in words.
    pub remarks: Vec<String>,
}

/// Analyzes all games of `source`, whose numbers begin with 1 and have no gaps. `on_progress` is
/// called with the bytes of the file that are done since the last call, a part of a game for each
/// of its positions. `sink` receives the games in their order; it is called by this thread.
///
/// If `stop` is raised, it ends early without an error.
///
/// # Errors
///
/// If there is no memory or no thread, a game can't be read from the file, or `sink` fails: then
/// `stop` is raised, so that nothing waits for the source any longer.
pub fn analyze_games(
    plan: &Plan,
    source: impl Iterator<Item = io::Result<ReadGame>> + Send,
    stop: &StopToken,
    on_progress: &(dyn Fn(u64) + Sync),
    sink: &mut dyn FnMut(DoneGame) -> io::Result<()>,
) -> io::Result<()> {
    let analyzers = (0..plan.games).map(|_| Analyzer::new(&plan.settings));
    let analyzers: Result<Vec<Analyzer>, _> = analyzers.collect();
    let analyzers = analyzers.inspect_err(|_| stop.request())?;
    let work = |analyzer: &mut Analyzer, read: io::Result<ReadGame>| match read {
        Ok(read) => analyze(analyzer, read, stop, on_progress).map(Ok),
        Err(error) => Some(Err(error)),
    };
    let mut hand_on = |done: io::Result<DoneGame>| sink(done?);
    in_order(analyzers, source, stop, work, &mut hand_on)
}

/// Analyzes a game, if it could be read; `None` if the analysis was stopped.
fn analyze(
    analyzer: &mut Analyzer,
    read: ReadGame,
    stop: &StopToken,
    on_progress: &(dyn Fn(u64) + Sync),
) -> Option<DoneGame> {
    let ReadGame {
        number,
        bytes,
        record,
        remarks,
    } = read;
    let mut reported = 0;
    let mut report = |done: u64| {
        on_progress(done - reported);
        reported = done;
    };
    let game = match record {
        Ok(record) => {
            let positions = record.plies.len() as u64 + 1;
            let mut on_position = |done: &[AnalyzedPosition]| {
                report(bytes * done.len() as u64 / positions);
            };
            Ok(analyzer.analyze(record, stop, &mut on_position).ok()?)
        }
        // Where the input is read no further because of the stop, the last game has no end.
        Err(_) if stop.is_requested() => return None,
        Err(error) => {
            report(bytes);
            Err(error)
        }
    };
    Some(DoneGame {
        number,
        game,
        remarks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::ordered_pool::ITEMS_PER_THREAD;
    use crate::pgn::Games;
    use squarewise_engine::search::limits::Limits;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    /// Games of different lengths, every fifth of them broken.
    fn games(count: usize) -> String {
        let game = |number: usize| match number % 5 {
            0 => "[Event \"broken\"]\n\n1. e4 Ke4 *\n\n".to_owned(),
            rest => {
                let moves = ["1. e4 e5", "2. Nf3 Nc6", "3. Bb5 a6", "4. Ba4 Nf6"][..rest].join(" ");
                format!("[Event \"{number}\"]\n\n{moves} *\n\n")
            }
        };
        (1..=count).map(game).collect()
    }

    fn plan(threads: usize) -> Plan {
        let settings = Settings {
            limits: Limits::nodes(200),
            lines: 1,
            hash_megabytes: 1,
            threads: 1,
        };
        Plan::new(threads, None, settings)
    }

    /// The games in words, with their scores.
    fn analyzed(threads: usize, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        let done = AtomicU64::new(0);
        let on_progress = |bytes| {
            done.fetch_add(bytes, Ordering::Relaxed);
        };
        let mut sink = |done: DoneGame| {
            let game = match done.game {
                Ok(game) => {
                    let scores = game.positions.iter().map(|position| position.score);
                    format!(
                        "{:?} {:?}",
                        game.record.tag("Event"),
                        scores.collect::<Vec<_>>()
                    )
                }
                Err(error) => error.to_string(),
            };
            words.push(format!("{} {game}", done.number));
            Ok(())
        };
        let source = Games::new(text.as_bytes());
        let stop = StopToken::new();
        analyze_games(&plan(threads), source, &stop, &on_progress, &mut sink).expect("it works");
        // Only the empty line at the end belongs to no game.
        assert_eq!(done.into_inner(), text.len() as u64 - 1);
        words
    }

    #[test]
    fn several_threads_find_the_same_as_one_and_keep_the_order() {
        let text = games(31);
        let alone = analyzed(1, &text);
        assert_eq!(alone.len(), 31);
        assert!(
            alone[4].starts_with("5 1... Ke4 (ply 2, line "),
            "{}",
            alone[4]
        );
        assert_eq!(analyzed(3, &text), alone);
    }

    #[test]
    fn few_games_are_in_memory_although_the_first_takes_long() {
        let long_game = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(20) + "*\n\n";
        let text = long_game + &games(199);
        let read = AtomicU64::new(0);
        let counted = Games::new(text.as_bytes()).inspect(|_| {
            read.fetch_add(1, Ordering::Relaxed);
        });
        let mut handed_on = 0;
        let mut most = 0;
        let mut sink = |_: DoneGame| {
            handed_on += 1;
            most = most.max(read.load(Ordering::Relaxed) + 1 - handed_on);
            Ok(())
        };
        let stop = StopToken::new();
        analyze_games(&plan(2), counted, &stop, &|_| (), &mut sink).expect("it works");
        assert_eq!(handed_on, 200);
        assert!(most <= 2 * ITEMS_PER_THREAD as u64, "{most} games");
    }

    #[test]
    fn a_failing_sink_ends_the_work() {
        let text = games(50);
        let mut sink = |done: DoneGame| match done.number {
            7 => Err(io::Error::other("the disk is full")),
            _ => Ok(()),
        };
        let source = Games::new(text.as_bytes());
        let result = analyze_games(&plan(2), source, &StopToken::new(), &|_| (), &mut sink);
        assert_eq!(
            result.map_err(|error| error.to_string()),
            Err("the disk is full".to_owned())
        );
    }

    #[test]
    fn a_raised_token_ends_the_work_between_games() {
        let text = games(50);
        let stop = StopToken::new();
        let mut last = 0;
        let mut sink = |done: DoneGame| {
            last = done.number;
            if last == 3 {
                stop.request();
            }
            Ok(())
        };
        let source = Games::new(text.as_bytes());
        let result = analyze_games(&plan(2), source, &stop, &|_| (), &mut sink);
        assert!(result.is_ok());
        assert!((3..50).contains(&last), "{last}");
    }

    #[test]
    fn a_game_that_is_cut_off_by_the_stop_is_not_broken() {
        let stop = StopToken::new();
        let source = Games::new("1. e4 {never closed".as_bytes()).inspect(|_| stop.request());
        let mut sink = |done: DoneGame| panic!("{done:?}");
        let result = analyze_games(&plan(1), source, &stop, &|_| (), &mut sink);
        assert!(result.is_ok());
    }

    #[test]
    fn threads_left_over_help_in_searches_by_time_only() {
        let by_nodes = plan(1).settings;
        let by_time = Settings {
            limits: Limits {
                move_time: Some(Duration::from_millis(1)),
                ..Limits::default()
            },
            ..by_nodes.clone()
        };
        let shared_out = |games, settings: &Settings| {
            let plan = Plan::new(8, games, settings.clone());
            (plan.games, plan.settings.threads)
        };
        assert_eq!(shared_out(None, &by_time), (8, 1));
        assert_eq!(shared_out(Some(3), &by_time), (3, 2));
        assert_eq!(shared_out(Some(1), &by_time), (1, 8));
        assert_eq!(shared_out(Some(1), &by_nodes), (1, 1));
        assert_eq!(shared_out(Some(0), &by_nodes), (1, 1));
    }
}
