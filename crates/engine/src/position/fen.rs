//! Positions from FEN and EPD, and the start positions of Chess960.
//!
//! A castling right or an en passant square that can't be is left out ([`LeftOut`]); a position
//! that can't be is an error ([`FenError`]). Castling rights that standard chess can't have are
//! those of Chess960.

use std::num::NonZero;

use shakmaty::fen::{Epd, Fen};
use shakmaty::{Board, CastlingMode, Chess, PositionError, PositionErrorKinds, Setup};

use super::castling_mode::{mode_meant, mode_of_letters};
use super::fen_error::FenError;

/// The parts of a FEN that can't be true and were dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// A castling right without the king and the rook in their places.
    pub castling_right: bool,
    /// An en passant square that no pawn has just passed.
    pub en_passant_square: bool,
}

impl LeftOut {
    /// In words; `None` if nothing was left out.
    pub fn in_words(self) -> Option<&'static str> {
        match (self.castling_right, self.en_passant_square) {
            (false, false) => None,
            (true, false) => {
                Some("castling rights without king and rook in their places are left out")
            }
            (false, true) => {
                Some("the en passant square, which no pawn has just passed, is left out")
            }
            (true, true) => Some(
                "castling rights without king and rook in their places and the en passant square, \
                 which no pawn has just passed, are left out",
            ),
        }
    }
}

/// The position of a FEN, with castling rights read as in standard chess or as in Chess960. A
/// castling right or an en passant square that can't be is left out, as other programs do.
///
/// # Errors
///
/// [`FenError`] if the text is not a FEN or the position is illegal.
pub fn from_fen(fen: &str, mode: CastlingMode) -> Result<Chess, FenError> {
    Ok(read_fen(fen, Some(mode))?.0)
}

/// The position of a FEN. Castling rights that standard chess can't have are read as in Chess960
/// where they are meant so.
///
/// # Errors
///
/// As [`from_fen`] in standard chess.
pub fn from_fen_of_any_mode(fen: &str) -> Result<Chess, FenError> {
    Ok(read_fen(fen, None)?.0)
}

/// The position of a FEN and what was left out of it, with castling rights of a mode or, without
/// one, as they are meant.
///
/// # Errors
///
/// As [`from_fen`].
pub fn read_fen(fen: &str, mode: Option<CastlingMode>) -> Result<(Chess, LeftOut), FenError> {
    let (setup, mode) = setup_of(fen, mode)?;
    from_setup(setup, mode)
}

/// What a FEN says, and the mode of its castling rights if one is given or its letters tell it.
pub(super) fn setup_of(
    fen: &str,
    mode: Option<CastlingMode>,
) -> Result<(Setup, Option<CastlingMode>), FenError> {
    let fen = plain_fen(fen);
    let setup = fen.parse::<Fen>()?.into_setup();
    let mode = mode.or_else(|| mode_of_letters(&fen, &setup));
    Ok((setup, mode))
}

/// Whether a text that is no position was meant as one: the first of several words on its only line
/// has eight ranks or more.
pub fn is_meant_as_fen(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let has_ranks = words
        .next()
        .is_some_and(|board| board.split('/').count() >= 8);
    has_ranks && words.next().is_some() && text.trim().lines().count() == 1
}

/// A FEN with the spaces, the hyphens and the fields that it should have: texts from pages and word
/// processors have spaces that don't break, and dashes. Some have two for one, an en passant square
/// in capitals, or nothing in its place.
fn plain_fen(fen: &str) -> String {
    let is_dash = |c| matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}');
    let fen = fen.replace(is_dash, "-");
    let mut fields: Vec<&str> = fen.split_whitespace().collect();
    for field in fields.iter_mut().skip(2).filter(|field| **field == "--") {
        *field = "-";
    }
    let is_number = |field: &str| field.bytes().all(|byte| byte.is_ascii_digit());
    if fields.len() == 5 && fields[3..].iter().all(|field| is_number(field)) {
        fields.insert(3, "-");
    }
    let square = fields.get(3).map(|square| square.to_ascii_lowercase());
    if let Some((field, square)) = fields.get_mut(3).zip(square.as_deref()) {
        *field = square;
    }
    fields.join(" ")
}

