//! The thread that reads standard input and sends each line to the event loop.
//!
//! Lines end with any mix of CR and LF and need not be UTF-8. The first may begin with a byte-order
//! mark. Each carries the time at which it was complete, because the clock of a search starts then.
//!
//! Memory is bounded: a line longer than [`MAX_LINE_BYTES`] is dropped, and the thread stops
//! reading while [`MAX_WAITING`] lines wait. The lines have a queue of their own, so that the
//! worker never waits for room in it, and each is announced by an event, so that the loop waits in
//! one place.

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, Sender, sync_channel};
use std::time::Instant;

use super::event::Event;
use super::patience::patiently;
use squarewise_desk::text_encoding::{BYTE_ORDER_MARK, decode};
use squarewise_engine::search::spawning::ThreadRoom;

/// The longest line that is read, in bytes: a `position` with 200,000 plies.
pub(super) const MAX_LINE_BYTES: usize = 1 << 20;

/// The most lines that wait to be executed. A program that sends options and a position while the
/// engine loads tables is not kept waiting.
const MAX_WAITING: usize = 64;

/// Who sends the commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Audience {
    /// A program, by the rules of the protocol alone.
    Program,
    /// A person at a terminal, whose unknown words are answered.
    Person,
}

/// What comes from standard input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Input {
    /// A line that isn't blank, and when it was complete.
    Line(String, Instant),
    /// A line of more than [`MAX_LINE_BYTES`], which was dropped.
    TooLong,
    /// The end, or an error while reading.
    End,
}

/// Starts the thread, for which there is room. For everything that it puts into the queue it sends
/// an [`Event::Input`].
pub(super) fn start(events: Sender<Event>, room: &mut ThreadRoom) -> io::Result<Receiver<Input>> {
    let (queue, received) = sync_channel(MAX_WAITING);
    room.start("input", move || {
        // Both fail only when the engine has quit.
        let send = |input| queue.send(input).is_ok() && events.send(Event::Input).is_ok();
        if let Err(error) = read_lines(io::stdin().lock(), send) {
            tracing::warn!("standard input: {error}");
        }
        send(Input::End);
    })?;
    Ok(received)
}

/// Calls `on_line` with each line of a stream until it returns false.
fn read_lines(mut stream: impl BufRead, on_line: impl Fn(Input) -> bool) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let is_at_end = patiently(|| Ok(stream.fill_buf()?.is_empty()))?;
        if is_at_end {
            end_line(&mut line, &on_line);
            return Ok(());
        }
        // They are there, nothing is read here.
        let bytes = stream.fill_buf()?;
        let end = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
        let part = &bytes[..end.unwrap_or(bytes.len())];
        // One byte too many is enough to know that a line is too long.
        let room = MAX_LINE_BYTES + 1 - line.len();
        line.extend_from_slice(&part[..part.len().min(room)]);
        let consumed = part.len() + usize::from(end.is_some());
        stream.consume(consumed);
        if end.is_some() && !end_line(&mut line, &on_line) {
            return Ok(());
        }
    }
}

/// Passes a line on, unless it is blank, and empties the buffer for the next.
fn end_line(line: &mut Vec<u8>, on_line: impl Fn(Input) -> bool) -> bool {
    let is_too_long = line.len() > MAX_LINE_BYTES;
    // What a program leaves of the end of a string in C is white space too.
    let text = text_of(line).replace(|c: char| c.is_control() && !c.is_whitespace(), " ");
    let text = text.trim().to_owned();
    line.clear();
    if is_too_long {
        on_line(Input::TooLong)
    } else {
        text.is_empty() || on_line(Input::Line(text, Instant::now()))
    }
}

