//! Gobang: fives, shapes and scores against a naive scan, known wins, and the published program.

#[path = "support/published_gobang.rs"]
mod published_gobang;

use proptest::prelude::*;
use squarewise_games::game::{Game, LONGEST_WIN};
use squarewise_games::gobang::{Gobang, MoveError, Point, Rule, SIZE, Scores, Stone};
use squarewise_games::limits::Limits;
use squarewise_games::search::Searcher;
use squarewise_games::terminal::Playable;

use published_gobang::PublishedGobang;

/// The game after these points.
fn after(rule: Rule, points: &str) -> Gobang {
    let mut game = Gobang::new(rule, Scores::learned());
    for point in points.split_whitespace() {
        game.play_text(point).expect("a point that is free");
    }
    game
}

/// The length of a color's longest row.
fn longest_row(game: &Gobang, stone: Stone) -> usize {
    let at = |x: i32, y: i32| {
        let is_on_board = (0..SIZE as i32).contains(&x) && (0..SIZE as i32).contains(&y);
        is_on_board && game.stone_at((y * SIZE as i32 + x) as Point) == Some(stone)
    };
    let mut longest = 0;
    for x in 0..SIZE as i32 {
        for y in 0..SIZE as i32 {
            for (i, j) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
                let row = (0..).take_while(|n| at(x + n * i, y + n * j)).count();
                longest = longest.max(row);
            }
        }
    }
    longest
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn five_in_a_row_is_what_a_scan_of_the_board_finds(
        // On few ranks, so that rows come about.
        points in prop::collection::vec(0u8..60, 1..60),
    ) {
        let mut game = Gobang::new(Rule::Freestyle, Scores::learned());
        for point in points {
            if game.play(point).is_ok() {
                let stone = game.turn().other();
                prop_assert_eq!(game.winner() == Some(stone), longest_row(&game, stone) >= 5);
            }
        }
    }

    #[test]
    fn taking_back_restores_the_evaluation_and_the_key(
        points in prop::collection::vec(0u8..225, 1..60),
        scores in prop::sample::select(vec![Scores::learned(), Scores::published()]),
    ) {
        let mut game = Gobang::new(Rule::Freestyle, scores);
        let mut before = Vec::new();
        for point in points {
            let state = (game.evaluate(), game.key());
            if game.play(point).is_ok() {
                before.push(state);
            }
        }
        while let Some(state) = before.pop() {
            game.take_back();
            prop_assert_eq!((game.evaluate(), game.key()), state);
        }
    }

    #[test]
    fn the_eight_symmetries_of_a_board_score_alike(
        points in prop::collection::vec(0u8..225, 1..40),
    ) {
        // The published shapes lack some mirror images: `xx.x.` is one of them, `.x.xx` is not.
        let scores = Scores::learned();
        let mut games: Vec<Gobang> = (0..8).map(|_| Gobang::new(Rule::Freestyle, scores)).collect();
        for point in points {
            let (x, y) = (point % 15, point / 15);
            for (symmetry, game) in games.iter_mut().enumerate() {
                let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (y, x) };
                let x = if symmetry & 2 == 0 { x } else { 14 - x };
                let y = if symmetry & 4 == 0 { y } else { 14 - y };
                let _ = game.play(y * 15 + x);
            }
            for game in &games {
                prop_assert_eq!(game.evaluate(), games[0].evaluate());
                prop_assert_eq!(game.winner(), games[0].winner());
            }
        }
    }
}

#[test]
fn six_in_a_row_win_by_the_freestyle_rule_only() {
    let points = "a1 a15 b1 b15 c1 c15 e1 e15 f1 f15 d1";
    assert_eq!(after(Rule::Freestyle, points).winner(), Some(Stone::Black));
    assert_eq!(after(Rule::Standard, points).winner(), None);
    let five = "a1 a15 b1 b15 c1 c15 e1 e15 d1";
    assert_eq!(after(Rule::Standard, five).winner(), Some(Stone::Black));
}

#[test]
fn six_in_a_row_hide_no_four_of_another_line() {
    // h8 would make six on its row, and an open four on its column.
    let stones = "e8 a3 f8 a13 g8 o3 i8 o13 j8 c1 h5 m1 h6 c15 h7";
    let game = after(Rule::Standard, stones);
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let moves: Vec<String> = moves
        .iter()
        .map(|ranked| game.move_text(ranked.mv))
        .collect();
    for defence in ["h8", "h4"] {
        assert!(moves.iter().any(|mv| mv == defence), "{moves:?}");
    }
}

