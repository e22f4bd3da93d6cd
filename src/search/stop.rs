//! How a search is told to stop.
//!
//! A token is born with a search and dies with it; it is raised once and never lowered. So a stop that
//! arrives before the search has taken its first breath is not lost, and none leaks into the next search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One search's stop signal. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// A signal not yet given.
    pub fn new() -> StopToken {
        StopToken::default()
    }

    /// Gives the signal, for good.
    pub fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the signal was given.
    #[inline]
    pub fn is_requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The search ended inside a subtree, whose half-known score must not be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;
