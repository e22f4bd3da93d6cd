//! Analysis of whole games: what each move was worth.
//!
//! Every position of a game is searched. A move is judged by how much of its player's chance to win it gave away,
//! compared with the best move. `docs/analysis.md` has the thresholds, the formula of the accuracy, and their sources.
//!
//! [`analyzer`] searches a game, [`batch`] many of them at a time. [`review`] judges the moves, and [`annotate`](mod@annotate)
//! writes the findings into the game.

mod accuracy;
pub mod analyzer;
pub mod annotate;
pub mod batch;
pub mod review;

use shakmaty::Move;

use crate::openings::Opening;
use crate::pgn::GameRecord;
use squarewise_engine::score::Score;

pub use annotate::annotate;
pub use review::Counts;

/// A game with the search results of all its positions.
#[derive(Clone, Debug)]
pub struct AnalyzedGame {
    /// The game as it was recorded.
    pub record: GameRecord,
    /// The name of its opening.
    pub opening: Option<Opening>,
    /// One for each position of the game, the first and the last included: one more than there are moves.
    pub positions: Vec<AnalyzedPosition>,
}

/// What a search found in a position.
#[derive(Clone, Debug)]
pub struct AnalyzedPosition {
    /// The best lines, best first (MultiPV). Empty if the game is over by the rules.
    pub lines: Vec<AnalyzedLine>,
    /// The score of the best line, or of the result, from White's point of view.
    pub score: Score,
    /// The expected points of White in a thousand games, 0 to 1,000: wins count one, draws a half.
    pub white_points: u32,
}

/// A line of play that a search found.
#[derive(Clone, Debug)]
pub struct AnalyzedLine {
    /// The score from White's point of view.
    pub score: Score,
    /// The depth in plies.
    pub depth: u32,
    /// The moves, best first; at least one.
    pub moves: Vec<Move>,
}

/// How bad a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

/// A move of a game beside the best one.
#[derive(Clone, Copy, Debug)]
pub struct MoveReview {
    /// The expected points that the move gave away, 0 to 1,000.
    pub loss: u32,
    /// The judgement, if the move is worth one.
    pub judgement: Option<Judgement>,
    /// The accuracy of the move in per cent, 0 to 100.
    pub accuracy: f64,
}
