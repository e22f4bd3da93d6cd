//! What a search must know of a game, and nothing more.
//!
//! Two players move in turn, both see everything, and what is good for one is as bad for the other.
//! Whatever fulfils [`Game`] can be searched by [`crate::search`]. The algorithm stays the same; a
//! game brings its rules, its order of moves and its evaluation.

/// The worth of a position for the side to move, in the units of the game's own evaluation.
pub type Score = i32;

/// The score of a game that is won on the board. A win in `n` plies scores `WIN - n`, so that the
/// search prefers the quicker one.
pub const WIN: Score = 30_000;

/// How many plies below the root the search goes at most.
pub const MAX_PLY: usize = 128;

/// Scores from this one up are wins on the board; an evaluation stays below it.
pub const LONGEST_WIN: Score = WIN - MAX_PLY as Score;

/// Scores from this one down are losses on the board.
pub const LONGEST_LOSS: Score = -LONGEST_WIN;

/// The main search goes as deep as this; quiescence fills the rest.
pub const MAX_DEPTH: usize = MAX_PLY - 16;

/// The number of slots in the history table. See [`Game::history_slot`].
pub const HISTORY_SLOTS: usize = 1 << 14;

/// How a game has ended for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has won.
    Won,
    /// Nobody has won.
    Drawn,
    /// The side to move has lost.
    Lost,
}

impl Outcome {
    /// The score of a game that ended so, `ply` plies below the root.
    pub(crate) fn score(self, ply: usize) -> Score {
        match self {
            Outcome::Won => WIN - ply as Score,
            Outcome::Drawn => 0,
            Outcome::Lost => ply as Score - WIN,
        }
    }
}

/// A move with what the game knows of its promise.
#[derive(Clone, Copy, Debug)]
pub struct RankedMove<M> {
    /// The move.
    pub mv: M,
    /// Moves of higher rank are tried first.
    pub rank: i32,
    /// Whether the move captures or threatens to win at once. Such moves come before all others,
    /// and the search never reduces them.
    pub is_tactical: bool,
}

/// A game of two players with perfect information, as a position that moves change and restore.
pub trait Game {
    /// A move, small enough to be kept in the transposition table.
    type Move: Copy + Eq;

    /// How many plies of forcing moves follow each other in quiescence.
    const QUIESCENCE_PLIES: usize = 16;

    /// The result if the game is over. Games that end only when a player has no move say so by
    /// [`Game::result_without_moves`], which costs nothing at the other nodes.
    fn result(&self) -> Option<Outcome>;

    /// The result when the side to move has no legal move.
    fn result_without_moves(&self) -> Outcome;

    /// Adds the moves of the side to move. A move may be illegal if [`Game::make`] refuses it.
    fn moves(&self, moves: &mut Vec<RankedMove<Self::Move>>);

    /// Adds the moves that quiescence tries: those without which an evaluation makes no sense, such
    /// as captures.
    fn forcing_moves(&self, moves: &mut Vec<RankedMove<Self::Move>>);

    /// Whether the side to move must answer a threat at once, as a check is. Such a position isn't
    /// evaluated: all answers are searched.
    fn must_answer(&self) -> bool;

    /// Makes a move. An illegal one leaves the position as it is and returns `false`.
    fn make(&mut self, mv: Self::Move) -> bool;

    /// Takes the last move back, or the last pass.
    fn unmake(&mut self);

    /// Lets the side to move pass, for null move pruning. `false` if it can't.
    fn pass(&mut self) -> bool {
        false
    }

    /// The static evaluation for the side to move, between `-LONGEST_WIN` and [`LONGEST_WIN`].
    fn evaluate(&self) -> Score;

    /// The Zobrist key of the position, side to move included.
    fn key(&self) -> u64;

    /// Where the history table counts how good a move was: a number below [`HISTORY_SLOTS`] that
    /// stays the same for like moves of one side.
    fn history_slot(&self, mv: Self::Move) -> usize;
}

/// A pseudo-random number for Zobrist keys: the finalizer of SplitMix64 (Steele, Lea and Flood,
/// 2014) of a counter.
pub fn zobrist(index: u64) -> u64 {
    let mut x = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
