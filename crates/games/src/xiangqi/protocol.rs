//! UCI, as Fairy-Stockfish speaks it for xiangqi, and UCCI, the protocol of Chinese programs.
//!
//! The first word decides: `uci` or `ucci`. They differ in how ranks are counted (`h3e3`, `h2e2`),
//! in how options and clocks are written, and in what is said when there is no move. Input that
//! can't be used is answered with `info string` and a reason; the position stays as it was.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::command_line::next_line;
use crate::game::{Game, LONGEST_WIN, MAX_PLY, WIN};
use crate::limits::{Found, Limits};
use crate::search::Searcher;

use super::go::Go;
use super::notation::Notation;
use super::pieces::Move;
use super::position::Xiangqi;

/// How often a search without limits that has ended looks for `stop`.
const WAIT: Duration = Duration::from_millis(2);

/// A search on its own thread, which gives the searcher back.
struct Running {
    thread: JoinHandle<Searcher<Xiangqi>>,
    stop: Arc<AtomicBool>,
    /// Whether it ends by itself before long.
    is_bounded: bool,
}

/// The program from the first line to `quit`.
struct Engine<W> {
    output: Arc<Mutex<W>>,
    notation: Notation,
    position: Xiangqi,
    /// Present while nothing is searched.
    searcher: Option<Searcher<Xiangqi>>,
    running: Option<Running>,
    level: Option<i32>,
    /// Whether UCCI's clocks are told in milliseconds.
    is_in_milliseconds: bool,
}

/// Answers an interface until it says `quit`. `level` limits the depth of each search.
///
/// # Errors
///
/// If the input can't be read or the output can't be written.
pub fn protocol<W: Write + Send + 'static>(
    level: Option<i32>,
    mut input: impl BufRead,
    output: W,
) -> io::Result<()> {
    let mut engine = Engine {
        output: Arc::new(Mutex::new(output)),
        notation: Notation::Uci,
        position: Xiangqi::default(),
        searcher: Some(Searcher::new(20)),
        running: None,
        level,
        is_in_milliseconds: true,
    };
    while let Some(text) = next_line(&mut input)? {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.split_first() {
            Some((&"quit", _)) => {
                engine.stop();
                return if engine.is_ucci() {
                    engine.say("bye")
                } else {
                    Ok(())
                };
            }
            Some((command, rest)) => {
                if let Err(reason) = engine.command(command, rest) {
                    engine.say(&format!("info string {reason}"))?;
                }
            }
            None => {}
        }
    }
    engine.finish();
    Ok(())
}

