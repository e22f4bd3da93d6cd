//! Why castling is not possible, in words.

use shakmaty::{Bitboard, Board, CastlingSide, File, Position, Rank, Role, Square, attacks};
use squarewise_engine::position::rules::Castling;
use squarewise_engine::position::variant_position::VariantPosition;

use crate::notation::{Pattern, role_name};

/// Why the side to move can't castle to this side, where it can't.
pub(super) fn reason(side: CastlingSide, position: &VariantPosition) -> String {
    if !position.is_time_to_castle() {
        return match position.rules().castling {
            Castling::FromMove(number) => format!("nobody castles before move {number}"),
            _ => "nobody castles in this variant".to_owned(),
        };
    }
    let (board, us) = (position.board(), position.turn());
    let words = match side {
        CastlingSide::KingSide => "on the king's side",
        CastlingSide::QueenSide => "on the queen's side",
    };
    let (Some(king), Some(rook)) = (board.king_of(us), position.castles().rook(us, side)) else {
        if let Some(corner) = corner_without_rook(side, position) {
            return format!("there is no rook on {corner} to castle with");
        }
        return format!("the right to castle {words} is gone: the king or the rook has moved");
    };
    if let Some(checker) = position.checkers().first() {
        return format!("the king is in check from {}", piece_on(board, checker));
    }
    let (king_to, rook_to) = (side.king_to(us), side.rook_to(us));
    let ways = attacks::between(king, king_to)
        | attacks::between(rook, rook_to)
        | Bitboard::from_square(king_to)
        | Bitboard::from_square(rook_to);
    let movers = Bitboard::from_square(king) | Bitboard::from_square(rook);
    if let Some(square) = nearest(ways & board.occupied() & !movers, king) {
        return format!("{} is in the way", piece_on(board, square));
    }
    match attacked_square(position, king, king_to) {
        Some((square, attacker)) if square == king_to => {
            format!("{} attacks {king_to}", piece_on(board, attacker))
        }
        Some((square, attacker)) => {
            let attacker = piece_on(board, attacker);
            format!("the king passes {square}, which {attacker} attacks")
        }
        None => "the rook would leave the king in check".to_owned(),
    }
}

/// The corner of a king on its first square that has no rook of its side, in standard chess.
fn corner_without_rook(side: CastlingSide, position: &VariantPosition) -> Option<Square> {
    let (board, us) = (position.board(), position.turn());
    let rank = us.fold_wb(Rank::First, Rank::Eighth);
    let is_at_home = board.king_of(us) == Some(Square::from_coords(File::E, rank));
    let corner = match side {
        CastlingSide::KingSide => Square::from_coords(File::H, rank),
        CastlingSide::QueenSide => Square::from_coords(File::A, rank),
    };
    let is_standard = position.castles().mode().is_standard();
    (is_standard && is_at_home && board.piece_at(corner) != Some(us.rook())).then_some(corner)
}

/// The first square on the king's way that is attacked, with an attacker.
fn attacked_square(
    position: &VariantPosition,
    king: Square,
    king_to: Square,
) -> Option<(Square, Square)> {
    let (board, us) = (position.board(), position.turn());
    let occupied = board.occupied() & !Bitboard::from_square(king);
    let way = attacks::between(king, king_to) | Bitboard::from_square(king_to);
    let mut squares: Vec<Square> = way.into_iter().collect();
    squares.sort_by_key(|square| square.distance(king));
    squares.into_iter().find_map(|square| {
        let attacker = board.attacks_to(square, !us, occupied).first()?;
        Some((square, attacker))
    })
}

/// The square that is nearest to another: of the pieces in the way, the one that is met first.
pub(super) fn nearest(squares: Bitboard, from: Square) -> Option<Square> {
    let squares = squares.into_iter();
    squares.min_by_key(|square| square.distance(from))
}

