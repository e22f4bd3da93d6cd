//! The tags above the moves, and whether they are those of the next game already.

use std::mem;

use super::{GameParser, OpenTag};
use crate::pgn::GameError;
use crate::pgn::comment::text_of;
use crate::pgn::markup::is_markup;
use crate::pgn::tags::{self, Bracket};
use crate::pgn::words::{Token, is_first_move, is_numbered_first_move, tokens};
use crate::pgn::writer::is_in_roster;

/// The most tags of a game.
const MAX_TAGS: usize = 2_000;

/// Whether brackets without a value are nothing to keep: empty ones, marks of a forum, and names of
/// tags.
fn says_nothing(bracket: &[u8]) -> bool {
    let inner = bracket.strip_prefix(b"[").unwrap_or(bracket);
    let inner = inner.strip_suffix(b"]").unwrap_or(inner).trim_ascii();
    let name = text_of(inner);
    let is_tag = is_in_roster(&name)
        || ["FEN", "SetUp", "Annotator", "ECO"].contains(&&*name)
        || name.ends_with("Elo");
    inner.is_empty() || is_markup(inner) || is_tag
}

impl GameParser {
    /// The tags of the next game, if they were read: one that this game has already, below an empty
    /// line.
    pub(in crate::pgn) fn tags_of_next_game(&mut self) -> Option<Vec<(String, String)>> {
        if self.has_moves {
            return None;
        }
        let tags = &self.builder.tags;
        let place_above = |count: usize, name: &str| {
            let mut above = tags[..count].iter();
            above.rposition(|(other, _)| other.eq_ignore_ascii_case(name))
        };
        let is_repeated = |index: usize| place_above(index, &tags[index].0).is_some();
        let is_of_each_game = |name: &str| is_in_roster(name) || name == "FEN";
        let new = mem::replace(&mut self.tags_checked, tags.len());
        let cut = (new..tags.len()).find_map(|index| {
            let name = tags[index].0.as_str();
            let above = place_above(self.tags_above, name);
            if index >= self.tags_above && above.is_some() && is_of_each_game(name) {
                return Some(self.tags_above);
            }
            let other = match name {
                "Event" => {
                    // Of two right below each other one is a slip.
                    let between = &tags[place_above(index, name)? + 1..index];
                    let is_next = between.iter().any(|(name, _)| is_in_roster(name));
                    return is_next.then_some(index);
                }
                "White" => "Black",
                "Black" => "White",
                _ => return None,
            };
            // A list of games without empty lines between them.
            let has_both = is_repeated(index) && is_repeated(place_above(index, other)?);
            let mut places = (0..=index).filter(|place| is_repeated(*place));
            places.find(|place| has_both && is_in_roster(&tags[*place].0))
        });
        if tags.len() > MAX_TAGS {
            self.builder.fail(GameError::TooLong);
            self.builder.tags.truncate(MAX_TAGS);
        }
        Some(self.builder.tags.split_off(cut?))
    }

    /// Adds the tags at the beginning of a line; returns the rest of the line.
    pub(super) fn add_tags<'a>(&mut self, line: &'a [u8]) -> &'a [u8] {
        if let Some(tag) = self.open_tag.take()
            && self.add_to_open_tag(tag, line)
        {
            return b"";
        }
        let mut rest = line.trim_ascii();
        while rest.starts_with(b"[") {
            self.has_tags = true;
            rest = match tags::read(rest) {
                Bracket::Tag { name, value, after } => {
                    let is_quoted = rest[..rest.len() - after.len()].contains(&b'"');
                    if tags::is_remark(&name, &value, is_quoted) {
                        self.builder.comment(&format!("{name} {value}"));
                    } else {
                        self.builder.add_tag(name, value);
                    }
                    after.trim_ascii_start()
                }
                Bracket::Empty(after) => {
                    let bracket = &rest[..rest.len() - after.len()];
                    if !says_nothing(bracket) {
                        // No name of a tag, but that of an annotator: `[Smith,J]`, `[Stohl]`.
                        self.builder.comment(&text_of(bracket));
                    }
                    after.trim_ascii_start()
                }
                Bracket::Open { .. } => {
                    self.open_tag = Some(OpenTag {
                        text: rest.to_vec(),
                        below: Vec::new(),
                    });
                    b""
                }
            };
        }
        if !self.has_tags || self.has_tags_in_words {
            let (words, moves) = tags::apart_from_moves(rest);
            let tags = tags::of_words(words);
            if !tags.is_empty() {
                self.has_words = true;
                self.has_tags_in_words = true;
                for (name, value) in tags {
                    self.builder.add_tag(name.to_owned(), value);
                }
                return moves;
            }
        }
        if let Some(after) = after_number_of_game(rest) {
            self.builder
                .comment(&text_of(&rest[..rest.len() - after.len()]));
            return after;
        }
        if let Some(remark) = rest.strip_prefix(b"#")
            && !begins_with_numbered_move(remark)
        {
            self.builder.comment(&text_of(remark));
            return b"";
        }
        rest
    }

    /// Adds a line to a tag whose value isn't closed yet; returns whether it belongs to it. If it
    /// doesn't, the tag ends above.
    fn add_to_open_tag(&mut self, mut tag: OpenTag, line: &[u8]) -> bool {
        let start = line.trim_ascii_start();
        if start.is_empty() || start.starts_with(b"[") || is_numbered_first_move(start) {
            self.add_without_end(tag);
            return false;
        }
        tag.below.push((self.builder.line_number, line.to_vec()));
        if !line.windows(2).any(|pair| pair == b"\"]") {
            self.open_tag = Some(tag);
            return true;
        }
        let mut whole = tag.text;
        for (_, line) in tag.below {
            whole.push(b' ');
            whole.extend_from_slice(&line);
        }
        let rest = self.add_tags(&whole);
        self.add_moves(rest);
        if let Some(tag) = self.open_tag.take() {
            // It was joined once. To join it again with every line would take long.
            self.add_without_end(tag);
        }
        true
    }

    /// Adds a tag whose value is never closed: it ends with its line, and those below are no part
    /// of it.
    pub(super) fn add_without_end(&mut self, tag: OpenTag) {
        if let Bracket::Open { name, value } = tags::read(&tag.text) {
            let value = value.trim_end().trim_end_matches(']');
            if !value.is_empty() {
                self.builder.add_tag(name, value.to_owned());
            }
        }
        let number = self.builder.line_number;
        for (number, line) in tag.below {
            self.builder.line_number = number;
            self.add_moves(&line);
        }
        self.builder.line_number = number;
    }

    /// The first tag of a next game that is cut off belongs to no game.
    pub(super) fn leave_out_second_event(&mut self) {
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
}

/// The moves behind the number of a game: `#2 1. d4`.
fn after_number_of_game(line: &[u8]) -> Option<&[u8]> {
    let digits = line.strip_prefix(b"#")?;
    let length = digits.iter().position(|byte| !byte.is_ascii_digit())?;
    let after = digits[length..].trim_ascii_start();
    (length > 0 && is_first_move(after)).then_some(after)
}

/// Whether a text begins with a move and its number, as in `#1 e4 e5`.
fn begins_with_numbered_move(text: &[u8]) -> bool {
    let is_before = |byte: &&u8| byte.is_ascii_digit() || b". ".contains(byte);
    let after = &text[text.iter().take_while(is_before).count()..];
    let word = after.split(u8::is_ascii_whitespace).next();
    let token = word.and_then(|word| tokens(word).next());
    after.len() < text.len() && matches!(token, Some((Token::Move(_), _)))
}
