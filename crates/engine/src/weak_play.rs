//! Weaker play: limits a search to what a player of a level sees.
//!
//! A level (see [`crate::search::strength`]) looks at few positions, overlooks moves, and judges by
//! tables with errors, which last for a game. UCI, the terminal and the board all play so.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::evaluation::{TableSet, Tables};
use crate::search::SearchRequest;
use crate::search::strength::{Blindness, Level};

/// A player of less than full strength, for one game.
#[derive(Clone, Debug, Default)]
pub struct WeakPlayer {
    /// The tables as the player knows them, once a search has used them.
    misjudged: Option<Arc<Tables>>,
}

impl WeakPlayer {
    /// Limits a search by the tables of full strength to a level.
    pub fn weaken(&mut self, request: &mut SearchRequest, level: Level, random: &mut ChaCha8Rng) {
        request.tables = self.tables(level, &request.tables, random);
        request.tablebases = None;
        let nodes = request.limits.nodes.unwrap_or(u64::MAX);
        request.limits.nodes = Some(nodes.min(level.nodes));
        request.blindness = Some(Blindness {
            per_mille: level.blindness,
            seed: random.next_u64(),
        });
    }

    /// The tables as a player of this level knows them. The errors stay the same.
    fn tables(
        &mut self,
        level: Level,
        tables: &Arc<Tables>,
        random: &mut ChaCha8Rng,
    ) -> Arc<Tables> {
        let tables = TableSet::for_levels(tables);
        if level.misjudgement == 0 {
            return tables;
        }
        let misjudged = self
            .misjudged
            .get_or_insert_with(|| Arc::new(tables.misjudged(level.misjudgement, random)));
        Arc::clone(misjudged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Limits;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn the_errors_last_and_a_limit_of_nodes_only_shrinks() {
        let tables = TableSet::default().tables();
        let request = |nodes| SearchRequest::new(Limits::nodes(nodes));
        let level = Level::of_elo(1_000);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut player = WeakPlayer::default();
        let (mut few, mut many) = (request(level.nodes - 1), request(level.nodes + 1));
        player.weaken(&mut few, level, &mut random);
        player.weaken(&mut many, level, &mut random);
        let first = Arc::clone(&few.tables);
        assert!(Arc::ptr_eq(&first, &many.tables));
        assert_ne!(first.scores(), TableSet::for_levels(&tables).scores());
        assert_eq!(few.limits.nodes, Some(level.nodes - 1));
        assert_eq!(many.limits.nodes, Some(level.nodes));
        let seeds = [few, many].map(|request| request.blindness.map(|blindness| blindness.seed));
        assert_ne!(seeds[0], seeds[1]);
        let mut of_another = request(1);
        WeakPlayer::default().weaken(&mut of_another, level, &mut random);
        assert_ne!(of_another.tables.scores(), first.scores());
    }
}
