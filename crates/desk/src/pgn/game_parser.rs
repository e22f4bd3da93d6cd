//! Reads the lines of a game, and says where it ends.
//!
//! A game ends where the tags of the next begin, where a line follows its result that is empty, or
//! where the moves begin again at 1. Every word of its moves is handed on to the [`Builder`]: what
//! it can't read is an error.

use std::mem;

use super::GameError;
use super::builder::{Builder, Finished};
use super::comment::text_of;
use super::line::Written;
use super::results;
use super::tags::{self, Bracket};
use super::words::{self, Token, is_first_move, is_word_end, tokens};

/// The longest text of a game, in bytes.
pub(super) const MAX_GAME_BYTES: usize = 2 << 20;

/// The most tags of a game.
const MAX_TAGS: usize = 2_000;

/// The names of the marks of HTML and of forums, which are no part of a game.
const MARKUP: [&str; 16] = [
    "b", "i", "u", "em", "strong", "br", "p", "div", "span", "font", "a", "tt", "sup", "sub",
    "small", "big",
];

/// A game while its lines arrive.
#[derive(Default)]
pub(super) struct GameParser {
    builder: Builder,
    /// The length of the game in the file, in bytes.
    pub(super) bytes: u64,
    has_tags: bool,
    /// How many tags stand above the last empty line.
    tags_above: usize,
    /// How many tags were compared with those above.
    tags_checked: usize,
    /// A tag whose value isn't closed yet, and the lines below it with their numbers.
    open_tag: Option<(Vec<u8>, Vec<(usize, Vec<u8>)>)>,
    /// Whether a number, a move or a result was read.
    has_moves: bool,
    /// Whether other words were read.
    has_words: bool,
    has_result: bool,
    /// The text of a comment that isn't closed yet.
    comment: Option<Vec<u8>>,
    is_after_empty_line: bool,
}

impl GameParser {
    /// A game that begins with these tags.
    pub(super) fn with_tags(tags: Vec<(String, String)>) -> GameParser {
        GameParser {
            has_tags: !tags.is_empty(),
            tags_checked: tags.len(),
            builder: Builder::with_tags(tags),
            ..GameParser::default()
        }
    }

    /// Whether the game is over before this line.
    pub(super) fn ends_before(&self, line: &[u8]) -> bool {
        if self.comment.is_some() {
            // The comment was never closed.
            return self.is_after_empty_line && line.starts_with(b"[Event \"");
        }
        let line = line.trim_ascii_start();
        match line.first() {
            None => self.has_result,
            Some(b'[') => {
                let may_end = self.has_result || self.is_after_empty_line;
                self.has_moves && tags::begins_game(line, may_end)
            }
            Some(_) => {
                // In a variation the moves can begin again.
                let is_paragraph =
                    self.is_after_empty_line && self.has_moves && !self.builder.is_in_variation();
                (self.has_result || is_paragraph) && is_first_move(line)
            }
        }
    }

    /// Adds a line.
    pub(super) fn add_line(&mut self, line: &[u8], number: usize) {
        self.builder.line_number = number;
        if !self.builder.has_room(line.len(), MAX_GAME_BYTES) {
            // Only the end of the game is looked for.
            self.comment.iter_mut().for_each(Vec::clear);
            self.open_tag = None;
        }
        if line.contains(&0) {
            self.builder.fail(GameError::NotText);
        }
        // A line that begins with a percent sign is for other programs.
        if self.comment.is_none() && line.starts_with(b"%") {
            return;
        }
        let is_above_moves = self.comment.is_none() && !self.has_moves;
        let moves = if is_above_moves {
            self.add_tags(line)
        } else {
            line
        };
        self.add_moves(moves);
        self.is_after_empty_line = line.is_empty();
        if line.is_empty() && is_above_moves {
            self.tags_above = self.builder.tags.len();
        }
    }

    /// Adds a part of a line that is longer than any game.
    pub(super) fn add_part(&mut self, line: &[u8]) {
        self.builder.has_room(line.len(), MAX_GAME_BYTES);
        self.comment.iter_mut().for_each(Vec::clear);
        self.add_moves(line);
    }

