//! The games that were opened or worked on, of which one at a time is on the board.

use std::cell::OnceCell;

use crate::pgn::{GameRecord, writer};

/// Games with what was changed in them on the board.
#[derive(Default)]
pub(super) struct GameList {
    games: Vec<GameRecord>,
    /// All of them in PGN, once they were kept: most lists never change.
    text: OnceCell<String>,
}

impl GameList {
    pub(super) fn new(games: Vec<GameRecord>) -> GameList {
        GameList {
            games,
            text: OnceCell::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &GameRecord> {
        self.games.iter()
    }

    pub(super) fn get(&self, index: usize) -> Option<&GameRecord> {
        self.games.get(index)
    }

    /// Adds a game at the end.
    pub(super) fn push(&mut self, game: GameRecord) {
        self.games.push(game);
        self.text.take();
    }

    /// Puts a game in place of the one with this index, if there is such a game.
    pub(super) fn replace(&mut self, index: usize, game: GameRecord) {
        if let Some(old) = self.games.get_mut(index) {
            *old = game;
            self.text.take();
        }
    }

    /// All games in PGN.
    pub(super) fn pgn(&self) -> &str {
        self.text.get_or_init(|| {
            let texts = self.games.iter().map(|game| pgn(game).unwrap_or_default());
            texts.collect()
        })
    }
}

/// A game in PGN.
pub(super) fn pgn(game: &GameRecord) -> Result<String, String> {
    let mut text = Vec::new();
    writer::write(game, &mut text).map_err(|error| error.to_string())?;
    String::from_utf8(text).map_err(|error| error.to_string())
}
