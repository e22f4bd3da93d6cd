//! What each command of a person does.
//!
//! While an engine thinks, most act at once; moves and questions about the position are kept for
//! the person's own turn.

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use shakmaty::fen::Fen;
use shakmaty::{Color, EnPassantMode};

use super::commands::{self, Command, DRAW_IS_OFFERED, WHETHER_TO_RESIGN};
use super::ending::Ending;
use super::player::Player;
use super::screen::lines_of_moves;
use super::session::Session;
use crate::pgn_file::PgnFile;
use crate::slips;

/// What follows from a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    EndTurn,
    /// The person is asked again, with a new message.
    Message,
    /// The person is asked again, and the board is shown.
    Board,
}

impl<W: Write> Session<W> {
    /// Does what a person has typed at this moment, and shows what follows. Returns whether the
    /// turn is over.
    pub(super) fn obey(&mut self, command: Command, at: Instant) -> io::Result<bool> {
        match self.execute(command, at)? {
            Next::EndTurn => return Ok(true),
            Next::Message if !self.display.is_live() => self.display.lines(&self.message)?,
            Next::Message | Next::Board => self.show()?,
        }
        Ok(false)
    }

    fn execute(&mut self, command: Command, at: Instant) -> io::Result<Next> {
        let was_over = self.scene.arbiter.ending().is_some();
        self.message.clear();
        if let Some(next) = self.resign_if_sure(&command, at) {
            return Ok(next);
        }
        if command == Command::Nothing && !self.rest.is_empty() {
            self.turn_page();
            return Ok(Next::Message);
        }
        self.rest.clear();
        let is_own_turn = self.scene.player_to_move().is_person();
        match command {
            Command::Move(_) | Command::Hint | Command::Why | Command::Draw if !is_own_turn => {
                self.keep_for_own_turn(command);
            }
            Command::Move(text) => return self.play_move(&text, at),
            Command::Resign => self.ask_whether_to_resign(is_own_turn, at),
            Command::Quit | Command::Interrupt => {
                self.scene.arbiter.end(Ending::Interrupted, at);
            }
            Command::EndOfInput => self.scene.arbiter.end(Ending::EndOfInput, at),
            Command::Undo => return self.undo(is_own_turn),
            Command::Draw => self.offer_draw(at),
            Command::Now => self.hurry_engine(),
            Command::Evaluation(wish) => {
                self.scene.shows_evaluation = wish.unwrap_or(!self.scene.shows_evaluation);
                if is_own_turn {
                    self.look_at_position()?;
                }
                let is_shown = self.scene.shows_evaluation;
                let state = if is_shown { "shown" } else { "hidden" };
                self.say(&format!("the evaluation is {state}"));
                return Ok(Next::Board);
            }
            Command::Flip => {
                self.scene.orientation = !self.scene.orientation;
                return Ok(Next::Board);
            }
            Command::Board | Command::Nothing => return Ok(Next::Board),
            Command::Slip(slip) => self.say(&slip),
            Command::Hint => self.hint()?,
            Command::Why => self.why()?,
            Command::Help => self.message = commands::help(),
            Command::Moves => self.show_moves(),
            Command::Fen => self.show_fen(),
            Command::Save(path) => self.save(&path),
            Command::Rematch => self.say("a rematch is played when this game is over"),
            Command::Yes | Command::No if self.is_draw_offered() => self.say(DRAW_IS_OFFERED),
            Command::Yes | Command::No => self.say("there is no question"),
        }
        Ok(if self.scene.arbiter.ending().is_some() && !was_over {
            Next::EndTurn
        } else {
            Next::Message
        })
    }

    fn play_move(&mut self, text: &str, at: Instant) -> io::Result<Next> {
        let slip = match slips::read_move(text, self.scene.arbiter.position()) {
            Some(Ok(m)) => {
                self.scene.arbiter.play(m, None, at);
                self.after_move()?;
                return Ok(Next::EndTurn);
            }
            Some(Err(slip)) => slip,
            None => format!("{text} is not a move"),
        };
        // What was typed ahead was meant for the positions behind this move.
        if std::mem::take(&mut self.kept).is_empty() {
            self.say(&slip);
        } else {
            self.say(&format!("{slip}; what was typed ahead is dropped"));
        }
        Ok(Next::Message)
    }

