//! The characters of files in plain ASCII: figurines, dashes, glyphs, and what nobody sees.

use std::borrow::Cow;

use crate::text_encoding::before_second_encoding;

/// A text with figurines as letters, all kinds of dashes as one, glyphs by their numbers, a space
/// before pictures, and without what nobody sees.
pub(super) fn plain_characters(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    if let Some(text) = before_second_encoding(text) {
        return Cow::Owned(plain_characters(&text).into_owned());
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let goes = |next: &char| matches!(next, ':' | 'X' | '×') || is_of_move(*next);
        // Behind a number the letter `О` can castle.
        let castles = |next: &char| {
            "-0Oo".contains(*next)
                || matches!(next, 'О' | 'о' | '\u{2010}'..='\u{2015}' | '\u{2212}')
        };
        let may_castle = character == 'О' && characters.peek().is_some_and(castles);
        let is_piece = characters.peek().is_some_and(goes)
            || plain.ends_with('=')
            || (plain.ends_with(['1', '8']) && !may_castle);
        match character {
            // Compensation, in two characters.
            '=' if characters.next_if_eq(&'∞').is_some() => plain.push_str("$44 "),
            '∞' if characters.next_if_eq(&'=').is_some() => plain.push_str("$44 "),
            '∞' if plain.ends_with("=/") => {
                plain.truncate(plain.len() - 2);
                plain.push_str("$44 ");
            }
            '♔' | '♚' => plain.push('K'),
            '♕' | '♛' => plain.push('Q'),
            '♖' | '♜' => plain.push('R'),
            '♗' | '♝' => plain.push('B'),
            '♘' | '♞' => plain.push('N'),
            // A pawn has no letter.
            '♙' | '♟' => {}
            // The king of Russians and Ukrainians has two letters, and the first is their knight's.
            'К' if characters.next_if_eq(&'р').is_some() => plain.push('K'),
            'Ц' | 'Ф' | 'Д' | 'Л' | 'Т' | 'С' | 'О' | 'К' if is_piece => {
                plain.extend(cyrillic_piece(character));
            }
            // The figurines of ChessBase's fonts, as their characters come out of them.
            '¢' | '£' | '¤' | '¥' | '¦' if is_piece => plain.push(match character {
                '¢' => 'K',
                '£' => 'Q',
                '¤' => 'N',
                '¥' => 'B',
                _ => 'R',
            }),
            // The letter O of Cyrillic and Greek, for castling.
            'О' | 'о' | 'Ο' | 'ο' => plain.push('O'),
            // Letters of Cyrillic that look like a file, and the sign of a capture.
            'а' | 'с' | 'е' | 'х'
                if characters.peek().is_some_and(|c| is_of_move(*c))
                    || plain.ends_with(|c| matches!(c, 'a'..='h' | 'x')) =>
            {
                plain.push(match character {
                    'а' => 'a',
                    'с' => 'c',
                    'е' => 'e',
                    _ => 'x',
                });
            }
            '\u{2010}'..='\u{2015}' | '\u{2212}' => plain.push('-'),
            '×' => plain.push('x'),
            '½' => plain.push_str("1/2"),
            '¹' if matches!(characters.peek(), Some('/' | '\u{2044}')) => plain.push('1'),
            '\u{2080}'..='\u{2089}' => {
                plain.extend(char::from_digit(character as u32 - 0x2080, 10));
            }
            '\u{2044}' | '\u{2215}' => plain.push('/'),
            '…' => plain.push_str("..."),
            '。' => plain.push('.'),
            // The hyphen of old files, in a result: elsewhere nobody sees it.
            '\u{ad}' if is_between_digits(&plain, characters.peek()) => plain.push('-'),
            '†' | '‡' | '≠' => plain.push('+'),
            '❗' | '❕' => plain.push('!'),
            '❓' | '❔' => plain.push('?'),
            // Letters, digits and signs as wide as those of Chinese.
            '\u{ff01}'..='\u{ff5e}' => {
                plain.extend(char::from_u32(character as u32 - 0xff01 + u32::from(b'!')));
            }
            '«' | '»' | '‘'..='‟' | '‹' | '›' | '•' | '·' | '´' | '¨' => {
                plain.push('"')
            }
            _ if is_silent(character) => {}
            _ if character.is_whitespace() => plain.push(' '),
            _ => match glyph_of_character(character) {
                Some(glyph) => {
                    plain.push('$');
                    plain.push_str(&glyph.to_string());
                    // What follows is no further digit of it.
                    plain.push(' ');
                }
                None => {
                    if is_picture(character) && !plain.ends_with(is_picture) {
                        plain.push(' ');
                    }
                    plain.push(character);
                }
            },
        }
    }
    Cow::Owned(plain)
}

