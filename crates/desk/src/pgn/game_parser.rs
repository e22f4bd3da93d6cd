//! Reads the lines of a game, and says where it ends.
//!
//! A game ends where the tags or the title of the next begin, where a line follows its result that
//! is empty, or where the moves begin again at 1. Every word of its moves is handed on to the
//! [`Builder`]: what it can't read is an error.

mod movetext;
mod parts_of_moves;
mod tag_section;
mod word;

use std::mem;

use super::GameError;
use super::builder::{Builder, Finished};
use super::comment::text_of;
use super::line_of_words::{first_moves, is_heading, is_sentence, is_text, may_be_heading};
use super::tags;
use super::titles::{
    is_title, may_be_title, result_alone, result_at_end, result_of_heading, result_of_title,
};
use super::writer::is_in_roster;

/// A tag whose value isn't closed yet.
struct OpenTag {
    text: Vec<u8>,
    /// The lines below it, with their numbers.
    below: Vec<(usize, Vec<u8>)>,
}

/// A game while its lines arrive.
#[derive(Default)]
pub(super) struct GameParser {
    builder: Builder,
    /// The length of the game in the file, in bytes.
    pub(super) bytes: u64,
    has_tags: bool,
    /// Whether tags stand without brackets.
    pub(super) has_tags_in_words: bool,
    /// How many tags stand above the last empty line.
    tags_above: usize,
    /// How many tags were compared with those above.
    tags_checked: usize,
    open_tag: Option<OpenTag>,
    /// Whether a number, a move or a result was read.
    has_moves: bool,
    /// Whether other words were read.
    has_words: bool,
    has_result: bool,
    /// The text of a comment that isn't closed yet.
    comment: Option<Vec<u8>>,
    /// The line in which it begins.
    comment_line: usize,
    /// How many brackets are to close until it is; 0 if a brace closes it.
    open_brackets: usize,
    /// Whether slanted letters of Markdown have begun in another word.
    is_emphasized: bool,
    /// Whether a comment of HTML isn't closed yet, which is no part of the game.
    is_in_html_comment: bool,
    is_after_empty_line: bool,
    /// The end of the line above, if castling or a result can go on in the next: `0-`.
    broken_word: Vec<u8>,
}

impl GameParser {
    /// A game that begins with these tags, which stood in brackets or in words.
    pub(super) fn with_tags(tags: Vec<(String, String)>, are_in_words: bool) -> GameParser {
        GameParser {
            has_tags: !tags.is_empty(),
            has_tags_in_words: are_in_words && !tags.is_empty(),
            tags_checked: tags.len(),
            builder: Builder::with_tags(tags),
            ..GameParser::default()
        }
    }

    /// Whether a comment isn't closed yet.
    pub(super) fn is_in_comment(&self) -> bool {
        self.comment.is_some()
    }

    /// Whether it matters for this line if moves follow it: it can be a heading of this game, or a
    /// title of the next.
    pub(super) fn asks_what_follows(&self, line: &[u8]) -> bool {
        let may_begin = !self.has_moves
            || self.has_result
            || self.is_after_empty_line
            || self.builder.has_whole_move();
        let is_open = self.comment.is_some() || self.builder.is_in_variation();
        let has_words = self.has_words || self.has_tags_in_words;
        let is_result = || has_words && !self.has_moves && result_alone(line).is_some();
        may_begin && !is_open && (may_be_heading(line) || is_result())
    }

    /// Whether it matters for this tag what follows it: it can be the result of this game below its
    /// moves, or a remark, and no tag of the next.
    pub(super) fn asks_what_follows_tag(&self, line: &[u8]) -> bool {
        self.has_moves && !self.has_result && self.comment.is_none() && line.starts_with(b"[")
    }

    /// Whether moves or the result of the game stand on the line above.
    pub(super) fn has_moves_above(&self) -> bool {
        self.has_moves && !self.is_after_empty_line
    }

