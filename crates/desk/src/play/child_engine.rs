//! Another UCI engine as a player, in a process of its own.
//!
//! It is never trusted. If it ends, plays an illegal move or does not answer, it loses with a clear
//! word. An engine that has been silent for a while is asked `isready`, which every UCI engine
//! answers at once, also while it thinks: so one that hangs is told from one that thinks for long.

use std::io;
use std::time::{Duration, Instant};

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{Color, EnPassantMode, Move, Position};
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;

use super::arbiter::{Arbiter, Thought};
use super::child_lines::Said;
use super::child_process::{ChildProcess, Heard, program_name};
use super::clock::TimeControl;
use super::ending::Failure;
use super::player::{Answer, Engine, Turn};
use squarewise_engine::search::stop::StopToken;

/// How often to look whether the user has ended the program.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// How another engine is started and set up.
#[derive(Clone, Debug)]
pub struct ChildSetup {
    /// The command that starts it.
    pub command: String,
    /// Its options, as names and values.
    pub options: Vec<(String, String)>,
    /// Options that are set only if it has them.
    pub wishes: Vec<(String, String)>,
    /// Whether the game is one of Chess960.
    pub is_chess960: bool,
    /// The rules of the game.
    pub variant: Variant,
    /// How long to wait for an answer that should come at once.
    pub patience: Duration,
}

/// Another engine as a player.
pub struct ChildEngine {
    process: ChildProcess,
    name: String,
    patience: Duration,
    /// What it was asked last; `None` if it has answered.
    task: Option<Task>,
    /// The moves that are still to come of tasks that nobody cares for any more.
    unwanted_moves: usize,
}

/// A move that an engine was asked for.
struct Task {
    position: VariantPosition,
    asked_at: Instant,
    /// When it must have moved, whatever else it says.
    deadline: Option<Instant>,
    /// Its last sign of life.
    alive_at: Instant,
    /// When it was asked for the next one.
    asked_for_life_at: Option<Instant>,
}

impl ChildEngine {
    /// Starts an engine and sets its options.
    pub fn start(setup: &ChildSetup, stop: &StopToken) -> Result<ChildEngine, String> {
        let process = ChildProcess::start(&setup.command);
        let process = process.map_err(|error| {
            let reason = match error.kind() {
                io::ErrorKind::NotFound => {
                    "there is no such program here; give its path".to_owned()
                }
                _ => error.to_string(),
            };
            format!("'{}' can't be started: {reason}", setup.command)
        })?;
        let mut engine = ChildEngine {
            process,
            name: program_name(&setup.command),
            patience: setup.patience,
            task: None,
            unwanted_moves: 0,
        };
        let options = engine.introduce_itself(setup, stop)?;
        let has_option = |name: &str| {
            options
                .iter()
                .any(|option| option.eq_ignore_ascii_case(name))
        };
        if let Some((unknown, _)) = setup.options.iter().find(|(name, _)| !has_option(name)) {
            return Err(format!(
                "{} has no option '{unknown}'; it has: {}",
                engine.name,
                options.join(", ")
            ));
        }
        let wishes = setup.wishes.iter().filter(|(name, _)| has_option(name));
        let mut to_set: Vec<(&str, &str)> = wishes
            .chain(&setup.options)
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let variant = setup.variant.to_string();
        let is_variant = setup.variant != Variant::Chess;
        for (is_needed, name, value, fault) in [
            (
                setup.is_chess960,
                "UCI_Chess960",
                "true",
                "does not play Chess960",
            ),
            (is_variant, "UCI_Variant", &variant, "plays chess only"),
        ] {
            if is_needed && !has_option(name) {
                return Err(format!("{} {fault}: it has no option {name}", engine.name));
            }
            to_set.extend(is_needed.then_some((name, value)));
        }
        for (name, value) in to_set {
            let command = format!("setoption name {name} value {value}");
            engine.process.send(&command);
        }
        engine.process.send("ucinewgame");
        engine.ask(setup, "isready", Said::ReadyOk, stop)?;
        Ok(engine)
    }

