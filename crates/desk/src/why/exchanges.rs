//! What hangs and what is pinned, as a player sees it at a glance.
//!
//! Exchanges are counted on the board alone, as static exchange evaluation (SEE) does. Unlike the
//! search's SEE, this one heeds pins: a pinned piece guards nothing off its line.

use shakmaty::attacks::{aligned, attacks, between, bishop_attacks, rook_attacks};
use shakmaty::{Bitboard, Board, Color, Role, Square};

use squarewise_engine::search::see::value_of;

/// A trapped piece costs at least this many centipawns, whatever is taken for it.
const TRAPPED_LOSS: i32 = 150;

/// A piece that can't leave its line without exposing its king.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pin {
    pub piece: Square,
    pub by: Square,
    pub king: Square,
}

/// The pieces of a side that are pinned to their king.
pub(super) fn pins(board: &Board, side: Color) -> Vec<Pin> {
    let Some(king) = board.king_of(side) else {
        return Vec::new();
    };
    let straight = rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens();
    let diagonal = bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    let sliders = (straight | diagonal) & board.by_color(!side);
    let pin = |by: Square| {
        let piece = (between(king, by) & board.occupied()).single_square()?;
        let is_own = board.by_color(side).contains(piece);
        is_own.then_some(Pin { piece, by, king })
    };
    sliders.into_iter().filter_map(pin).collect()
}

/// Whether a piece takes the one that attacks it, which is worth as much: that neither pins nor
/// skewers it.
pub(super) fn can_trade(board: &Board, piece: Square, attacker: Square) -> bool {
    let value = |at: Square| board.role_at(at).map_or(0, value_of);
    let takes = || {
        let color = board.color_at(piece);
        color.is_some_and(|color| attackers(board, attacker, color).contains(piece))
    };
    value(attacker) >= value(piece) && takes()
}

/// The pieces of a side that can capture on a square, pins heeded.
pub(super) fn attackers(board: &Board, square: Square, side: Color) -> Bitboard {
    let mut attackers = board.attacks_to(square, side, board.occupied());
    for pin in pins(board, side) {
        if !aligned(pin.king, pin.piece, square) {
            attackers.discard(pin.piece);
        }
    }
    attackers
}

/// What `side` wins by capturing on a square, in centipawns; 0 if it can't or shouldn't.
pub(super) fn exchange(board: &Board, square: Square, side: Color) -> i32 {
    let is_enemy = board.color_at(square).is_some_and(|color| color != side);
    let capturers = attackers(board, square, side).into_iter();
    let cheapest = capturers.min_by_key(|from| board.role_at(*from).map_or(0, value_of));
    match cheapest.filter(|_| is_enemy) {
        Some(from) => capture_gain(board, from, square).max(0),
        None => 0,
    }
}

/// What a capture wins after all recaptures, in centipawns; negative if it loses material.
pub(super) fn capture_gain(board: &Board, from: Square, to: Square) -> i32 {
    let (Some(piece), Some(victim)) = (board.piece_at(from), board.role_at(to)) else {
        return 0;
    };
    let mut after = board.clone();
    after.discard_piece_at(from);
    after.set_piece_at(to, piece);
    if piece.role == Role::King && attackers(&after, to, !piece.color).any() {
        return -value_of(Role::King);
    }
    value_of(victim) - exchange(&after, to, !piece.color)
}

/// The pieces of a side that hang: the other side wins material by capturing them. The most
/// valuable gain comes first.
pub(super) fn hanging(board: &Board, side: Color) -> Vec<(Square, i32)> {
    let pieces = board.by_color(side) & !board.kings();
    let gains = pieces
        .into_iter()
        .map(|square| (square, exchange(board, square, !side)));
    let mut hanging: Vec<_> = gains.filter(|(_, gain)| *gain > 0).collect();
    hanging.sort_by_key(|(square, gain)| (-gain, *square));
    hanging
}

/// Whether a piece is lost wherever it goes: something of less value attacks it that can't be taken
/// or blocked, and it hangs on all squares that it reaches.
pub(super) fn is_trapped(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else {
        return false;
    };
    if matches!(piece.role, Role::Pawn | Role::King) {
        return false;
    }
    let value = |at: Square| board.role_at(at).map_or(0, value_of);
    let is_attacker = |from: &Square| {
        let loses = value(square) - value(*from) >= TRAPPED_LOSS;
        let blocks = |at: Square| attackers(board, at, piece.color).without(square).any();
        let is_blocked = || between(*from, square).into_iter().any(blocks);
        loses && exchange(board, *from, piece.color) == 0 && !is_blocked()
    };
    let mut attackers = attackers(board, square, !piece.color).into_iter();
    if !attackers.any(|from| is_attacker(&from)) {
        return false;
    }
    let is_lost_on = |to: Square| {
        let mut after = board.clone();
        after.discard_piece_at(square);
        after.set_piece_at(to, piece);
        exchange(&after, to, !piece.color) - value(to) >= TRAPPED_LOSS
    };
    let squares = attacks(square, piece, board.occupied()) & !board.by_color(piece.color);
    squares.into_iter().all(is_lost_on)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).expect("the pieces of a FEN")
    }

    #[test]
    fn a_pinned_piece_guards_nothing_off_its_line() {
        // The knight on e7 is pinned by the rook and doesn't guard d5; in the second position it
        // does.
        let pinned = board("4k3/4n3/8/3p4/8/2N5/8/4RK2");
        assert_eq!(exchange(&pinned, Square::D5, Color::White), 100);
        let free = board("3k4/4n3/8/3p4/8/2N5/8/4RK2");
        assert_eq!(exchange(&free, Square::D5, Color::White), 0);
    }

    #[test]
    fn what_hangs_is_listed_by_what_it_costs() {
        let board = board("4k3/8/8/q7/5p2/1N1N4/8/6K1");
        assert_eq!(
            hanging(&board, Color::Black),
            [(Square::A5, 950), (Square::F4, 100)]
        );
        assert_eq!(hanging(&board, Color::White), []);
    }
}
