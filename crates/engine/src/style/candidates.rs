//! The moves among which a player chooses: the lines of a search, with what each loses and how
//! early the search had it.

use shakmaty::Move;

use crate::score::Score;
use crate::search::window::Bound;
use crate::search::{Alternatives, Progress, SearchInfo, SearchOptions};

/// The most moves among which a player chooses.
pub const LINES: usize = 8;

/// What a choice may lose at most, in centipawns, by the search that it is made from.
pub const MAX_LOSS: i32 = 50;

/// How the lines after the first are searched where only one is asked for.
const ALTERNATIVES: Alternatives = Alternatives {
    lag: 2,
    margin: MAX_LOSS + 10,
};

/// The options of a search for candidates. If several lines are asked for, all are searched to the
/// same depth, since each is shown.
pub(super) fn search_options(options: &SearchOptions) -> SearchOptions {
    SearchOptions {
        multi_pv: options.multi_pv.max(LINES),
        alternatives: (options.multi_pv == 1).then_some(ALTERNATIVES),
        ..options.clone()
    }
}

/// A move to choose.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The line, which begins with the move.
    pub line: Vec<Move>,
    /// What it loses, 0 to [`MAX_LOSS`] centipawns.
    pub loss: i32,
    /// Whether it is the best line of the search.
    pub is_best: bool,
    /// What it lost on average in the first half of the iterations, in centipawns.
    pub early_loss: f32,
    /// The same in the second half.
    pub late_loss: f32,
    /// The share of the iterations in which it was the best, 0 to 1.
    pub best_share: f32,
}

impl Candidate {
    /// The move.
    ///
    /// # Panics
    ///
    /// If the line is empty, which [`Lines::candidates`] leaves out.
    pub fn m(&self) -> Move {
        self.line[0]
    }
}

/// The lines that a search reports, iteration by iteration.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    /// The first move and the score of each line.
    iterations: Vec<Vec<(Move, Score)>>,
    /// The lines of the last iteration. If it was stopped, the scores of some can be bounds.
    last: Vec<SearchInfo>,
    /// The last report of each first move that had an exact score.
    exact: Vec<SearchInfo>,
}

impl Lines {
    /// Takes note of a report.
    pub fn note(&mut self, progress: &Progress) {
        let Progress::Info(info) = progress else {
            return;
        };
        let Some(first) = info.pv.first() else {
            return;
        };
        if info.multipv == 1 {
            self.iterations.push(Vec::new());
            self.last.clear();
        }
        if let Some(iteration) = self.iterations.last_mut() {
            iteration.push((*first, info.score));
            self.last.push(info.clone());
        }
        if info.bound == Bound::Exact {
            self.exact.retain(|earlier| earlier.pv[0] != *first);
            self.exact.push(info.clone());
        }
    }

    /// The score of the best line in centipawns; `None` if there is none, or it decides the game:
    /// then nobody chooses.
    pub fn best_score(&self) -> Option<i32> {
        let best = self.last.first()?.score;
        (!best.is_decisive()).then_some(best.value())
    }

    /// The moves to choose from, the best first: none if the best line decides the game.
    pub fn candidates(&self) -> Vec<Candidate> {
        let Some(best) = self.best_score() else {
            return Vec::new();
        };
        let near = self.last.iter().take(LINES).map_while(|info| {
            let loss = best - info.score.value();
            (loss <= MAX_LOSS).then(|| self.candidate(info, loss))
        });
        near.collect()
    }

    /// The last report on the line of a move whose score was exact; `None` if there was none.
    pub fn exact_info(&self, m: Move) -> Option<&SearchInfo> {
        self.exact.iter().find(|info| info.pv[0] == m)
    }

    fn candidate(&self, info: &SearchInfo, loss: i32) -> Candidate {
        let m = info.pv[0];
        let half = self.iterations.len() / 2;
        let (early, late) = self.iterations.split_at(half);
        let is_best = |iteration: &&Vec<(Move, Score)>| iteration[0].0 == m;
        let best_in = self.iterations.iter().filter(is_best).count();
        Candidate {
            line: info.pv.clone(),
            loss: loss.max(0),
            is_best: info.multipv == 1,
            early_loss: mean_loss(early, m),
            late_loss: mean_loss(late, m),
            best_share: best_in as f32 / self.iterations.len() as f32,
        }
    }
}

/// What a move has lost in these iterations on average, in centipawns. Where it was not among the
/// lines it lost as much as a choice can, and nowhere more than that.
fn mean_loss(iterations: &[Vec<(Move, Score)>], m: Move) -> f32 {
    let loss = |iteration: &Vec<(Move, Score)>| {
        let line = iteration.iter().find(|(first, _)| *first == m);
        let loss = line.map_or(MAX_LOSS, |(_, score)| iteration[0].1 - *score);
        loss.clamp(0, MAX_LOSS) as f32
    };
    let sum: f32 = iterations.iter().map(loss).sum();
    sum / iterations.len().max(1) as f32
}
