//! What a position is worth to the side to move.
//!
//! A score is either an evaluation in centipawns or the distance to a mate. Both live on one integer
//! scale, so that the search compares them without asking which is which: every mate is further out than
//! every evaluation, and a quicker mate further out than a slower one. Only this file knows the numbers.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The deepest ply that a search reaches, counted from its root. Also the most plies in a mate score.
pub const MAX_PLY: usize = 127;

/// Delivering mate on the spot; a mate in `n` plies is worth `n` less.
const MATE: i32 = 32_000;

/// The worst score that still is a mate for the side to move.
const MATE_LIMIT: i32 = MATE - MAX_PLY as i32;

/// Evaluations are held this far inside the mates, in centipawns.
const EVALUATION_LIMIT: i32 = 30_000;

/// A score from the view of the side to move: centipawns, or a distance to mate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// A drawn game.
    pub const DRAW: Score = Score(0);

    /// Being mated on the board as it stands: no position is worth less.
    pub const LOWEST: Score = Score(-MATE);

    /// The mirror image of [`Score::LOWEST`]: no position is worth more.
    pub const HIGHEST: Score = Score(MATE);

    /// An evaluation in centipawns, clamped to what can't be mistaken for a mate (30,000 either way).
    pub fn centipawns(value: i32) -> Score {
        Score(value.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT))
    }

    /// The side to move is mated `ply` plies from the root.
    pub fn mated_in(ply: usize) -> Score {
        debug_assert!(
            ply <= MAX_PLY,
            "a mate at ply {ply} is deeper than any search"
        );
        Score(-MATE + ply as i32)
    }

    /// The side to move gives mate with the move that leads to `ply` plies from the root.
    pub fn mate_in(ply: usize) -> Score {
        -Score::mated_in(ply)
    }

    /// Whether this is a forced mate, for either side.
    pub fn is_mate(self) -> bool {
        self.0.abs() >= MATE_LIMIT
    }

    /// Moves until mate from the root, positive when the side to move gives it and negative when it
    /// receives it; `None` for an evaluation. Mated already is `Some(0)`.
    pub fn mate_moves(self) -> Option<i32> {
        let plies = MATE - self.0.abs();
        self.is_mate().then(|| {
            if self.0 > 0 {
                (plies + 1) / 2
            } else {
                -plies / 2
            }
        })
    }

    /// The raw value: centipawns for an evaluation.
    pub fn value(self) -> i32 {
        self.0
    }

    /// The smallest step up.
    pub fn next_up(self) -> Score {
        Score(self.0 + 1)
    }

    /// The smallest step down.
    pub fn next_down(self) -> Score {
        Score(self.0 - 1)
    }

    /// This score, found `ply` plies from the root, as it reads from the node itself: mates count from
    /// there. The transposition table keeps scores so, because a position is reached at many plies.
    pub fn seen_from_node(self, ply: usize) -> Score {
        if !self.is_mate() {
            return self;
        }
        Score(self.0 + self.0.signum() * ply as i32)
    }

    /// The inverse of [`Score::seen_from_node`]: mates count from the root again. A mate that would lie
    /// deeper than [`MAX_PLY`] is held at that ply, so that it stays a mate.
    pub fn seen_from_root(self, ply: usize) -> Score {
        if !self.is_mate() {
            return self;
        }
        let shifted = self.0 - self.0.signum() * ply as i32;
        Score(shifted.signum() * shifted.abs().max(MATE_LIMIT))
    }

    /// The score in sixteen bits, for storage.
    pub fn to_bits(self) -> u16 {
        debug_assert!(
            self.0.abs() <= i32::from(i16::MAX),
            "{self:?} is off the scale"
        );
        self.0 as i16 as u16
    }

    /// The inverse of [`Score::to_bits`].
    pub fn from_bits(bits: u16) -> Score {
        Score(i32::from(bits as i16))
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Adds a margin in centipawns.
impl Add<i32> for Score {
    type Output = Score;

    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

/// Takes a margin in centipawns off.
impl Sub<i32> for Score {
    type Output = Score;

    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

/// The distance of two scores, in centipawns where both are evaluations.
impl Sub for Score {
    type Output = i32;

    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// `cp 31` or `mate -4`: the words that chess programs use among themselves.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_winner_or_the_loser() {
        assert_eq!(Score::mate_in(1).to_string(), "mate 1");
        assert_eq!(Score::mate_in(2).to_string(), "mate 1");
        assert_eq!(Score::mate_in(3).to_string(), "mate 2");
        assert_eq!(Score::mated_in(0).to_string(), "mate 0");
        assert_eq!(Score::mated_in(2).to_string(), "mate -1");
        assert_eq!(Score::mated_in(4).to_string(), "mate -2");
        assert_eq!(Score::centipawns(31).to_string(), "cp 31");
        assert_eq!(Score::centipawns(-7).to_string(), "cp -7");
    }

    #[test]
    fn every_mate_lies_beyond_every_evaluation() {
        assert!(Score::mate_in(MAX_PLY) > Score::centipawns(i32::MAX));
        assert!(Score::mated_in(MAX_PLY) < Score::centipawns(i32::MIN));
        assert!(Score::mate_in(MAX_PLY).is_mate());
        assert!(Score::mated_in(MAX_PLY).is_mate());
        assert!(!Score::centipawns(i32::MAX).is_mate());
        assert!(Score::mate_in(3) > Score::mate_in(5));
    }

    #[test]
    fn a_mate_keeps_its_distance_through_the_table() {
        let found_at_ply_six = Score::mate_in(9);
        let stored = found_at_ply_six.seen_from_node(6);
        assert_eq!(stored, Score::mate_in(3));
        assert_eq!(stored.seen_from_root(2), Score::mate_in(5));
        assert_eq!(
            Score::mated_in(8).seen_from_node(6).seen_from_root(6),
            Score::mated_in(8)
        );
        assert_eq!(
            Score::centipawns(50).seen_from_node(6),
            Score::centipawns(50)
        );
    }

    #[test]
    fn a_mate_read_too_deep_stays_a_mate() {
        assert!(Score::mate_in(MAX_PLY).seen_from_root(MAX_PLY).is_mate());
        assert!(Score::mated_in(MAX_PLY).seen_from_root(MAX_PLY) < Score::DRAW);
    }

    #[test]
    fn sixteen_bits_hold_every_score() {
        for score in [
            Score::LOWEST,
            Score::HIGHEST,
            Score::DRAW,
            Score::centipawns(-123),
        ] {
            assert_eq!(Score::from_bits(score.to_bits()), score);
        }
    }
}
