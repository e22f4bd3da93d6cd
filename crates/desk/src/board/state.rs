//! A board: a tree of moves, the games that were loaded, and what is being done with it.

use shakmaty::{Chess, Move};
use squarewise_engine::position::variant_position::VariantPosition;

use super::game::Match;
use super::list::{GameList, merge, pgn, time_of_play};
use super::named_moves::named_moves;
use super::review::Review;
use super::shapes::{is_shape, with_shapes};
use super::tree::{ROOT, Tree};
use crate::notation::{self, Meaning};
use crate::page::text;
use crate::pgn::{GameRecord, Games, Ply};
use crate::slips::read_move;
use squarewise_engine::position::{LeftOut, is_meant_as_fen, read_epd, read_fen};

/// The most games of a list.
const MAX_GAMES: usize = 2_000;

/// The longest comment, in characters.
const MAX_COMMENT: usize = 10_000;

/// So many moves are a game, or a variation, that somebody entered; fewer may have been tried only.
const ENTERED_MOVES: usize = 8;

/// A board with everything on it.
pub(super) struct Board {
    pub(super) tree: Tree,
    /// Where the reader is.
    pub(super) at: usize,
    pub(super) games: GameList,
    /// Which of them is on the board.
    pub(super) open: Option<usize>,
    pub(super) game: Option<Match>,
    pub(super) review: Option<Review>,
    /// The puzzle on the board: its position in FEN.
    pub(super) puzzle: Option<String>,
    /// Whether it was noted how the puzzle went.
    pub(super) is_puzzle_done: bool,
}

impl Board {
    pub(super) fn new(start: VariantPosition) -> Board {
        Board::of(Tree::new(start))
    }

    pub(super) fn of(tree: Tree) -> Board {
        Board {
            tree,
            at: ROOT,
            games: GameList::default(),
            open: None,
            game: None,
            review: None,
            puzzle: None,
            is_puzzle_done: false,
        }
    }

    /// Whether a game is being played on it.
    pub(super) fn is_playing(&self) -> bool {
        self.game.as_ref().is_some_and(|game| !game.is_over())
    }

    /// Puts another game on the board; the list of games stays.
    pub(super) fn show(&mut self, tree: Tree) {
        self.keep_changes();
        self.keep_review();
        let games = std::mem::take(&mut self.games);
        *self = Board::of(tree);
        self.games = games;
    }

    /// The review of the open game, if it is done, is there again when that is opened again.
    fn keep_review(&mut self) {
        let review = self.review.as_mut().and_then(|review| review.done.take());
        if let Some((open, review)) = self.open.zip(review) {
            self.games.keep_review(open, review);
        }
    }

    /// The open game is in the list as it was changed on the board, and so is one that was played,
    /// reviewed or annotated there.
    fn keep_changes(&mut self) {
        match self.open {
            Some(open) if self.is_changed(open) => self.games.replace(open, self.tree.record()),
            Some(_) => {}
            None if self.is_worth_keeping() && self.games.len() < MAX_GAMES => {
                self.games.push(self.tree.record());
                self.open = Some(self.games.len() - 1);
            }
            None => {}
        }
    }

    /// Whether something was done on the board that is in no file.
    pub(super) fn has_work(&self) -> bool {
        let is_changed = match self.open {
            Some(open) => self.is_changed(open),
            None => self.is_worth_keeping(),
        };
        is_changed || self.is_playing() || self.games.own().next().is_some()
    }

    /// Whether the same games, or the same position, were opened on another board.
    pub(super) fn shows_the_same_as(&self, other: &Board) -> bool {
        let is_of_list = self.open.is_some() && other.open.is_some();
        self.games.pgn() == other.games.pgn() && (is_of_list || self.pgn() == other.pgn())
    }

    /// Whether the open game isn't on the board as it stands in the list.
    fn is_changed(&self, open: usize) -> bool {
        let listed = self.games.get(open).cloned();
        // A file can say the same in other words than the board.
        let as_opened = listed.and_then(|game| Tree::from_record(game).ok());
        as_opened.is_none_or(|tree| pgn(&tree.record()) != self.pgn())
    }

