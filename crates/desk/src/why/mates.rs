//! Mates in words: the patterns that have a name, or who guards the square.

use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, Move, Position, Role};
use squarewise_engine::position::variant_position::VariantPosition;

use super::exchanges::attackers;
use super::words::role_name;

/// What a line that decides the game ends with: "mate", or "stalemate" where that wins.
pub(super) fn end_in_a_word(start: &VariantPosition, line: &[Move]) -> &'static str {
    let mut end = start.clone();
    line.iter().for_each(|m| end.play_unchecked(*m));
    let is_stalemate = end.rules().stalemate_wins && end.is_stalemate();
    if is_stalemate { "stalemate" } else { "mate" }
}

/// Why a move mates, in words: a pattern that has a name, or who guards the square.
pub(super) fn mate_in_words(position: &VariantPosition, m: Move) -> Option<String> {
    let mut after = position.clone();
    after.play_unchecked(m);
    let (board, loser) = (after.board(), after.turn());
    let king = board.king_of(loser).filter(|_| after.is_checkmate())?;
    let around = attacks(king, Role::King.of(loser), Bitboard::EMPTY);
    let checker = after.checkers().single_square()?;
    let role = board.role_at(checker)?;
    let own = board.by_color(loser);
    if role == Role::Knight && (around & !own).is_empty() {
        return Some("a smothered mate, since the king's own pieces leave it no square".to_owned());
    }
    let back_rank = loser.fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth);
    let in_front = around & !Bitboard::from_rank(king.rank());
    let on_rank = checker.rank() == king.rank() && king.rank() == back_rank;
    if on_rank && (in_front & own).count() >= 2 {
        let first = loser.fold_wb("first", "eighth");
        return Some(format!(
            "a mate on the {first} rank, where the king's own pieces shut it in"
        ));
    }
    if checker != m.to() || !around.contains(checker) || m.promotion().is_some() {
        return None;
    }
    let guards = position
        .board()
        .attacks_to(checker, loser, position.board().occupied());
    let helper = attackers(board, checker, !loser).first()?;
    let helper = board.role_at(helper)?;
    // Two kings in one sentence would be one too many, and a pawn doesn't attack what is before it.
    let is_attacked = helper != Role::King && (role != Role::Pawn || m.is_capture());
    let is_alone = guards.count() == 1 && is_attacked;
    let is_same = helper == role;
    let (role, helper) = (role_name(role), role_name(helper));
    let only_the_king = "and only the king guards it";
    Some(match (is_alone, is_same) {
        (true, true) => format!("two {role}s attack {checker}, {only_the_king}"),
        (true, false) => format!("the {role} and the {helper} attack {checker}, {only_the_king}"),
        (false, true) => format!("the {role} is backed by another {role}"),
        (false, false) => format!("the {role} is backed by the {helper}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use shakmaty::san::San;
    use squarewise_engine::position::from_fen;
    use squarewise_engine::position::rules::Variant;

    #[test]
    fn a_stalemate_that_wins_is_no_mate() {
        for (fen, line, end) in [
            ("k7/2Q5/8/8/2K5/8/8/8 w - - 0 1", "Kc5", "stalemate"),
            ("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1", "Qg8#", "mate"),
        ] {
            let (start, _) = VariantPosition::from_fen(fen, None, Variant::StalemateWin)
                .expect("a legal position");
            let san: San = line.parse().expect("a move in SAN");
            let m = san.to_move(&start).expect("a legal move");
            assert_eq!(end_in_a_word(&start, &[m]), end);
            assert_eq!(end_in_a_word(&start, &[]), "mate", "the line ends early");
        }
    }

    #[test]
    fn mates_have_their_names() {
        for (fen, san, words) in [
            ("6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", "Nf7#", "smothered"),
            ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8#", "eighth rank"),
            (
                "7k/8/8/6N1/8/3Q4/8/4K3 w - - 0 1",
                "Qh7#",
                "only the king guards it",
            ),
            (
                "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1",
                "Qg7#",
                "the queen is backed by the king",
            ),
        ] {
            let position = from_fen(fen, CastlingMode::Standard).expect("a legal position");
            let position = VariantPosition::from(position);
            let san: San = san.trim_end_matches('#').parse().expect("a move");
            let m = san.to_move(&position).expect("a legal move");
            let said = mate_in_words(&position, m).unwrap_or_default();
            assert!(said.contains(words), "{said}");
        }
    }
}
