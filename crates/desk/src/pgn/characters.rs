//! The characters of files in plain ASCII: figurines, dashes, glyphs, and what nobody sees.

use std::borrow::Cow;

/// A text with figurines as letters, all kinds of dashes as one, glyphs by their numbers, and
/// without what nobody sees.
pub(super) fn plain_characters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '♔' | '♚' => plain.push('K'),
            '♕' | '♛' => plain.push('Q'),
            '♖' | '♜' => plain.push('R'),
            '♗' | '♝' => plain.push('B'),
            '♘' | '♞' => plain.push('N'),
            // A pawn has no letter.
            '♙' | '♟' => {}
            // The letter O of Cyrillic and Greek, for castling.
            'О' | 'о' | 'Ο' | 'ο' => plain.push('O'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
            '×' => plain.push('x'),
            '½' => plain.push_str("1/2"),
            '…' => plain.push_str("..."),
            '†' | '‡' => plain.push('+'),
            '«' | '»' | '‘'..='‟' | '‹' | '›' | '•' | '·' | '´' | '¨' => {
                plain.push('"')
            }
            _ if is_invisible(character) => {}
            _ if character.is_whitespace() => plain.push(' '),
            _ => match glyph_of_character(character) {
                Some(glyph) => {
                    plain.push('$');
                    plain.push_str(&glyph.to_string());
                    // What follows is no further digit of it.
                    plain.push(' ');
                }
                None => plain.push(character),
            },
        }
    }
    Cow::Owned(plain)
}

/// Whether a character takes no space: joiners, marks of direction, and the wish that a figurine be
/// an emoji or not.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{2069}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
    )
}

/// The number of the glyph that a character shows, as the Chess Informant uses it.
fn glyph_of_character(character: char) -> Option<u16> {
    Some(match character {
        '‼' => 3,
        '⁇' => 4,
        '⁉' => 5,
        '⁈' => 6,
        '□' => 7,
        '∞' => 13,
        '⩲' | '²' => 14,
        '⩱' | '³' => 15,
        '±' => 16,
        '∓' => 17,
        '⨀' | '⊙' => 22,
        '○' => 26,
        '⟳' | '↻' => 32,
        '↑' => 36,
        '→' => 40,
        '⇆' | '⇄' => 132,
        '⊕' => 138,
        '∆' | '△' => 140,
        '⌓' => 142,
        _ => return None,
    })
}