    /// Whether more was done than to try moves.
    fn is_worth_keeping(&self) -> bool {
        let nodes = self.tree.in_order().into_iter();
        let mut plies = nodes.map(|(_, node)| &node.ply);
        let is_annotated = |ply: &Ply| {
            let has_words = !ply.comment.is_empty() || !ply.comment_before.is_empty();
            // Arrows help to find the solution of a puzzle.
            let is_drawn_on = !ply.commands.is_empty() && self.puzzle.is_none();
            has_words || !ply.nags.is_empty() || is_drawn_on
        };
        let has_moves = self.tree.main_line().len() > 1;
        // A game that was played, also before a restart, has an event.
        let was_played = self.game.is_some() || self.heading().known_tag("Event").is_some();
        let moves = self.tree.in_order().len() - 1;
        let was_entered = self.puzzle.is_none() && moves >= ENTERED_MOVES;
        (has_moves && (was_played || was_entered || self.review.is_some()))
            || plies.any(is_annotated)
    }

    /// Reads games, or a position, and opens the first.
    ///
    /// # Errors
    ///
    /// In words, if the text is neither.
    pub(super) fn load(&mut self, text: &str) -> Result<Option<String>, String> {
        if let Some((position, left_out)) = read_position(text.trim()) {
            self.show(Tree::new(position.into()));
            return Ok(left_out.in_words().map(str::to_owned));
        }
        let mut games = Vec::new();
        let mut broken = Vec::new();
        let mut remarks = Vec::new();
        let mut is_cut = false;
        for read in Games::new(text.as_bytes()) {
            let read = read.map_err(|error| error.to_string())?;
            if games.len() >= MAX_GAMES {
                is_cut = true;
                break;
            }
            match read.record {
                Ok(record) => {
                    let number = read.number;
                    let told = read.remarks.iter();
                    remarks.extend(told.map(|remark| format!("game {number}: {remark}")));
                    games.push(record);
                }
                Err(error) => broken.push(format!("game {}: {error}", read.number)),
            }
        }
        if games.is_empty() {
            let position = read_fen(text.trim(), None);
            return Err(match (position, broken.first()) {
                (Err(error), _) if is_meant_as_fen(text) => error.to_string(),
                (_, Some(reason)) => text::clean(reason),
                (_, None) => "this text holds neither a game nor a position".to_owned(),
            });
        }
        self.keep_changes();
        let own = self.games.own().filter_map(|index| self.games.get(index));
        let mut own: Vec<GameRecord> = own.cloned().collect();
        let changed = merge(&mut own, &mut games);
        own.truncate(MAX_GAMES - 1);
        let room = MAX_GAMES - own.len();
        if is_cut || games.len() > room {
            broken.insert(0, format!("only the first {room} games are here"));
        }
        games.truncate(room);
        // Of the games that were played here the newest is wanted, which is the last.
        let are_played_here = games.iter().all(|game| time_of_play(game).is_some());
        let open = if are_played_here { games.len() - 1 } else { 0 };
        let tree = Tree::from_record(games[open].clone())?;
        *self = Board {
            games: GameList::new(games),
            open: Some(open),
            ..Board::of(tree)
        };
        for index in changed {
            self.games.note_own(index);
        }
        own.into_iter().for_each(|game| self.games.push(game));
        let remarks: Vec<String> = broken
            .iter()
            .chain(&remarks)
            .take(3)
            .map(|reason| text::clean(reason))
            .collect();
        Ok((!remarks.is_empty()).then(|| remarks.join("; ")))
    }

    /// Opens a game of the list.
    pub(super) fn open(&mut self, index: usize) -> Result<(), String> {
        if index >= self.games.len() {
            return Err("there is no such game".to_owned());
        }
        // It can be the open one.
        self.keep_changes();
        let game = self.games.get(index).ok_or("there is no such game")?;
        let tree = Tree::from_record(game.clone())?;
        self.show(tree);
        self.open = Some(index);
        let review = self.games.take_review(index);
        self.review = review.and_then(|review| Review::again(review, &self.tree));
        Ok(())
    }

