//! The moves of a game: comments, variations, brackets and words, taken apart.

use std::mem;

use super::GameParser;
use super::parts_of_moves::move_without_piece;
use crate::pgn::comment::text_of;
use crate::pgn::line_of_words::{is_short, is_text, names_moves_only};
use crate::pgn::markup::{
    LOST_PIECE, gap_length, is_markup, marks_length, markup_length, piece_of_element,
};
use crate::pgn::prose;
use crate::pgn::tags::{self, Bracket};
use crate::pgn::words::{self, Token, is_word_end, tokens};
use crate::pgn::writer::is_in_roster;

/// The longest tag that is looked for behind a result on its line, in bytes.
const MAX_TAG_BYTES: usize = 1_000;

const DRAW_OFFER: &[u8] = b"(=)";

/// The longest note in parentheses, in bytes.
const MAX_NOTE_BYTES: usize = 40;

/// The length of an arrow of up to three hyphens at the beginning of a text: `->`, `-->`.
fn arrow_length(text: &[u8]) -> Option<usize> {
    let hyphens = text.iter().take_while(|byte| **byte == b'-').count();
    ((1..=3).contains(&hyphens) && text.get(hyphens) == Some(&b'>')).then_some(hyphens + 1)
}

impl GameParser {
    /// Adds a line of moves, of which castling or a result can stand on two: `0-` and `0` below.
    /// Returns the rest as [`GameParser::add_moves`].
    pub(super) fn add_line_of_moves<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        let broken = mem::take(&mut self.broken_word);
        let goes_on = matches!(line.first(), Some(b'0' | b'1' | b'O' | b'o' | b'-'));
        let mut rest = line;
        if !broken.is_empty() && goes_on {
            let end = line.iter().position(|byte| is_word_end(*byte));
            let (word, after) = line.split_at(end.unwrap_or(line.len()));
            self.add_moves(&[&broken, word].concat());
            rest = after;
        } else if !broken.is_empty() {
            self.add_moves(&broken);
        }
        let is_comment = self.comment.is_some() || rest.iter().any(|byte| b"{;".contains(byte));
        let broken = broken_length(rest).filter(|_| !is_comment).unwrap_or(0);
        let (moves, broken) = rest.split_at(rest.len() - broken);
        let next = self.add_moves(moves);
        if next.is_empty() {
            self.broken_word = broken.to_vec();
            return next;
        }
        &rest[moves.len() - next.len()..]
    }

    /// Adds a line of moves, or what stands behind the tags of a line. Returns the rest of the line
    /// where the next game begins in it, as in files that were put behind one another.
    pub(super) fn add_moves<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        let mut rest = line;
        while let Some(&first) = rest.first() {
            if self.begins_next_game(rest) {
                return rest;
            }
            if self.comment.is_some() {
                rest = self.add_to_comment(rest);
                continue;
            }
            let is_main = self.has_moves && !self.builder.is_in_variation();
            let text = rest.trim_ascii();
            if is_main
                && is_short(rest)
                && begins_words(rest)
                && (is_text(text) || self.has_result && names_moves_only(text))
            {
                self.builder.prose(&text_of(text));
                break;
            }
            let length = match first {
                b'{' => {
                    self.open_comment(b"");
                    1
                }
                b';' => {
                    self.add_rest_of_line(&rest[1..]);
                    rest.len()
                }
                b'(' => self.open_parenthesis(rest),
                b')' => {
                    self.has_result |= self.builder.close_variation();
                    1
                }
                _ if self.builder.is_unplayed() => self.keep(rest),
                b'}' => {
                    self.builder
                        .remark_here("a brace that closes no comment is left out");
                    1
                }
                b'[' => self.add_bracket(rest),
                b'<' if rest.starts_with(b"<>") => {
                    self.add_token(Token::Null, b"<>");
                    2
                }
                b'<' if rest.starts_with(b"<=>") => {
                    // Counterplay.
                    self.add_token(Token::Glyph(132), b"<=>");
                    3
                }
                b'<' if rest.starts_with(b"<=") => {
                    // Worse is.
                    self.add_token(Token::Glyph(143), b"<=");
                    2
                }
                b'<' => self.add_mark(rest),
                b'-' if let Some(length) = arrow_length(rest) => {
                    // An attack. Above the moves it closes a comment of HTML.
                    if self.has_moves {
                        self.add_token(Token::Glyph(40), &rest[..length]);
                    }
                    length
                }
                b'>' if rest.starts_with(b">=") => {
                    // Better is.
                    self.add_token(Token::Glyph(142), b">=");
                    2
                }
                _ if is_word_end(first) => 1,
                _ => self.add_word(rest),
            };
            rest = &rest[length..];
        }
        if let Some(comment) = &mut self.comment {
            comment.push(b' ');
        }
        self.builder.keep(" ");
        b""
    }

    /// Leaves a mark or the beginning of a comment of HTML out, unless it shows the piece of the move
    /// behind it. Returns the length of what was read.
    fn add_mark(&mut self, text: &[u8]) -> usize {
        let length = markup_length(text);
        let (mark, after) = text.split_at(length);
        if mark.starts_with(b"<!--") {
            self.is_in_html_comment = !mark.ends_with(b"-->");
            return length;
        }
        let Some(piece) = piece_of_element(mark) else {
            return length;
        };
        // Some have a space behind it. A pawn needs no picture, and one that nobody can tell could be
        // no piece at all.
        let may_be_apart = match piece {
            "" => false,
            LOST_PIECE => self.builder.is_behind_number(),
            _ => true,
        };
        let gap = if may_be_apart {
            gap_length(after)
        } else {
            marks_length(after)
        };
        let Some(rest) = move_without_piece(&after[gap..]) else {
            return length;
        };
        self.add_word(&[piece.as_bytes(), rest].concat());
        length + gap + rest.len()
    }

    /// Adds the comment behind a semicolon. People also separate moves by it.
    fn add_rest_of_line(&mut self, text: &[u8]) {
        if self.has_moves && !self.has_result && prose::is_of_moves(text) {
            self.builder
                .remark_here("the moves behind the semicolon are a comment");
        }
        self.builder.comment(&text_of(text));
    }

    /// Whether tags that every game has stand behind the result on its line.
    fn begins_next_game(&self, rest: &[u8]) -> bool {
        let may_end = self.has_result && self.comment.is_none() && !self.builder.is_in_variation();
        // A tag is short, and there can be many.
        may_end && tags::begins_game(&rest[..rest.len().min(MAX_TAG_BYTES)], false, is_in_roster)
    }

    /// Opens a variation, or adds the note that stands in the parentheses; returns the length of
    /// what was read.
    fn open_parenthesis(&mut self, text: &[u8]) -> usize {
        // On a score sheet an equals sign in parentheses is the offer of a draw.
        let offer = text.starts_with(DRAW_OFFER).then_some(DRAW_OFFER.len());
        let Some(length) = offer
            .or_else(|| note_length(text))
            .filter(|_| !self.builder.is_unplayed())
        else {
            self.builder.open_variation();
            return 1;
        };
        self.builder.comment(&text_of(&text[..length]));
        length
    }

    /// Keeps what isn't played, up to the next comment or variation; returns its length.
    fn keep(&mut self, text: &[u8]) -> usize {
        let end = text.iter().position(|byte| b"{;()".contains(byte));
        let length = end.unwrap_or(text.len());
        self.builder.keep(&text_of(&text[..length]));
        length
    }

    fn open_comment(&mut self, text: &[u8]) {
        self.comment = Some(text.to_vec());
        self.comment_line = self.builder.line_number;
    }

    /// Adds to the open comment; returns what follows its end.
    fn add_to_comment<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let is_braced = self.open_brackets == 0;
        let end = if is_braced {
            text.iter().position(|byte| *byte == b'}')
        } else {
            closing_bracket(text, &mut self.open_brackets).map(|end| end + 1)
        };
        let (part, after) = text.split_at(end.unwrap_or(text.len()));
        if let Some(comment) = &mut self.comment
            && self.builder.is_whole()
        {
            comment.extend_from_slice(part);
        }
        if end.is_none() {
            return after;
        }
        let comment = self.comment.take().unwrap_or_default();
        self.builder.comment(&text_of(&comment));
        &after[usize::from(is_braced)..]
    }

    /// Adds what stands in brackets among the moves: the mark of a forum, a move, a result, or a
    /// remark; or above them a tag behind something else. Returns its length.
    fn add_bracket(&mut self, text: &[u8]) -> usize {
        if !self.has_moves
            && !self.builder.is_in_variation()
            && tags::begins_game(&text[..text.len().min(MAX_TAG_BYTES)], true, |_| true)
            && let Bracket::Tag { name, value, after } = tags::read(text)
        {
            self.has_tags = true;
            self.builder.add_tag(name, value);
            return text.len() - after.len();
        }
        if self.has_moves
            && text.len() <= MAX_TAG_BYTES
            && let Some(recorded) = tags::result(text)
        {
            // Below the moves, where nobody else would have put it.
            self.add_token(Token::Result(recorded), text);
            return text.len();
        }
        let mut brackets = 0;
        let Some(end) = closing_bracket(text, &mut brackets) else {
            if self.has_moves {
                // It goes on in the next line.
                self.open_comment(text);
                self.open_brackets = brackets;
            } else {
                self.add_unreadable(text);
            }
            return text.len();
        };
        let inner = &text[1..end];
        if is_markup(inner) {
            return end + 1;
        }
        let is_one_word = !inner.is_empty() && !inner.iter().any(|byte| is_word_end(*byte));
        let token = tokens(inner).next().map(|(token, _)| token);
        if is_one_word && matches!(token, Some(Token::Move(_) | Token::Result(_))) {
            self.add_word(inner);
        } else {
            self.builder.comment(&text_of(&text[..=end]));
        }
        end + 1
    }
}

