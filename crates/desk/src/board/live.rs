//! Live analysis: the best lines of the position that a reader looks at, while they look.
//!
//! One board is analyzed at a time; whoever asks last has the search, as on Lichess. The lines come
//! far more often than an eye can follow, so they are told eight times a second at most.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shakmaty::{Color, Move, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use super::command::Analyze;
use crate::page::position::line;
use crate::page::text;
use crate::search_thread::{SearchNews, SearchThread};
use squarewise_engine::position::game::Game;
use squarewise_engine::search::limits::Limits;
use squarewise_engine::search::window::Bound;
use squarewise_engine::search::{SearchInfo, SearchOptions, SearchRequest, nodes_per_second};
use squarewise_engine::syzygy::Tablebases;
use squarewise_engine::wdl::WinDrawLoss;

/// The shortest time between two reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(125);

/// The most lines.
const MAX_LINES: usize = 10;

/// The most that an analysis may take of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    pub(super) threads: usize,
    pub(super) hash_megabytes: usize,
}

/// The search, and what is being analyzed.
pub(super) struct Live {
    room: Room,
    tablebases: Option<Arc<Tablebases>>,
    /// The thread with its size, once it was needed.
    thread: Option<(SearchThread, usize, usize)>,
    subject: Option<Subject>,
}

/// A position of a board, or what the other side threatens there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) board: u32,
    pub(super) at: usize,
    threat: bool,
}

/// What is being analyzed.
struct Subject {
    board: u32,
    wish: Analyze,
    position: VariantPosition,
    lines: Vec<SearchInfo>,
    is_news: bool,
    reported_at: Option<Instant>,
}

impl Live {
    pub(super) fn new(room: Room, tablebases: Option<Arc<Tablebases>>) -> Live {
        Live {
            room,
            tablebases,
            thread: None,
            subject: None,
        }
    }

    /// The most that a page can ask for.
    pub(super) fn room_json(&self) -> Value {
        json!({ "threads": self.room.threads, "hash": self.room.hash_megabytes })
    }

    /// What is being analyzed.
    pub(super) fn place(&self) -> Option<Place> {
        let subject = self.subject.as_ref()?;
        Some(Place {
            board: subject.board,
            at: subject.wish.at,
            threat: subject.wish.threat,
        })
    }

    /// The board that is being analyzed.
    pub(super) fn board(&self) -> Option<u32> {
        self.place().map(|place| place.board)
    }

    /// Begins to analyze the last position of a game, restricted to these moves if there are any.
    ///
    /// # Errors
    ///
    /// In words, if the wish can't be fulfilled.
    pub(super) fn start(
        &mut self,
        board: u32,
        game: Game,
        wish: Analyze,
        moves: Vec<Move>,
    ) -> Result<(), String> {
        let (threads, hash) = (wish.threads, wish.hash);
        if !(1..=self.room.threads).contains(&threads) {
            let most = self.room.threads;
            return Err(format!(
                "this machine has {most} processors for the analysis"
            ));
        }
        if !(1..=self.room.hash_megabytes).contains(&hash) {
            let most = self.room.hash_megabytes;
            return Err(format!("the memory of an analysis is 1 to {most} MiB here"));
        }
        let game = if wish.threat { passed(&game)? } else { game };
        let position = game.position().clone();
        let limits = Limits {
            move_time: wish
                .seconds
                .map(|seconds| Duration::from_secs(seconds.clamp(1, 86_400))),
            search_moves: moves,
            ..Limits::default()
        };
        let request = SearchRequest {
            options: SearchOptions {
                move_overhead: Duration::ZERO,
                multi_pv: wish.lines.clamp(1, MAX_LINES),
                ..SearchOptions::default()
            },
            tablebases: self.tablebases.clone(),
            ..SearchRequest::of_variant(position.variant(), limits)
        };
        // Without the thread there are no news of it.
        self.subject = None;
        let thread = self
            .thread(threads, hash)
            .map_err(|error| error.to_string())?;
        thread
            .search(None, &game, request)
            .map_err(|error| error.to_string())?;
        self.subject = Some(Subject {
            board,
            wish,
            position,
            lines: Vec::new(),
            is_news: false,
            reported_at: None,
        });
        Ok(())
    }

