//! The letters of pieces: a letter of one language can be another piece in the next, and the moves
//! before tell which is meant.

use std::borrow::Cow;
use std::mem;

/// What the moves so far tell of the language of a game.
#[derive(Default)]
pub(super) struct Letters {
    /// A knight was `N`: `P` is a pawn then, and no knight of the Dutch.
    has_english_knights: bool,
    /// A rook was `R`, or so it was read.
    has_english_rooks: bool,
    /// A rook was `T`, a knight `C`, or a bishop `A` or `F`: `R` is a king then, as in French,
    /// Spanish, Italian and Portuguese.
    has_kings_called_r: bool,
}

impl Letters {
    /// A move in letters that mean the same piece in every game; and its letter, if that
    /// contradicts a rook that was read before.
    pub(super) fn in_common<'a>(&mut self, text: &'a [u8]) -> (Cow<'a, [u8]>, Option<char>) {
        match text {
            [b'N', ..] => self.has_english_knights = true,
            [b'P', pawn @ ..] if self.has_english_knights => return (Cow::Borrowed(pawn), None),
            [b'R', rest @ ..] if self.has_kings_called_r => {
                return (Cow::Owned([b"K", rest].concat()), None);
            }
            [b'R', ..] => self.has_english_rooks = true,
            [letter @ (b'T' | b'C' | b'A' | b'F'), ..] => {
                self.has_kings_called_r = true;
                let contradicts = mem::take(&mut self.has_english_rooks);
                let contradiction = contradicts.then_some(char::from(*letter));
                return (Cow::Borrowed(text), contradiction);
            }
            _ => (),
        }
        (Cow::Borrowed(text), None)
    }
}