    /// Whether the game is over before this line. `leads_to_moves` says whether it is of words, and
    /// stands above the first moves of a game.
    pub(super) fn ends_before(&self, line: &[u8], leads_to_moves: bool) -> bool {
        if self.is_in_html_comment {
            return tags::begins_game(line, false, is_in_roster);
        }
        if self.open_brackets > 0 && line.is_empty() {
            // A bracket that was never closed.
            return true;
        }
        if self.comment.is_some() {
            // The comment was never closed.
            let is_known = |name: &str| is_in_roster(name) || name == "FEN";
            let line = line.trim_ascii_start();
            return self.is_after_empty_line && tags::begins_game(line, false, is_known);
        }
        let line = self.without_separator(line).trim_ascii_start();
        match line.first() {
            None => self.has_result,
            Some(b'[') => {
                // Text that is no game ends where one begins.
                let is_game = self.has_moves || (!self.has_tags && !self.builder.is_whole());
                let may_end = self.has_result || self.is_after_empty_line;
                is_game
                    && !(self.has_moves && !may_end && tags::result(line).is_some())
                    && tags::begins_game(line, may_end, |name| self.builder.may_repeat(name))
            }
            Some(_) => {
                // In a variation the moves can begin again.
                let is_main = self.has_moves && !self.builder.is_in_variation();
                let is_paragraph = self.is_after_empty_line && is_main;
                if leads_to_moves && self.has_moves {
                    // Without a result this game still waits for its own.
                    let has_result = self.has_result || self.builder.result_of_title.is_some();
                    return has_result || may_be_title(line);
                }
                if self.has_result || is_paragraph {
                    let is_first = |(name, _): &(&str, String)| matches!(*name, "Event" | "White");
                    let (words, _) = tags::apart_from_moves(line);
                    if tags::of_words(words).first().is_some_and(is_first) {
                        return true;
                    }
                    return !is_sentence(line) && (first_moves(line).is_some() || is_title(line));
                }
                // A list of openings has neither results nor empty lines.
                let has_number =
                    |moves: &[u8]| moves.starts_with(b"1.") || moves.starts_with(b"1)");
                let begins_again =
                    || self.builder.has_whole_move() && first_moves(line).is_some_and(has_number);
                let has_titles = self.builder.result_of_title.is_some();
                is_main && (begins_again() || (has_titles && result_of_title(line).is_some()))
            }
        }
    }

    /// Adds a line, of which `leads_to_moves` says the same as for [`GameParser::ends_before`].
    /// Returns where in it the next game begins, if it does.
    pub(super) fn add_line(
        &mut self,
        line: &[u8],
        number: usize,
        leads_to_moves: bool,
    ) -> Option<usize> {
        let whole = line;
        let line = self.without_html_comment(self.without_separator(line));
        self.builder.line_number = number;
        self.builder.count_bytes(line.len());
        if self.builder.is_too_long() {
            // Only the end of the game is looked for.
            self.comment.iter_mut().for_each(Vec::clear);
            self.open_tag = None;
        }
        if line.contains(&0) {
            self.builder.fail(GameError::NotText);
        }
        if tags::is_escaped(line) {
            self.builder.fail(GameError::Escaped);
        }
        if self.comment.is_none() && tags::is_list(line) {
            self.builder.fail(GameError::List);
            self.has_words = true;
        }
        if self.comment.is_some() && tags::begins_game(line.trim_ascii_start(), false, is_in_roster)
        {
            let begin = self.comment_line;
            self.builder.remark_here(&format!(
                "a tag stands in the comment that begins in line {begin}"
            ));
        }
        // A line that begins with a percent sign is for other programs.
        if self.comment.is_none() && line.starts_with(b"%") {
            return None;
        }
        let is_above_moves = self.comment.is_none() && !self.has_moves;
        let moves = if is_above_moves {
            self.add_tags(line)
        } else {
            line
        };
        let may_be_heading = is_above_moves && self.comment.is_none() && !self.has_moves;
        let next = if may_be_heading && self.take_heading(moves, leads_to_moves) {
            self.has_words = true;
            b""
        } else if self.is_prose_below_moves(moves) {
            self.has_words = true;
            self.builder.prose(&text_of(moves));
            b""
        } else {
            self.add_line_of_moves(moves)
        };
        self.is_after_empty_line = line.is_empty();
        if line.is_empty() && is_above_moves {
            self.tags_above = self.builder.tags.len();
        }
        (!next.is_empty()).then(|| whole.len() - next.len())
    }

