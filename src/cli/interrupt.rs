//! Ctrl-C, and the signals that ask a program to end: a long subcommand stops in order and keeps what it has.

use std::io;

use crate::search::stop::StopToken;

/// A token that is raised by Ctrl-C, SIGTERM or SIGHUP. To be called once; a second signal ends the program at once.
///
/// # Errors
///
/// If the operating system lets no handler be set.
pub fn stop_token() -> io::Result<StopToken> {
    let stop = StopToken::new();
    let raised = stop.clone();
    ctrlc::set_handler(move || {
        if raised.is_requested() {
            // What a shell calls 128 + SIGINT.
            std::process::exit(130);
        }
        raised.request();
    })
    .map_err(io::Error::other)?;
    Ok(stop)
}
