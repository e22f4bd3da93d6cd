//! The data of a game for the script of the page, as compact JSON.
//!
//! Keys are short, because a long game has hundreds of positions. The object of a game:
//!
//! | key | value |
//! |---|---|
//! | `white`, `black` | name and rating of the players |
//! | `tables` | the names of the tables that a piece takes its worth from |
//! | `beyond` | the names of what belongs to no single piece |
//! | `comment` | the text before the first move |
//! | `positions` | one object for each position, the first and the last included |
//! | `maps` | for each kind of piece what every square would add to it; left out of the later games of a long page |
//!
//! The object of a position; the last group is missing in the first position:
//!
//! | key | value |
//! |---|---|
//! | `f` | the position as FEN |
//! | `h` | the square of a king in check |
//! | `s`, `d` | the score of the search as text, and its depth in plies |
//! | `q` | the expected points of White, 0 to 1,000 |
//! | `l` | the best line, if the game is not over: for each move its text and what it changes on the board (`g1-f3N`: g1 empty, f3 a white knight) |
//! | `v` | for each piece whose worth is not that of the position before: its square (a1 is 0, h8 is 63), a number for each table, and the change by the last move |
//! | `b` | for each family beyond the pieces: White's part, Black's part |
//! | `w` | the number of its maps |
//! | `t`, `e` | the bonus for the side to move; the static evaluation, which is the sum |
//! | `m`, `u` | the move as text, and the two squares of each piece that it moves (`e1g1h1f1`); none for `--` |
//! | `j` | the judgement, 1 to 3 for `?!` to `??` |
//! | `c`, `k` | the clock after the move; the comment |
//! | `x` | what was taken: square, letter, and how much the loss of it changed the evaluation |
//!
//! All values of `v`, `b`, `t`, `e` and `x` are centipawns from White's point of view, but for `b`,
//! where each side's part is from its own.

use serde_json::{Map, Value, json};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Square};

use super::json::script_safe;
use super::maps::Maps;
use super::text;
use super::worth::Worth;
use crate::analysis::{AnalyzedGame, AnalyzedPosition, Judgement, MoveReview};
use crate::pgn::{Ply, shown_clock};
use squarewise_engine::evaluation::{TableSet, Tables};
use squarewise_engine::position::played_move::moved_squares;

/// Only the first 20 games get maps: they double the size of a game.
const MAX_GAMES_WITH_MAPS: usize = 20;

/// The longest line that is shown, in plies.
const MAX_LINE_PLIES: usize = 10;

/// A JSON object in the making.
type Object = Map<String, Value>;

fn set(object: &mut Object, key: &str, value: impl Into<Value>) {
    object.insert(key.to_owned(), value.into());
}

/// The JSON of a game; `before` is the number of games already on the page.
pub(super) fn json(before: usize, game: &AnalyzedGame) -> String {
    let tables = TableSet::default().tables();
    let record = &game.record;
    let mut object = Object::new();
    for (key, color) in [("white", Color::White), ("black", Color::Black)] {
        let rating = text::rating(record, color).unwrap_or_default();
        set(&mut object, key, vec![text::player(record, color), rating]);
    }
    let first = Worth::of(&record.start, &tables);
    let terms = first.breakdown.pieces.first().map(|share| &share.terms);
    let terms = terms.into_iter().flatten();
    let names: Vec<&str> = terms.map(|term| term.table.name()).collect();
    set(&mut object, "tables", names);
    let families = first.breakdown.beyond_pieces.iter();
    let names: Vec<&str> = families.map(|term| term.family.name()).collect();
    set(&mut object, "beyond", names);
    set(&mut object, "comment", text::comment(&record.comment));
    let mut maps = (before < MAX_GAMES_WITH_MAPS).then(Maps::default);
    set(
        &mut object,
        "positions",
        positions(game, first, &tables, maps.as_mut()),
    );
    if let Some(maps) = maps {
        set(&mut object, "maps", maps.json(&tables));
    }
    script_safe(&Value::Object(object))
}

