//! The owner of all boards: one thread that hears commands, what the searches report, and the
//! clock, and tells the pages what has changed.
//!
//! Nothing is locked, because nobody else touches a board. What changes is told to every page that
//! looks at the board; the answer to a command goes to the page that gave it.

use std::collections::BTreeMap;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use squarewise_engine::position::variant_position::VariantPosition;
use tokio::sync::mpsc::error::TrySendError;

use super::coach::Coach;
use super::event::Event;
use super::keeper::Keeper;
use super::kept::{kept, restored_all};
use super::live::Live;
use super::opponent::Opponent;
use super::server::{Lines, Question, Reply};
use super::state::Board;
use squarewise_engine::search::stop::StopToken;

/// The most boards, and the most pages that hear what happens.
pub(super) const MAX_BOARDS: usize = 8;
const MAX_LISTENERS: usize = 4;

/// The lines that a page can fall behind.
const QUEUE: usize = 64;

/// How often the searches are looked at while something is going on, and otherwise the signal to
/// end.
const BUSY_TICK: Duration = Duration::from_millis(8);
const IDLE_TICK: Duration = Duration::from_millis(200);

/// How often a page hears something even if nothing happens, so that a closed one is noticed.
const HEARTBEAT: Duration = Duration::from_secs(4);

/// The shortest time between two writes of the boards.
const KEEP_INTERVAL: Duration = Duration::from_millis(500);

/// How long a write that failed waits for the next try.
const RETRY: Duration = Duration::from_secs(10);

/// An analysis that nobody looks at ends after this long.
const UNSEEN: Duration = Duration::from_secs(3);

/// A page that hears what happens on a board.
struct Listener {
    board: u32,
    lines: tokio::sync::mpsc::Sender<String>,
}

/// The owner of the boards.
pub(crate) struct Desk {
    pub(super) boards: BTreeMap<u32, Board>,
    listeners: Vec<Listener>,
    /// How many events each board has had.
    told: BTreeMap<u32, u64>,
    pub(super) live: Live,
    pub(super) coach: Coach<Desk>,
    pub(super) keeper: Keeper,
    /// What the engine as a player plays by.
    pub(super) opponent: Opponent,
    pub(super) events: Sender<Event<Desk>>,
    /// Raised when an explanation is asked for anew on the same board.
    pub(super) why_stops: BTreeMap<u32, StopToken>,
    /// What is to be said until a page hears it: of the file with which the program was started, of
    /// boards that were kept, and of what went wrong while no page was open.
    remarks: Vec<String>,
    /// Boards that were kept and can't be read: they stay in the file for a program that can.
    unread: Vec<Value>,
    heartbeat_at: Instant,
    seen_at: Instant,
    /// Whether something that is kept has changed.
    pub(super) is_changed: bool,
    kept_at: Instant,
    is_ending: bool,
}

impl Desk {
    /// The boards as they were left, or else one with this game.
    pub(super) fn new(
        (coach, live): (Coach<Desk>, Live),
        keeper: Keeper,
        opponent: Opponent,
        events: Sender<Event<Desk>>,
        first: Option<&str>,
    ) -> Result<Desk, String> {
        let now = Instant::now();
        let kept = keeper.boards().map_err(|error| error.to_string())?;
        let mut opened = None;
        let mut remark = None;
        if let Some(text) = first {
            let mut board = Board::new(VariantPosition::default());
            remark = board.load(text)?;
            opened = Some(board);
        }
        let mut back = restored_all(kept, MAX_BOARDS, opened.as_ref(), &opponent);
        back.remarks.splice(0..0, remark);
        // The first number is the one that a page without a wish gets.
        back.boards.splice(0..0, opened);
        Ok(Desk {
            boards: (1..).zip(back.boards).collect(),
            listeners: Vec::new(),
            told: BTreeMap::new(),
            live,
            coach,
            keeper,
            opponent,
            events,
            why_stops: BTreeMap::new(),
            remarks: back.remarks,
            unread: back.unread,
            heartbeat_at: now,
            seen_at: now,
            is_changed: false,
            kept_at: now,
            is_ending: false,
        })
    }

