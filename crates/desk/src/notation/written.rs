//! Moves as they are written in files, where no person can be asked what is meant.

use shakmaty::san::{San, SanError};
use shakmaty::{File, Move, Position, Role};
use squarewise_engine::position::variant_position::VariantPosition;

use super::{Meaning, meaning};

/// The letters of pieces in other languages that are no letters of pieces in English.
pub(crate) const FOREIGN_PIECES: &[u8] = b"ACDFGHJLSTVW";

/// Those of them that [`written_move`] doesn't translate, since they are files too or mean several
/// pieces: only the other moves of a game tell which.
pub(crate) const UNTRANSLATED: &[u8] = b"GHJVW";

/// Why a written move is no move of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoMove {
    /// It is not a legal move.
    Illegal,
    /// Two pieces can play it.
    Ambiguous,
    /// It does not look like a move.
    Unreadable,
}

/// The move of a file, in SAN or in whatever way people write it. A pawn that doesn't say to which
/// piece it promotes becomes a queen. The letters of pieces in German, Dutch, French, Spanish,
/// Italian and Portuguese are understood where they mean nothing else; what others mean, only the
/// other moves of a game can tell.
///
/// # Errors
///
/// Why it can't be played.
pub(crate) fn written_move(text: &[u8], position: &VariantPosition) -> Result<Move, NoMove> {
    // Nearly all moves take this way.
    let san = San::from_ascii(text).ok();
    let by_san = san.map(|san| san_move(san, position));
    let by_dutch = dutch_knight_move(text, position);
    match (&by_san, by_dutch) {
        (Some(Ok(_)), Some(_)) => return Err(NoMove::Ambiguous),
        (Some(Ok(m)), None) => return Ok(*m),
        _ => (),
    }
    if let Some(without_victim) = without_victim(text) {
        return written_move(&without_victim, position);
    }
    let text = std::str::from_utf8(text).map_err(|_| NoMove::Unreadable)?;
    if let Some(knight) = by_dutch {
        return match meaning(text, position) {
            Some(Meaning::Nothing) | None => Ok(knight),
            _ => Err(NoMove::Ambiguous),
        };
    }
    if text.starts_with(|c| UNTRANSLATED.iter().any(|piece| char::from(*piece) == c)) {
        return Err(NoMove::Illegal);
    }
    let translated = with_english_letters(text);
    if let Some((from, to, piece)) = file_capture(&translated) {
        return pawn_capture(position, from, to, piece);
    }
    let text = if san.is_none() { &translated } else { text };
    match (meaning(text, position), by_san) {
        (Some(Meaning::Move(m)), _) => Ok(m),
        (Some(Meaning::NeedsPromotion), _) => match meaning(&format!("{text}=Q"), position) {
            Some(Meaning::Move(m)) => Ok(m),
            _ => Err(NoMove::Ambiguous),
        },
        (_, Some(Err(SanError::AmbiguousSan))) | (Some(Meaning::Several(_)), _) => {
            Err(NoMove::Ambiguous)
        }
        (Some(Meaning::Nothing), _) | (None, Some(_)) => Err(NoMove::Illegal),
        (None, None) => Err(NoMove::Unreadable),
    }
}

/// The move that a word of SAN means. A capture may be written without `x`, and `x` where a piece
/// captures nothing.
fn san_move(san: San, position: &VariantPosition) -> Result<Move, SanError> {
    let result = san.to_move(position);
    match (&result, san) {
        (
            Err(SanError::IllegalSan),
            San::Normal {
                role,
                file,
                rank,
                capture,
                to,
                promotion,
            },
        ) if !capture || role != Role::Pawn => San::Normal {
            role,
            file,
            rank,
            capture: !capture,
            to,
            promotion,
        }
        .to_move(position),
        _ => result,
    }
}

/// The length of what looks like a move at the beginning of a text, without signs of check;
/// castling aside.
pub(crate) fn extent(text: &[u8]) -> Option<usize> {
    let is_file = |index: usize| matches!(text.get(index), Some(b'a'..=b'h'));
    let is_rank = |index: usize| matches!(text.get(index), Some(b'1'..=b'8'));
    let is_square = |index: usize| is_file(index) && is_rank(index + 1);
    let after_sign = |index: usize| match text.get(index) {
        Some(b'x' | b'X' | b':' | b'-') => index + 1,
        _ => index,
    };
    let is_piece = |byte: &u8| b"kqrn".contains(byte) || is_large_letter_of_piece(byte);
    let victim_length = |at: usize| {
        let is_behind_capture = at > 0 && b"xX:".contains(&text[at - 1]);
        let is_victim = text.get(at).is_some_and(is_large_letter_of_piece);
        usize::from(is_behind_capture && is_victim && is_square(at + 1))
    };
    let piece = usize::from(text.first().is_some_and(is_piece));
    let file = is_file(piece);
    let rank = (piece > 0 || file) && is_rank(piece + usize::from(file));
    let origin = piece + usize::from(file) + usize::from(rank);
    let to = if origin > 0 { after_sign(origin) } else { 0 };
    let to = to + victim_length(to);
    if is_square(to) {
        return Some(with_promotion(text, to + 2));
    }
    if file && rank {
        return Some(with_promotion(text, origin));
    }
    // A capture by files alone, such as `ed` or `exd`.
    let is_over = |index: usize| !text.get(index).is_some_and(u8::is_ascii_alphanumeric);
    let is_capture = piece == 0 && file && is_file(to) && text[0].abs_diff(text[to]) == 1;
    if !is_capture {
        return None;
    }
    let end = piece_of_capture(&text[to + 1..]).map_or(to + 1, |length| to + 1 + length);
    is_over(end).then_some(end)
}

