//! The words of the moves, handed on to the builder as moves, numbers, glyphs, results and prose.

use super::GameParser;
use super::parts_of_moves::{lone_piece, without_number};
use crate::notation;
use crate::pgn::apart::{promotion_apart, result_with_spaces};
use crate::pgn::castling::castling_apart;
use crate::pgn::characters::is_picture;
use crate::pgn::comment::text_of;
use crate::pgn::line::Written;
use crate::pgn::prose;
use crate::pgn::words::{self, Token, is_word_end, tokens, word_length};

impl GameParser {
    /// Adds the word at the beginning of a text; returns its length.
    pub(super) fn add_word(&mut self, text: &[u8]) -> usize {
        if let Some((castling, length)) = castling_apart(text) {
            if &text[..length] == b"0.0" && !self.builder.can_play(castling) {
                // An evaluation.
                self.builder.comment("0.0");
                return length;
            }
            self.add_plain_word(castling, &text[..length]);
            return length;
        }
        if let Some((recorded, length)) = result_with_spaces(text) {
            self.add_token(Token::Result(recorded), &text[..length]);
            return length;
        }
        if let [b'e', b'.', b' ', b'p', b'.', ..] = text {
            // It says no more than the board, in one word and in two.
            return 5;
        }
        let mut length = word_length(text);
        let (word, after) = text.split_at(length);
        let plain_word = self.without_emphasis(word);
        if plain_word.len() < length {
            self.add_word(plain_word);
            return length;
        }
        let unnumbered = without_number(word);
        let lone = lone_piece(unnumbered);
        if let Some((rest, taken)) = self.rest_of_move(unnumbered, lone, after) {
            self.add_word(&[word, &rest].concat());
            return length + taken;
        }
        let is_without_square = lone.is_some_and(|lone| self.is_without_square(word, lone, after));
        if is_without_square || is_lost_figurine(unnumbered) {
            self.add_unreadable(word);
            return length;
        }
        if is_long_dash(word) && self.builder.is_behind_number() {
            // What word processors make of `--`.
            self.add_token(Token::Null, word);
            return length;
        }
        let apart = after.len() - after.trim_ascii_start().len();
        if word == b"$" && after.get(apart).is_some_and(u8::is_ascii_digit) {
            length += apart + word_length(&after[apart..]);
            let glyph = [word, text[1 + apart..length].trim_ascii()].concat();
            self.add_plain_word(&glyph, &text[..length]);
            return length;
        }
        let mut plain = words::plain(word);
        let one_word = plain.as_deref().filter(|plain| !plain.contains(' '));
        let spelled = one_word.map_or(word, str::as_bytes);
        if let Some((apart, piece)) = promotion_apart(spelled, after) {
            let rest = &after[apart..];
            let end = rest.iter().position(|byte| is_word_end(*byte));
            let rest = &rest[..end.unwrap_or(rest.len())];
            length += apart + rest.len();
            let rest = words::plain(rest).unwrap_or_else(|| text_of(rest));
            let word = text_of(spelled);
            let pawn = word.trim_end_matches(['=', '/', '-']);
            plain = Some(format!("{pawn}={}{rest}", char::from(piece)));
        }
        let word = &text[..length];
        match plain {
            None => self.add_plain_word(word, word),
            Some(plain) => {
                for part in plain.split_whitespace() {
                    if part.chars().all(is_picture) {
                        self.add_picture(part, after);
                    } else {
                        self.add_plain_word(part.as_bytes(), word);
                    }
                }
            }
        }
        length
    }

