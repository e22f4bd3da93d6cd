//! Games against the engine on the boards: how they begin, what is played, and what becomes of
//! them.

use std::time::Instant;

use serde_json::json;
use shakmaty::{Color, Move, Outcome};
use squarewise_engine::position::variant_position::VariantPosition;

use super::actions::{start_of_chess960, start_of_variant};
use super::command::{GameWish, Seat};
use super::desk::Desk;
use super::game::Match;
use super::questions;
use super::server::Reply;
use super::tree::{Beginning, Tree};
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
        let is_of_game = |game: &&mut Match| game.arbiter().moves().len() == game.nodes.len();
        let game = board.game.as_mut().filter(is_of_game);
        let is_played = game.is_some();
        let (id, is_new) = match game {
            Some(game) => {
                let played = board.tree.play_as_main(at, m)?;
                game.nodes.push(played.0);
                played
            }
            None => board.tree.play(at, m)?,
        };
        board.at = id;
        let node = node_json(id, board.tree.node(id)?);
        let details = board.details(id, false)?;
        let has_old_review = is_new && board.drop_old_review();
        self.is_changed = true;
        self.tell(number, &json!({ "is": "node", "node": node }));
        if has_old_review {
            self.tell(number, &json!({ "is": "review-ended" }));
        }
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
            wish.color = side.fold_wb(Seat::Black, Seat::White);
        }
        wish.from = None;
        let beginning = game.beginning();
        self.begin_game_at(number, beginning, wish)
    }

    fn begin_game_at(&mut self, number: u32, beginning: Beginning, wish: GameWish) -> Reply {
        self.check_no_game(number)?;
        let person = match wish.color {
            Seat::White => Some(Color::White),
            Seat::Black => Some(Color::Black),
            Seat::Random => Some(Color::from_white(chance())),
            Seat::None => None,
        };
        let mut game = Match::new(beginning.clone(), person, wish, None, &self.opponent)?;
        let mut tree = Tree::new(beginning.start);
        game.nodes = tree.play_game(&beginning.moves)?;
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
        let plies = game.plies_to_take_back()?;
        // Once the game was over, its moves could be deleted, and others put before them.
        game.nodes = board.tree.play_game(&game.arbiter().bare_moves())?;
        game.take_back(plies, Instant::now());
        let first_gone = game.nodes.len() - plies;
        let gone = game.nodes.split_off(first_gone);
        // The marks of a review, the result, the tags, clocks and evaluations came with the end.
        if let Some(review) = board.review.take() {
            review.take_marks_from(&mut board.tree);
        }
        board.tree.delete(gone[0])?;
        board.tree.outcome = Outcome::Unknown;
        board.tree.tags.clear();
        for id in &game.nodes {
            let ply = &mut board.tree.node_mut(*id)?.ply;
            (ply.clock, ply.evaluation) = (None, None);
        }
        board.at = game.head();
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
                && let Ok((id, _)) = board.tree.play_as_main(head, m)
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
        let mut event = json!({ "is": "game", "game": game.json(Instant::now()) });
        let mut failure = None;
        let mut shown = Vec::new();
        if game.is_over() && !game.arbiter().moves().is_empty() {
            let record = game.record();
            board.tree.outcome = record.outcome;
            board.tree.tags.clone_from(&record.tags);
            // Before its end a game doesn't tell what the engine thinks.
            for (id, played) in game.nodes.iter().skip(1).zip(&record.plies) {
                if let Ok(node) = board.tree.node_mut(*id) {
                    node.ply.clock = played.clock;
                    node.ply.evaluation = played.evaluation;
                    if node.ply.comment.is_empty() {
                        // How the game ended; what the reader wrote stays.
                        node.ply.comment.clone_from(&played.comment);
                    }
                    shown.push(node_json(*id, node));
                }
            }
            match self.keeper.keep_game(&record, game.kept.as_deref()) {
                Ok(text) => game.kept = Some(text),
                Err(error) => failure = Some(error),
            }
            event["players"] = board.players();
            event["tags"] = board.tags();
        }
        if !shown.is_empty() {
            self.tell(number, &json!({ "is": "nodes", "nodes": shown }));
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

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::mpsc::Receiver;

    use super::super::desk::test_support::{desk_in, next_answer};
    use super::super::event::Event;
    use super::super::kept::{kept, kept_game, restored};
    use super::super::opponent::Opponent;
    use super::*;

    /// A board on which a person with Black has mated the engine; it lies in this folder.
    fn mated(folder: &Path) -> Desk {
        mated_and_heard(folder).0
    }

    /// With what the coach has to say of the mate.
    fn mated_and_heard(folder: &Path) -> (Desk, Receiver<Event<Desk>>) {
        let (mut desk, received) = desk_in(folder);
        let kept = json!({
            "pgn": "1. f3 e5 2. g4 *",
            "game": { "person": "b", "elo": 500, "time": "5+3", "clock": [60_000, 60_000], "feedback": true },
        });
        let board = restored(&kept, &desk.opponent).expect("it was kept well");
        desk.boards.insert(1, board);
        play(&mut desk, "Qh4");
        assert!(game(&desk).is_over());
        assert_eq!(desk.boards[&1].tree.outcome.to_string(), "0-1");
        (desk, received)
    }

    fn game(desk: &Desk) -> &Match {
        desk.boards[&1].game.as_ref().expect("a game")
    }

    /// Plays a move where the reader is. Returns the number of the position that it leads to.
    fn play(desk: &mut Desk, san: &str) -> usize {
        let board = &desk.boards[&1];
        let at = board.at;
        let m = board.typed(at, san).expect("a legal move");
        desk.play(1, at, m).expect("it can be played");
        desk.boards[&1].at
    }

    fn command(desk: &mut Desk, text: &str) {
        desk.command(1, text.as_bytes()).expect(text);
    }

    fn main_line(desk: &Desk) -> String {
        let tree = &desk.boards[&1].tree;
        let line = tree.main_line().into_iter().skip(1);
        let sans = line.map(|id| tree.node(id).expect("it is there").san.clone());
        sans.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_game_that_goes_on_after_its_end_is_the_main_line_whatever_else_was_tried() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut desk = mated(folder.path());
        command(&mut desk, r#"{"do":"look","at":3}"#);
        play(&mut desk, "d6");
        command(&mut desk, r#"{"do":"look","at":0}"#);
        let other = play(&mut desk, "e4");
        command(&mut desk, &format!(r#"{{"do":"promote","at":{other}}}"#));
        assert_eq!(main_line(&desk), "e4");
        command(&mut desk, r#"{"do":"take-back"}"#);
        let board = &desk.boards[&1];
        assert_eq!((board.at, board.tree.outcome), (3, Outcome::Unknown));
        assert!(board.tree.tags.is_empty(), "{:?}", board.tree.tags);
        // After a restart nothing has been played that was only tried.
        let mut kept = json!({
            "pgn": board.pgn().expect("a game"),
            "game": kept_game(game(&desk), Instant::now()),
        });
        kept["game"]["began"] = 1_000_000_000.into();
        let again = restored(&kept, &Opponent::default()).expect("it was kept well");
        let again = again.game.expect("a game");
        assert_eq!(
            again.arbiter().bare_moves(),
            game(&desk).arbiter().bare_moves()
        );
        assert_eq!(again.nodes.len(), 4);
        let kept_again = kept_game(&again, Instant::now());
        assert_eq!(kept_again["began"], kept["game"]["began"]);
        play(&mut desk, "Nc6");
        assert_eq!(main_line(&desk), "f3 e5 g4 Nc6");
    }

    #[test]
    fn the_marks_of_a_review_go_when_the_game_goes_on() {
        let folder = tempfile::tempdir().expect("a folder");
        let (mut desk, received) = mated_and_heard(folder.path());
        command(&mut desk, r#"{"do":"review","nodes":1000}"#);
        let is_marked = |desk: &Desk| {
            let nodes = desk.boards[&1].tree.in_order().into_iter();
            nodes.map(|(_, node)| node.ply.nags.len()).sum::<usize>() > 0
        };
        while !is_marked(&desk) {
            next_answer(&received)(&mut desk);
        }
        command(&mut desk, r#"{"do":"take-back"}"#);
        assert!(!is_marked(&desk) && desk.boards[&1].review.is_none());
    }

    #[test]
    fn a_game_that_goes_on_after_its_end_and_a_restart_stands_in_the_file_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut desk = mated(folder.path());
        command(&mut desk, r#"{"do":"take-back"}"#);
        let kept = kept(&desk.boards[&1], Instant::now()).expect("a game");
        let again = restored(&kept, &desk.opponent).expect("it was kept well");
        desk.boards.insert(1, again);
        play(&mut desk, "Qh4");
        assert!(game(&desk).is_over());
        let games = desk.keeper.games_text().expect("the game was kept");
        assert_eq!(games.matches("[Event ").count(), 1, "{games}");
    }

    #[test]
    fn a_move_is_taken_back_after_it_was_deleted() {
        let folder = tempfile::tempdir().expect("a folder");
        // The mate alone, or a move before it too.
        for deleted in [4, 2] {
            let mut desk = mated(folder.path());
            command(&mut desk, &format!(r#"{{"do":"delete","at":{deleted}}}"#));
            command(&mut desk, r#"{"do":"take-back"}"#);
            assert!(game(&desk).is_persons_turn());
            assert_eq!(desk.boards[&1].at, game(&desk).head());
            assert_eq!(main_line(&desk), "f3 e5 g4");
            play(&mut desk, "Nc6");
            assert_eq!(main_line(&desk), "f3 e5 g4 Nc6");
        }
    }

    #[test]
    fn a_move_is_judged_unless_it_has_been_taken_back_meanwhile() {
        for is_taken_back in [false, true] {
            let folder = tempfile::tempdir().expect("a folder");
            let (mut desk, received) = mated_and_heard(folder.path());
            if is_taken_back {
                command(&mut desk, r#"{"do":"take-back"}"#);
                play(&mut desk, "Nc6");
            }
            let told = desk.told(1);
            next_answer(&received)(&mut desk);
            assert_eq!(desk.told(1), told + u64::from(!is_taken_back));
        }
    }
}
