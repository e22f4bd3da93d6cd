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
    /// A pawn had no letter: `P` is a knight then, as the Dutch call it.
    has_pawns_without_letter: bool,
    /// `P` was a pawn, where no knight could go.
    has_pawns_called_p: bool,
    /// A knight was `C`: `N` is a bishop then, as the Romanians call it, unless one had another
    /// letter.
    has_knights_called_c: bool,
    has_other_bishops: bool,
    /// A rook was `T`, a knight `C`, or a bishop `A` or `F`: `R` is a king then, as in French,
    /// Spanish, Italian and Portuguese.
    has_kings_called_r: bool,
}

/// A move in letters that mean the same piece in every game.
pub(super) struct InCommon<'a> {
    pub(super) text: Cow<'a, [u8]>,
    /// What is doubtful about it, in words.
    pub(super) doubt: Option<String>,
}

impl Letters {
    /// A move in letters that mean the same piece in every game. `can_play` knows what is legal.
    pub(super) fn in_common<'a>(
        &mut self,
        text: &'a [u8],
        can_play: impl Fn(&[u8]) -> bool,
    ) -> InCommon<'a> {
        let with_letter = |letter: &[u8], rest: &[u8]| [letter, rest].concat();
        // A legal move by another letter; doubtful if what else it could be is legal too.
        let instead = |letter: &[u8], rest: &[u8], otherwise: &[u8], words: &str| {
            let instead = with_letter(letter, rest);
            can_play(&instead).then(|| InCommon {
                text: Cow::Owned(instead),
                doubt: can_play(otherwise)
                    .then(|| format!("{} is taken for {words}", String::from_utf8_lossy(text))),
            })
        };
        let mut doubt = None;
        let text = match text {
            [b'N', rest @ ..] if self.has_knights_called_c && !self.has_other_bishops => {
                match instead(b"B", rest, text, "a bishop's move, as Romanians write it") {
                    Some(bishop) => return bishop,
                    None => Cow::Borrowed(text),
                }
            }
            [b'N', ..] => {
                self.has_english_knights = true;
                Cow::Borrowed(text)
            }
            [b'P', pawn @ ..] if self.has_english_knights => Cow::Borrowed(pawn),
            [b'P', pawn @ ..] if self.has_pawns_called_p && can_play(pawn) => Cow::Borrowed(pawn),
            [b'P', pawn @ ..] => {
                let knight = instead(b"N", pawn, pawn, "a knight's move, as the Dutch write it");
                self.has_pawns_called_p |= knight.is_none() && can_play(pawn);
                match knight {
                    Some(knight) if self.has_pawns_without_letter => return knight,
                    _ => Cow::Borrowed(text),
                }
            }
            [b'R', rest @ ..] if self.has_kings_called_r => Cow::Owned(with_letter(b"K", rest)),
            [b'R', ..] => {
                self.has_english_rooks = true;
                Cow::Borrowed(text)
            }
            [letter @ (b'T' | b'C' | b'A' | b'F'), ..] => {
                self.has_kings_called_r = true;
                self.has_other_bishops |= matches!(letter, b'A' | b'F');
                self.has_knights_called_c |= *letter == b'C' && !self.has_english_knights;
                doubt = mem::take(&mut self.has_english_rooks).then(|| {
                    let letter = char::from(*letter);
                    format!(
                        "{letter} belongs to a language in which R is the king, but an earlier R \
                         was read as a rook"
                    )
                });
                Cow::Borrowed(text)
            }
            [b'B' | b'L', ..] => {
                self.has_other_bishops = true;
                Cow::Borrowed(text)
            }
            [b'a'..=b'h', ..] => {
                self.has_pawns_without_letter = true;
                Cow::Borrowed(text)
            }
            _ => Cow::Borrowed(text),
        };
        InCommon { text, doubt }
    }
}