/// The position of a line of EPD, its first four fields, and the rest of the line: its operations.
/// Castling rights are read as in standard chess. A FEN is accepted too; its last two fields are
/// the rest.
///
/// # Errors
///
/// [`FenError`] if the line doesn't begin with a position or the position is illegal.
pub fn from_epd(line: &str) -> Result<(Chess, &str), FenError> {
    let (position, _, operations) = read_epd(line, Some(CastlingMode::Standard))?;
    Ok((position, operations))
}

/// As [`from_epd`], but castling rights that standard chess can't have are read as in Chess960
/// where they are meant so.
///
/// # Errors
///
/// As [`from_epd`].
pub fn from_epd_of_any_mode(line: &str) -> Result<(Chess, &str), FenError> {
    let (position, _, operations) = read_epd(line, None)?;
    Ok((position, operations))
}

/// The position of a line of EPD, what was left out of it, and its operations, with castling rights
/// of a mode or, without one, as they are meant.
///
/// # Errors
///
/// As [`from_epd`].
pub fn read_epd(
    line: &str,
    mode: Option<CastlingMode>,
) -> Result<(Chess, LeftOut, &str), FenError> {
    let (fen, operations) = epd_fields(line);
    if counts_checks(operations) {
        return Err(FenError::OfOtherVariant);
    }
    let fen = plain_fen(&fen);
    let mut setup = fen.parse::<Epd>()?.into_setup();
    let mode = mode.or_else(|| mode_of_letters(&fen, &setup));
    if let Some((halfmoves, fullmoves)) = counters(operations) {
        setup.halfmoves = halfmoves;
        setup.fullmoves = fullmoves;
    }
    let (position, left_out) = from_setup(setup, mode)?;
    Ok((position, left_out, operations))
}

/// Whether a count of checks stands before the operations, such as `3+3`, or `+0+0` behind the
/// counters.
fn counts_checks(operations: &str) -> bool {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let is_count = |word: &str| {
        let checks = word.strip_prefix('+').unwrap_or(word).split_once('+');
        checks.is_some_and(|(white, black)| is_number(white) && is_number(black))
    };
    let words: Vec<&str> = operations.split_whitespace().take(3).collect();
    match words[..] {
        [halfmoves, fullmoves, checks] if is_number(halfmoves) && is_number(fullmoves) => {
            is_count(checks)
        }
        [first, ..] => is_count(first),
        [] => false,
    }
}

/// The half moves since the last capture or pawn move, and the number of the move: the last two
/// fields of a FEN, where they stand before the operations, or the operations `hmvc` and `fmvn`.
pub fn counters(operations: &str) -> Option<(u32, NonZero<u32>)> {
    let mut words = operations.split_whitespace();
    let mut field = || words.next()?.trim_end_matches(';').parse().ok();
    let operation = |name| {
        let values = operations.split(';').map(str::trim);
        let mut values = values.filter_map(|operation| operation.strip_prefix(name));
        values.next()?.trim().parse().ok()
    };
    let (halfmoves, fullmoves) = match (field(), field()) {
        (Some(halfmoves), Some(fullmoves)) => (halfmoves, fullmoves),
        _ => match (operation("hmvc "), operation("fmvn ")) {
            (None, None) => return None,
            (halfmoves, fullmoves) => (halfmoves.unwrap_or(0), fullmoves.unwrap_or(1)),
        },
    };
    Some((halfmoves, NonZero::new(fullmoves.max(1))?))
}

/// The first four fields of a line of EPD, which are those of a FEN without its numbers, and the
/// rest of the line: its operations. Where one follows in the place of the castling rights or the en
/// passant square, as if there were none, these are missing.
pub fn epd_fields(line: &str) -> (String, &str) {
    const OPERATIONS: [&str; 8] = ["bm", "am", "dm", "ce", "id", "c0", "acd", "pv"];
    let mut rest = line.trim_start();
    let fields = [0, 1, 2, 3].map(|index| {
        let end = rest.find(|c: char| c.is_whitespace() || c == ';');
        let (field, after) = rest.split_at(end.unwrap_or(rest.len()));
        if index >= 2 && OPERATIONS.contains(&field) {
            return "-";
        }
        rest = after.trim_start();
        field
    });
    (fields.join(" ").trim_end().to_owned(), rest)
}

