//! Why a position is evaluated as it is: first what a coach says, in chess words, then the sum
//! taken apart.
//!
//! [`advice`] asks the search about the position, about another move and about what each side
//! threatens, and says in three sentences what decides. The evaluation is a sum of table values, so
//! below the sentences it can be shown in full: what each piece adds on its square and what each
//! move of a line changes. The numbers are centipawns from White's point of view.

mod attack_words;
mod best_move;
mod coach;
mod comparison;
mod drawish_words;
mod ending_words;
mod exchanges;
mod force;
mod line_tactics;
mod lines;
mod material;
mod mates;
mod page;
mod pawn_endings;
mod picture;
mod piece_traits;
mod refutation;
mod steps;
mod strategy;
mod tactics;
mod threat;
mod words;

pub use attack_words::largest_attacks;
pub use coach::{Advice, advice};
pub use ending_words::ending_parts;
pub(crate) use lines::with_the_way_back;
pub use page::Page;
pub use steps::{Step, steps};
pub use strategy::in_general;
pub use words::game_over;
pub(crate) use words::joined;

use shakmaty::{Color, Move};

use squarewise_engine::position::game::Game;
use squarewise_engine::score::Score;
use squarewise_engine::search::SearchResult;

/// A line and what a search says about it.
#[derive(Clone, Debug)]
pub struct ScoredLine {
    /// The score, from the point of view of the side to move.
    pub score: Score,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The moves; at least one.
    pub moves: Vec<Move>,
    /// Whether the endgame tablebases know the position.
    pub is_in_tablebases: bool,
}

/// How much a search may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// As much as was asked for: the best move, and the move to compare it with.
    Full,
    /// A part of it: questions on the side, such as what the other side threatens.
    Aside,
}

/// A search of a position, restricted to these root moves unless there are none. `None` if it was
/// interrupted.
pub type Search<'a> = dyn FnMut(&Game, &[Move], Effort) -> Option<ScoredLine> + 'a;

impl ScoredLine {
    /// The score for White, given the side to move.
    fn for_white(&self, turn: Color) -> Score {
        turn.fold_wb(self.score, -self.score)
    }
}

impl From<&SearchResult> for ScoredLine {
    fn from(result: &SearchResult) -> ScoredLine {
        ScoredLine {
            score: result.score(),
            depth: result.info.depth,
            moves: result.info.pv.clone(),
            is_in_tablebases: result.info.is_in_tablebases,
        }
    }
}

#[cfg(test)]
mod tests;