    /// The move that a text names by its squares.
    pub(super) fn named(&self, at: usize, name: &str) -> Result<Move, String> {
        let position = &self.tree.node(at)?.position;
        let found = named_moves(position)
            .into_iter()
            .find(|(other, _)| other == name);
        let found = found.map(|(_, m)| m);
        found.ok_or_else(|| format!("{} is not possible here", text::clean(name)))
    }

    /// The move that a person has typed, or why it is not possible.
    pub(super) fn typed(&self, at: usize, text: &str) -> Result<Move, String> {
        let position = &self.tree.node(at)?.position;
        if let Some(Meaning::Move(m)) = notation::meaning(text, position) {
            return Ok(m);
        }
        match read_move(text, position) {
            Some(read) => read,
            None => Err(format!("“{}” is not a move", text::clean(text))),
        }
    }

    /// Deletes a move and all that follow it.
    pub(super) fn delete(&mut self, at: usize) -> Result<Option<String>, String> {
        self.at = self.tree.delete(at)?;
        self.drop_old_review();
        Ok(None)
    }

    /// Puts the line of a move before its siblings.
    pub(super) fn promote(&mut self, at: usize) -> Result<Option<String>, String> {
        self.tree.promote(at)?;
        self.at = at;
        self.drop_old_review();
        Ok(None)
    }

    /// Drops a review of other moves than those with which the main line begins; returns whether
    /// there was one.
    pub(super) fn drop_old_review(&mut self) -> bool {
        let line = self.tree.main_line();
        let is_old = |review: &mut Review| !line.starts_with(&review.nodes);
        self.review.take_if(is_old).is_some()
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
        // Nothing is changed unless all of it can be.
        let is_too_long = |comment: &String| comment.chars().count() > MAX_COMMENT;
        if comment.as_ref().is_some_and(is_too_long) {
            return Err("this comment is too long".to_owned());
        }
        let are_glyphs = |glyphs: &Vec<u16>| glyphs.len() <= 8 && glyphs.iter().all(|g| *g <= 255);
        if !glyphs.as_ref().is_none_or(are_glyphs) {
            return Err("these are not PGN glyphs".to_owned());
        }
        let are_shapes =
            |shapes: &Vec<String>| shapes.len() <= 128 && shapes.iter().all(|one| is_shape(one));
        if !shapes.as_ref().is_none_or(are_shapes) {
            return Err("these are not arrows or circles".to_owned());
        }
        if let Some(comment) = comment {
            node.ply.comment_before.clear();
            node.ply.comment = text::comment(&comment);
        }
        if let Some(glyphs) = glyphs {
            node.ply.nags = glyphs;
        }
        if let Some(shapes) = shapes {
            node.ply.commands = with_shapes(&node.ply.commands, &shapes);
        }
        Ok(())
    }

    /// The game as PGN.
    pub(super) fn pgn(&self) -> Result<String, String> {
        pgn(&self.tree.record())
    }
}