impl<W: Write + Send + 'static> Engine<W> {
    fn is_ucci(&self) -> bool {
        self.notation == Notation::Ucci
    }

    fn say(&self, text: &str) -> io::Result<()> {
        say(&self.output, text)
    }

    /// Waits for a search that ends by itself, when nothing more is to come, and ends any other.
    fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            if !running.is_bounded {
                running.stop.store(true, Ordering::Relaxed);
            }
            let _ = running.thread.join();
        }
    }

    /// Ends the search, whose thread then says its move.
    fn stop(&mut self) {
        if let Some(running) = self.running.take() {
            running.stop.store(true, Ordering::Relaxed);
            // A searcher whose thread has panicked is replaced.
            self.searcher = running.thread.join().ok();
        }
    }

    /// Whether no search is running: there was none, or it has said its move.
    fn is_idle(&self) -> bool {
        let running = self.running.as_ref();
        running.is_none_or(|running| running.thread.is_finished())
    }

    fn new_game(&mut self) {
        self.stop();
        if let Some(searcher) = &mut self.searcher {
            searcher.clear();
        }
    }

    fn command(&mut self, command: &str, rest: &[&str]) -> Result<(), String> {
        let said = match command {
            "uci" | "ucci" => self.greet(command),
            "isready" => self.say("readyok"),
            "ucinewgame" => {
                self.new_game();
                Ok(())
            }
            "setoption" => return self.set_option(rest),
            "position" => return self.set_position(rest),
            "go" => return self.go(rest),
            // An interface that asks for a move when there is none would wait for ever.
            "stop" if self.is_ucci() && self.is_idle() => self.say("nobestmove"),
            "stop" | "ponderhit" => {
                self.stop();
                Ok(())
            }
            "banmoves" => return Err("banmoves is not supported".to_owned()),
            "d" => self.say(&self.position.fen()),
            _ => return Err(format!("unknown command {command:?}")),
        };
        said.map_err(|error| error.to_string())
    }

    fn greet(&mut self, command: &str) -> io::Result<()> {
        let version = env!("CARGO_PKG_VERSION");
        // An interface sets all options to what it was told.
        let level = self.level.unwrap_or(0);
        if command == "uci" {
            self.notation = Notation::Uci;
            self.say(&format!("id name Squarewise Xiangqi {version}"))?;
            self.say("id author the Squarewise team")?;
            self.say(&format!(
                "option name Level type spin default {level} min 0 max 100"
            ))?;
            self.say("option name UCI_Variant type combo default xiangqi var xiangqi")?;
            self.say("uciok")
        } else {
            self.notation = Notation::Ucci;
            self.say(&format!("id name Squarewise Xiangqi {version}"))?;
            self.say("id author the Squarewise team")?;
            self.say("option usemillisec type check default true")?;
            self.say("option newgame type button")?;
            self.say(&format!(
                "option level type spin min 0 max 100 default {level}"
            ))?;
            self.say("ucciok")
        }
    }

    /// `name N value V` in UCI, `N V` in UCCI.
    fn set_option(&mut self, words: &[&str]) -> Result<(), String> {
        let (name, value) = match words {
            // A button of UCCI, which has no command for it.
            ["newgame"] => {
                self.new_game();
                return Ok(());
            }
            ["name", name, "value", value] | [name, value] => (*name, *value),
            _ => return Err("an option has a name and a value".to_owned()),
        };
        match name.to_ascii_lowercase().as_str() {
            "level" => match value.parse() {
                Ok(0) => self.level = None,
                Ok(level @ 1..=100) => self.level = Some(level),
                _ => return Err(format!("Level is a number from 0 to 100, not {value:?}")),
            },
            "usemillisec" => match value {
                "true" | "on" => self.is_in_milliseconds = true,
                "false" | "off" => self.is_in_milliseconds = false,
                _ => return Err(format!("usemillisec is true or false, not {value:?}")),
            },
            "uci_variant" if value == "xiangqi" => {}
            "uci_variant" => return Err(format!("the variant {value:?} is not known")),
            _ => return Err(format!("unknown option {name:?}")),
        }
        Ok(())
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let at = words.iter().position(|word| *word == "moves");
        let (begin, moves) = words.split_at(at.unwrap_or(words.len()));
        let mut position = match begin {
            ["startpos"] => Xiangqi::default(),
            ["fen", fen @ ..] => {
                Xiangqi::from_fen(&fen.join(" ")).map_err(|error| error.to_string())?
            }
            _ => return Err("position needs startpos or fen".to_owned()),
        };
        for mv in moves.iter().skip(1) {
            position
                .play(mv, self.notation)
                .map_err(|error| error.to_string())?;
        }
        self.stop();
        self.position = position;
        Ok(())
    }

    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let (go, complaints) = Go::read(words, self.position.turn(), self.is_in_milliseconds);
        for complaint in complaints {
            let told = self.say(&format!("info string {complaint}: the search ignores it"));
            told.map_err(|error| error.to_string())?;
        }
        self.stop();
        if let Some(depth) = go.perft {
            return self.perft(depth).map_err(|error| error.to_string());
        }
        let stop = Arc::new(AtomicBool::new(false));
        let most = self.level.unwrap_or(MAX_PLY as i32);
        let limits = Limits {
            depth: go.depth.unwrap_or(most).min(most),
            nodes: go.nodes.unwrap_or(u64::MAX),
            time: go.time,
            stop: Arc::clone(&stop),
        };
        let mut searcher = self.searcher.take().unwrap_or_else(|| Searcher::new(20));
        let (mut position, notation) = (self.position.clone(), self.notation);
        position.go_on();
        let output = Arc::clone(&self.output);
        let thread = thread::Builder::new().spawn(move || {
            let stop = Arc::clone(&limits.stop);
            let mut report = |found: &Found<Move>| {
                // An interface that is gone ends the input too.
                let _ = say(&output, &info(found, notation));
            };
            let found = searcher.search(&mut position, limits, &mut report);
            while go.is_infinite && !stop.load(Ordering::Relaxed) {
                thread::sleep(WAIT);
            }
            let _ = say(&output, &best_move(found, notation));
            searcher
        });
        let thread = thread.map_err(|error| format!("the search can't be started: {error}"))?;
        let is_bounded =
            !go.is_infinite && (go.time.is_some() || go.depth.is_some() || go.nodes.is_some());
        self.running = Some(Running {
            thread,
            stop,
            is_bounded,
        });
        Ok(())
    }

    /// Counts the lines after each legal move, as other programs show it.
    fn perft(&mut self, depth: u32) -> io::Result<()> {
        let mut total = 0;
        for mv in self.position.legal_moves() {
            let mut position = self.position.clone();
            let is_legal = position.make(mv);
            debug_assert!(is_legal, "legal moves can be played");
            let text = mv.text(self.notation);
            let lines = if depth <= 1 {
                1
            } else {
                position.perft(depth - 1)
            };
            total += lines;
            self.say(&format!("{text}: {lines}"))?;
        }
        self.say(&format!("\nNodes searched: {total}"))
    }
}

fn say<W: Write>(output: &Mutex<W>, text: &str) -> io::Result<()> {
    // A thread that panicked while it wrote has left the output usable.
    let mut output = output
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    writeln!(output, "{text}")?;
    output.flush()
}

fn info(found: &Found<Move>, notation: Notation) -> String {
    let milliseconds = found.time.as_millis();
    let per_second = u128::from(found.nodes) * 1000 / milliseconds.max(1);
    let pv: Vec<String> = found.pv.iter().map(|mv| mv.text(notation)).collect();
    let score = match (notation, found.score) {
        (Notation::Ucci, score) => format!("{score}"),
        (_, score) if score >= LONGEST_WIN => format!("mate {}", (WIN - score + 1) / 2),
        (_, score) if score <= -LONGEST_WIN => format!("mate {}", -(WIN + score + 1) / 2),
        (_, score) => format!("cp {score}"),
    };
    format!(
        "info depth {} score {score} nodes {} time {milliseconds} nps {per_second} pv {}",
        found.depth,
        found.nodes,
        pv.join(" ")
    )
}

fn best_move(found: Option<Found<Move>>, notation: Notation) -> String {
    match found {
        Some(found) => format!("bestmove {}", found.pv[0].text(notation)),
        None if notation == Notation::Ucci => "nobestmove".to_owned(),
        None => "bestmove (none)".to_owned(),
    }
}
