//! From tables to the parameters of a fit and back: in the sigmoid's units there, in units of an
//! eighth of a centipawn here.

use super::model::Model;
use super::parameters::{Parameters, ScorePair};
use squarewise_engine::evaluation::features::{Family, Layout};
use squarewise_engine::evaluation::pairs::PAIR_SCORE_LIMIT;
use squarewise_engine::evaluation::tables::Tables;
use squarewise_engine::evaluation::tapered_score::{PackedScore, UNITS};

/// Scores are clamped to this range on both sides of zero, in units: 4,000 centipawns.
const SCORE_LIMIT: f32 = 32_000.0;

/// The start of a fit from tables, with `to_units` of the sigmoid's units to a centipawn. Families
/// that are not fitted are zero there, as they are in the tables.
pub(super) fn start_from(
    tables: &Tables,
    families: &[Family],
    model: &Model,
    to_units: f32,
) -> Parameters {
    let mut start = Parameters {
        tempo: tables.tempo() as f32 * to_units,
        ..model.zero()
    };
    for family in families {
        let range = model.layout().range(*family);
        for (start, score) in start.scores[range]
            .iter_mut()
            .zip(tables.scores_of(*family))
        {
            let units = [score.middlegame, score.endgame];
            *start = units.map(|units| f32::from(units) / UNITS as f32 * to_units);
        }
    }
    start
}

/// What parameters whose king buckets moved together add to those that they began with, in tables
/// with a single bucket.
pub(super) fn correction(
    layout: &Layout,
    [start, parameters]: [&Parameters; 2],
    factor: f32,
) -> Tables {
    let one_bucket = Layout::new(layout.king_buckets().with_one_bucket());
    let mut scores = vec![[0.0; 2]; one_bucket.length()];
    for family in Family::ALL
        .into_iter()
        .filter(|family| !family.shares_scores())
    {
        // The first bucket stands for all of them.
        let first = layout.range(family).start;
        let differences = parameters.scores[first..]
            .iter()
            .zip(&start.scores[first..]);
        let sums = scores[one_bucket.range(family)].iter_mut();
        for (sum, (after, before)) in sums.zip(differences) {
            *sum = [after[0] - before[0], after[1] - before[1]];
        }
    }
    let tempo = parameters.tempo - start.tempo;
    to_tables(&scores, tempo, one_bucket, factor)
}

/// The tables in whole units, with `factor` centipawns to one of the sigmoid's units.
pub(super) fn to_tables(scores: &[ScorePair], tempo: f32, layout: Layout, factor: f32) -> Tables {
    let rounded = |value: f32, limit: f32| (value * factor).clamp(-limit, limit).round() as i16;
    let in_units = |value: f32, limit: f32| rounded(value * UNITS as f32, limit);
    let limits = Family::ALL.into_iter().flat_map(|family| {
        let limit = if family.is_pairs() {
            f32::from(PAIR_SCORE_LIMIT)
        } else {
            SCORE_LIMIT
        };
        layout.range(family).map(move |_| limit)
    });
    let score = |([middlegame, endgame], limit): (&ScorePair, f32)| PackedScore {
        middlegame: in_units(*middlegame, limit),
        endgame: in_units(*endgame, limit),
    };
    let scores = scores.iter().zip(limits).map(score).collect();
    Tables::from_scores(layout, scores, rounded(tempo, SCORE_LIMIT / UNITS as f32))
}
