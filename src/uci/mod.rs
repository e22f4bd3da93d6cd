//! The UCI engine: an event loop and the state that it works on.
//!
//! One thread reads the input and another runs the search; both send events into one channel. The
//! loop here receives the events one by one, owns all state, and alone writes output. The output
//! needs no lock, and `isready` is answered at once even while a search runs.
//!
//! No input ends the engine, hangs it, or costs a `bestmove`: a command that can't be executed is
//! refused with an `info string`, and the state stays as it was. A limit of `go` that can't be read
//! is left out, and an unknown command is skipped, as the protocol asks. `docs/protocol.md` lists
//! what the engine does where the protocol is silent.

pub(crate) mod command;
mod engine;
pub(crate) mod error;
mod event;
mod expected_result;
mod explanation;
mod genfens;
mod go;
mod input;
mod jobs;
pub mod memory;
pub(crate) mod options;
mod own_book;
mod patience;
pub(crate) mod response;
mod search_limits;
mod sent_move;
mod setup;
mod state;
mod worker;

use std::io::{self, Write};
use std::sync::mpsc::channel;

use crate::debug_log::DebugLog;
use engine::Engine;
pub use input::Audience;
use patience::Patient;
use squarewise_engine::search::STACK_BYTES;
use squarewise_engine::search::spawning::ThreadRoom;

/// The stack of the thread that reads the input, in bytes.
const INPUT_STACK_BYTES: usize = 1 << 20;

/// Reads standard input and writes `output` until `quit` or the end of the input. An output that
/// was closed is an [`io::ErrorKind::BrokenPipe`].
pub fn run(output: impl Write, debug_log: DebugLog, audience: Audience) -> io::Result<()> {
    let (sender, events) = channel();
    let mut room = ThreadRoom::claim([STACK_BYTES, INPUT_STACK_BYTES])?;
    let output = Patient(output);
    let engine = Engine::new(output, debug_log, events, sender.clone(), &mut room)?;
    let input = input::start(sender, &mut room)?;
    drop(room);
    engine.run(&input, audience)
}

/// Executes these commands, one after the other, and writes `output`; standard input is not read.
/// Each search or other job that ends by itself is waited for, any other is stopped before the next
/// command. If a command can't be executed, or a value, a limit or a move in it isn't understood,
/// an `info string` says so, and there is an error at the end.
pub fn execute(commands: &[String], output: impl Write, debug_log: DebugLog) -> io::Result<()> {
    let (sender, events) = channel();
    let mut room = ThreadRoom::claim([STACK_BYTES])?;
    let output = Patient(output);
    let engine = Engine::new(output, debug_log, events, sender, &mut room)?;
    drop(room);
    engine.execute_all(commands)
}