    /// The tags of the next game, if they were read: one that this game has already, below an empty
    /// line.
    pub(super) fn tags_of_next_game(&mut self) -> Option<Vec<(String, String)>> {
        if self.has_moves {
            return None;
        }
        let tags = &self.builder.tags;
        let is_above =
            |count: usize, name: &str| tags[..count].iter().any(|(other, _)| other == name);
        let new = mem::replace(&mut self.tags_checked, tags.len());
        let cut = (new..tags.len()).find_map(|index| {
            let name = &tags[index].0;
            if index >= self.tags_above && is_above(self.tags_above, name) {
                return Some(self.tags_above);
            }
            (name == "Event" && is_above(index, name)).then_some(index)
        });
        if tags.len() > MAX_TAGS {
            self.builder.fail(GameError::TooLong);
            self.builder.tags.truncate(MAX_TAGS);
        }
        Some(self.builder.tags.split_off(cut?))
    }

    /// Adds the tags at the beginning of a line; returns the rest of the line.
    fn add_tags<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        if let Some((mut tag, mut lines)) = self.open_tag.take() {
            let start = line.trim_ascii_start();
            let may_continue =
                !start.is_empty() && !start.starts_with(b"[") && !is_first_move(start);
            if may_continue {
                lines.push((self.builder.line_number, line.to_vec()));
                if !line.windows(2).any(|pair| pair == b"\"]") {
                    self.open_tag = Some((tag, lines));
                    return b"";
                }
                for (_, line) in lines {
                    tag.push(b' ');
                    tag.extend_from_slice(&line);
                }
                self.add_tags(&tag);
                return b"";
            }
            self.add_without_end(&tag, lines);
        }
        let mut rest = line.trim_ascii();
        while rest.starts_with(b"[") {
            self.has_tags = true;
            rest = match tags::read(rest) {
                Bracket::Tag { name, value, after } => {
                    self.builder.add_tag(name, value);
                    after.trim_ascii_start()
                }
                Bracket::Empty(after) => after.trim_ascii_start(),
                Bracket::Open { .. } => {
                    self.open_tag = Some((rest.to_vec(), Vec::new()));
                    b""
                }
            };
        }
        if let Some(remark) = rest.strip_prefix(b"#") {
            self.builder.comment(&text_of(remark));
            return b"";
        }
        rest
    }

    /// Adds a tag whose value is never closed: it ends with its line, and those below are no part of
    /// it.
    fn add_without_end(&mut self, tag: &[u8], lines: Vec<(usize, Vec<u8>)>) {
        if let Bracket::Open { name, value } = tags::read(tag) {
            self.builder.add_tag(name, value);
        }
        let number = self.builder.line_number;
        for (number, line) in lines {
            self.builder.line_number = number;
            self.add_moves(&line);
        }
        self.builder.line_number = number;
    }

    /// The first tag of a next game that is cut off belongs to no game.
    fn leave_out_second_event(&mut self) {
        let tags = &mut self.builder.tags;
        let count = tags.iter().filter(|(name, _)| name == "Event").count();
        if count > 1
            && let Some((_, value)) = tags.pop_if(|(name, _)| name == "Event")
        {
            let value: String = value.chars().take(20).collect();
            self.builder.remark(format!(
                "an Event tag below its tags, {value}, has no end and is left out"
            ));
        }
    }

    fn add_moves(&mut self, line: &[u8]) {
        let mut rest = line;
        while let Some(&first) = rest.first() {
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
                b'(' => {
                    self.builder.open_variation();
                    1
                }
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
        let end = text.iter().position(|byte| *byte == b'}');
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
        &after[1..]
    }

    /// Adds what stands in brackets among the moves: the mark of a forum, a move, or a remark.
    /// Returns its length.
    fn add_bracket(&mut self, text: &[u8]) -> usize {
        let Some(end) = text.iter().position(|byte| *byte == b']') else {
            self.add_unreadable(text);
            return text.len();
        };
        let inner = &text[1..end];
        if is_markup(inner) {
            return end + 1;
        }
        let is_one_word = !inner.is_empty() && !inner.iter().any(|byte| is_word_end(*byte));
        if is_one_word && matches!(tokens(inner).next(), Some((Token::Move(_), _))) {
            self.add_word(inner);
        } else {
            self.builder.comment(&text_of(&text[..=end]));
        }
        end + 1
    }

    /// Adds the word at the beginning of a text; returns its length.
    fn add_word(&mut self, text: &[u8]) -> usize {
        if let Some((recorded, length)) = result_with_spaces(text) {
            self.add_token(Token::Result(recorded), &text[..length]);
            return length;
        }
        let length = text.iter().position(|byte| is_word_end(*byte));
        let mut length = length.unwrap_or(text.len());
        let (word, after) = text.split_at(length);
        let mut plain = words::plain(word);
        if let Some((apart, piece)) = words::promotion_apart(word, after) {
            let rest = &after[apart..];
            let end = rest.iter().position(|byte| is_word_end(*byte));
            let rest = &rest[..end.unwrap_or(rest.len())];
            length += apart + rest.len();
            let rest = words::plain(rest).unwrap_or_else(|| text_of(rest));
            let word = text_of(word);
            let pawn = word.trim_end_matches(['=', '/']);
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
        let mut is_whole = true;
        for (token, text) in tokens(plain) {
            match token {
                Token::Unknown => self.add_unknown(word, is_whole),
                token => self.add_token(token, word),
            }
            is_whole &= !text.iter().any(u8::is_ascii_alphanumeric);
        }
    }

    fn add_token(&mut self, token: Token<'_>, word: &[u8]) {
        match token {
            Token::Number(number, periods) => {
                self.has_moves |= periods > 0;
                self.builder.number(number, periods);
            }
            Token::Move(text) => {
                self.has_moves = true;
                self.builder.play(Written::Move(text), word);
            }
            Token::Null if self.builder.is_amid_prose() && words::is_prose(&text_of(word)) => {
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

    /// Adds a word that no move is meant by, or that can't be read.
    fn add_unknown(&mut self, word: &[u8], is_whole: bool) {
        self.has_words = true;
        let text = text_of(word);
        if is_whole && words::is_prose(&text) {
            self.builder.prose(&text);
        } else {
            self.add_unreadable(word);
        }
    }

    fn add_unreadable(&mut self, word: &[u8]) {
        self.has_words = true;
        self.builder.unreadable(word);
    }

    /// Whether there is anything to report: a game, or something that should have been one.
    pub(super) fn has_content(&self) -> bool {
        self.has_tags || self.has_moves || self.has_words || self.comment.is_some()
    }

    /// The game, when all its lines are added.
    pub(super) fn finish(mut self) -> Finished {
        if let Some((tag, lines)) = self.open_tag.take() {
            self.add_without_end(&tag, lines);
            self.leave_out_second_event();
        }
        if mem::take(&mut self.comment).is_some() {
            self.builder.fail(GameError::UnterminatedComment);
        } else if !self.has_tags && !self.has_moves {
            self.builder.fail_as_no_game();
        }
        self.builder.finish()
    }
}

/// The length of the mark of HTML at the beginning of a text, or of its bracket alone.
fn markup_length(text: &[u8]) -> usize {
    match text.iter().position(|byte| *byte == b'>') {
        Some(end) if is_markup(&text[1..end]) => end + 1,
        _ => 1,
    }
}

/// Whether what stands in brackets is a mark of HTML or of a forum, such as `b`, `/b` or `br /`.
fn is_markup(inner: &[u8]) -> bool {
    let name = inner.strip_prefix(b"/").unwrap_or(inner);
    let end = name.iter().position(|byte| !byte.is_ascii_alphanumeric());
    let name = &name[..end.unwrap_or(name.len())];
    MARKUP
        .iter()
        .any(|markup| markup.as_bytes().eq_ignore_ascii_case(name))
}

/// A result with spaces in it at the beginning of a text, such as `1 - 0`, and its length.
fn result_with_spaces(text: &[u8]) -> Option<(results::Recorded, usize)> {
    if !matches!(text.first(), Some(b'0' | b'1' | 0xc2)) {
        return None;
    }
    let mut length = 0;
    let mut joined = Vec::new();
    for index in 0..3 {
        length += text[length..]
            .iter()
            .take_while(|byte| **byte == b' ')
            .count();
        let word = &text[length..];
        let end = word.iter().position(|byte| is_word_end(*byte));
        let word = &word[..end.unwrap_or(word.len())];
        if (index == 1) != matches!(word, b"-" | b":" | b"\xe2\x80\x93" | b"\xe2\x88\x92")
            || word.len() > 4
        {
            return None;
        }
        joined.extend_from_slice(word);
        length += word.len();
    }
    let recorded = results::of_tag(&text_of(&joined))?;
    Some((recorded, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::lines::Lines;
    use std::io::{BufReader, Read};

    /// A text without end: the same bytes over and over.
    struct Endless {
        text: Vec<u8>,
        at: usize,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.text[self.at];
                self.at = (self.at + 1) % self.text.len();
            }
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_game_without_end_takes_bounded_memory() {
        let long_tag = format!("[A{{}} \"{}\"]\n", "x".repeat(300_000));
        for (start, repeated) in [
            ("", "1. Nf3 Nf6 2. Ng1 Ng8\n"),
            ("1. e4 ", "(1. d4)\n"),
            ("1. e4 ", "(1. d4 "),
            ("1. e4 ", "("),
            ("1. e4 (1. Ke4 ", "1... e5 (2. d4) {x} \n"),
            ("1. e4 ", "$1 $2 {a} ; b\n"),
            ("1. e4 ", "resigns\n"),
            ("{", "comment \n"),
            ("{", "((((({{{{{\n"),
            ("", "text above the moves\n"),
            ("", "[Site \"a\"]\n"),
            ("", &long_tag),
            ("[Event \"open\n", "line \n"),
            ("", "# remark\n"),
            ("", "x"),
            ("[Event \"", "x"),
            ("% ", "x"),
            ("", "\n% x\n"),
        ] {
            let source = Endless {
                text: repeated.as_bytes().to_vec(),
                at: 0,
            };
            let source = start
                .as_bytes()
                .chain(source)
                .take(2 * MAX_GAME_BYTES as u64);
            let mut lines = Lines::new(BufReader::new(source), MAX_GAME_BYTES + 1);
            let mut game = GameParser::default();
            let (mut most, mut until_checked) = (0, 0);
            while lines.advance().expect("memory can be read") {
                match lines.is_later_part {
                    true => game.add_part(&lines.line),
                    false => game.add_line(&lines.line, lines.number),
                }
                drop(game.tags_of_next_game());
                if lines.bytes >= until_checked {
                    most = most.max(game.held_bytes() + lines.line.capacity());
                    until_checked = 100_000;
                } else {
                    until_checked -= lines.bytes;
                }
            }
            most = most.max(game.held_bytes());
            let megabytes = most >> 20;
            assert!(megabytes < 64, "{megabytes} MiB of {start}{repeated:.20}");
            let (record, remarks) = game.finish();
            let is_empty = repeated.contains('%') || start.contains('%');
            assert!(
                is_empty || matches!(record, Err(GameError::TooLong)),
                "{start}{repeated:.20}"
            );
            assert!(remarks.is_empty());
        }
    }

    impl GameParser {
        /// The bytes that the game takes in memory, without those of the allocator.
        fn held_bytes(&self) -> usize {
            let tag = self.open_tag.as_ref().map_or(0, |(tag, lines)| {
                tag.capacity() + lines.iter().map(|(_, line)| line.capacity()).sum::<usize>()
            });
            tag + self.comment.as_ref().map_or(0, Vec::capacity) + self.builder.held_bytes()
        }
    }
}
