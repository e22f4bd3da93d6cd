//! A connection, and whether it is idle.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::task::AbortHandle;

/// A connection, and how many requests and streams it is busy with.
#[derive(Default)]
pub(super) struct Connection {
    busy: AtomicUsize,
    /// The task that serves it.
    pub(super) task: OnceLock<AbortHandle>,
}

impl Connection {
    pub(super) fn is_idle(&self) -> bool {
        self.busy.load(Ordering::Relaxed) == 0
    }
}

/// As long as it lives its connection is busy.
pub(super) struct Busy(Arc<Connection>);

impl Busy {
    pub(super) fn with(connection: Arc<Connection>) -> Busy {
        connection.busy.fetch_add(1, Ordering::Relaxed);
        Busy(connection)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}
