//! Input and output in non-blocking mode, where a read or write fails instead of waiting.
//!
//! The mode belongs to the open terminal or pipe, so any program that shares it can switch it on.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

/// How long to wait before the next try.
const PAUSE: Duration = Duration::from_millis(1);

/// An output that waits where the one inside would fail.
pub(super) struct Patient<W>(pub(super) W);

impl<W: Write> Write for Patient<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        patiently(|| self.0.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        patiently(|| self.0.flush())
    }
}

/// Does something until it neither would have to wait nor was interrupted.
pub(super) fn patiently<T>(mut attempt: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match attempt() {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => thread::sleep(PAUSE),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            done => return done,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes a byte at every second try.
    struct Slow {
        taken: Vec<u8>,
        is_ready: bool,
    }

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.is_ready = !self.is_ready;
            if !self.is_ready {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            self.taken.extend(bytes.first());
            Ok(bytes.len().min(1))
        }

        fn flush(&mut self) -> io::Result<()> {
            self.is_ready = !self.is_ready;
            if self.is_ready {
                Ok(())
            } else {
                Err(io::ErrorKind::WouldBlock.into())
            }
        }
    }

    #[test]
    fn what_has_to_wait_is_written_later_and_once() {
        let taken = Vec::new();
        let mut output = Patient(Slow {
            taken,
            is_ready: true,
        });
        output.write_all(b"bestmove e2e4\n").expect("it is patient");
        output.flush().expect("it is patient");
        assert_eq!(output.0.taken, b"bestmove e2e4\n");
    }

    #[test]
    fn another_error_is_told_at_once() {
        let mut tries = 0;
        let told = patiently(|| {
            tries += 1;
            Err::<(), _>(io::ErrorKind::BrokenPipe.into())
        });
        assert!(told.is_err_and(|error| error.kind() == io::ErrorKind::BrokenPipe));
        assert_eq!(tries, 1);
    }
}
