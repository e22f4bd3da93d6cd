//! The moves of a game: comments, variations, brackets and words, all of them handed on to the
//! builder.

use super::GameParser;
use crate::pgn::apart::{promotion_apart, result_with_spaces};
use crate::pgn::castling::castling_with_spaces;
use crate::pgn::comment::text_of;
use crate::pgn::line::Written;
use crate::pgn::markup::{is_markup, markup_length};
use crate::pgn::prose;
use crate::pgn::tags::{self, Bracket};
use crate::pgn::words::{self, Token, is_word_end, tokens, word_length};
use crate::pgn::writer::is_in_roster;

/// The longest tag that is looked for behind a result on its line, in bytes.
const MAX_TAG_BYTES: usize = 1_000;

/// The longest note in parentheses, in bytes.
const MAX_NOTE_BYTES: usize = 40;

impl GameParser {
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
            let length = match first {
                b'{' => {
                    self.comment = Some(Vec::new());
                    1
                }
                b';' => {
                    self.builder.comment(&text_of(&rest[1..]));
                    rest.len()
                }
                b'(' => self.open_parenthesis(rest),
                b')' => {
                    self.has_result |= self.builder.close_variation();
                    1
                }
                _ if self.builder.is_unplayed() => self.keep(rest),
                b'[' => self.add_bracket(rest),
                b'<' if rest.starts_with(b"<>") => {
                    self.add_token(Token::Null, b"<>");
                    2
                }
                b'<' => markup_length(rest),
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

    /// Whether tags that every game has stand behind the result on its line.
    fn begins_next_game(&self, rest: &[u8]) -> bool {
        let may_end = self.has_result && self.comment.is_none() && !self.builder.is_in_variation();
        // A tag is short, and there can be many.
        may_end && tags::begins_game(&rest[..rest.len().min(MAX_TAG_BYTES)], false, is_in_roster)
    }

    /// Opens a variation, or adds the note that stands in the parentheses; returns the length of
    /// what was read.
    fn open_parenthesis(&mut self, text: &[u8]) -> usize {
        let Some(length) = note_length(text).filter(|_| !self.builder.is_unplayed()) else {
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

    /// Adds to the open comment; returns what follows its end.
    fn add_to_comment<'a>(&mut self, text: &'a [u8]) -> &'a [u8] {
        let is_braced = self.open_brackets == 0;
        let end = match is_braced {
            true => text.iter().position(|byte| *byte == b'}'),
            false => closing_bracket(text, &mut self.open_brackets).map(|end| end + 1),
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
            && tags::begins_game(text, true, |_| true)
            && let Bracket::Tag { name, value, after } = tags::read(text)
        {
            self.has_tags = true;
            self.builder.add_tag(name, value);
            return text.len() - after.len();
        }
        let mut brackets = 0;
        let Some(end) = closing_bracket(text, &mut brackets) else {
            if self.has_moves {
                // It goes on in the next line.
                self.comment = Some(text.to_vec());
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

    /// Adds the word at the beginning of a text; returns its length.
    fn add_word(&mut self, text: &[u8]) -> usize {
        if let Some((castling, length)) = castling_with_spaces(text) {
            self.add_plain_word(castling, &text[..length]);
            return length;
        }
        if let Some((recorded, length)) = result_with_spaces(text) {
            self.add_token(Token::Result(recorded), &text[..length]);
            return length;
        }
        let mut length = word_length(text);
        let (word, after) = text.split_at(length);
        if word == b"N" && self.builder.knight_can_go(next_square(after)) {
            // A novelty, or a piece too far from its square: nobody can tell.
            self.add_unreadable(word);
            return length;
        }
        let mut plain = words::plain(word);
        if let Some((apart, piece)) = promotion_apart(word, after) {
            let rest = &after[apart..];
            let end = rest.iter().position(|byte| is_word_end(*byte));
            let rest = &rest[..end.unwrap_or(rest.len())];
            length += apart + rest.len();
            let rest = words::plain(rest).unwrap_or_else(|| text_of(rest));
            let word = text_of(word);
            let pawn = word.trim_end_matches(['=', '/', '-']);
            plain = Some(format!("{pawn}={}{rest}", char::from(piece)));
        }
        let word = &text[..length];
        match plain {
            None => self.add_plain_word(word, word),
            Some(plain) => {
                for part in plain.split_whitespace() {
                    self.add_plain_word(part.as_bytes(), word);
                }
            }
        }
        length
    }

    /// Adds a word in plain characters, which stands so in the file.
    fn add_plain_word(&mut self, plain: &[u8], word: &[u8]) {
        let is_amid_words = self.has_result || self.builder.is_amid_prose();
        if is_amid_words && prose::is_of_heading(plain) {
            self.has_words = true;
            self.builder.prose(&text_of(word));
            return;
        }
        let mut is_whole = true;
        for (token, text) in tokens(plain) {
            // In `N f3` the letter is no glyph, but a piece too far from its square.
            let is_piece = matches!(token, Token::Glyph(_))
                && text[0].is_ascii_alphabetic()
                && self.builder.is_behind_number();
            match token {
                Token::Unknown => self.add_unknown(word, is_whole),
                Token::Number(_, 0) if is_whole && self.builder.is_behind_prose() => {
                    self.builder.prose(&text_of(word));
                }
                // Two squares in numbers, as in correspondence by mail.
                Token::Number(1111..=8888, 0) if is_whole && self.builder.is_behind_number() => {
                    self.add_unreadable(word);
                }
                // A word such as `de` amid others, which could be a capture by files.
                Token::Move([b'a'..=b'h', b'a'..=b'h'])
                    if is_whole && (self.has_result || self.builder.is_amid_prose()) =>
                {
                    self.has_words = true;
                    self.builder.prose(&text_of(word));
                }
                _ if is_piece => self.add_unreadable(word),
                // A word such as `en` or `mate` amid others.
                Token::Sign if text[0].is_ascii_alphabetic() && self.builder.is_behind_prose() => {
                    self.builder.prose(&text_of(word));
                }
                token => self.add_token(token, word),
            }
            is_whole &= !text.iter().any(u8::is_ascii_alphanumeric);
        }
    }

    fn add_token(&mut self, token: Token<'_>, word: &[u8]) {
        match token {
            Token::Number(number, periods) => {
                self.has_words = true;
                self.builder.number(number, periods);
            }
            Token::Move(text) => {
                self.has_moves = true;
                self.builder.play(Written::Move(text), word);
            }
            Token::Null if self.builder.is_amid_prose() && prose::is_prose(&text_of(word)) => {
                self.builder.prose(&text_of(word));
            }
            Token::Null => {
                self.has_moves = true;
                self.builder.play(Written::Null, word);
            }
            Token::Glyph(glyph) => self.builder.glyph(glyph),
            Token::Result(recorded) => {
                self.has_moves = true;
                self.has_result |= self.builder.result(recorded, word);
            }
            Token::Sign | Token::Unknown => (),
        }
    }

    /// Adds a word that no move is meant by, or that can't be read. Behind the result no move is
    /// meant, and before the moves and behind other words none by a word without a digit.
    fn add_unknown(&mut self, word: &[u8], is_whole: bool) {
        self.has_words = true;
        let text = text_of(word);
        let has_digit = word.iter().any(u8::is_ascii_digit);
        let is_amid_prose = self.builder.is_amid_prose() && !has_digit;
        if is_whole && (self.has_result || is_amid_prose || prose::is_prose(&text)) {
            self.builder.prose(&text);
        } else {
            self.add_unreadable(word);
        }
    }

    fn add_unreadable(&mut self, word: &[u8]) {
        self.has_words = true;
        self.builder.unreadable(word);
    }
}

/// The length of a note in parentheses at the beginning of a text: a time or an evaluation, such as
/// `(12)`, `(0:05)`, `(+0.35)` or `(5 min)`. It has a number, and no move is meant by it.
fn note_length(text: &[u8]) -> Option<usize> {
    let inner = text.strip_prefix(b"(")?;
    let inner = &inner[..inner.len().min(MAX_NOTE_BYTES)];
    let end = inner.iter().position(|byte| b"(){}[]<>;$".contains(byte))?;
    let note = &inner[..end];
    let is_note =
        inner[end] == b')' && note.iter().any(u8::is_ascii_digit) && prose::is_without_moves(note);
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

/// The square that stands alone as the next word.
fn next_square(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_start();
    let end = text.iter().position(|byte| !byte.is_ascii_alphanumeric());
    let word = &text[..end.unwrap_or(text.len())];
    if matches!(word, [b'a'..=b'h', b'1'..=b'8']) {
        word
    } else {
        b""
    }
}
