//! The thread that reads standard input.

use std::io::{self, BufRead};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Instant;

use super::Event;

/// Starts the thread. Every line that is not blank becomes an event, stamped with the time at which it was
/// complete; the end of the input, or an error in it, becomes the last one.
///
/// # Errors
///
/// If the operating system has no thread for us.
pub fn start(events: Sender<Event>) -> io::Result<()> {
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || {
            let each = |line| events.send(Event::Line(line, Instant::now())).is_ok();
            if let Err(error) = read_lines(io::stdin().lock(), each) {
                tracing::warn!("standard input: {error}");
            }
            // If nobody listens any more the engine has quit before the input ended.
            let _ = events.send(Event::EndOfInput);
        })?;
    Ok(())
}

/// Hands the lines of a stream to `each` until that answers false. Lines end with any mix of CR and LF and
/// may be of any length; bytes that are not UTF-8 are replaced.
fn read_lines(mut stream: impl BufRead, mut each: impl FnMut(String) -> bool) -> io::Result<()> {
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
            } else if !hand_over(&mut line, &mut each) {
                return Ok(());
            }
        }
        stream.consume(length);
        if is_end {
            hand_over(&mut line, &mut each);
            return Ok(());
        }
    }
}

/// Hands a line over, unless it is blank, and begins the next.
fn hand_over(line: &mut Vec<u8>, each: &mut impl FnMut(String) -> bool) -> bool {
    let text = String::from_utf8_lossy(line).trim().to_owned();
    line.clear();
    text.is_empty() || each(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        let each = |line| {
            lines.push(line);
            true
        };
        read_lines(bytes, each).expect("a slice can be read");
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
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(
            lines(b"go \xff\xfe depth 3\n"),
            ["go \u{fffd}\u{fffd} depth 3"]
        );
    }

    #[test]
    fn a_line_may_be_of_any_length() {
        let long = vec![b'x'; 1_000_000];
        assert_eq!(
            lines(&long),
            [String::from_utf8(long.clone()).expect("plain letters")]
        );
    }
}
