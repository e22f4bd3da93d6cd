//! The thread that reads standard input and sends each line to the event loop.
//!
//! Lines end with any mix of CR and LF, have any length, and need not be UTF-8. The first may begin with a byte-order
//! mark. Each gets the time at which it was complete, because the clock of a search starts then.

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::event::Event;
use squarewise_engine::search::spawning::ThreadRoom;
use squarewise_engine::text_encoding::{BYTE_ORDER_MARK, decode};

/// Starts the thread, for which there is room. Every line that is not blank becomes an event with
/// the time at which it was complete; the end of the input, or an error while reading, becomes the
/// last event.
///
/// # Errors
///
/// If the operating system can't start a thread.
pub fn start(events: Sender<Event>, room: &mut ThreadRoom) -> io::Result<()> {
    room.start("input", move || {
        let on_line = |line| events.send(Event::Line(line, Instant::now())).is_ok();
        if let Err(error) = read_lines(io::stdin().lock(), on_line) {
            tracing::warn!("standard input: {error}");
        }
        // Fails only if the engine has quit before the end of the input.
        let _ = events.send(Event::EndOfInput);
    })
}

/// Calls `on_line` with each line of a stream until it returns false.
fn read_lines(mut stream: impl BufRead, mut on_line: impl FnMut(String) -> bool) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        let bytes = match stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        let length = bytes.len();
        let is_end = length == 0;
        for &byte in bytes {
            if !matches!(byte, b'\r' | b'\n') {
                line.push(byte);
            } else if !end_line(&mut line, &mut on_line) {
                return Ok(());
            }
        }
        stream.consume(length);
        if is_end {
            end_line(&mut line, &mut on_line);
            return Ok(());
        }
    }
}

/// Passes a line on, unless it is blank, and empties the buffer for the next.
fn end_line(line: &mut Vec<u8>, on_line: &mut impl FnMut(String) -> bool) -> bool {
    let text = text_of(line).trim().to_owned();
    line.clear();
    text.is_empty() || on_line(text)
}

/// The text of a line. Bytes that are not UTF-8 are replaced, but not in a `setoption`: its value can be a path, and
/// some programs send paths in Latin-1 (Cute Chess always does).
fn text_of(line: &[u8]) -> Cow<'_, str> {
    // Programs in .NET write a mark before their first line if the console's encoding is UTF-8.
    let line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
    let sets_option = |text: &str| text.split_whitespace().any(|word| word == "setoption");
    match String::from_utf8_lossy(line) {
        Cow::Owned(replaced) if sets_option(&replaced) => Cow::Owned(decode(line.to_vec())),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        let on_line = |line| {
            lines.push(line);
            true
        };
        read_lines(bytes, on_line).expect("a slice can be read");
        lines
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
    fn a_byte_order_mark_is_no_part_of_the_first_line() {
        assert_eq!(lines(b"\xef\xbb\xbfuci\r\nisready\r\n"), ["uci", "isready"]);
        assert_eq!(lines(b"\xef\xbb\xbf\r\nuci"), ["uci"]);
    }

    #[test]
    fn a_line_can_have_any_length() {
        let long = vec![b'x'; 1_000_000];
        assert_eq!(
            lines(&long),
            [String::from_utf8(long.clone()).expect("plain letters")]
        );
    }
}