/// The position of what a text says, and the castling rights and the en passant square that were
/// left out because they can't be. Without a mode the castling rights are read as they are meant.
///
/// # Errors
///
/// If the position is illegal, or has pieces in hand or counts checks.
pub fn from_setup(setup: Setup, mode: Option<CastlingMode>) -> Result<(Chess, LeftOut), FenError> {
    if setup.pockets.is_some() || setup.remaining_checks.is_some() {
        return Err(FenError::OfOtherVariant);
    }
    let mode = mode.unwrap_or_else(|| mode_meant(&setup));
    let error = match setup.clone().position::<Chess>(mode) {
        Ok(position) => return Ok((position, LeftOut::default())),
        Err(error) => error,
    };
    let kinds = error.kinds();
    if setup.ep_square.is_some() && kinds.contains(PositionErrorKinds::IMPOSSIBLE_CHECK) {
        // No pawn has just passed there if another piece gives the check.
        let without = Setup {
            ep_square: None,
            ..setup
        };
        let (position, mut left_out) = from_setup(without, Some(mode))?;
        left_out.en_passant_square = true;
        return Ok((position, left_out));
    }
    let left_out = LeftOut {
        castling_right: kinds.contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS),
        en_passant_square: kinds.contains(PositionErrorKinds::INVALID_EP_SQUARE),
    };
    error
        .ignore_invalid_castling_rights()
        .or_else(PositionError::ignore_invalid_ep_square)
        .map(|position| (position, left_out))
        .map_err(|error| FenError::Illegal(Box::new(error)))
}

/// The number of start positions of Chess960.
pub const CHESS960_STARTS: u32 = 960;

/// The start position of Chess960 with this number, below [`CHESS960_STARTS`], as Reinhard
/// Scharnagl counts them; 518 is that of standard chess.
///
/// # Panics
///
/// If there is no such number.
pub fn chess960_start(number: u32) -> Chess {
    let board = Board::chess960(number);
    let setup = Setup {
        castling_rights: board.rooks(),
        board,
        ..Setup::initial()
    };
    setup
        .position(CastlingMode::Chess960)
        .expect("the start positions of Chess960 are legal")
}

