//! Playing like a certain player: a style, fitted to the games of one person, and the choice among
//! nearly equal moves by it.
//!
//! A style has three layers. The book says what the player opens with. The weights say which of
//! several nearly equal lines the player prefers, by what each loses and what it is like
//! ([`traits`]). Some of these weights belong to pieces on squares, so they are differences to the
//! tables of the evaluation. A choice never loses more than [`MAX_LOSS`] by the search that it is
//! made from, and where the game is decided the best move is played.
//!
//! `squarewise mimic fit` writes style files ([`mod@file`]).

pub mod candidates;
mod features;
pub mod file;
mod pace;
mod stage;
mod tally;
pub mod traits;

use candidates::search_options;
pub use candidates::{Candidate, LINES, Lines, MAX_LOSS};
pub use features::Features;
pub use pace::Pace;
pub use stage::Stage;
pub use tally::{Seen, Tally};
use traits::FIRST_SQUARE;
pub use traits::{FEATURES, PER_PHASE, Quality, Trait, is_about_square};

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::Move;

use crate::book::Book;
use crate::evaluation::features::{Family, Layout};
use crate::evaluation::king_buckets::KingBuckets;
use crate::evaluation::tapered_score::{PackedScore, UNITS};
use crate::evaluation::{TableSet, Tables};
use crate::position::game::Game;
use crate::position::rules::Variant;
use crate::search::{Progress, SearchInfo, SearchRequest, SearchResult, Searcher};

/// The style of a player.
#[derive(Clone, Debug)]
pub struct Style {
    /// The name of the player.
    pub name: String,
    /// From what and how it was fitted, for people to read.
    pub provenance: String,
    /// The date of the latest game that it was fitted to, such as `1960.05.07`; empty if no game
    /// had one.
    pub until: String,
    /// The number of games.
    pub games: u32,
    /// What the player opens with: a win counts three times, a draw twice, a loss once.
    pub book: Option<Book>,
    /// What each feature weighs in the choice, by its index: [`FEATURES`] of them.
    pub weights: Vec<f32>,
    /// The standard error of each weight.
    pub errors: Vec<f32>,
    /// How often the player errs, in each of the [`Stage::NAMES`].
    pub stages: [Stage; 3],
    /// How long the player thinks, in each of the stages: known if the games have clocks.
    pub paces: [Pace; 3],
    /// What was seen in the games, by which the player can be named.
    pub seen: Tally,
}

impl Style {
    /// The probability of each candidate of the last position of a game, if one of them is played.
    pub fn probabilities(&self, game: &Game, candidates: &[Candidate], best: i32) -> Vec<f64> {
        let tables = sight();
        let features = candidates.iter().map(|candidate| {
            let features = Features::of(game, candidate, best, &tables);
            features.weigh(&self.weights)
        });
        softmax(&features.collect::<Vec<f64>>())
    }

    /// The level of play that errs as often as the player, as an Elo rating: 500 to 3,000, by
    /// steps of 50.
    pub fn level(&self) -> u32 {
        stage::level(&self.stages)
    }

    /// What this player's tables say that the other's don't: pieces on squares alone, as far as the
    /// choices tell.
    pub fn tables_beyond(&self, other: &Style) -> Tables {
        let layout = Layout::new(KingBuckets::PLAIN);
        let mut scores = vec![PackedScore::default(); layout.length()];
        let of_one = UNITS as f32 / self.weight_of_a_centipawn();
        let units = |place: usize| ((self.weights[place] - other.weights[place]) * of_one) as i16;
        for (index, score) in scores[layout.range(Family::PieceSquare)]
            .iter_mut()
            .enumerate()
        {
            *score = PackedScore {
                middlegame: units(FIRST_SQUARE + index),
                endgame: units(PER_PHASE + FIRST_SQUARE + index),
            };
        }
        Tables::from_scores(layout, scores, 0)
    }

