//! Two lines compared, and the sum compared with the search.
//!
//! A search plays the lines out and evaluates where they end. So a move is worse than another because of what stands on
//! the board at the end of its line: that is where the two sums are compared.

use shakmaty::{Color, Move, Position, Role};

use super::end_of_game::end_of_game;
use super::material::material_difference;
use super::sentence::sentence;
use super::steps::numbered;
use super::words::{bonus, name, side_name, signed};
use squarewise_engine::evaluation::shares::{PieceShare, Shares, shares};
use squarewise_engine::position::game::Game;
use squarewise_engine::score::Score;

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
        return format!("The search finds {best}, depth {depth}: {score}. That outweighs the sum.");
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
    let winner = side_name(Color::from_white(difference > 0));
    let start = format!("{start}, where the sum says {}", signed(static_sum));
    if material.signum() == difference.signum() && 2 * material.abs() >= difference.abs() {
        let material = signed(material);
        format!("{start}: tactics decide. {winner} wins material ({material}) on the way.")
    } else {
        format!(
            "{start}: the moves ahead decide. At the end of the line: {}.",
            sentence(&end)
        )
    }
}

/// What a move gives up compared with the best one, and why.
pub fn comparison(game: &Game, best: ScoredLine, other: ScoredLine) -> Vec<String> {
    let (Some(best_move), Some(other_move)) = (best.moves.first(), other.moves.first()) else {
        return Vec::new();
    };
    let turn = game.position().turn();
    let [best_name, other_name] = [best_move, other_move].map(|m| numbered(game, *m));
    if best_move == other_move {
        return vec![format!(
            "{other_name} is the best move: {}.",
            in_words(best.score, turn)
        )];
    }
    let scores = [other.score, best.score].map(|score| in_words(score, turn));
    let values = format!("{}, where {best_name} is {}", scores[0], scores[1]);
    if other.score.is_decisive() || best.score.is_decisive() {
        return vec![format!(
            "{other_name}: {}; {best_name}: {}.",
            scores[0], scores[1]
        )];
    }
    let loss = best.score - other.score;
    if loss <= 0 {
        return vec![format!(
            "{other_name} is as good as {best_name} at this depth: {values}."
        )];
    }
    if loss < NEARLY {
        return vec![format!(
            "{other_name} is nearly as good as {best_name}: {values}."
        )];
    }
    let loss = format!("{other_name} gives up {loss}: {values}.");
    let games = [best, other].map(|line| played(game, line.moves));
    let ending = |name: &str, end: &Game| {
        end_of_game(end).map(|ending| format!("The line of {name} ends the game: {ending}."))
    };
    let endings = [
        ending(&other_name, &games[1]),
        ending(&best_name, &games[0]),
    ];
    if endings == [None, None] {
        let ends = games.map(|end| shares(end.position(), end.tables()));
        return vec![loss, reason_at_the_ends(turn, [best, other], &ends)];
    }
    let endings: Vec<String> = endings.into_iter().flatten().collect();
    vec![loss, endings.join(" ")]
}

/// Why the other of two lines is worse, from what stands on the board at their ends: the best line's first.
fn reason_at_the_ends(turn: Color, lines: [ScoredLine; 2], ends: &[Shares; 2]) -> String {
    let has_settled = |line: ScoredLine, end: &Shares| {
        (end.total - turn.fold_wb(line.score.value(), -line.score.value())).abs() <= SETTLED
    };
    let [best, other] = ends;
    if has_settled(lines[0], best) && has_settled(lines[1], other) {
        differences(turn, best, other)
    } else {
        "The search sees further than its lines are shown, so their ends don't tell why.".to_owned()
    }
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
    pieces.sort_by_key(|piece| -piece.value.abs());
    let named = pieces
        .iter()
        .filter(|piece| piece.value.abs() >= MIN_DIFFERENCE);
    let named: Vec<String> = named
        .take(MAX_PIECES)
        .map(|piece| format!("{} ({})", piece.words, signed(view(piece.value))))
        .collect();
    let pieces = if named.is_empty() {
        String::new()
    } else {
        format!(". It has {}", named.join(", "))
    };
    let turn = side_name(turn);
    format!(
        "At the end of its line the better move has for {turn}: {}{pieces}.",
        parts.join(", ")
    )
}

/// A piece that stands elsewhere at the end of another line.
#[derive(Clone, Debug)]
struct MovedPiece {
    role: Role,
    /// What the difference is worth to White.
    value: i32,
    words: String,
}

/// The pieces that stand elsewhere at the end of the other line. What both sides gain alike is left out.
fn moved_pieces(best: &Shares, other: &Shares) -> Vec<MovedPiece> {
    let [black, mut moved] = [Color::Black, Color::White].map(|side| moved_by(side, best, other));
    for piece in black {
        let opposite = moved.iter().position(|white| {
            white.role == piece.role && (white.value + piece.value).abs() < MIN_DIFFERENCE
        });
        match opposite {
            Some(index) => drop(moved.swap_remove(index)),
            None => moved.push(piece),
        }
    }
    moved
}

