//! The choices of a player: in each position the moves to choose from, what they are like, and
//! which one was played.

use shakmaty::{Move, Position};

use super::games::PlayerGame;
use super::lines::{Found, LineFile, Place};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::style::{Features, Stage, sight};

/// A choice that a player made.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The number of the game in which it was made.
    pub game: usize,
    /// The stage of the game, by its place in [`Stage::NAMES`].
    pub stage: usize,
    /// The number of legal moves.
    pub legal: usize,
    /// The features of each candidate, the best first.
    pub candidates: Vec<Features>,
    /// The candidate that was played; `None` if it was another move.
    pub played: Option<usize>,
    /// What it lost, in centipawns; 0 for another move.
    pub loss: u32,
}

/// The choices at these places of the games, as far as the file knows them. What decides the game,
/// and what is forced, is no choice.
pub fn choices(games: &[(&PlayerGame, Vec<Place>)], lines: &LineFile) -> Vec<Choice> {
    let tables = sight();
    let mut choices = Vec::new();
    for (number, (game, places)) in games.iter().enumerate() {
        let mut played = Game::new(game.start.clone());
        let mut ply = 0;
        for place in places {
            for m in &game.moves[ply..place.ply] {
                played.play(*m);
            }
            ply = place.ply;
            let found = lines.found(place.key, played.position().chess());
            let m = game.moves[ply];
            choices.extend(found.and_then(|found| choice(number, &played, &found, m, &tables)));
        }
    }
    choices
}

/// The choice in the last position of a game with this number, where `m` was played.
fn choice(number: usize, game: &Game, found: &Found, m: Move, tables: &Tables) -> Option<Choice> {
    let position = game.position();
    let legal = position.legal_moves().len();
    let best = found.best.filter(|_| legal > 1)?;
    let mut candidates = found.candidates.iter();
    let played = candidates.position(|candidate| candidate.m() == m);
    let candidates = found.candidates.iter();
    let features = candidates.map(|c| Features::of(game, c, best, tables));
    Some(Choice {
        game: number,
        stage: Stage::of(position.board()),
        legal,
        candidates: features.collect(),
        played,
        loss: played.map_or(0, |place| found.candidates[place].loss as u32),
    })
}