    /// Works until the token is raised or a page ends the program.
    ///
    /// # Errors
    ///
    /// If in the end the boards can't be kept.
    pub(super) fn run(
        &mut self,
        received: &Receiver<Event<Desk>>,
        stop: &StopToken,
    ) -> io::Result<()> {
        self.judge_what_is_left();
        while !stop.is_requested() && !self.is_ending {
            match received.recv_timeout(self.tick()) {
                Ok(Event::Asked(question)) => self.hear(question),
                Ok(Event::Done(consequence)) => consequence(self),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.look_around(Instant::now());
        }
        // The clock of a game runs though nothing happens.
        self.is_changed |= self.boards.values().any(Board::is_playing);
        let kept = self.keep(Instant::now());
        let numbers: Vec<u32> = self.boards.keys().copied().collect();
        for board in numbers {
            self.tell(board, &json!({ "is": "bye" }));
        }
        kept
    }

    fn tick(&self) -> Duration {
        let is_busy = self.live.board().is_some() || self.boards.values().any(Board::is_playing);
        if is_busy { BUSY_TICK } else { IDLE_TICK }
    }

    fn hear(&mut self, question: Question) {
        match question {
            Question::Command { board, text, reply } => {
                let answer = match board {
                    Some(board) => self.numbered_command(board, &text),
                    None => self.command_to_all(&text),
                };
                // A page that has gone needs no answer.
                let _ = reply.send(answer);
            }
            Question::Listen { board, reply } => {
                let _ = reply.send(self.listen(board));
            }
            Question::Quit => self.is_ending = true,
        }
    }

    /// Carries out a command to a board. The answer says how many events the board has had, since
    /// it can overtake the stream: a page waits until it has heard them.
    fn numbered_command(&mut self, board: u32, text: &[u8]) -> Reply {
        let mut answer = self.command(board, text)?;
        answer["told"] = self.told(board).into();
        Ok(answer)
    }

    /// How many events a board has had.
    pub(super) fn told(&self, board: u32) -> u64 {
        self.told.get(&board).copied().unwrap_or_default()
    }

    /// Whether an open page shows a board.
    pub(super) fn is_shown(&self, board: u32) -> bool {
        let mut open = self.listeners.iter().filter(|one| !one.lines.is_closed());
        open.any(|one| one.board == board)
    }

    /// Deletes a board; its pages hear no more of it.
    pub(super) fn delete(&mut self, board: u32) -> Result<(), String> {
        if self.live.board() == Some(board) {
            self.live.stop();
        }
        self.boards.remove(&board).ok_or("there is no such board")?;
        self.listeners.retain(|listener| listener.board != board);
        self.is_changed = true;
        Ok(())
    }

    fn listen(&mut self, board: u32) -> Result<Lines, String> {
        self.listeners
            .retain(|listener| !listener.lines.is_closed());
        if self.listeners.len() >= MAX_LISTENERS {
            return Err(format!("{MAX_LISTENERS} pages are open at once already"));
        }
        let now = Instant::now();
        let shown = self
            .boards
            .get_mut(&board)
            .ok_or("there is no such board")?;
        if let Some(game) = &mut shown.game {
            game.resume(now);
        }
        let mut state = shown.json(now);
        let remarks = std::mem::take(&mut self.remarks);
        state["remark"] = (!remarks.is_empty()).then(|| remarks.join("; ")).into();
        state["is"] = "board".into();
        state["version"] = env!("CARGO_PKG_VERSION").into();
        state["room"] = self.live.room_json();
        state["file"] = self.keeper.games_file().display().to_string().into();
        let (lines, received) = tokio::sync::mpsc::channel(QUEUE);
        // The queue is empty.
        let _ = lines.try_send(numbered(self.told(board), &state));
        self.listeners.push(Listener { board, lines });
        self.seen_at = now;
        Ok(received)
    }

    /// Tells all pages of a board what has happened.
    pub(super) fn tell(&mut self, board: u32, event: &Value) {
        let told = self.told.entry(board).or_default();
        *told += 1;
        let line = numbered(*told, event);
        self.listeners.retain(|listener| {
            listener.board != board || listener.lines.try_send(line.clone()).is_ok()
        });
    }

    /// Whatever comes from searches and clocks.
    fn look_around(&mut self, now: Instant) {
        if let Some((board, news)) = self.live.news(now) {
            self.tell(board, &news);
            for damage in self.live.damage() {
                self.warn(&format!("tablebases: {damage}"));
            }
        }
        self.poll_games(now);
        if now - self.heartbeat_at >= HEARTBEAT {
            self.heartbeat_at = now;
            let is_there = |listener: &Listener| {
                let sent = listener.lines.try_send("\n".to_owned());
                !matches!(sent, Err(TrySendError::Closed(_)))
            };
            self.listeners.retain(is_there);
        }
        match self.live.board() {
            Some(board) if !self.is_shown(board) => {
                if now - self.seen_at >= UNSEEN {
                    self.live.stop();
                }
            }
            _ => self.seen_at = now,
        }
        if self.is_changed
            && now - self.kept_at >= KEEP_INTERVAL
            && let Err(error) = self.keep(now)
        {
            // It may be possible again before long.
            self.kept_at = now + RETRY;
            self.warn(&error.to_string());
        }
    }

    /// Writes down what is on the boards, if something has changed.
    fn keep(&mut self, now: Instant) -> io::Result<()> {
        self.kept_at = now;
        if self.is_changed {
            let boards = self.boards.values().filter_map(|board| kept(board, now));
            let boards: Vec<Value> = boards.chain(self.unread.iter().cloned()).collect();
            let failed =
                |error: io::Error| io::Error::other(format!("the boards can't be kept: {error}"));
            self.keeper.keep_boards(&boards).map_err(failed)?;
            self.is_changed = false;
        }
        Ok(())
    }

    /// Tells all pages that something went wrong, and the next one if there is none.
    pub(super) fn warn(&mut self, text: &str) {
        let event = json!({ "is": "warning", "text": text });
        let boards: Vec<u32> = self.boards.keys().copied().collect();
        for board in boards {
            self.tell(board, &event);
        }
        // Pages that have been closed are noticed as they are told.
        if self.listeners.is_empty() && !self.remarks.iter().any(|remark| remark == text) {
            self.remarks.push(text.to_owned());
        }
    }
}

/// An event with its number as a line of the stream.
fn numbered(number: u64, event: &Value) -> String {
    format!("[{number},{event}]\n")
}

#[cfg(test)]
mod tests {
    use super::test_support::desk_in;
    use super::*;