fn is_large_letter_of_piece(byte: &u8) -> bool {
    b"KQRBNP".contains(byte) || FOREIGN_PIECES.contains(byte)
}

/// A move without the letter of the piece that it captures; `None` if it has none. With it old books
/// write `Nf3xNe5`.
fn without_victim(text: &[u8]) -> Option<Vec<u8>> {
    let sign = text.iter().position(|byte| b"xX:".contains(byte))?;
    let (before, after) = text.split_at(sign + 1);
    let (victim, square) = after.split_first()?;
    let is_square = matches!(square, [b'a'..=b'h', b'1'..=b'8', ..]);
    (is_square && is_large_letter_of_piece(victim)).then(|| [before, square].concat())
}

/// The length of the piece that a pawn becomes, behind a capture by files: `Q`, `=Q`, `(Q)`.
fn piece_of_capture(text: &[u8]) -> Option<usize> {
    let is_piece = |byte: &u8| b"QRBN".contains(byte) || FOREIGN_PIECES.contains(byte);
    match text {
        [b'(', piece, b')', ..] if is_piece(piece) => Some(3),
        [b'=' | b'/', piece, ..] if is_piece(piece) => Some(2),
        [b'Q' | b'R' | b'B', ..] => Some(1),
        _ => None,
    }
}

/// Where a move to a square ends that ends here: behind the piece of a promotion, if there is one.
fn with_promotion(text: &[u8], end: usize) -> usize {
    if !matches!(text[end - 1], b'1' | b'8') {
        return end;
    }
    if let Some([b'(', piece, b')']) = text.get(end..end + 3)
        && (b"QRBNqrbn".contains(piece) || FOREIGN_PIECES.contains(piece))
    {
        return end + 3;
    }
    let is_pawn = matches!(text[0], b'a'..=b'h' | b'P');
    // With both squares it can be another piece.
    let goes_to_last_rank = text[0] != b'P'
        && (!text[1].is_ascii_digit()
            || end < 4
            || matches!((text[1], text[end - 1]), (b'7', b'8') | (b'2', b'1')));
    let is_sign = |byte: &u8| b"=/:".contains(byte) || (*byte == b'-' && is_pawn);
    let letter = end + usize::from(text.get(end).is_some_and(is_sign));
    let is_over = || !text.get(letter + 1).is_some_and(u8::is_ascii_alphabetic);
    match text.get(letter) {
        Some(b'Q' | b'R' | b'B' | b'N') if letter > end => letter + 1,
        // Behind a piece `D` is a diagram.
        Some(piece)
            if FOREIGN_PIECES.contains(piece)
                && is_pawn
                && (letter > end || (goes_to_last_rank && is_over())) =>
        {
            letter + 1
        }
        // Behind a piece the letter is that of a novelty.
        Some(b'N') if letter == end && text[0].is_ascii_uppercase() => end,
        Some(b'Q' | b'R' | b'B' | b'N' | b'q' | b'r' | b'b' | b'n') if is_over() => letter + 1,
        _ => end,
    }
}

/// The move of a knight by its Dutch letter, which is that of the pawn in English.
fn dutch_knight_move(text: &[u8], position: &VariantPosition) -> Option<Move> {
    let rest = text.strip_prefix(b"P")?;
    let san = San::from_ascii(&[b"N", rest].concat()).ok()?;
    san_move(san, position).ok()
}

/// The files of `ed` or `exd`, and the piece of `edQ` or `ed=Q`.
fn file_capture(text: &str) -> Option<(File, File, Option<Role>)> {
    let letters: Vec<char> = text.chars().filter(|c| !"xX:=/()".contains(*c)).collect();
    let [from, to, ref piece @ ..] = letters[..] else {
        return None;
    };
    let piece = match *piece {
        [] => None,
        [piece] => Some(Role::from_char(piece.to_ascii_lowercase())?),
        _ => return None,
    };
    Some((File::from_char(from)?, File::from_char(to)?, piece))
}

/// The only capture of a pawn from a file to another. Unless a piece is named, it becomes a queen.
fn pawn_capture(
    position: &VariantPosition,
    from: File,
    to: File,
    piece: Option<Role>,
) -> Result<Move, NoMove> {
    let legal = position.legal_moves();
    let mut found = legal.into_iter().filter(|m| {
        let is_from = m.from().is_some_and(|square| square.file() == from);
        let is_capture = m.role() == Role::Pawn && m.is_capture();
        let becomes = m.promotion();
        let is_meant = becomes.map_or(piece.is_none(), |_| becomes == piece.or(Some(Role::Queen)));
        is_capture && is_from && m.to().file() == to && is_meant
    });
    match (found.next(), found.next()) {
        (None, _) => Err(NoMove::Illegal),
        (Some(m), None) => Ok(m),
        (Some(_), Some(_)) => Err(NoMove::Ambiguous),
    }
}

/// A move with the English letters for those of other languages: `Sf3` and `Cf3` for `Nf3`, `e8=D`
/// for `e8=Q`.
fn with_english_letters(text: &str) -> String {
    text.replace(['S', 'C'], "N")
        .replace('D', "Q")
        .replace('T', "R")
        .replace(['L', 'A', 'F'], "B")
}
