//! The search without anything that makes it fast: it tries every move to the last ply. The tests
//! hold [`crate::search`] against it on every game.

use std::cmp::Reverse;

use crate::game::{Game, Score, WIN};

/// The score of a position for the side to move after `depth` plies, `ply` plies below the root.
pub fn plain_negamax<G: Game>(game: &mut G, depth: i32, ply: usize) -> Score {
    if ply > 0
        && let Some(outcome) = game.result()
    {
        return outcome.score(ply);
    }
    if depth == 0 {
        return plain_quiescence(game, 0, ply, -WIN, WIN);
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut best = None;
    for ranked in moves {
        if game.make(ranked.mv) {
            let score = -plain_negamax(game, depth - 1, ply + 1);
            game.unmake();
            best = best.max(Some(score));
        }
    }
    best.unwrap_or_else(|| game.result_without_moves().score(ply))
}

/// Quiescence with alpha-beta, since without it captures alone would take hours.
fn plain_quiescence<G: Game>(
    game: &mut G,
    depth: usize,
    ply: usize,
    mut alpha: Score,
    beta: Score,
) -> Score {
    if let Some(outcome) = game.result() {
        return outcome.score(ply);
    }
    let is_last = depth >= G::QUIESCENCE_PLIES;
    let must_answer = !is_last && game.must_answer();
    let mut moves = Vec::new();
    let mut best = None;
    if must_answer {
        game.moves(&mut moves);
    } else {
        best = Some(game.evaluate());
        if !is_last {
            game.forcing_moves(&mut moves);
        }
    }
    moves.sort_by_key(|ranked| Reverse(ranked.rank));
    for ranked in moves {
        alpha = alpha.max(best.unwrap_or(-WIN));
        if alpha >= beta {
            break;
        }
        if game.make(ranked.mv) {
            let score = -plain_quiescence(game, depth + 1, ply + 1, -beta, -alpha);
            game.unmake();
            best = best.max(Some(score));
        }
    }
    best.unwrap_or_else(|| game.result_without_moves().score(ply))
}
