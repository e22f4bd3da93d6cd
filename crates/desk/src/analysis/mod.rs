//! Analysis of whole games: what each move was worth.
//!
//! Every position of a game is searched. A move is judged by how much of its player's winning
//! chances it gave away. `docs/analysis.md` has the thresholds, the formula of the accuracy, and
//! their sources.
//!
//! [`analyzer`] searches a game, [`batch`] many of them at a time, by an [`ordered_pool`].
//! [`review`] judges the moves, [`slide`] finds losses that are spread over several, [`totals`]
//! adds up the games of each player, and [`annotate`](mod@annotate) writes the findings into a
//! game.

mod accuracy;
pub mod analyzer;
pub mod annotate;
pub mod batch;
pub mod ordered_pool;
pub mod phase;
pub mod review;
pub mod slide;
pub mod totals;

use shakmaty::Move;

use crate::openings::Opening;
use crate::pgn::GameRecord;
use squarewise_engine::score::Score;

pub use annotate::annotate;
pub use phase::Phase;
pub use review::Counts;
pub use slide::Slide;
pub use totals::Totals;

/// A game with the search results of all its positions.
#[derive(Clone, Debug)]
pub struct AnalyzedGame {
    /// The game as it was recorded.
    pub record: GameRecord,
    /// The name of its opening.
    pub opening: Option<Opening>,
    /// One for each position of the game, the first and the last included: one more than there are
    /// moves.
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

/// What a move of a game gave away.
#[derive(Clone, Copy, Debug)]
pub struct MoveReview {
    /// The points of the player's winning percentage that the move lost, 0 to 100. The best move of
    /// the search and the only legal move lose none.
    pub loss: f64,
    /// The centipawns that the move lost, where scores beyond 1,000 and mates count as 1,000. The
    /// only legal move loses none.
    pub centipawn_loss: u32,
    /// The judgement, if the move is worth one.
    pub judgement: Option<Judgement>,
    /// The accuracy of the move in per cent, 0 to 100.
    pub accuracy: f64,
}

impl MoveReview {
    /// The review of the only legal move, and of a null move, which nobody played.
    const LOSES_NOTHING: MoveReview = MoveReview {
        loss: 0.0,
        centipawn_loss: 0,
        judgement: None,
        accuracy: 100.0,
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::Games;
    use shakmaty::Position;

    /// A game whose positions have these centipawns from White's point of view, and in which
    /// another move than the played one was best.
    pub(super) fn game(pgn: &str, centipawns: &[i32]) -> AnalyzedGame {
        let game = Games::new(pgn.as_bytes()).next().expect("a game");
        let record = game.expect("text").record.expect("legal moves");
        let mut position = record.start.clone();
        let mut positions = Vec::new();
        for (ply, centipawns) in centipawns.iter().enumerate() {
            let played = record.plies.get(ply).and_then(|ply| ply.m);
            let other = |m: &Move| Some(*m) != played;
            let best = position.legal_moves().into_iter().find(other).or(played);
            let score = Score::centipawns(*centipawns);
            let line = |m| AnalyzedLine {
                score,
                depth: 1,
                moves: vec![m],
            };
            positions.push(AnalyzedPosition {
                lines: best.map(line).into_iter().collect(),
                score,
                white_points: 500,
            });
            if let Some(ply) = record.plies.get(ply) {
                ply.play(&mut position);
            }
        }
        AnalyzedGame {
            record,
            opening: None,
            positions,
        }
    }
}
