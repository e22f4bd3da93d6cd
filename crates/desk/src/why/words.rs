//! Numbers, pieces, moves and the end of a game in words, as all texts of this module write them.

pub(super) use crate::notation::role_name;
use crate::pgn::writer;
use shakmaty::{Color, Move, Piece, Role, Square};

use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::position::game::Game;
use squarewise_engine::score::Score;

/// A number of centipawns with its sign; 0 has none.
pub(super) fn signed(value: i32) -> String {
    if value == 0 {
        "0".to_owned()
    } else {
        format!("{value:+}")
    }
}

/// A piece in words, such as "the knight on e5".
pub(super) fn piece_on(role: Role, square: Square) -> String {
    format!("the {} on {square}", role_name(role))
}

/// A piece with its side, such as "White's knight on e5".
pub(super) fn piece_of_side(piece: Piece, square: Square) -> String {
    let (side, role) = (side_name(piece.color), role_name(piece.role));
    format!("{side}'s {role} on {square}")
}

/// The name of a side as a player.
pub(super) fn side_name(side: Color) -> &'static str {
    side.fold_wb("White", "Black")
}

/// A list such as "a, b and c".
pub(super) fn listed(words: &[String]) -> String {
    joined(words, "and")
}

/// A list whose last two are joined by a word.
pub(crate) fn joined(words: &[String], word: &str) -> String {
    match words {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// A sentence with a capital letter and a full stop.
pub(super) fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    let end = if words.ends_with('.') { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// A legal move with its number.
pub(super) fn numbered(game: &Game, m: Move) -> String {
    numbered_line(game, &[m])
}

/// Moves with their numbers, such as `17... Qg5 18. Nf3 Qxg2`.
pub(super) fn numbered_line(game: &Game, line: &[Move]) -> String {
    writer::line_of_play(game.position(), line)
}

/// A score closer to zero than this many centipawns is level.
pub(super) const LEVEL: i32 = 25;

/// A move that gives up less than this many centipawns is about as good.
pub(super) const NEARLY: i32 = 15;

/// A score of this many centipawns wins.
pub(super) const WINNING: i32 = 300;

/// How a position stands for the side that it is good for, by the score for White.
pub(super) fn standing(for_white: Score) -> String {
    let side = side_name(Color::from_white(for_white > Score::DRAW));
    match for_white.value().abs() {
        0..LEVEL => "the game is level".to_owned(),
        LEVEL..70 => format!("{side} is slightly better"),
        70..150 => format!("{side} is better"),
        150..WINNING => format!("{side} is much better"),
        _ => format!("{side} is winning"),
    }
}

/// The side that stands better by a score for White; `None` if the game is level.
pub(super) fn leader(for_white: Score) -> Option<Color> {
    (for_white.value().abs() >= LEVEL).then(|| Color::from_white(for_white > Score::DRAW))
}

/// A sentence that says that the game is over; `None` if it goes on.
pub fn game_over(game: &Game) -> Option<String> {
    let reason = end_of_game(game)?;
    Some(format!("The game is over: {reason}."))
}

/// How a game has ended, in words; `None` if it goes on.
pub(super) fn end_of_game(game: &Game) -> Option<&'static str> {
    Some(match game.end_by_the_rules()? {
        GameEnd::Checkmate { winner } => winner.fold_wb(
            "Black is checkmated and White has won",
            "White is checkmated and Black has won",
        ),
        GameEnd::WonByStalemate { winner } => winner.fold_wb(
            "Black is stalemated and White has won",
            "White is stalemated and Black has won",
        ),
        GameEnd::Stalemate => "stalemate, a draw",
        GameEnd::InsufficientMaterial => "neither side can mate, a draw",
        GameEnd::ThreefoldRepetition => "the position has occurred three times, a draw",
        GameEnd::FiftyMoves => "the fifty-move rule, a draw",
    })
}
