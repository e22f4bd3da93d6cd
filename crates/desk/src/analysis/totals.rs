//! What the games of a file say of each player together.

use std::collections::BTreeMap;

use shakmaty::Color;

use super::{AnalyzedGame, Counts};

/// The totals of all players, by their names.
#[derive(Clone, Debug, Default)]
pub struct Totals(BTreeMap<String, PlayerTotals>);

/// The totals of a player.
#[derive(Clone, Debug, Default)]
pub struct PlayerTotals {
    /// The number of games in which the player made a move.
    pub games: usize,
    /// How many moves were judged in the opening, the middlegame and the endgame.
    pub by_phase: [Counts; 3],
    moves: usize,
    /// Whoever plays against a namesake has two sides of a game.
    sides: usize,
    accuracies: f64,
    centipawns: u64,
}

impl PlayerTotals {
    /// The mean of the accuracies of the games, in per cent.
    pub fn accuracy(&self) -> f64 {
        self.accuracies / self.sides.max(1) as f64
    }

    /// The average centipawn loss over all moves.
    pub fn average_centipawn_loss(&self) -> u64 {
        let moves = self.moves.max(1) as u64;
        (self.centipawns + moves / 2) / moves
    }

    /// How many moves were judged.
    pub fn counts(&self) -> Counts {
        self.by_phase.into_iter().sum()
    }
}

impl Totals {
    /// Adds a game. A player without a name or without a move isn't counted.
    pub fn add(&mut self, game: &AnalyzedGame) {
        let name_of = |color: Color| game.record.known_tag(color.fold_wb("White", "Black"));
        for color in Color::ALL {
            let name = name_of(color);
            let Some((name, accuracy)) = name.zip(game.accuracy(color)) else {
                continue;
            };
            let player = self.0.entry(name.to_owned()).or_default();
            let losses = game.centipawn_losses(color);
            let is_counted = color == Color::Black
                && name_of(Color::White) == Some(name)
                && game.accuracy(Color::White).is_some();
            player.games += usize::from(!is_counted);
            player.sides += 1;
            player.moves += losses.len();
            player.accuracies += accuracy;
            player.centipawns += losses.into_iter().map(u64::from).sum::<u64>();
            for (sum, counts) in player.by_phase.iter_mut().zip(game.counts_by_phase(color)) {
                *sum += counts;
            }
        }
    }

    /// The players, those with the most games first, then by name.
    pub fn players(&self) -> Vec<(&str, &PlayerTotals)> {
        let players = self.0.iter().map(|(name, totals)| (name.as_str(), totals));
        let mut players: Vec<(&str, &PlayerTotals)> = players.collect();
        players.sort_by_key(|(_, totals)| std::cmp::Reverse(totals.games));
        players
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::tests::game;

    #[test]
    fn the_games_of_a_player_are_added_up_whatever_the_color() {
        let tags = |white, black| format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 e5 *");
        let mut totals = Totals::default();
        // White loses 15 and 115 centipawns, Black 40 and none.
        totals.add(&game(&tags("Zoe", "Al"), &[15, 0, 40]));
        totals.add(&game(&tags("Al", "?"), &[15, -100, -100]));
        let players = totals.players();
        let names: Vec<&str> = players.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["Al", "Zoe"]);
        let al = players[0].1;
        assert_eq!((al.games, al.average_centipawn_loss()), (2, 78));
        // 51.38 to 40.90 %: a mistake.
        assert_eq!(al.counts().mistakes, 1);
        assert_eq!(al.by_phase[0].mistakes, 1);
        assert!((50.0..100.0).contains(&al.accuracy()), "{}", al.accuracy());
        // A program that plays itself has one game, and two sides of it.
        let mut totals = Totals::default();
        totals.add(&game(&tags("Al", "Al"), &[15, 0, 40]));
        let al = totals.players()[0].1;
        assert_eq!((al.games, al.moves), (1, 2));
        assert!((50.0..100.0).contains(&al.accuracy()), "{}", al.accuracy());
    }
}