/// The side to which a move castles, as UCI writes it: the king goes to where it stands after
/// castling, farther than it can go otherwise, or onto the rook with which it castles. The king of
/// the e-file is understood without the right too.
pub(super) fn castling_side(pattern: Pattern, position: &VariantPosition) -> Option<CastlingSide> {
    let (us, to) = (position.turn(), pattern.to);
    let king = position.board().king_of(us)?;
    let is_king = pattern.role.is_none_or(|role| role == Role::King);
    let side = CastlingSide::from_queen_side(to < king);
    let is_from = match pattern.from() {
        Some(from) => from == king,
        None => is_castling(pattern, side, position),
    };
    if !is_from || !is_king || pattern.promotion.is_some() {
        return None;
    }
    let rook = position.castles().rook(us, side);
    let is_far = king.rank() == to.rank() && king.distance(to) > 1;
    let is_target = is_far && to == side.king_to(us) && (rook.is_some() || king.file() == File::E);
    (is_target || rook == Some(to)).then_some(side)
}

/// Whether a king that goes where castling to this side takes it could castle: `Kg1`.
pub(super) fn is_castling(
    pattern: Pattern,
    side: CastlingSide,
    position: &VariantPosition,
) -> bool {
    let is_king = pattern.role == Some(Role::King);
    let is_there = pattern.to == side.king_to(position.turn());
    is_king && is_there && position.castling_moves(side).into_iter().next().is_some()
}

/// "the knight on g1".
pub(super) fn piece_on(board: &Board, square: Square) -> String {
    format!(
        "the {} on {square}",
        board.role_at(square).map_or("piece", role_name)
    )
}

#[cfg(test)]
mod tests {
    use crate::slips::read_move;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;
    use squarewise_engine::position::variant_position::VariantPosition;

    /// Positions, and below each what is typed and the reason that is given. The king of e1 or d1
    /// that goes elsewhere does not castle.
    const CASES: &str = "
            rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
                O-O: the bishop on f1 is in the way
                0-0-0: the queen on d1 is in the way
                e1g1: the bishop on f1 is in the way
                Ke1-c1: the queen on d1 is in the way
            4k3/8/b7/8/8/8/8/4K2R w K - 0 1
                O-O: the king passes f1, which the bishop on a6 attacks
                e1h1: the king passes f1, which the bishop on a6 attacks
            4k3/8/8/8/3b4/8/8/4K2R w K - 0 1
                O-O: the bishop on d4 attacks g1
            4k3/8/8/8/8/8/8/4K2R w - - 0 1
                O-O: the right to castle on the king's side is gone: the king or the rook has moved
                e1g1: the right to castle on the king's side is gone: the king or the rook has moved
                e1h1: your own rook stands on h1
            4k3/8/8/8/8/8/8/3K3R w - - 0 1
                d1g1: the king on d1 does not reach g1; it can play Kc1, Ke1, Kc2, Kd2 or Ke2
            4k3/8/8/8/8/8/8/4K2R w K - 0 1
                Kg1: castling is written O-O
                e1g1q: the king on e1 does not reach g1; it can play Kd1, Kf1, Kd2, Ke2 or Kf2
                O-O-O: there is no rook on a1 to castle with
            4k3/8/8/8/8/8/6PP/4K2b w - - 0 1
                O-O: there is no rook on h1 to castle with
            4k3/8/8/8/4r3/8/8/4K2R w K - 0 1
                O-O: the king is in check from the rook on e4
";

    #[test]
    fn castling_that_is_not_possible_is_answered_with_the_reason() {
        let mut position = VariantPosition::default();
        for case in CASES.lines().filter(|line| !line.is_empty()) {
            let Some((text, reason)) = case.trim().split_once(": ") else {
                let read = from_fen(case.trim(), CastlingMode::Standard);
                position = read.expect("a legal position").into();
                continue;
            };
            let slip = read_move(text, &position).expect("it looks like a move");
            let slip = slip.expect_err("it is not possible");
            assert!(slip.ends_with(reason), "{position:?} {text}: {slip}");
        }
    }
}
