//! Drawishness in chess words: why a lead counts for less.

use shakmaty::Board;

use super::words::{leader, listed};
use squarewise_engine::drawishness::{Drawishness, EndingKind};
use squarewise_engine::score::Score;

/// A draw is likely if no more than this share of a lead counts.
const LIKELY: f64 = 0.67;

/// Why a draw is likely although a side leads by this score for White, such as "bishops on squares
/// of different colors make a draw likely".
pub(super) fn likely_draw(for_white: Score, board: &Board) -> Option<String> {
    let entry = Drawishness::of(board, leader(for_white)?);
    let lead = f64::from(for_white.value()).abs();
    let reasons = reasons(entry);
    (entry.counted_share(lead) <= LIKELY && !reasons.is_empty()).then(|| {
        let makes = match reasons.as_slice() {
            [reason] if reason.starts_with("a ") || reason.starts_with("no ") => "makes",
            _ => "make",
        };
        format!("{} {makes} a draw likely", listed(&reasons))
    })
}

/// What makes draws likely, such as "few pawns".
fn reasons(entry: Drawishness) -> Vec<String> {
    let pieces = match entry.kind {
        EndingKind::OppositeBishops | EndingKind::OppositeBishopsAndOneMore => {
            Some("bishops on squares of different colors")
        }
        EndingKind::Rooks => Some("rooks alone"),
        EndingKind::Queens => Some("queens alone"),
        EndingKind::MinorAgainstPawns => Some("a single piece"),
        _ => None,
    };
    let pawns = match entry.pawns {
        0 => Some("no pawn to promote"),
        1 => Some("a single pawn"),
        2 | 3 => Some("few pawns"),
        _ => None,
    };
    let wing = (entry.is_on_one_wing && entry.pawns > 1).then_some("pawns on one wing");
    let reasons = [pieces, pawns, wing].into_iter().flatten();
    reasons.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{CastlingMode, Position};
    use squarewise_engine::position::from_fen;

    fn said(fen: &str, for_white: i32) -> Option<String> {
        let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        likely_draw(Score::centipawns(for_white), position.board())
    }

    #[test]
    fn likely_draws_have_a_reason() {
        for (fen, for_white, expected) in [
            (
                "4kb2/5pp1/8/8/8/8/4PPP1/4KB2 w - - 0 1",
                90,
                "bishops on squares of different colors, few pawns and pawns on one wing \
                 make a draw likely",
            ),
            (
                "4kb2/pp3ppp/8/8/8/8/PP2PPPP/4KB2 w - - 0 1",
                90,
                "bishops on squares of different colors make a draw likely",
            ),
            (
                "r2qk3/4pppp/8/8/8/8/4PPPP/R2QK3 w - - 0 1",
                100,
                "pawns on one wing make a draw likely",
            ),
            (
                "r3k1n1/8/8/8/8/8/8/4K1NN b - - 0 1",
                -150,
                "no pawn to promote makes a draw likely",
            ),
        ] {
            assert_eq!(said(fen, for_white).as_deref(), Some(expected), "{fen}");
        }
    }

    #[test]
    fn a_lead_that_wins_or_is_none_and_what_is_no_ending_need_no_reason() {
        for (fen, for_white) in [
            ("4kb2/5pp1/8/8/8/8/4PPP1/4KB2 w - - 0 1", 700),
            ("4kb2/5pp1/8/8/8/8/4PPP1/4KB2 w - - 0 1", 5),
            (
                "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
                100,
            ),
            ("4k3/5ppp/8/8/8/8/PP2PPPP/4K3 w - - 0 1", 100),
        ] {
            assert_eq!(said(fen, for_white), None, "{fen}");
        }
    }
}
