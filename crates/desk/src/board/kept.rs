//! A board as it outlives the program, in JSON, and as it comes back.

use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};
use shakmaty::{ByColor, Color};
use squarewise_engine::position::variant_position::VariantPosition;

use super::command::{GameWish, Seat};
use super::game::Match;
use super::list::{GameList, pgn};
use super::opponent::Opponent;
use super::state::Board;
use super::tree::{Beginning, Tree};
use crate::pgn::{GameRecord, Games, Ply};

/// What is kept of a board; `None` of one on which nothing has been done.
pub(super) fn kept(board: &Board, now: Instant) -> Option<Value> {
    let mut record = board.tree.record();
    let is_at_first = record.plies.is_empty()
        && record.comment.is_empty()
        && record.start == VariantPosition::default();
    if is_at_first && board.game.is_none() && board.games.len() == 0 {
        return None;
    }
    let game = board.game.as_ref().filter(|game| !game.is_over());
    if let Some(game) = game {
        // What the page isn't told before the end.
        for (ply, played) in record.plies.iter_mut().zip(game.record().plies) {
            (ply.clock, ply.evaluation) = (played.clock, played.evaluation);
        }
    }
    Some(json!({
        "pgn": pgn(&record).ok()?,
        "game": game.map(|game| kept_game(game, now)),
        "games": board.games.pgn(),
        "own": board.games.own().collect::<Vec<_>>(),
        "open": board.open,
    }))
}

/// What is kept of a game that goes on, beside its moves.
pub(super) fn kept_game(game: &Match, now: Instant) -> Value {
    let began = game.began_at.duration_since(SystemTime::UNIX_EPOCH);
    let wish = game.wish();
    let judged = game.nodes.iter().enumerate();
    let judged = judged.filter_map(|(ply, id)| Some((ply, game.judged.get(id)?)));
    json!({
        "began": began.map_or(0, |since| since.as_secs()),
        "person": game.person().map(|side| side.char().to_string()),
        "elo": wish.elo,
        "style": wish.style,
        "time": wish.time,
        "feedback": wish.feedback,
        "before": game.moves_before,
        "moves": game.arbiter().moves().len(),
        "clock": game.clocks(now),
        "saved": game.kept.as_deref().map(String::from_utf8_lossy),
        "judged": judged.collect::<Vec<_>>(),
    })
}

/// What has come back of the boards that were kept.
pub(super) struct Restored {
    pub(super) boards: Vec<Board>,
    /// Those that can't be read: they stay in the file for a program that can.
    pub(super) unread: Vec<Value>,
    /// What a person should know of it.
    pub(super) remarks: Vec<String>,
}

/// The boards that were kept, but no more than there is room for beside the one that is opened, and
/// none that shows the same without any work.
pub(super) fn restored_all(
    kept: Vec<Value>,
    most: usize,
    opened: Option<&Board>,
    opponent: &Opponent,
) -> Restored {
    let most = most - usize::from(opened.is_some());
    let mut all = Restored {
        boards: Vec::new(),
        unread: Vec::new(),
        remarks: Vec::new(),
    };
    for kept in kept {
        match restored(&kept, opponent) {
            Some(board) => all.boards.push(board),
            None => all.unread.push(kept),
        }
    }
    if !all.unread.is_empty() {
        let remark = format!("{} of the kept boards can't be read", all.unread.len());
        all.remarks.push(remark);
    }
    if let Some(opened) = opened {
        all.boards
            .retain(|board| board.has_work() || !board.shows_the_same_as(opened));
    }
    while all.boards.len() > most {
        // A game that isn't over is in no file, nor is what was done on a board.
        let last = |may_go: fn(&Board) -> bool| all.boards.iter().rposition(may_go);
        let last = last(|board| !board.has_work()).or_else(|| last(|board| !board.is_playing()));
        let title = all.boards.remove(last.unwrap_or(most)).title();
        all.remarks
            .push(format!("“{title}” made room for what was opened"));
    }
    all
}