/// Whether a digit stands on both sides.
fn is_between_digits(before: &str, next: Option<&char>) -> bool {
    before.ends_with(|c: char| c.is_ascii_digit()) && next.is_some_and(char::is_ascii_digit)
}

/// The English letter of a piece that has this letter in Russian, Ukrainian or Bulgarian.
pub(super) fn cyrillic_piece(letter: char) -> Option<char> {
    Some(match letter {
        'Ц' => 'K',
        'Ф' | 'Д' => 'Q',
        'Л' | 'Т' => 'R',
        'С' | 'О' => 'B',
        'К' => 'N',
        _ => return None,
    })
}

/// Whether a character stands behind the letter of a piece, or behind a file or the sign of a
/// capture, in a move.
fn is_of_move(character: char) -> bool {
    matches!(character, '1'..='8' | 'a'..='h' | 'x' | 'а' | 'с' | 'е' | 'х')
}

/// Whether a character says nothing: joiners and marks of direction, which take no space, the wish
/// that a figurine be an emoji or not, and the numbers of footnotes.
fn is_silent(character: char) -> bool {
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
            // The number of a footnote. Two and three are glyphs.
            | '¹'
            | '⁰'
            | '⁴'..='⁹'
    )
}

/// Whether a character is a picture, such as an emoji, an arrow or a star. Those of pieces, and the
/// signs of the Chess Informant, mean something where they are read as moves.
pub(super) fn is_picture(character: char) -> bool {
    matches!(
        character,
        '\u{2190}'..='\u{21ff}'
            | '\u{2300}'..='\u{23ff}'
            | '\u{25a0}'..='\u{27bf}'
            | '\u{2900}'..='\u{297f}'
            | '\u{2b00}'..='\u{2bff}'
            | '\u{1f000}'..='\u{1faff}'
    )
}

/// The number of the glyph that a character shows, as the Chess Informant uses it.
fn glyph_of_character(character: char) -> Option<u16> {
    Some(match character {
        '‼' => 3,
        '⁇' => 4,
        '⁉' => 5,
        '⁈' => 6,
        '□' | '◻' | '☐' => 7,
        '∞' => 13,
        '⩲' | '²' => 14,
        '⩱' | '³' => 15,
        '±' => 16,
        '∓' => 17,
        '⨀' | '⊙' => 22,
        '○' | '◯' => 26,
        '⟳' | '↻' => 32,
        '↑' => 36,
        '→' => 40,
        '⯹' => 44,
        '⇆' | '⇄' => 132,
        '⊕' | '⨁' => 138,
        '∆' | '△' | 'Δ' => 140,
        '∇' | '▽' => 141,
        '⌓' | '≥' => 142,
        '≤' => 143,
        '⇔' => 239,
        '⇗' => 240,
        '⊞' => 241,
        '⟫' => 242,
        '⟪' => 243,
        '✕' => 244,
        '⊥' => 245,
        _ => return None,
    })
}

/// Whether a text ends with an entity of HTML, but for the semicolon.
pub(super) fn ends_with_entity(text: &[u8]) -> bool {
    // No name is longer.
    let text = &text[text.len().saturating_sub(40)..];
    let start = text.iter().rposition(|byte| *byte == b'&');
    let name = start.and_then(|start| std::str::from_utf8(&text[start..]).ok());
    name.is_some_and(|name| {
        let entity = format!("{name};");
        html_escape::decode_html_entities(&entity) != entity
    })
}

/// The number of spaces at the beginning of a text.
pub(super) fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|byte| **byte == b' ').count()
}
