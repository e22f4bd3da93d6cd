//! The games that were opened or worked on, of which one at a time is on the board.

use std::cell::OnceCell;

use crate::pgn::{GameRecord, writer};

/// Games with what was changed in them on the board.
#[derive(Default)]
pub(super) struct GameList {
    games: Vec<Listed>,
    /// All of them in PGN, once they were kept: most lists never change.
    text: OnceCell<String>,
}

struct Listed {
    game: GameRecord,
    /// Whether it was made or changed on the board, so that it is in no file.
    is_own: bool,
}

impl GameList {
    /// Games of a file.
    pub(super) fn new(games: Vec<GameRecord>) -> GameList {
        let of_file = |game| Listed {
            game,
            is_own: false,
        };
        GameList {
            games: games.into_iter().map(of_file).collect(),
            text: OnceCell::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &GameRecord> {
        self.games.iter().map(|listed| &listed.game)
    }

    pub(super) fn get(&self, index: usize) -> Option<&GameRecord> {
        self.games.get(index).map(|listed| &listed.game)
    }

    /// Adds a game that was made on the board at the end.
    pub(super) fn push(&mut self, game: GameRecord) {
        self.games.push(Listed { game, is_own: true });
        self.text.take();
    }

    /// Puts a game as it was changed on the board in place of the one with this index, if there is
    /// such a game.
    pub(super) fn replace(&mut self, index: usize, game: GameRecord) {
        if let Some(old) = self.games.get_mut(index) {
            *old = Listed { game, is_own: true };
            self.text.take();
        }
    }

    /// The indices of the games that were made or changed on the board.
    pub(super) fn own(&self) -> impl Iterator<Item = usize> {
        let games = self.games.iter().enumerate();
        games.filter_map(|(index, listed)| listed.is_own.then_some(index))
    }

    /// Notes that the game with this index, if there is one, was made or changed on the board.
    pub(super) fn note_own(&mut self, index: usize) {
        if let Some(listed) = self.games.get_mut(index) {
            listed.is_own = true;
        }
    }

    /// All games in PGN.
    pub(super) fn pgn(&self) -> &str {
        self.text.get_or_init(|| {
            let texts = self.iter().map(|game| pgn(game).unwrap_or_default());
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