/// A board that was kept. A game that can't go on stays on it as moves.
pub(super) fn restored(kept: &Value, opponent: &Opponent) -> Option<Board> {
    let text = |name: &str| kept[name].as_str().unwrap_or_default();
    let record = games(text("pgn")).next()?;
    let mut board = Board::of(Tree::from_record(record).ok()?);
    board.games = GameList::new(games(text("games")).collect());
    for own in kept["own"].as_array().into_iter().flatten() {
        if let Some(index) = number(own) {
            board.games.note_own(index);
        }
    }
    board.open = number(&kept["open"]).filter(|open| *open < board.games.len());
    if let Some(game) = going_on(&mut board.tree, &kept["game"], opponent) {
        board.at = game.head();
        board.game = Some(game);
    }
    Some(board)
}

fn number(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

/// The games of a text in PGN that can be read.
fn games(text: &str) -> impl Iterator<Item = GameRecord> {
    let games = Games::new(text.as_bytes());
    games.filter_map(|read| read.ok()?.record.ok())
}

/// The game that was being played in a tree.
fn going_on(tree: &mut Tree, kept: &Value, opponent: &Opponent) -> Option<Match> {
    if !kept.is_object() {
        return None;
    }
    let mut line = tree.main_line();
    // What follows the last move of the game was only tried, before moves were taken back.
    if let Some(played) = number(&kept["moves"]) {
        line.truncate(played.saturating_add(1));
    }
    let mut plies = Vec::new();
    for id in &line[1..] {
        let ply = &mut tree.node_mut(*id).ok()?.ply;
        plies.push(Ply {
            clock: ply.clock.take(),
            evaluation: ply.evaluation.take(),
            ..Ply::new(ply.m)
        });
    }
    let mut moves = plies.iter().map(|ply| ply.m).collect::<Option<Vec<_>>>()?;
    let played = moves.split_off(number(&kept["before"]).unwrap_or(0).min(moves.len()));
    let beginning = Beginning {
        start: tree.start().clone(),
        moves,
    };
    let left = |index: usize| Duration::from_millis(kept["clock"][index].as_u64().unwrap_or(0));
    let left = ByColor {
        white: left(0),
        black: left(1),
    };
    let (person, wish) = person_and_wish(kept, opponent);
    let mut game = Match::new(beginning, person, wish, Some((&played, left)), opponent).ok()?;
    game.recall(&plies);
    let began = kept["began"].as_u64().map(Duration::from_secs);
    let began = began.and_then(|since| SystemTime::UNIX_EPOCH.checked_add(since));
    game.began_at = began.unwrap_or(game.began_at);
    let saved = kept["saved"].as_str();
    game.kept = saved.map(|text| text.as_bytes().to_vec());
    for judged in kept["judged"].as_array().into_iter().flatten() {
        if let Some(id) = number(&judged[0]).and_then(|ply| line.get(ply)) {
            let mut said = judged[1].clone();
            said["at"] = (*id).into();
            game.judged.insert(*id, said);
        }
    }
    game.nodes = line;
    Some(game)
}

/// The side of the person, and what they wished for.
fn person_and_wish(kept: &Value, opponent: &Opponent) -> (Option<Color>, GameWish) {
    let person = match kept["person"].as_str() {
        Some("b") => Some(Color::Black),
        Some(_) => Some(Color::White),
        None => None,
    };
    let wish = GameWish {
        color: person.map_or(Seat::None, |side| side.fold_wb(Seat::White, Seat::Black)),
        elo: kept["elo"].as_u64().and_then(|elo| u32::try_from(elo).ok()),
        // Where the style is not offered any more, the engine goes on in its own way.
        style: kept["style"]
            .as_str()
            .filter(|name| opponent.style(name).is_ok())
            .map(str::to_owned),
        time: kept["time"].as_str().map(str::to_owned),
        from: None,
        chess960: None,
        variant: None,
        feedback: kept["feedback"] == true,
    };
    (person, wish)
}

#[cfg(test)]
mod tests {
    use super::super::tree::ROOT;
    use super::*;

    /// What is kept of a board when the program ends, and the board after the next start.
    fn again(board: &Board) -> Board {
        let kept = kept(board, Instant::now()).expect("there is something to keep");
        let text = kept.to_string();
        let kept = serde_json::from_str(&text).expect("it was written as JSON");
        restored(&kept, &Opponent::default()).expect("it was kept well")
    }

    #[test]
    fn a_game_against_the_engine_goes_on_after_a_restart() {
        let kept = json!({
            "pgn": "1. e4 e5 2. Nf3 *",
            "game": { "person": "b", "elo": 500, "time": "5+3", "clock": [60_000, 30_000], "feedback": false },
        });
        let board = restored(&kept, &Opponent::default()).expect("it was kept well");
        let game = board.game.as_ref().expect("a game");
        assert!(game.is_persons_turn());
        assert_eq!(game.arbiter().moves().len(), 3);
        let later = Instant::now() + Duration::from_secs(60);
        assert_eq!(game.json(later)["clock"][1], 30_000, "the clock rests");
    }

    #[test]
    fn what_cannot_be_read_is_kept_and_a_board_that_makes_room_is_named() {
        let unread = json!({ "pgn": 7 });
        let named = |name: &str| json!({ "pgn": format!("[White \"{name}\"]\n\n1. e4 *") });
        let kept = vec![named("Ada"), unread.clone(), named("Bea"), named("Cleo")];
        let all = restored_all(kept, 2, None, &Opponent::default());
        assert_eq!((all.boards.len(), all.unread), (2, vec![unread]));
        let told = all.remarks.join("; ");
        assert!(told.contains("1 of the kept boards"), "{told}");
        assert!(told.contains("Cleo"), "{told}");
        // What a file holds gives way to what was made on a board.
        let annotated = json!({ "pgn": "[White \"Dan\"]\n\n1. e4 {good} *" });
        let of_file = json!({ "pgn": "1. e4 *", "games": "1. e4 *", "open": 0 });
        let both = vec![of_file.clone(), annotated.clone()];
        let all = restored_all(both.clone(), 1, None, &Opponent::default());
        assert!(all.boards[0].title().contains("Dan"), "{:?}", all.remarks);
        // A file that is opened once more takes the place of its board.
        let mut opened = Board::new(VariantPosition::default());
        opened.load("1. e4 *").expect("a game");
        let all = restored_all(both, 3, Some(&opened), &Opponent::default());
        assert_eq!((all.boards.len(), all.remarks), (1, vec![]));
    }

    #[test]
    fn the_clock_of_a_game_that_comes_back_rests_until_somebody_looks_at_it() {
        let kept = json!({
            "pgn": "1. e4 e5 *",
            "game": { "person": "w", "elo": 500, "time": "5+3", "clock": [60_000, 30_000], "feedback": true },
        });
        let mut board = restored(&kept, &Opponent::default()).expect("it was kept well");
        let game = board.game.as_mut().expect("a game");
        let now = Instant::now();
        let later = now + Duration::from_secs(3_600);
        assert_eq!(game.poll(later), None);
        assert!(!game.is_over() && game.position_to_study().is_none());
        game.resume(now);
        assert!(game.position_to_study().is_some());
        assert_eq!(game.poll(later), None);
        assert!(game.is_over());
    }

    #[test]
    fn a_game_of_the_engine_with_itself_goes_on_and_so_does_one_whose_style_is_gone() {
        let kept = json!({
            "pgn": "1. e4 e5 *",
            "game": { "person": null, "elo": 500, "style": "Nobody", "feedback": false },
        });
        let board = restored(&kept, &Opponent::default()).expect("it was kept well");
        let game = board.game.as_ref().expect("a game");
        assert_eq!((game.person(), game.is_persons_turn()), (None, false));
        assert_eq!(game.wish().style, None);
    }

    #[test]
    fn clocks_evaluations_and_judgements_of_a_game_come_back_but_are_not_shown_before_its_end() {
        let kept = json!({
            "pgn": "1. e4 {[%clk 0:04:58]} e5 {[%eval 0.31,14] [%clk 0:04:50]} 2. Nf3 {[%clk 0:04:55]} *",
            "game": {
                "person": "w", "elo": 500, "time": "5+3", "clock": [295_000, 290_000], "moves": 3,
                "feedback": true, "judged": [[1, { "is": "feedback", "at": 7, "j": 0 }]],
            },
        });
        let board = restored(&kept, &Opponent::default()).expect("it was kept well");
        for mut board in [again(&board), board] {
            let game = board.game.as_ref().expect("a game");
            let plies = game.record().plies;
            let clocks = plies
                .iter()
                .map(|ply| ply.clock.map(|clock| clock.as_secs()));
            assert_eq!(
                clocks.collect::<Vec<_>>(),
                [Some(298), Some(290), Some(295)]
            );
            let evaluations = plies
                .iter()
                .map(|ply| ply.evaluation.map(|one| one.to_string()));
            let expected = [None, Some("0.31".to_owned()), None];
            assert_eq!(evaluations.collect::<Vec<_>>(), expected);
            assert_eq!(game.judged[&game.nodes[1]]["at"], game.nodes[1]);
            let shown = board.pgn().expect("a game");
            assert!(!shown.contains("clk") && !shown.contains("eval"), "{shown}");
            // Who takes a move back has the time that was left before it.
            let now = Instant::now();
            let game = board.game.as_mut().expect("a game");
            game.take_back(1, now);
            assert_eq!(game.clocks(now), Some([298_000, 290_000]));
        }
    }

    #[test]
    fn the_list_of_games_comes_back_with_what_was_changed_in_it() {
        let mut board = Board::new(VariantPosition::default());
        let two = "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 d5 *\n";
        board.load(two).expect("two games");
        let comment = Some("in the first".to_owned());
        board
            .annotate(1, comment, None, None)
            .expect("a short comment");
        board.open(1).expect("the second game");
        let comment = Some("in the second".to_owned());
        board
            .annotate(1, comment, None, None)
            .expect("a short comment");
        let mut board = again(&board);
        assert_eq!((board.games.len(), board.open), (2, Some(1)));
        assert!(board.pgn().expect("a game").contains("in the second"));
        board.open(0).expect("the first game");
        assert!(board.pgn().expect("a game").contains("in the first"));
        board.open(1).expect("the second game");
        assert!(board.pgn().expect("a game").contains("in the second"));
    }

    #[test]
    fn a_position_that_was_set_up_comes_back_and_an_untouched_board_is_not_kept() {
        let mut board = Board::new(VariantPosition::default());
        assert_eq!(kept(&board, Instant::now()), None);
        let arrow = Some(vec!["Ge2e4".to_owned()]);
        let drawn = board.annotate(ROOT, None, None, arrow);
        drawn.expect("it is an arrow");
        assert_eq!(again(&board).pgn(), board.pgn());
        let fen = "8/8/8/8/8/4k3/8/4K2R w - - 0 1";
        board.load(fen).expect("a position");
        assert_eq!(again(&board).tree.start(), board.tree.start());
    }

    #[test]
    fn a_game_that_cannot_go_on_stays_as_moves() {
        let kept = json!({ "pgn": "1. e4 e5 *", "game": { "person": "w", "time": "never" } });
        let board = restored(&kept, &Opponent::default()).expect("it was kept well");
        assert!(board.game.is_none());
        assert_eq!(board.tree.main_line().len(), 3);
    }
}