/// The objects of all positions.
fn positions(
    game: &AnalyzedGame,
    first: Worth,
    tables: &Tables,
    mut maps: Option<&mut Maps>,
) -> Vec<Value> {
    let mut number_of_maps =
        |position: &Chess| maps.as_mut().and_then(|maps| maps.number(position));
    let reviews = game.reviews();
    let mut position = game.record.start.clone();
    let mut worth = first;
    let mut object = found(&position, game.positions.first());
    add_worth(&mut object, &worth, None);
    let mut objects = Vec::with_capacity(game.positions.len());
    for (index, ply) in game.record.plies.iter().enumerate() {
        if let Some(number) = number_of_maps(&position) {
            set(&mut object, "w", number);
        }
        objects.push(Value::Object(object));
        let mover = position.turn();
        let move_text = ply.play_in_san(&mut position);
        let next = worth.after(ply.m, mover, &position, tables);
        object = found(&position, game.positions.get(index + 1));
        add_worth(&mut object, &next, Some(&worth));
        set(&mut object, "m", move_text);
        add_ply(&mut object, ply, mover, reviews.get(index));
        worth = next;
    }
    if let Some(number) = number_of_maps(&position) {
        set(&mut object, "w", number);
    }
    objects.push(Value::Object(object));
    objects
}

/// What the search found in a position.
fn found(position: &Chess, analyzed: Option<&AnalyzedPosition>) -> Object {
    let mut object = Object::new();
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    set(&mut object, "f", fen.to_string());
    if let Some(king) = position.board().king_of(position.turn())
        && position.is_check()
    {
        set(&mut object, "h", u32::from(king));
    }
    let Some(analyzed) = analyzed else {
        return object;
    };
    let is_over = analyzed.lines.is_empty();
    set(&mut object, "s", text::score(analyzed.score, is_over));
    set(&mut object, "q", analyzed.white_points);
    if let Some(best) = analyzed.lines.first() {
        set(&mut object, "d", best.depth);
        set(&mut object, "l", line(position, &best.moves));
    }
    object
}

/// A line of play, move by move, as far as it is legal.
fn line(start: &Chess, moves: &[Move]) -> Vec<Value> {
    let mut position = start.clone();
    let shown = moves.iter().take(MAX_LINE_PLIES);
    let moves = shown.map_while(|m| {
        let before = position.clone();
        before.is_legal(*m).then(|| {
            let san = SanPlus::from_move_and_play_unchecked(&mut position, *m).to_string();
            json!([san, edits(&before, &position)])
        })
    });
    moves.collect()
}

/// What a move changes on the board, such as `g1-f3N`.
fn edits(before: &Chess, after: &Chess) -> String {
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
fn add_worth(object: &mut Object, worth: &Worth, before: Option<&Worth>) {
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

/// The move of `mover` that led to a position.
fn add_ply(object: &mut Object, ply: &Ply, mover: Color, review: Option<&MoveReview>) {
    let moved = ply.m.map(|m| moved_squares(m, mover));
    let moved = moved.into_iter().flatten().flatten();
    let squares: String = moved.map(|(from, to)| format!("{from}{to}")).collect();
    set(object, "u", squares);
    if let Some(judgement) = review.and_then(|review| review.judgement) {
        set(object, "j", rank(judgement));
    }
    if let Some(clock) = ply.clock {
        set(object, "c", shown_clock(clock));
    }
    let comment = text::comment(&ply.comment);
    if !comment.is_empty() {
        set(object, "k", comment);
    }
}

/// The number of a judgement: 1 to 3.
fn rank(judgement: Judgement) -> u32 {
    match judgement {
        Judgement::Inaccuracy => 1,
        Judgement::Mistake => 2,
        Judgement::Blunder => 3,
    }
}
