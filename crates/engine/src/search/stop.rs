//! Stop tokens: how a search is told to stop.
//!
//! Every search has a token of its own, which is raised at most once and never lowered. So a stop
//! that arrives before the search has begun is not lost, and no stop reaches the next search. All
//! threads of a search share a child of its token, by which the search stops its helper threads
//! without raising the token itself.

use std::iter;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The stop signal of a search. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct StopToken(Arc<Signal>);

#[derive(Debug, Default)]
struct Signal {
    is_raised: AtomicBool,
    parent: Option<StopToken>,
}

impl StopToken {
    /// A token that is not raised.
    pub fn new() -> StopToken {
        StopToken::default()
    }

    /// A token that is raised as soon as this one is. Raising the child does not raise this one.
    pub fn child(&self) -> StopToken {
        StopToken(Arc::new(Signal {
            is_raised: AtomicBool::new(false),
            parent: Some(self.clone()),
        }))
    }

    /// Raises the token, for good.
    pub fn request(&self) {
        self.0.is_raised.store(true, Ordering::Relaxed);
    }

    /// Whether the token or one of its ancestors is raised.
    #[inline]
    pub fn is_requested(&self) -> bool {
        iter::successors(Some(self), |token| token.0.parent.as_ref())
            .any(|token| token.0.is_raised.load(Ordering::Relaxed))
    }
}

/// The error of a search that was stopped inside a subtree: the subtree has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_signal() {
        let token = StopToken::new();
        let clone = token.clone();
        assert!(!clone.is_requested());
        token.request();
        assert!(clone.is_requested());
    }

    #[test]
    fn a_raised_token_stops_children_and_grandchildren() {
        let token = StopToken::new();
        let child = token.child();
        let grandchild = child.child();
        assert!(!grandchild.is_requested());
        token.request();
        assert!(child.is_requested());
        assert!(grandchild.is_requested());
    }

    #[test]
    fn a_raised_child_stops_neither_its_parent_nor_its_siblings() {
        let token = StopToken::new();
        let (child, sibling) = (token.child(), token.child());
        child.request();
        assert!(child.is_requested());
        assert!(!token.is_requested());
        assert!(!sibling.is_requested());
    }

    #[test]
    fn the_child_of_a_raised_token_is_born_raised() {
        let token = StopToken::new();
        token.request();
        assert!(token.child().is_requested());
    }
}
