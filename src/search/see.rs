//! Static exchange evaluation: what a capture is worth once the recaptures on its square are played out.
//!
//! Both sides capture with their least valuable piece and may stop when going on would lose. No move is
//! made: the attackers of the square are taken off a copy of the occupancy one by one, and what stood
//! behind them joins in.

use shakmaty::{Bitboard, Board, Chess, Color, Position, Role, Square, attacks};

use crate::position::packed_move::PackedMove;

/// Exchange values by the numbers of the roles, in centipawns: coarse on purpose, for tables may value a
/// piece differently on every square. Nothing, and a number that no role has, are worth nothing.
const VALUES: [i32; 8] = [0, 100, 320, 320, 500, 950, 20_000, 0];

/// The exchange value of a piece in centipawns.
#[inline]
pub fn value_of(role: Role) -> i32 {
    VALUES[usize::from(role)]
}

/// The exchange value of what a move takes, in centipawns; zero if nothing.
#[inline]
pub fn value_taken(m: PackedMove) -> i32 {
    VALUES[m.capture_number()]
}

/// Whether a legal move wins at least `threshold` centipawns by exchanges on its target square. Pins
/// among the recapturing pieces are not looked at.
pub fn see_ge(position: &Chess, m: PackedMove, threshold: i32) -> bool {
    let gain = gain_of(m);
    if !m.is_normal() {
        // Castling exchanges nothing; en passant is a pawn for a pawn, and close enough to a win of one.
        return gain >= threshold;
    }

    // Even if the moved piece stands safe the threshold is missed.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    // Even if the moved piece is lost for nothing the threshold is reached.
    balance -= VALUES[m.arriving_number()];
    if balance >= 0 {
        return true;
    }
    let to = m.to();
    let occupied = position.board().occupied().without(m.from()).with(to);
    wins_exchange(position.board(), to, occupied, !position.turn(), balance)
}

/// What a move wins at once: what it takes, and what a pawn becomes.
fn gain_of(m: PackedMove) -> i32 {
    let becomes = |promoted| value_of(promoted) - value_of(Role::Pawn);
    value_taken(m) + m.promotion().map_or(0, becomes)
}

/// Plays the recaptures on `square` out, `side` to capture. `balance` is what the first mover has gained
/// over the threshold if the piece now on the square is lost, which is less than nothing. True if the
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
        // The capturer's view: what it stands at if its own piece is lost in turn.
        balance = -balance - 1 - value_of(role);
        if balance >= 0 {
            // The king may not capture into an attack.
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
    // Whoever is to capture and can't, or won't, has lost the exchange.
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
    use shakmaty::CastlingMode;
    use shakmaty::fen::Fen;
    use shakmaty::uci::UciMove;

    /// The exact gain, found by trying thresholds.
    fn gain(fen: &str, m: &str) -> i32 {
        let fen: Fen = fen.parse().expect("a valid FEN");
        let position: Chess = fen
            .into_position(CastlingMode::Standard)
            .expect("a legal position");
        let uci: UciMove = m.parse().expect("a move");
        let m = uci.to_move(&position).expect("a legal move");
        let m = PackedMove::new(m).expect("no drop");
        (-2_000..=2_000)
            .rev()
            .find(|threshold| see_ge(&position, m, *threshold))
            .expect("a gain on the scale")
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
            assert_eq!(gain(fen, m), expected, "{m} in {fen}");
        }
    }
}
