//! Gobang, or gomoku: five stones in a row win, on a board of 15 x 15 points.

mod board;
mod candidates;
mod geometry;
mod play;
mod protocol;
mod shapes;
mod windows;

pub use board::{Gobang, MoveError, Rule, Stone};
pub use geometry::{Point, SIZE};
pub use protocol::gomocup;
pub use windows::{Scores, WEIGHTS, scores_text};
