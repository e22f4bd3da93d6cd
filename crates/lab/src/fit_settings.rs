//! The settings of a fit, and what can go wrong with it.
//!
//! They say what is fitted (families of tables, king buckets), to what (lambda blends results and
//! scores), how strongly the priors pull, and for how long.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::checkpoint::CheckpointError;
use super::training_data::VALIDATION_SHARE;
use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::features::Family;
use squarewise_engine::evaluation::king_buckets::KingBuckets;
use squarewise_engine::search::stop::StopToken;

/// The settings of a fit.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Tables to begin with: the fit has one step then, and every prior pulls towards their scores.
    /// So the tables keep what they know where the games say little, and new games add to what
    /// older ones have taught.
    pub from: Option<Arc<Tables>>,
    /// The king buckets of the tables; those of `from`, if there is one.
    pub king_buckets: KingBuckets,
    /// Lambda, 0 to 1: the weight of the game's result in the target. The rest is the weight of the
    /// search's score.
    pub lambda: f32,
    /// The families to fit. The piece-square tables are fitted in any case, and so are those that
    /// `from` knows something of: [`Settings::fitted_families`] lists them all.
    pub families: Vec<Family>,
    /// Whether only [`Settings::families`] are fitted, and all others keep the scores of `from`.
    pub keep_others: bool,
    /// Whether the fit is a correction of `from`: the same in every king bucket, and nothing for
    /// pairs of pieces. So it has few scores, for few games and a small file.
    pub is_correction: bool,
    /// The prior: how strongly the scores of a king bucket are pulled towards the average of all
    /// buckets, and those of all other families but pairs towards zero, as a number of positions.
    /// With `from` all of them are pulled towards their scores there. The positions of one game
    /// are alike, so a good prior has the weight of some tens of games.
    pub prior: f32,
    /// The prior of the part of each pair's score that it has alone: towards zero or, with `from`,
    /// towards the score of the pair there.
    pub pair_prior: f32,
    /// The prior of the part that pairs of the same pieces at the same distance share, towards
    /// zero.
    pub shared_prior: f32,
    /// Passes over the positions, at most, for each step of the fit.
    pub epochs: u32,
    /// The seed of the order of positions.
    pub seed: u64,
    /// Where the state of the fit is kept after each epoch; a fit that was stopped goes on from
    /// there.
    pub resume: Option<ResumeFile>,
    /// Ends the fit after an epoch, if it is raised.
    pub stop: StopToken,
}

impl Settings {
    /// The families that are fitted, in the order of the index space: the piece-square tables,
    /// those that are asked for, and those that the tables to begin with have scores of, since a
    /// fit writes zero for every other family. With [`Settings::keep_others`] those that are not
    /// asked for only take part with the scores that they have.
    pub fn fitted_families(&self) -> impl Iterator<Item = Family> {
        let is_known = |family| {
            let from = self.from.as_ref();
            from.is_some_and(|tables| !tables.is_zero_in(family))
        };
        Family::ALL.into_iter().filter(move |family| {
            *family == Family::PieceSquare || self.families.contains(family) || is_known(*family)
        })
    }

    /// Whether a family takes part in the fit with the scores that it has.
    pub fn keeps(&self, family: Family) -> bool {
        self.keep_others && !self.families.contains(&family)
            || self.is_correction && family.shares_scores()
    }
}

/// Where the state of a fit is kept, so that it can be resumed.
#[derive(Clone, Debug)]
pub struct ResumeFile {
    /// The file. It is left there when the fit is done.
    pub path: PathBuf,
    /// The settings and games of the fit, in words: a fit with others is not resumed.
    pub description: String,
}

/// The error of a fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// Training and validation both need positions.
    #[error(
        "{games} games give {training} training and {validation} validation positions (one game in \
         {VALIDATION_SHARE} is kept for validation); both are needed: play more games"
    )]
    TooFewPositions {
        /// The number of games.
        games: usize,
        /// The number of positions to train with.
        training: usize,
        /// The number of positions to validate with.
        validation: usize,
    },
    /// The value of minor pieces is not positive, so it can't be the unit of scores.
    #[error("the games say nothing about piece values: play more of them")]
    NoUnit,
    /// All scores of the search are zero, so they don't tell the unit of the tables that the fit
    /// begins with.
    #[error(
        "the search gave every position a score of zero, so a fit to these games can't begin with tables: their unit is \
         that of the scores"
    )]
    NoScores,
    /// The state of the fit can't be read, or not be used.
    #[error("{path}: {error}", path = .0.display(), error = .1)]
    Checkpoint(PathBuf, CheckpointError),
    /// The state of the fit isn't the one that was last written: another fit writes it too.
    #[error("{}: another fit writes its state to this file; end it, or choose another --out", .0.display())]
    InUse(PathBuf),
    /// It was told to end.
    #[error("interrupted; the same command goes on from here")]
    Interrupted,
    /// The state of the fit can't be written. The error names the file.
    #[error(transparent)]
    Unwritten(#[from] io::Error),
}

impl FitError {
    /// Whether the fit has come to this: one with the same games and settings would come to it
    /// again, so that nothing is left to resume.
    pub fn is_result(&self) -> bool {
        matches!(self, FitError::NoUnit | FitError::NoScores)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use squarewise_engine::evaluation::TableSet;

    #[test]
    fn the_families_of_the_tables_to_begin_with_are_fitted_too() {
        let fitted = |from, families: &[Family]| {
            let settings = Settings {
                from,
                king_buckets: KingBuckets::PLAIN,
                lambda: 1.0,
                families: families.to_vec(),
                keep_others: false,
                is_correction: false,
                prior: 0.0,
                pair_prior: 0.0,
                shared_prior: 0.0,
                epochs: 1,
                seed: 1,
                resume: None,
                stop: StopToken::new(),
            };
            settings.fitted_families().collect::<Vec<_>>()
        };
        let named = [Family::PiecePawns, Family::Material];
        let in_order = [Family::PieceSquare, Family::Material, Family::PiecePawns];
        assert_eq!(fitted(None, &named), in_order);
        let zero = Some(Arc::new(Tables::zero()));
        assert_eq!(fitted(zero, &named), in_order);
        let all = Some(TableSet::Attacks.tables());
        assert_eq!(fitted(all, &named), Family::ALL);
    }
}
