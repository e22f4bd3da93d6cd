//! The lines that the coach compares: how they are searched, and which of two tells more.

use shakmaty::{Move, Position};

use super::force::harvest;
use super::words::{NEARLY, WINNING};
use super::{Effort, ScoredLine, Search};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::position::movegen::legal_moves;
use squarewise_engine::score::Score;

/// The plies of a line that are shown.
pub(super) const SHOWN_PLIES: usize = 6;

/// A short line is extended by at most this many searches.
const MAX_EXTENSIONS: usize = 3;

/// The lines that the coach compares.
pub(super) struct Lines {
    /// The best line.
    pub best: ScoredLine,
    /// The line of the move that was asked about, if it isn't the best.
    pub other: Option<ScoredLine>,
    /// The best line without the best move; `None` if that is forced.
    pub next: Option<ScoredLine>,
}

impl Lines {
    /// Searches a position that isn't over, and the move that was asked about. `None` if a search
    /// was interrupted.
    pub fn searched(
        game: &Game,
        tables: &Tables,
        asked: Option<Move>,
        search: &mut Search<'_>,
    ) -> Option<Lines> {
        let mut best = extended(game, search(game, &[], Effort::Full)?, search);
        let mut other = match asked.filter(|m| Some(m) != best.moves.first()) {
            Some(m) => {
                let line = search(game, &[m], Effort::Full)?;
                let line = with_the_way_back(game, line, best.score, Effort::Full, search)?;
                Some(extended(game, line, search))
            }
            None => None,
        };
        // A search of its own can see more in a move.
        let is_better = |line: &mut ScoredLine| {
            let least = if line.score.is_mate() { 1 } else { NEARLY };
            line.score >= best.score + least
        };
        if let Some(better) = other.take_if(is_better) {
            best = better;
        }
        let first = *best.moves.first()?;
        let legal = legal_moves(game.position()).into_iter();
        let others: Vec<Move> = legal.filter(|m| *m != first).collect();
        let next = match others.as_slice() {
            [] => None,
            others => search(game, others, Effort::Aside)
                .and_then(|next| with_the_way_back(game, next, best.score, Effort::Aside, search)),
        };
        // The longer of two searches of one move says what it is worth.
        let next = next.map(|next| match &other {
            Some(line) if line.moves.first() == next.moves.first() => line.clone(),
            _ => next,
        });
        let (best, next) = match next {
            Some(next) if asked.is_none() && wins_the_same_sooner(game, tables, &next, &best) => {
                (extended(game, next, search), Some(best))
            }
            next => (best, next),
        };
        Some(Lines { best, other, next })
    }
}

/// Whether a line is as good as the best one and takes at once what that wins later: a person who
/// asks about the position sees this move.
fn wins_the_same_sooner(
    game: &Game,
    tables: &Tables,
    line: &ScoredLine,
    best: &ScoredLine,
) -> bool {
    if best.score - line.score >= NEARLY || best.score.is_decisive() {
        return false;
    }
    let us = game.position().turn();
    let won = |line| harvest(game, tables, line).filter(|won| won.winner == us);
    let (Some(sooner), Some(later)) = (won(line), won(best)) else {
        return false;
    };
    sooner.decides_at() == Some(0) && later.decides_at() > Some(0) && sooner.value >= later.value
}

/// The line of a move that the search calls a draw only because it returns to the position before
/// the move, searched again. A side that wins by going back there, as by triangulation with the
/// king, repeats that position for a search that began with it, but not for one that begins after
/// the move. `best` is the score of the best move. `None` if a search was interrupted.
pub(crate) fn with_the_way_back(
    game: &Game,
    line: ScoredLine,
    best: Score,
    effort: Effort,
    search: &mut Search<'_>,
) -> Option<ScoredLine> {
    let after = played(game, &line.moves[..1]);
    let can_matter = line.score == Score::DRAW && best >= Score::centipawns(WINNING);
    if !can_matter || after.end_by_the_rules().is_some() {
        return Some(line);
    }
    let reply = search(&after, &[], effort)?;
    if reply.score > Score::centipawns(-WINNING) {
        return Some(line);
    }
    Some(ScoredLine {
        score: match reply.score.mate_moves() {
            Some(moves) => Score::from_mate_moves(1 - moves),
            None => -reply.score,
        },
        depth: reply.depth + 1,
        moves: [&line.moves[..1], &reply.moves].concat(),
        ..line
    })
}

/// A line that is cut short, because the search knew it from its table, with what a search of its
/// end adds.
pub(super) fn extended(game: &Game, mut line: ScoredLine, search: &mut Search<'_>) -> ScoredLine {
    // The search of the end may know its line from the table too.
    for _ in 0..MAX_EXTENSIONS {
        let end = played(game, &line.moves);
        let is_short = line.moves.len() < SHOWN_PLIES && !line.score.is_decisive();
        if !is_short || line.moves.is_empty() || end.end_by_the_rules().is_some() {
            break;
        }
        let Some(rest) = search(&end, &[], Effort::Aside) else {
            break;
        };
        line.moves.extend(rest.moves);
    }
    line
}

/// The game after a line.
pub(super) fn played(game: &Game, line: &[Move]) -> Game {
    let mut game = game.recent();
    line.iter().for_each(|m| game.play(*m));
    game
}
