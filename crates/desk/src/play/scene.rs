//! The scene: the game, who plays it, and from which side it is seen.

use std::time::Instant;

use shakmaty::{ByColor, Color};

use super::arbiter::Arbiter;
use super::player::Player;
use super::screen::View;
use crate::openings::{Opening, opening_of};
use squarewise_engine::score::Score;

/// Everything that the screen shows.
pub struct Scene {
    pub arbiter: Arbiter,
    pub players: ByColor<Player>,
    /// The side that sits at the bottom of the board.
    pub orientation: Color,
    /// The adviser's score if no player gives one, from White's point of view, with its depth in
    /// plies.
    pub glance: Option<(Score, u32)>,
    /// Whether the evaluation is shown.
    pub shows_evaluation: bool,
    opening: Option<Opening>,
}

impl Scene {
    /// The scene before the first move.
    pub fn new(arbiter: Arbiter, players: ByColor<Player>, orientation: Color) -> Scene {
        let are_all_people = players.iter().all(Player::is_person);
        let mut scene = Scene {
            // Between two people it would be advice for both.
            shows_evaluation: !are_all_people,
            arbiter,
            players,
            orientation,
            glance: None,
            opening: None,
        };
        scene.name_opening();
        scene
    }

    /// Looks up the name of the opening, after a move or after one was taken back.
    pub fn name_opening(&mut self) {
        self.opening = opening_of(self.arbiter.start(), &self.arbiter.bare_moves());
    }

    /// The names of the players.
    pub fn names(&self) -> ByColor<&str> {
        self.players.as_ref().map(Player::name)
    }

    /// The player whose turn it is.
    pub fn player_to_move(&mut self) -> &mut Player {
        let side = self.arbiter.turn();
        self.players.get_mut(side)
    }

    /// Whether the evaluations of a player can be trusted.
    pub fn has_trusted_evaluation(&self) -> bool {
        self.players.iter().any(Player::has_trusted_evaluation)
    }

    pub fn are_all_people(&self) -> bool {
        self.players.iter().all(Player::is_person)
    }

    /// What is to be shown at this moment.
    pub fn view(&self) -> View<'_> {
        View {
            arbiter: &self.arbiter,
            names: self.names(),
            orientation: self.orientation,
            shows_evaluation: self.shows_evaluation,
            evaluation: self.evaluation().filter(|_| self.shows_evaluation),
            opening: self.opening,
            now: Instant::now(),
        }
    }

    /// What the engine that is thinking thinks, or else the adviser, or else the engine that has
    /// moved last.
    fn evaluation(&self) -> Option<(Score, u32)> {
        let side = self.arbiter.turn();
        let thinking = match self.players.get(side) {
            Player::Engine(engine) if self.arbiter.ending().is_none() && !engine.is_weakened() => {
                engine.thought()
            }
            _ => None,
        };
        let thinking = thinking.map(|thought| (thought.white_score(side), thought.depth));
        thinking
            .or(self.glance)
            .or_else(|| self.arbiter.last_thought())
    }
}
