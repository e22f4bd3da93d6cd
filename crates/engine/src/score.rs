//! Scores: an evaluation in centipawns, a result from the endgame tablebases, or the distance to a
//! mate.
//!
//! All are on one integer scale, from the point of view of the side to move, so the search compares
//! scores without distinguishing them: a win by mate is above a win by the tablebases, and that is
//! above every evaluation; losses lie below in the same way. A win that is nearer is further out.
//! The numbers of the scale are private to this file.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The greatest distance from the root that a search reaches, in plies, and the longest mate that a
/// score can express.
pub const MAX_PLY: usize = 127;

/// The score of a mate in 0 plies; a mate in `n` plies scores `n` less.
const MATE: i32 = 32_000;

/// The score of the slowest mate.
const MATE_LIMIT: i32 = MATE - MAX_PLY as i32;

/// The score of a position that the tablebases call won, at the root; `n` plies from the root it is
/// `n` less.
const TABLEBASE: i32 = MATE_LIMIT - 1;

/// The score of a tablebase win at the greatest ply.
const TABLEBASE_LIMIT: i32 = TABLEBASE - MAX_PLY as i32;

/// A tablebase win at the root is shown as this many centipawns (as in Stockfish).
const SHOWN_TABLEBASE: i32 = 20_000;

/// Evaluations are clamped to this many centipawns, well away from the mates.
const EVALUATION_LIMIT: i32 = 30_000;

