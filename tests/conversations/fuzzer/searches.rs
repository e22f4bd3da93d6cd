//! `go` lines: with limits that end the search soon, with none, and with anything.

use shakmaty::Position;
use squarewise_engine::position::variant_position::VariantPosition;

use super::dice::Dice;
use super::go_line::LIMITS;
use super::values::{number, small_number};

/// A search that ends by itself within milliseconds.
pub fn short_search(dice: &mut Dice, position: &VariantPosition) -> String {
    let mut line = match dice.below(10) {
        0..=4 => format!("go nodes {}", small_number(dice, 3_000)),
        5 => format!("go depth {} nodes 4000", small_number(dice, 9)),
        6 => format!("go movetime {}", small_number(dice, 8)),
        7 => {
            let (white, black) = (small_number(dice, 120), small_number(dice, 120));
            format!("go wtime {white} btime {black} winc 1 binc 1")
        }
        8 => format!(
            "go {} {}",
            dice.pick(&["wtime", "btime"]),
            small_number(dice, 90)
        ),
        _ => format!("go mate {} nodes 2000", small_number(dice, 4)),
    };
    if dice.one_in(5) {
        line += &search_moves(dice, position);
    }
    line
}

fn search_moves(dice: &mut Dice, position: &VariantPosition) -> String {
    let (moves, mode) = (position.legal_moves(), position.castles().mode());
    let mut words = " searchmoves".to_owned();
    for _ in 0..dice.below(5) {
        words += " ";
        words += &match moves.len() {
            0 => "e2e4".to_owned(),
            length => moves[dice.below(length)].to_uci(mode).to_string(),
        };
    }
    if dice.one_in(4) {
        words += " a1a1 e2e4";
    }
    words
}

/// A search that must not answer before it is told to.
pub fn open_search(dice: &mut Dice, position: &VariantPosition) -> String {
    let mut line = dice
        .pick(&[
            "go infinite",
            "go",
            "go ponder",
            "go ponder wtime 90 btime 90",
            "go ponder movetime 5",
            "go ponder nodes 700",
            "go infinite depth 2",
            "go mate 40",
            "go mate 9 infinite",
            "go depth 99",
            "go movetime 3000000",
            "go wtime 900000000 btime 900000000",
        ])
        .to_owned();
    if dice.one_in(6) {
        line += &search_moves(dice, position);
    }
    line
}

/// A search with limits of all kinds and sizes, and words that are none.
pub fn any_search(dice: &mut Dice) -> String {
    let others = ["ponder", "infinite", "searchmoves", "e2e4", "nowhere"];
    let words: Vec<&str> = LIMITS.into_iter().chain(others).collect();
    let mut line = "go".to_owned();
    for _ in 0..dice.between(1, 6) {
        let name = dice.pick(&words);
        line += &format!(" {name}");
        if !dice.one_in(6) {
            line += &format!(" {}", number(dice));
        }
    }
    line
}
