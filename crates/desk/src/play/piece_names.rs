//! What pieces are called in sentences.

use shakmaty::{Board, Square};

use crate::why::role_name;

/// "the knight on g1".
pub fn piece_on(board: &Board, square: Square) -> String {
    format!(
        "the {} on {square}",
        board.role_at(square).map_or("piece", role_name)
    )
}
