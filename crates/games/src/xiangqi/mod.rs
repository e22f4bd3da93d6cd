//! Xiangqi, Chinese chess: nine files, ten ranks, and two kings who must not see each other.

mod evaluation;
mod geometry;
mod go;
mod moves;
mod notation;
mod pieces;
mod play;
mod position;
mod protocol;
mod repetition;

pub use evaluation::{Tables, WEIGHTS, tables_text};
pub use notation::{FenError, MoveError, Notation, START};
pub use pieces::{Move, Piece, Role, Side, Square};
pub use position::Xiangqi;
pub use protocol::protocol;
