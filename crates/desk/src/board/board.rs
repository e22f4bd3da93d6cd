//! A board: a tree of moves, the games that were loaded, and what is being done with it.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shakmaty::{Chess, Color, Position};

use super::game::Match;
use super::review::Review;
use super::tree::{Node, ROOT, Tree, named_moves};
use crate::notation::{self, Meaning};
use crate::openings::opening_of;
use crate::page::position::{Object, add_board, add_names, add_worth, set, squares_of};
use crate::page::text;
use crate::page::worth::Worth;
use crate::pgn::{GameRecord, Games, shown_clock, writer};
use crate::play::ending::end_in_words;
use squarewise_engine::evaluation::TableSet;

/// The most games of a list.
const MAX_GAMES: usize = 2_000;

/// The longest comment, in bytes.
const MAX_COMMENT: usize = 10_000;

/// A board with everything on it.
pub(super) struct Board {
    pub(super) tree: Tree,
    /// Where the reader is.
    pub(super) at: usize,
    pub(super) games: Vec<GameRecord>,
    /// Which of them is on the board.
    pub(super) open: Option<usize>,
    pub(super) game: Option<Match>,
    pub(super) review: Option<Review>,
    /// The puzzle on the board: its position in FEN.
    pub(super) puzzle: Option<String>,
}

impl Board {
    pub(super) fn new(start: Chess) -> Board {
        Board::of(Tree::new(start))
    }

    pub(super) fn of(tree: Tree) -> Board {
        Board {
            tree,
            at: ROOT,
            games: Vec::new(),
            open: None,
            game: None,
            review: None,
            puzzle: None,
        }
    }

    /// Puts another game on the board; the list of games stays.
    pub(super) fn show(&mut self, tree: Tree) {
        let games = std::mem::take(&mut self.games);
        *self = Board::of(tree);
        self.games = games;
    }

    /// Reads games, or a position, and opens the first.
    ///
    /// # Errors
    ///
    /// In words, if the text is neither.
    pub(super) fn load(&mut self, text: &str) -> Result<Option<String>, String> {
        if let Ok((position, left_out)) = squarewise_engine::position::read_fen(text.trim(), None) {
            self.games.clear();
            self.show(Tree::new(position));
            return Ok(left_out.in_words().map(str::to_owned));
        }
        let mut games = Vec::new();
        let mut broken = Vec::new();
        let mut is_cut = false;
        for read in Games::new(text.as_bytes()) {
            let read = read.map_err(|error| error.to_string())?;
            if games.len() >= MAX_GAMES {
                is_cut = true;
                break;
            }
            match read.record {
                Ok(record) => games.push(record),
                Err(error) => broken.push(format!("game {}: {error}", read.number)),
            }
        }
        let Some(first) = games.first() else {
            return Err(match broken.first() {
                Some(reason) => text::clean(reason),
                None => "there is no game and no position in this text".to_owned(),
            });
        };
        let tree = Tree::from_record(first.clone())?;
        self.games = games;
        self.show(tree);
        self.open = Some(0);
        if is_cut {
            broken.insert(0, format!("only the first {MAX_GAMES} games are here"));
        }
        let remarks: Vec<String> = broken
            .iter()
            .take(3)
            .map(|reason| text::clean(reason))
            .collect();
        Ok((!remarks.is_empty()).then(|| remarks.join("; ")))
    }

    /// Opens a game of the list.
    pub(super) fn open(&mut self, index: usize) -> Result<(), String> {
        let record = self.games.get(index).ok_or("there is no such game")?;
        let tree = Tree::from_record(record.clone())?;
        self.show(tree);
        self.open = Some(index);
        Ok(())
    }

    /// The move that a text names by its squares.
    pub(super) fn named(&self, at: usize, name: &str) -> Result<shakmaty::Move, String> {
        let position = &self.tree.node(at)?.position;
        let found = named_moves(position)
            .into_iter()
            .find(|(other, _)| other == name);
        let found = found.map(|(_, m)| m);
        found.ok_or_else(|| format!("{} is not possible here", text::clean(name)))
    }

    /// The move that a person has typed, or why it is not possible.
    pub(super) fn typed(&self, at: usize, text: &str) -> Result<shakmaty::Move, String> {
        let position = &self.tree.node(at)?.position;
        if let Some(Meaning::Move(m)) = notation::meaning(text, position) {
            return Ok(m);
        }
        match crate::play::slips::read_move(text, position) {
            Some(read) => read,
            None => Err(format!("“{}” is not a move", text::clean(text))),
        }
    }

