//! What a position is worth without looking ahead: material and piece-square tables, nothing else.
//!
//! Every piece on its square has two values, one for the middle game and one for the end game. The sums of
//! all of them are kept as running [`Accumulator`], which the game updates with each move, so that an evaluation
//! costs a few additions. The two are blended by the material left on the board (the *phase*), a scheme
//! known as tapered evaluation.
//!
//! The board is summed twice, once as each side sees it from behind its own king, because a set of tables
//! may choose its values by where that king stands (see [`shape`]). A move updates both sums; only when a
//! king changes its bucket is that side's sum made afresh. To what its pieces are worth one by one, each
//! side adds what they are worth together (see [`army`]).

pub mod explain;
pub mod file;
pub mod heat_map;
pub mod king_buckets;
pub mod learned;
pub mod material;
pub mod simplified;
pub mod tables;

pub use tables::{TableSet, Tables, TaperedScore};

use shakmaty::{Board, Color, Role, Square};

use crate::score::Score;
use king_buckets::Perspective;
use material::Material;

/// The phase of the full set of pieces; 0 is pawns and kings alone.
pub const MAX_PHASE: i32 = 24;

/// What one piece contributes to the phase: minor 1, rook 2, queen 4.
pub fn phase_of(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

/// The running sums of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accumulator {
    /// Indexed by color: what that side sees.
    sides: [PerspectiveSum; 2],
    phase: i32,
}

/// What one side sees from behind its king: all pieces, the enemy's too, and its own army.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PerspectiveSum {
    view: Perspective,
    army: Material,
    sum: TaperedScore,
}

impl PerspectiveSum {
    fn of(board: &Board, side: Color, view: Perspective, tables: &Tables) -> PerspectiveSum {
        let army = Material::of(board, side);
        let mut sum = tables.material_score(army);
        for (square, piece) in board.iter() {
            sum += tables.weight(view, piece.color != side, piece.role, square);
        }
        PerspectiveSum { view, army, sum }
    }

    /// A piece joins this side's army or leaves it.
    #[inline]
    fn change_army(&mut self, tables: &Tables, change: impl FnOnce(&mut Material)) {
        self.sum -= tables.material_score(self.army);
        change(&mut self.army);
        self.sum += tables.material_score(self.army);
    }
}

impl Accumulator {
    /// The sums of a whole board, computed afresh. A side without a king is looked at as if it stood on a1.
    pub fn of(board: &Board, tables: &Tables) -> Accumulator {
        let side_sum = |side| {
            let king = board.king_of(side).unwrap_or(Square::A1);
            PerspectiveSum::of(board, side, tables.shape().view(side, king), tables)
        };
        Accumulator {
            sides: [Color::Black, Color::White].map(side_sum),
            phase: board.iter().map(|(_, piece)| phase_of(piece.role)).sum(),
        }
    }

    /// A piece appears on a square.
    #[inline]
    pub fn place(&mut self, tables: &Tables, color: Color, role: Role, square: Square) {
        for side in Color::ALL {
            let PerspectiveSum { view, sum, .. } = &mut self.sides[usize::from(side)];
            *sum += tables.weight(*view, color != side, role, square);
        }
        self.sides[usize::from(color)].change_army(tables, |army| army.join(role));
        self.phase += phase_of(role);
    }

    /// A piece leaves the board.
    #[inline]
    pub fn remove(&mut self, tables: &Tables, color: Color, role: Role, square: Square) {
        for side in Color::ALL {
            let PerspectiveSum { view, sum, .. } = &mut self.sides[usize::from(side)];
            *sum -= tables.weight(*view, color != side, role, square);
        }
        self.sides[usize::from(color)].change_army(tables, |army| army.leave(role));
        self.phase -= phase_of(role);
    }

    /// A piece goes from one square to another. A king's move is followed by [`Accumulator::follow_king`].
    #[inline]
    pub fn shift(&mut self, tables: &Tables, color: Color, role: Role, from: Square, to: Square) {
        for side in Color::ALL {
            let PerspectiveSum { view, sum, .. } = &mut self.sides[usize::from(side)];
            *sum -= tables.weight(*view, color != side, role, from);
            *sum += tables.weight(*view, color != side, role, to);
        }
    }

    /// The king of `side` has come to stand on `king`: if that changes how the side sees the board, its sum
    /// is made afresh.
    #[inline]
    pub fn follow_king(&mut self, tables: &Tables, board: &Board, side: Color, king: Square) {
        let view = tables.shape().view(side, king);
        if self.sides[usize::from(side)].view != view {
            self.sides[usize::from(side)] = PerspectiveSum::of(board, side, view, tables);
        }
    }

    /// What White sees less what Black sees.
    #[inline]
    pub fn balance(self) -> TaperedScore {
        let [black, white] = self.sides;
        let mut balance = white.sum;
        balance -= black.sum;
        balance
    }

    /// The pieces of a side by number.
    pub fn army(self, side: Color) -> Material {
        self.sides[usize::from(side)].army
    }

    /// How a side sees the board.
    pub fn view(self, side: Color) -> Perspective {
        self.sides[usize::from(side)].view
    }

    /// The phase, 0 to [`MAX_PHASE`]; promotions can't push it beyond the full set.
    #[inline]
    pub fn phase(self) -> i32 {
        self.phase.min(MAX_PHASE)
    }
}

/// The evaluation, from the view of the side to move: the balance blended by phase, and the tempo.
#[inline]
pub fn evaluate(sums: Accumulator, tables: &Tables, turn: Color) -> Score {
    let phase = sums.phase();
    let balance = sums.balance();
    let blended = balance.middle_game * phase + balance.end_game * (MAX_PHASE - phase);
    let white_view = blended / MAX_PHASE;
    Score::centipawns(turn.fold_wb(white_view, -white_view) + tables.tempo())
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
        evaluate(Accumulator::of(&setup.board, &tables), &tables, setup.turn).value()
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
            Accumulator::of(board, &TableSet::Simplified.tables()).phase(),
            MAX_PHASE
        );
    }

    #[test]
    fn the_blend_goes_from_the_end_game_value_to_the_middle_game_value() {
        let tables = TableSet::Simplified.tables();
        let board = Board::default();
        let at = |phase| {
            let mut sums = Accumulator {
                phase,
                ..Accumulator::of(&board, &tables)
            };
            sums.sides[usize::from(Color::White)].sum += TaperedScore {
                middle_game: 240,
                end_game: -240,
            };
            evaluate(sums, &tables, Color::White).value()
        };
        assert_eq!(at(0), -240);
        assert_eq!(at(12), 0);
        assert_eq!(at(24), 240);
        assert_eq!(at(30), 240);
    }
}
