//! Moves whose parts stand apart: the piece as a picture or in a mark of HTML, two squares around a
//! dash with spaces.

use super::GameParser;
use crate::notation;
use crate::pgn::castling::{castling_length, dash_length};
use crate::pgn::characters::spaces;
use crate::pgn::comment::text_of;
use crate::pgn::markup::{gap_length, marks_length, markup_length, piece_of_element};
use crate::pgn::words::{move_length, word_length};

impl GameParser {
    /// What belongs to the move that a word begins, its number left out, though it stands apart, and
    /// how many bytes it takes: the rest behind a figurine, behind marks of HTML or, as in `e2 - e4`,
    /// behind a dash with spaces.
    pub(super) fn rest_of_move(
        &self,
        word: &[u8],
        lone: Option<Lone>,
        after: &[u8],
    ) -> Option<(Vec<u8>, usize)> {
        if let Some(b'<' | b'[') = after.first()
            && let Some(piece) = promotion_behind_marks(word, after)
        {
            return Some(piece);
        }
        let gap = match lone {
            Some(Lone::Figurine) => gap_length(after),
            Some(Lone::Letter) => marks_length(after),
            None => return self.second_square(word, after),
        };
        let rest = move_without_piece(&after[gap..]).filter(|_| gap > 0)?;
        Some((rest.to_vec(), gap + rest.len()))
    }

    /// The second square of a move with spaces around its dash, `e2 - e4`, where that square alone is
    /// no move: between two moves a dash can stand, too.
    fn second_square(&self, from: &[u8], after: &[u8]) -> Option<(Vec<u8>, usize)> {
        let sign = spaces(after);
        let is_capture = matches!(after.get(sign), Some(b'x'));
        let dash = dash_length(&after[sign..]).or(is_capture.then_some(1))?;
        let is_square = |text: &[u8]| matches!(text, [b'a'..=b'h', b'1'..=b'8']);
        let is_origin = match from {
            [piece, square @ ..] if piece.is_ascii_uppercase() => is_square(square),
            square => is_square(square),
        };
        let to = sign + dash + spaces(&after[sign + dash..]);
        let rest = &after[to..];
        let rest = &rest[..word_length(rest)];
        let square = rest.get(..2).filter(|to| is_origin && is_square(to))?;
        let can_play = |m: &[u8]| self.builder.can_play(m);
        let is_meant = !can_play(from) && can_play(&[from, b"-", square].concat());
        is_meant.then(|| ([b"-", rest].concat(), to + rest.len()))
    }

    /// Where the second of two moves begins that are glued together: `Nf3Nc6`, `1.e4e5`. Both squares
    /// of a single move are told from two moves of pawns by what is legal.
    pub(super) fn second_of_glued_moves(&self, word: &[u8]) -> Option<usize> {
        const MAX_BYTES: usize = 16;
        let moves = without_number(word);
        if !(4..=MAX_BYTES).contains(&moves.len()) {
            return None;
        }
        let piece = usize::from(moves[0].is_ascii_uppercase());
        let names_squares = matches!(
            &moves[piece..],
            [b'a'..=b'h', b'1'..=b'8', b'a'..=b'h', b'1'..=b'8', ..]
        );
        let can_be = |length: usize| !names_squares || self.builder.can_play(&moves[..length]);
        if move_length(moves).is_some_and(can_be) {
            return None;
        }
        let is_whole = |m: &[u8]| {
            let length = castling_length(m).or_else(|| notation::extent(m));
            length == Some(m.len())
        };
        let mut places = (2..moves.len() - 1).filter(|at| {
            let (first, second) = moves.split_at(*at);
            is_whole(first) && move_length(second).is_some() && self.builder.can_play(first)
        });
        let place = places.next().filter(|_| places.next().is_none())?;
        Some(word.len() - moves.len() + place)
    }

    /// Whether a word is a piece that is too far from its square: a figurine that isn't one of prose,
    /// or the letter of a knight or of a German queen, which could also be a novelty or a diagram.
    pub(super) fn is_without_square(&self, word: &[u8], lone: Lone, after: &[u8]) -> bool {
        let role = match (word, lone) {
            (_, Lone::Figurine) => return !(self.has_result || self.builder.is_amid_prose()),
            (b"N", _) => b"N",
            (b"D", _) => b"Q",
            _ => return false,
        };
        let rest = move_without_piece(&after[gap_length(after)..]);
        let is_of_square = |byte: &&u8| matches!(**byte, b'a'..=b'h' | b'1'..=b'8' | b'x');
        rest.is_some_and(|rest| {
            let squares = rest.iter().take_while(is_of_square).count();
            let m = [role.as_slice(), &rest[..squares]].concat();
            self.builder.can_play(&m)
        })
    }
}

/// A word without the number of its move: `Nf3` of `2.Nf3`.
pub(super) fn without_number(word: &[u8]) -> &[u8] {
    let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let number = word.iter().take_while(is_number).count();
    // The last zero can be the first of castling.
    let castles = word[..number].ends_with(b"0") && word[number..].starts_with(b"-");
    &word[number - usize::from(castles)..]
}

/// How a piece is written that is a word of its own.
#[derive(Clone, Copy)]
pub(super) enum Lone {
    Figurine,
    Letter,
}

/// The piece that is all of a text, but for the wish that its figurine be an emoji or not. Pawns have
/// no need of one.
pub(super) fn lone_piece(text: &[u8]) -> Option<Lone> {
    if text.is_ascii() && !text.starts_with(b"&") {
        // Nearly all words.
        return matches!(text, [b'A'..=b'Z']).then_some(Lone::Letter);
    }
    let text = text_of(text);
    let mut characters = text.trim_end_matches(['\u{fe0e}', '\u{fe0f}']).chars();
    let piece = characters.next().filter(|_| characters.next().is_none())?;
    match piece {
        '♙' | '♟' => None,
        '♔'..='♞' => Some(Lone::Figurine),
        letter => letter.is_uppercase().then_some(Lone::Letter),
    }
}

/// The piece behind a pawn's move to its last rank, or behind the sign of a promotion, in an element
/// of HTML or behind one, and how many bytes it takes.
fn promotion_behind_marks(word: &[u8], after: &[u8]) -> Option<(Vec<u8>, usize)> {
    let is_pawn = matches!(word, [b'a'..=b'h', .., b'1' | b'8'] | [.., b'=']);
    let marks = marks_length(after);
    if !is_pawn || marks == 0 {
        return None;
    }
    let mark = markup_length(after);
    if let Some(piece) = piece_of_element(&after[..mark]).filter(|piece| piece.len() == 1) {
        return Some((piece.as_bytes().to_vec(), mark));
    }
    let piece = &after[marks..];
    let piece = &piece[..word_length(piece)];
    lone_piece(piece).map(|_| (piece.to_vec(), marks + piece.len()))
}

/// The word at the beginning of a text, if it is a move but for its piece: `f3`, `xd4+`.
pub(super) fn move_without_piece(text: &[u8]) -> Option<&[u8]> {
    let word = &text[..word_length(text)];
    let is_move = notation::extent(&[b"N", word].concat()).is_some();
    (matches!(word, [b'a'..=b'h' | b'x' | b'1'..=b'8', ..]) && is_move).then_some(word)
}
