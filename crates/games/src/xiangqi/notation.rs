//! Positions and moves as people and programs write them.
//!
//! FEN uses the letters of Fairy-Stockfish (K king, A advisor, B elephant, N horse, R rook, C
//! cannon, P soldier); E and H are understood too. A move names two points. UCI counts the ranks
//! from 1 to 10, UCCI from 0 to 9.

use super::pieces::{Move, Piece, Role, Side, Square};
use super::position::Xiangqi;

/// The position in which a game begins.
pub const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// How the ranks of a move are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// From 1 to 10: `h3e3`.
    Uci,
    /// From 0 to 9: `h2e2`.
    Ucci,
}

/// Why a FEN can't be read.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum FenError {
    /// The board has another size.
    #[error("the board needs 10 ranks of 9 points, separated by /")]
    Size,
    /// A letter that names no piece.
    #[error("{0:?} is no piece; pieces are K A B N R C P, lower case for Black")]
    Piece(char),
    /// A king is missing, stands twice, or stands outside of its palace.
    #[error("each side needs one king, in its palace")]
    Kings,
    /// A side has more of a piece than there are, or one where it can never stand.
    #[error("a side has too many of a piece, or one on a point that it can't reach")]
    Pieces,
    /// The second field is neither `w` nor `b`.
    #[error("the side to move is w (Red) or b (Black), not {0:?}")]
    Turn(String),
    /// The side to move could capture the king.
    #[error("the side that has just moved is in check")]
    Check,
}

/// Why a move can't be played.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum MoveError {
    /// It doesn't name two points.
    #[error("{0:?} is no move; a move names two points, such as {1}")]
    Text(String, &'static str),
    /// No piece of the side to move stands there.
    #[error("{0:?}: no piece of the side to move stands there")]
    NoPiece(String),
    /// The piece doesn't go there.
    #[error("{0:?}: the piece can't go there")]
    Unreachable(String),
    /// The own king would be attacked, or face the other one.
    #[error("{0:?}: the king would be in check, or face the other king")]
    Check(String),
}

const LETTERS: &str = "kabnrcp";

fn piece(letter: char) -> Result<Piece, FenError> {
    let lower = match letter.to_ascii_lowercase() {
        'e' => 'b',
        'h' => 'n',
        lower => lower,
    };
    let index = LETTERS.find(lower).ok_or(FenError::Piece(letter))?;
    let is_red = letter.is_ascii_uppercase();
    let side = if is_red { Side::Red } else { Side::Black };
    Ok(Piece {
        side,
        role: Role::ALL[index],
    })
}

/// The letter of a piece in FEN.
pub(crate) fn letter(piece: Piece) -> char {
    let letter = LETTERS.as_bytes()[piece.role as usize];
    match piece.side {
        Side::Red => letter.to_ascii_uppercase().into(),
        Side::Black => letter.into(),
    }
}

/// The character that stands on a piece.
pub(crate) fn character(piece: Piece) -> char {
    let characters = match piece.side {
        Side::Red => ['帥', '仕', '相', '傌', '俥', '炮', '兵'],
        Side::Black => ['將', '士', '象', '馬', '車', '砲', '卒'],
    };
    characters[piece.role as usize]
}

/// Whether a side can have its pieces on this board: no more than at the beginning of a game, each
/// on points that it can reach.
fn can_have(board: &[Option<Piece>; 90], side: Side) -> bool {
    let mut left = [1, 2, 2, 2, 2, 2, 5];
    let mut pieces = board.iter().enumerate();
    pieces.all(|(square, piece)| {
        let Some(piece) = piece.filter(|piece| piece.side == side) else {
            return true;
        };
        let rank = match side {
            Side::Red => square / 9,
            Side::Black => 9 - square / 9,
        };
        let file = square % 9;
        let is_there = match piece.role {
            Role::Advisor => rank < 3 && (3..6).contains(&file) && (rank + file) % 2 == 1,
            Role::Elephant => {
                rank < 5 && rank % 2 == 0 && file % 2 == 0 && (rank + file) / 2 % 2 == 1
            }
            Role::Soldier => rank > 4 || (rank > 2 && file % 2 == 0),
            _ => true,
        };
        let left = &mut left[piece.role as usize];
        *left -= 1;
        is_there && *left >= 0
    })
}

fn point(square: Square, notation: Notation) -> String {
    let file = char::from(b'a' + square % 9);
    let rank = square / 9 + u8::from(notation == Notation::Uci);
    format!("{file}{rank}")
}

/// Takes a point off the front of a text.
fn take_point(text: &str, notation: Notation) -> Option<(Square, &str)> {
    let mut characters = text.chars();
    let file = characters.next()?.to_ascii_lowercase();
    let rest = characters.as_str();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let rank: u8 = rest[..digits].parse().ok()?;
    let rank = rank.checked_sub(u8::from(notation == Notation::Uci))?;
    let is_on_board = ('a'..='i').contains(&file) && rank < 10;
    is_on_board.then(|| (rank * 9 + (file as u8 - b'a'), &rest[digits..]))
}

