//! The scene: the game, who plays it, and from which side it is seen.

use shakmaty::{ByColor, Color};

use super::arbiter::{Arbiter, Thought};
use super::player::Player;
use crate::openings::{Opening, opening_of};

/// Everything that the screen shows.
pub struct Scene {
    pub arbiter: Arbiter,
    pub players: ByColor<Player>,
    /// The side that sits at the bottom of the board.
    pub orientation: Color,
    /// What the adviser thinks if no player says it, from White's point of view.
    pub glance: Option<Thought>,
    /// Whether the evaluation is shown.
    pub shows_evaluation: bool,
    pub opening: Option<Opening>,
}

impl Scene {
    /// The scene before the first move.
    pub fn new(arbiter: Arbiter, players: ByColor<Player>, orientation: Color) -> Scene {
        let mut scene = Scene {
            arbiter,
            players,
            orientation,
            glance: None,
            shows_evaluation: false,
            opening: None,
        };
        // Between two people it would be advice for both.
        scene.shows_evaluation = !scene.are_all_people();
        scene.name_opening();
        scene
    }

    /// Looks up the name of the opening, after a move or after one was taken back.
    pub fn name_opening(&mut self) {
        self.opening = opening_of(self.arbiter.start(), &self.arbiter.bare_moves());
    }

    /// The player whose turn it is.
    pub fn player_to_move(&mut self) -> &mut Player {
        let side = self.arbiter.turn();
        self.players.get_mut(side)
    }

    /// Whether the evaluations of a player can be trusted.
    pub fn has_trusted_evaluation(&self) -> bool {
        let mut players = self.players.iter();
        players.any(|player| !player.is_person() && !player.is_weakened())
    }

    pub fn are_all_people(&self) -> bool {
        self.players.iter().all(Player::is_person)
    }

    /// What is shown from White's point of view: what the engine that is thinking thinks, or else
    /// the adviser, or else the engine that has moved last.
    pub fn evaluation(&self) -> Option<Thought> {
        if !self.shows_evaluation {
            return None;
        }
        let side = self.arbiter.turn();
        let thinking = match self.players.get(side) {
            Player::Engine(engine) if self.arbiter.ending().is_none() && !engine.is_weakened() => {
                engine.thought()
            }
            _ => None,
        };
        let thinking = thinking.map(|thought| thought.of_white(side));
        thinking
            .or(self.glance)
            .or_else(|| self.arbiter.last_thought())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::play::arbiter::tests::{START, game};

    /// A game between Anna and Squarewise after these moves, with room for an evaluation.
    pub(in crate::play) fn scene(moves: &str) -> Scene {
        let player = |name: &str| Player::Person(name.to_owned());
        let players = ByColor {
            white: player("Anna"),
            black: player("Squarewise"),
        };
        let mut scene = Scene::new(game(START, "5+3", moves), players, Color::White);
        scene.shows_evaluation = true;
        scene.opening = None;
        scene
    }
}
