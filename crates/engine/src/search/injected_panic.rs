//! Panics on demand, so that tests can see what becomes of a search that panics.
//!
//! The environment variable `SQUAREWISE_PANIC` names the threads that panic: `main` or `helper`.
//! Only a build with debug assertions reads it; in a release nothing of this is left.

/// A kind of search thread.
#[derive(Clone, Copy, Debug)]
pub enum SearchThread {
    /// The one that leads the search and reports. It panics when it has reported this depth.
    Main {
        /// In plies.
        depth: u32,
    },
    /// One that helps. It panics before it has begun.
    Helper,
}

/// Panics if the environment asks for it.
#[cfg(debug_assertions)]
pub fn panic_if_asked(thread: SearchThread) {
    let name = match thread {
        // Deep enough that the tables are in use, and that a shallower search stays whole.
        SearchThread::Main { depth } if depth < 4 => return,
        SearchThread::Main { .. } => "main",
        SearchThread::Helper => "helper",
    };
    if std::env::var_os("SQUAREWISE_PANIC").is_some_and(|asked| asked == name) {
        panic!("the {name} thread was asked to panic");
    }
}

/// Does nothing: this build has no debug assertions.
#[cfg(not(debug_assertions))]
#[inline]
pub fn panic_if_asked(_: SearchThread) {}
