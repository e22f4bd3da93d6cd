//! The parameters of a fit, and the sigmoid whose unit they are in.

/// A score during the fit, in the sigmoid's units: middlegame and endgame.
pub(super) type ScorePair = [f32; 2];

/// The sigmoid: the expected score, 0 to 1, of an evaluation.
pub(super) fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

pub(super) fn add(sum: &mut ScorePair, score: ScorePair) {
    sum[0] += score[0];
    sum[1] += score[1];
}

pub(super) fn subtract(sum: &mut ScorePair, score: ScorePair) {
    sum[0] -= score[0];
    sum[1] -= score[1];
}

/// What is fitted, in the sigmoid's units.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Parameters {
    /// The score of each feature, indexed by the layout; of a pair its own part.
    pub(super) scores: Vec<ScorePair>,
    /// The parts that pairs share.
    pub(super) relative: Vec<ScorePair>,
    /// The bonus for the side to move.
    pub(super) tempo: f32,
}
