//! The engine as an opponent: what it plays by, at which level, and in whose style.

use std::sync::Arc;

use super::command::GameWish;
use super::list::PERSON;
use crate::play::own_engine::{OwnEngine, OwnEngineSetup};
use crate::play::player::Player;
use squarewise_engine::book::Book;
use squarewise_engine::search::strength::ELO_RANGE;
use squarewise_engine::style::Style;

/// The transposition table of the engine, in MiB.
const HASH_MEGABYTES: usize = 32;

/// What the engine as a player plays by.
#[derive(Clone, Debug, Default)]
pub struct Opponent {
    /// Its opening book.
    pub book: Option<Arc<Book>>,
    /// The styles of players in which a person can let it play.
    pub styles: Vec<Arc<Style>>,
    /// Whether the page proposes the first of them, and not the engine's own way to play.
    pub is_styled: bool,
}

impl Opponent {
    /// The style of the player with this name.
    pub(super) fn style(&self, name: &str) -> Result<&Arc<Style>, String> {
        let found = self.styles.iter().find(|style| style.name == name);
        found.ok_or_else(|| format!("there is no style of {name:?} here"))
    }

    /// A player of a game: the person, or the engine as the person wishes it.
    ///
    /// # Errors
    ///
    /// In words, if there is no such level, or no room for the engine.
    pub(super) fn player(
        &self,
        wish: &GameWish,
        style: Option<&Arc<Style>>,
        is_person: bool,
    ) -> Result<Player, String> {
        if is_person {
            return Ok(Player::Person(PERSON.to_owned()));
        }
        if wish.elo.is_some_and(|elo| !ELO_RANGE.contains(&elo)) {
            let (low, high) = (ELO_RANGE.start(), ELO_RANGE.end());
            return Err(format!("levels go from {low} to {high}"));
        }
        let engine = OwnEngine::start(OwnEngineSetup {
            hash_megabytes: HASH_MEGABYTES,
            threads: 1,
            elo: wish.elo,
            book: self.book.clone(),
            style: style.cloned(),
        });
        let engine = engine.map_err(|error| error.to_string())?;
        Ok(Player::Engine(Box::new(engine)))
    }
}
