//! Cuts a file into the texts of its games, and smooths their faults.
//!
//! A game ends where the tags of the next begin, where a line follows its result that is empty, or where the moves
//! begin again at 1. Files in the wild break lines, comments and tags in ways that a parser of PGN takes for the end
//! of a game, or skips in silence. So the text of each game is handed on in a plain form: a line for each tag, and then
//! all moves in one line. A word that looks like a move but isn't one becomes a null move, so that the reader notices
//! it where it stands.

use std::collections::VecDeque;
use std::io::{self, BufRead, Read};
use std::mem;

use shakmaty::san::San;

use super::GameError;
use super::comment::text_of;
use super::words::{is_first_move, is_result, is_token_end, plain, san, split_value};
use squarewise_engine::text_encoding::{BYTE_ORDER_MARK, without_byte_order_mark};

/// The longest text of a game, in bytes.
pub(super) const MAX_GAME_BYTES: usize = 2 << 20;

/// The text of a game.
#[derive(Debug, Default)]
pub(super) struct GameText {
    /// Tags and moves in a plain form.
    pub(super) text: Vec<u8>,
    /// The words that stand as null moves in the text, in their order.
    pub(super) null_moves: VecDeque<String>,
    /// What is wrong with the text as a whole.
    pub(super) problem: Option<GameError>,
    /// The length of the game in the file, in bytes.
    pub(super) bytes: u64,
}

/// The games of a file, one at a time.
#[derive(Debug)]
pub(super) struct GameTexts<R> {
    source: R,
    /// The last line that was read, without its end.
    line: Vec<u8>,
    /// The length of that line in the file, in bytes.
    line_bytes: u64,
    /// Whether the line belongs to the next game.
    is_line_left: bool,
    /// Whether the line is longer than any game, and this is only a part of it; whether it is not the first part.
    is_part: bool,
    is_later_part: bool,
    is_at_start: bool,
}

impl<R: BufRead> GameTexts<R> {
    pub(super) fn new(source: R) -> GameTexts<R> {
        GameTexts {
            source,
            line: Vec::new(),
            line_bytes: 0,
            is_line_left: false,
            is_part: false,
            is_later_part: false,
            is_at_start: true,
        }
    }

    /// The next game; `None` at the end of the file.
    pub(super) fn next_game(&mut self) -> io::Result<Option<GameText>> {
        let mut game = Assembly::default();
        loop {
            let has_line = mem::take(&mut self.is_line_left) || self.read_line()?;
            if has_line && (self.is_later_part || !game.ends_before(&self.line)) {
                if self.is_later_part {
                    game.add_moves(&self.line);
                } else {
                    game.add_line(&self.line);
                }
                game.text.bytes += self.line_bytes;
                continue;
            }
            self.is_line_left = has_line;
            if game.has_content() {
                return Ok(Some(game.finished()));
            }
            if !has_line {
                return Ok(None);
            }
            // Only empty lines and comments: they belong to no game.
            let bytes = game.text.bytes;
            game = Assembly::default();
            game.text.bytes = bytes;
        }
    }

    /// Reads a line; returns whether there is one. A line that is longer than any game is read in parts.
    fn read_line(&mut self) -> io::Result<bool> {
        self.line.clear();
        let limit = MAX_GAME_BYTES + 1;
        let mut part = self.source.by_ref().take(limit as u64);
        let bytes = part.read_until(b'\n', &mut self.line)?;
        self.is_later_part = self.is_part;
        self.is_part = bytes == limit && !self.line.ends_with(b"\n");
        self.line_bytes = bytes as u64;
        if mem::take(&mut self.is_at_start) {
            let length = without_byte_order_mark(&self.line)?.len();
            self.line.drain(..self.line.len() - length);
        } else if self.line.starts_with(BYTE_ORDER_MARK) {
            // Several files behind one another.
            self.line.drain(..BYTE_ORDER_MARK.len());
        }
        let end = self.line.trim_ascii_end().len();
        self.line.truncate(end);
        Ok(bytes > 0)
    }
}

/// A game while its lines arrive.
#[derive(Default)]
struct Assembly {
    text: GameText,
    has_tags: bool,
    /// The name of the first tag.
    first_tag: Option<Vec<u8>>,
    /// Whether anything but tags was read.
    has_movetext: bool,
    /// Whether a move or a result was read.
    has_moves: bool,
    /// Whether other words were read.
    has_words: bool,
    has_result: bool,
    is_in_comment: bool,
    /// The number of open variations.
    variations: u32,
    is_after_empty_line: bool,
}

impl Assembly {
    /// Whether the game is over before this line.
    fn ends_before(&self, line: &[u8]) -> bool {
        if self.is_in_comment {
            // The comment was never closed.
            return self.is_after_empty_line && line.starts_with(b"[Event \"");
        }
        let line = line.trim_ascii_start();
        match line.first() {
            None => self.has_result,
            // A game without moves ends where its first tag comes again.
            Some(b'[') => {
                let begins_again = || self.first_tag.as_deref() == Some(tag_name(line));
                self.has_movetext || (self.is_after_empty_line && begins_again())
            }
            Some(_) => {
                // In a variation the moves can begin again.
                let is_paragraph =
                    self.is_after_empty_line && self.has_moves && self.variations == 0;
                (self.has_result || is_paragraph) && is_first_move(line)
            }
        }
    }

