//! The moves of a position under the names that the page gives them.

use shakmaty::{Move, Position, Square};
use squarewise_engine::position::played_move::moved_squares;
use squarewise_engine::position::variant_position::VariantPosition;

/// The legal moves of a position as the page names them: the squares from and to, and the piece of
/// a promotion. Castling is the king's way to the rook and, where no other move goes so, to its
/// own new square.
pub(super) fn named_moves(position: &VariantPosition) -> Vec<(String, Move)> {
    let legal = position.legal_moves();
    let name = |from: Square, to: Square, m: &Move| {
        let piece = m
            .promotion()
            .map_or(String::new(), |role| role.char().to_string());
        format!("{from}{to}{piece}")
    };
    let mut named: Vec<(String, Move)> = legal
        .iter()
        .filter_map(|m| Some((name(m.from()?, m.to(), m), *m)))
        .collect();
    for m in legal.iter().filter(|m| m.is_castle()) {
        let [king, _] = moved_squares(*m, position.turn());
        if let Some((from, to)) = king.filter(|(from, to)| from != to) {
            let short = name(from, to, m);
            if named.iter().all(|(other, _)| *other != short) {
                named.push((short, *m));
            }
        }
    }
    named
}

/// A move as the page names it.
pub(super) fn name_of(m: Move, position: &VariantPosition) -> String {
    let named = named_moves(position).into_iter();
    let mut named = named.filter(|(_, other)| *other == m);
    named.next_back().map(|(name, _)| name).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;

    #[test]
    fn castling_has_both_its_names_unless_the_king_can_go_there_himself() {
        let named = |fen, mode| {
            let position = VariantPosition::from(from_fen(fen, mode).expect("a legal position"));
            let moves = named_moves(&position).into_iter();
            let castling = moves.filter(|(_, m)| m.is_castle());
            castling.map(|(name, _)| name).collect::<Vec<_>>()
        };
        let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        let mut names = named(fen, CastlingMode::Standard);
        names.sort();
        assert_eq!(names, ["e1a1", "e1c1", "e1g1", "e1h1"]);
        let fen = "1k6/8/8/8/8/8/8/5K1R w H - 0 1";
        assert_eq!(named(fen, CastlingMode::Chess960), ["f1h1"]);
        let fen = "1k6/8/8/8/8/8/8/6KR w H - 0 1";
        assert_eq!(named(fen, CastlingMode::Chess960), ["g1h1"]);
    }
}
