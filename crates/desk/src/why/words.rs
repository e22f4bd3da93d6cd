//! Numbers and pieces in words, as all texts of this module write them.

use shakmaty::{Color, Role};

use squarewise_engine::evaluation::shares::{PieceShare, Table};

/// A number of centipawns with its sign; 0 has none.
pub(super) fn signed(value: i32) -> String {
    if value == 0 {
        "0".to_owned()
    } else {
        format!("{value:+}")
    }
}

/// What the square of a piece adds, from White's point of view.
pub(super) fn bonus(share: &PieceShare) -> i32 {
    share.total() - share.term(Table::Material)
}

/// A piece in words, such as "the white knight on e5".
pub(super) fn name(share: &PieceShare) -> String {
    let (side, role) = (color_name(share.piece.color), role_name(share.piece.role));
    format!("the {side} {role} on {}", share.square)
}

/// The name of a side inside a sentence.
pub(super) fn color_name(side: Color) -> &'static str {
    side.fold_wb("white", "black")
}

/// The name of a side as a player.
pub(super) fn side_name(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}

/// The name of a kind of piece inside a sentence.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
