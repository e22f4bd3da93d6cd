//! Weaker play: which level the options ask for, and what it changes about a search.
//!
//! It is for play: analysis, which is `go infinite`, `go mate` and all searches under `UCI_AnalyseMode`, has full
//! strength. The tables of a level carry errors that last for a game.

use std::sync::Arc;

use rand_chacha::rand_core::Rng;
use shakmaty::Chess;

use super::engine::Engine;
use super::go::Go;
use super::options::Options;
use crate::evaluation::{TableSet, Tables};
use crate::search::SearchRequest;
use crate::search::strength::{Blindness, Level};

impl<W> Engine<W> {
    /// Limits a search to the level of play that the options ask for, if they do. Returns whether its tables are others
    /// than those of the last search.
    pub(super) fn weaken(&mut self, request: &mut SearchRequest, go: &Go) -> bool {
        let is_analysis = self.options.analyse_mode || go.infinite || go.mate.is_some();
        let is_for_play = request.limits.is_bounded() && !is_analysis;
        let level = self.level(request.game.position()).filter(|_| is_for_play);
        let tables = match level {
            Some(level) => self.misjudged_tables(level),
            None => Arc::clone(&self.tables),
        };
        let has_other_tables = !Arc::ptr_eq(&self.searched_tables, &tables);
        self.searched_tables = Arc::clone(&tables);
        let Some(level) = level else {
            return has_other_tables;
        };
        request.game.set_tables(tables);
        request.tablebases = None;
        let nodes = request.limits.nodes.unwrap_or(u64::MAX);
        request.limits.nodes = Some(nodes.min(level.nodes));
        request.blindness = Some(Blindness {
            per_mille: level.blindness,
            seed: self.random.next_u64(),
        });
        has_other_tables
    }

    /// The level at which the options ask to play a position; `None` for full strength.
    fn level(&self, position: &Chess) -> Option<Level> {
        let elo = self.options.elo_limit()?;
        Some(Level::of_elo(elo).in_position(position))
    }

    /// The tables as a player of this level knows them. The errors are the same until a new game begins, or the level,
    /// the tables or the seed change.
    fn misjudged_tables(&mut self, level: Level) -> Arc<Tables> {
        let tables = TableSet::for_levels(&self.tables);
        if level.misjudgement == 0 {
            return tables;
        }
        let misjudged = self
            .misjudged
            .take()
            .unwrap_or_else(|| Arc::new(tables.misjudged(level.misjudgement, &mut self.random)));
        self.misjudged = Some(Arc::clone(&misjudged));
        misjudged
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
