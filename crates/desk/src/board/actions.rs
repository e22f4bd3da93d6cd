//! What each command does.

use std::time::Instant;

use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position};

use super::board::{Board, node_json};
use super::command::{Analyze, Command, GameWish, read};
use super::desk::Desk;
use super::game::Match;
use super::review::{self, Review};
use super::server::Reply;
use super::tree::Tree;
use super::{chess960, questions};
use crate::analysis::AnalyzedGame;
use crate::page::maps;
use squarewise_engine::evaluation::TableSet;
use squarewise_engine::position::{from_fen_of_any_mode, read_fen};

impl Desk {
    /// Carries out a command to a board.
    pub(super) fn command(&mut self, number: u32, text: &[u8]) -> Reply {
        let command: Command = read(text)?;
        if !self.boards.contains_key(&number) {
            return Err("there is no such board any more".to_owned());
        }
        match command {
            Command::Look { at, worth } => self.look(number, at, worth),
            Command::Play { at, r#move } => {
                let m = self.board(number)?.named(at, &r#move)?;
                self.play(number, at, m)
            }
            Command::Type { at, text } => {
                let m = self.board(number)?.typed(at, &text)?;
                self.play(number, at, m)
            }
            Command::Delete { at } => {
                self.check_no_game(number)?;
                let parent = self.board(number)?.tree.delete(at)?;
                self.changed_tree(number, parent)
            }
            Command::Promote { at } => {
                self.check_no_game(number)?;
                self.board(number)?.tree.promote(at)?;
                self.changed_tree(number, at)
            }
            Command::Annotate {
                at,
                comment,
                glyphs,
                shapes,
            } => {
                self.board(number)?.annotate(at, comment, glyphs, shapes)?;
                self.is_changed = true;
                let value = node_json(at, self.board(number)?.tree.node(at)?);
                self.tell(number, &json!({ "is": "node", "node": value }));
                Ok(json!({}))
            }
            Command::Maps { at } => {
                let position = self.board(number)?.tree.node(at)?.position.clone();
                Ok(json!({ "id": at, "maps": maps::of(&position, &TableSet::default().tables()) }))
            }
            Command::Load { text } => {
                self.check_no_game(number)?;
                let remark = self.board(number)?.load(&text)?;
                self.fresh(number, remark)
            }
            Command::Open { game } => {
                self.check_no_game(number)?;
                self.board(number)?.open(game)?;
                self.fresh(number, None)
            }
            Command::Position { fen } => {
                self.check_no_game(number)?;
                let (position, left_out) =
                    read_fen(&fen, None).map_err(|error| error.to_string())?;
                self.board(number)?.show(Tree::new(position));
                self.fresh(number, left_out.in_words().map(str::to_owned))
            }
            Command::Check { fen } => {
                let (position, left_out) =
                    read_fen(&fen, None).map_err(|error| error.to_string())?;
                let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
                Ok(json!({ "fen": fen, "remark": left_out.in_words() }))
            }
            Command::Chess960 { number: start } => {
                self.check_no_game(number)?;
                self.board(number)?.show(Tree::new(chess960::start(start)?));
                self.fresh(number, None)
            }
            Command::Text { at } => {
                let board = self.board(number)?;
                let fen = Fen::from_position(&board.tree.node(at)?.position, EnPassantMode::Legal);
                Ok(json!({ "fen": fen.to_string(), "pgn": board.pgn()? }))
            }
            Command::Analyze(wish) => self.analyze(number, wish),
            Command::Rest {} => {
                if self.live.board() == Some(number) {
                    self.live.stop();
                }
                Ok(json!({}))
            }
            Command::Why { at, r#move } => {
                let other = r#move
                    .map(|name| self.board(number)?.named(at, &name))
                    .transpose()?;
                self.why(number, at, other)
            }
            Command::Game(wish) => self.begin_game(number, wish),
            Command::TakeBack {} => self.take_back(number),
            Command::Resign {} => self.with_game(number, |game, now| game.resign(now)),
            Command::OfferDraw {} => self.with_game(number, |game, now| game.offer_draw(now)),
            Command::Rematch {} => {
                let game = self
                    .board(number)?
                    .game
                    .as_ref()
                    .ok_or("there was no game")?;
                let mut wish = game.wish().clone();
                wish.color = game.person().fold_wb("black", "white").to_owned();
                wish.from = None;
                let start = game.arbiter().start().clone();
                self.begin_game_at(number, start, wish)
            }
            Command::Hint { step } => self.hint(number, step),
            Command::Review { nodes } => self.review(number, nodes),
            Command::CancelReview {} => {
                let board = self.board(number)?;
                if board
                    .review
                    .as_ref()
                    .is_some_and(|review| review.done.is_none())
                {
                    board.review = None;
                    self.tell(number, &json!({ "is": "review-ended" }));
                }
                Ok(json!({}))
            }
            Command::Report {} => {
                let review = self.board(number)?.review.as_ref();
                let page = review.ok_or("the game was not reviewed yet")?.page()?;
                Ok(json!({ "page": page }))
            }
            Command::Try { at, r#move } => {
                let m = self.board(number)?.named(at, &r#move)?;
                self.try_move(number, at, m)
            }
            Command::Puzzle {} => self.puzzle(number),
            Command::PuzzleDone { solved } => {
                let fen = self
                    .board(number)?
                    .puzzle
                    .take()
                    .ok_or("there is no puzzle")?;
                self.keeper.note_puzzle(&fen, solved);
                self.keep_puzzles();
                Ok(json!({}))
            }
        }
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

    /// Plays a move on a board: in the game, if there is one, or in the tree.
    fn play(&mut self, number: u32, at: usize, m: Move) -> Reply {
        let now = Instant::now();
        let board = self.board(number)?;
        let mut judged = None;
        if let Some(game) = board.game.as_mut().filter(|game| !game.is_over()) {
            if at != game.head() {
                return Err("the game is at another position: go to its end to move".to_owned());
            }
            if !game.is_persons_turn() {
                return Err("it is the engine's turn".to_owned());
            }
            let before = game.arbiter().game().recent();
            let count = game.arbiter().moves().len();
            game.play(m, now);
            if game.arbiter().moves().len() == count {
                // The flag had fallen.
                self.game_changed(number);
                return Err("your time is over".to_owned());
            }
            judged = game.wish().feedback.then_some(before);
        }
        let is_game = board
            .game
            .as_ref()
            .is_some_and(|game| game.head() == at && !game.nodes.is_empty());
        let (id, is_new) = board.tree.play(at, m)?;
        if let Some(game) = board
            .game
            .as_mut()
            .filter(|game| is_game && game.arbiter().moves().len() == game.nodes.len())
        {
            game.nodes.push(id);
        }
        board.at = id;
        let node = node_json(id, board.tree.node(id)?);
        let details = board.details(id, false)?;
        if is_new {
            board.review = None;
        }
        self.is_changed = true;
        self.tell(number, &json!({ "is": "node", "node": node }));
        if let Some(before) = judged {
            questions::judge(self, number, id, before, m);
        }
        self.game_changed(number);
        Ok(json!({ "node": node, "details": details }))
    }

    /// The order of moves has changed, or some are gone.
    fn changed_tree(&mut self, number: u32, at: usize) -> Reply {
        let board = self.board(number)?;
        board.at = at;
        board.review = None;
        self.fresh(number, None)
    }

    /// Shows a board anew to all its pages.
    fn fresh(&mut self, number: u32, remark: Option<String>) -> Reply {
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
    fn check_no_game(&mut self, number: u32) -> Result<(), String> {
        match &self.board(number)?.game {
            Some(game) if !game.is_over() => {
                Err("a game is being played here: resign or finish it first".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn analyze(&mut self, number: u32, wish: Analyze) -> Reply {
        if self
            .board(number)?
            .game
            .as_ref()
            .is_some_and(|game| !game.is_over())
        {
            return Err("the analysis rests while you play".to_owned());
        }
        let game = self.board(number)?.tree.game(wish.at)?;
        if game.position().legal_moves().is_empty() {
            self.live.stop();
            return Err("the game is over here".to_owned());
        }
        if let Some(other) = self.live.board().filter(|other| *other != number) {
            self.tell(
                other,
                &json!({ "is": "paused", "why": "Another board is being analyzed." }),
            );
        }
        self.live.start(number, game, wish)?;
        Ok(json!({}))
    }

    // ---- Games ----

    fn begin_game(&mut self, number: u32, wish: GameWish) -> Reply {
        self.check_no_game(number)?;
        let start = match (wish.chess960, wish.from) {
            (Some(start), _) => chess960::start(start)?,
            (None, Some(at)) => self.board(number)?.tree.node(at)?.position.clone(),
            (None, None) => Chess::default(),
        };
        self.begin_game_at(number, start, wish)
    }

    fn begin_game_at(&mut self, number: u32, start: Chess, wish: GameWish) -> Reply {
        self.check_no_game(number)?;
        let person = match wish.color.as_str() {
            "white" => Color::White,
            "black" => Color::Black,
            "random" => Color::from_white(chance()),
            _ => return Err("choose white, black or random".to_owned()),
        };
        let mut game = Match::new(start.clone(), wish, person, &[], None)?;
        let tree = Tree::new(start);
        game.nodes = vec![super::tree::ROOT];
        let board = self.board(number)?;
        board.show(tree);
        board.game = Some(game);
        self.fresh(number, None)
    }

    /// Does something with the game, and tells what has become of it.
    fn with_game(
        &mut self,
        number: u32,
        action: impl FnOnce(&mut Match, Instant) -> Result<(), String>,
    ) -> Reply {
        let game = self
            .board(number)?
            .game
            .as_mut()
            .ok_or("there is no game")?;
        action(game, Instant::now())?;
        self.game_changed(number);
        Ok(json!({}))
    }

    fn take_back(&mut self, number: u32) -> Reply {
        let board = self.board(number)?;
        let game = board.game.as_mut().ok_or("there is no game")?;
        let plies = game.take_back(Instant::now())?;
        let first_gone = game.nodes.len() - plies;
        let gone = game.nodes.split_off(first_gone);
        board.tree.delete(gone[0])?;
        board.at = game.head();
        board.review = None;
        self.fresh(number, None)
    }

    /// Looks at all games: at their clocks, and at what the engine plays.
    pub(super) fn poll_games(&mut self, now: Instant) {
        let mut changed = Vec::new();
        for (number, board) in &mut self.boards {
            let Some(game) = board.game.as_mut().filter(|game| !game.is_over()) else {
                continue;
            };
            let head = game.head();
            if let Some(m) = game.poll(now)
                && let Ok((id, _)) = board.tree.play(head, m)
            {
                game.nodes.push(id);
                // A reader who went back to look at earlier moves stays there.
                if board.at == head {
                    board.at = id;
                }
                changed.push((*number, Some(id)));
            } else if game.is_over() {
                changed.push((*number, None));
            }
        }
        for (number, id) in changed {
            self.is_changed = true;
            let node = id.and_then(|id| {
                let board = self.boards.get(&number)?;
                let node = node_json(id, board.tree.node(id).ok()?);
                Some(json!({ "is": "node", "node": node, "details": board.details(id, false).ok()? }))
            });
            if let Some(node) = node {
                self.tell(number, &node);
            }
            self.game_changed(number);
        }
    }

    /// Tells what has become of a game, and keeps it when it is over.
    pub(super) fn game_changed(&mut self, number: u32) {
        self.is_changed = true;
        let Some(board) = self.boards.get_mut(&number) else {
            return;
        };
        let Some(game) = board.game.as_mut() else {
            return;
        };
        let event = json!({ "is": "game", "game": game.json(Instant::now()) });
        let mut failure = None;
        if game.is_over() && !game.arbiter().moves().is_empty() {
            let record = game.record();
            board.tree.outcome = record.outcome;
            board.tree.tags.clone_from(&record.tags);
            match self.keeper.keep_game(&record, game.kept.as_deref()) {
                Ok(text) => game.kept = Some(text),
                Err(error) => failure = Some(error),
            }
        }
        self.tell(number, &event);
        if let Some(error) = failure {
            self.warn(&format!("the game can't be kept: {error}"));
        }
    }

    // ---- Review and puzzles ----

    fn review(&mut self, number: u32, nodes: u64) -> Reply {
        self.check_no_game(number)?;
        let events = self.events.clone();
        let board = self.board(number)?;
        let review = Review::start(number, &board.tree, nodes, events)?;
        let event = json!({ "is": "review", "review": review.json() });
        // An earlier one ends here.
        board.review = Some(review);
        self.tell(number, &event);
        Ok(json!({}))
    }

    /// A review has come to a position.
    pub(super) fn review_found(&mut self, number: u32, value: Value) {
        let Some(review) = self
            .boards
            .get_mut(&number)
            .and_then(|board| board.review.as_mut())
        else {
            return;
        };
        if review.add(&value) {
            self.tell(number, &json!({ "is": "reviewed", "found": value }));
        }
    }

    /// A review is complete: its judgements go into the game, and its mistakes become puzzles.
    pub(super) fn review_done(&mut self, number: u32, game: AnalyzedGame) {
        let Some(board) = self.boards.get_mut(&number) else {
            return;
        };
        let Some(review) = board.review.as_mut().filter(|review| review.is_of(&game)) else {
            return;
        };
        let event = json!({ "is": "review-done", "summary": review::summary(&game) });
        let person = board.game.as_ref().map(Match::person);
        for (position, best, played) in review::mistakes(&game) {
            if person.is_none_or(|person| person == position.turn()) {
                let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
                let [best, played] = [best, played].map(|m| uci(m, &position));
                self.keeper.add_puzzle(fen, best, played);
            }
        }
        review.write_into(&game, &mut board.tree);
        review.done = Some(game);
        self.is_changed = true;
        self.keep_puzzles();
        let number_of_nodes = self.boards[&number].tree.main_line();
        let nodes = number_of_nodes.into_iter().filter_map(|id| {
            let node = self.boards[&number].tree.node(id).ok()?;
            Some(node_json(id, node))
        });
        let nodes: Vec<Value> = nodes.collect();
        self.tell(number, &json!({ "is": "nodes", "nodes": nodes }));
        self.tell(number, &event);
    }

    fn keep_puzzles(&mut self) {
        if let Err(error) = self.keeper.keep_puzzles() {
            self.warn(&format!("the puzzles can't be kept: {error}"));
        }
    }

    /// Puts the puzzle that is due on the board.
    fn puzzle(&mut self, number: u32) -> Reply {
        self.check_no_game(number)?;
        let (puzzle, count) = self.keeper.due_puzzle().ok_or(
            "There is no puzzle for today. Review a game: the mistakes in it become puzzles.",
        )?;
        let position = from_fen_of_any_mode(&puzzle.fen).map_err(|error| error.to_string())?;
        let board = self.board(number)?;
        board.show(Tree::new(position));
        board.puzzle = Some(puzzle.fen.clone());
        self.fresh(number, None)?;
        Ok(json!({ "left": count, "played": puzzle.played, "best": puzzle.best }))
    }
}

/// A move as the page names it.
fn uci(m: Move, position: &Chess) -> String {
    let named = super::tree::named_moves(position).into_iter();
    let mut named = named.filter(|(_, other)| *other == m);
    named.next_back().map(|(name, _)| name).unwrap_or_default()
}

/// Heads or tails.
fn chance() -> bool {
    let mut byte = [0];
    // Without random numbers the person has White.
    getrandom::fill(&mut byte).is_err() || byte[0] % 2 == 0
}
