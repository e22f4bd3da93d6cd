//! `position` lines: start positions, games, Chess960, endgames, and much that is no position.

use shakmaty::fen::Fen;
use shakmaty::{Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, Setup};

use squarewise_engine::position::rules::Variant;
use squarewise_engine::position::variant_position::VariantPosition;

use super::dice::Dice;

/// Real positions, positions made to break engines, and some that are illegal.
const SUITES: [&str; 6] = [
    include_str!("../../data/wacnew.epd"),
    include_str!("../../data/endgames.epd"),
    include_str!("../../data/destruction-test.epd"),
    include_str!("../../data/grief-causers.epd"),
    include_str!("../../data/tricky.perft"),
    include_str!("../../data/chess960.perft"),
];

/// Finished games, and positions with a single move or a mate in one.
const SPECIAL: [&str; 6] = [
    "R5k1/5ppp/8/8/8/8/8/7K b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/8/8/8/8/8/6r1/7K w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1",
    "7k/8/8/8/8/8/8/K7 w - - 99 5000",
    "8/8/8/3k4/2p3r1/8/8/KQ6 w - - 0 1",
];

/// Lines that must be refused, or nearly.
const BROKEN: [&str; 22] = [
    "position",
    "position moves",
    "position moves e2e4",
    "position nowhere",
    "position fen",
    "position fen x",
    "position fen startpos",
    "position fen ///////",
    "position fen 8/8/8/8/8/8/8/8",
    "position fen 8/8/8/8/8/8/8/8 w KQkq e3 -1 -1",
    "position startpos startpos",
    "position startpos junk moves e2e4",
    "position startpos moves",
    "position startpos moves e2e5",
    "position startpos moves 0000",
    "position startpos moves e2e4 moves e7e5",
    "position startpos moves e2e4 e7e5 e4e5",
    "position startpos moves e2e4q",
    "position startpos moves O-O",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Qq] w KQkq - 0 1",
    "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1",
    "position fen k7/8/8/8/8/8/8/K7 w - - 99999999999 99999999999",
];

/// A `position` line: most of them can be executed.
pub fn position(dice: &mut Dice, variant: Variant) -> String {
    match dice.below(20) {
        0..=6 => game(
            "startpos",
            &VariantPosition::start_of(variant),
            plies(dice),
            dice,
        ),
        7..=9 => chess960(dice, variant),
        10..=14 => {
            let fen = suite_fen(dice);
            let mode = match variant {
                Variant::SelfCapture => CastlingMode::Standard,
                _ => CastlingMode::Chess960,
            };
            match parse(&fen, mode) {
                Some(start) => {
                    let start = VariantPosition::new(start, variant);
                    game(&format!("fen {fen}"), &start, dice.below(12), dice)
                }
                None => format!("position fen {fen}"),
            }
        }
        15 | 16 => format!("position fen {}", dice.pick(&SPECIAL)),
        17 => with_wrong_move(dice),
        _ => dice.pick(&BROKEN).to_owned(),
    }
}

/// Mostly short games, now and then one of five thousand plies.
fn plies(dice: &mut Dice) -> usize {
    match dice.below(40) {
        0 => 5_000,
        1 => dice.between(500, 4_999),
        2..=9 => dice.between(40, 300),
        _ => dice.below(40),
    }
}

/// A game of random moves, shorter if it ends in mate or stalemate.
fn game(start: &str, position: &VariantPosition, plies: usize, dice: &mut Dice) -> String {
    let mode = position.castles().mode();
    let mut position = position.clone();
    let mut line = format!("position {start}");
    for ply in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let m = moves[dice.below(moves.len())];
        position.play_unchecked(m);
        line += if ply == 0 { " moves " } else { " " };
        line += &m.to_uci(mode).to_string();
    }
    line
}

/// A game from one of the start positions of Chess960, in the form of X-FEN.
fn chess960(dice: &mut Dice, variant: Variant) -> String {
    let board = Board::chess960(dice.below(960) as u32);
    let setup = Setup {
        castling_rights: board.rooks(),
        board,
        turn: Color::White,
        ..Setup::empty()
    };
    let start = Chess::from_setup(setup, CastlingMode::Chess960);
    let start = start.expect("the start positions of Chess960 are legal");
    let fen = Fen::from_position(&start, EnPassantMode::Legal);
    // Own captures have no Chess960.
    let variant = match variant {
        Variant::SelfCapture => Variant::Chess,
        variant => variant,
    };
    let start = VariantPosition::new(start, variant);
    game(&format!("fen {fen}"), &start, dice.below(60), dice)
}

/// A game with a move in it that is illegal or no move.
fn with_wrong_move(dice: &mut Dice) -> String {
    let mut line = game(
        "startpos",
        &VariantPosition::default(),
        dice.between(1, 60),
        dice,
    );
    let wrong = [
        "e1e8", "a1a1", "0000", "e7e8k", "Nf3", "e2-e4", "♞", "P@e4", "h7h8q",
    ];
    line += " ";
    line += dice.pick(&wrong);
    line += " e2e4";
    line
}

fn suite_fen(dice: &mut Dice) -> String {
    let lines: Vec<&str> = dice.pick(&SUITES).lines().collect();
    let line = lines[dice.below(lines.len())];
    let fields = line
        .split(';')
        .next()
        .unwrap_or_default()
        .split_whitespace();
    // The operations of EPD behind the position are sent in some lines, where they can't be read.
    let count = if dice.one_in(20) { 12 } else { 4 };
    fields.take(count).collect::<Vec<_>>().join(" ")
}

fn parse(fen: &str, mode: CastlingMode) -> Option<Chess> {
    let fen: Fen = fen.parse().ok()?;
    fen.into_position(mode).ok()
}