    /// What a line has behind a comment of HTML that was opened above it or begins it.
    fn without_html_comment<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        self.is_in_html_comment |= self.comment.is_none() && line.starts_with(b"<!--");
        if !self.is_in_html_comment || tags::begins_game(line, false, is_in_roster) {
            // One that was never closed ends where a game begins.
            self.is_in_html_comment = false;
            return line;
        }
        let end = line.windows(3).position(|bytes| bytes == b"-->");
        self.is_in_html_comment = end.is_none();
        end.map_or(b"", |end| &line[end + 3..])
    }

    /// Takes a line above the moves that has none; returns whether it did. The result in a title
    /// that names the players is that of their game, and so is one right above the moves.
    fn take_heading(&mut self, line: &[u8], leads_to_moves: bool) -> bool {
        let alone = result_alone(line).filter(|_| leads_to_moves);
        let at_end = || result_at_end(line).filter(|_| leads_to_moves);
        let result = alone.or_else(|| result_of_heading(line)).or_else(at_end);
        let is_heading = self.builder.is_amid_prose()
            && (result.is_some()
                || is_heading(line)
                || is_sentence(line)
                || (leads_to_moves && may_be_heading(line)));
        if is_heading {
            self.builder.result_of_title = self.builder.result_of_title.or(result);
            match alone {
                Some(result) if self.has_tags_in_words => {
                    self.builder
                        .add_tag("Result".to_owned(), result.to_string());
                }
                Some(_) => {}
                None => self.builder.comment(&text_of(line)),
            }
        }
        is_heading
    }

    /// Whether a line below a result is a sentence that names moves, or one below moves or a result
    /// is a text without them.
    fn is_prose_below_moves(&self, line: &[u8]) -> bool {
        let is_main = self.comment.is_none() && !self.builder.is_in_variation();
        let is_sentence = || self.has_result && is_sentence(line);
        self.has_moves && is_main && self.broken_word.is_empty() && (is_sentence() || is_text(line))
    }

    /// A line that people draw between games, such as `-----` or `* * *`, is an empty one.
    fn without_separator<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        // Three hyphens or two words of them can be moves of nobody, but not in a paragraph of
        // their own.
        let is_between = self.has_result || !self.has_moves || self.is_after_empty_line;
        if line.starts_with(b"-") && (line.len() < 4 || line.contains(&b' ')) && !is_between {
            return line;
        }
        let mut signs = line.iter().filter(|byte| **byte != b' ');
        let is_drawn = signs.next().is_some_and(|first| {
            b"-=_~*#+".contains(first) && signs.clone().count() >= 2 && signs.all(|b| b == first)
        }) || (is_between && line.trim_ascii_end() == b"--");
        // The line below the heads of a table.
        let is_of_table = line.starts_with(b"|") && line.iter().all(|byte| b"|-: ".contains(byte));
        if (is_drawn || is_of_table) && self.comment.is_none() {
            b""
        } else {
            line
        }
    }

    /// Adds a part of a line that is longer than any game. Returns where in it the next game
    /// begins, if it does.
    pub(super) fn add_part(&mut self, line: &[u8]) -> Option<usize> {
        self.builder.count_bytes(line.len());
        self.comment.iter_mut().for_each(Vec::clear);
        let next = self.add_moves(line);
        (!next.is_empty()).then(|| line.len() - next.len())
    }

    /// Whether there is anything to report: a game, or something that should have been one.
    pub(super) fn has_content(&self) -> bool {
        self.has_tags || self.has_moves || self.has_words || self.comment.is_some()
    }

    /// The game, when all its lines are added.
    pub(super) fn finish(mut self) -> Finished {
        let broken = mem::take(&mut self.broken_word);
        if !broken.is_empty() {
            self.add_moves(&broken);
        }
        if let Some(tag) = self.open_tag.take() {
            self.add_without_end(tag);
            self.leave_out_second_event();
        }
        if mem::take(&mut self.comment).is_some() {
            let error = GameError::UnterminatedComment(self.comment_line);
            self.builder.fail(error);
        } else if !self.has_tags
            && !self.names_players_in_words()
            && (!self.has_moves || self.is_prose_with_result())
        {
            self.builder.fail_as_no_game();
        }
        self.builder.finish()
    }

    /// Whether tags without brackets name both players.
    fn names_players_in_words(&self) -> bool {
        let has = |wanted: &str| self.builder.tags.iter().any(|(name, _)| name == wanted);
        self.has_tags_in_words && has("White") && has("Black")
    }

    /// Whether no move stands among words: the `*` of a list in a text reads as a result.
    fn is_prose_with_result(&self) -> bool {
        self.has_words && self.builder.has_no_plies()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::builder::MAX_GAME_BYTES;
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

    /// Reads the same text over and over, for longer than a game may be, and checks that the game
    /// takes bounded memory.
    fn assert_bounded(start: &str, repeated: &str) {
        let source = Endless {
            text: repeated.as_bytes().to_vec(),
            at: 0,
        };
        let source = start
            .as_bytes()
            .chain(source)
            .take(MAX_GAME_BYTES as u64 * 3 / 2);
        let mut lines = Lines::new(BufReader::new(source), MAX_GAME_BYTES + 1);
        let mut game = GameParser::default();
        let (mut most, mut until_checked) = (0, 0);
        while lines.advance().expect("memory can be read") {
            let line = &lines.line;
            let _next = match line.is_later_part {
                true => game.add_part(&line.text),
                false => game.add_line(&line.text, line.number, false),
            };
            drop(game.tags_of_next_game());
            if line.bytes >= until_checked {
                most = most.max(game.held_bytes() + line.text.capacity());
                until_checked = 10_000;
            } else {
                until_checked -= line.bytes;
            }
        }
        most = most.max(game.held_bytes());
        // A variation of one move, eight bytes long, takes the most.
        let share = most / MAX_GAME_BYTES;
        assert!(
            share < 40,
            "{share} times its text for {start}{repeated:.20}"
        );
        let (record, remarks) = game.finish();
        let is_empty = repeated.contains('%') || start.contains('%');
        assert!(
            is_empty || matches!(record, Err(GameError::TooLong)),
            "{start}{repeated:.20}"
        );
        assert!(remarks.is_empty());
    }

    #[test]
    fn moves_without_end_take_bounded_memory() {
        for (start, repeated) in [
            ("", "1. Nf3 Nf6 2. Ng1 Ng8\n"),
            ("1. e4 ", "(1. d4)\n"),
            ("1. e4 ", "(1. d4 "),
            ("1. e4 ", "("),
            ("1. e4 (1. Ke4 ", "1... e5 (2. d4) {x} \n"),
            ("1. e4 ", "$1 $2 {a} ; b\n"),
        ] {
            assert_bounded(start, repeated);
        }
    }

    #[test]
    fn words_without_end_take_bounded_memory() {
        for (start, repeated) in [
            ("1. e4 ", "resigns\n"),
            ("{", "comment \n"),
            ("{", "((((({{{{{\n"),
            ("", "text above the moves\n"),
            ("", "# remark\n"),
            ("", "x"),
            ("% ", "x"),
            ("", "\n% x\n"),
        ] {
            assert_bounded(start, repeated);
        }
    }

    #[test]
    fn tags_without_end_take_bounded_memory() {
        let long_tag = format!("[A{{}} \"{}\"]\n", "x".repeat(MAX_GAME_BYTES / 7));
        for (start, repeated) in [
            ("", "[Site \"a\"]\n"),
            ("", &long_tag),
            ("[Event \"open\n", "line \n"),
            ("[Event \"", "x"),
        ] {
            assert_bounded(start, repeated);
        }
    }

    impl GameParser {
        /// The bytes that the game takes in memory, without those of the allocator.
        fn held_bytes(&self) -> usize {
            let tag = self.open_tag.as_ref().map_or(0, |tag| {
                let below = tag.below.iter().map(|(_, line)| line.capacity());
                tag.text.capacity() + below.sum::<usize>()
            });
            tag + self.comment.as_ref().map_or(0, Vec::capacity) + self.builder.held_bytes()
        }
    }
}
