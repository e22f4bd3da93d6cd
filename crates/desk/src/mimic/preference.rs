//! Explains a choice: what a player of a style would play in a position, and why one of several
//! nearly equal moves more often than another.

use crate::notation::san_plus;

use squarewise_engine::book::total_weight;
use squarewise_engine::position::game::Game;
use squarewise_engine::style::{Candidate, Features, Lines, Style, is_about_square, sight};

/// A move that the player may choose.
#[derive(Clone, Debug, PartialEq)]
pub struct Preference {
    /// The move, and what it loses.
    pub candidate: Candidate,
    /// The chance that it is chosen, 0 to 1.
    pub chance: f64,
    /// How much more than the best move the player's tables like it than those of people in
    /// general, in centipawns.
    pub by_tables: f64,
    /// The same of what the move is like.
    pub by_traits: f64,
}

/// The moves that a player may choose, the likeliest first: none where the game is decided.
pub fn preferences(game: &Game, lines: &Lines, style: &Style, people: &Style) -> Vec<Preference> {
    let candidates = lines.candidates();
    let best = lines.best_score().unwrap_or_default();
    let chances = style.probabilities(game, &candidates, best);
    let differences = style.weights.iter().zip(&people.weights);
    let differences: Vec<f32> = differences.map(|(own, others)| own - others).collect();
    let part = |of_squares: bool| -> Vec<f32> {
        let places = differences.iter().enumerate();
        let kept = places.map(|(place, difference)| {
            if is_about_square(place) == of_squares {
                *difference
            } else {
                0.0
            }
        });
        kept.collect()
    };
    let (tables, traits) = (part(true), part(false));
    let of_one = f64::from(style.weight_of_a_centipawn());
    let sight = sight();
    let features = candidates.iter();
    let features: Vec<Features> = features
        .map(|candidate| Features::of(game, candidate, best, &sight))
        .collect();
    let beyond_best = |place: usize, weights: &[f32]| {
        (features[place].weigh(weights) - features[0].weigh(weights)) / of_one
    };
    let preference = |(place, candidate): (usize, Candidate)| Preference {
        candidate,
        chance: chances[place],
        by_tables: beyond_best(place, &tables),
        by_traits: beyond_best(place, &traits),
    };
    let mut preferences: Vec<Preference> =
        candidates.into_iter().enumerate().map(preference).collect();
    preferences.sort_by(|a, b| b.chance.total_cmp(&a.chance));
    preferences
}

/// What the player opens with here, in words, line by line; nothing where the player's book ends. A
/// player with a style plays by the book first, and chooses only behind it.
pub fn openings(game: &Game, style: &Style) -> Vec<String> {
    let moves = style.book.as_ref().map(|book| book.moves_in_game(game));
    let moves = moves.unwrap_or_default();
    if moves.is_empty() {
        return Vec::new();
    }
    let all = total_weight(&moves) as f64;
    let mut told = vec![format!(
        "{} would play an opening from the book:",
        style.name
    )];
    told.extend(moves.iter().map(|book_move| {
        let san = san_plus(game.position(), book_move.m).to_string();
        format!(
            "  {san:7} {:3.0} %",
            100.0 * f64::from(book_move.weight) / all
        )
    }));
    told
}

/// The preferences in words, line by line.
pub fn lines(game: &Game, lines: &Lines, style: &Style, people: &Style) -> Vec<String> {
    let name = &style.name;
    let preferences = preferences(game, lines, style, people);
    if preferences.is_empty() {
        return vec![format!(
            "{name} would play the best move: the game is decided."
        )];
    }
    let mut told = vec![format!("{name} would choose among moves that lose little:")];
    told.extend(preferences.iter().map(|preference| {
        let Preference {
            candidate,
            chance,
            by_tables,
            by_traits,
        } = preference;
        let san = san_plus(game.position(), candidate.m()).to_string();
        let why = if candidate.is_best {
            "the best move".to_owned()
        } else {
            format!(
                "loses {}; {name}'s tables prefer it by {by_tables:+.0}, the kind of move by \
                 {by_traits:+.0}",
                candidate.loss
            )
        };
        format!("  {san:7} {:3.0} %  {why}", 100.0 * chance)
    }));
    told
}