/// The text of a line. Bytes that are not UTF-8 are replaced, except in a `setoption`: its value
/// can be a path, and some programs send paths in Latin-1 (Cute Chess always does).
fn text_of(line: &[u8]) -> Cow<'_, str> {
    // Programs in .NET write a mark before their first line if the console's encoding is UTF-8.
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    let is_between = |c: char| c.is_whitespace() || c.is_control();
    let sets_option = |text: &str| text.split(is_between).any(|word| word == "setoption");
    match String::from_utf8_lossy(line) {
        Cow::Owned(replaced) if sets_option(&replaced) => Cow::Owned(decode(line.to_vec())),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    fn inputs(stream: impl BufRead) -> Vec<Input> {
        let inputs = RefCell::new(Vec::new());
        let on_line = |input| {
            inputs.borrow_mut().push(input);
            true
        };
        read_lines(stream, on_line).expect("bytes in memory can be read");
        inputs.into_inner()
    }

    fn lines(bytes: &[u8]) -> Vec<String> {
        let text = |input| match input {
            Input::Line(text, _) => text,
            other => panic!("{other:?}"),
        };
        inputs(bytes).into_iter().map(text).collect()
    }

    #[test]
    fn any_mix_of_carriage_return_and_line_feed_ends_a_line() {
        assert_eq!(
            lines(b"uci\r\nisready\rgo\n\n\r\n  d \n\rquit"),
            ["uci", "isready", "go", "d", "quit"]
        );
    }

    #[test]
    fn bytes_that_are_not_utf8_are_replaced() {
        assert_eq!(
            lines(b"go \xff\xfe depth 3\n"),
            ["go \u{fffd}\u{fffd} depth 3"]
        );
    }

    #[test]
    fn an_option_in_latin_1_keeps_its_letters() {
        assert_eq!(
            lines(b"setoption name BookFile value C:\\B\xfccher\\book.bin\r\n"),
            ["setoption name BookFile value C:\\Bücher\\book.bin"]
        );
        let utf8 = "setoption name BookFile value Bücher ♞.bin";
        assert_eq!(lines(utf8.as_bytes()), [utf8]);
    }

    #[test]
    fn a_stream_that_has_nothing_yet_is_waited_for() {
        struct Late<'a> {
            bytes: &'a [u8],
            tries: usize,
        }
        impl io::Read for Late<'_> {
            fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
                self.tries += 1;
                match self.tries % 3 {
                    0 => self.bytes.read(&mut into[..1]),
                    1 => Err(io::ErrorKind::WouldBlock.into()),
                    _ => Err(io::ErrorKind::Interrupted.into()),
                }
            }
        }
        let late = Late {
            bytes: b"uci\nquit",
            tries: 0,
        };
        let read = inputs(io::BufReader::new(late));
        assert!(matches!(
            &read[..],
            [Input::Line(one, _), Input::Line(two, _)] if one == "uci" && two == "quit"
        ));
    }

    #[test]
    fn control_characters_part_words() {
        assert_eq!(
            lines(b"uci\n\0isready\n\0\ngo\0depth\x013\0\n"),
            ["uci", "isready", "go depth 3"]
        );
        assert_eq!(
            lines(b"\0setoption name BookFile value B\xfccher.bin\n"),
            ["setoption name BookFile value Bücher.bin"]
        );
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        assert_eq!(lines(b"\xef\xbb\xbfuci\r\nisready\r\n"), ["uci", "isready"]);
        assert_eq!(lines(b"\xef\xbb\xbf\r\nuci"), ["uci"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_dropped_and_the_next_one_read() {
        let longest = "x".repeat(MAX_LINE_BYTES);
        assert_eq!(lines(longest.as_bytes()), [longest.as_str()]);
        let too_long = format!("{longest}x\nquit\n");
        for chunk in [1 << 13, too_long.len()] {
            let read = inputs(io::BufReader::with_capacity(chunk, too_long.as_bytes()));
            assert_eq!(read[0], Input::TooLong);
            assert!(
                matches!(&read[1..], [Input::Line(text, _)] if text == "quit"),
                "{chunk}"
            );
        }
    }
}
