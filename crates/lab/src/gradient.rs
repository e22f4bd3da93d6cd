//! The gradient of the error, as a fit adds it up position by position.

use squarewise_engine::evaluation::pair_table::COLUMNS;

use super::parameters::{ScorePair, add};

/// Scores of pairs with pawns, White's minus Black's, by row and column.
pub(super) type PairRows = Vec<[ScorePair; COLUMNS]>;

/// The gradient of the error, summed over positions.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    /// By the index space up to the attack pairs; pairs with pawns are in `pair_rows`.
    pub(super) scores: Vec<ScorePair>,
    pub(super) pair_rows: PairRows,
    pub(super) tempo: f32,
    /// The sum of the squared errors.
    pub(super) square_error: f64,
}

impl Gradient {
    /// Forgets all positions.
    pub(super) fn clear(&mut self) {
        self.scores.fill([0.0; 2]);
        self.pair_rows.fill([[0.0; 2]; COLUMNS]);
        self.tempo = 0.0;
        self.square_error = 0.0;
    }

    /// Adds the gradient of other positions.
    pub(super) fn add(&mut self, other: &Gradient) {
        for (sum, part) in self.scores.iter_mut().zip(&other.scores) {
            add(sum, *part);
        }
        let rows = self.pair_rows.as_flattened_mut().iter_mut();
        for (sum, part) in rows.zip(other.pair_rows.as_flattened()) {
            add(sum, *part);
        }
        self.tempo += other.tempo;
        self.square_error += other.square_error;
    }
}
