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
//! The object of a position; `m`, `u`, `j`, `a`, `c`, `k` and `x` are missing in the first one:
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
//! | `j`, `a` | the judgement, 1 to 3 for `?!` to `??`; the winning chances that the move gives away, 0 to 1,000 |
//! | `c`, `k` | the clock after the move; the comment |
//! | `x` | what was taken: square, letter, and how much the loss of it changed the evaluation |
//!
//! All values of `v`, `b`, `t`, `e` and `x` are centipawns from White's point of view, but for `b`,
//! where each side's part is from its own.

use serde_json::Value;
use shakmaty::{Color, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use crate::analysis::annotate::without_judgement;
use crate::analysis::{AnalyzedGame, AnalyzedPosition, MoveReview};
use crate::page::json::script_safe;
use crate::page::maps::Maps;
use crate::page::position::{Object, add_board, add_names, add_worth, line, set, squares_of};
use crate::page::text;
use crate::page::worth::Worth;
use crate::pgn::{Ply, shown_clock};
use squarewise_engine::evaluation::{Tables, tables_of};

/// Only the first 20 games get maps: a game with maps is two and a half times as large.
const MAX_GAMES_WITH_MAPS: usize = 20;

/// The JSON of a game; `before` is the number of games already on the page.
pub(super) fn json(before: usize, game: &AnalyzedGame) -> String {
    let record = &game.record;
    let tables = tables_of(record.start.variant());
    let mut object = Object::new();
    for (key, color) in [("white", Color::White), ("black", Color::Black)] {
        let rating = text::rating(record, color).unwrap_or_default();
        set(&mut object, key, vec![text::player(record, color), rating]);
    }
    let first = Worth::of(&record.start, &tables);
    add_names(&mut object, &first.breakdown);
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
        |position: &VariantPosition| maps.as_mut().and_then(|maps| maps.number(position, tables));
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
fn found(position: &VariantPosition, analyzed: Option<&AnalyzedPosition>) -> Object {
    let mut object = Object::new();
    add_board(&mut object, position);
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

/// The move of `mover` that led to a position.
fn add_ply(object: &mut Object, ply: &Ply, mover: Color, review: Option<&MoveReview>) {
    set(object, "u", squares_of(ply.m, mover));
    if let Some(review) = review
        && let Some(judgement) = review.judgement
    {
        set(object, "j", judgement.rank());
        set(object, "a", (review.loss * 10.0).round() as u32);
    }
    if let Some(clock) = ply.clock {
        set(object, "c", shown_clock(clock));
    }
    let comment = match review {
        // What another program has said gives way.
        Some(_) => text::comment(&without_judgement(&ply.comment)),
        None => text::comment(&ply.comment),
    };
    if !comment.is_empty() {
        set(object, "k", comment);
    }
}