/// The pieces of one side that stand elsewhere at the end of the other line.
fn moved_by(side: Color, best: &Shares, other: &Shares) -> Vec<MovedPiece> {
    let mut moved = Vec::new();
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
            // Pawns of different files are different pawns.
            if role == Role::Pawn && one.square.file() != two.square.file() {
                continue;
            }
            let instead = two.square;
            moved.push(MovedPiece {
                role,
                value: bonus(one) - bonus(two),
                words: format!("{} instead of {instead}", name(one)),
            });
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

/// A score in words, from White's point of view unless it is a mate.
fn in_words(score: Score, turn: Color) -> String {
    let side = if score > Score::DRAW { turn } else { !turn };
    let side = side_name(side);
    match score.mate_moves() {
        Some(moves) => format!("{side} mates in {}", moves.abs()),
        None if score.is_decisive() => format!("{side} wins by the endgame tablebases"),
        None => signed(turn.fold_wb(score.value(), -score.value())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::uci::UciMove;
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::from_fen;

    fn game_and_line(fen: &str, words: &str) -> (Game, Vec<Move>) {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let game = Game::new(position, TableSet::Simplified.tables());
        let mut played = game.clone();
        let line = words.split_whitespace().map(|word| {
            let uci: UciMove = word.parse().expect("a move");
            let m = uci.to_move(played.position()).expect("a legal move");
            played.play(m);
            m
        });
        let line = line.collect();
        (game, line)
    }

    fn scored(score: Score, moves: &[Move]) -> ScoredLine<'_> {
        ScoredLine {
            score,
            depth: 9,
            moves,
        }
    }

    const KNIGHT: &str = "4k3/4p3/8/8/8/8/4P3/1N2K3 w - - 0 1";

    #[test]
    fn a_move_is_worse_for_what_stands_at_the_end_of_its_line() {
        // Both kings go to the same squares in both lines.
        let (game, best) = game_and_line(KNIGHT, "b1c3");
        let (_, other) = game_and_line(KNIGHT, "b1a3");
        let lines = comparison(
            &game,
            scored(Score::centipawns(330), &best),
            scored(Score::centipawns(290), &other),
        );
        assert_eq!(lines[0], "1. Na3 gives up 40: +290, where 1. Nc3 is +330.");
        assert_eq!(
            lines[1],
            "At the end of its line the better move has for White: squares +40. It has the white knight on c3 \
             instead of a3 (+40)."
        );
    }

    #[test]
    fn lines_that_have_not_settled_explain_nothing() {
        let (game, best) = game_and_line(KNIGHT, "b1c3");
        let (_, other) = game_and_line(KNIGHT, "b1a3");
        let lines = comparison(
            &game,
            scored(Score::centipawns(900), &best),
            scored(Score::centipawns(290), &other),
        );
        assert!(lines[1].contains("don't tell why"), "{lines:?}");
    }

    #[test]
    fn a_line_that_ends_the_game_tells_why_a_move_is_worse() {
        let fen = "8/8/8/8/8/4Pk2/8/B5K1 w - - 0 1";
        let (game, best) = game_and_line(fen, "a1c3");
        let (_, other) = game_and_line(fen, "g1f1 f3e3");
        let lines = comparison(
            &game,
            scored(Score::centipawns(300), &best),
            scored(Score::DRAW, &other),
        );
        assert_eq!(
            lines[1],
            "The line of 1. Kf1 ends the game: neither side can mate, a draw."
        );
    }

    #[test]
    fn small_and_decisive_differences_are_told_in_a_line() {
        let (game, best) = game_and_line(KNIGHT, "b1c3");
        let (_, other) = game_and_line(KNIGHT, "b1a3");
        let said = |best_score, other_score| {
            comparison(
                &game,
                scored(best_score, &best),
                scored(other_score, &other),
            )
            .join(" ")
        };
        let cp = Score::centipawns;
        assert!(said(cp(20), cp(10)).starts_with("1. Na3 is nearly as good as 1. Nc3"));
        assert!(said(cp(20), cp(20)).starts_with("1. Na3 is as good as 1. Nc3"));
        assert_eq!(
            said(Score::mate_in(3), Score::mated_in(4)),
            "1. Na3: Black mates in 2; 1. Nc3: White mates in 2."
        );
        let same = comparison(&game, scored(cp(20), &best), scored(cp(20), &best));
        assert_eq!(same, ["1. Nc3 is the best move: +20."]);
    }

    #[test]
    fn the_verdict_says_whether_sum_and_search_agree() {
        let (game, line) = game_and_line(KNIGHT, "b1c3");
        let static_sum = shares(game.position(), game.tables()).total;
        let near = verdict(&game, scored(Score::centipawns(static_sum + 20), &line));
        assert!(near.contains("depth 9; the sum says"), "{near}");
        let far = verdict(&game, scored(Score::centipawns(static_sum + 300), &line));
        assert!(far.contains("the moves ahead decide"), "{far}");
        let fen = "4k3/8/8/3q4/8/2N5/3P4/4K3 w - - 0 1";
        let (game, line) = game_and_line(fen, "c3d5");
        let won = verdict(&game, scored(Score::centipawns(420), &line));
        assert!(won.contains("White wins material"), "{won}");
        let none = verdict(&game, scored(Score::DRAW, &[]));
        assert_eq!(none, "There is no move to search.");
    }
}
