//! Reviews of the games on the boards, and the puzzles that come of them.

use serde_json::{Value, json};
use shakmaty::fen::Fen;
use shakmaty::{EnPassantMode, Position};

use super::desk::Desk;
use super::event::{Consequence, Event};
use super::keeper::Puzzle;
use super::named_moves::name_of;
use super::review::{self, News, Review};
use super::server::Reply;
use super::state::Board;
use super::tree::ROOT;
use super::view::node_json;
use crate::analysis::AnalyzedGame;
use crate::notation::san_plus;
use squarewise_engine::position::rules::{UnknownVariant, Variant};
use squarewise_engine::position::variant_position::VariantPosition;
use squarewise_engine::search::stop::StopToken;

impl Desk {
    pub(super) fn review(&mut self, number: u32, nodes: u64) -> Reply {
        self.check_no_game(number)?;
        let stop = StopToken::new();
        let (events, dropped) = (self.events.clone(), stop.clone());
        let tell = move |news| {
            let dropped = dropped.clone();
            let consequence: Consequence<Desk> = Box::new(move |desk| match news {
                // Another review can be on the board by now.
                _ if dropped.is_requested() => {}
                News::Found(value) => desk.review_found(number, value),
                News::Done(game) => desk.review_done(number, *game),
                News::Failed(reason) => desk.review_failed(number, &reason),
            });
            // Behind the end of the program nobody hears it.
            let _ = events.send(Event::Done(consequence));
        };
        let board = self.board(number)?;
        let review = Review::start(&board.tree, nodes, stop, tell)?;
        let event = json!({ "is": "review", "review": review.json() });
        // An earlier one ends here, and its marks go.
        let marked = board.review.replace(review);
        if let Some(earlier) = marked {
            earlier.take_marks_from(&mut board.tree);
            self.is_changed = true;
            self.tell_main_line(number);
        }
        self.tell(number, &event);
        Ok(json!({}))
    }

    /// A review has come to a position.
    fn review_found(&mut self, number: u32, value: Value) {
        let board = self.boards.get_mut(&number);
        if let Some(review) = board.and_then(|board| board.review.as_mut()) {
            let event = json!({ "is": "reviewed", "found": value });
            review.add(value);
            self.tell(number, &event);
        }
    }

    /// A review has come to nothing.
    fn review_failed(&mut self, number: u32, reason: &str) {
        if self.cancel_review(number).is_ok() {
            self.warn(&format!("the review has failed: {reason}"));
        }
    }

    /// A review is complete: its judgements go into the game, and its mistakes become puzzles.
    fn review_done(&mut self, number: u32, game: AnalyzedGame) {
        let Some(board) = self.boards.get_mut(&number) else {
            return;
        };
        let person = board.own_side();
        let Some(review) = board.review.as_mut() else {
            return;
        };
        let event = json!({ "is": "review-done", "summary": review::summary(&game) });
        for (position, best, played) in review::mistakes(&game) {
            if person.is_none_or(|person| person == position.turn()) {
                let fen = Fen::from_position(&position, EnPassantMode::Legal).to_string();
                let moves = [best, played].map(|m| name_of(m, &position));
                self.keeper
                    .add_puzzle(Puzzle::new(fen, position.variant(), moves));
            }
        }
        review.write_into(&game, &mut board.tree);
        review.done = Some(game);
        self.is_changed = true;
        self.keep_puzzles();
        self.tell_main_line(number);
        self.tell(number, &event);
    }

    /// Tells the moves of the main line as they are now.
    fn tell_main_line(&mut self, number: u32) {
        let tree = &self.boards[&number].tree;
        let line = tree.main_line().into_iter();
        let nodes = line.filter_map(|id| Some(node_json(id, tree.node(id).ok()?)));
        let nodes: Vec<Value> = nodes.collect();
        self.tell(number, &json!({ "is": "nodes", "nodes": nodes }));
    }

    fn keep_puzzles(&mut self) {
        if let Err(error) = self.keeper.keep_puzzles() {
            self.warn(&format!("the puzzles can't be kept: {error}"));
        }
    }

    /// Puts the puzzle that is due on the board.
    pub(super) fn puzzle(&mut self, number: u32) -> Reply {
        self.check_no_game(number)?;
        let (puzzle, count) = self.keeper.due_puzzle().ok_or(
            "There is no puzzle for today. Review a game: the mistakes in it become puzzles.",
        )?;
        let variant: Variant = puzzle
            .variant
            .parse()
            .map_err(|error: UnknownVariant| error.to_string())?;
        let (position, _) = VariantPosition::from_fen(&puzzle.fen, None, variant)
            .map_err(|error| error.to_string())?;
        let of_puzzle = Board::new(position);
        let best = of_puzzle.named(ROOT, &puzzle.best)?;
        let san = san_plus(of_puzzle.tree.start(), best).to_string();
        let board = self.board(number)?;
        board.show(of_puzzle.tree);
        board.puzzle = Some(puzzle.fen.clone());
        self.fresh(number, None)?;
        Ok(json!({
            "left": count,
            "fen": puzzle.fen,
            "played": puzzle.played,
            "best": puzzle.best,
            "san": san,
        }))
    }

