//! The turn of a person: asks for a line and does what it says, until it is a move or the end of the game.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Instant;

use shakmaty::fen::Fen;
use shakmaty::san::San;
use shakmaty::{EnPassantMode, Position};

use super::commands::{self, Command, LegalMoves};
use super::console::{Question, Typed};
use super::ending::Reason;
use super::player::Player;
use super::record::PgnFile;
use super::screen::lines_of_moves;
use super::session::Session;

/// What follows from a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The turn is over.
    EndTurn,
    /// The person is asked again, with a new message.
    Message,
    /// The person is asked again, and the board is shown.
    Board,
}

impl<W: Write> Session<W> {
    /// Lets a person move.
    pub(super) fn person_turn(&mut self) -> io::Result<()> {
        self.look_at_position()?;
        if self.draw_offer == Some(!self.scene.arbiter.turn()) {
            self.say("A draw is offered: draw accepts it, a move declines it.");
        }
        self.scene.arbiter.start_clock(Instant::now());
        self.show()?;
        // The game can end while the adviser thinks. Then nothing is asked: an open question would have to be cancelled
        // by a signal, which can come before the editor listens to it.
        while self.scene.arbiter.ending().is_none() && !self.has_ended(Instant::now()) {
            self.ask()?;
            let Some(typed) = self.wait_for_person()? else {
                return Ok(());
            };
            match typed {
                Typed::Line(line, at) => {
                    if self.scene.arbiter.check_flag(at) {
                        return Ok(());
                    }
                    let command = Command::parse(&line, self.scene.arbiter.position());
                    match self.execute(command, at)? {
                        Next::EndTurn => return Ok(()),
                        Next::Message if !self.display.is_live() => {
                            self.display.lines(&self.message)?;
                        }
                        Next::Message | Next::Board => self.show()?,
                    }
                }
                Typed::Interrupted => self
                    .scene
                    .arbiter
                    .abandon(Reason::Interrupted, Instant::now()),
                Typed::End => self
                    .scene
                    .arbiter
                    .abandon(Reason::EndOfInput, Instant::now()),
            }
        }
        Ok(())
    }

    fn ask(&mut self) -> io::Result<()> {
        let position = self.scene.arbiter.position();
        let prompt = match position.turn() {
            _ if !self.scene.are_all_people() => "Your move: ",
            shakmaty::Color::White => "White's move: ",
            shakmaty::Color::Black => "Black's move: ",
        };
        let legal = position.legal_moves();
        let mode = position.castles().mode();
        let san = legal
            .iter()
            .map(|m| San::from_move(position, *m).to_string());
        let uci = legal.iter().map(|m| m.to_uci(mode).to_string());
        let question = Question {
            prompt: prompt.to_owned(),
            moves: LegalMoves {
                san: san.collect(),
                uci: uci.collect(),
            },
        };
        if let Some(console) = &mut self.console {
            console.ask(question);
        }
        // A script needs no prompt.
        if io::stdin().is_terminal() {
            self.display.prompt(prompt)?;
        }
        Ok(())
    }

    /// Waits for a line while the clock ticks. `None` if the game has ended meanwhile.
    fn wait_for_person(&mut self) -> io::Result<Option<Typed>> {
        loop {
            let now = Instant::now();
            if self.has_ended(now) {
                return Ok(None);
            }
            let time = self.time_to_wait(now);
            let Some(console) = &mut self.console else {
                return Ok(Some(Typed::End));
            };
            if let Some(typed) = console.wait(time) {
                return Ok(Some(typed));
            }
            let view = self.scene.view();
            self.display.tick(&view)?;
        }
    }

    /// Does what a person has typed at this moment.
    fn execute(&mut self, command: Command, at: Instant) -> io::Result<Next> {
        self.message.clear();
        if command == Command::Nothing && !self.rest.is_empty() {
            self.turn_page();
            return Ok(Next::Message);
        }
        self.rest.clear();
        match command {
            Command::Move(m) => {
                self.scene.arbiter.play(m, None, at);
                self.after_move()?;
                return Ok(Next::EndTurn);
            }
            Command::Resign => {
                self.scene.arbiter.resign(at);
                return Ok(Next::EndTurn);
            }
            Command::Quit => {
                self.scene.arbiter.abandon(Reason::Interrupted, at);
                return Ok(Next::EndTurn);
            }
            Command::Undo => return self.undo(),
            Command::Draw => self.offer_draw(at),
            Command::Flip => {
                self.scene.orientation = !self.scene.orientation;
                return Ok(Next::Board);
            }
            Command::Board | Command::Nothing => return Ok(Next::Board),
            Command::Slip(slip) => self.say(&slip),
            Command::Hint => self.hint()?,
            Command::Why => self.why()?,
            Command::Help => self.message = commands::help(),
            Command::Moves => {
                self.message = lines_of_moves(
                    &self.scene.arbiter,
                    self.display.columns().saturating_sub(1),
                );
                if self.message.is_empty() {
                    self.say("no moves so far");
                }
            }
            Command::Fen => {
                let fen = Fen::from_position(self.scene.arbiter.position(), EnPassantMode::Legal);
                self.say(&fen.to_string());
            }
            Command::Save(path) => self.save(&path),
        }
        Ok(if self.scene.arbiter.ending().is_some() {
            Next::EndTurn
        } else {
            Next::Message
        })
    }

    /// Takes back to the last turn of a person.
    fn undo(&mut self) -> io::Result<Next> {
        let is_against_person = self
            .scene
            .players
            .get(!self.scene.arbiter.turn())
            .is_person();
        let plies = if is_against_person { 1 } else { 2 };
        if self.scene.arbiter.moves().len() < plies {
            self.say("there is no move of yours to take back");
            return Ok(Next::Message);
        }
        self.scene.arbiter.undo(plies);
        self.after_undo();
        // Against a person it is the other's turn now.
        if is_against_person {
            self.say("the last move is taken back");
            return Ok(Next::EndTurn);
        }
        self.look_at_position()?;
        self.scene.arbiter.start_clock(Instant::now());
        self.say("your last move is taken back");
        Ok(Next::Board)
    }

    fn offer_draw(&mut self, at: Instant) {
        let side = self.scene.arbiter.turn();
        if self.draw_offer == Some(!side) {
            self.scene.arbiter.agree_to_draw(at);
            return;
        }
        match self.scene.players.get(!side) {
            Player::Engine(engine) if engine.accepts_draw(&self.scene.arbiter) => {
                self.scene.arbiter.agree_to_draw(at);
            }
            Player::Engine(engine) => {
                let declined = format!("{} declines the draw and plays on", engine.name());
                self.say(&declined);
            }
            Player::Person(_) => {
                self.draw_offer = Some(side);
                self.say("your offer stands with your move");
            }
        }
    }

    fn save(&mut self, path: &Path) {
        let saved = PgnFile::new(path).and_then(|file| file.append(&self.record()));
        let shown = path.display();
        self.say(&match saved {
            Ok(()) => format!("the game so far is in {shown}"),
            Err(error) => format!("{shown} can't be written: {error}"),
        });
    }
}