    /// The handshake. Returns the names of the options.
    fn introduce_itself(
        &mut self,
        setup: &ChildSetup,
        stop: &StopToken,
    ) -> Result<Vec<String>, String> {
        let mut options = Vec::new();
        for said in self.ask(setup, "uci", Said::UciOk, stop)? {
            match said {
                Said::Name(name) => self.name = name,
                Said::Option(name) => options.push(name),
                _ => {}
            }
        }
        Ok(options)
    }

    /// Sends a command and returns all that is said before the answer.
    fn ask(
        &mut self,
        setup: &ChildSetup,
        command: &'static str,
        answer: Said,
        stop: &StopToken,
    ) -> Result<Vec<Said>, String> {
        self.process.send(command);
        let deadline = Instant::now() + self.patience;
        let mut before = Vec::new();
        loop {
            if stop.is_requested() {
                return Err("interrupted before the game".to_owned());
            }
            match self.process.wait(POLL_INTERVAL.min(self.patience)) {
                Some(Heard::Line(said, _)) if said == answer => return Ok(before),
                // More is not needed of an engine that never ends.
                Some(Heard::Line(said, _)) if before.len() < 1_000 => before.push(said),
                Some(Heard::End) => {
                    let (command, cause) = (&setup.command, self.process.cause_of_death());
                    return Err(format!("'{command}' has ended before the game: {cause}"));
                }
                Some(Heard::Line(..)) | None => {}
            }
            if Instant::now() >= deadline {
                return Err(format!(
                    "'{}' has not answered `{command}` within {:.1} s; is it a UCI engine?",
                    setup.command,
                    self.patience.as_secs_f64()
                ));
            }
        }
    }
}

impl Engine for ChildEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn go(&mut self, turn: &Turn<'_>) -> Result<(), Failure> {
        self.unwanted_moves = self.unwanted_moves.saturating_sub(self.process.forget());
        self.process.send(&position_command(turn.arbiter));
        self.process.send(&go_command(turn));
        let deadline = match turn.control {
            TimeControl::MoveTime(time) => Some(turn.started_at + time + self.patience),
            TimeControl::Clock { .. } | TimeControl::Depth(_) => None,
        };
        self.task = Some(Task {
            position: turn.position().clone(),
            asked_at: turn.started_at,
            deadline,
            alive_at: turn.started_at,
            asked_for_life_at: None,
        });
        Ok(())
    }

    fn wait(&mut self, time: Duration) -> Result<Option<Answer>, Failure> {
        let heard = self.process.wait(time);
        let Some(task) = &mut self.task else {
            return Ok(None);
        };
        match heard {
            Some(Heard::Line(Said::BestMove(_), at)) if self.unwanted_moves > 0 => {
                self.unwanted_moves -= 1;
                // What was said before it was of the search that has ended.
                self.process.forget_thought();
                task.alive_at = at;
            }
            Some(Heard::Line(Said::BestMove(text), at)) => {
                let m = legal_move(&text, &task.position);
                self.task = None;
                let m = m.ok_or(Failure::IllegalMove(text))?;
                let thought = self.thought();
                return Ok(Some(Answer { m, at, thought }));
            }
            Some(Heard::Line(Said::ReadyOk, at)) => {
                task.alive_at = at;
                task.asked_for_life_at = None;
            }
            Some(Heard::End) => return Err(Failure::Died(self.process.cause_of_death())),
            Some(Heard::Line(..)) | None => {}
        }
        task.check(&self.process, self.patience).map(|()| None)
    }

    fn thought(&self) -> Option<Thought> {
        self.process.latest().map(|(thought, _)| thought)
    }

    fn stop(&mut self) {
        if self.task.take().is_some() {
            self.process.send("stop");
            self.unwanted_moves += 1;
        }
    }

    fn move_now(&mut self) {
        if self.task.is_some() {
            self.process.send("stop");
        }
    }

    fn new_game(&mut self) {
        self.process.send("ucinewgame");
    }

    /// UCI has no words for a draw.
    fn accepts_draw(&self, _: &Arbiter) -> bool {
        false
    }
}