/// Whether a text begins with a space and a word that is no short move.
fn begins_words(text: &[u8]) -> bool {
    let Some(text) = text.strip_prefix(b" ") else {
        return false;
    };
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic() || **byte >= 0x80;
    let letters = text.iter().take_while(is_letter);
    let letters = letters.count();
    letters > 2 && !text.get(letters).is_some_and(u8::is_ascii_digit)
}

/// The length of the beginning of castling or of a result at the end of a line.
fn broken_length(line: &[u8]) -> Option<usize> {
    const BEGINNINGS: [&[u8]; 8] = [
        b"0-", b"O-", b"o-", b"0-0-", b"O-O-", b"o-o-", b"1-", b"1/2-",
    ];
    let is_before = |byte: &u8| byte.is_ascii_whitespace() || b".()".contains(byte);
    let start = line.iter().rposition(is_before).map_or(0, |at| at + 1);
    let word = &line[start..];
    let plain = words::plain(word);
    let plain = plain.as_ref().map_or(word, |plain| plain.as_bytes());
    BEGINNINGS.contains(&plain).then_some(word.len())
}

/// The length of a note in parentheses at the beginning of a text: a time or an evaluation, such as
/// `(12)`, `(0:05)`, `(+0.35)` or `(5 min)`. It has a number, and no move is meant by it.
fn note_length(text: &[u8]) -> Option<usize> {
    let inner = text.strip_prefix(b"(")?;
    let inner = &inner[..inner.len().min(MAX_NOTE_BYTES)];
    let end = inner.iter().position(|byte| b"(){}[]<>;$".contains(byte))?;
    let note = &inner[..end];
    // A draw, and no castling.
    let is_decimal = prose::is_decimal(note.trim_ascii());
    let is_note = inner[end] == b')'
        && note.iter().any(u8::is_ascii_digit)
        && (is_decimal || prose::is_without_moves(note));
    is_note.then_some(end + 2)
}

/// Where the last of these open brackets is closed, and of those that the text opens. If it isn't,
/// `open` is how many are.
fn closing_bracket(text: &[u8], open: &mut usize) -> Option<usize> {
    text.iter().position(|byte| {
        *open += usize::from(*byte == b'[');
        let closes = *byte == b']' && *open > 0;
        *open -= usize::from(closes);
        closes && *open == 0
    })
}
