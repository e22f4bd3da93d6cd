//! What pieces are called in sentences.

use shakmaty::{Board, Role, Square};

/// "the knight on g1".
pub fn piece_on(board: &Board, square: Square) -> String {
    format!(
        "the {} on {square}",
        board.role_at(square).map_or("piece", name)
    )
}

/// The name of a kind of piece.
pub fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