    fn keep_for_own_turn(&mut self, command: Command) {
        let text = match &command {
            Command::Move(text) => text,
            Command::Draw => "draw",
            Command::Hint => "hint",
            _ => "why",
        };
        self.say(&format!("{text} waits for your turn"));
        self.kept.push_back(command);
    }

    /// Looks at the answer to the question whether the person resigns, if it is open. Any other
    /// command takes it back.
    fn resign_if_sure(&mut self, answer: &Command, at: Instant) -> Option<Next> {
        let side = self.wants_to_resign.take()?;
        match answer {
            Command::Yes | Command::Resign => {
                self.scene.arbiter.end(Ending::Resignation(side), at);
                Some(Next::EndTurn)
            }
            Command::No | Command::Nothing => {
                self.say("the game goes on");
                Some(Next::Message)
            }
            _ => None,
        }
    }

    fn show_fen(&mut self) {
        let fen = Fen::from_position(self.scene.arbiter.position(), EnPassantMode::Legal);
        self.say(&fen.to_string());
    }

    /// A script resigns at once; a person may have mistyped.
    fn ask_whether_to_resign(&mut self, is_own_turn: bool, at: Instant) {
        let turn = self.scene.arbiter.turn();
        let side = if is_own_turn { turn } else { !turn };
        if self.is_at_terminal() {
            self.wants_to_resign = Some(side);
            self.say(WHETHER_TO_RESIGN);
        } else {
            self.scene.arbiter.end(Ending::Resignation(side), at);
        }
    }

    fn hurry_engine(&mut self) {
        let Some(engine) = self.scene.player_to_move().engine() else {
            return self.say("no engine is thinking");
        };
        engine.move_now();
        self.is_hurried = true;
        self.say("the engine moves at once");
    }

    fn show_moves(&mut self) {
        let columns = self.display.columns().saturating_sub(1);
        self.message = lines_of_moves(&self.scene.arbiter, columns);
        if self.message.is_empty() {
            self.say("no moves so far");
        }
    }

    /// Takes back to the last turn of a person.
    fn undo(&mut self, is_own_turn: bool) -> io::Result<Next> {
        let opponent: Color = !self.scene.arbiter.turn();
        let is_against_person = self.scene.players.get(opponent).is_person();
        let plies = if is_against_person { 1 } else { 2 };
        if self.scene.arbiter.moves().len() < plies {
            self.say("there is no move of yours to take back");
            return Ok(Next::Message);
        }
        self.stop_engine();
        self.scene.arbiter.undo(plies);
        self.after_undo();
        self.kept.clear();
        // Against a person it is the other's turn now.
        if is_against_person && is_own_turn {
            self.say("the last move is taken back");
            return Ok(Next::EndTurn);
        }
        if is_own_turn {
            self.look_at_position()?;
            self.scene.arbiter.start_clock(Instant::now());
        }
        self.say("your last move is taken back");
        Ok(if is_own_turn {
            Next::Board
        } else {
            Next::EndTurn
        })
    }

    fn offer_draw(&mut self, at: Instant) {
        let side = self.scene.arbiter.turn();
        if self.draw_offer == Some(!side) {
            self.scene.arbiter.end(Ending::Agreement, at);
            return;
        }
        match self.scene.players.get(!side) {
            Player::Engine(engine) if engine.accepts_draw(&self.scene.arbiter) => {
                self.scene.arbiter.end(Ending::Agreement, at);
            }
            Player::Engine(engine) => {
                let declined = format!("{} declines the draw and plays on", engine.name());
                self.say(&declined);
            }
            Player::Person(_) => {
                self.draw_offer = Some(side);
                self.say("your draw offer goes with your next move");
            }
        }
    }

    fn save(&mut self, path: &Path) {
        let saved = PgnFile::new(path).and_then(|file| self.keep_in(&file));
        let shown = path.display();
        self.say(&match saved {
            Ok(()) => format!("the game so far is in {shown}"),
            Err(error) => {
                let reason = error.to_string();
                let named = format!("{shown}: ");
                let reason = reason.strip_prefix(&named).unwrap_or(&reason);
                format!("{shown} can't be written: {reason}")
            }
        });
    }
}
