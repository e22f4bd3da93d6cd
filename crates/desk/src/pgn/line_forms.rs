//! The usual form of a line that people, pages and programs write in another one: with other
//! spaces and signs around tags; outside of comments also with stars of Markdown, in a table, in
//! capitals.

use html_escape::decode_html_entities;

/// Brings the spaces of a line, and the signs of its tag, into their usual form.
pub(super) fn with_usual_signs(line: &mut Vec<u8>) {
    read_spaces(line);
    read_signs_of_tag(line);
}

/// Brings the tags or moves of a line into their usual form. In a comment all this is text.
pub(super) fn usual_form(line: &mut Vec<u8>) {
    leave_out_stars(line);
    read_table_with_semicolons(line);
    read_capitals(line);
}

/// Reads tabs, and spaces that don't break or are wide, as spaces: they stand in castling and in
/// results too. Values of tags keep theirs.
fn read_spaces(line: &mut Vec<u8>) {
    if line.starts_with(b"[") {
        return;
    }
    for byte in line.iter_mut().filter(|byte| **byte == b'\t') {
        *byte = b' ';
    }
    if line.contains(&b'&') {
        read_spaces_of_html(line);
    }
    if line.is_ascii() {
        return;
    }
    let is_other_space = |c: char| c.is_whitespace() && c != ' ';
    match std::str::from_utf8(line) {
        Ok(text) if text.contains(is_other_space) => {
            *line = text.replace(is_other_space, " ").into_bytes();
        }
        Ok(_) => {}
        Err(_) => {
            // In Windows-1252, behind plain characters or a dash; else it is a part of a letter.
            for at in 1..line.len() {
                if line[at] == 0xa0 && (line[at - 1] < 0x80 || matches!(line[at - 1], 0x96 | 0x97))
                {
                    line[at] = b' ';
                }
            }
        }
    }
}

/// Reads the spaces that pages keep from breaking, `&nbsp;`, as spaces.
fn read_spaces_of_html(line: &mut Vec<u8>) {
    const SPACES: [&[u8]; 3] = [b"&nbsp;", b"&#160;", b"&#xa0;"];
    let mut read = Vec::with_capacity(line.len());
    let mut rest = line.as_slice();
    while let Some(at) = rest.iter().position(|byte| *byte == b'&') {
        read.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let begins = |space: &&&[u8]| {
            let start = rest.get(..space.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(space))
        };
        let length = SPACES.iter().find(begins).map(|space| space.len());
        read.push(if length.is_some() { b' ' } else { b'&' });
        rest = &rest[length.unwrap_or(1)..];
    }
    read.extend_from_slice(rest);
    *line = read;
}

/// Reads the quotation marks of a tag that stand as entities of HTML, `[White &quot;A&quot;]`, and
/// brackets as wide as the letters of Chinese.
fn read_signs_of_tag(line: &mut Vec<u8>) {
    const WIDE_BRACKET: &str = "［";
    let tag = line.trim_ascii_start();
    let is_wide = tag.starts_with(WIDE_BRACKET.as_bytes());
    if !is_wide && (!tag.starts_with(b"[") || tag.contains(&b'"')) {
        return;
    }
    let Ok(text) = std::str::from_utf8(line) else {
        return;
    };
    let text = if is_wide {
        text.replace(WIDE_BRACKET, "[").replace('］', "]")
    } else {
        decode_html_entities(text).into_owned()
    };
    if text.contains('"') {
        *line = text.into_bytes();
    }
}

/// Leaves out the stars around a tag, for a list or for bold letters, and the one of a list that
/// stands apart before a numbered move: they are no result.
fn leave_out_stars(line: &mut Vec<u8>) {
    let is_around = |byte: &u8| matches!(byte, b'*' | b' ');
    let before = line.iter().take_while(|byte| is_around(byte)).count();
    let stars = line[..before].iter().filter(|byte| **byte == b'*').count();
    let rest = &line[before..];
    let is_tag = matches!(rest, [b'[', letter, ..] if letter.is_ascii_alphabetic())
        && rest.contains(&b'"')
        && without_end(rest, is_around).ends_with(b"]");
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_move = digits > 0 && rest.get(digits) == Some(&b'.');
    if stars > 0 && is_tag {
        let end = before + without_end(rest, is_around).len();
        line.truncate(end);
        line.drain(..before);
    } else if stars == 1 && is_move && line[..before].ends_with(b" ") {
        line.drain(..before);
    }
}

/// A text without the bytes of a kind at its end.
fn without_end(text: &[u8], is_of_kind: impl Fn(&u8) -> bool) -> &[u8] {
    let end = text.iter().rev().take_while(|byte| is_of_kind(byte));
    &text[..text.len() - end.count()]
}

/// Reads the row of a table with semicolons, as spreadsheets of many languages write it, with
/// spaces: `1;e4;e5`. Elsewhere a semicolon begins a comment.
fn read_table_with_semicolons(line: &mut [u8]) {
    let mut cells = line.split(|byte| *byte == b';');
    let number = cells.next().unwrap_or_default();
    let number = number.strip_suffix(b".").unwrap_or(number);
    let is_word = |cell: &[u8]| cell.len() <= 10 && !cell.contains(&b' ') && cell.is_ascii();
    let is_row = !number.is_empty()
        && number.iter().all(u8::is_ascii_digit)
        && cells.clone().next().is_some_and(|first| first.len() >= 2)
        && cells.clone().count() <= 3
        && cells.all(is_word);
    if is_row {
        for byte in line.iter_mut().filter(|byte| **byte == b';') {
            *byte = b' ';
        }
    }
}

