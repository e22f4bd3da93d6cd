//! Training positions: quiet positions with the search's score and the result of their game.
//!
//! In a file a position takes 28 bytes; numbers are little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | the occupied squares, a bit each, a1 lowest |
//! | 16 | the pieces on them, a1 first, four bits each, low half first: role from 1, pawn, to 6, king, plus 8 if black |
//! | 2 | the score in centipawns, White's point of view, signed |
//! | 1 | the result: 0 if Black won, 1 if drawn, 2 if White won |
//! | 1 | 1 if Black is to move, else 0 |

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Role};

use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::score::Score;

/// The length of a position in a file, in bytes.
pub const POSITION_BYTES: usize = 28;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// Black won.
    BlackWins,
    /// The game was drawn.
    Draw,
    /// White won.
    WhiteWins,
}

impl GameResult {
    /// The result of a game that has ended by the rules.
    pub(crate) fn by_the_rules(end: GameEnd) -> GameResult {
        end.winner().map_or(GameResult::Draw, GameResult::won_by)
    }

    /// The result of a game that this side won.
    pub(crate) fn won_by(winner: Color) -> GameResult {
        winner.fold_wb(GameResult::WhiteWins, GameResult::BlackWins)
    }

    /// White's points: 0, 0.5 or 1.
    pub(crate) fn points(self) -> f32 {
        match self {
            GameResult::BlackWins => 0.0,
            GameResult::Draw => 0.5,
            GameResult::WhiteWins => 1.0,
        }
    }
}

/// A quiet position, the score that a search gave it and the result of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingPosition {
    /// The pieces on their squares.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The score in centipawns, from White's point of view.
    pub score: i16,
    /// The game's result.
    pub result: GameResult,
}

/// Whether a position is quiet, so that its static evaluation is meaningful: the side to move is
/// not in check, the move that a search chose is neither a capture nor a promotion, and its score
/// is not decisive.
pub(super) fn is_quiet(position: &Chess, best: Move, score: Score) -> bool {
    let is_tactical = best.is_capture() || best.is_promotion();
    !is_tactical && !score.is_decisive() && !position.is_check()
}

impl TrainingPosition {
    /// A position with the score for the side to move, and the result of its game.
    pub fn new(position: &Chess, score: Score, result: GameResult) -> TrainingPosition {
        let turn = position.turn();
        let score = score.value() as i16;
        TrainingPosition {
            board: position.board().clone(),
            turn,
            score: turn.fold_wb(score, -score),
            result,
        }
    }

    /// The position as bytes. At most 32 pieces are written.
    pub fn to_bytes(&self) -> [u8; POSITION_BYTES] {
        let mut bytes = [0; POSITION_BYTES];
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

    /// Reads a position from bytes; `None` if they are not one.
    pub fn from_bytes(bytes: &[u8; POSITION_BYTES]) -> Option<TrainingPosition> {
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
        Some(TrainingPosition {
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
}
