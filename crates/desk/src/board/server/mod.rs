//! HTTP on the loopback interface: who may ask, what is served, and the streams of events.
//!
//! It knows nothing of chess: a command is a text that it hands to the owner of the boards, and
//! what comes back is JSON. [`guard`] decides who may ask, [`listen`] accepts connections within
//! limits, and `routes` has the few addresses that there are.

mod connection;
pub(super) mod guard;
pub(super) mod listen;
mod routes;

use std::sync::Arc;
use std::sync::mpsc::Sender;

use serde_json::Value;
use tokio::sync::oneshot;

use guard::Guard;

/// The answer to a command: JSON, or why it can't be carried out, in words.
pub(super) type Reply = Result<Value, String>;

/// What the owner of the boards is asked.
pub(super) enum Question {
    /// A command to a board, or to all of them if there is no number.
    Command {
        board: Option<u32>,
        text: Vec<u8>,
        reply: oneshot::Sender<Reply>,
    },
    /// A page wants to hear what happens on a board.
    Listen {
        board: u32,
        reply: oneshot::Sender<Result<Lines, String>>,
    },
    /// The program is to end.
    Quit,
}

/// The lines that a page receives. A page that falls behind by more than the queue holds loses its
/// stream, and asks for a new one.
pub(super) type Lines = tokio::sync::mpsc::Receiver<String>;

/// What is served, and to whom.
pub(super) struct Site {
    pub(super) guard: Guard,
    /// The page and its script, style sheet and icon.
    pub(super) files: Files,
    /// The way to the owner of the boards; false if it has gone.
    pub(super) ask: Ask,
}

/// Hands a question to the owner of the boards.
pub(super) type Ask = Arc<dyn Fn(Question) -> bool + Send + Sync>;

/// The files of the page. They are part of the program.
pub(super) struct Files {
    pub(super) page: String,
    pub(super) script: String,
    pub(super) style: String,
    pub(super) icon: &'static str,
}

/// A way to ask that sends into a channel.
pub(super) fn ask_by<E: Send + 'static>(
    sender: Sender<E>,
    wrap: impl Fn(Question) -> E + Send + Sync + 'static,
) -> Ask {
    Arc::new(move |question| sender.send(wrap(question)).is_ok())
}