/// The lines of a text that hold positions, with their numbers from 1: all but empty ones and
/// comments, which begin with `#`, `;`, `%` or `//`. Carriage returns alone end lines too, and
/// quotation marks around a line, with a comma as in the list of a program, are no part of it.
pub fn epd_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = text.split('\n').flat_map(|line| {
        let line = line.strip_suffix('\r').unwrap_or(line);
        line.split('\r')
    });
    let lines = lines.map(|line| {
        let quoted = line.trim().trim_end_matches(',').strip_prefix('"');
        let inner = quoted.and_then(|quoted| quoted.strip_suffix('"'));
        inner.unwrap_or(line)
    });
    (1..).zip(lines).filter(|(_, line)| {
        let line = line.trim_start();
        !line.is_empty() && !line.starts_with(['#', ';', '%']) && !line.starts_with("//")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::{EnPassantMode, Position};
    use std::collections::HashSet;

    #[test]
    fn spaces_and_dashes_of_all_kinds_stand_in_a_fen() {
        let fen = "k7/8/8/8/8/8/7R/K5R1 w - - 0 1";
        let expected = from_fen(fen, CastlingMode::Standard).expect("a legal position");
        for [space, dash] in [["\u{a0}", "-"], [" ", "–"], ["\t ", "−"]] {
            let fen = fen.replace('-', dash).replace(' ', space);
            let found = from_fen(&fen, CastlingMode::Standard).expect("a legal position");
            assert_eq!(found, expected, "{fen}");
        }
    }

    #[test]
    fn fields_that_are_missing_or_written_otherwise_are_read() {
        let start = "rnbqkbnr/pppp1ppp/8/8/3Pp3/8/PPP1PPPP/RNBQKBNR";
        let expected = from_fen(&format!("{start} b KQkq d3 0 3"), CastlingMode::Standard);
        let with_capital = from_fen_of_any_mode(&format!("{start} b KQkq D3 0 3"));
        assert_eq!(with_capital.ok(), expected.ok());
        let without = from_fen_of_any_mode(&format!("{start} b KQkq - 4 3")).ok();
        for fields in ["KQkq 4 3", "KQkq -- 4 3"] {
            let read = from_fen_of_any_mode(&format!("{start} b {fields}"));
            assert_eq!(read.ok(), without, "{fields}");
        }
        assert!(from_fen_of_any_mode(&format!("{start} b KQkq e9 0 3")).is_err());
        for (line, operations) in [
            ("k7/8/8/8/8/8/7R/K5R1 w - bm Rg8#;", "bm Rg8#;"),
            (
                "k7/8/8/8/8/8/7R/K5R1 w bm Rg8#; id \"a\";",
                "bm Rg8#; id \"a\";",
            ),
            ("k7/8/8/8/8/8/7R/K5R1 w -- -- dm 1;", "dm 1;"),
        ] {
            let (position, rest) = from_epd(line).expect("a legal position");
            assert_eq!(rest, operations);
            assert_eq!(position.turn(), shakmaty::Color::White);
        }
    }

    #[test]
    fn the_counters_of_a_fen_before_operations_count() {
        let counts = |operations: &str| {
            let line = format!("k7/8/8/8/8/8/7R/K5R1 w - - {operations}");
            let (position, _) = from_epd(&line).expect("a legal position");
            (position.halfmoves(), position.fullmoves().get())
        };
        assert_eq!(counts("97 120 bm Rg8#;"), (97, 120));
        assert_eq!(counts("97 0"), (97, 1));
        assert_eq!(counts("97 120; bm Rg8#;"), (97, 120));
        assert_eq!(counts("hmvc 97; fmvn 120; bm Rg8#;"), (97, 120));
        assert_eq!(counts("bm Rg8#; fmvn 120;"), (0, 120));
        for operations in [
            "",
            "bm Rg8#;",
            "0 bm Rg8#;",
            "- 7 bm Rg8#;",
            "99999999999 7",
        ] {
            assert_eq!(counts(operations), (0, 1), "{operations}");
        }
    }

    #[test]
    fn positions_of_other_variants_are_refused() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qp] w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 +0+0",
        ] {
            let error = from_fen_of_any_mode(fen).expect_err(fen);
            assert!(matches!(error, FenError::OfOtherVariant), "{fen}: {error}");
            let error = from_epd(fen).expect_err(fen);
            assert!(matches!(error, FenError::OfOtherVariant), "{fen}: {error}");
        }
        let blitz = "4k3/8/8/8/8/8/8/4K2R w K - id \"Blitz 5+3 final\";";
        assert!(from_epd(blitz).is_ok());
    }

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
            let read = read_fen(&format!("{fen} 0 1"), None).expect("a legal position");
            assert_eq!((mode(read.0), read.1), (expected, LeftOut::default()));
        }
        let without_king = "8/8/8/8/8/8/8/K7 w A - 0 1";
        let error = |result: Result<Chess, FenError>| result.map_err(|error| error.to_string());
        assert_eq!(
            error(from_fen_of_any_mode(without_king)),
            error(from_fen(without_king, CastlingMode::Standard))
        );
    }

    #[test]
    fn rights_of_one_wing_are_those_of_chess960_if_both_sides_have_them_or_letters_name_files() {
        for number in 0..CHESS960_STARTS {
            let start = chess960_start(number);
            let board = start.board().to_string();
            let king = board.find('k').expect("a king");
            let rooks = board[..8].match_indices('r').map(|(file, _)| file);
            for rook in rooks.collect::<Vec<_>>() {
                let letter = char::from(b'a' + rook as u8);
                let side = if rook > king { 'k' } else { 'q' };
                // With a king on the e-file the letter of a wing is sooner a slip.
                let is_clear = king != 4;
                for right in [Some(letter), is_clear.then_some(side)]
                    .into_iter()
                    .flatten()
                {
                    let rights = format!("{}{right}", right.to_ascii_uppercase());
                    let fen = format!("{board} w {rights} - 0 1");
                    let (position, left_out) = read_fen(&fen, None).expect("a legal position");
                    assert_eq!(left_out, LeftOut::default(), "{fen}");
                    assert_eq!(position.castles().castling_rights().count(), 2, "{fen}");
                }
            }
        }
        // A single letter names a file.
        let fen = "bqn2k1r/pppppppp/8/8/8/8/PPPPPPPP/BQN2K1R w H - 0 1";
        let (position, left_out) = read_fen(fen, None).expect("a legal position");
        assert_eq!(left_out, LeftOut::default());
        assert_eq!(position.castles().mode(), CastlingMode::Chess960);
    }

    #[test]
    fn rights_and_en_passant_squares_that_cannot_be_are_left_out_and_make_no_chess960() {
        let (castling, square) = (
            LeftOut {
                castling_right: true,
                ..LeftOut::default()
            },
            LeftOut {
                en_passant_square: true,
                ..LeftOut::default()
            },
        );
        let both = LeftOut {
            castling_right: true,
            en_passant_square: true,
        };
        for (fen, kept, left_out) in [
            (
                "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                "KQq",
                castling,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w KQkq - 0 1",
                "Kkq",
                castling,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1",
                "KQkq",
                square,
            ),
            (
                "rnbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq e3 0 1",
                "KQq",
                both,
            ),
            // The knight gives the check, and no pawn has just moved.
            ("4k3/8/3N4/8/4P3/8/8/4K3 b - e3 0 1", "-", square),
            ("4k3/8/3N4/8/4P3/8/8/4K3 b Q e3 0 1", "-", both),
            ("6k1/8/8/8/8/8/8/2R3K1 w Q - 0 1", "-", castling),
            ("6k1/8/8/8/8/8/8/2R3K1 w KQkq - 0 1", "-", castling),
            // A rook has moved, and with it the right is gone.
            (
                "r1bqkbr1/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 4 5",
                "KQq",
                castling,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1RBQKBNR w KQkq - 0 1",
                "Kkq",
                castling,
            ),
            ("4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1", "K", castling),
        ] {
            let (position, found) = read_fen(fen, None).expect("a legal position");
            let written = Fen::from_position(&position, EnPassantMode::Always).to_string();
            assert_eq!(written.split(' ').nth(2), Some(kept), "{fen}");
            assert_eq!(found, left_out, "{fen}");
            assert!(found.in_words().is_some());
            assert_eq!(position.castles().mode(), CastlingMode::Standard, "{fen}");
        }
        // Kings and rooks of Chess960 that may castle to both sides are meant so, in whatever
        // letters.
        for rights in ["KQkq", "HBhb"] {
            let fen = format!("nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w {rights} - 0 1");
            let (position, left_out) = read_fen(&fen, None).expect("a legal position");
            assert_eq!(position.castles().mode(), CastlingMode::Chess960);
            assert_eq!(left_out.in_words(), None);
        }
    }

    #[test]
    fn lines_of_epd_end_in_any_way_and_comments_begin_in_any_way() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["# a", "one", "; b", "", "// c", "two", "% d"].join(end);
            assert_eq!(
                epd_lines(&text).collect::<Vec<_>>(),
                [(2, "one"), (6, "two")]
            );
        }
    }

    #[test]
    fn empty_lines_and_comments_hold_no_position_but_are_counted() {
        let lines = epd_lines("# two positions\r\n\r\none\r\n \t\n two\n#");
        assert_eq!(lines.collect::<Vec<_>>(), [(3, "one"), (5, " two")]);
        let lines = epd_lines("\"one\",\n \"two; id \"2\"\"\nid \"3\"");
        let expected = [(1, "one"), (2, "two; id \"2\""), (3, "id \"3\"")];
        assert_eq!(lines.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_line_that_is_no_position_is_refused() {
        assert!(matches!(from_epd("bm Rg8#;"), Err(FenError::Syntax(_))));
        assert!(matches!(from_epd(""), Err(FenError::Syntax(_))));
        let without_kings = "8/8/8/8/8/8/8/8 w - -";
        assert!(matches!(from_epd(without_kings), Err(FenError::Illegal(_))));
    }

    #[test]
    fn all_start_positions_of_chess960_differ_and_allow_castling() {
        let starts: Vec<Chess> = (0..CHESS960_STARTS).map(chess960_start).collect();
        let different: HashSet<String> = starts
            .iter()
            .map(|start| start.board().to_string())
            .collect();
        assert_eq!(different.len(), CHESS960_STARTS as usize);
        assert!(
            starts
                .iter()
                .all(|start| start.castles().castling_rights().count() == 4)
        );
        let named = |number: usize| {
            let first_rank = starts[number].board().to_string();
            first_rank
                .split('/')
                .next_back()
                .unwrap_or_default()
                .to_owned()
        };
        for (number, rank) in [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ] {
            assert_eq!(named(number), rank, "{number}");
        }
    }
}
