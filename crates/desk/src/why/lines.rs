//! The lines that the coach compares: how they are searched, and which of two tells more.

use shakmaty::{Move, Position};

use super::force::harvest;
use super::words::{NEARLY, WINNING};
use super::{Effort, ScoredLine, Search};
use squarewise_engine::evaluation::Tables;
use squarewise_engine::position::game::Game;
use squarewise_engine::score::Score;

/// The plies of a line that are shown.
pub(super) const SHOWN_PLIES: usize = 6;

/// A short line is extended by at most this many searches.
const MAX_EXTENSIONS: usize = 3;

/// Whether a line is as good as the best one and takes at once what that wins later: a person who
/// asks about the position sees this move.
pub(super) fn wins_the_same_sooner(
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
    search: &mut Search<'_>,
) -> Option<ScoredLine> {
    let after = played(game, &line.moves[..1]);
    let can_matter = line.score == Score::DRAW && best >= Score::centipawns(WINNING);
    if !can_matter || after.end_by_the_rules().is_some() {
        return Some(line);
    }
    let reply = search(&after, &[], Effort::Full)?;
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
