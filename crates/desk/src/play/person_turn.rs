//! The turn of a person, and what is typed at other times: while an engine thinks, and after the
//! end of the game.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use crate::notation::san;
use shakmaty::{Outcome, Position};

use super::commands::{Command, DRAW_IS_OFFERED, LegalMoves};
use super::ending::{Ending, Failure};
use super::line_editor::Typed;
use super::session::{Session, TICK};

impl<W: Write> Session<W> {
    /// Whether the other side has offered a draw.
    pub(super) fn is_draw_offered(&self) -> bool {
        self.draw_offer == Some(!self.scene.arbiter.turn())
    }

    pub(super) fn person_turn(&mut self) -> io::Result<()> {
        self.look_at_position()?;
        if self.is_draw_offered() {
            self.say(DRAW_IS_OFFERED);
        }
        self.scene.arbiter.start_clock(Instant::now());
        self.show()?;
        while self.scene.arbiter.ending().is_none() {
            let Some((command, at)) = self.next_command()? else {
                return Ok(());
            };
            if self.scene.arbiter.check_flag(at) || self.obey(command, at)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// What was kept for this turn, or else the next line, with the moment at which it was
    /// complete. The clock ticks meanwhile. `None` if the game has ended.
    fn next_command(&mut self) -> io::Result<Option<(Command, Instant)>> {
        // What was kept is no answer to a question.
        if self.wants_to_resign.is_none()
            && let Some(command) = self.kept.pop_front()
        {
            return Ok(Some((command, Instant::now())));
        }
        self.prompt()?;
        self.ask();
        loop {
            let now = Instant::now();
            if self.stop.is_requested() && self.end_if_due(now) {
                return Ok(None);
            }
            let heard = self.hear(self.time_to_wait(now))?;
            // A line that was complete in time counts, though it is read late.
            if heard.is_some() {
                return Ok(heard);
            }
            if self.end_if_due(Instant::now()) {
                return Ok(None);
            }
        }
    }

    /// Obeys what is typed while an engine thinks. Returns whether its turn is over.
    pub(super) fn obey_keyboard(&mut self) -> io::Result<bool> {
        if !self.is_at_terminal() {
            return Ok(false);
        }
        let Some((command, at)) = self.hear(Duration::ZERO)? else {
            return Ok(false);
        };
        let is_over = self.obey(command, at)?;
        if !is_over {
            self.ask();
        }
        Ok(is_over)
    }

    /// Offers a rematch at the end of a game, to a person at a terminal, if all players are still
    /// there. Returns whether it is wanted. Whoever has lost the opponent can still save the game.
    pub(super) fn offer_rematch(&mut self, notes: &[String]) -> io::Result<bool> {
        let is_finished = self.scene.arbiter.outcome() != Outcome::Unknown;
        if !is_finished || !self.is_at_terminal() {
            return Ok(false);
        }
        self.wants_to_resign = None;
        self.say_result(notes);
        if notes.is_empty() {
            self.say("save game.pgn keeps it for squarewise analyze game.pgn.");
        }
        let can_play_again = !self.has_lost_an_engine();
        self.say(if can_play_again {
            "rematch plays again with colors changed, quit leaves."
        } else {
            "quit leaves."
        });
        self.show()?;
        self.prompt()?;
        self.ask();
        while !self.stop.is_requested() {
            let Some((command, at)) = self.hear(TICK)? else {
                continue;
            };
            match command {
                Command::Rematch if can_play_again => return Ok(true),
                Command::Quit | Command::Interrupt | Command::EndOfInput => break,
                // An answer was meant for a question of the game that is over.
                Command::Yes
                | Command::No
                | Command::Move(_)
                | Command::Undo
                | Command::Hint
                | Command::Why
                | Command::Now
                | Command::Draw
                | Command::Resign
                | Command::Rematch => self.say_that_it_is_over()?,
                command => {
                    self.obey(command, at)?;
                }
            }
            self.prompt()?;
            self.ask();
        }
        Ok(false)
    }

    fn say_that_it_is_over(&mut self) -> io::Result<()> {
        self.message.clear();
        self.say(if self.has_lost_an_engine() {
            "the engine has ended, so there is no rematch: save FILE or quit"
        } else {
            "the game is over: rematch, save FILE or quit"
        });
        self.show()
    }

    /// Whether the game is over because the process of an engine has ended, which then can't play
    /// another.
    fn has_lost_an_engine(&self) -> bool {
        let ending = self.scene.arbiter.ending();
        matches!(ending, Some(Ending::Failure(_, Failure::Died(_))))
    }

    /// Whether a person sits at a terminal and can type at any time.
    pub(super) fn is_at_terminal(&self) -> bool {
        let console = self.console.as_ref();
        console.is_some_and(|console| console.is_terminal())
    }

    /// Opens the line, if it is not open.
    pub(super) fn ask(&mut self) {
        self.set_prompt();
        if let Some(console) = &mut self.console {
            console.ask();
        }
    }

    /// What stands before the cursor at this moment.
    fn prompt_text(&self) -> &'static str {
        let turn = self.scene.arbiter.turn();
        if self.wants_to_resign.is_some() {
            "Yes or no: "
        } else if self.scene.arbiter.ending().is_some() {
            "What next: "
        } else if self.scene.are_all_people() {
            turn.fold_wb("White's move: ", "Black's move: ")
        } else if self.scene.players.get(turn).is_person() {
            "Your move: "
        } else {
            "Meanwhile: "
        }
    }

    /// Tells the line what to show and to complete.
    pub(super) fn set_prompt(&mut self) {
        let prompt = self.prompt_text();
        let position = self.scene.arbiter.position();
        let legal = position.legal_moves();
        let mode = position.castles().mode();
        let san = legal.iter().map(|m| san(position, *m).to_string());
        let uci = legal.iter().map(|m| m.to_uci(mode).to_string());
        let moves = LegalMoves {
            san: san.collect(),
            uci: uci.collect(),
        };
        if let Some(console) = &mut self.console {
            console.set(prompt, moves);
        }
    }

    /// Writes the prompt at a terminal without an editor. A script needs none.
    fn prompt(&mut self) -> io::Result<()> {
        if self.is_at_terminal() && !self.display.is_live() {
            self.display.write(self.prompt_text())?;
        }
        Ok(())
    }

    /// What is typed within this time, and when it was complete. The next line is opened at once,
    /// so that nothing is lost while a command is obeyed.
    fn hear(&mut self, time: Duration) -> io::Result<Option<(Command, Instant)>> {
        let typed = match &mut self.console {
            Some(console) => console.wait(time),
            None => Some(Typed::End),
        };
        match typed {
            None => self.tick()?,
            Some(Typed::Redraw) => self.show()?,
            Some(Typed::Interrupted) => return Ok(Some((Command::Interrupt, Instant::now()))),
            Some(Typed::End) => return Ok(Some((Command::EndOfInput, Instant::now()))),
            Some(Typed::Line(line, at)) => {
                let command = Command::parse(&line);
                if self.display.is_live() && command != Command::Quit {
                    self.ask();
                }
                return Ok(Some((command, at)));
            }
        }
        Ok(None)
    }
}
