//! Two lines compared, and the sum compared with the search.
//!
//! A search plays the lines out and evaluates where they end. So a move is worse than another because of what stands on
//! the board at the end of its line: that is where the two sums are compared.

use shakmaty::{Color, Move, Position, Role};

use super::end_of_game::end_of_game;
use super::material::material_difference;
use super::sentence::sentence;
use super::steps::numbered;
use super::words::{bonus, color_name, role_name, signed};
use crate::evaluation::shares::{PieceShare, Shares, shares};
use crate::position::game::Game;
use crate::score::Score;

/// A line and what a search says about it.
#[derive(Clone, Copy, Debug)]
pub struct ScoredLine<'a> {
    /// The score, from the point of view of the side to move.
    pub score: Score,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The moves; at least one.
    pub moves: &'a [Move],
}

/// The search and the sum differ by tactics if they are at least this many centipawns apart.
const TACTICS: i32 = 80;

/// A move that gives up less than this many centipawns is nearly as good.
const NEARLY: i32 = 15;

/// A line has settled if the sum at its end is at most this many centipawns from its score.
const SETTLED: i32 = 30;

/// The most pieces that a comparison names.
const MAX_PIECES: usize = 3;

/// A piece is named if it differs by at least this many centipawns.
const MIN_DIFFERENCE: i32 = 8;

/// What the search says beside the sum: whether it agrees, or tactics decide, or the game is decided.
pub fn verdict(game: &Game, line: ScoredLine) -> String {
    let Some(first) = line.moves.first() else {
        return "There is no move to search.".to_owned();
    };
    let best = numbered(game, *first);
    let turn = game.position().turn();
    let depth = line.depth;
    if line.score.is_decisive() {
        let score = in_words(line.score, turn);
        return format!(
            "The search finds {best}, depth {depth}: {score}. Against that the sum counts for nothing."
        );
    }
    let searched = turn.fold_wb(line.score.value(), -line.score.value());
    let static_sum = shares(game.position(), game.tables()).total;
    let start = format!(
        "The search plays {best} and says {}, depth {depth}",
        signed(searched)
    );
    let end = played(game, line.moves);
    if let Some(reason) = end_of_game(&end) {
        let sum = signed(static_sum);
        return format!("{start}; the sum says {sum}. The line ends the game: {reason}.");
    }
    let end = shares(end.position(), end.tables());
    let difference = searched - static_sum;
    if difference.abs() < TACTICS {
        return format!("{start}; the sum says {}.", signed(static_sum));
    }
    let material = material_difference(&end).value
        - material_difference(&shares(game.position(), game.tables())).value;
    let winner = if difference > 0 { "White" } else { "Black" };
    let start = format!(
        "{start}, where the sum says {}: tactics decide.",
        signed(static_sum)
    );
    if material.signum() == difference.signum() && 2 * material.abs() >= difference.abs() {
        format!(
            "{start} {winner} wins material ({}) on the way.",
            signed(material)
        )
    } else {
        format!("{start} At the end of the line: {}.", sentence(&end))
    }
}

/// What a move gives up compared with the best one, and why.
pub fn comparison(game: &Game, best: ScoredLine, other: ScoredLine) -> Vec<String> {
    let (Some(best_move), Some(other_move)) = (best.moves.first(), other.moves.first()) else {
        return Vec::new();
    };
    let turn = game.position().turn();
    let [best_name, name] = [best_move, other_move].map(|m| numbered(game, *m));
    if best_move == other_move {
        return vec![format!(
            "{name} is the best move: {}.",
            in_words(best.score, turn)
        )];
    }
    let scores = [other.score, best.score].map(|score| in_words(score, turn));
    let values = format!("{}, where {best_name} is {}", scores[0], scores[1]);
    if other.score.is_decisive() || best.score.is_decisive() {
        return vec![format!("{name}: {values}.")];
    }
    let loss = best.score - other.score;
    if loss <= 0 {
        return vec![format!(
            "{name} is as good as {best_name} at this depth: {values}."
        )];
    }
    if loss < NEARLY {
        return vec![format!(
            "{name} is nearly as good as {best_name}: {values}."
        )];
    }
    let ends = [best, other].map(|line| after(game, line.moves));
    let has_settled = |line: ScoredLine, end: &Shares| {
        (end.total - turn.fold_wb(line.score.value(), -line.score.value())).abs() <= SETTLED
    };
    let reason = if has_settled(best, &ends[0]) && has_settled(other, &ends[1]) {
        differences(turn, &ends[0], &ends[1])
    } else {
        "The search sees further than its lines are shown, so their ends don't tell why.".to_owned()
    };
    vec![format!("{name} gives up {loss}: {values}."), reason]
}

