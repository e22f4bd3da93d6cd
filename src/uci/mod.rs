//! The UCI engine: an event loop and the state that it works on.
//!
//! One thread reads the input and another runs the search; both send events into one channel. The loop here
//! receives the events one by one, owns all state, and is the only one that writes output. So the output needs
//! no lock, and `isready` is answered at once even while a search runs.
//!
//! No input ends the engine, hangs it, or costs a `bestmove`: a command that can't be understood or executed is
//! rejected with an `info string`, and the state stays as it was. `docs/protocol.md` lists what the engine does where the
//! protocol is silent.

pub mod command;
pub mod command_error;
mod engine;
mod event;
mod expected_result;
mod explanation;
mod genfens;
pub mod go;
mod input;
mod jobs;
mod memory;
mod option_kind;
pub mod options;
mod own_book;
mod random;
pub mod response;
pub mod sent_move;
mod setup;
pub mod setup_error;
mod state;
mod weak_play;
mod worker;

use std::io::{self, Write};
use std::sync::mpsc::channel;

use crate::debug_log::DebugLog;
use engine::Engine;
use squarewise_engine::search::STACK_BYTES;
use squarewise_engine::search::spawning::ThreadRoom;

/// The stack of the thread that reads the input, in bytes.
const INPUT_STACK_BYTES: usize = 1 << 20;

/// Reads standard input and writes `output` until `quit` or the end of the input.
///
/// # Errors
///
/// If the output can't be written (a closed one gives [`io::ErrorKind::BrokenPipe`]), or the engine can't
/// be set up for lack of memory or threads.
pub fn run(output: impl Write, debug_log: DebugLog) -> io::Result<()> {
    let (sender, events) = channel();
    let mut room = ThreadRoom::claim([STACK_BYTES, INPUT_STACK_BYTES])?;
    let engine = Engine::new(output, debug_log, events, sender.clone(), &mut room)?;
    input::start(sender, &mut room)?;
    drop(room);
    engine.run()
}

/// Executes these commands, one after the other, and writes `output`; standard input is not read. Each search or other
/// job that ends by itself is waited for, any other is stopped before the next command.
///
/// # Errors
///
/// Those of [`run`], and if a command could not be executed; the reason has been written as an `info string`.
pub fn execute(commands: &[String], output: impl Write, debug_log: DebugLog) -> io::Result<()> {
    let (sender, events) = channel();
    let mut room = ThreadRoom::claim([STACK_BYTES])?;
    let engine = Engine::new(output, debug_log, events, sender, &mut room)?;
    drop(room);
    engine.execute_all(commands)
}
