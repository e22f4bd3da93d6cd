//! What decides endings of kings and pawns, by their rules of thumb: the square of a pawn, the
//! outside passed pawn and the opposition.

use shakmaty::attacks::between;
use shakmaty::{Board, Color, File, Position, Rank, Square};

use super::piece_traits::relative_rank;
use super::words::side_name;
use squarewise_engine::evaluation::passed_pawns::passed_pawns;
use squarewise_engine::position::variant_position::VariantPosition;

/// A passed pawn of a wing is outside if it is this many files away from all other pawns.
const OUTSIDE_FILES: u32 = 3;

/// What can be said of an ending of kings and pawns: whom it favors, what it is worth saying in
/// centipawns, and the words. Empty for all other positions.
pub(super) fn told_of_pawn_ending(position: &VariantPosition) -> Vec<(Color, i32, String)> {
    let board = position.board();
    if board.occupied() != board.kings() | board.pawns() {
        return Vec::new();
    }
    let mut told = Vec::new();
    for side in Color::ALL {
        for pawn in passed_pawns(board, side) {
            if is_out_of_reach(position, side, pawn) {
                let king = side_name(!side);
                let words = format!("{king}'s king is outside the square of the pawn on {pawn}");
                told.push((side, 150, words));
            } else if is_outside(board, pawn) {
                let words = format!("{} has an outside passed pawn on {pawn}", side_name(side));
                told.push((side, 80, words));
            }
        }
    }
    if has_opposition(board) {
        let side = !position.turn();
        told.push((side, 50, format!("{} has the opposition", side_name(side))));
    }
    told
}

/// Whether a pawn that runs is a queen before the other king can catch it, with nobody in its way.
fn is_out_of_reach(position: &VariantPosition, side: Color, pawn: Square) -> bool {
    let board = position.board();
    let rank = relative_rank(side, pawn);
    let two_ahead = pawn.offset(side.fold_wb(16, -16));
    let steps = position.rules().pawn_steps(side, pawn);
    let begins_with_two = two_ahead.is_some_and(|square| steps.contains(square));
    let goal = Square::from_coords(pawn.file(), side.fold_wb(Rank::Eighth, Rank::First));
    let path = between(pawn, goal).with(goal);
    let moves = 7 - rank as u32 - u32::from(begins_with_two);
    let king = board.king_of(!side).map_or(0, |king| king.distance(goal));
    // A king in check moves first.
    let head_start = u32::from(position.turn() != side || position.is_check());
    (path & board.occupied()).is_empty() && king > moves + head_start
}

fn is_outside(board: &Board, pawn: Square) -> bool {
    let mut others = board.pawns().without(pawn).into_iter();
    let is_on_wing = !matches!(pawn.file(), File::D | File::E);
    let is_far = others.all(|other| other.file().distance(pawn.file()) >= OUTSIDE_FILES);
    is_on_wing && is_far && board.pawns().count() > 1
}

/// Whether the kings face each other with one empty square between them: whoever is to move must
/// give way.
fn has_opposition(board: &Board) -> bool {
    let kings = board.king_of(Color::White).zip(board.king_of(Color::Black));
    kings.is_some_and(|(one, other)| {
        let is_straight = one.file() == other.file() || one.rank() == other.rank();
        let is_free = (between(one, other) & board.occupied()).is_empty();
        is_straight && one.distance(other) == 2 && is_free
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;
    use squarewise_engine::position::rules::Variant;

    fn told(fen: &str) -> String {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let told = told_of_pawn_ending(&VariantPosition::from(position));
        let words: Vec<String> = told.into_iter().map(|(.., words)| words).collect();
        words.join("; ")
    }

    #[test]
    fn the_square_of_a_pawn_is_left_or_entered_by_the_move() {
        let outside = "Black's king is outside the square of the pawn on a4";
        assert_eq!(told("8/8/8/8/P4k2/8/8/7K w - - 0 1"), outside);
        assert_eq!(told("8/8/8/8/P4k2/8/8/7K b - - 0 1"), "");
        assert_eq!(told("8/8/8/8/P5k1/8/8/7K b - - 0 1"), outside);
        // Its first step is double, and its own king stands in its way.
        let from_home = "White's king is outside the square of the pawn on h7";
        assert_eq!(told("8/7p/8/8/1K6/8/8/k7 b - - 0 1"), from_home);
        assert_eq!(told("K7/7p/8/7k/8/8/8/8 b - - 0 1"), "");
        // Neither with a single first step, nor if the king must leave a check first.
        let single = "8/8/8/6k1/8/8/P7/7K w - - 0 1";
        let outside = "Black's king is outside the square of the pawn on a2";
        for (variant, words) in [(Variant::Chess, outside), (Variant::PawnOne, "")] {
            let (position, _) =
                VariantPosition::from_fen(single, None, variant).expect("a legal position");
            let told = told_of_pawn_ending(&position);
            assert_eq!(told.first().map_or("", |(.., words)| words), words);
        }
        let check = told("8/8/8/8/8/P5k1/6p1/7K w - - 0 1");
        assert!(!check.contains("Black's king is outside"), "{check}");
    }

    #[test]
    fn a_passed_pawn_is_outside_if_it_is_far_from_all_others() {
        let told_of = told("8/8/8/p5k1/8/P6P/6K1/8 w - - 0 1");
        assert_eq!(told_of, "White has an outside passed pawn on h3");
        assert_eq!(told("8/8/8/2p2k2/2P5/4P3/5K2/8 w - - 0 1"), "");
        assert_eq!(told("8/8/8/6k1/8/7P/6K1/8 w - - 0 1"), "");
    }

    #[test]
    fn who_is_not_to_move_has_the_opposition() {
        let fen = "8/8/4k3/8/4K3/4P3/8/8";
        assert_eq!(
            told(&format!("{fen} w - - 0 1")),
            "Black has the opposition"
        );
        assert_eq!(
            told(&format!("{fen} b - - 0 1")),
            "White has the opposition"
        );
        assert_eq!(told("8/8/5k2/8/4K3/4P3/8/8 w - - 0 1"), "");
        // A pawn stands between them.
        assert_eq!(told("8/8/4k3/4p3/4K3/4P3/8/8 w - - 0 1"), "");
        // There are other pieces.
        assert_eq!(told("8/8/4k3/8/4K3/4P3/8/7n w - - 0 1"), "");
    }
}