/// Reads a line of numbered moves that is all in capitals, as old programs and telexes have it:
/// `1. D4 NF6`. The letter of a piece stays one where another letter follows.
fn read_capitals(line: &mut [u8]) {
    if line.iter().any(u8::is_ascii_lowercase) {
        return;
    }
    let is_sign = |byte: &u8| b"+#!?=".contains(byte);
    let is_numbered = |word: &&[u8]| {
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && word.get(digits) == Some(&b'.')
    };
    let mut words = line
        .split(|byte| *byte == b' ')
        .filter(|word| !word.is_empty());
    let is_of_moves = words.clone().next().as_ref().is_some_and(is_numbered)
        && words
            .clone()
            .any(|word| capital_files(without_number(word)).is_some())
        && words.all(|word| {
            let word = without_number(word);
            let is_other = word.is_empty()
                || word
                    .iter()
                    .all(|byte| b"O0-1/2*.".contains(byte) || is_sign(byte));
            is_other || capital_files(word).is_some()
        });
    if !is_of_moves {
        return;
    }
    let mut at = 0;
    while at < line.len() {
        let end = line[at..].iter().position(|byte| *byte == b' ');
        let end = end.map_or(line.len(), |end| at + end);
        let start = at + (end - at - without_number(&line[at..end]).len());
        for place in capital_files(&line[start..end]).into_iter().flatten() {
            line[start + place] = line[start + place].to_ascii_lowercase();
        }
        at = end + 1;
    }
}

/// A word behind the number of its move: `D4` of `1.D4`.
fn without_number(word: &[u8]) -> &[u8] {
    let is_number = |byte: &&u8| byte.is_ascii_digit() || **byte == b'.';
    let number = word.iter().take_while(is_number).count();
    if word[..number].ends_with(b".") {
        &word[number..]
    } else {
        word
    }
}

/// The places of the capitals that mean files, or the capture, in a word that is a move in
/// capitals: 1 and 2 of `NXD4`.
fn capital_files(word: &[u8]) -> Option<Vec<usize>> {
    let signs = word.iter().rev().take_while(|byte| b"+#!?".contains(byte));
    let end = word.len() - signs.count();
    let (moved, promotion) = match word[..end].iter().position(|byte| *byte == b'=') {
        Some(sign) => (&word[..sign], &word[sign..end]),
        None => (&word[..end], [].as_slice()),
    };
    let is_promotion = matches!(promotion, [] | [b'=', b'Q' | b'R' | b'B' | b'N']);
    let is_file = |byte: &u8| (b'A'..=b'H').contains(byte);
    let is_rank = |byte: &u8| (b'1'..=b'8').contains(byte);
    let [before @ .., file, rank] = moved else {
        return None;
    };
    let (piece, origin) = match before {
        [piece, origin @ ..] if b"KQRN".contains(piece) => (1, origin),
        // `B2-B4` is a pawn's move. `BXC4` can be a pawn's too, and is taken for the bishop's.
        [b'B', origin @ ..] if !origin.first().is_some_and(is_rank) => (1, origin),
        origin => (0, origin),
    };
    let origin = match origin {
        [origin @ .., b'X' | b'-'] => origin,
        origin => origin,
    };
    let is_origin = match origin {
        [] => true,
        [one] => is_file(one) || (piece == 1 && is_rank(one)),
        [one, two] => is_file(one) && is_rank(two),
        _ => false,
    };
    let is_move = is_promotion && is_file(file) && is_rank(rank) && is_origin;
    let letters = (piece..moved.len()).filter(|at| moved[*at].is_ascii_uppercase());
    is_move.then(|| letters.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_get_their_usual_form() {
        for (line, expected) in [
            ("* [White \"A\"]", "[White \"A\"]"),
            ("**[White \"A\"]**", "[White \"A\"]"),
            ("* [1. e4]", "* [1. e4]"),
            ("*", "*"),
            ("* 1. e4 e5", "1. e4 e5"),
            ("*2. Nf3*", "*2. Nf3*"),
            ("Nf3&nbsp;c6&#160;&amp;", "Nf3 c6 &amp;"),
            ("**1. e4** e5", "**1. e4** e5"),
            ("1;e4;e5", "1 e4 e5"),
            ("12.;Nf3;", "12. Nf3 "),
            ("1. e4 ; the best", "1. e4 ; the best"),
            ("1;", "1;"),
            ("1. D4 NF6 2. C4 E6", "1. d4 Nf6 2. c4 e6"),
            (
                "3.NC3 BB4 4.BXC6+ O-O 5.NBD2",
                "3.Nc3 Bb4 4.Bxc6+ O-O 5.Nbd2",
            ),
            ("1. D2-D4 NG8-F6 1-0", "1. d2-d4 Ng8-f6 1-0"),
            ("7. B4 E8=Q", "7. b4 e8=Q"),
            ("1. BUNDESLIGA A1", "1. BUNDESLIGA A1"),
            ("1. e4 E5", "1. e4 E5"),
            ("GROUP A1", "GROUP A1"),
            ("1. O-O", "1. O-O"),
        ] {
            let mut text = line.as_bytes().to_vec();
            with_usual_signs(&mut text);
            usual_form(&mut text);
            assert_eq!(String::from_utf8_lossy(&text), expected, "{line}");
        }
    }
}
