//! Xiangqi, Chinese chess: nine files, ten ranks, and two kings who must not see each other.

mod evaluation;
mod geometry;
mod moves;
mod notation;
mod play;
mod position;
mod protocol;
mod repetition;

pub use evaluation::{Tables, WEIGHTS, tables_text};
pub use notation::{FenError, MoveError, Notation};
pub use position::{Move, Piece, Role, START, Side, Square, Xiangqi};
pub use protocol::protocol;
