//! Why a text is not a position, in the words of a player.

use shakmaty::fen::ParseFenError;
use shakmaty::{Chess, PositionError, PositionErrorKinds};

use super::rules::Variant;

/// Why a text is not a position.
#[derive(Debug, thiserror::Error)]
pub enum FenError {
    /// It is not a FEN.
    #[error(transparent)]
    Syntax(#[from] ParseFenError),
    /// It is a FEN, but the position is illegal.
    #[error("illegal position: {}", in_words(.0.kinds()))]
    Illegal(Box<PositionError<Chess>>),
    /// It has pieces in hand or counts checks, as positions of other variants do.
    #[error("this is a position of another variant: it has pieces in hand or counts checks")]
    OfOtherVariant,
    /// The variant is played from positions of standard chess only.
    #[error(
        "{0} can't be played as Chess960: castling and taking one's own rook would be the same move"
    )]
    NoChess960(Variant),
}

/// What is wrong with a position.
fn in_words(kinds: PositionErrorKinds) -> String {
    if kinds.contains(PositionErrorKinds::EMPTY_BOARD) {
        return "the board is empty".to_owned();
    }
    let words = [
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (
            PositionErrorKinds::TOO_MANY_KINGS,
            "a side has several kings",
        ),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            "a pawn stands on the first or the last rank",
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            "the side that is not to move is in check",
        ),
        (
            PositionErrorKinds::IMPOSSIBLE_CHECK,
            "no move can have given these checks",
        ),
        (
            PositionErrorKinds::TOO_MUCH_MATERIAL,
            "a side has more pieces than it can have",
        ),
    ];
    let found = words.iter().filter(|(kind, _)| kinds.contains(*kind));
    let found: Vec<&str> = found.map(|(_, words)| *words).collect();
    found.join(", and ")
}

#[cfg(test)]
mod tests {
    use crate::position::from_fen_of_any_mode;

    #[test]
    fn a_position_that_cannot_be_is_told_in_the_words_of_a_player() {
        for (fen, words) in [
            ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
            ("8/8/8/8/8/8/8/K7 w - - 0 1", "a king is missing"),
            ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "a side has several kings"),
            (
                "k6P/8/8/8/8/8/8/K7 w - - 0 1",
                "a pawn stands on the first or the last rank",
            ),
            (
                "k7/8/8/8/8/8/8/K6r b - - 0 1",
                "the side that is not to move is in check",
            ),
            (
                "8/8/8/8/8/8/8/K6P w - - 0 1",
                "a king is missing, and a pawn stands on the first or the last rank",
            ),
            (
                "k7/8/8/8/8/8/PPPPPPPP/KQQQ4 w - - 0 1",
                "a side has more pieces than it can have",
            ),
        ] {
            let error = from_fen_of_any_mode(fen).expect_err(fen);
            let expected = format!("illegal position: {words}");
            assert_eq!(error.to_string(), expected, "{fen}");
        }
    }
}
