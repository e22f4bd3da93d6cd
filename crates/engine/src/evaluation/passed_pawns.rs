//! Passed pawns: what a pawn is worth because no enemy pawn can stop it any more.
//!
//! A pawn is *passed* if in front of it there is no enemy pawn on its own file or on a file beside
//! it, and no own pawn on its own file. That takes three pawns and more to tell, so neither tables
//! of single pieces nor tables of pairs can know it. A passed pawn therefore has scores of its own,
//! added to those of any pawn, by its square and by the king bucket of the side that looks at it:
//! it is worth more the nearer its own king is and the farther the enemy's. (Nalwald has the passed
//! pawn as a role of its own.)

use shakmaty::{Bitboard, Board, Color, File, Role};

use super::king_buckets::Perspective;
use super::pairs::{PAWN_SQUARES, PAWNS, PlacedPiece, pawn_number};

/// The number of scores in one king bucket: own and enemy pawns on their squares.
pub const PASSED_BUCKET_SIZE: usize = PAWNS;

/// The place of a passed pawn in its family, from the perspective of a side. It must stand from the
/// second rank to the seventh.
#[inline]
pub fn passed_pawn_index(side: Color, perspective: Perspective, pawn: PlacedPiece) -> usize {
    perspective.bucket() * PASSED_BUCKET_SIZE + pawn_number(side, perspective, pawn)
}

/// The passed pawns of a side. Pawns on the first or last rank, where none can stand in a game, are
/// left out.
#[inline]
pub fn passed_pawns(board: &Board, side: Color) -> Bitboard {
    let [own, enemy] = [side, !side].map(|color| board.by_piece(Role::Pawn.of(color)));
    // A blocker ahead of a pawn has that pawn ahead of it, seen in the enemy's direction.
    let stopped = ahead_of(own | enemy | beside(enemy), !side);
    own & PAWN_SQUARES & !stopped
}

/// The squares to the left and to the right of these.
#[inline]
fn beside(squares: Bitboard) -> Bitboard {
    let left = squares & !Bitboard::from_file(File::A);
    let right = squares & !Bitboard::from_file(File::H);
    left.shift(-1) | right.shift(1)
}

/// The squares ahead of these, up to the end of the board, as `side` moves its pawns.
#[inline]
pub(super) fn ahead_of(squares: Bitboard, side: Color) -> Bitboard {
    let rank = side.fold_wb(8, -8);
    let mut ahead = squares.shift(rank);
    for ranks in [rank, 2 * rank, 4 * rank] {
        ahead |= ahead.shift(ranks);
    }
    ahead
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::Square;

    /// The definition, square by square.
    fn is_passed(board: &Board, side: Color, pawn: Square) -> bool {
        let is_ahead = |square: Square| match side {
            Color::White => square.rank() > pawn.rank(),
            Color::Black => square.rank() < pawn.rank(),
        };
        let stops = |square: Square, color: Color| {
            let reach = if color == side { 0 } else { 1 };
            is_ahead(square) && square.file().distance(pawn.file()) <= reach
        };
        let mut pawns = board.iter().filter(|(_, piece)| piece.role == Role::Pawn);
        !pawns.any(|(square, piece)| stops(square, piece.color))
    }

    fn squares(of: Bitboard) -> Vec<Square> {
        of.into_iter().collect()
    }

    #[test]
    fn a_pawn_is_passed_unless_one_ahead_stops_it() {
        let board: Board = "4k3/p6p/1p6/8/3P3P/3P4/PP6/4K3".parse().expect("a board");
        assert_eq!(squares(passed_pawns(&board, Color::White)), [Square::D4]);
        assert!(passed_pawns(&board, Color::Black).is_empty());
    }

    proptest! {
        #[test]
        fn passed_pawns_are_those_of_the_definition(
            white in any::<u64>(),
            black in any::<u64>(),
            thin in any::<u64>(),
        ) {
            let mut board = Board::empty();
            let pawns = [
                (white & thin & !black, Color::White),
                (black & thin.rotate_left(13) & !white, Color::Black),
            ];
            for (bits, color) in pawns {
                for square in Bitboard(bits) & PAWN_SQUARES {
                    board.set_piece_at(square, Role::Pawn.of(color));
                }
            }
            for side in Color::ALL {
                let pawns = board.by_piece(Role::Pawn.of(side)).into_iter();
                let expected: Vec<Square> = pawns.filter(|pawn| is_passed(&board, side, *pawn)).collect();
                prop_assert_eq!(squares(passed_pawns(&board, side)), expected);
            }
        }
    }
}
