//! What a search is asked: the game, what ends the search, and the options that it runs under.

use std::time::{Duration, Instant};

use super::limits::Limits;
use super::stop::StopToken;
use super::time_management::StartSignal;
use crate::position::game::Game;

/// Whether the search may prune, reduce and extend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selectivity {
    /// All of it: for play.
    #[default]
    On,
    /// Alpha-beta alone, which gives the same score as plain negamax, for tests: no pruning, reductions
    /// or extensions, and no cut-offs by the transposition table, whose deeper entries would see too much.
    Off,
}

/// The options that a search needs, with their defaults.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchOptions {
    /// The time lost between the engine's clock and the arbiter's with every move: to the interface, the
    /// operating system and the network.
    pub move_overhead: Duration,
    /// The number of lines to search (MultiPV), 1 or more; no more than there are root moves.
    pub multi_pv: usize,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            move_overhead: Duration::from_millis(10),
            multi_pv: 1,
        }
    }
}

/// One search that is asked for.
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The game, up to the position to be searched.
    pub game: Game,
    /// What ends the search.
    pub limits: Limits,
    /// The options that it runs under.
    pub options: SearchOptions,
    /// The moment from which its time limits count: known at once or, when pondering, on the ponder hit.
    pub start: StartSignal,
    /// The signal that ends it from outside.
    pub stop: StopToken,
    /// When it was asked for; the times that it reports count from here.
    pub asked_at: Instant,
}

impl SearchRequest {
    /// A search that starts now, under default options. Nobody else can stop it.
    pub fn new(game: Game, limits: Limits) -> SearchRequest {
        let asked_at = Instant::now();
        SearchRequest {
            game,
            limits,
            options: SearchOptions::default(),
            start: StartSignal::at(asked_at),
            stop: StopToken::new(),
            asked_at,
        }
    }
}