    fn thread(&mut self, threads: usize, hash: usize) -> io::Result<&mut SearchThread> {
        let is_right =
            |(_, other, megabytes): &(_, usize, usize)| (*other, *megabytes) == (threads, hash);
        if !self.thread.as_ref().is_some_and(is_right) {
            // The old one goes first: there may not be room for both.
            self.thread = None;
            self.thread = Some((SearchThread::start(hash, threads)?, threads, hash));
        }
        let (thread, ..) = self.thread.as_mut().expect("it was just started");
        Ok(thread)
    }

    /// Ends the analysis.
    pub(super) fn stop(&mut self) {
        self.subject = None;
        if let Some((thread, ..)) = &mut self.thread {
            thread.stop();
        }
    }

    /// Tablebases that were found damaged since the last call.
    pub(super) fn damage(&self) -> Vec<String> {
        let tablebases = self.tablebases.as_ref();
        tablebases.map_or(Vec::new(), |tablebases| tablebases.take_damage_reports())
    }

    /// What is new, for the board that is analyzed.
    pub(super) fn news(&mut self, now: Instant) -> Option<(u32, Value)> {
        let subject = self.subject.as_mut()?;
        let (thread, ..) = self.thread.as_mut()?;
        let mut is_over = false;
        while !is_over && let Some(news) = thread.wait(Duration::ZERO) {
            match news {
                SearchNews::Info(info) => subject.add(*info),
                SearchNews::Done(result, _) => {
                    if !result.info.pv.is_empty() {
                        subject.add(result.info);
                    }
                    is_over = true;
                }
                SearchNews::Failed(reason) => {
                    let board = subject.board;
                    self.subject = None;
                    return Some((board, json!({ "is": "failed", "why": reason })));
                }
            }
        }
        let is_due = subject
            .reported_at
            .is_none_or(|at| now - at >= REPORT_INTERVAL);
        let is_told = is_over || (subject.is_news && is_due);
        let told = is_told.then(|| (subject.board, subject.report(is_over)));
        if told.is_some() {
            subject.reported_at = Some(now);
            subject.is_news = false;
        }
        if is_over {
            self.subject = None;
        }
        told
    }
}

impl Subject {
    fn add(&mut self, info: SearchInfo) {
        // Of a single line a bound is not yet what the search thinks.
        if info.bound != Bound::Exact && self.wish.lines == 1 {
            return;
        }
        // What was found for a lesser line of an earlier iteration can begin with the same move.
        self.lines
            .retain(|other| other.multipv != info.multipv && other.pv.first() != info.pv.first());
        self.lines.push(info);
        self.lines.sort_by_key(|info| info.multipv);
        self.is_news = true;
    }

    fn report(&self, is_over: bool) -> Value {
        let turn = self.position.turn();
        let best = self.lines.first();
        let white = |info: &SearchInfo| turn.fold_wb(info.score, -info.score);
        let lines = self.lines.iter().map(|info| {
            json!({
                "s": text::score(white(info), false),
                "p": WinDrawLoss::white_points(white(info), &self.position),
                "l": line(&self.position, &info.pv),
            })
        });
        let chances =
            best.map(|best| WinDrawLoss::expected(white(best), Color::White, &self.position));
        let nodes = self.lines.iter().map(|info| info.nodes).max();
        let time = self.lines.iter().map(|info| info.time).max();
        json!({
            "is": "lines",
            "at": self.wish.at,
            "threat": self.wish.threat,
            "depth": best.map(|best| best.depth),
            "seldepth": best.map(|best| best.selective_depth),
            "nodes": nodes,
            "nps": nodes.zip(time).map(|(nodes, time)| nodes_per_second(nodes, time)),
            "known": best.is_some_and(|best| best.is_in_tablebases),
            "q": chances.map(WinDrawLoss::points),
            "wdl": chances.map(|chances| [chances.win, chances.draw, chances.loss]),
            "lines": lines.collect::<Vec<_>>(),
            "over": is_over,
        })
    }
}

/// The game with the turn passed to the other side, to see what it threatens.
fn passed(game: &Game) -> Result<Game, String> {
    if game.position().is_check() {
        let side = game.position().turn().fold_wb("White", "Black");
        return Err(format!(
            "{side} is in check: there is no threat to wait for"
        ));
    }
    let mut game = game.recent();
    game.make_null_move();
    if game.position().legal_moves().is_empty() {
        return Err("the other side has no move".to_owned());
    }
    Ok(game)
}
