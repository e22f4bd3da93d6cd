//! Ctrl-C, and the signals that ask a program to end: a long subcommand shuts down cleanly and
//! keeps what it has.

use std::io;
use std::time::{Duration, Instant};

use crate::output_file;
use squarewise_engine::search::stop::StopToken;

/// The time that a subcommand has to shut down cleanly, until a further signal ends it at once: a
/// key is easily pressed twice, and a game at the terminal has files to write, other engines to
/// end, and a screen to leave as it was.
const TIME_TO_END: Duration = Duration::from_secs(2);

/// A token that is raised by Ctrl-C, SIGTERM or SIGHUP. To be called once. A signal two seconds
/// later ends the program at once.
///
/// # Errors
///
/// If the operating system lets no handler be set.
pub fn stop_token() -> io::Result<StopToken> {
    let stop = StopToken::new();
    let raised = stop.clone();
    let mut first = None;
    ctrlc::set_handler(move || {
        raised.request();
        if first.get_or_insert_with(Instant::now).elapsed() >= TIME_TO_END {
            output_file::remove_unfinished();
            // What a shell calls 128 + SIGINT.
            std::process::exit(130);
        }
    })
    .map_err(io::Error::other)?;
    Ok(stop)
}