    #[test]
    fn a_last_write_that_fails_is_an_error_and_a_warning_waits_for_a_page() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut desk, received) = desk_in(folder.path());
        desk.boards
            .insert(1, Board::new(VariantPosition::default()));
        for _ in 0..2 {
            desk.warn("something went wrong");
        }
        let mut lines = desk.listen(1).expect("there is such a board");
        let state = lines.try_recv().expect("the board");
        assert_eq!(state.matches("something went wrong").count(), 1, "{state}");
        // Where a folder is there can be no file.
        let mut taken = tempfile::Builder::new();
        let taken = taken.prefix("boards.json").rand_bytes(0);
        let _taken = taken.tempdir_in(folder.path()).expect("it isn't there");
        desk.is_changed = true;
        let stop = StopToken::new();
        stop.request();
        let error = desk
            .run(&received, &stop)
            .expect_err("no file can be there");
        let error = error.to_string();
        assert!(error.starts_with("the boards can't be kept"), "{error}");
    }
}

#[cfg(test)]
pub(super) mod test_support {
    use std::path::Path;
    use std::sync::mpsc::channel;

    use super::super::event::Consequence;
    use super::super::live::Room;
    use super::*;

    /// A desk without boards that keeps its files in this folder, and what it is to hear.
    pub(in super::super) fn desk_in(folder: &Path) -> (Desk, Receiver<Event<Desk>>) {
        let (events, received) = channel();
        let coach = Coach::start(events.clone(), |_| ()).expect("a thread and a small table");
        let room = Room {
            threads: 1,
            hash_megabytes: 1,
        };
        let live = Live::new(room, None);
        let keeper = Keeper::new(folder, None).expect("it can be written");
        let desk = Desk::new((coach, live), keeper, Opponent::default(), events, None);
        (desk.expect("no boards yet"), received)
    }

    /// What is to be done with the next answer of a search.
    pub(in super::super) fn next_answer(received: &Receiver<Event<Desk>>) -> Consequence<Desk> {
        match received.recv_timeout(Duration::from_secs(20)) {
            Ok(Event::Done(answer)) => answer,
            _ => panic!("no search has answered"),
        }
    }
}
