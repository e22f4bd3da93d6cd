//! What the owner of the boards hears.

use super::server::Question;

/// What the owner, a `D`, does with an answer: nobody else changes anything.
pub(super) type Consequence<D> = Box<dyn FnOnce(&mut D) + Send>;

/// What the owner hears.
pub(super) enum Event<D> {
    /// From the server.
    Asked(Question),
    /// An answer of the coach or of a review.
    Done(Consequence<D>),
}
