//! A position as JSON for the script of a page: its board, its lines of play, and what each piece
//! is worth. [`report::data`](crate::report) explains the keys.

use crate::notation::play_in_san;
use serde_json::{Map, Value, json};
use shakmaty::fen::Fen;
use shakmaty::{Color, EnPassantMode, Move, Position, Square};
use squarewise_engine::position::variant_position::VariantPosition;

use super::worth::Worth;
use squarewise_engine::evaluation::breakdown::Breakdown;
use squarewise_engine::position::played_move::moved_squares;

/// The longest line that is shown, in plies.
const MAX_LINE_PLIES: usize = 10;

/// A JSON object in the making.
pub(crate) type Object = Map<String, Value>;

/// Sets a key of an object.
pub(crate) fn set(object: &mut Object, key: &str, value: impl Into<Value>) {
    object.insert(key.to_owned(), value.into());
}

/// The position as FEN, and the square of a king in check.
pub(crate) fn add_board(object: &mut Object, position: &VariantPosition) {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    set(object, "f", fen.to_string());
    if let Some(king) = position.board().king_of(position.turn())
        && position.is_check()
    {
        set(object, "h", u32::from(king));
    }
}

/// The names of the tables that a piece takes its worth from, and of what belongs to no single
/// piece.
pub(crate) fn add_names(object: &mut Object, breakdown: &Breakdown) {
    let terms = breakdown.pieces.first().map(|share| &share.terms);
    let terms = terms.into_iter().flatten();
    let names: Vec<&str> = terms.map(|term| term.table.name()).collect();
    set(object, "tables", names);
    let families = breakdown.beyond_pieces.iter();
    let names: Vec<&str> = families.map(|term| term.source.name()).collect();
    set(object, "beyond", names);
}

/// The squares of the pieces that a move moves, two for each: `e1g1h1f1` for castling.
pub(crate) fn squares_of(m: Option<Move>, mover: Color) -> String {
    let moved = m.map(|m| moved_squares(m, mover));
    let moved = moved.into_iter().flatten().flatten();
    moved.map(|(from, to)| format!("{from}{to}")).collect()
}

/// A line of play, move by move, as far as it is legal.
pub(crate) fn line(start: &VariantPosition, moves: &[Move]) -> Vec<Value> {
    let mut position = start.clone();
    let shown = moves.iter().take(MAX_LINE_PLIES);
    let moves = shown.map_while(|m| {
        let before = position.clone();
        before.is_legal(*m).then(|| {
            let san = play_in_san(&mut position, *m).to_string();
            json!([san, edits(&before, &position)])
        })
    });
    moves.collect()
}

/// What a move changes on the board, such as `g1-f3N`.
fn edits(before: &VariantPosition, after: &VariantPosition) -> String {
    let changed =
        |square: &Square| before.board().piece_at(*square) != after.board().piece_at(*square);
    let squares = Square::ALL.into_iter().filter(changed);
    let edits = squares.map(|square| {
        let piece = after
            .board()
            .piece_at(square)
            .map_or('-', |piece| piece.char());
        format!("{square}{piece}")
    });
    edits.collect()
}

/// The static evaluation taken apart. A piece whose terms are those of the same piece on the same
/// square before is left out.
pub(crate) fn add_worth(object: &mut Object, worth: &Worth, before: Option<&Worth>) {
    let breakdown = &worth.breakdown;
    let mut pieces: Vec<i32> = Vec::new();
    for (share, change) in breakdown.pieces.iter().zip(&worth.changes) {
        let same = before.and_then(|before| before.breakdown.piece_on(share.square));
        if *change != 0 || !same.is_some_and(|same| same.has_values_of(share)) {
            pieces.push(u32::from(share.square) as i32);
            pieces.extend(share.terms.iter().map(|term| term.value));
            pieces.push(*change);
        }
    }
    set(object, "v", pieces);
    let families = breakdown.beyond_pieces.iter();
    let families = families.flat_map(|term| [term.sides[1], term.sides[0]]);
    set(object, "b", families.collect::<Vec<_>>());
    set(object, "t", breakdown.tempo);
    set(object, "e", breakdown.total);
    if let Some(taken) = &worth.taken {
        let letter = taken.piece.char().to_string();
        set(
            object,
            "x",
            json!([u32::from(taken.square), letter, -taken.total()]),
        );
    }
}