impl Move {
    /// The move as a protocol writes it.
    pub fn text(self, notation: Notation) -> String {
        point(self.from, notation) + &point(self.to, notation)
    }
}

impl Default for Xiangqi {
    fn default() -> Xiangqi {
        Xiangqi::from_fen(START).expect("the start is a FEN")
    }
}

impl Xiangqi {
    /// The position of a FEN, as UCCI and Fairy-Stockfish write it. Of its fields the board, the
    /// side to move and the plies without a capture matter; many leave the last out.
    ///
    /// # Errors
    ///
    /// If it isn't one, if a king is missing, or if the side to move could capture the king.
    pub fn from_fen(fen: &str) -> Result<Xiangqi, FenError> {
        let mut fields = fen.split_whitespace();
        let ranks: Vec<&str> = fields.next().unwrap_or_default().split('/').collect();
        if ranks.len() != 10 {
            return Err(FenError::Size);
        }
        let mut board = [None; 90];
        for (rank, text) in ranks.iter().rev().enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                if let Some(empty @ 1..=9) = letter.to_digit(10) {
                    file += empty as usize;
                } else {
                    let piece = piece(letter)?;
                    *board.get_mut(rank * 9 + file).ok_or(FenError::Size)? = Some(piece);
                    file += 1;
                }
                if file > 9 {
                    return Err(FenError::Size);
                }
            }
            if file != 9 {
                return Err(FenError::Size);
            }
        }
        let turn = match fields.next() {
            Some("w" | "r") => Side::Red,
            Some("b") => Side::Black,
            other => return Err(FenError::Turn(other.unwrap_or_default().to_owned())),
        };
        let king = |side, ranks: std::ops::Range<usize>| {
            let king = Some(Piece {
                side,
                role: Role::King,
            });
            let mut squares = (0..90).filter(|square| board[*square] == king);
            let square = squares.next()?;
            let is_in_palace = ranks.contains(&(square / 9)) && (3..6).contains(&(square % 9));
            (is_in_palace && squares.next().is_none()).then_some(square as Square)
        };
        let red = king(Side::Red, 0..3).ok_or(FenError::Kings)?;
        let black = king(Side::Black, 7..10).ok_or(FenError::Kings)?;
        if ![Side::Red, Side::Black]
            .into_iter()
            .all(|side| can_have(&board, side))
        {
            return Err(FenError::Pieces);
        }
        let mut position = Xiangqi::new(board, turn, [red, black]);
        let plies = fields.nth(2).and_then(|plies| plies.parse().ok());
        position.plies_without_capture = plies.unwrap_or(0);
        if position.is_attacked(turn.other()) {
            return Err(FenError::Check);
        }
        Ok(position)
    }

    /// The position as a FEN.
    pub fn fen(&self) -> String {
        let rank = |rank: usize| {
            let mut text = String::new();
            for piece in &self.board[rank * 9..][..9] {
                match (
                    piece,
                    text.chars().last().and_then(|last| last.to_digit(10)),
                ) {
                    (Some(piece), _) => text.push(letter(*piece)),
                    (None, Some(empty)) => {
                        text.pop();
                        text.push_str(&(empty + 1).to_string());
                    }
                    (None, None) => text.push('1'),
                }
            }
            text
        };
        let ranks: Vec<String> = (0..10).rev().map(rank).collect();
        let turn = if self.turn == Side::Red { 'w' } else { 'b' };
        let plies = self.plies_without_capture;
        format!("{} {turn} - - {plies} 1", ranks.join("/"))
    }

    /// Reads a move and plays it.
    ///
    /// # Errors
    ///
    /// If it isn't one, or not a legal one. The position stays as it was.
    pub fn play(&mut self, text: &str, notation: Notation) -> Result<Move, MoveError> {
        let example = if notation == Notation::Uci {
            "h3e3"
        } else {
            "h2e2"
        };
        let read = || {
            let (from, rest) = take_point(text, notation)?;
            let (to, rest) = take_point(rest.trim_start_matches('-'), notation)?;
            rest.is_empty().then_some(Move { from, to })
        };
        let mv = read().ok_or_else(|| MoveError::Text(text.to_owned(), example))?;
        if self
            .piece_at(mv.from)
            .is_none_or(|piece| piece.side != self.turn)
        {
            return Err(MoveError::NoPiece(text.to_owned()));
        }
        if !self.can_reach(mv) {
            return Err(MoveError::Unreachable(text.to_owned()));
        }
        if !self.make_if_legal(mv) {
            return Err(MoveError::Check(text.to_owned()));
        }
        Ok(mv)
    }
}
