//! A quiet position written down for the tuner: what stood on the board, what the search thought of it and
//! what came of the game.
//!
//! In a file it takes 28 bytes, numbers little-endian: the occupied squares (8); the pieces on them, a1
//! first, four bits each, low half first (16): role from 1, pawn, to 6, king, plus 8 if black; the score in
//! centipawns, White's view (2, signed); the game's result, 0 if Black won, 1 drawn, 2 if White won (1); and
//! 1 if Black is to move, else 0 (1).

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

/// The length of a position.
pub const RECORD_BYTES: usize = 28;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// Nobody won.
    Draw,
    /// White won.
    WhiteWins,
}

impl GameResult {
    /// The winner's result.
    pub fn won_by(winner: Color) -> GameResult {
        winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
    }

    /// White's points: 0, a half, 1.
    pub fn points(self) -> f32 {
        match self {
            GameResult::BlackWins => 0.0,
            GameResult::Draw => 0.5,
            GameResult::WhiteWins => 1.0,
        }
    }
}

/// A quiet position, what the search thought of it and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The score in centipawns, White's view.
    pub score: i16,
    /// The game's result.
    pub result: GameResult,
}

impl Record {
    /// The record as bytes. Boards of chess have 32 pieces at most.
    pub fn to_bytes(&self) -> [u8; RECORD_BYTES] {
        let mut bytes = [0; RECORD_BYTES];
        bytes[..8].copy_from_slice(&self.board.occupied().0.to_le_bytes());
        for (place, (_, piece)) in self.board.iter().take(32).enumerate() {
            let number = u8::from(piece.role) | u8::from(piece.color.is_black()) << 3;
            bytes[8 + place / 2] |= number << (place % 2 * 4);
        }
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = match self.result {
            GameResult::BlackWins => 0,
            GameResult::Draw => 1,
            GameResult::WhiteWins => 2,
        };
        bytes[27] = u8::from(self.turn.is_black());
        bytes
    }

    /// The record that these bytes hold; `None` if they hold none.
    pub fn from_bytes(bytes: &[u8; RECORD_BYTES]) -> Option<Record> {
        let occupied = Bitboard(u64::from_le_bytes(bytes[..8].try_into().ok()?));
        if occupied.count() > 32 {
            return None;
        }
        let mut board = Board::empty();
        for (place, square) in occupied.into_iter().enumerate() {
            let number = bytes[8 + place / 2] >> (place % 2 * 4) & 15;
            let role = *Role::ALL.get(usize::from(number & 7).checked_sub(1)?)?;
            let color = Color::from_black(number & 8 != 0);
            board.set_piece_at(square, Piece { color, role });
        }
        let has_kings = Color::ALL
            .into_iter()
            .all(|color| board.king_of(color).is_some());
        Some(Record {
            board: has_kings.then_some(board)?,
            turn: match bytes[27] {
                0 => Color::White,
                1 => Color::Black,
                _ => return None,
            },
            score: i16::from_le_bytes([bytes[24], bytes[25]]),
            result: match bytes[26] {
                0 => GameResult::BlackWins,
                1 => GameResult::Draw,
                2 => GameResult::WhiteWins,
                _ => return None,
            },
        })
    }

    /// The square of a side's king.
    pub fn king(&self, side: Color) -> Square {
        self.board.king_of(side).unwrap_or(Square::A1)
    }
}
