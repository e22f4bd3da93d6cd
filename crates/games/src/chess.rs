//! The chess program of a published article on python-chess, as the third game of the search: its
//! material, its piece-square tables, its quiescence, which follows captures only. The engine
//! Squarewise is what became of it.
//!
//! The article teaches a computer chess in a hundred lines of Python. The tables are Tomasz
//! Michniewski's "Simplified Evaluation Function"; the queen's isn't symmetric, and stays so.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Move, Position, Role};

use crate::game::{Game, Outcome, RankedMove, Score};

/// What pawn, knight, bishop, rook, queen and king are worth, in centipawns.
const MATERIAL: [Score; 6] = [100, 320, 330, 500, 900, 0];

/// What a square adds, from White's side: a1, b1, ..., h8. In the order of [`MATERIAL`].
#[rustfmt::skip]
const SQUARES: [[i8; 64]; 6] = [
    [ // pawn
        0, 0, 0, 0, 0, 0, 0, 0,
        5, 10, 10, -20, -20, 10, 10, 5,
        5, -5, -10, 0, 0, -10, -5, 5,
        0, 0, 0, 20, 20, 0, 0, 0,
        5, 5, 10, 25, 25, 10, 5, 5,
        10, 10, 20, 30, 30, 20, 10, 10,
        50, 50, 50, 50, 50, 50, 50, 50,
        0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [ // knight
        -50, -40, -30, -30, -30, -30, -40, -50,
        -40, -20, 0, 5, 5, 0, -20, -40,
        -30, 5, 10, 15, 15, 10, 5, -30,
        -30, 0, 15, 20, 20, 15, 0, -30,
        -30, 5, 15, 20, 20, 15, 5, -30,
        -30, 0, 10, 15, 15, 10, 0, -30,
        -40, -20, 0, 0, 0, 0, -20, -40,
        -50, -40, -30, -30, -30, -30, -40, -50,
    ],
    [ // bishop
        -20, -10, -10, -10, -10, -10, -10, -20,
        -10, 5, 0, 0, 0, 0, 5, -10,
        -10, 10, 10, 10, 10, 10, 10, -10,
        -10, 0, 10, 10, 10, 10, 0, -10,
        -10, 5, 5, 10, 10, 5, 5, -10,
        -10, 0, 5, 10, 10, 5, 0, -10,
        -10, 0, 0, 0, 0, 0, 0, -10,
        -20, -10, -10, -10, -10, -10, -10, -20,
    ],
    [ // rook
        0, 0, 0, 5, 5, 0, 0, 0,
        -5, 0, 0, 0, 0, 0, 0, -5,
        -5, 0, 0, 0, 0, 0, 0, -5,
        -5, 0, 0, 0, 0, 0, 0, -5,
        -5, 0, 0, 0, 0, 0, 0, -5,
        -5, 0, 0, 0, 0, 0, 0, -5,
        5, 10, 10, 10, 10, 10, 10, 5,
        0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [ // queen
        -20, -10, -10, -5, -5, -10, -10, -20,
        -10, 0, 0, 0, 0, 0, 0, -10,
        -10, 5, 5, 5, 5, 5, 0, -10,
        0, 0, 5, 5, 5, 5, 0, -5,
        -5, 0, 5, 5, 5, 5, 0, -5,
        -10, 0, 5, 5, 5, 5, 0, -10,
        -10, 0, 0, 0, 0, 0, 0, -10,
        -20, -10, -10, -5, -5, -10, -10, -20,
    ],
    [ // king
        20, 30, 10, 0, 0, 10, 30, 20,
        20, 20, 0, 0, 0, 0, 20, 20,
        -10, -20, -20, -20, -20, -20, -20, -10,
        -20, -30, -30, -40, -40, -30, -30, -20,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
        -30, -40, -40, -50, -50, -40, -40, -30,
    ],
];

/// A game of chess, as all of its positions: the last is the one that is searched.
#[derive(Clone, Debug)]
pub struct ArticleChess {
    positions: Vec<Chess>,
}

impl ArticleChess {
    /// A game that begins with a position.
    pub fn new(position: Chess) -> ArticleChess {
        ArticleChess {
            positions: vec![position],
        }
    }

    /// The position that is searched.
    pub fn position(&self) -> &Chess {
        &self.positions[self.positions.len() - 1]
    }
}

/// What a capture or a promotion wins, the most valuable victim first and by the least valuable
/// attacker (*MVV-LVA*).
fn ranked(mv: Move) -> RankedMove<Move> {
    let worth = |role: Role| MATERIAL[role as usize - 1];
    let victim = mv.capture().map_or(0, worth);
    RankedMove {
        mv,
        rank: 10 * victim + mv.promotion().map_or(0, worth) - worth(mv.role()) / 100,
        is_tactical: mv.is_capture() || mv.is_promotion(),
    }
}

impl Game for ArticleChess {
    type Move = Move;

    fn result(&self) -> Option<Outcome> {
        let position = self.position();
        if position.is_insufficient_material() {
            return Some(Outcome::Drawn);
        }
        position
            .legal_moves()
            .is_empty()
            .then(|| self.result_without_moves())
    }

    fn result_without_moves(&self) -> Outcome {
        if self.position().is_check() {
            Outcome::Lost
        } else {
            Outcome::Drawn
        }
    }

    fn moves(&self, moves: &mut Vec<RankedMove<Move>>) {
        moves.extend(self.position().legal_moves().into_iter().map(ranked));
    }

    fn forcing_moves(&self, moves: &mut Vec<RankedMove<Move>>) {
        moves.extend(self.position().capture_moves().into_iter().map(ranked));
    }

    /// The article's quiescence stands pat in check too.
    fn must_answer(&self) -> bool {
        false
    }

    fn make(&mut self, mv: Move) -> bool {
        let mut position = self.position().clone();
        position.play_unchecked(mv);
        self.positions.push(position);
        true
    }

    fn unmake(&mut self) {
        self.positions.pop();
    }

    fn evaluate(&self) -> Score {
        let position = self.position();
        let mut white = 0;
        for (square, piece) in position.board().clone() {
            let role = piece.role as usize - 1;
            let (sign, seen_from_own_side) = match piece.color {
                Color::White => (1, square),
                Color::Black => (-1, square.flip_vertical()),
            };
            white +=
                sign * (MATERIAL[role] + Score::from(SQUARES[role][seen_from_own_side as usize]));
        }
        position.turn().fold_wb(white, -white)
    }

    fn key(&self) -> u64 {
        let key: Zobrist64 = self.position().zobrist_hash(EnPassantMode::Legal);
        key.0
    }

    fn history_slot(&self, mv: Move) -> usize {
        let from = mv.from().map_or(0, usize::from);
        let side = self.position().turn().fold_wb(0, 1);
        side << 12 | from << 6 | usize::from(mv.to())
    }
}
