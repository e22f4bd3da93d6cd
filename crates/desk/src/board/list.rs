//! The games that were opened or worked on, of which one at a time is on the board.

use std::cell::OnceCell;
use std::collections::HashSet;

use shakmaty::Color;

use crate::analysis::AnalyzedGame;
use crate::pgn::{GameRecord, writer};

/// The event of the games that are played here, by which they are known again.
pub(super) const EVENT: &str = "Squarewise in the browser";

/// The name of the person in them.
pub(super) const PERSON: &str = "You";

/// When a game began that was played here, by its tags; `None` of any other.
pub(super) fn time_of_play(game: &GameRecord) -> Option<(&str, &str)> {
    game.known_tag("Event").filter(|event| *event == EVENT)?;
    Some((game.known_tag("UTCDate")?, game.known_tag("UTCTime")?))
}

/// The side of the person in a game that was played here, by its tags.
pub(super) fn own_side(game: &GameRecord) -> Option<Color> {
    time_of_play(game)?;
    let is_person = |side: &Color| {
        let name = game.known_tag(side.fold_wb("White", "Black"));
        name == Some(PERSON)
    };
    Color::ALL.into_iter().find(is_person)
}

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
    /// The review that it had on the board.
    review: Option<AnalyzedGame>,
}

impl Listed {
    fn new(game: GameRecord, is_own: bool) -> Listed {
        Listed {
            game,
            is_own,
            review: None,
        }
    }
}

impl GameList {
    /// Games of a file.
    pub(super) fn new(games: Vec<GameRecord>) -> GameList {
        let of_file = |game| Listed::new(game, false);
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
        self.games.push(Listed::new(game, true));
        self.text.take();
    }

    /// Puts a game as it was changed on the board in place of the one with this index, if there is
    /// such a game.
    pub(super) fn replace(&mut self, index: usize, game: GameRecord) {
        if let Some(old) = self.games.get_mut(index) {
            *old = Listed::new(game, true);
            self.text.take();
        }
    }

    /// Keeps the review of the game with this index until it is on the board again.
    pub(super) fn keep_review(&mut self, index: usize, review: AnalyzedGame) {
        if let Some(listed) = self.games.get_mut(index) {
            listed.review = Some(review);
        }
    }

    /// The review that was kept of the game with this index.
    pub(super) fn take_review(&mut self, index: usize) -> Option<AnalyzedGame> {
        self.games.get_mut(index)?.review.take()
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

/// Leaves out of the own games those that are among others. One that was played here takes the
/// place of the form in which it stands there; returns the indices of these.
pub(super) fn merge(own: &mut Vec<GameRecord>, others: &mut [GameRecord]) -> Vec<usize> {
    if own.is_empty() {
        return Vec::new();
    }
    let texts: HashSet<Option<String>> = others.iter().map(|game| pgn(game).ok()).collect();
    let mut changed = Vec::new();
    own.retain(|game| {
        let began = time_of_play(game);
        let is_same = |other: &GameRecord| began.is_some() && time_of_play(other) == began;
        if texts.contains(&pgn(game).ok()) {
            return false;
        }
        let Some(place) = others.iter().position(is_same) else {
            return true;
        };
        others[place].clone_from(game);
        changed.push(place);
        false
    });
    changed
}

/// A game in PGN.
pub(super) fn pgn(game: &GameRecord) -> Result<String, String> {
    let mut text = Vec::new();
    writer::write(game, &mut text).map_err(|error| error.to_string())?;
    String::from_utf8(text).map_err(|error| error.to_string())
}
