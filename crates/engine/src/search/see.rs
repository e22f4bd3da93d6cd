//! Static exchange evaluation (SEE): the material that a move wins or loses by the captures on its
//! target square.
//!
//! Both sides recapture with their least valuable attacker, and each can stop when going on would
//! lose material. A king does not capture a defended piece. No move is made on the board: the
//! attackers are removed from a copy of the occupancy one by one, and sliders behind them join in
//! (x-rays).
//!
//! Simplifications: pins and checks are ignored, a recapturing pawn does not promote, castling
//! exchanges nothing, and en passant wins a pawn without being recaptured.

use shakmaty::{Bitboard, Board, Color, Position, Role, Square, attacks};

use crate::position::packed_move::PackedMove;
use crate::position::variant_position::VariantPosition;

/// The values of the pieces in an exchange, in centipawns, by the number of the role. Index 0
/// stands for no piece; 7 is unused. They are independent of the piece-square tables, which value a
/// piece differently on every square.
const VALUES: [i32; 8] = [0, 100, 320, 320, 500, 950, 20_000, 0];

/// The value of a piece in an exchange, in centipawns.
#[inline]
pub fn value_of(role: Role) -> i32 {
    VALUES[usize::from(role)]
}

/// What a move wins by the piece that it captures, in centipawns: its value, which is lost if the
/// piece is an own one. 0 if it captures nothing.
#[inline]
pub(super) fn captured_value(position: &VariantPosition, m: PackedMove) -> i32 {
    let value = VALUES[m.capture_number()];
    if position.captures_own(m) {
        -value
    } else {
        value
    }
}

/// Whether the static exchange evaluation of a legal move is `threshold` centipawns or more.
pub(crate) fn see_ge(position: &VariantPosition, m: PackedMove, threshold: i32) -> bool {
    let gain = immediate_gain(position, m);
    if !m.is_normal() {
        return gain >= threshold; // castling or en passant: no recaptures
    }

    // Too little even if the moved piece is not recaptured.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    // Enough even if the moved piece is lost for nothing.
    balance -= VALUES[m.arriving_number()];
    if balance >= 0 {
        return true;
    }
    let to = m.to();
    let occupied = position.board().occupied().without(m.from()).with(to);
    wins_exchange(position.board(), to, occupied, !position.turn(), balance)
}

/// What a move wins before any recapture: the captured piece and the gain of a promotion.
fn immediate_gain(position: &VariantPosition, m: PackedMove) -> i32 {
    let becomes = |promoted| value_of(promoted) - value_of(Role::Pawn);
    captured_value(position, m) + m.promotion().map_or(0, becomes)
}

/// Plays out the recaptures on `square`, with `side` to capture first. `balance` is what the other
/// side, the first mover, has gained beyond the threshold if it loses the piece on the square; it
/// is negative. Returns whether the first mover ends at the threshold or above.
fn wins_exchange(
    board: &Board,
    square: Square,
    mut occupied: Bitboard,
    mut side: Color,
    mut balance: i32,
) -> bool {
    let first_mover = !side;
    let diagonal_sliders = board.bishops_and_queens();
    let straight_sliders = board.rooks_and_queens();
    let mut attackers = board.attacks_to(square, Color::White, occupied)
        | board.attacks_to(square, Color::Black, occupied);
    loop {
        attackers &= occupied;
        let own = attackers & board.by_color(side);
        let Some(role) = least_valuable(board, own) else {
            break;
        };
        side = !side;
        // The balance of the capturing side if it loses its capturing piece in turn. The value of a
        // king is so high that it never captures a defended piece.
        balance = -balance - 1 - value_of(role);
        if balance >= 0 {
            break;
        }
        let Some(capturer) = (own & board.by_role(role)).first() else {
            break;
        };
        occupied.discard(capturer);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= attacks::bishop_attacks(square, occupied) & diagonal_sliders;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= attacks::rook_attacks(square, occupied) & straight_sliders;
        }
    }
    // The side that can't capture, or would lose by it, has lost the exchange.
    side != first_mover
}