/// A score from the point of view of the side to move: centipawns, a tablebase result, or a
/// distance to mate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);

    /// The lowest score: the side to move is mated.
    pub(crate) const LOWEST: Score = Score(-MATE);

    /// The highest score, the opposite of [`Score::LOWEST`].
    pub(crate) const HIGHEST: Score = Score(MATE);

    /// An evaluation in centipawns, clamped to -30,000..=30,000 so that it is never decisive.
    pub fn centipawns(value: i32) -> Score {
        Score(value.clamp(-EVALUATION_LIMIT, EVALUATION_LIMIT))
    }

    /// The side to move is mated `ply` plies from the root (0 to [`MAX_PLY`]).
    pub fn mated_in(ply: usize) -> Score {
        debug_assert!(
            ply <= MAX_PLY,
            "a mate at ply {ply} is deeper than any search"
        );
        Score(-MATE + ply as i32)
    }

    /// The side to move mates with the move that leads to `ply` plies from the root.
    pub fn mate_in(ply: usize) -> Score {
        -Score::mated_in(ply)
    }

    /// The side to move wins by the tablebases, in a position `ply` plies from the root (0 to
    /// [`MAX_PLY`]).
    pub fn tablebase_win(ply: usize) -> Score {
        debug_assert!(
            ply <= MAX_PLY,
            "a tablebase position at ply {ply} is deeper than any search"
        );
        Score(TABLEBASE - ply as i32)
    }

    /// The side to move loses by the tablebases, in a position `ply` plies from the root.
    pub fn tablebase_loss(ply: usize) -> Score {
        -Score::tablebase_win(ply)
    }

    /// Whether the score is a forced mate, for either side.
    pub fn is_mate(self) -> bool {
        self.0.abs() >= MATE_LIMIT
    }

    /// Whether the game is decided, for either side: by a forced mate or by the tablebases. No
    /// margin in centipawns predicts such a score.
    pub fn is_decisive(self) -> bool {
        self.0.abs() >= TABLEBASE_LIMIT
    }

    /// Whether the side to move wins for certain: by a forced mate or by the tablebases.
    pub fn is_win(self) -> bool {
        self.is_decisive() && self > Score::DRAW
    }

    /// Whether the side to move loses for certain.
    pub fn is_loss(self) -> bool {
        self.is_decisive() && self < Score::DRAW
    }

    /// How far off the mate or the position that the tablebases call decided is, in plies; `None`
    /// for an evaluation.
    pub(crate) fn plies_to_decision(self) -> Option<u32> {
        let limit = if self.is_mate() { MATE } else { TABLEBASE };
        self.is_decisive().then(|| limit.abs_diff(self.0.abs()))
    }

    /// The distance to mate in full moves: positive if the side to move mates, negative if it is
    /// mated, 0 if it is mated already; `None` for an evaluation or a tablebase result. For a score
    /// from White's point of view, positive if White mates.
    pub fn mate_moves(self) -> Option<i32> {
        let plies = self.plies_to_decision().filter(|_| self.is_mate())? as i32;
        // The side that mates has the last move. If the number of plies is even, the side to move
        // is mated.
        Some(self.0.signum() * ((plies + 1) / 2))
    }

    /// A mate in this many full moves, the inverse of [`Score::mate_moves`]; one that is too long
    /// for a score is the longest.
    pub fn from_mate_moves(moves: i32) -> Score {
        let plies = (moves.unsigned_abs() as usize).saturating_mul(2);
        if moves > 0 {
            Score::mate_in((plies - 1).min(MAX_PLY))
        } else {
            Score::mated_in(plies.min(MAX_PLY))
        }
    }

    /// Whether the side to move mates in at most this many full moves.
    pub fn is_mate_within(self, moves: u32) -> bool {
        let mate = self.mate_moves();
        mate.is_some_and(|mate| (1..=i64::from(moves)).contains(&i64::from(mate)))
    }

    /// The score in centipawns as it is shown: an evaluation as it is, a tablebase result `n` plies
    /// from the root as 20,000 less `n`. Meaningless for a mate.
    pub fn shown_centipawns(self) -> i32 {
        if self.is_decisive() {
            let plies = TABLEBASE - self.0.abs();
            self.0.signum() * (SHOWN_TABLEBASE - plies)
        } else {
            self.0
        }
    }

    /// The score that is shown as this many centipawns: the inverse of [`Score::shown_centipawns`].
    /// Evaluations that large are rare, so what can be a tablebase result is one.
    pub fn from_shown_centipawns(centipawns: i32) -> Score {
        match usize::try_from(SHOWN_TABLEBASE - centipawns.saturating_abs()) {
            Ok(plies @ 0..=MAX_PLY) if centipawns > 0 => Score::tablebase_win(plies),
            Ok(plies @ 0..=MAX_PLY) => Score::tablebase_loss(plies),
            _ => Score::centipawns(centipawns),
        }
    }

    /// The number on the scale: centipawns for an evaluation.
    pub fn value(self) -> i32 {
        self.0
    }

    /// The next higher score.
    pub fn next_up(self) -> Score {
        Score(self.0 + 1)
    }

    /// The next lower score.
    pub fn next_down(self) -> Score {
        Score(self.0 - 1)
    }

    /// The score as the transposition table stores it. In the search mates and tablebase results
    /// count from the root; in the transposition table they count from the node, `ply` plies from
    /// the root, because the same position occurs at different plies.
    pub fn to_tt(self, ply: usize) -> Score {
        if !self.is_decisive() {
            return self;
        }
        let limit = if self.is_mate() { MATE } else { TABLEBASE };
        let shifted = self.0.abs() + ply as i32;
        Score(self.0.signum() * shifted.min(limit))
    }

    /// The score as the search uses it, the inverse of [`Score::to_tt`]. A mate that would lie
    /// deeper than [`MAX_PLY`] is clamped to that ply, so that it stays a mate; a tablebase result
    /// likewise.
    pub fn from_tt(self, ply: usize) -> Score {
        if !self.is_decisive() {
            return self;
        }
        let limit = if self.is_mate() {
            MATE_LIMIT
        } else {
            TABLEBASE_LIMIT
        };
        let shifted = self.0.abs() - ply as i32;
        Score(self.0.signum() * shifted.max(limit))
    }

    /// The score in 16 bits.
    pub(crate) fn to_bits(self) -> u16 {
        debug_assert!(
            self.0.abs() <= i32::from(i16::MAX),
            "{self:?} is off the scale"
        );
        self.0 as i16 as u16
    }

    /// The inverse of [`Score::to_bits`].
    pub(crate) fn from_bits(bits: u16) -> Score {
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

/// Subtracts a margin in centipawns.
impl Sub<i32> for Score {
    type Output = Score;

    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

/// The difference of two scores, in centipawns if both are evaluations.
impl Sub for Score {
    type Output = i32;

    fn sub(self, other: Score) -> i32 {
        self.0 - other.0
    }
}

/// `cp 31` or `mate -4`, as chess programs usually write scores. A tablebase win `n` plies from the
/// root is `cp 20000` less `n`, as in Stockfish.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_moves() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.shown_centipawns()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_shown_in_full_moves() {
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
    fn mates_count_the_same_moves_from_the_other_side() {
        for plies in 0..=MAX_PLY {
            let (ours, theirs) = (Score::mate_in(plies), Score::mated_in(plies));
            let moves = ours.mate_moves().map(|moves| -moves);
            assert_eq!(theirs.mate_moves(), moves, "{plies} plies");
        }
    }

    #[test]
    fn mates_are_further_out_than_evaluations() {
        assert!(Score::mate_in(MAX_PLY) > Score::centipawns(i32::MAX));
        assert!(Score::mated_in(MAX_PLY) < Score::centipawns(i32::MIN));
        assert!(Score::mate_in(MAX_PLY).is_mate());
        assert!(Score::mated_in(MAX_PLY).is_mate());
        assert!(!Score::centipawns(i32::MAX).is_mate());
        assert!(Score::mate_in(3) > Score::mate_in(5));
    }

    #[test]
    fn tablebase_results_lie_between_evaluations_and_mates() {
        for ply in [0, 1, MAX_PLY] {
            let (win, loss) = (Score::tablebase_win(ply), Score::tablebase_loss(ply));
            assert!(win > Score::centipawns(i32::MAX) && win < Score::mate_in(MAX_PLY));
            assert!(loss < Score::centipawns(i32::MIN) && loss > Score::mated_in(MAX_PLY));
            assert!(win.is_decisive() && !win.is_mate() && win.mate_moves().is_none());
            assert!(loss.is_decisive() && !loss.is_mate());
        }
        assert!(Score::tablebase_win(3) > Score::tablebase_win(5));
        assert!(Score::mated_in(9).is_decisive() && !Score::centipawns(i32::MAX).is_decisive());
    }

    #[test]
    fn tablebase_results_are_shown_in_centipawns() {
        assert_eq!(Score::tablebase_win(0).to_string(), "cp 20000");
        assert_eq!(Score::tablebase_win(7).to_string(), "cp 19993");
        assert_eq!(Score::tablebase_loss(7).to_string(), "cp -19993");
    }

    #[test]
    fn a_tablebase_result_keeps_its_distance_through_the_transposition_table() {
        let stored = Score::tablebase_win(9).to_tt(6);
        assert_eq!(stored, Score::tablebase_win(3));
        assert_eq!(stored.from_tt(2), Score::tablebase_win(5));
        assert_eq!(
            Score::tablebase_loss(8).to_tt(6).from_tt(6),
            Score::tablebase_loss(8)
        );
        // It becomes neither a mate nor an evaluation.
        let deepest = Score::tablebase_win(MAX_PLY);
        assert_eq!(deepest.from_tt(MAX_PLY), deepest);
        assert_eq!(
            Score::tablebase_win(0).to_tt(MAX_PLY),
            Score::tablebase_win(0)
        );
    }

    #[test]
    fn a_mate_keeps_its_distance_through_the_transposition_table() {
        let found_at_ply_six = Score::mate_in(9);
        let stored = found_at_ply_six.to_tt(6);
        assert_eq!(stored, Score::mate_in(3));
        assert_eq!(stored.from_tt(2), Score::mate_in(5));
        assert_eq!(Score::mated_in(8).to_tt(6).from_tt(6), Score::mated_in(8));
        assert_eq!(Score::centipawns(50).to_tt(6), Score::centipawns(50));
    }

    #[test]
    fn a_mate_beyond_the_greatest_ply_stays_a_mate() {
        assert!(Score::mate_in(MAX_PLY).from_tt(MAX_PLY).is_mate());
        assert!(Score::mated_in(MAX_PLY).from_tt(MAX_PLY) < Score::DRAW);
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

    #[test]
    fn what_is_shown_in_centipawns_is_read_back() {
        let results = [0, 1, 40, MAX_PLY].map(Score::tablebase_win);
        let evaluations = [-19_000, -1, 0, 250, 19_872, 20_001].map(Score::centipawns);
        for score in results.into_iter().chain(evaluations) {
            for score in [score, -score] {
                assert_eq!(
                    Score::from_shown_centipawns(score.shown_centipawns()),
                    score
                );
            }
        }
        // No tablebase result is that far from the root.
        assert!(!Score::from_shown_centipawns(19_872).is_decisive());
        assert!(Score::from_shown_centipawns(19_873).is_decisive());
    }
}
