//! The adviser: this engine at full strength beside the board, for hints, explanations, and an
//! evaluation where no engine plays.

use std::io;
use std::time::{Duration, Instant};

use shakmaty::Move;

use super::search_thread::{SearchNews, SearchThread};
use crate::why::Effort;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::{SearchRequest, SearchResult};

/// The size of its transposition table, in MiB.
const HASH_MEGABYTES: usize = 16;

/// How long it thinks about a hint.
const HINT_TIME: Duration = Duration::from_millis(700);

/// How much it thinks about a position for the evaluation beside the board, in nodes: a few
/// hundredths of a second.
const GLANCE_NODES: u64 = 20_000;

/// How often to look whether it is to go on.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The adviser. Its search is started when it is asked for the first time.
#[derive(Default)]
pub struct Adviser {
    searches: Option<SearchThread>,
}

impl Adviser {
    /// Thinks about a position and these moves, all if there are none: as long as a person waits,
    /// or at a glance. `None` if `keep_going` says no before the end, or the search fails.
    pub fn answer(
        &mut self,
        game: &Game,
        search_moves: &[Move],
        effort: Effort,
        mut keep_going: impl FnMut() -> bool,
    ) -> io::Result<Option<SearchResult>> {
        let limits = Limits {
            move_time: (effort == Effort::Full).then_some(HINT_TIME),
            nodes: (effort == Effort::Aside).then_some(GLANCE_NODES),
            search_moves: search_moves.to_vec(),
            ..Limits::default()
        };
        let searches = match &mut self.searches {
            Some(searches) => searches,
            None => self
                .searches
                .insert(SearchThread::start(HASH_MEGABYTES, 1)?),
        };
        let request = SearchRequest {
            asked_at: Instant::now(),
            ..SearchRequest::of_variant(game.position().variant(), limits)
        };
        searches.search(game, request)?;
        loop {
            match searches.wait(POLL_INTERVAL) {
                Some(SearchNews::Done(result, _)) => return Ok(Some(*result)),
                Some(SearchNews::Failed(_)) => return Ok(None),
                Some(SearchNews::Info(_)) | None => {}
            }
            if !keep_going() {
                searches.stop();
                return Ok(None);
            }
        }
    }
}