#[test]
fn stones_that_can_t_be_played_are_refused() {
    let mut game = after(Rule::Freestyle, "h8");
    assert_eq!(game.play(112), Err(MoveError::Occupied));
    assert_eq!(game.play(225), Err(MoveError::Outside));
    assert_eq!(
        game.play_text("p1"),
        Err("\"p1\" is no point; points are a1 to o15".into())
    );
    let mut won = after(Rule::Freestyle, "a1 a15 b1 b15 c1 c15 d1 d15 e1");
    assert_eq!(won.play(112), Err(MoveError::Over));
    assert_eq!(won.winner(), Some(Stone::Black));
}

/// The best move and its score, searched so deep.
fn best(game: &mut Gobang, depth: i32) -> (String, i32) {
    let limits = Limits {
        depth,
        ..Limits::default()
    };
    let found = Searcher::new(16)
        .search(game, limits, &mut |_| ())
        .expect("a move");
    (game.move_text(found.pv[0]), found.score)
}

#[test]
fn a_four_is_completed_and_a_four_of_the_opponent_is_stopped() {
    let mut own = after(Rule::Freestyle, "a1 a15 b1 b15 c1 c15 d1 d15");
    assert_eq!(best(&mut own, 2).0, "e1");
    let mut enemy = after(Rule::Freestyle, "a1 a15 b1 b15 c1 c15 d1");
    assert_eq!(best(&mut enemy, 2).0, "e1");
}

#[test]
fn an_open_three_wins_for_its_side_to_move() {
    let mut game = after(Rule::Freestyle, "h8 a1 i8 a15 j8 o1");
    assert!(best(&mut game, 4).1 > LONGEST_WIN);
}

#[test]
fn a_win_by_fours_is_found_at_a_small_depth() {
    // Two threes, each stopped on one side, cross at h8: a four in one makes a four in the other.
    let mut game = after(Rule::Freestyle, "e8 d8 f8 h4 g8 o15 h5 o1 h6 a15 h7 a1");
    let (mv, score) = best(&mut game, 1);
    assert!(score > LONGEST_WIN, "{mv} {score}");
}

/// Plays a game against the published program, which has the color that the number says and three
/// stones of an opening by lot, and returns whether we won.
fn beats_the_published_program(number: u64, limits: &Limits) -> bool {
    let mut ours = Gobang::new(Rule::Freestyle, Scores::learned());
    let mut theirs = PublishedGobang::new();
    let mut searcher = Searcher::new(14);
    let ours_is_black = number.is_multiple_of(2);
    let mut opening = (0..).map(|n| {
        let random = squarewise_games::game::zobrist(number / 2 * 100 + n);
        (5 + (random % 5) as Point, 5 + (random / 5 % 5) as Point)
    });
    for ply in 0.. {
        let is_ours = (ply % 2 == 0) == ours_is_black;
        let point = if ply < 3 {
            let free = opening.by_ref().map(|(x, y)| y * 15 + x);
            let mut free = free.filter(|point| ours.stone_at(*point).is_none());
            free.next().expect("there are free points")
        } else if is_ours {
            let found = searcher.search(&mut ours, limits.clone(), &mut |_| ());
            found.expect("a move").pv[0]
        } else {
            let (x, y) = theirs.answer();
            (y * 15 + x) as Point
        };
        ours.play(point).expect("a free point");
        let at = (i32::from(point) % 15, i32::from(point) / 15);
        theirs.put(at, if is_ours { 2 } else { 1 });
        if ours.is_over() {
            return is_ours && ours.winner().is_some();
        }
    }
    unreachable!("a board is full at last")
}

#[test]
fn the_published_program_loses() {
    let limits = Limits {
        nodes: 20_000,
        ..Limits::default()
    };
    assert!((0..4).all(|number| beats_the_published_program(number, &limits)));
}

#[test]
#[ignore = "takes minutes"]
fn the_published_program_loses_a_hundred_games_of_a_hundred() {
    let limits = Limits {
        nodes: 400_000,
        ..Limits::default()
    };
    let lost: Vec<u64> = (0..100)
        .filter(|game| !beats_the_published_program(*game, &limits))
        .collect();
    assert!(lost.is_empty(), "{lost:?}");
}