    /// A word without the star with which slanted letters of Markdown begin or end, if they go over
    /// several words: `*1. e4 e5*`.
    fn without_emphasis<'a>(&mut self, word: &'a [u8]) -> &'a [u8] {
        match word {
            [b'*', inner @ ..] if !inner.contains(&b'*') && begins_as_move(inner) => {
                // A result can be glued to the first move of the next game.
                let is_result = self.has_moves && words::is_first_move(inner);
                self.is_emphasized |= !is_result;
                if is_result { word } else { inner }
            }
            [inner @ .., b'*'] if self.is_emphasized && !inner.is_empty() => {
                self.is_emphasized = false;
                inner
            }
            word => word,
        }
    }

    /// Adds pictures as a comment. In the place of a piece they are unreadable: `1. 🐴 f3`.
    fn add_picture(&mut self, picture: &str, after: &[u8]) {
        let is_behind_number = self.builder.is_behind_number();
        let square = next_square(after).filter(|_| is_behind_number);
        if square.is_some_and(|square| self.builder.piece_can_go(square)) {
            self.add_unreadable(picture.as_bytes());
        } else if self.builder.is_behind_prose() {
            self.builder.prose(picture);
        } else {
            self.builder.comment(picture);
        }
    }

    /// Adds a word in plain characters, which stands so in the file.
    fn add_plain_word(&mut self, plain: &[u8], word: &[u8]) {
        let is_amid_words = self.has_result || self.builder.is_amid_prose();
        let is_played = self.has_moves && !is_amid_words;
        if prose::is_evaluation(plain) || (is_played && prose::is_time(plain)) {
            self.builder.comment(&text_of(word));
            return;
        }
        if is_amid_words && prose::is_of_heading(plain) {
            self.has_words = true;
            self.builder.prose(&text_of(word));
            return;
        }
        if let Some(second) = self.second_of_glued_moves(plain) {
            let (first, second) = plain.split_at(second);
            self.add_plain_word(first, word);
            self.add_plain_word(second, word);
            return;
        }
        if self.is_unreadable(plain) {
            self.has_moves = true;
            self.add_unreadable(word);
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
                // A word such as `en` or `mate` amid others, or a dash between them.
                Token::Sign
                    if (text[0].is_ascii_alphabetic() || plain == b"-")
                        && self.builder.is_behind_prose() =>
                {
                    self.builder.prose(&text_of(word));
                }
                token => self.add_token(token, word),
            }
            is_whole &= !text.iter().any(u8::is_ascii_alphanumeric);
        }
    }

    /// Whether a word begins as a move and goes on as none, `e8=queen`, or begins with the number
    /// of another move where a piece can go to the square behind it, as when a scanner took its
    /// letter for a digit: `5f3`. Plays what was doubtful before: only then does the position tell.
    fn is_unreadable(&mut self, plain: &[u8]) -> bool {
        let mut parts = tokens(plain);
        let number = match parts.next() {
            // Nearly all words are a single part.
            None => return false,
            Some((_, text)) if text.len() == plain.len() => return false,
            Some((Token::Number(number, 0), _)) => Some(number),
            Some(_) => None,
        };
        if let (Some(number), Some((Token::Move(square @ [_, _]), _))) = (number, parts.next()) {
            self.builder.settle_doubts();
            return !self.builder.expects_number(number) && self.builder.piece_can_go(square);
        }
        // On the last rank the letter behind the signs is what the pawn becomes, and no glyph.
        let mut parts = tokens(plain).filter(|(token, _)| !matches!(token, Token::Number(..)));
        let is_promotion = |text: &[u8]| match text {
            [b'a'..=b'h', b'1' | b'8'] => true,
            [b'a'..=b'h', b'x', b'a'..=b'h', rank] => matches!(rank, b'1' | b'8'),
            _ => false,
        };
        let promotes = matches!(parts.next(), Some((Token::Move(text), _)) if is_promotion(text));
        if promotes && parts.any(|(_, text)| matches!(text, b"N" | b"D")) {
            return true;
        }
        let has = |is_meant: fn(Token<'_>) -> bool| {
            let mut parts = tokens(plain);
            parts.any(|(token, _)| is_meant(token))
        };
        has(|token| matches!(token, Token::Move(_))) && has(|token| token == Token::Unknown)
    }

    pub(super) fn add_token(&mut self, token: Token<'_>, word: &[u8]) {
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
            // A question about the next move: `24. ?`.
            Token::Glyph(1..=6)
                if self.builder.is_behind_number()
                    && !self.builder.is_in_variation()
                    && !word.starts_with(b"$") =>
            {
                self.builder.comment(&text_of(word));
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
        // Two letters behind a number are a move that can't be read.
        let is_long = text.chars().count() > 2 || !self.builder.is_behind_number();
        let is_prose = is_long && prose::is_prose(&text);
        if is_whole && (self.has_result || is_amid_prose || is_prose) {
            self.builder.prose(&text);
        } else {
            self.add_unreadable(word);
        }
    }

    pub(super) fn add_unreadable(&mut self, word: &[u8]) {
        self.has_words = true;
        self.builder.unreadable(word);
    }
}

/// Whether a word, its number left out, is a move of a piece whose figurine was lost when the text
/// was saved: `?f3`.
fn is_lost_figurine(word: &[u8]) -> bool {
    const LOST: [&str; 4] = ["?", "\u{25a1}", "\u{25af}", "\u{fffd}"];
    if word.first().is_none_or(u8::is_ascii_alphanumeric) {
        // Nearly all words.
        return false;
    }
    let mut lost = LOST.iter();
    let Some(rest) = lost.find_map(|sign| word.strip_prefix(sign.as_bytes())) else {
        return false;
    };
    matches!(rest, [b'a'..=b'h' | b'x', ..]) && notation::extent(rest).is_some()
}

/// Whether a word begins with the number of a move, or with a move.
fn begins_as_move(word: &[u8]) -> bool {
    let first = tokens(word).next().map(|(token, _)| token);
    matches!(first, Some(Token::Number(_, 1..) | Token::Move(_)))
}

/// Whether a word is nothing but a dash longer than a hyphen, in UTF-8 or Windows-1252.
fn is_long_dash(word: &[u8]) -> bool {
    matches!(word, [0xe2, 0x80, 0x93 | 0x94] | [0x96 | 0x97])
}

/// The square that stands alone as the next word.
fn next_square(text: &[u8]) -> Option<&[u8]> {
    let text = text.trim_ascii_start();
    let end = text.iter().position(|byte| !byte.is_ascii_alphanumeric());
    let word = &text[..end.unwrap_or(text.len())];
    matches!(word, [b'a'..=b'h', b'1'..=b'8']).then_some(word)
}