    fn add_line(&mut self, line: &[u8]) {
        let is_empty = line.is_empty();
        if line.contains(&0) {
            self.text.problem.get_or_insert(GameError::NotText);
        }
        // A line that begins with a percent sign is for other programs.
        if self.is_in_comment || !line.starts_with(b"%") {
            self.is_after_empty_line = is_empty;
            let moves = if self.is_in_comment || self.has_movetext {
                line
            } else {
                self.add_tags(line)
            };
            if !moves.is_empty() {
                self.add_moves(moves);
                self.push(b" ");
            }
        }
    }

    /// Adds the tags at the beginning of a line; returns the rest of the line.
    fn add_tags<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        let mut rest = line.trim_ascii();
        while let Some(tag) = rest.strip_prefix(b"[") {
            self.has_tags = true;
            let Some(quote) = tag.iter().position(|byte| matches!(byte, b'"' | b']')) else {
                return b"";
            };
            let (name, value) = (&tag[..quote], &tag[quote + 1..]);
            if tag[quote] == b']' {
                // A tag without a value says nothing.
                rest = value.trim_ascii_start();
                continue;
            }
            let (value, after) = split_value(value);
            self.first_tag
                .get_or_insert_with(|| tag_name(rest).to_vec());
            self.push(b"[");
            self.push(name.trim_ascii());
            self.push(b" \"");
            self.push(&value);
            self.push(b"\"]\n");
            rest = after.trim_ascii_start();
        }
        rest
    }

    fn add_moves(&mut self, line: &[u8]) {
        let mut rest = line;
        while let Some((&first, after)) = rest.split_first() {
            if self.is_in_comment {
                let end = rest.iter().position(|byte| *byte == b'}');
                self.is_in_comment = end.is_none();
                let (comment, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
                self.push(comment);
                rest = after;
                continue;
            }
            self.has_movetext = true;
            let mut length = 1;
            match first {
                b';' => {
                    let text: Vec<u8> = after
                        .iter()
                        .filter(|byte| **byte != b'}')
                        .copied()
                        .collect();
                    self.push(b"{");
                    self.push(&text);
                    self.push(b"}");
                    length = rest.len();
                }
                b'*' => self.add_word(b"*"),
                b'}' => {
                    self.push(b" ");
                }
                _ if is_token_end(first) => {
                    match first {
                        b'{' => self.is_in_comment = true,
                        b'(' => self.variations += 1,
                        b')' => self.variations = self.variations.saturating_sub(1),
                        _ => (),
                    }
                    self.push(&[first]);
                }
                _ => {
                    length = rest
                        .iter()
                        .position(|byte| is_token_end(*byte))
                        .unwrap_or(rest.len());
                    self.add_word(&rest[..length]);
                }
            }
            rest = &rest[length..];
        }
    }

    /// Adds a word: a result, a number, a move, or something else, which is left out.
    fn add_word(&mut self, word: &[u8]) {
        if let Some(plain) = plain(word) {
            for word in plain.split_whitespace() {
                self.add_word(word.as_bytes());
                self.push(b" ");
            }
            return;
        }
        if is_result(word) {
            // Inside a variation a result ends nothing.
            if self.variations == 0 {
                self.has_result = true;
                self.has_moves = true;
                self.push(if word == b"1/2" { b"1/2-1/2" } else { word });
            }
            return;
        }
        let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_castling = word[0] == b'0' && san(word).is_some();
        if digits > 0 && !is_castling {
            // The number of a move or of a glyph; without a period the move follows at once.
            self.push(&word[..digits]);
            self.push(b" ");
            if digits < word.len() {
                self.add_word(&word[digits..]);
            }
        } else if let Some(san) = san(word) {
            self.has_moves = true;
            if matches!(San::from_ascii(&san), Ok(San::Null)) {
                self.add_null_move(word);
            } else {
                self.push(&san);
            }
        } else if is_letter(word[0]) && word.iter().any(u8::is_ascii_digit) {
            // A move in another language, or with a misprint.
            self.has_moves = true;
            self.add_null_move(word);
        } else {
            self.has_words = true;
        }
    }

    fn add_null_move(&mut self, word: &[u8]) {
        if self.push(b"--") {
            let shown = text_of(&word[..word.len().min(20)]);
            self.text.null_moves.push_back(shown);
        }
    }

    /// Adds to the text, unless it would become too long. Returns whether it was added.
    fn push(&mut self, bytes: &[u8]) -> bool {
        let has_room = self.text.text.len() + bytes.len() <= MAX_GAME_BYTES;
        if has_room {
            self.text.text.extend_from_slice(bytes);
        } else {
            self.text.problem.get_or_insert(GameError::TooLong);
        }
        has_room
    }

    /// Whether there is anything to report: a game, or something that should have been one.
    fn has_content(&self) -> bool {
        self.has_tags || self.has_moves || self.has_words || self.is_in_comment
    }

    fn finished(self) -> GameText {
        let mut text = self.text;
        if self.is_in_comment {
            text.problem.get_or_insert(GameError::UnterminatedComment);
        } else if !self.has_tags && !self.has_moves {
            text.problem.get_or_insert(GameError::NotAGame);
        }
        text
    }
}

/// The name of the tag at the beginning of a line.
fn tag_name(line: &[u8]) -> &[u8] {
    let tag = line.strip_prefix(b"[").unwrap_or(line);
    let end = tag.iter().position(|byte| matches!(byte, b'"' | b']'));
    tag[..end.unwrap_or(tag.len())].trim_ascii()
}

/// Whether a word that begins with this byte can be a move: with a letter of any alphabet.
fn is_letter(first: u8) -> bool {
    first.is_ascii_alphabetic() || !first.is_ascii()
}
