//! A board and its positions as the page sees them. Text leaves here, as JSON.

use std::time::Instant;

use crate::notation::san_plus;
use serde_json::{Value, json};
use shakmaty::attacks::attacks;
use shakmaty::{Bitboard, CastlingSide, Color, Position, Role};
use squarewise_engine::position::variant_position::VariantPosition;

use super::game::Match;
use super::list::own_side;
use super::named_moves::named_moves;
use super::review::Review;
use super::shapes::shapes_of;
use super::state::Board;
use super::tree::{Node, ROOT};
use crate::openings::{common_moves, opening_of};
use crate::page::position::{Object, add_board, add_names, add_worth, set, squares_of};
use crate::page::text;
use crate::page::worth::Worth;
use crate::pgn::{GameRecord, shown_clock};
use crate::play::ending::end_in_words;
use squarewise_engine::evaluation::tables_of;
use squarewise_engine::position::rules::Variant;

/// The most moves of people that are shown.
const MAX_KNOWN_MOVES: usize = 6;

impl Board {
    /// Everything, for a page that has just come.
    pub(super) fn json(&self, now: Instant) -> Value {
        let tables = tables_of(self.tree.start().variant());
        let mut names = Object::new();
        add_names(
            &mut names,
            &Worth::of(&VariantPosition::default(), &tables).breakdown,
        );
        json!({
            "nodes": self.tree.in_order().iter().map(|(id, node)| node_json(*id, node)).collect::<Vec<_>>(),
            "at": self.at,
            "names": names,
            "variant": self.tree.start().variant().name(),
            "players": self.players(),
            "tags": self.tags(),
            "games": self.list(),
            "open": self.open,
            "own": self.own_side().map(|side| side.char().to_string()),
            "game": self.game.as_ref().map(|game| game.json(now)),
            "feedback": self.game.iter().flat_map(|game| game.judged.values()).collect::<Vec<_>>(),
            "review": self.review.as_ref().map(Review::json),
            "puzzle": self.puzzle,
        })
    }

    /// What is on it, in a line: `Byrne – Fischer, 41 moves`.
    pub(super) fn title(&self) -> String {
        let playing = self.game.as_ref().filter(|_| self.is_playing());
        let record = playing.map_or_else(|| self.heading(), Match::record);
        let line = self.tree.main_line();
        let has_names = ["White", "Black"].map(|name| record.known_tag(name).is_some());
        let what = if has_names.contains(&true) {
            let [white, black] = Color::ALL.map(|color| text::player(&record, color));
            format!("{white} – {black}")
        } else {
            self.moves_in_words(line[line.len() - 1]).to_owned()
        };
        match (line.len() - 1).div_ceil(2) {
            0 => what,
            1 => format!("{what}, 1 move"),
            moves => format!("{what}, {moves} moves"),
        }
    }

    /// The side of the person in a game against the engine, also in one that was played here before
    /// a restart: its tags tell.
    pub(super) fn own_side(&self) -> Option<Color> {
        let of_match = self.game.as_ref().and_then(Match::person);
        of_match.or_else(|| own_side(&self.heading()))
    }

