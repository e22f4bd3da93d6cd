//! A board in the browser: a page of this machine on which a person plays the engine, analyzes,
//! goes through games, and asks why.
//!
//! From top to bottom; a file uses those below it, except that `game` and `review` use `tree`, and
//! `html` uses `opponent` and `server`:
//!
//! | file | what it does |
//! |---|---|
//! | `boards`, `actions`, `matches`, `reviews`, `questions` | what each command does: to all boards, to the moves, in games, in reviews; what the coach is asked |
//! | `desk` | the owner of all boards: hears commands, clocks and searches, tells the pages |
//! | `view` | boards and positions as JSON for the page |
//! | `kept` | a board as it outlives the program |
//! | `state`, `list`, `tree`, `shapes`, `named_moves` | a board: games opened on it, moves, arrows and circles, the names of moves |
//! | `game`, `opponent` | a game against the engine; as whom the engine plays |
//! | `live`, `review`, `coach` | what searches: the live analysis, a review, and questions on the side |
//! | `keeper` | the files |
//! | `event`, `command` | what the owner hears; what a page asks |
//! | `server/` | HTTP on the loopback interface, and who may ask |
//! | `html` | the page; its script is in `script/` |
//!
//! The page knows no rules of chess: legal moves come with each position. A command is a request,
//! what changes comes as numbered lines of JSON in a stream that each visible page holds open. An
//! answer can overtake the stream, so it names the last event before it.

mod actions;
mod boards;
mod coach;
mod command;
mod desk;
mod event;
mod game;
mod html;
mod keeper;
mod kept;
mod list;
mod live;
mod matches;
mod named_moves;
mod opponent;
mod questions;
mod review;
mod reviews;
mod server;
mod shapes;
mod state;
mod tree;
mod view;

use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::thread;

pub use opponent::Opponent;

use coach::Coach;
use desk::Desk;
use event::Event;
use keeper::Keeper;
use live::{Live, Room};
use server::guard::Guard;
use server::{Site, ask_by, listen};
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::syzygy::Tablebases;

/// The stack of the thread that owns the boards: variations lie within variations, and a file
/// decides how deep.
const STACK_BYTES: usize = 64 << 20;

/// What the board begins with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The port; without one the usual, or the next that is free.
    pub port: Option<u16>,
    /// The folder in which boards, games and puzzles are kept.
    pub folder: PathBuf,
    /// The file to which games are added; without it one in the folder.
    pub games: Option<PathBuf>,
    /// Games in PGN or a position in FEN to begin with.
    pub text: Option<String>,
    /// What the engine as a player plays by.
    pub opponent: Opponent,
    /// Endgame tablebases for the analysis.
    pub tablebases: Option<Arc<Tablebases>>,
    /// The most search threads of an analysis.
    pub max_threads: usize,
    /// The most memory of an analysis, in MiB.
    pub max_hash_megabytes: usize,
}

/// A board that is ready to be opened.
pub struct Board {
    listener: TcpListener,
    guard: Guard,
    setup: Setup,
    keeper: Keeper,
}

impl Board {
    /// Opens the port and the files.
    ///
    /// # Errors
    ///
    /// If the port is taken, or what is to be kept can't be written.
    pub fn open(setup: Setup) -> io::Result<Board> {
        let listener = listen::bind(setup.port)?;
        let keeper = Keeper::new(&setup.folder, setup.games.as_deref())?;
        let guard = Guard::new(listener.local_addr()?.port())?;
        Ok(Board {
            listener,
            guard,
            setup,
            keeper,
        })
    }

    /// The address for a person to open.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// The file to which games are added.
    pub fn games_file(&self) -> &Path {
        self.keeper.games_file()
    }

    /// Serves the page until the token is raised or the page ends the program. `on_ready` is called
    /// when the boards are there, with the address for the command line of a browser, which works
    /// once within a minute.
    ///
    /// # Errors
    ///
    /// If there is no memory or no thread, the text to begin with is no game, `on_ready` fails, or
    /// in the end the boards can't be kept.
    pub fn run(
        self,
        stop: &StopToken,
        on_ready: impl FnOnce(&str) -> io::Result<()>,
    ) -> io::Result<()> {
        let (events, received) = channel();
        let room = Room {
            threads: self.setup.max_threads,
            hash_megabytes: self.setup.max_hash_megabytes,
        };
        let site = Arc::new(Site {
            guard: self.guard,
            files: html::files(&self.setup.opponent),
            ask: ask_by(events.clone(), Event::Asked),
        });
        let guarded = Arc::clone(&site);
        let (end, ended) = tokio::sync::oneshot::channel();
        let listener = self.listener;
        let server = thread::Builder::new()
            .name("server".to_owned())
            .spawn(move || listen::serve(listener, site, ended))?;
        let live = Live::new(room, self.setup.tablebases);
        let (keeper, text, stop) = (self.keeper, self.setup.text, stop.child());
        let (opponent, end_desk) = (self.setup.opponent, stop.clone());
        let (ready, is_ready) = channel();
        // The boards live and die on one thread.
        let own = move || {
            let failed =
                |desk: &mut Desk| desk.warn("a question was not answered: an internal error");
            let coach = Coach::start(events.clone(), failed)?;
            let desk = Desk::new((coach, live), keeper, opponent, events, text.as_deref());
            let mut desk = desk.map_err(io::Error::other)?;
            // `run` waits for this.
            let _ = ready.send(());
            let kept = desk.run(&received, &stop);
            drop(end);
            kept
        };
        let owner = thread::Builder::new()
            .name("boards".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(own)?;
        let told = match is_ready.recv() {
            Ok(()) => on_ready(&guarded.guard.address_for_browser()),
            // The owner knows why.
            Err(_) => Ok(()),
        };
        if told.is_err() {
            end_desk.request();
        }
        let panicked = |_| io::Error::other("an internal error");
        let owned: io::Result<()> = owner.join().map_err(panicked)?;
        server.join().map_err(panicked)??;
        owned.and(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_ends_where_the_address_is_told_to_nobody_or_there_is_no_game() {
        for (text, reason) in [(None, "nobody reads"), (Some("1. Ke3"), "Ke3")] {
            let folder = tempfile::tempdir().expect("a folder");
            let board = Board::open(Setup {
                port: None,
                folder: folder.path().to_owned(),
                games: None,
                text: text.map(str::to_owned),
                opponent: Opponent::default(),
                tablebases: None,
                max_threads: 1,
                max_hash_megabytes: 1,
            });
            let board = board.expect("a free port");
            let told = |_: &str| Err(io::Error::other("nobody reads"));
            let error = board.run(&StopToken::new(), told).expect_err("it fails");
            assert!(error.to_string().contains(reason), "{error}");
        }
    }
}