fn least_valuable(board: &Board, pieces: Bitboard) -> Option<Role> {
    Role::ALL
        .into_iter()
        .find(|role| (pieces & board.by_role(*role)).any())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::from_fen;
    use crate::position::rules::Variant;
    use proptest::prelude::*;
    use shakmaty::uci::UciMove;
    use shakmaty::{CastlingMode, Chess, PositionError, Setup};

    /// The exact value, found by trying thresholds.
    fn see_value(fen: &str, variant: Variant, m: &str) -> i32 {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let position = VariantPosition::new(position, variant);
        let uci: UciMove = m.parse().expect("a move");
        let m = position.uci_move(uci).expect("a legal move");
        let m = PackedMove::new(m).expect("no drop");
        (-2_000..=2_000)
            .rev()
            .find(|threshold| see_ge(&position, m, *threshold))
            .expect("a value in the range")
    }

    #[test]
    fn exchanges_come_out_as_counted_by_hand() {
        for (fen, m, expected) in [
            // A rook takes an undefended pawn.
            (
                "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
                "e1e5",
                100,
            ),
            // A knight takes a pawn that is defended often enough, with sliders behind one another.
            (
                "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
                "d3e5",
                100 - 320,
            ),
            // A pawn takes a knight and is taken back.
            ("4k3/2p5/3n4/4P3/8/8/8/4K3 w - - 0 1", "e5d6", 320 - 100),
            // The king can't recapture a defended piece.
            ("4k3/3p4/8/8/8/8/3R4/3RK3 w - - 0 1", "d2d7", 100),
            // The king recaptures an undefended piece.
            ("4k3/3p4/8/8/8/8/3R4/4K3 w - - 0 1", "d2d7", 100 - 500),
            // A quiet move into a pawn's attack.
            ("4k3/2p5/8/8/3N4/8/8/4K3 w - - 0 1", "d4b5", 0),
            ("4k3/8/2p5/8/3N4/8/8/4K3 w - - 0 1", "d4b5", -320),
            // A promotion, safe and not safe.
            ("8/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", 850),
            ("3r4/4P2k/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", -100),
            // En passant and castling.
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100),
            ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
        ] {
            assert_eq!(see_value(fen, Variant::Chess, m), expected, "{m} in {fen}");
        }
    }

    #[test]
    fn an_own_capture_loses_the_piece_that_it_takes() {
        for (fen, m, expected) in [
            // A knight takes its own queen, safely and into a pawn's attack.
            ("4k3/8/8/3Q4/8/4N3/8/4K3 w - - 0 1", "e3d5", -950),
            ("4k3/8/2p5/3Q4/8/4N3/8/4K3 w - - 0 1", "e3d5", -950 - 320),
            // A pawn takes its own knight and promotes.
            ("1N2k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7b8q", 850 - 320),
        ] {
            let found = see_value(fen, Variant::SelfCapture, m);
            assert_eq!(found, expected, "{m} in {fen}");
        }
    }

    /// The static exchange evaluation by brute force: the captures are played on copies of the
    /// board, and the attackers are recomputed from scratch after each. The rules are those in this
    /// file's description. Of equal attackers the one on the first square captures, counted from a1
    /// to h8.
    fn slow_see(position: &Chess, m: PackedMove) -> i32 {
        if m.is_castle() {
            return 0;
        }
        if m.is_en_passant() {
            return 100;
        }
        let mut board = position.board().clone();
        let captured = board.role_at(m.to()).map_or(0, slow_value);
        let promoted = m.promotion().map_or(0, |role| slow_value(role) - 100);
        board.discard_piece_at(m.from());
        board.set_piece_at(m.to(), m.arriving().of(position.turn()));
        captured + promoted - slow_recapture(&board, m.to(), !position.turn())
    }

    /// What `side` wins by capturing on the square, or 0 if it can't or if that would lose
    /// material.
    fn slow_recapture(board: &Board, square: Square, side: Color) -> i32 {
        let Some((role, from)) = slow_attackers(board, square, side).into_iter().min() else {
            return 0;
        };
        let captured = slow_value(board.role_at(square).expect("there is a piece to capture"));
        let mut after = board.clone();
        after.discard_piece_at(from);
        after.set_piece_at(square, role.of(side));
        if role == Role::King && !slow_attackers(&after, square, !side).is_empty() {
            return 0;
        }
        (captured - slow_recapture(&after, square, !side)).max(0)
    }

    fn slow_attackers(board: &Board, square: Square, side: Color) -> Vec<(Role, Square)> {
        let pieces = board.iter().filter(|(_, piece)| piece.color == side);
        pieces
            .filter(|(from, piece)| {
                attacks::attacks(*from, *piece, board.occupied()).contains(square)
            })
            .map(|(from, piece)| (piece.role, from))
            .collect()
    }

    fn slow_value(role: Role) -> i32 {
        match role {
            Role::Pawn => 100,
            Role::Knight | Role::Bishop => 320,
            Role::Rook => 500,
            Role::Queen => 950,
            Role::King => 20_000,
        }
    }

    /// Every legal move has the value of the slow implementation.
    fn assert_see_is_exact(position: &VariantPosition) {
        for m in position.legal_moves() {
            let packed = PackedMove::new(m).expect("no drop");
            let exact = slow_see(position, packed);
            for (threshold, expected) in [
                (exact - 200, true),
                (exact - 1, true),
                (exact, true),
                (exact + 1, false),
                (exact + 200, false),
            ] {
                let found = see_ge(position, packed, threshold);
                assert_eq!(found, expected, "{m} >= {threshold} in {position:?}");
            }
        }
    }

    /// A position with these pieces besides the kings, if it is legal. A piece is given by two
    /// numbers: its square, and its kind and color.
    fn crowded_position(kings: (u32, u32), pieces: &[(u32, usize)]) -> Option<VariantPosition> {
        let mut setup = Setup::empty();
        for (square, kind) in pieces {
            let square = Square::new(*square);
            let color = Color::from_white(kind % 2 == 0);
            let role = match Role::ALL[kind % 5] {
                Role::Pawn if Bitboard::BACKRANKS.contains(square) => Role::Rook,
                role => role,
            };
            setup.board.set_piece_at(square, role.of(color));
        }
        setup
            .board
            .set_piece_at(Square::new(kings.0), Role::King.of(Color::White));
        setup
            .board
            .set_piece_at(Square::new(kings.1), Role::King.of(Color::Black));
        let position = setup.position(CastlingMode::Standard);
        position
            .or_else(PositionError::ignore_too_much_material)
            .ok()
            .map(Chess::into)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]
        #[test]
        fn moves_in_crowded_positions_have_the_value_of_the_slow_implementation(
            kings in (0u32..64, 0u32..64),
            pieces in prop::collection::vec((0u32..64, 0usize..10), 1..40),
        ) {
            if let Some(position) = crowded_position(kings, &pieces) {
                assert_see_is_exact(&position);
            }
        }
    }

    proptest! {
        #[test]
        fn moves_of_random_games_have_the_value_of_the_slow_implementation(
            choices in prop::collection::vec(any::<u8>(), 1..160),
        ) {
            let mut position = VariantPosition::default();
            for choice in choices {
                assert_see_is_exact(&position);
                let moves = position.legal_moves();
                let Some(index) = usize::from(choice).checked_rem(moves.len()) else { break };
                position.play_unchecked(moves[index]);
            }
        }
    }
}
