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
//! | `m`, `u` | the move as text, and the two squares of each piece that it moves (`e1g1h1f1`) |
//! | `j`, `a` | the judgement, 1 to 3 for `?!` to `??`, and the expected points given away, 0 to 1,000 |
//! | `c`, `k` | the clock after the move; the comment |
//! | `x` | what was taken: square, letter, and how much the loss of it changed the evaluation |
//!
//! All values of `v`, `b`, `t`, `e` and `x` are centipawns from White's point of view, but for `b`, where each side's
//! part is from its own.

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Square};

use super::json::Json;
use super::maps::Maps;
use super::text;
use super::worth::Worth;
use crate::analysis::{AnalyzedGame, AnalyzedPosition, Judgement, MoveReview};
use crate::pgn::{Ply, shown_clock};
use squarewise_engine::evaluation::{TableSet, Tables};
use squarewise_engine::position::played_move::moved_squares;

/// So many games have maps, which take as much room as all the rest of a game.
const MAX_GAMES_WITH_MAPS: usize = 20;

/// The longest line that is shown, in plies.
const MAX_LINE_PLIES: usize = 10;

/// The data of a game on a page that has so many games before it.
pub(super) fn json(before: usize, game: &AnalyzedGame) -> String {
    let tables = TableSet::default().tables();
    let record = &game.record;
    let mut json = Json::default();
    json.object(|json| {
        for (key, color) in [("white", Color::White), ("black", Color::Black)] {
            json.key(key).array(|json| {
                json.text(&text::player(record, color));
                json.text(&text::rating(record, color).unwrap_or_default());
            });
        }
        let first = Worth::of(&record.start, &tables);
        json.key("tables").array(|json| {
            let tables = first.breakdown.pieces.first().into_iter();
            let tables = tables.flat_map(|share| &share.terms);
            tables.for_each(|term| json.text(term.table.name()));
        });
        json.key("beyond").array(|json| {
            let families = first.breakdown.beyond_pieces.iter();
            families.for_each(|term| json.text(term.family.name()));
        });
        json.key("comment").text(&text::comment(&record.comment));
        let mut maps = (before < MAX_GAMES_WITH_MAPS).then(Maps::default);
        json.key("positions")
            .array(|json| positions(json, game, first, &tables, maps.as_mut()));
        if let Some(maps) = maps {
            maps.write(json.key("maps"), &tables);
        }
    });
    json.into_string()
}

/// The objects of all positions.
fn positions(
    json: &mut Json,
    game: &AnalyzedGame,
    first: Worth,
    tables: &Tables,
    mut maps: Option<&mut Maps>,
) {
    let mut add_maps = |json: &mut Json, position: &Chess| {
        if let Some(number) = maps.as_mut().and_then(|maps| maps.number(position)) {
            json.key("w").number(number);
        }
    };
    let reviews = game.reviews();
    let mut position = game.record.start.clone();
    let mut worth = first;
    json.object(|json| {
        add_position(json, &position, game.positions.first());
        add_worth(json, &worth, None);
        add_maps(json, &position);
    });
    for (index, ply) in game.record.plies.iter().enumerate() {
        let before = position.clone();
        let move_text = SanPlus::from_move_and_play_unchecked(&mut position, ply.m).to_string();
        let next = worth.after(ply.m, before.turn(), &position, tables);
        json.object(|json| {
            add_position(json, &position, game.positions.get(index + 1));
            add_worth(json, &next, Some(&worth));
            add_maps(json, &position);
            json.key("m").text(&move_text);
            add_ply(json, ply, before.turn(), reviews.get(index));
        });
        worth = next;
    }
}

/// What the search found in a position.
fn add_position(json: &mut Json, position: &Chess, analyzed: Option<&AnalyzedPosition>) {
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    json.key("f").text(&fen.to_string());
    if let Some(king) = position.board().king_of(position.turn())
        && position.is_check()
    {
        json.key("h").number(u32::from(king));
    }
    let Some(analyzed) = analyzed else { return };
    let is_over = analyzed.lines.is_empty();
    json.key("s").text(&text::score(analyzed.score, is_over));
    json.key("q").number(analyzed.white_points);
    if let Some(best) = analyzed.lines.first() {
        json.key("d").number(best.depth);
        json.key("l")
            .array(|json| add_line(json, position, &best.moves));
    }
}

/// A line of play, move by move, as far as it is legal.
fn add_line(json: &mut Json, start: &Chess, moves: &[Move]) {
    let mut position = start.clone();
    for m in moves.iter().take(MAX_LINE_PLIES) {
        if !position.is_legal(*m) {
            return;
        }
        let before = position.clone();
        let move_text = SanPlus::from_move_and_play_unchecked(&mut position, *m).to_string();
        json.array(|json| {
            json.text(&move_text);
            json.text(&edits(&before, &position));
        });
    }
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

/// The static evaluation taken apart. A piece whose terms are those of the same piece on the same square before is
/// left out.
fn add_worth(json: &mut Json, worth: &Worth, before: Option<&Worth>) {
    let breakdown = &worth.breakdown;
    json.key("v").array(|json| {
        for (share, change) in breakdown.pieces.iter().zip(&worth.changes) {
            let same = before.and_then(|before| before.breakdown.piece_on(share.square));
            if *change == 0 && same.is_some_and(|same| same.has_values_of(share)) {
                continue;
            }
            json.number(u32::from(share.square));
            for term in &share.terms {
                json.number(term.value);
            }
            json.number(*change);
        }
    });
    json.key("b").array(|json| {
        for family in &breakdown.beyond_pieces {
            let [black, white] = family.sides;
            json.number(white);
            json.number(black);
        }
    });
    json.key("t").number(breakdown.tempo);
    json.key("e").number(breakdown.total);
    if let Some(taken) = &worth.taken {
        json.key("x").array(|json| {
            json.number(u32::from(taken.square));
            json.text(&taken.piece.char().to_string());
            json.number(-taken.total());
        });
    }
}

/// The move of `mover` that led to a position.
fn add_ply(json: &mut Json, ply: &Ply, mover: Color, review: Option<&MoveReview>) {
    let moved = moved_squares(ply.m, mover).into_iter().flatten();
    let squares: String = moved.map(|(from, to)| format!("{from}{to}")).collect();
    json.key("u").text(&squares);
    if let Some(review) = review {
        json.key("a").number(review.loss);
        if let Some(judgement) = review.judgement {
            json.key("j").number(rank(judgement));
        }
    }
    if let Some(clock) = ply.clock {
        json.key("c").text(&shown_clock(clock));
    }
    let comment = text::comment(&ply.comment);
    if !comment.is_empty() {
        json.key("k").text(&comment);
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