/// The position of a FEN, or of one line of EPD, whose operations say nothing to a board; and what
/// was left out of it.
fn read_position(text: &str) -> Option<(Chess, LeftOut)> {
    read_fen(text, None).ok().or_else(|| {
        let (position, left_out, operations) = read_epd(text, None).ok()?;
        let is_line = !text.contains(['\n', '\r']);
        let is_epd = operations.is_empty() || operations.ends_with(';');
        (is_line && is_epd).then_some((position, left_out))
    })
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Position};

    use super::*;
    use shakmaty::EnPassantMode;
    use shakmaty::fen::Fen;

    #[test]
    fn a_game_that_was_annotated_joins_the_list_once() {
        let mut board = Board::new(VariantPosition::default());
        board.load("1. e4 *").expect("a game");
        board.show(Tree::new(VariantPosition::default()));
        let annotated = Tree::from_record(GameRecord {
            plies: vec![Ply {
                comment: "good".to_owned(),
                ..Ply::new(board.named(ROOT, "d2d4").expect("a move"))
            }],
            ..GameRecord::new(VariantPosition::default())
        });
        board.show(annotated.expect("a tree"));
        assert!(board.open(2).is_err(), "there is one game");
        board.open(0).expect("the game of the list");
        assert_eq!(board.games.len(), 2);
        assert_eq!(board.open, Some(0));
    }

    #[test]
    fn a_game_that_was_entered_joins_the_list_and_a_few_moves_do_not() {
        for (moves, is_kept) in [
            ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4", false),
            ("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6", true),
        ] {
            let mut board = Board::new(VariantPosition::default());
            let mut entered = Board::new(VariantPosition::default());
            entered.load(moves).expect("moves");
            board.tree = entered.tree;
            board.show(Tree::new(VariantPosition::default()));
            assert_eq!(board.games.len(), usize::from(is_kept), "{moves}");
        }
    }

    #[test]
    fn games_that_were_played_here_are_in_the_list_once_and_the_newest_is_opened() {
        let game = |time: &str, sides: &str| {
            format!(
                "[Event \"Squarewise in the browser\"]\n{sides}\n[UTCDate \"2026.12.01\"]\n\
                 [UTCTime \"{time}\"]\n\n1. e4 e5 *\n\n"
            )
        };
        let first = game("10:00:00", "[White \"You\"]\n[Black \"Squarewise\"]");
        let second = game("11:00:00", "[White \"Squarewise\"]\n[Black \"You\"]");
        let file = format!("{first}{second}");
        let mut board = Board::new(VariantPosition::default());
        board.load(&file).expect("games");
        assert_eq!((board.games.len(), board.open), (2, Some(1)));
        assert_eq!(board.own_side(), Some(Color::Black));
        board
            .annotate(1, Some("good".to_owned()), None, None)
            .expect("there is a move");
        board.load(&file).expect("games");
        assert_eq!((board.games.len(), board.open), (2, Some(1)));
        let comment = &board.tree.node(1).expect("a move").ply.comment;
        assert_eq!(comment, "good");
        assert!(board.has_work(), "it is in no file");
    }

    #[test]
    fn a_position_or_games_are_loaded_and_nothing_else() {
        let mut board = Board::new(VariantPosition::default());
        let before = board.pgn();
        assert!(board.load("hello world").is_err());
        assert!(board.load("1. e4 e5 2. Ke3").is_err());
        let nobody = board
            .load("8/8/8/8/8/8/8/8 w - - 0 1")
            .expect_err("no king");
        assert!(nobody.contains("the board is empty"), "{nobody}");
        let rook = "6k1/5ppp/8/8/8/8/8/R6K w - -";
        // What follows a position would be lost.
        for more in ["1. Ra8#", "bm Ra8#;\n6k1/8/8/8/8/8/8/R6K w - - bm Ra1;"] {
            assert!(board.load(&format!("{rook} {more}")).is_err(), "{more}");
        }
        assert_eq!(board.pgn(), before, "what is wrong changes nothing");
        for epd in [rook, &format!("{rook} bm Ra8#; id \"a\";")] {
            assert_eq!(board.load(epd), Ok(None), "{epd}");
            let root = board.tree.node(ROOT).expect("the root");
            let fen = Fen::from_position(&root.position, EnPassantMode::Legal);
            assert_eq!(fen.to_string(), format!("{rook} 0 1"));
        }
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
    fn an_annotation_of_which_a_part_is_refused_changes_nothing() {
        let mut board = Board::new(VariantPosition::default());
        let before = board.pgn();
        let comment = || Some("a comment".to_owned());
        for (glyphs, shapes) in [
            (Some(vec![300]), None),
            (Some(vec![1]), Some(vec!["Ge9".to_owned()])),
        ] {
            assert!(board.annotate(ROOT, comment(), glyphs, shapes).is_err());
            assert_eq!(board.pgn(), before);
        }
    }

    #[test]
    fn a_position_leaves_the_list_and_what_was_annotated_joins_it() {
        let mut board = Board::new(VariantPosition::default());
        let play = |board: &mut Board, san: &str| {
            let m = board.typed(ROOT, san).expect("a move");
            board.tree.play(ROOT, m).expect("there is room").0
        };
        play(&mut board, "e4");
        let fen = "8/8/8/8/8/4k3/8/4K2R w - - 0 1";
        board.load(fen).expect("a position");
        assert_eq!(board.games.len(), 0, "a move was only tried");
        board.show(Tree::new(VariantPosition::default()));
        let id = play(&mut board, "d4");
        let comment = Some("my move".to_owned());
        let annotated = board.annotate(id, comment, None, None);
        annotated.expect("a short comment");
        board.load(fen).expect("a position");
        assert_eq!((board.games.len(), board.open), (1, None));
        board.open(0).expect("what was annotated");
        assert!(board.pgn().expect("a game").contains("my move"));
    }

    #[test]
    fn what_was_changed_in_a_game_of_the_list_is_there_when_it_is_opened_again() {
        let mut board = Board::new(VariantPosition::default());
        let two = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 d5 *\n";
        board.load(two).expect("two games");
        let change = |board: &mut Board, comment: &str| {
            let m = board.typed(ROOT, "c4").expect("a move");
            let (id, _) = board.tree.play(ROOT, m).expect("there is room");
            let changed = board.annotate(id, Some(comment.to_owned()), None, None);
            changed.expect("a short comment");
            board.pgn().expect("a game")
        };
        let first = change(&mut board, "in the first");
        assert!(board.open(2).is_err());
        board.open(1).expect("the second game");
        let second = change(&mut board, "in the second");
        board.open(0).expect("the first game");
        assert_eq!(board.pgn().as_ref(), Ok(&first));
        // Whatever takes its place on the board, the list keeps it; and other games are others.
        board.show(Tree::new(VariantPosition::default()));
        board.open(1).expect("the second game");
        assert_eq!(board.pgn().as_ref(), Ok(&second));
        board.load(two).expect("two games");
        board.open(1).expect("the second game");
        board.open(0).expect("the first game");
        assert!(!board.pgn().expect("a game").contains("in the"));
        for (index, changed) in [(2, &first), (3, &second)] {
            board.open(index).expect("it stands behind them");
            assert_eq!(board.pgn().as_ref(), Ok(changed));
        }
        // What is in the new file too isn't listed twice, nor what was only looked at.
        board.load(&format!("{first}\n{two}")).expect("three games");
        assert_eq!(board.games.len(), 4);
    }

    #[test]
    fn work_on_the_board_is_kept_whatever_it_is() {
        let play = |board: &mut Board, at: usize, san: &str| {
            let m = board.typed(at, san).expect("a move");
            board.tree.play(at, m).expect("there is room").0
        };
        let comment = || Some("a thought".to_owned());
        let arrow = || Some(vec!["Gd2d4".to_owned()]);
        type Work<'a> = (&'a str, &'a dyn Fn(&mut Board));
        let works: [Work; 5] = [
            ("nothing", &|_| {}),
            ("a comment beside a variation", &|board| {
                let id = play(board, ROOT, "d4");
                let done = board.annotate(id, comment(), None, None);
                done.expect("it is short");
            }),
            ("a comment on the first position", &|board| {
                let done = board.annotate(ROOT, comment(), None, None);
                done.expect("it is short");
            }),
            ("an arrow", &|board| {
                let done = board.annotate(ROOT, None, None, arrow());
                done.expect("it is an arrow");
            }),
            ("a comment behind a puzzle", &|board| {
                board.puzzle = Some("its position".to_owned());
                let done = board.annotate(ROOT, comment(), None, arrow());
                done.expect("it is short");
            }),
        ];
        for (name, work) in works {
            let mut board = Board::new(VariantPosition::default());
            play(&mut board, ROOT, "e4");
            work(&mut board);
            let before = board.pgn();
            board.load("1. c4 *").expect("a game");
            assert_eq!(
                board.games.len(),
                1 + usize::from(name != "nothing"),
                "{name}"
            );
            if name != "nothing" {
                board.open(1).expect("what was worked on");
                assert_eq!(board.pgn(), before, "{name}");
            }
        }
    }
}
