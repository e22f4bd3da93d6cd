//! Whether the castling rights of a FEN that doesn't say so are those of standard chess or of
//! Chess960.

use std::ops::RangeInclusive;

use shakmaty::{
    CastlingMode, Chess, Color, File, PositionError, PositionErrorKinds, Setup, Square,
};

/// Whether a position can have all its castling rights.
fn has_possible_rights(setup: &Setup, mode: CastlingMode) -> bool {
    let position = setup.clone().position::<Chess>(mode);
    let has_error = |error: PositionError<Chess>| {
        (error.kinds()).contains(PositionErrorKinds::INVALID_CASTLING_RIGHTS)
    };
    !position.is_err_and(has_error)
}

/// Chess960 if castling rights name the files of rooks, as in Shredder-FEN, where standard chess
/// can't have them: `Gg`, or `Hh` with a king that isn't on the e-file.
pub(super) fn mode_of_letters(fen: &str, setup: &Setup) -> Option<CastlingMode> {
    let rights = fen.split(' ').nth(2)?;
    let has_letter = |letters: RangeInclusive<u8>| {
        let mut rights = rights.bytes().map(|right| right.to_ascii_uppercase());
        rights.any(|right| letters.contains(&right))
    };
    // Standard chess has no letter for a rook on an inner file.
    let is_meant = has_letter(b'B'..=b'G')
        || (has_letter(b'A'..=b'H') && !has_possible_rights(setup, CastlingMode::Standard));
    (is_meant && has_possible_rights(setup, CastlingMode::Chess960))
        .then_some(CastlingMode::Chess960)
}

/// The kind of chess that castling rights mean: Chess960 if standard chess can't have them all,
/// Chess960 can, and a player may castle to both sides, or both players may with kings off the
/// e-file. A single right is more likely a slip than a king that began elsewhere, and so is a rook
/// of one player alone that isn't in its corner, with kings on the e-file.
pub(super) fn mode_meant(setup: &Setup) -> CastlingMode {
    let can_have = |mode| has_possible_rights(setup, mode);
    let rights = |color| setup.castling_rights & setup.board.by_color(color);
    let is_off = |king: Option<Square>| king.is_some_and(|king| king.file() != File::E);
    let has_both = Color::ALL.iter().any(|color| rights(*color).count() > 1);
    let have_both = Color::ALL.iter().all(|color| {
        let king = setup.board.king_of(*color);
        !rights(*color).is_empty() && is_off(king)
    });
    let [white, black] = [rights(Color::White).flip_vertical(), rights(Color::Black)];
    let have_same_files =
        (white & black).any() && (white.is_subset(black) || black.is_subset(white));
    let mut with_rights = Color::ALL.iter().filter(|color| rights(**color).any());
    let has_king_off = with_rights.any(|color| is_off(setup.board.king_of(*color)));
    if (has_both || have_both)
        && (has_king_off || have_same_files)
        && !can_have(CastlingMode::Standard)
        && can_have(CastlingMode::Chess960)
    {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    }
}
