//! Training positions: positions of games with the search's score and the result of their game.
//! Those that tables are fitted to are quiet; whole games keep all that aren't decided.
//!
//! In a file a position takes 28 bytes; numbers are little-endian:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | the occupied squares, a bit each, a1 lowest |
//! | 16 | the pieces on them, a1 first, four bits each, low half first: role from 1, pawn, to 6, king; 0 a pawn that can be captured en passant, 7 a rook that can castle; plus 8 if black |
//! | 2 | the score in centipawns, White's point of view, signed |
//! | 1 | the result: 0 if Black won, 1 if drawn, 2 if White won |
//! | 1 | 1 if Black is to move, else 0 |
//!
//! So a position has all that is needed to search it again, but for the moves before it.

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, Piece, Position,
    Role, Setup, Square,
};

use squarewise_engine::position::draws::GameEnd;
use squarewise_engine::score::Score;

/// What stands in a file for a pawn that can be captured en passant.
const EN_PASSANT_PAWN: u8 = 0;
/// What stands in a file for a rook that can castle.
const CASTLING_ROOK: u8 = 7;

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

/// A position, the score that a search gave it and the result of its game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrainingPosition {
    /// The pieces on their squares.
    pub board: Board,
    /// The side to move.
    pub turn: Color,
    /// The rooks that can castle.
    pub castling_rights: Bitboard,
    /// The square on which a pawn can be captured en passant.
    pub en_passant: Option<Square>,
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
            castling_rights: position.castles().castling_rights(),
            en_passant: position.ep_square(EnPassantMode::Legal),
            score: turn.fold_wb(score, -score),
            result,
        }
    }

    /// The position, to be searched again. Its castling rights are those of Chess960, which
    /// standard chess is a case of. `None` if its pieces can't stand so.
    pub fn position(&self) -> Option<Chess> {
        let setup = Setup {
            board: self.board.clone(),
            turn: self.turn,
            castling_rights: self.castling_rights,
            ep_square: self.en_passant,
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Chess960).ok()
    }

    /// The square of the pawn that can be captured en passant.
    fn en_passant_pawn(&self) -> Option<Square> {
        let target = self.en_passant?;
        target.offset(self.turn.fold_wb(-8, 8))
    }

    /// The position as bytes. At most 32 pieces are written.
    pub fn to_bytes(&self) -> [u8; POSITION_BYTES] {
        let mut bytes = [0; POSITION_BYTES];
        bytes[..8].copy_from_slice(&self.board.occupied().0.to_le_bytes());
        let en_passant_pawn = self.en_passant_pawn();
        for (place, (square, piece)) in self.board.iter().take(32).enumerate() {
            let kind = match piece.role {
                Role::Pawn if Some(square) == en_passant_pawn => EN_PASSANT_PAWN,
                Role::Rook if self.castling_rights.contains(square) => CASTLING_ROOK,
                role => u8::from(role),
            };
            let number = kind | u8::from(piece.color.is_black()) << 3;
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
        let turn = match bytes[27] {
            0 => Color::White,
            1 => Color::Black,
            _ => return None,
        };
        let (mut castling_rights, mut en_passant) = (Bitboard::EMPTY, None);
        let mut board = Board::empty();
        for (place, square) in occupied.into_iter().enumerate() {
            let number = bytes[8 + place / 2] >> (place % 2 * 4) & 15;
            let color = Color::from_black(number & 8 != 0);
            let role = match number & 7 {
                EN_PASSANT_PAWN if color != turn && en_passant.is_none() => {
                    en_passant = Some(square.offset(turn.fold_wb(8, -8))?);
                    Role::Pawn
                }
                EN_PASSANT_PAWN => return None,
                CASTLING_ROOK => {
                    castling_rights.add(square);
                    Role::Rook
                }
                role => Role::ALL[usize::from(role) - 1],
            };
            board.set_piece_at(square, Piece { color, role });
        }
        let has_kings = Color::ALL
            .into_iter()
            .all(|color| board.king_of(color).is_some());
        Some(TrainingPosition {
            board: has_kings.then_some(board)?,
            turn,
            castling_rights,
            en_passant,
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
