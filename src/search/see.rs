//! Static exchange evaluation (SEE): the material that a move wins or loses by the captures on its target square.
//!
//! Both sides recapture with their least valuable attacker, and each may stop when going on would lose material.
//! A king does not capture a defended piece. No move is made on the board: the attackers are removed from a copy
//! of the occupancy one by one, and sliders behind them join in (x-rays).
//!
//! Simplifications: pins and checks are ignored, a recapturing pawn does not promote, castling
//! exchanges nothing, and en passant wins a pawn without being recaptured.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square, attacks};

use crate::position::packed_move::PackedMove;

/// The values of the pieces in an exchange, in centipawns, by the number of the role. Index 0 stands for no
/// piece; 7 is unused. They are independent of the piece-square tables, which value a piece differently on every
/// square.
const VALUES: [i32; 8] = [0, 100, 320, 320, 500, 950, 20_000, 0];

/// The value of a piece in an exchange, in centipawns.
#[inline]
pub fn value_of(role: Role) -> i32 {
    VALUES[usize::from(role)]
}

/// The value of the piece that a move captures, in centipawns; 0 if it captures nothing.
#[inline]
pub fn captured_value(m: PackedMove) -> i32 {
    VALUES[m.capture_number()]
}

/// Whether the static exchange evaluation of a legal move is `threshold` centipawns or more.
pub fn see_ge(position: &Chess, m: PackedMove, threshold: i32) -> bool {
    let gain = immediate_gain(m);
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
fn immediate_gain(m: PackedMove) -> i32 {
    let becomes = |promoted| value_of(promoted) - value_of(Role::Pawn);
    captured_value(m) + m.promotion().map_or(0, becomes)
}

/// Plays out the recaptures on `square`, with `side` to capture first. `balance` is what the other side, the first
/// mover, has gained beyond the threshold if it loses the piece on the square; it is negative. Returns whether the
/// first mover ends at the threshold or above.
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
        // The balance of the capturing side if it loses its capturing piece in turn.
        balance = -balance - 1 - value_of(role);
        if balance >= 0 {
            // A king may not capture a defended piece.
            if role == Role::King && (attackers & board.by_color(side)).any() {
                side = !side;
            }
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
    // The side that cannot or will not capture has lost the exchange.
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
    use shakmaty::CastlingMode;
    use shakmaty::uci::UciMove;

    /// The exact value, found by trying thresholds.
    fn see_value(fen: &str, m: &str) -> i32 {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        let uci: UciMove = m.parse().expect("a move");
        let m = uci.to_move(&position).expect("a legal move");
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
            // The king may not take back what is defended.
            ("4k3/3p4/8/8/8/8/3R4/3RK3 w - - 0 1", "d2d7", 100),
            // The king takes back what is not.
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
            assert_eq!(see_value(fen, m), expected, "{m} in {fen}");
        }
    }
}
