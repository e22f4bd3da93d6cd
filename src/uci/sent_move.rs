//! A move as `position` and `searchmoves` send it.

use std::fmt::{self, Display, Formatter};

use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingSide, Move};
use squarewise_engine::position::variant_position::VariantPosition;

/// A move of a command, which can be illegal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentMove {
    Uci(UciMove),
    /// Castling in letters as in SAN, which Arena sends in Chess960.
    Castling(CastlingSide),
}

impl SentMove {
    /// Reads a move in UCI notation, or castling as `O-O` and `O-O-O` in letters or zeros.
    pub(super) fn parse(text: &str) -> Option<SentMove> {
        match text {
            "O-O" | "0-0" => Some(SentMove::Castling(CastlingSide::KingSide)),
            "O-O-O" | "0-0-0" => Some(SentMove::Castling(CastlingSide::QueenSide)),
            _ => text.parse().ok().map(SentMove::Uci),
        }
    }

    /// The move that is meant, if it is legal in a position.
    pub(super) fn to_move(self, position: &VariantPosition) -> Option<Move> {
        match self {
            SentMove::Uci(uci_move) => position.uci_move(uci_move),
            SentMove::Castling(side) => San::Castle(side).to_move(position).ok(),
        }
    }
}

impl Display for SentMove {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            SentMove::Uci(uci_move) => uci_move.fmt(f),
            SentMove::Castling(side) => San::Castle(*side).fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::CastlingMode;
    use squarewise_engine::position::from_fen;

    #[test]
    fn castling_is_understood_in_every_form() {
        let standard = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        for (mode, fen) in [
            (CastlingMode::Standard, standard),
            (CastlingMode::Chess960, standard),
            (
                CastlingMode::Chess960,
                "1r3kr1/1p4p1/8/8/8/8/1P4P1/1R3KR1 w GBgb - 0 1",
            ),
        ] {
            let position = from_fen(fen, mode).expect("a legal position");
            let position = VariantPosition::from(position);
            for (texts, side) in [
                (["O-O", "0-0"], CastlingSide::KingSide),
                (["O-O-O", "0-0-0"], CastlingSide::QueenSide),
            ] {
                for text in texts {
                    let sent = SentMove::parse(text).expect("a move");
                    assert_eq!(sent.to_string(), texts[0]);
                    let m = sent.to_move(&position).expect("a legal move");
                    assert_eq!(m.castling_side(), Some(side), "{text} in {fen}");
                    // The same in UCI notation.
                    let uci = m.to_uci(mode).to_string();
                    let same = SentMove::parse(&uci).and_then(|sent| sent.to_move(&position));
                    assert_eq!(same, Some(m), "{uci} in {fen}");
                }
            }
        }
    }

    #[test]
    fn castling_by_the_square_of_the_king_is_understood_wherever_king_and_rook_stand() {
        for (fen, uci, side) in [
            (
                "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1",
                "e1c1",
                Some(CastlingSide::QueenSide),
            ),
            (
                "4k3/8/8/8/8/8/8/1K5R w H - 0 1",
                "b1g1",
                Some(CastlingSide::KingSide),
            ),
            (
                "5k1r/8/8/8/8/8/8/4K3 b h - 0 1",
                "f8h8",
                Some(CastlingSide::KingSide),
            ),
            // A step of the king, and ways that are no castling.
            ("4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", "f1g1", None),
            ("4k3/8/8/8/8/8/8/1R2K3 w - - 0 1", "e1c1", None),
            ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b2", None),
            ("2r1k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1c1", None),
        ] {
            let position = from_fen(fen, CastlingMode::Chess960).expect("a legal position");
            let sent = SentMove::parse(uci).expect("a move");
            let m = sent.to_move(&VariantPosition::from(position));
            assert_eq!(m.and_then(|m| m.castling_side()), side, "{uci} in {fen}");
        }
    }

    #[test]
    fn castling_that_is_not_possible_is_illegal_and_other_words_are_no_moves() {
        let sent = SentMove::parse("O-O").expect("a move");
        assert_eq!(sent.to_move(&VariantPosition::default()), None);
        for text in ["O-O+", "o-o", "0-O", "O-O-O-O", "OO", "Nf3", ""] {
            assert_eq!(SentMove::parse(text), None, "{text}");
        }
    }
}
