//! Why a game can't be read.

use std::fmt;
use std::num::NonZeroU32;

use shakmaty::Color;

use squarewise_engine::position::FenError;
use squarewise_engine::position::played_move::move_number;

/// Why a game can't be read.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// A move of the main line is wrong.
    #[error("{0}")]
    Move(Box<MoveError>),
    /// It is a game of another kind of chess.
    #[error("the variant {0} is not supported")]
    Variant(String),
    /// The start position is not one.
    #[error("the start position is not legal: {0}")]
    Fen(#[from] FenError),
    /// The game has more than 20,000 plies, 200,000 with its variations, or its text more than
    /// 2 MiB.
    #[error("the game is too long")]
    TooLong,
    /// A comment that begins in this line of the file has no end.
    #[error("the comment that begins in line {0} is not closed")]
    UnterminatedComment(usize),
    /// The text contains bytes of zero.
    #[error("this is not text: it contains zero bytes")]
    NotText,
    /// The quotation marks of its tags are escaped.
    #[error("its tags are escaped as in JSON; take the value of \"pgn\" out of the JSON first")]
    Escaped,
    /// Its moves are strings of a list, as in JSON.
    #[error(
        "this is a list as in JSON or Python; write the moves without quotation marks and commas"
    )]
    List,
    /// There are words, but neither tags nor moves.
    #[error("this is not a game: it has neither tags nor moves")]
    NotAGame,
}

/// A move of the main line that can't be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveError {
    /// The number of the ply in the game, from 1.
    pub ply: usize,
    /// The number of the line in the file, from 1.
    pub line: usize,
    /// The number of the move.
    pub number: NonZeroU32,
    /// The side that would play it.
    pub turn: Color,
    /// The word in the file.
    pub text: String,
    /// What is wrong with it.
    pub problem: MoveProblem,
}

/// What can be wrong with a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveProblem {
    /// It is not a legal move.
    Illegal,
    /// Two pieces can play it.
    Ambiguous,
    /// It is no move in standard algebraic notation.
    Unreadable,
    /// It is the board of a FEN.
    Position,
    /// It is a null move of a side that is in check.
    NullInCheck,
    /// It follows the result of the game.
    AfterResult,
}

/// `12... Qz9 (ply 24, line 7) is ...`.
impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let problem = match self.problem {
            MoveProblem::Illegal => "is not a legal move",
            MoveProblem::Ambiguous => "can be played by two pieces",
            MoveProblem::Unreadable => "is not a move in algebraic notation",
            MoveProblem::Position => "is a position, not a move; `suite` reads files of positions",
            MoveProblem::NullInCheck => "passes the turn, but the king is in check",
            MoveProblem::AfterResult => "comes after the result of the game",
        };
        let number = move_number(self.number, self.turn);
        let MoveError {
            ply, line, text, ..
        } = self;
        write!(f, "{number} {text} (ply {ply}, line {line}) {problem}")
    }
}