    /// The opening, or where the moves up to a position begin.
    fn moves_in_words(&self, at: usize) -> &'static str {
        let start = self.tree.start();
        let played = self.tree.moves(at).unwrap_or_default();
        let played: Vec<_> = played.into_iter().map_while(|m| m).collect();
        match (start.variant(), opening_of(start, &played)) {
            (Variant::Chess, Some(opening)) => opening.name,
            (Variant::Chess, None) if *start == VariantPosition::default() => "Start position",
            (Variant::Chess, None) => "A position",
            (variant, _) => variant.description(),
        }
    }

    /// The names and ratings of both sides.
    pub(super) fn players(&self) -> Value {
        let record = self.heading();
        let player = |color| {
            let rating = text::rating(&record, color).unwrap_or_default();
            let name = record.known_tag(color.fold_wb("White", "Black"));
            json!([name.map(text::clean).unwrap_or_default(), rating])
        };
        json!([player(Color::White), player(Color::Black)])
    }

    /// What is said of the game as a whole.
    pub(super) fn tags(&self) -> Value {
        let record = self.heading();
        let parts = ["Event", "Site"].map(|name| text::known_tag(&record, name));
        let parts = parts.into_iter().chain([text::date(&record)]);
        json!({
            "about": parts.flatten().collect::<Vec<String>>().join(" · "),
            "result": text::clean(record.result()),
        })
    }

    /// A record without moves, for the texts that tags give.
    pub(super) fn heading(&self) -> GameRecord {
        let mut record = GameRecord::new(self.tree.start().clone());
        record.tags.clone_from(&self.tree.tags);
        record.outcome = self.tree.outcome;
        record
    }

    /// The games that were loaded, in a line each.
    fn list(&self) -> Vec<Value> {
        let line = |record: &GameRecord| {
            let [white, black] = Color::ALL.map(|color| text::player(record, color));
            json!([
                white,
                black,
                text::clean(record.result()),
                text::date(record),
                record.plies.len().div_ceil(2)
            ])
        };
        self.games.iter().map(line).collect()
    }

    /// What a reader of a position may do, and what it is called; with `worth`, what its pieces are
    /// worth.
    pub(super) fn details(&self, at: usize, worth: bool) -> Result<Value, String> {
        let node = self.tree.node(at)?;
        let moves = self.tree.moves(at)?;
        let known: Vec<_> = moves.iter().map_while(|m| *m).collect();
        let opening = opening_of(self.tree.start(), &known);
        let names = named_moves(&node.position)
            .into_iter()
            .map(|(name, _)| name);
        let mut object = Object::new();
        set(&mut object, "id", at);
        set(&mut object, "d", names.collect::<Vec<_>>().join(" "));
        set(
            &mut object,
            "o",
            opening.map(|opening| format!("{} {}", opening.eco, opening.name)),
        );
        set(&mut object, "known", known_moves(&node.position));
        set(&mut object, "over", end_in_words(&node.position));
        set(&mut object, "premoves", premoves(&node.position));
        if worth {
            let tables = tables_of(node.position.variant());
            let found = match at {
                ROOT => Worth::of(&node.position, &tables),
                _ => {
                    let before = &self.tree.node(node.parent)?.position;
                    let before_worth = Worth::of(before, &tables);
                    before_worth.after(node.ply.m, before.turn(), &node.position, &tables)
                }
            };
            add_worth(&mut object, &found, None);
        }
        Ok(Value::Object(object))
    }
}

/// The moves with which people most often go on in an opening, in SAN and by their squares.
fn known_moves(position: &VariantPosition) -> Vec<Value> {
    let mut known = common_moves(position);
    known.sort_by_key(|one| std::cmp::Reverse(one.weight));
    let named = named_moves(position);
    let moves = known.iter().take(MAX_KNOWN_MOVES).filter_map(|one| {
        let (name, _) = named.iter().find(|(_, m)| *m == one.m)?;
        Some(json!([san_plus(position, one.m).to_string(), name]))
    });
    moves.collect()
}

/// A position for the page.
pub(super) fn node_json(id: usize, node: &Node) -> Value {
    let mut object = Object::new();
    set(&mut object, "id", id);
    if id != ROOT {
        set(&mut object, "parent", node.parent);
        set(&mut object, "m", node.san.clone());
        set(
            &mut object,
            "u",
            squares_of(node.ply.m, !node.position.turn()),
        );
    }
    add_board(&mut object, &node.position);
    let ply = &node.ply;
    let comments = [&ply.comment_before, &ply.comment];
    let comments: Vec<String> = comments
        .into_iter()
        .map(|comment| text::comment(comment))
        .collect();
    let comment = comments.join(" ").trim().to_owned();
    if !comment.is_empty() {
        set(&mut object, "k", comment);
    }
    if !ply.nags.is_empty() {
        set(&mut object, "g", ply.nags.clone());
    }
    let shapes = shapes_of(&ply.commands);
    if !shapes.is_empty() {
        set(&mut object, "a", shapes);
    }
    if let Some(clock) = ply.clock {
        set(&mut object, "c", shown_clock(clock));
    }
    if let Some(evaluation) = ply.evaluation {
        set(&mut object, "s", text::score(evaluation.score, false));
    }
    Value::Object(object)
}

/// The squares that the pieces of the side that waits may be able to reach on its next turn: by the
/// way they move, whatever stands there now.
fn premoves(position: &VariantPosition) -> String {
    let board = position.board();
    let side = !position.turn();
    let mut names = Vec::new();
    for from in board.by_color(side) {
        let Some(piece) = board.piece_at(from) else {
            continue;
        };
        let mut reach = attacks(from, piece, Bitboard::EMPTY);
        if piece.role == Role::Pawn {
            reach |= position.rules().pawn_steps(side, from);
        }
        if piece.role == Role::King {
            for wing in CastlingSide::ALL {
                if let Some(rook) = position.castles().rook(side, wing) {
                    reach.extend([wing.king_to(side), rook]);
                }
            }
        }
        names.extend(reach.into_iter().map(|to| format!("{from}{to}")));
    }
    names.join(" ")
}
