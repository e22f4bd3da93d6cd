//! Input that Ctrl-C can end even while a read is blocked.
//!
//! A thread that waits for input can't be woken. So another one reads, which nobody waits for when
//! the program ends, and the reader looks at the stop token while it waits for that thread.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use squarewise_engine::search::stop::StopToken;

/// How much is read at a time, in bytes.
const CHUNK_BYTES: usize = 1 << 13;

/// How often to look whether the program was interrupted.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// A reader that is at its end when the input is, or when the stop token is raised.
pub(super) struct InterruptibleInput {
    chunks: Receiver<io::Result<Vec<u8>>>,
    /// What was received last.
    chunk: Cursor<Vec<u8>>,
    stop: StopToken,
}

impl InterruptibleInput {
    /// Starts the thread. It reads at most two chunks ahead.
    pub(super) fn start(
        mut source: impl Read + Send + 'static,
        stop: &StopToken,
    ) -> io::Result<InterruptibleInput> {
        let (sender, chunks) = mpsc::sync_channel(1);
        thread::Builder::new()
            .name("input".to_owned())
            .spawn(move || {
                let mut buffer = [0; CHUNK_BYTES];
                loop {
                    let chunk = match source.read(&mut buffer) {
                        Ok(0) => return,
                        Ok(length) => Ok(buffer[..length].to_vec()),
                        Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                        Err(error) => Err(error),
                    };
                    let is_last = chunk.is_err();
                    // Fails only if nobody reads any more.
                    if sender.send(chunk).is_err() || is_last {
                        return;
                    }
                }
            })?;
        Ok(InterruptibleInput {
            chunks,
            chunk: Cursor::default(),
            stop: stop.clone(),
        })
    }
}

impl Read for InterruptibleInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.stop.is_requested() {
            let length = self.chunk.read(buffer)?;
            if length > 0 || buffer.is_empty() {
                return Ok(length);
            }
            match self.chunks.recv_timeout(POLL_INTERVAL) {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Input that never comes, and never ends.
    struct Idle;

    impl Read for Idle {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            loop {
                thread::park();
            }
        }
    }

    #[test]
    fn everything_is_read_up_to_the_end() {
        let text = "1. e4 e5 2. Nf3 Nc6 ".repeat(2_000);
        let source = Cursor::new(text.clone());
        let mut input = InterruptibleInput::start(source, &StopToken::new()).expect("a thread");
        let mut read = String::new();
        input.read_to_string(&mut read).expect("text");
        assert_eq!(read, text);
    }

    #[test]
    fn a_raised_token_ends_the_wait_after_what_has_come() {
        let stop = StopToken::new();
        let source = Cursor::new("1. e4").chain(Idle);
        let mut input = InterruptibleInput::start(source, &stop).expect("a thread");
        let mut beginning = [0; 5];
        input.read_exact(&mut beginning).expect("it has come");
        assert_eq!(&beginning, b"1. e4");
        let raised = stop.clone();
        let interruption = thread::spawn(move || {
            thread::sleep(POLL_INTERVAL);
            raised.request();
        });
        assert_eq!(input.read(&mut beginning).expect("the end"), 0);
        assert!(stop.is_requested());
        interruption.join().expect("no panic");
    }

    #[test]
    fn an_error_is_passed_on() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the line is cut"))
            }
        }
        let mut input = InterruptibleInput::start(Broken, &StopToken::new()).expect("a thread");
        let error = input.read(&mut [0]).expect_err("the error");
        assert_eq!(error.to_string(), "the line is cut");
    }
}
