//! A program from its start to its exit code: the stack of its main thread, signals, and the last
//! word on stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use crate::terminal::printable;
use squarewise_engine::search::with_search_stack;

/// Runs a program's work on a thread that can search, and returns its exit code: 0 for success, 1
/// for an error, which is said on stderr.
pub fn run<E: Into<anyhow::Error> + Send + 'static>(
    work: impl FnOnce() -> Result<(), E> + Send + 'static,
) -> ExitCode {
    #[cfg(unix)]
    block_file_size_signal();
    let result = with_search_stack(work)
        .map_err(anyhow::Error::from)
        .and_then(|result| result.map_err(E::into))
        // At the end of the program it would be flushed, too, but an error then is lost.
        .and_then(|()| Ok(io::stdout().flush()?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_output(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // It can quote foreign text, which has no line breaks.
            let message = format!("{error:#}");
            let lines: Vec<_> = message.lines().map(printable).collect();
            // Where stderr is full or closed, the exit code has to do.
            let _ = writeln!(io::stderr(), "error: {}", lines.join("\n"));
            ExitCode::FAILURE
        }
    }
}

/// The result of writing to an output that nobody need read, such as that of `| head`: a file that
/// is written beside it is what counts.
///
/// # Errors
///
/// Any other than that the reader has closed it.
pub fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    written.or_else(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Ok(()),
        _ => Err(error),
    })
}

/// Whether the reader of the output has closed it, like `head`: not an error.
fn is_closed_output(error: &anyhow::Error) -> bool {
    let error = error.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Blocks the signal that kills a process whose file grows beyond a limit (`ulimit -f`), in this
/// thread and in all that it starts: writing then fails with an error, as on a full disk. Child
/// processes start without the block.
#[cfg(unix)]
fn block_file_size_signal() {
    use nix::sys::signal::{SigSet, Signal};
    // It fails only for a signal that doesn't exist.
    let _ = SigSet::from(Signal::SIGXFSZ).thread_block();
}
