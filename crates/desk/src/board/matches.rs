//! Games against the engine on the boards: how they begin, what is played, and what becomes of
//! them.

use std::time::Instant;

use serde_json::json;
use shakmaty::{Color, Move};
use squarewise_engine::position::variant_position::VariantPosition;

use super::actions::{start_of_chess960, start_of_variant};
use super::command::GameWish;
use super::desk::Desk;
use super::game::Match;
use super::questions;
use super::server::Reply;
use super::tree::{Beginning, ROOT, Tree};
use super::view::node_json;

impl Desk {
    /// Plays a move on a board: in the game, if there is one, or in the tree.
    pub(super) fn play(&mut self, number: u32, at: usize, m: Move) -> Reply {
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
        let (id, is_new) = board.tree.play(at, m)?;
        let is_of_game = |game: &&mut Match| game.arbiter().moves().len() == game.nodes.len();
        let is_played = match board.game.as_mut().filter(is_of_game) {
            Some(game) => {
                game.nodes.push(id);
                true
            }
            None => false,
        };
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
        if is_played {
            self.game_changed(number);
        }
        Ok(json!({ "node": node, "details": details }))
    }

    pub(super) fn begin_game(&mut self, number: u32, wish: GameWish) -> Reply {
        self.check_no_game(number)?;
        let beginning = match (&wish.variant, wish.chess960, wish.from) {
            (Some(name), ..) => start_of_variant(name)?.into(),
            (None, Some(start), _) => start_of_chess960(start)?.into(),
            (None, None, Some(at)) => self.board(number)?.tree.beginning(at)?,
            (None, None, None) => VariantPosition::default().into(),
        };
        self.begin_game_at(number, beginning, wish)
    }

    /// The same game, for a person with the other color.
    pub(super) fn rematch(&mut self, number: u32) -> Reply {
        let game = self
            .board(number)?
            .game
            .as_ref()
            .ok_or("there was no game")?;
        let mut wish = game.wish().clone();
        if let Some(side) = game.person() {
            wish.color = side.fold_wb("black", "white").to_owned();
        }
        wish.from = None;
        let beginning = game.beginning();
        self.begin_game_at(number, beginning, wish)
    }

    fn begin_game_at(&mut self, number: u32, beginning: Beginning, wish: GameWish) -> Reply {
        self.check_no_game(number)?;
        let person = match wish.color.as_str() {
            "white" => Some(Color::White),
            "black" => Some(Color::Black),
            "random" => Some(Color::from_white(chance())),
            "none" => None,
            _ => return Err("choose white, black, random or none".to_owned()),
        };
        let mut game = Match::new(beginning.clone(), person, wish, None, &self.opponent)?;
        let mut tree = Tree::new(beginning.start);
        game.nodes = vec![ROOT];
        for m in beginning.moves {
            let (id, _) = tree.play(game.head(), m)?;
            game.nodes.push(id);
        }
        let board = self.board(number)?;
        board.show(tree);
        board.at = game.head();
        board.game = Some(game);
        self.fresh(number, None)
    }

    /// Does something with the game, and tells what has become of it.
    pub(super) fn with_game(
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

    pub(super) fn take_back(&mut self, number: u32) -> Reply {
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

    /// Looks at all games: at their clocks, at what the engine plays, and at what is to be studied
    /// while a person thinks.
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
            if let Some(position) = game.position_to_study() {
                self.coach.study(position);
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
}

/// Heads or tails.
fn chance() -> bool {
    let mut byte = [0];
    // Without random numbers the person has White.
    getrandom::fill(&mut byte).is_err() || byte[0] % 2 == 0
}
