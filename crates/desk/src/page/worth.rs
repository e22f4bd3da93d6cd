//! What each piece is worth in each position of a game, and how much each move changed it.
//!
//! The worth of a piece is its share in the static evaluation, in centipawns from White's point of
//! view: positive for what helps White. A piece keeps its identity when it moves, castles or
//! promotes, so the change by a move is the difference for the same piece. What was taken is gone,
//! and its change is its worth taken away.

use shakmaty::{Color, Move, Square};
use squarewise_engine::position::variant_position::VariantPosition;

use squarewise_engine::evaluation::Tables;
use squarewise_engine::evaluation::breakdown::{Breakdown, PieceTerms};
use squarewise_engine::position::played_move::{captured_square, moved_squares};

/// What the pieces are worth in a position.
#[derive(Debug)]
pub(crate) struct Worth {
    /// The evaluation taken apart.
    pub(crate) breakdown: Breakdown,
    /// The change of each piece by the last move, in the order of [`Breakdown::pieces`]; all 0
    /// before the first move.
    pub(crate) changes: Vec<i32>,
    /// The piece that the last move took, as it was worth before.
    pub(crate) taken: Option<PieceTerms>,
}

impl Worth {
    /// The worth of a position without a move before it.
    pub(crate) fn of(position: &VariantPosition, tables: &Tables) -> Worth {
        let breakdown = Breakdown::of(position, tables);
        Worth {
            changes: vec![0; breakdown.pieces.len()],
            breakdown,
            taken: None,
        }
    }

    /// The worth of `position`, to which the move or null move `m` of `mover` led from here.
    pub(crate) fn after(
        &self,
        m: Option<Move>,
        mover: Color,
        position: &VariantPosition,
        tables: &Tables,
    ) -> Worth {
        let breakdown = Breakdown::of(position, tables);
        let before = |square| self.breakdown.piece_on(square).map_or(0, PieceTerms::total);
        let change = |share: &PieceTerms| {
            let from = m.map_or(share.square, |m| origin(m, mover, share));
            share.total() - before(from)
        };
        let taken = m.and_then(captured_square);
        Worth {
            changes: breakdown.pieces.iter().map(change).collect(),
            taken: taken.and_then(|square| self.breakdown.piece_on(square).cloned()),
            breakdown,
        }
    }
}

/// The square on which a piece stood before a move.
fn origin(m: Move, mover: Color, share: &PieceTerms) -> Square {
    if share.piece.color != mover {
        return share.square;
    }
    let moved = moved_squares(m, mover).into_iter().flatten();
    let mut to_here = moved.filter(|(_, to)| *to == share.square);
    to_here.next().map_or(share.square, |(from, _)| from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Position};
    use squarewise_engine::evaluation::TableSet;
    use squarewise_engine::position::from_fen;

    /// The worths before and after a move, found by its beginning in UCI notation.
    fn around(fen: &str, mode: CastlingMode, uci: &str) -> (Worth, Worth) {
        let tables = TableSet::default().tables();
        let before = VariantPosition::from(from_fen(fen, mode).expect("a legal position"));
        let moves = before.legal_moves();
        let mut moves = moves.iter().filter(|m| m.to_uci(mode).to_string() == uci);
        let m = *moves.next().expect("a legal move");
        let after = before.clone().play(m).expect("a legal move");
        let worth = Worth::of(&before, &tables);
        let next = worth.after(Some(m), before.turn(), &after, &tables);
        (worth, next)
    }

    /// The changes of all parts, those of the pieces that are no more included.
    fn sum_of_changes(before: &Worth, after: &Worth) -> i32 {
        let beyond = |worth: &Worth| -> i32 {
            let families = worth.breakdown.beyond_pieces.iter();
            families.map(|family| family.value()).sum()
        };
        let taken = after.taken.as_ref().map_or(0, PieceTerms::total);
        after.changes.iter().sum::<i32>() - taken + beyond(after) - beyond(before)
            + after.breakdown.tempo
            - before.breakdown.tempo
    }

    fn change_on(worth: &Worth, square: Square) -> i32 {
        let mut pieces = worth.breakdown.pieces.iter().zip(&worth.changes);
        let found = pieces.find(|(share, _)| share.square == square);
        *found.expect("a piece").1
    }

    #[test]
    fn castling_moves_two_pieces_and_each_keeps_its_worth_as_the_start() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let (before, after) = around(fen, CastlingMode::Standard, "e1g1");
        for (from, to) in [(Square::E1, Square::G1), (Square::H1, Square::F1)] {
            let total =
                |worth: &Worth, square| worth.breakdown.piece_on(square).map(PieceTerms::total);
            let difference = total(&after, to).zip(total(&before, from));
            let difference = difference.map(|(after, before)| after - before);
            assert_eq!(difference, Some(change_on(&after, to)));
        }
        assert_eq!(after.taken, None);
    }

    #[test]
    fn what_is_taken_en_passant_is_found_beside_the_pawn() {
        let fen = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        let (_, after) = around(fen, CastlingMode::Standard, "e5d6");
        assert_eq!(after.taken.map(|share| share.square), Some(Square::D5));
    }

    #[test]
    fn in_chess960_the_king_may_castle_to_the_square_of_the_rook() {
        let fen = "1k6/8/8/8/8/8/8/5KR1 w G - 0 1";
        let (before, after) = around(fen, CastlingMode::Chess960, "f1g1");
        let difference = after.breakdown.total - before.breakdown.total;
        assert_eq!(sum_of_changes(&before, &after), difference);
        assert_eq!(after.taken, None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn parts_add_up_to_the_evaluation_and_changes_to_its_change(choices in prop::collection::vec(0usize..1000, 1..80)) {
            let tables = TableSet::default().tables();
            let mut position = VariantPosition::default();
            let mut worth = Worth::of(&position, &tables);
            for choice in choices {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[choice % moves.len()];
                let mover = position.turn();
                position.play_unchecked(m);
                let next = worth.after(Some(m), mover, &position, &tables);
                let pieces: i32 = next.breakdown.pieces.iter().map(PieceTerms::total).sum();
                let beyond = next.breakdown.beyond_pieces.iter();
                let beyond: i32 = beyond.map(|family| family.value()).sum();
                prop_assert_eq!(pieces + beyond + next.breakdown.tempo, next.breakdown.total);
                prop_assert_eq!(sum_of_changes(&worth, &next), next.breakdown.total - worth.breakdown.total);
                worth = next;
            }
        }
    }
}
