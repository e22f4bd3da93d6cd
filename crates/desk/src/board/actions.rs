//! What each command does.

use std::time::Instant;

use serde_json::json;
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Move, Position};
use squarewise_engine::position::variant_position::VariantPosition;

use super::command::{Analyze, Command, read};
use super::desk::Desk;
use super::live::Place;
use super::server::Reply;
use super::state::Board;
use super::tree::Tree;
use super::view::node_json;
use crate::charts::heat_map;
use crate::mimic::{people, show};
use crate::page::maps;
use squarewise_engine::evaluation::tables_of;
use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::{CHESS960_STARTS, chess960_start};

impl Desk {
    /// Carries out a command to a board.
    pub(super) fn command(&mut self, number: u32, text: &[u8]) -> Reply {
        let command: Command = read(text)?;
        if let Some(game) = &mut self.board(number)?.game {
            game.resume(Instant::now());
        }
        match command {
            Command::Look { at, worth } => self.look(number, at, worth),
            Command::Play { at, r#move, game } => {
                self.check_meant_for_game(number, game)?;
                let m = self.board(number)?.named(at, &r#move)?;
                self.play(number, at, m)
            }
            Command::Type { at, text, game } => {
                self.check_meant_for_game(number, game)?;
                let m = self.board(number)?.typed(at, &text)?;
                self.play(number, at, m)
            }
            Command::Annotate {
                at,
                comment,
                glyphs,
                shapes,
            } => {
                self.board(number)?.annotate(at, comment, glyphs, shapes)?;
                self.annotated(number, at)
            }
            Command::Maps { at } => {
                let position = &self.board(number)?.tree.node(at)?.position;
                Ok(json!({ "id": at, "maps": maps::of(position, &tables_of(position.variant())) }))
            }
            Command::Check { fen, variant } => {
                let variant = variant_of(self.board(number)?, variant.as_deref())?;
                check(&fen, variant)
            }
            Command::Style { name } => self.style(&name),
            Command::Text { at } => self.text(number, at),
            Command::Delete { at } => self.replace(number, |board| board.delete(at)),
            Command::Promote { at } => self.replace(number, |board| board.promote(at)),
            Command::Load { text } => self.replace(number, |board| board.load(&text)),
            Command::Open { game } => self.replace(number, |board| {
                board.open(game)?;
                Ok(None)
            }),
            Command::Position { fen, variant } => self.replace(number, |board| {
                let variant = variant_of(board, variant.as_deref())?;
                let (position, left_out) = position(&fen, variant)?;
                board.show(Tree::new(position));
                Ok(left_out)
            }),
            Command::Chess960 { number: start } => self.replace(number, |board| {
                board.show(Tree::new(start_of_chess960(start)?));
                Ok(None)
            }),
            Command::Variant { name } => self.replace(number, |board| {
                board.show(Tree::new(start_of_variant(&name)?));
                Ok(None)
            }),
            Command::Analyze(wish) => self.analyze(number, wish),
            Command::Rest { at } => self.rest(number, at),
            Command::Why { at, r#move } => {
                let other = r#move.map(|name| self.board(number)?.named(at, &name));
                self.why(number, at, other.transpose()?)
            }
            Command::Game(wish) => self.begin_game(number, wish),
            Command::TakeBack {} => self.take_back(number),
            Command::Resign {} => self.with_game(number, |game, now| game.resign(now)),
            Command::OfferDraw {} => self.with_game(number, |game, now| game.offer_draw(now)),
            Command::Rematch {} => self.rematch(number),
            Command::Hint { at, step } => self.hint(number, at, step),
            Command::Review { nodes } => self.review(number, nodes),
            Command::CancelReview {} => self.cancel_review(number),
            Command::Report {} => self.report(number),
            Command::Try { at, r#move } => {
                let board = self.board(number)?;
                let named = board.named(at, &r#move);
                let m = named.or_else(|_| board.typed(at, &r#move))?;
                self.try_move(number, at, m)
            }
            Command::Puzzle {} => self.puzzle(number),
            Command::PuzzleDone { solved } => self.puzzle_done(number, solved),
        }
    }

    /// Changes the moves on a board or puts other ones there, unless a game is being played.
    /// `change` returns what there is to say about it.
    fn replace(
        &mut self,
        number: u32,
        change: impl FnOnce(&mut Board) -> Result<Option<String>, String>,
    ) -> Reply {
        self.check_no_game(number)?;
        let remark = change(self.board(number)?)?;
        self.fresh(number, remark)
    }

    pub(super) fn board(&mut self, number: u32) -> Result<&mut Board, String> {
        let board = self.boards.get_mut(&number);
        board.ok_or_else(|| "there is no such board any more".to_owned())
    }

    /// The page is at a position now.
    fn look(&mut self, number: u32, at: usize, worth: bool) -> Reply {
        let board = self.board(number)?;
        let details = board.details(at, worth)?;
        board.at = at;
        Ok(details)
    }

    fn annotated(&mut self, number: u32, at: usize) -> Reply {
        self.is_changed = true;
        let value = node_json(at, self.board(number)?.tree.node(at)?);
        self.tell(number, &json!({ "is": "node", "node": value }));
        Ok(json!({}))
    }

    /// What a style is like: headings with what is said below each, and maps as a picture.
    fn style(&self, name: &str) -> Reply {
        let style = self.opponent.style(name)?;
        let parts = show::parts(style, people()).into_iter();
        let parts: Vec<Vec<String>> = parts
            .map(|part| [vec![part.heading], part.lines].concat())
            .collect();
        let maps = heat_map::svg(&show::maps(style, people()), show::KINGS);
        Ok(json!({ "parts": parts, "maps": maps }))
    }

    fn text(&mut self, number: u32, at: usize) -> Reply {
        let board = self.board(number)?;
        let fen = Fen::from_position(&board.tree.node(at)?.position, EnPassantMode::Legal);
        Ok(json!({ "fen": fen.to_string(), "pgn": board.pgn()? }))
    }

    /// Shows a board anew to all its pages.
    pub(super) fn fresh(&mut self, number: u32, remark: Option<String>) -> Reply {
        if self.live.board() == Some(number) {
            self.live.stop();
        }
        self.is_changed = true;
        let mut state = self.board(number)?.json(Instant::now());
        state["is"] = "board".into();
        self.tell(number, &state);
        Ok(json!({ "remark": remark }))
    }

    /// Refuses what would disturb a game that is being played.
    pub(super) fn check_no_game(&mut self, number: u32) -> Result<(), String> {
        if self.board(number)?.is_playing() {
            return Err("a game is being played here: resign or finish it first".to_owned());
        }
        Ok(())
    }

    /// Refuses a move of a game that has ended meanwhile: it would follow the last one.
    fn check_meant_for_game(&mut self, number: u32, is_meant: bool) -> Result<(), String> {
        if is_meant && !self.board(number)?.is_playing() {
            return Err("the game is over".to_owned());
        }
        Ok(())
    }

    /// Analyzes a position. Whoever asks for one that can't be analyzed is done with the one
    /// before.
    fn analyze(&mut self, number: u32, wish: Analyze) -> Reply {
        let answer = self.begin_analysis(number, wish);
        if answer.is_err() {
            self.rest(number, None)?;
        }
        answer
    }

    fn begin_analysis(&mut self, number: u32, wish: Analyze) -> Reply {
        if self.board(number)?.is_playing() {
            return Err("the analysis rests while you play".to_owned());
        }
        let game = self.board(number)?.tree.game(wish.at)?;
        if game.position().legal_moves().is_empty() {
            return Err("the game is over here".to_owned());
        }
        if wish.threat && !wish.moves.is_empty() {
            return Err("moves can be chosen for the side to move, not for its threat".to_owned());
        }
        let board = self.board(number)?;
        let moves = wish.moves.iter().map(|text| board.typed(wish.at, text));
        let moves = moves.collect::<Result<Vec<Move>, String>>()?;
        let before = self.live.place();
        let started = self.live.start(number, game, wish, moves);
        // It has ended even where there is no memory for this one.
        if let Some(before) = before.filter(|before| self.live.place() != Some(*before)) {
            let why = if before.board == number {
                "Another page of this board is being analyzed."
            } else {
                "Another board is being analyzed."
            };
            self.tell_paused(before.board, why);
        }
        started?;
        Ok(json!({}))
    }

    fn rest(&mut self, number: u32, at: Option<usize>) -> Reply {
        let is_meant = |place: Place| place.board == number && at.is_none_or(|at| at == place.at);
        if self.live.place().is_some_and(is_meant) {
            self.live.stop();
            self.tell_paused(number, "Another page of this board has stopped the engine.");
        }
        Ok(json!({}))
    }

    /// Tells the pages of a board that its analysis has ended. The one that has ended it hears this
    /// before the answer.
    fn tell_paused(&mut self, number: u32, why: &str) {
        self.tell(number, &json!({ "is": "paused", "why": why }));
    }
}

/// The position of a FEN by the rules of a variant, and what was left out of it, in words.
fn position(fen: &str, variant: Variant) -> Result<(VariantPosition, Option<String>), String> {
    let read = VariantPosition::from_fen(fen, None, variant);
    let (position, left_out) = read.map_err(|error| error.to_string())?;
    Ok((position, left_out.in_words().map(str::to_owned)))
}

/// The start position of Chess960 that a page asks for.
pub(super) fn start_of_chess960(number: u32) -> Result<VariantPosition, String> {
    match number {
        // That of standard chess, with its way to castle.
        518 => Ok(VariantPosition::default()),
        number if number < CHESS960_STARTS => Ok(chess960_start(number).into()),
        _ => Err("the start positions of Chess960 have the numbers 0 to 959".to_owned()),
    }
}

/// The start position of the variant that a page names.
pub(super) fn start_of_variant(name: &str) -> Result<VariantPosition, String> {
    Ok(VariantPosition::start_of(variant_named(name)?))
}

/// The variant that a page names or, if it names none, that of the board.
fn variant_of(board: &Board, name: Option<&str>) -> Result<Variant, String> {
    name.map_or_else(|| Ok(board.tree.start().variant()), variant_named)
}

fn variant_named(name: &str) -> Result<Variant, String> {
    name.parse::<Variant>().map_err(|error| error.to_string())
}

/// Whether a FEN is a position by the rules of a variant, for the editor.
fn check(fen: &str, variant: Variant) -> Reply {
    let (position, remark) = position(fen, variant)?;
    let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    Ok(json!({ "fen": fen, "remark": remark }))
}

#[cfg(test)]
mod tests {
    use super::super::desk::test_support::desk_in;
    use super::*;

    #[test]
    fn start_positions_are_those_that_there_are_and_518_is_that_of_standard_chess() {
        assert_eq!(start_of_chess960(518), Ok(VariantPosition::default()));
        assert!((0..CHESS960_STARTS).all(|number| start_of_chess960(number).is_ok()));
        assert!(start_of_chess960(CHESS960_STARTS).is_err());
    }

    #[test]
    fn a_variant_is_begun_by_its_name() {
        let variant = |name| start_of_variant(name).map(|start| start.variant());
        assert_eq!(variant("torpedo"), Ok(Variant::Torpedo));
        let error = variant("atomic").expect_err("not one of them");
        assert!(error.contains("there is no variant \"atomic\""), "{error}");
    }

    #[test]
    fn a_position_is_set_up_by_the_rules_that_are_named_or_else_by_those_of_the_board() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut desk, _received) = desk_in(folder.path());
        let start = VariantPosition::start_of(Variant::NoCastle);
        desk.boards.insert(1, Board::new(start));
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 20";
        let without_castling = "4k3/8/8/8/8/8/8/4K2R w - - 3 20";
        let unnamed = json!({ "do": "check", "fen": fen });
        let named = |wish: &str, name: &str| json!({ "do": wish, "fen": fen, "variant": name });
        for (wish, expected) in [
            (unnamed, without_castling),
            (named("check", "nocastle"), without_castling),
            (named("check", "chess"), fen),
        ] {
            let answer = desk.command(1, wish.to_string().as_bytes());
            assert_eq!(answer.expect("a position")["fen"], expected, "{wish}");
        }
        for wish in ["check", "position"] {
            let answer = desk.command(1, named(wish, "atomic").to_string().as_bytes());
            let error = answer.expect_err("not one of them");
            assert!(error.contains("there is no variant"), "{wish}: {error}");
            assert_eq!(desk.boards[&1].json(Instant::now())["variant"], "nocastle");
        }
        let used = desk.command(1, named("position", "chess").to_string().as_bytes());
        used.expect("a position");
        let shown = desk.boards[&1].json(Instant::now());
        assert_eq!(shown["variant"], "chess");
        assert_eq!(shown["nodes"][0]["f"], fen);
    }
}
