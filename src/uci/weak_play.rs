//! Weaker play: which level the options ask for, and for which searches.
//!
//! It is for play: analysis, which is `go infinite`, `go mate` and all searches under `UCI_AnalyseMode`, has full
//! strength.

use shakmaty::Chess;

use super::engine::Engine;
use super::go::Go;
use super::options::Options;
use squarewise_engine::position::game::Game;
use squarewise_engine::search::SearchRequest;
use squarewise_engine::search::strength::Level;

impl<W> Engine<W> {
    /// Limits a search to the level of play that the options ask for, if they do. Returns the game
    /// that is searched.
    pub(super) fn weaken(&mut self, request: &mut SearchRequest, go: &Go) -> Game {
        let is_analysis = self.options.analyse_mode || go.infinite || go.mate.is_some();
        let is_for_play = request.limits.is_bounded() && !is_analysis;
        let level = self.level(self.game.position()).filter(|_| is_for_play);
        let mut game = self.game.recent();
        if let Some(level) = level {
            let tables = &self.tables;
            let random = &mut self.random;
            game.set_tables(self.weak_player.weaken(request, level, tables, random));
        }
        game
    }

    /// The level at which the options ask to play a position; `None` for full strength.
    fn level(&self, position: &Chess) -> Option<Level> {
        let elo = self.options.elo_limit()?;
        Some(Level::of_elo(elo).in_position(position))
    }
}

impl Options {
    /// The Elo rating of the level of play; `None` for full strength. `UCI_LimitStrength` counts before `Skill Level`.
    pub(super) fn elo_limit(&self) -> Option<u32> {
        if self.limit_strength {
            Some(self.elo as u32)
        } else {
            Level::elo_of_skill(self.skill_level as u32)
        }
    }
}
