//! What a position is worth without looking ahead: material and piece-square tables, nothing else.
//!
//! Every piece on its square has two values, one for the middle game and one for the end game. The
//! balance of all of them is kept as running [`Sums`], which the game updates with each move, so that an
//! evaluation costs a few additions. The two balances are blended by the material left on the board
//! (the *phase*), a scheme known as tapered evaluation.

pub mod explain;
pub mod simplified;
pub mod tables;

pub use tables::{TableSet, Tables, Weight};

use shakmaty::{Board, Color, Role, Square};

use crate::score::Score;

/// The phase of the full set of pieces; 0 is pawns and kings alone.
pub const PHASE_LIMIT: i32 = 24;

/// What one piece contributes to the phase: minor 1, rook 2, queen 4.
pub fn phase_of(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

/// The running balance of a board: White's pieces less Black's, and the phase of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sums {
    balance: Weight,
    phase: i32,
}

impl Sums {
    /// The sums of a whole board, computed afresh.
    pub fn of(board: &Board, tables: &Tables) -> Sums {
        let mut sums = Sums::default();
        for (square, piece) in board.iter() {
            sums.place(tables, piece.color, piece.role, square);
        }
        sums
    }

    /// A piece appears on a square.
    #[inline]
    pub fn place(&mut self, tables: &Tables, color: Color, role: Role, square: Square) {
        self.balance += tables.weight(color, role, square);
        self.phase += phase_of(role);
    }

    /// A piece leaves the board.
    #[inline]
    pub fn remove(&mut self, tables: &Tables, color: Color, role: Role, square: Square) {
        self.balance -= tables.weight(color, role, square);
        self.phase -= phase_of(role);
    }

    /// A piece goes from one square to another.
    #[inline]
    pub fn shift(&mut self, tables: &Tables, color: Color, role: Role, from: Square, to: Square) {
        self.balance -= tables.weight(color, role, from);
        self.balance += tables.weight(color, role, to);
    }

    /// The two balances, White's view.
    pub fn balance(self) -> Weight {
        self.balance
    }

    /// The phase, 0 to [`PHASE_LIMIT`]; promotions can't push it beyond the full set.
    pub fn phase(self) -> i32 {
        self.phase.min(PHASE_LIMIT)
    }
}

/// The evaluation, from the view of the side to move: the two balances blended by phase.
#[inline]
pub fn evaluate(sums: Sums, turn: Color) -> Score {
    let phase = sums.phase();
    let blended = sums.balance.middle_game * phase + sums.balance.end_game * (PHASE_LIMIT - phase);
    let white_view = blended / PHASE_LIMIT;
    Score::centipawns(turn.fold_wb(white_view, -white_view))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::fen::Fen;

    /// The board alone is asked for, since one published check value is for an illegal position.
    fn evaluated(fen: &str) -> i32 {
        let fen: Fen = fen.parse().expect("a valid FEN");
        let setup = fen.as_setup();
        let tables = TableSet::Simplified.tables();
        evaluate(Sums::of(&setup.board, &tables), setup.turn).value()
    }

    #[test]
    fn the_published_check_values_come_out() {
        for line in include_str!("../../tests/data/simplified-check-values.txt").lines() {
            let (fen, expected) = line.split_once(';').expect("a position and a value");
            assert_eq!(evaluated(fen).to_string(), expected, "{fen}");
        }
    }

    #[test]
    fn the_phase_never_exceeds_the_full_set() {
        let fen: Fen = "QQQQ3k/8/8/8/8/8/8/QQQQ3K w - - 0 1"
            .parse()
            .expect("a valid FEN");
        let board = &fen.as_setup().board;
        assert_eq!(
            Sums::of(board, &TableSet::Simplified.tables()).phase(),
            PHASE_LIMIT
        );
    }

    #[test]
    fn the_blend_goes_from_the_end_game_value_to_the_middle_game_value() {
        let balance = Weight {
            middle_game: 240,
            end_game: -240,
        };
        let at = |phase| evaluate(Sums { balance, phase }, Color::White).value();
        assert_eq!(at(0), -240);
        assert_eq!(at(12), 0);
        assert_eq!(at(24), 240);
    }
}