    /// What a centipawn of the search's score weighs in a choice: a weight divided by this is in
    /// centipawns.
    pub fn weight_of_a_centipawn(&self) -> f32 {
        let of_first_ten = self.weights[Quality::FirstLoss.place()];
        let of_next_twenty = self.weights[Quality::FurtherLoss.place()];
        (-(of_first_ten + of_next_twenty) / 30.0).max(0.001)
    }
}

/// The tables by which the gain of a move at first sight is told: the same for every style and
/// every set of tables to play with.
pub fn sight() -> Arc<Tables> {
    TableSet::Learned.tables()
}

/// The probabilities that belong to logits.
pub fn softmax(logits: &[f64]) -> Vec<f64> {
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = logits.iter().map(|logit| (logit - highest).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// Searches as a player with a style does, or without one as [`Searcher::search`] does.
pub fn search(
    player: Option<&StyledPlayer>,
    searcher: &mut Searcher,
    game: &Game,
    request: SearchRequest,
    on_progress: &mut dyn FnMut(Progress),
) -> SearchResult {
    match player {
        Some(player) => player.search(searcher, game, request, on_progress),
        None => searcher.search(game, request, on_progress),
    }
}

/// The lines of a search for candidates.
pub fn search_lines(searcher: &mut Searcher, game: &Game, mut request: SearchRequest) -> Lines {
    request.options = search_options(&request.options);
    let mut lines = Lines::default();
    searcher.search(game, request, &mut |progress| lines.note(&progress));
    lines
}

/// A player with a style, for one search.
#[derive(Clone, Debug)]
pub struct StyledPlayer {
    /// The style.
    pub style: Arc<Style>,
    /// Decides which move is drawn.
    pub seed: u64,
}

impl StyledPlayer {
    /// Searches as [`Searcher::search`] does, and draws one of the nearly equal moves, each with
    /// its probability by the style. In other variants than chess the best move is played. Only as
    /// many lines are reported as the request asks for. The result has the last exact score of the
    /// move that is played, and the effort of the whole search.
    pub fn search(
        &self,
        searcher: &mut Searcher,
        game: &Game,
        mut request: SearchRequest,
        on_progress: &mut dyn FnMut(Progress),
    ) -> SearchResult {
        if game.position().variant() != Variant::Chess {
            return searcher.search(game, request, on_progress);
        }
        let shown = request.options.multi_pv;
        request.options = search_options(&request.options);
        let mut lines = Lines::default();
        let mut result = searcher.search(game, request, &mut |progress| {
            lines.note(&progress);
            let is_shown = |info: &SearchInfo| info.multipv <= shown;
            if !matches!(&progress, Progress::Info(info) if !is_shown(info)) {
                on_progress(progress);
            }
        });
        let chosen = self.choice(game, &lines);
        let other = chosen.filter(|m| result.best_move() != Some(*m));
        if let Some(info) = other.and_then(|m| lines.exact_info(m)) {
            let of_search = &result.info;
            result.info = SearchInfo {
                // In its place among the lines that are shown, or in that of the last.
                multipv: info.multipv.min(shown),
                nodes: of_search.nodes,
                hashfull: of_search.hashfull,
                tablebase_hits: of_search.tablebase_hits,
                time: of_search.time,
                ..info.clone()
            };
        }
        result
    }

    /// The move to play from these lines; `None` if there is nothing to choose.
    pub fn choice(&self, game: &Game, lines: &Lines) -> Option<Move> {
        let candidates = lines.candidates();
        let best = lines.best_score()?;
        let probabilities = self.style.probabilities(game, &candidates, best);
        let mut rest = unit_interval(&mut ChaCha8Rng::seed_from_u64(self.seed));
        let drawn = probabilities.iter().position(|probability| {
            rest -= probability;
            rest < 0.0
        });
        let drawn = drawn.unwrap_or(candidates.len() - 1);
        Some(candidates[drawn].m())
    }
}

/// A random number from 0 to less than 1.
pub fn unit_interval(random: &mut ChaCha8Rng) -> f64 {
    // 53 bits, as many as the significand of an `f64` holds.
    (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}

#[cfg(test)]
mod tests;
