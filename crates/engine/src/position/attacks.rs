//! Queries about attacks that move generation, pruning rules and move ordering share.
//!
//! Everything is computed from shakmaty's attack tables; nothing here depends on a search.

use shakmaty::attacks::{
    attacks, between, bishop_attacks, king_attacks, knight_attacks, queen_attacks, rook_attacks,
};
use shakmaty::{Bitboard, Chess, Color, File, Position, Role, Square};

use crate::position::packed_move::PackedMove;

/// Whether the moving piece gives check from its target square. Discovered checks, and checks by
/// castling or by en passant, are not seen.
pub(crate) fn gives_direct_check(position: &Chess, m: PackedMove) -> bool {
    if !m.is_normal() {
        return false;
    }
    let (from, to) = (m.from(), m.to());
    let piece = m.arriving().of(position.turn());
    let occupied = position.board().occupied().without(from).with(to);
    let king = position.board().king_of(!position.turn());
    king.is_some_and(|king| attacks(to, piece, occupied).contains(king))
}

/// Whether a move can give check: directly, by leaving a line to the enemy king, or in a way that
/// needs a closer look (castling, en passant). A move for which this is false gives none.
pub(crate) fn may_give_check(position: &Chess, m: PackedMove) -> bool {
    let board = position.board();
    let king = board.king_of(!position.turn());
    let opens_line =
        || king.is_some_and(|king| queen_attacks(king, board.occupied()).contains(m.from()));
    !m.is_normal() || gives_direct_check(position, m) || opens_line()
}

/// Mobility: whether the pieces of the side to move, without king and pawns, have `min` or more
/// squares to move to. Pins are ignored.
pub(crate) fn has_mobility(position: &Chess, min: usize) -> bool {
    let occupied = position.board().occupied();
    let mut squares = 0;
    for role in [Role::Queen, Role::Rook, Role::Bishop, Role::Knight] {
        for from in position.our(role) {
            squares += (piece_attacks(role, from, occupied) & !position.us()).count();
            if squares >= min {
                return true;
            }
        }
    }
    false
}

/// The squares that the pieces of a side attack, occupied ones of either side included.
pub(crate) fn attacked_by(position: &Chess, side: Color) -> Bitboard {
    let board = position.board();
    let occupied = board.occupied();
    let of_side = board.by_color(side);
    let pawns = board.pawns() & of_side;
    let [left, right] = pawn_attacks(pawns, side);
    let mut attacked = left | right;
    for from in board.knights() & of_side {
        attacked |= knight_attacks(from);
    }
    for from in board.bishops_and_queens() & of_side {
        attacked |= bishop_attacks(from, occupied);
    }
    for from in board.rooks_and_queens() & of_side {
        attacked |= rook_attacks(from, occupied);
    }
    for from in board.kings() & of_side {
        attacked |= king_attacks(from);
    }
    attacked
}

/// The squares that pawns of a side attack towards the a-file and towards the h-file.
#[inline(always)]
pub fn pawn_attacks(pawns: Bitboard, side: Color) -> [Bitboard; 2] {
    let forward = side.fold_wb(8, -8);
    [
        pawns.without(File::A).shift(forward - 1),
        pawns.without(File::H).shift(forward + 1),
    ]
}

/// The pieces of the side to move that are pinned to its king: each is the only piece between the
/// king and an enemy slider.
pub(super) fn pinned_pieces(position: &Chess, king: Square) -> Bitboard {
    let board = position.board();
    let snipers = (rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
        | (bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens());
    let mut pinned = Bitboard::EMPTY;
    for sniper in snipers & position.them() {
        let blockers = between(king, sniper) & board.occupied();
        if !blockers.more_than_one() {
            pinned |= blockers & position.us();
        }
    }
    pinned
}

/// The squares that a piece other than a pawn attacks.
#[inline]
pub(super) fn piece_attacks(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    attacks(from, role.of(Color::White), occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use proptest::prelude::*;
    use shakmaty::CastlingMode;

    fn position(fen: &str) -> Chess {
        from_fen(fen, CastlingMode::Standard).expect("a legal position")
    }

    #[test]
    fn mobility_counts_the_squares_of_pieces_but_not_of_pawns_and_king() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/RB2K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/PPP5/RB2K3 w - - 0 1", false),
            ("4k3/8/8/8/8/8/PPP5/4K3 w - - 0 1", false),
            ("4k3/8/8/3N4/8/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/8/8/8/8/N3K3 w - - 0 1", false),
        ] {
            assert_eq!(has_mobility(&position(fen), 6), expected, "{fen}");
        }
    }

    fn packed_moves(position: &Chess) -> Vec<PackedMove> {
        let legal = position.legal_moves().into_iter();
        legal.filter_map(PackedMove::new).collect()
    }

    fn assert_checks_are_not_missed(position: &Chess) {
        for m in packed_moves(position) {
            let after = position.clone().play(m.into()).expect("a legal move");
            let is_foreseen = may_give_check(position, m);
            assert!(is_foreseen || !after.is_check(), "{m:?} in {position:?}");
        }
    }

    #[test]
    fn checks_of_every_kind_are_foreseen() {
        // By castling, en passant and promotion, and discovered by a piece and by the king.
        for fen in [
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            "8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1",
            "3k4/6P1/8/8/8/8/4K3/8 w - - 0 1",
            "k7/8/2N5/8/4B3/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/4K3/8/8/4R3 w - - 0 1",
        ] {
            assert_checks_are_not_missed(&position(fen));
        }
        let start = Chess::default();
        let moves = packed_moves(&start);
        assert!(!moves.iter().any(|m| may_give_check(&start, *m)));
    }

    /// A square is attacked by a side if and only if it has an attacker of that side.
    fn assert_attacked_squares(position: &Chess) {
        let board = position.board();
        for side in Color::ALL {
            let attacked = attacked_by(position, side);
            for square in Square::ALL {
                let attackers = board.attacks_to(square, side, board.occupied());
                assert_eq!(attacked.contains(square), attackers.any(), "{position:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn attacked_squares_and_checks_of_random_games_are_seen(
            choices in prop::collection::vec(any::<u8>(), 1..160),
        ) {
            let mut position = Chess::default();
            for choice in choices {
                assert_attacked_squares(&position);
                assert_checks_are_not_missed(&position);
                let moves = position.legal_moves();
                let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
                position.play_unchecked(moves[index]);
            }
        }
    }
}