    /// Changes what stands beside a move.
    pub(super) fn annotate(
        &mut self,
        at: usize,
        comment: Option<String>,
        glyphs: Option<Vec<u16>>,
        shapes: Option<Vec<String>>,
    ) -> Result<(), String> {
        let node = self.tree.node_mut(at)?;
        if let Some(comment) = comment {
            if comment.len() > MAX_COMMENT {
                return Err("this comment is too long".to_owned());
            }
            node.ply.comment_before.clear();
            node.ply.comment = text::comment(&comment);
        }
        if let Some(glyphs) = glyphs {
            if glyphs.len() > 8 || glyphs.iter().any(|glyph| *glyph > 255) {
                return Err("these are no glyphs of PGN".to_owned());
            }
            node.ply.nags = glyphs;
        }
        if let Some(shapes) = shapes {
            if shapes.len() > 128 || !shapes.iter().all(|shape| is_shape(shape)) {
                return Err("these are no arrows and circles".to_owned());
            }
            node.ply.commands = with_shapes(&node.ply.commands, &shapes);
        }
        Ok(())
    }

    /// Everything, for a page that has just come.
    pub(super) fn json(&self, now: Instant) -> Value {
        let tables = TableSet::default().tables();
        let mut names = Object::new();
        add_names(&mut names, &Worth::of(&Chess::default(), &tables).breakdown);
        json!({
            "nodes": self.tree.in_order().iter().map(|(id, node)| node_json(*id, node)).collect::<Vec<_>>(),
            "at": self.at,
            "names": names,
            "players": self.players(),
            "tags": self.tags(),
            "games": self.list(),
            "open": self.open,
            "game": self.game.as_ref().map(|game| game.json(now)),
            "review": self.review.as_ref().map(Review::json),
        })
    }

    /// The names and ratings of both sides.
    fn players(&self) -> Value {
        let record = self.heading();
        let player = |color| {
            let rating = text::rating(&record, color).unwrap_or_default();
            let name = record.known_tag(if color == Color::White {
                "White"
            } else {
                "Black"
            });
            json!([name.map(text::clean).unwrap_or_default(), rating])
        };
        json!([player(Color::White), player(Color::Black)])
    }

    /// What is said of the game as a whole.
    fn tags(&self) -> Value {
        let record = self.heading();
        let parts = ["Event", "Site"].map(|name| text::known_tag(&record, name));
        let parts = parts.into_iter().chain([text::date(&record)]);
        json!({
            "about": parts.flatten().collect::<Vec<String>>().join(" · "),
            "result": self.tree.outcome.to_string(),
        })
    }

    /// A record without moves, for the texts that tags give.
    fn heading(&self) -> GameRecord {
        let mut record = GameRecord::new(self.tree.start().clone());
        record.tags.clone_from(&self.tree.tags);
        record
    }

