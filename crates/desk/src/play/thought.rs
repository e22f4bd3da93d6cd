//! What an engine says about a position while it thinks.

use shakmaty::Color;

use squarewise_engine::score::Score;

/// What an engine thinks of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The score from the point of view of the engine.
    pub score: Score,
    /// The depth of its search in plies; 0 for a move from a book.
    pub depth: u32,
}

impl Thought {
    /// The score from White's point of view, if the engine plays this side.
    pub fn white_score(self, side: Color) -> Score {
        side.fold_wb(self.score, -self.score)
    }
}