    pub(super) fn cancel_review(&mut self, number: u32) -> Reply {
        let board = self.board(number)?;
        board.review.take_if(|review| review.done.is_none());
        if board.review.is_none() {
            self.tell(number, &json!({ "is": "review-ended" }));
        }
        Ok(json!({}))
    }

    /// The review as a page of its own.
    pub(super) fn report(&mut self, number: u32) -> Reply {
        let review = self.board(number)?.review.as_ref();
        let page = review.ok_or("the game was not reviewed yet")?.page()?;
        Ok(json!({ "page": page }))
    }

    /// Notes how the puzzle on the board went.
    pub(super) fn puzzle_done(&mut self, number: u32, solved: bool) -> Reply {
        let board = self.board(number)?;
        let puzzle = board.puzzle.as_ref().filter(|_| !board.is_puzzle_done);
        let fen = puzzle.ok_or("there is no puzzle")?.clone();
        let variant = board.tree.start().variant();
        board.is_puzzle_done = true;
        self.keeper.note_puzzle(&fen, variant, solved);
        self.keep_puzzles();
        Ok(json!({}))
    }
}

#[cfg(test)]
mod tests {
    use super::super::desk::test_support::{desk_in, next_answer};
    use super::*;

    #[test]
    fn nothing_is_told_of_a_review_that_was_dropped_or_begun_anew() {
        type Deed = fn(&mut Desk) -> Reply;
        let go_on: Deed = |_| Ok(json!({}));
        let drop: Deed = |desk| desk.cancel_review(1);
        let again: Deed = |desk| desk.review(1, 1_000);
        for (meanwhile, is_told) in [(go_on, true), (drop, false), (again, false)] {
            let folder = tempfile::tempdir().expect("a folder");
            let (mut desk, received) = desk_in(folder.path());
            let mut board = Board::new(VariantPosition::default());
            board.load("1. f3 e5 2. g4 Qh4#").expect("a game");
            desk.boards.insert(1, board);
            desk.review(1, 1_000).expect("there are moves");
            let found = next_answer(&received);
            meanwhile(&mut desk).expect("it can be done");
            let told = desk.told(1);
            found(&mut desk);
            assert_eq!(desk.told(1), told + u64::from(is_told));
        }
    }

    #[test]
    fn a_mistake_in_a_variant_is_a_puzzle_by_its_rules() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut desk, _) = desk_in(folder.path());
        desk.boards
            .insert(1, Board::new(VariantPosition::default()));
        // A pawn steps sideways.
        let fen = "4k3/8/8/8/8/3P4/8/4K3 w - - 0 1".to_owned();
        let moves = ["d3e3", "e1e2"].map(str::to_owned);
        let puzzle = Puzzle::new(fen, Variant::PawnSideways, moves);
        desk.keeper.add_puzzle(puzzle);
        let answer = desk.puzzle(1).expect("it is due");
        assert_eq!(answer["san"], "e3");
        assert_eq!(
            desk.boards[&1].tree.start().variant(),
            Variant::PawnSideways
        );
        desk.puzzle_done(1, true).expect("there is a puzzle");
        assert!(desk.keeper.due_puzzle().is_none(), "it comes back later");
    }

    #[test]
    fn a_review_is_there_again_when_its_game_is_opened_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut desk, received) = desk_in(folder.path());
        let mut board = Board::new(VariantPosition::default());
        let games = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"B\"]\n\n1. d4 d5 *\n";
        board.load(games).expect("games");
        desk.boards.insert(1, board);
        desk.review(1, 1_000).expect("there are moves");
        let told = |desk: &Desk| {
            let review = desk.boards[&1].review.as_ref();
            review
                .filter(|review| review.done.is_some())
                .map(Review::json)
        };
        while told(&desk).is_none() {
            next_answer(&received)(&mut desk);
        }
        let before = told(&desk);
        let open = |desk: &mut Desk, index| {
            let board = desk.boards.get_mut(&1).expect("the board");
            board.open(index).expect("a game");
        };
        open(&mut desk, 1);
        assert!(told(&desk).is_none(), "this game has none");
        open(&mut desk, 0);
        assert_eq!(told(&desk), before);
        // Where the moves are others it says nothing.
        desk.boards
            .get_mut(&1)
            .expect("the board")
            .delete(2)
            .expect("a move");
        open(&mut desk, 1);
        open(&mut desk, 0);
        assert!(told(&desk).is_none());
    }

    #[test]
    fn another_review_begins_without_the_marks_of_the_one_before() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut desk, received) = desk_in(folder.path());
        let mut board = Board::new(VariantPosition::default());
        board.load("1. f3 e5 2. g4 Qh4#").expect("a game");
        desk.boards.insert(1, board);
        let is_marked = |desk: &Desk| {
            let nodes = desk.boards[&1].tree.in_order().into_iter();
            nodes.into_iter().any(|(_, node)| !node.ply.nags.is_empty())
        };
        desk.review(1, 1_000).expect("there are moves");
        let is_done = |desk: &Desk| {
            let review = desk.boards[&1].review.as_ref();
            review.is_some_and(|review| review.done.is_some())
        };
        while !is_done(&desk) {
            next_answer(&received)(&mut desk);
        }
        assert!(is_marked(&desk), "the pawn's move allows a mate");
        desk.review(1, 1_000).expect("there are moves");
        assert!(!is_marked(&desk));
    }
}