    /// The games that were loaded, in a line each.
    fn list(&self) -> Vec<Value> {
        let line = |record: &GameRecord| {
            let [white, black] = Color::ALL.map(|color| text::player(record, color));
            json!([
                white,
                black,
                record.outcome.to_string(),
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
        set(&mut object, "over", end_in_words(&node.position));
        set(&mut object, "premoves", premoves(&node.position));
        if worth {
            let tables = TableSet::default().tables();
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

    /// The game as PGN.
    pub(super) fn pgn(&self) -> Result<String, String> {
        let mut text = Vec::new();
        let written = writer::write(&self.tree.record(), &mut text);
        written.map_err(|error| error.to_string())?;
        String::from_utf8(text).map_err(|error| error.to_string())
    }
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
fn premoves(position: &Chess) -> String {
    let board = position.board();
    let side = !position.turn();
    let mut names = Vec::new();
    for from in board.by_color(side) {
        let Some(piece) = board.piece_at(from) else {
            continue;
        };
        let mut reach = shakmaty::attacks::attacks(from, piece, shakmaty::Bitboard::EMPTY);
        if piece.role == shakmaty::Role::Pawn {
            let ahead = |squares: i32| from.offset(side.fold_wb(8, -8) * squares);
            reach.extend(ahead(1));
            if from.rank() == side.relative_rank(shakmaty::Rank::Second) {
                reach.extend(ahead(2));
            }
        }
        if piece.role == shakmaty::Role::King {
            for wing in shakmaty::CastlingSide::ALL {
                if let Some(rook) = position.castles().rook(side, wing) {
                    reach.extend([wing.king_to(side), rook]);
                }
            }
        }
        names.extend(reach.into_iter().map(|to| format!("{from}{to}")));
    }
    names.join(" ")
}

/// Whether a text is an arrow or a circle with its color: `Re2e4`, `Ge4`.
fn is_shape(text: &str) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    match text.as_bytes() {
        [b'G' | b'R' | b'Y' | b'B', squares @ ..] => {
            matches!(squares.len(), 2 | 4) && squares.chunks(2).all(is_square)
        }
        _ => false,
    }
}

/// The arrows and circles among the commands of a comment.
fn shapes_of(commands: &str) -> Vec<String> {
    let parts = commands.split("[%").filter_map(|part| part.split_once(']'));
    let lists = parts.filter_map(|(part, _)| {
        let (name, list) = part.split_once(char::is_whitespace)?;
        matches!(name, "csl" | "cal").then_some(list)
    });
    let shapes = lists.flat_map(|list| list.split(',')).map(str::trim);
    shapes
        .filter(|shape| is_shape(shape))
        .map(str::to_owned)
        .collect()
}

/// The commands with these arrows and circles instead of those that were there.
fn with_shapes(commands: &str, shapes: &[String]) -> String {
    let parts = commands.split_inclusive(']').map(str::trim);
    let is_other = |part: &&str| !part.starts_with("[%csl") && !part.starts_with("[%cal");
    let mut kept: Vec<String> = parts.filter(is_other).map(str::to_owned).collect();
    for (name, length) in [("csl", 3), ("cal", 5)] {
        let own = shapes.iter().filter(|shape| shape.len() == length);
        let own: Vec<&str> = own.map(String::as_str).collect();
        if !own.is_empty() {
            kept.push(format!("[%{name} {}]", own.join(",")));
        }
    }
    kept.join(" ")
}

/// A game that was kept, as a board.
pub(super) fn restored(kept: &Value) -> Option<Board> {
    let pgn = kept["pgn"].as_str()?;
    let record = Games::new(pgn.as_bytes()).next()?.ok()?.record.ok()?;
    let mut board = Board::of(Tree::from_record(record).ok()?);
    let wish = &kept["game"];
    if wish.is_object() {
        let line = board.tree.main_line();
        let moves = board.tree.moves(line[line.len() - 1]).ok()?;
        let moves: Vec<_> = moves.into_iter().map_while(|m| m).collect();
        let left = |index: usize| {
            let milliseconds = wish["clock"][index].as_u64().unwrap_or_default();
            Duration::from_millis(milliseconds)
        };
        let person = Color::from_white(wish["person"] != "b");
        let wish = super::command::GameWish {
            color: person.fold_wb("white", "black").to_owned(),
            elo: wish["elo"].as_u64().and_then(|elo| u32::try_from(elo).ok()),
            time: wish["time"].as_str().map(str::to_owned),
            from: None,
            chess960: None,
            feedback: wish["feedback"] == true,
        };
        let left = shakmaty::ByColor {
            white: left(0),
            black: left(1),
        };
        let start = board.tree.start().clone();
        let mut game = Match::new(start, wish, person, &moves, Some(left)).ok()?;
        game.nodes = line;
        board.at = game.head();
        board.game = Some(game);
    }
    Some(board)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_and_circles_are_read_and_written_among_other_commands() {
        let commands = "[%csl Ge4,Rd5] [%emt 0:00:05] [%cal Ge2e4]";
        assert_eq!(shapes_of(commands), ["Ge4", "Rd5", "Ge2e4"]);
        let shapes = ["Bb2b4".to_owned(), "Ya1".to_owned()];
        let written = with_shapes(commands, &shapes);
        assert_eq!(written, "[%emt 0:00:05] [%csl Ya1] [%cal Bb2b4]");
        for wrong in ["e4", "Ge9", "Ge2e", "Xe4", "Ge4]", ""] {
            assert!(!is_shape(wrong), "{wrong}");
        }
    }

    #[test]
    fn a_position_or_games_are_loaded_and_nothing_else() {
        let mut board = Board::new(Chess::default());
        let before = board.pgn();
        assert!(board.load("hello world").is_err());
        assert!(board.load("1. e4 e5 2. Ke3").is_err());
        assert_eq!(board.pgn(), before, "what is wrong changes nothing");
        board
            .load("8/8/8/8/8/4k3/8/4K2R w - - 0 1")
            .expect("a position");
        assert_eq!(board.tree.start().turn(), Color::White);
        let two = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 d5 *\n";
        assert_eq!(board.load(two), Ok(None));
        assert_eq!((board.games.len(), board.open), (2, Some(0)));
        board.open(1).expect("the second game");
        assert_eq!(board.tree.main_line().len(), 3);
        assert!(board.open(2).is_err());
    }

    #[test]
    fn a_game_against_the_engine_goes_on_after_a_restart() {
        let kept = json!({
            "pgn": "1. e4 e5 2. Nf3 *",
            "game": { "person": "b", "elo": 500, "time": "5+3", "clock": [60_000, 30_000], "feedback": false },
        });
        let board = restored(&kept).expect("it was kept well");
        let game = board.game.as_ref().expect("a game");
        assert!(game.is_persons_turn() || game.arbiter().turn() == Color::Black);
        assert_eq!(game.arbiter().moves().len(), 3);
        let shown = game.json(Instant::now());
        let left = shown["clock"][1].as_u64().expect("a clock");
        assert!((20_000..=30_000).contains(&left), "{left}");
    }
}