/// What stands differently at the end of two lines, from the point of view of the side that chooses.
fn differences(turn: Color, best: &Shares, other: &Shares) -> String {
    let view = |value: i32| turn.fold_wb(value, -value);
    let [of_best, of_other] = [best, other].map(|shares| material_difference(shares).value);
    let material = view(of_best - of_other);
    let squares = |shares: &Shares| -> i32 { shares.pieces.iter().map(bonus).sum() };
    let squares = view(squares(best) - squares(other));
    let mut parts = Vec::new();
    if material.abs() >= MIN_DIFFERENCE {
        parts.push(format!("material {}", signed(material)));
    }
    parts.push(format!("squares {}", signed(squares)));
    let mut pieces = moved_pieces(best, other);
    pieces.sort_by_key(|(value, _)| -value.abs());
    let named = pieces
        .into_iter()
        .filter(|(value, _)| value.abs() >= MIN_DIFFERENCE);
    let named: Vec<String> = named
        .take(MAX_PIECES)
        .map(|(value, words)| format!("{words} ({})", signed(view(value))))
        .collect();
    let pieces = if named.is_empty() {
        String::new()
    } else {
        format!(". It has {}", named.join(", "))
    };
    let turn = turn.fold_wb("White", "Black");
    format!(
        "At the end of its line the better move has for {turn}: {}{pieces}.",
        parts.join(", ")
    )
}

/// The pieces that stand elsewhere at the end of the other line, each with what that is worth to White.
fn moved_pieces(best: &Shares, other: &Shares) -> Vec<(i32, String)> {
    let mut moved = Vec::new();
    for side in Color::ALL {
        for role in Role::ALL {
            let only_in = |one: &Shares, two: &Shares| -> Vec<PieceShare> {
                let pieces = one.pieces.iter();
                let here = pieces.filter(|share| share.piece == role.of(side));
                let is_elsewhere = |share: &&PieceShare| {
                    let there = two.piece_on(share.square);
                    there.is_none_or(|there| there.piece != share.piece)
                };
                here.filter(is_elsewhere).cloned().collect()
            };
            let (here, there) = (only_in(best, other), only_in(other, best));
            for (one, two) in here.iter().zip(&there) {
                if role == Role::Pawn && one.square.file() != two.square.file() {
                    continue;
                }
                let words = format!(
                    "the {} {} on {} instead of {}",
                    color_name(side),
                    role_name(role),
                    one.square,
                    two.square
                );
                moved.push((bonus(one) - bonus(two), words));
            }
        }
    }
    moved
}

/// The game after a line.
fn played(game: &Game, line: &[Move]) -> Game {
    let mut game = game.recent();
    line.iter().for_each(|m| game.play(*m));
    game
}

/// The shares at the end of a line.
fn after(game: &Game, line: &[Move]) -> Shares {
    let end = played(game, line);
    shares(end.position(), end.tables())
}

/// A score in words, from White's point of view unless it is a mate.
fn in_words(score: Score, turn: Color) -> String {
    let side = if score > Score::DRAW { turn } else { !turn };
    let side = side.fold_wb("White", "Black");
    match score.mate_moves() {
        Some(moves) => format!("{side} mates in {}", moves.abs()),
        None if score.is_decisive() => format!("{side} wins by the endgame tablebases"),
        None => signed(turn.fold_wb(score.value(), -score.value())),
    }
}
