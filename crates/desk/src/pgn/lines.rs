//! The lines of a file, whatever ends them: a line feed, a carriage return, or both.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::mem;

use super::line_forms::with_usual_signs;
use crate::text_encoding::{BYTE_ORDER_MARK, refuse_other_than_text};

/// A line, or a part of a long one.
#[derive(Debug, Default)]
pub(super) struct Line {
    /// Its text without its end, the spaces before that, and what nobody sees at its beginning.
    pub(super) text: Vec<u8>,
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its length in the file, in bytes; 0 at the end of the file.
    pub(super) bytes: u64,
    /// Whether it isn't the first part of a long line.
    pub(super) is_later_part: bool,
}

/// The lines of a file, one at a time. A line that is longer than `limit` comes in parts.
#[derive(Debug)]
pub(super) struct Lines<R> {
    source: R,
    limit: usize,
    /// The line that was read last.
    pub(super) line: Line,
    /// Those behind it that were looked at.
    ahead: VecDeque<Line>,
    /// The number of the last line that was read from the file.
    number: usize,
    is_line_open: bool,
    /// Whether the last line ended with a carriage return: a line feed behind it begins no other.
    is_after_return: bool,
    is_unread: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R, limit: usize) -> Lines<R> {
        Lines {
            source,
            limit,
            line: Line::default(),
            ahead: VecDeque::new(),
            number: 0,
            is_line_open: false,
            is_after_return: false,
            is_unread: false,
        }
    }

    /// The next call of [`Lines::advance`] finds the same line again.
    pub(super) fn unread(&mut self) {
        self.is_unread = true;
    }

    /// The next call of [`Lines::advance`] finds what stands in the same line from here on. Its
    /// bytes have been counted.
    pub(super) fn unread_from(&mut self, start: usize) {
        self.line.text.drain(..start);
        self.line.bytes = 0;
        self.is_unread = true;
    }

    /// Goes to the next line; returns whether there is one.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if mem::take(&mut self.is_unread) {
            return Ok(true);
        }
        self.line = match self.ahead.pop_front() {
            Some(line) => line,
            None => {
                let room = mem::take(&mut self.line.text);
                self.read(room)?
            }
        };
        Ok(self.line.bytes > 0)
    }

    /// The text so many lines behind this one, from 0; `None` if the file ends before, or if it is
    /// a part of a long line.
    pub(super) fn ahead(&mut self, lines: usize) -> io::Result<Option<&[u8]>> {
        while self.ahead.len() <= lines {
            let line = self.read(Vec::new())?;
            self.ahead.push_back(line);
        }
        let line = &self.ahead[lines];
        let is_whole = line.bytes > 0 && !line.is_later_part;
        Ok(is_whole.then_some(&line.text))
    }

    /// Reads a line into this room.
    fn read(&mut self, mut text: Vec<u8>) -> io::Result<Line> {
        text.clear();
        let is_later_part = self.is_line_open;
        let bytes;
        (self.is_line_open, bytes) = self.read_to_end_of_line(&mut text)?;
        if !is_later_part {
            self.number += 1;
        }
        if self.number == 1 && !is_later_part {
            refuse_other_than_text(&text)?;
        }
        let unseen = unseen_length(&text);
        text.drain(..unseen);
        // The last block of a file can be filled with zeros.
        let filled = text.iter().rev().take_while(|byte| **byte == 0).count();
        text.truncate(text.len() - filled);
        text.truncate(text.trim_ascii_end().len());
        with_usual_signs(&mut text);
        Ok(Line {
            text,
            number: self.number,
            bytes,
            is_later_part,
        })
    }

    /// Reads up to the end of the line or of the file, but no more than the limit; returns whether
    /// the line goes on, and how many bytes were read.
    fn read_to_end_of_line(&mut self, line: &mut Vec<u8>) -> io::Result<(bool, u64)> {
        let mut bytes = 0;
        loop {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if mem::take(&mut self.is_after_return) && buffer.first() == Some(&b'\n') {
                bytes += 1;
                self.source.consume(1);
                continue;
            }
            if buffer.is_empty() {
                return Ok((false, bytes));
            }
            let room = buffer.len().min(self.limit - line.len());
            let end = buffer[..room]
                .iter()
                .position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = end.map_or(room, |end| end + 1);
            line.extend_from_slice(&buffer[..length]);
            self.is_after_return = end.is_some_and(|end| buffer[end] == b'\r');
            bytes += length as u64;
            self.source.consume(length);
            if end.is_some() || line.len() >= self.limit {
                return Ok((end.is_none(), bytes));
            }
        }
    }
}

/// The length of what nobody sees at the beginning of a line: the marks of files that were put
/// behind one another, the end of a file of DOS, spaces that don't break, in UTF-8 or Windows-1252,
/// and spaces without a width.
fn unseen_length(line: &[u8]) -> usize {
    const UNSEEN: [&[u8]; 6] = [
        BYTE_ORDER_MARK,
        b"\x1a",
        b"\xc2\xa0",
        b"\xa0",
        b"\xe2\x80\x8b",
        b"\xe2\x80\x8e",
    ];
    let mut rest = line;
    while let Some(after) = UNSEEN.iter().find_map(|unseen| rest.strip_prefix(*unseen)) {
        rest = after;
    }
    line.len() - rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_end_with_line_feeds_carriage_returns_or_both_in_buffers_of_any_size() {
        for end in ["\n", "\r", "\r\n"] {
            let text = format!("one{end}{end}two {end}three");
            for capacity in 1..text.len() {
                let source = BufReader::with_capacity(capacity, text.as_bytes());
                let mut lines = Lines::new(source, 1_000);
                let mut found = Vec::new();
                let mut bytes = 0;
                while lines.advance().expect("memory can be read") {
                    found.push(String::from_utf8(lines.line.text.clone()).expect("text"));
                    bytes += lines.line.bytes;
                }
                assert_eq!(found, ["one", "", "two", "three"], "{end:?} {capacity}");
                assert_eq!(bytes, text.len() as u64);
            }
        }
    }

    #[test]
    fn a_long_line_comes_in_parts_and_counts_once() {
        let mut lines = Lines::new(b"abcdefg\nh".as_slice(), 3);
        let mut found = Vec::new();
        while lines.advance().expect("memory can be read") {
            let text = String::from_utf8(lines.line.text.clone()).expect("text");
            found.push((text, lines.line.number, lines.line.is_later_part));
        }
        let expected = [
            ("abc", 1, false),
            ("def", 1, true),
            ("g", 1, true),
            ("h", 2, false),
        ];
        assert_eq!(
            found,
            expected.map(|(text, line, part)| (text.to_owned(), line, part))
        );
    }

    #[test]
    fn lines_that_were_looked_at_come_all_the_same() {
        let mut lines = Lines::new(b"a\nb\n\nd".as_slice(), 1_000);
        let ahead = |lines: &mut Lines<_>, count| {
            let line = lines.ahead(count).expect("memory can be read");
            line.map(|line| String::from_utf8(line.to_vec()).expect("text"))
        };
        assert!(lines.advance().expect("memory can be read"));
        assert_eq!(ahead(&mut lines, 2).as_deref(), Some("d"));
        assert_eq!(ahead(&mut lines, 3), None);
        assert_eq!(ahead(&mut lines, 0).as_deref(), Some("b"));
        let mut found = Vec::new();
        while lines.advance().expect("memory can be read") {
            found.push((lines.line.text.clone(), lines.line.number));
        }
        let expected = [(b"b".to_vec(), 2), (b"".to_vec(), 3), (b"d".to_vec(), 4)];
        assert_eq!(found, expected);
    }
}
