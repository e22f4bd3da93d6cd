//! Writes moves in SAN, by the rules of chess and of its variants.
//!
//! Two pawns can step to the same square where they also step back or sideways, which SAN can't
//! tell apart. Then the square from which the pawn comes is written, too: `e3e4`. An own capture is
//! written like any other.

use shakmaty::san::{San, SanPlus};
use shakmaty::{Move, Position, Role};

use squarewise_engine::position::variant_position::VariantPosition;

/// A legal move in SAN, without a sign of check or mate.
pub(crate) fn san(position: &VariantPosition, m: Move) -> San {
    match m {
        Move::Normal {
            role: Role::Pawn,
            from,
            capture: None,
            to,
            promotion,
        } if has_rival(position, m) => San::Normal {
            role: Role::Pawn,
            file: Some(from.file()),
            rank: Some(from.rank()),
            capture: false,
            to,
            promotion,
        },
        _ => San::from_move(position, m),
    }
}

/// A legal move in SAN, with a sign of check or mate.
pub(crate) fn san_plus(position: &VariantPosition, m: Move) -> SanPlus {
    play_in_san(&mut position.clone(), m)
}

/// Plays a legal move, and returns it in SAN with a sign of check or mate.
pub(crate) fn play_in_san(position: &mut VariantPosition, m: Move) -> SanPlus {
    let san = san(position, m);
    let SanPlus { suffix, .. } = SanPlus::from_move_and_play_unchecked(position, m);
    SanPlus { san, suffix }
}

/// Whether another pawn can step to the square to which a pawn steps.
fn has_rival(position: &VariantPosition, step: Move) -> bool {
    let rules = position.rules();
    let may_have = rules.pawns_step_back || rules.pawns_step_sideways;
    may_have
        && position
            .san_candidates(Role::Pawn, step.to())
            .iter()
            .any(|m| m.from() != step.from())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::written_move;
    use squarewise_engine::position::from_fen_of_any_mode;
    use squarewise_engine::position::rules::Variant;

    fn position(fen: &str, variant: Variant) -> VariantPosition {
        VariantPosition::new(from_fen_of_any_mode(fen).expect("a position"), variant)
    }

    fn moves(fen: &str, variant: Variant) -> Vec<String> {
        let position = position(fen, variant);
        let legal = position.legal_moves().into_iter();
        legal.map(|m| san_plus(&position, m).to_string()).collect()
    }

    #[test]
    fn pawns_that_step_to_the_same_square_are_told_apart() {
        let fen = "7k/8/8/4P3/3P4/4P3/8/K7 w - - 0 1";
        let back = moves(fen, Variant::PawnBack);
        assert!(
            back.contains(&"e3e4".to_owned()) && back.contains(&"e5e4".to_owned()),
            "{back:?}"
        );
        assert!(back.contains(&"d5".to_owned()), "{back:?}");
        let sideways = moves(fen, Variant::PawnSideways);
        assert!(sideways.contains(&"d4e4".to_owned()), "{sideways:?}");
        assert!(moves(fen, Variant::Chess).contains(&"e4".to_owned()));
    }

    #[test]
    fn own_captures_are_written_like_any_other_and_castling_is_none() {
        let found = moves("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Variant::SelfCapture);
        assert!(found.contains(&"O-O".to_owned()), "{found:?}");
        let found = moves("4k3/8/8/8/8/8/8/4K2R w K - 0 1", Variant::SelfCapture);
        assert!(found.contains(&"O-O".to_owned()), "{found:?}");
        let found = moves("4k3/8/8/8/8/8/8/5K1R w - - 0 1", Variant::SelfCapture);
        assert!(!found.contains(&"Kxh1".to_owned()), "{found:?}");
        let found = moves("4k3/8/8/8/8/8/8/6KR w - - 0 1", Variant::SelfCapture);
        assert!(found.contains(&"Kxh1".to_owned()), "{found:?}");
    }

    #[test]
    fn every_move_of_every_variant_is_read_as_it_is_written() {
        for variant in Variant::ALL {
            let mut position = VariantPosition::start_of(variant);
            for ply in 0..120 {
                let legal = position.legal_moves();
                let mut written: Vec<String> = Vec::new();
                for m in &legal {
                    let san = san_plus(&position, *m).to_string();
                    let read = written_move(san.as_bytes(), &position);
                    assert_eq!(read, Ok(*m), "{san} of {variant} in ply {ply}");
                    written.push(san);
                }
                let all = written.len();
                written.sort_unstable();
                written.dedup();
                assert_eq!(written.len(), all, "{variant} in ply {ply}");
                match legal.get((ply * 7 + 3) % legal.len().max(1)) {
                    Some(m) => position.play_unchecked(*m),
                    None => break,
                }
            }
        }
    }
}