impl Task {
    /// Looks whether the engine is alive, and asks it if that is not clear.
    fn check(&mut self, process: &ChildProcess, patience: Duration) -> Result<(), Failure> {
        let now = Instant::now();
        if let Some((_, at)) = process.latest() {
            self.alive_at = self.alive_at.max(at);
        }
        if self.deadline.is_some_and(|deadline| now > deadline) {
            return Err(Failure::Hung(now - self.asked_at));
        }
        match self.asked_for_life_at {
            Some(asked_at) if self.alive_at > asked_at => self.asked_for_life_at = None,
            Some(asked_at) if now > asked_at + patience => {
                return Err(Failure::Hung(now - self.alive_at));
            }
            None if now > self.alive_at + patience => {
                process.send("isready");
                self.asked_for_life_at = Some(now);
            }
            _ => {}
        }
        Ok(())
    }
}

/// The move that a text means, if it is legal.
fn legal_move(text: &str, position: &VariantPosition) -> Option<Move> {
    let uci_move: UciMove = text.parse().ok()?;
    let m = position.uci_move(uci_move)?;
    position.is_legal(m).then_some(m)
}

fn position_command(arbiter: &Arbiter) -> String {
    let start = arbiter.start();
    let standard = VariantPosition::start_of(start.variant());
    let mut command = if *start == standard && start.fullmoves().get() == 1 {
        "position startpos".to_owned()
    } else {
        format!(
            "position fen {}",
            Fen::from_position(start, EnPassantMode::Legal)
        )
    };
    let mode = start.castles().mode();
    for (index, played) in arbiter.moves().iter().enumerate() {
        let before = if index == 0 { " moves " } else { " " };
        command.push_str(before);
        command.push_str(&played.m.to_uci(mode).to_string());
    }
    command
}

fn go_command(turn: &Turn<'_>) -> String {
    match turn.control {
        TimeControl::Clock { increment, .. } => {
            // Zero or less is understood in different ways.
            let left = |side| turn.remaining(side).unwrap_or_default().as_millis().max(1);
            let (white, black) = (left(Color::White), left(Color::Black));
            let increment = increment.as_millis();
            format!("go wtime {white} btime {black} winc {increment} binc {increment}")
        }
        TimeControl::MoveTime(time) => format!("go movetime {}", time.as_millis().max(1)),
        TimeControl::Depth(depth) => format!("go depth {depth}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::arbiter::tests::{START, game};

    #[test]
    fn the_whole_game_is_sent() {
        let italian = game(START, "5", "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
        let command = position_command(&italian);
        let moves = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1";
        assert_eq!(command, format!("position startpos moves {moves}"));

        let fen = "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1";
        let chess960 = game(fen, "5", "f4 f5 Ng3 Ng6");
        let command = position_command(&chess960);
        assert!(command.contains("NRBBQNKR w"), "{command}");
        assert!(command.ends_with(" moves f2f4 f7f5 f1g3 f8g6"), "{command}");
    }

    #[test]
    fn the_clocks_are_sent_in_milliseconds() {
        let go = |control| {
            let game = game(START, "1+0.5", "");
            go_command(&Turn {
                arbiter: &game,
                control,
                started_at: Instant::now(),
                is_against_person: true,
            })
        };
        let clock = TimeControl::parse_clock("1+0.5").expect("a time control");
        assert_eq!(go(clock), "go wtime 60000 btime 60000 winc 500 binc 500");
        let move_time = TimeControl::MoveTime(Duration::from_millis(70));
        assert_eq!(go(move_time), "go movetime 70");
        assert_eq!(go(TimeControl::Depth(9)), "go depth 9");
    }

    #[test]
    fn only_legal_moves_are_moves() {
        let start = VariantPosition::default();
        assert!(legal_move("e2e4", &start).is_some());
        for text in [
            "e2e5", "0000", "(none)", "e7e5", "", "e2e4q", "N@e4", "\u{1b}",
        ] {
            assert_eq!(legal_move(text, &start), None, "{text:?}");
        }
    }
}
