//! Positions: shakmaty's rules of chess, and what a search needs besides them.
//!
//! Added to shakmaty are the game as a stack of positions ([`game`], [`draws`]) with its Zobrist keys
//! ([`zobrist`]), a legal move generator that yields captures and quiet moves apart ([`movegen`],
//! [`attacks`]), moves packed into an integer ([`packed_move`]), and the cuckoo tables that find upcoming
//! repetitions ([`cuckoo`]). [`perft`] tests the move generator; [`played_move`] tells which squares a move changes,
//! and [`random_moves`] begins games to be learned from.

pub mod attacks;
pub mod cuckoo;
pub mod draws;
pub mod game;
pub mod movegen;
pub mod packed_move;
pub mod perft;
pub mod piece_changes;
pub mod played_move;
pub mod random_moves;
pub mod zobrist;

use shakmaty::fen::{Epd, Fen, ParseFenError};
use shakmaty::{CastlingMode, Chess, PositionError};

/// Why a text is not a position.
#[derive(Debug, thiserror::Error)]
pub enum FenError {
    /// It is not a FEN.
    #[error(transparent)]
    Syntax(#[from] ParseFenError),
    /// It is a FEN, but the position is illegal.
    #[error("{0}")]
    Illegal(Box<PositionError<Chess>>),
}

/// The position of a FEN, with castling rights read as in standard chess or as in Chess960.
///
/// # Errors
///
/// [`FenError`] if the text is not a FEN or the position is illegal.
pub fn from_fen(fen: &str, mode: CastlingMode) -> Result<Chess, FenError> {
    let fen: Fen = fen.parse()?;
    let position = fen.into_position(mode);
    position.map_err(|error| FenError::Illegal(Box::new(error)))
}

/// The position of a FEN. Castling rights that standard chess can't have are read as in Chess960.
///
/// # Errors
///
/// As [`from_fen`] in standard chess.
pub fn from_fen_of_any_mode(fen: &str) -> Result<Chess, FenError> {
    standard_or_else_chess960(|mode| from_fen(fen, mode))
}

/// The position of a line of EPD, its first four fields, and the rest of the line: its operations. Castling rights
/// are read as in standard chess. A FEN is accepted too; its last two fields are the rest.
///
/// # Errors
///
/// [`FenError`] if the line doesn't begin with a position or the position is illegal.
pub fn from_epd(line: &str) -> Result<(Chess, &str), FenError> {
    from_epd_in(line, CastlingMode::Standard)
}

/// As [`from_epd`], but castling rights that standard chess can't have are read as in Chess960.
///
/// # Errors
///
/// As [`from_epd`].
pub fn from_epd_of_any_mode(line: &str) -> Result<(Chess, &str), FenError> {
    standard_or_else_chess960(|mode| from_epd_in(line, mode))
}

/// What is read in one of the two modes; if in neither, the error in standard chess.
fn standard_or_else_chess960<T>(
    read: impl Fn(CastlingMode) -> Result<T, FenError>,
) -> Result<T, FenError> {
    read(CastlingMode::Standard).or_else(|error| read(CastlingMode::Chess960).map_err(|_| error))
}

fn from_epd_in(line: &str, mode: CastlingMode) -> Result<(Chess, &str), FenError> {
    let mut rest = line.trim_start();
    let fields = [(); 4].map(|()| {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (field, after) = rest.split_at(end);
        rest = after.trim_start();
        field
    });
    let epd: Epd = fields.join(" ").trim_end().parse()?;
    let position = epd.into_position(mode);
    let position = position.map_err(|error| FenError::Illegal(Box::new(error)))?;
    Ok((position, rest))
}

/// The lines of a text that hold positions, with their numbers from 1: all but empty ones and those that begin with
/// `#`.
pub fn epd_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;

    #[test]
    fn a_line_of_epd_is_a_position_and_its_operations() {
        let (position, operations) =
            from_epd("  k7/8/8/8/8/8/7R/K5R1 w  -\t- bm Rg8#; id \"a  b\";")
                .expect("a legal position");
        let fen = "k7/8/8/8/8/8/7R/K5R1 w - - 0 1";
        let expected = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        assert_eq!(position, expected);
        assert_eq!(operations, "bm Rg8#; id \"a  b\";");
        let (same, rest) = from_epd(fen).expect("a FEN begins like EPD");
        assert_eq!((same, rest), (expected, "0 1"));
    }

    #[test]
    fn castling_rights_that_standard_chess_cannot_have_are_those_of_chess960() {
        let mode = |position: Chess| position.castles().mode();
        for (fen, expected) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
                CastlingMode::Standard,
            ),
            (
                "nnrbkrbq/pppppppp/8/8/8/8/PPPPPPPP/NNRBKRBQ w FCfc -",
                CastlingMode::Chess960,
            ),
        ] {
            let (position, rest) = from_epd_of_any_mode(fen).expect("a legal position");
            assert_eq!((mode(position), rest), (expected, ""));
            let position = from_fen_of_any_mode(&format!("{fen} 0 1")).expect("a legal position");
            assert_eq!(mode(position), expected);
        }
        let without_king = "8/8/8/8/8/8/8/K7 w A - 0 1";
        let error = |result: Result<Chess, FenError>| result.map_err(|error| error.to_string());
        assert_eq!(
            error(from_fen_of_any_mode(without_king)),
            error(from_fen(without_king, CastlingMode::Standard))
        );
    }

    #[test]
    fn empty_lines_and_comments_hold_no_position_but_are_counted() {
        let lines = epd_lines("# two positions\r\n\r\none\r\n \t\n two\n#");
        assert_eq!(lines.collect::<Vec<_>>(), [(3, "one"), (5, " two")]);
    }

    #[test]
    fn a_line_that_is_no_position_is_refused() {
        assert!(matches!(from_epd("bm Rg8#;"), Err(FenError::Syntax(_))));
        assert!(matches!(from_epd(""), Err(FenError::Syntax(_))));
        let without_kings = "8/8/8/8/8/8/8/8 w - -";
        assert!(matches!(from_epd(without_kings), Err(FenError::Illegal(_))));
    }
}
