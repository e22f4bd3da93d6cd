//! The lines of a file, whatever ends them: a line feed, a carriage return, or both.

use std::io::{self, BufRead};
use std::mem;

use html_escape::decode_html_entities;
use squarewise_engine::text_encoding::{BYTE_ORDER_MARK, refuse_compressed};

/// The lines of a file, one at a time. A line that is longer than `limit` comes in parts.
#[derive(Debug)]
pub(super) struct Lines<R> {
    source: R,
    limit: usize,
    /// The line that was read last, without its end and the spaces before it.
    pub(super) line: Vec<u8>,
    /// Its number, from 1.
    pub(super) number: usize,
    /// Its length in the file, in bytes.
    pub(super) bytes: u64,
    /// Whether it isn't the first part of a long line.
    pub(super) is_later_part: bool,
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
            line: Vec::new(),
            number: 0,
            bytes: 0,
            is_later_part: false,
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
        self.line.drain(..start);
        self.bytes = 0;
        self.is_unread = true;
    }

    /// Reads the next line; returns whether there is one.
    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if mem::take(&mut self.is_unread) {
            return Ok(true);
        }
        self.line.clear();
        self.bytes = 0;
        self.is_later_part = self.is_line_open;
        self.is_line_open = self.read_to_end_of_line()?;
        if !self.is_later_part {
            self.number += 1;
        }
        if self.number == 1 && !self.is_later_part {
            refuse_compressed(&self.line)?;
        }
        let unseen = unseen_length(&self.line);
        self.line.drain(..unseen);
        let end = self.line.trim_ascii_end().len();
        self.line.truncate(end);
        if self.line.starts_with(b"[") && !self.line.contains(&b'"') {
            self.unescape_tag();
        }
        Ok(self.bytes > 0)
    }

    /// Reads the quotation marks of a tag that stand as entities of HTML: `[White &quot;A&quot;]`.
    fn unescape_tag(&mut self) {
        let text = std::str::from_utf8(&self.line).map(decode_html_entities);
        if let Ok(text) = text
            && text.contains('"')
        {
            self.line = text.into_owned().into_bytes();
        }
    }

    /// Reads up to the end of the line or of the file, but no more than the limit; returns whether
    /// the line goes on.
    fn read_to_end_of_line(&mut self) -> io::Result<bool> {
        loop {
            let buffer = match self.source.fill_buf() {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                buffer => buffer?,
            };
            if mem::take(&mut self.is_after_return) && buffer.first() == Some(&b'\n') {
                self.bytes += 1;
                self.source.consume(1);
                continue;
            }
            if buffer.is_empty() {
                return Ok(false);
            }
            let room = buffer.len().min(self.limit - self.line.len());
            let end = buffer[..room]
                .iter()
                .position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = end.map_or(room, |end| end + 1);
            self.line.extend_from_slice(&buffer[..length]);
            self.is_after_return = end.is_some_and(|end| buffer[end] == b'\r');
            self.bytes += length as u64;
            self.source.consume(length);
            if end.is_some() || self.line.len() >= self.limit {
                return Ok(end.is_none());
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
                    found.push(String::from_utf8(lines.line.clone()).expect("text"));
                    bytes += lines.bytes;
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
            let text = String::from_utf8(lines.line.clone()).expect("text");
            found.push((text, lines.number, lines.is_later_part));
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
}
