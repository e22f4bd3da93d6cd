//! Fits a style: from games to the file.

use std::io;

use super::choices::{Choice, choices};
use super::descent::{self, Prior};
use super::games::PlayerGame;
use super::lines::{LineFile, Place, places};
use super::naming::tally;
use super::openings::book_of;
use super::paces::paces;
use squarewise_engine::search::stop::StopToken;
use squarewise_engine::style::{FEATURES, Stage, Style, Tally};

/// The games of a player, or of several, each with the positions that are searched.
pub type Searched<'a> = Vec<(&'a PlayerGame, Vec<Place>)>;

/// About `wanted` positions of these games, spread over all of them. Which ones depends on the
/// positions alone, so that those of a smaller number are among those of a larger one.
pub fn sample(games: &[PlayerGame], wanted: usize) -> Searched<'_> {
    let all: Searched<'_> = games.iter().map(|game| (game, places(game))).collect();
    let count: usize = all.iter().map(|(_, places)| places.len()).sum();
    let share = (wanted as f64 / count.max(1) as f64).min(1.0);
    let limit = (share * u64::MAX as f64) as u64;
    let chosen = all.into_iter().map(|(game, mut places)| {
        // The last bits of a key are as good as random; its first ones less so.
        places.retain(|place| place.key.reverse_bits() <= limit);
        (game, places)
    });
    chosen.collect()
}

/// What a style is fitted to, besides the choices.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The name of the player.
    pub name: String,
    /// Where the games come from, and how they were searched.
    pub provenance: String,
}

/// Fits a style to the choices in games that the book is taken from. It is pulled towards `people`,
/// or without them towards the engine.
pub fn style(
    origin: Origin,
    games: &[PlayerGame],
    choices: &[Choice],
    people: Option<&Style>,
) -> Style {
    let none = vec![0.0; FEATURES];
    let (base, prior) = match people {
        Some(people) => (&people.weights, Prior::PLAYER),
        None => (&none, Prior::PEOPLE),
    };
    let fitted = descent::fit(choices, base, prior);
    let dates = games.iter().map(|game| game.date.as_str());
    Style {
        name: origin.name,
        provenance: origin.provenance,
        until: dates.max().unwrap_or_default().to_owned(),
        games: games.len() as u32,
        book: people.and_then(|_| book_of(games)),
        weights: fitted.weights,
        errors: fitted.errors,
        stages: stages(choices),
        paces: paces(games.iter().flat_map(|game| &game.timed_moves)),
        seen: people.map_or_else(Tally::default, |_| tally(games)),
    }
}

/// Searches what is not known yet, and returns the choices.
///
/// # Errors
///
/// Those of [`LineFile::search`], and if `stop` was raised.
pub fn searched_choices(
    searched: &Searched<'_>,
    lines: &mut LineFile,
    threads: usize,
    stop: &StopToken,
    on_game: &mut dyn FnMut(usize),
) -> io::Result<Vec<Choice>> {
    lines.search(searched, threads, stop, on_game)?;
    if stop.is_requested() {
        let reason = "interrupted; the same command goes on from here";
        return Err(io::Error::new(io::ErrorKind::Interrupted, reason));
    }
    Ok(choices(searched, lines))
}

/// How often the player errs in each stage.
fn stages(choices: &[Choice]) -> [Stage; 3] {
    let mut stages = [Stage::default(); 3];
    for choice in choices {
        let stage = &mut stages[choice.stage];
        stage.moves += 1;
        stage.errors += u32::from(choice.played.is_none());
        stage.loss += choice.loss;
    }
    stages
}
