//! What a person asks for in a game beside moves: to take one back, to give up, a draw.

use std::time::Instant;

use super::Match;
use crate::play::ending::Ending;
use crate::play::player::Player;

impl Match {
    /// How many moves go when the person takes one back: the engine's answer goes with it.
    ///
    /// # Errors
    ///
    /// In words, if the person has played none.
    pub(in crate::board) fn plies_to_take_back(&self) -> Result<usize, String> {
        let played = self.arbiter.moves().len() - self.moves_before;
        let plies = if Some(self.arbiter.turn()) == self.person {
            2
        } else {
            1
        };
        if self.person.is_none() || played < plies {
            return Err("there is no move of yours to take back".to_owned());
        }
        Ok(plies)
    }

    /// Takes back that many moves.
    pub(in crate::board) fn take_back(&mut self, plies: usize, now: Instant) {
        self.stop_engine();
        self.arbiter.undo(plies);
        self.note = None;
        self.begin_turn(now);
    }

    /// The person gives up, or ends a game that the engine plays with itself.
    pub(in crate::board) fn resign(&mut self, now: Instant) -> Result<(), String> {
        self.check_goes_on()?;
        self.stop_engine();
        match self.person {
            Some(person) => self.arbiter.end(Ending::Resignation(person), now),
            None => self.arbiter.end(Ending::Interrupted, now),
        }
        Ok(())
    }

    /// The person offers a draw; the engine takes it or not.
    pub(in crate::board) fn offer_draw(&mut self, now: Instant) -> Result<(), String> {
        self.check_goes_on()?;
        let person = self
            .person
            .ok_or("nobody plays here who could offer a draw")?;
        let accepts = match self.players.get_mut(!person) {
            Player::Engine(engine) => engine.accepts_draw(&self.arbiter),
            Player::Person(_) => false,
        };
        if accepts {
            self.stop_engine();
            self.arbiter.end(Ending::Agreement, now);
        } else {
            self.note = Some("The engine plays on.");
        }
        Ok(())
    }

    fn check_goes_on(&self) -> Result<(), String> {
        if self.is_over() {
            return Err("this game is over".to_owned());
        }
        Ok(())
    }
}
