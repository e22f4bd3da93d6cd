//! The type of a set of tables, and the sets that ship with the engine.
//!
//! A set holds one [`Weight`] for every piece on every square, material folded in, already signed: a
//! black piece's weight is negative, so that the running sums only ever add and subtract. Sets are
//! written from White's side of the board, first rank first; Black reads them mirrored top to bottom.

use std::ops::{AddAssign, Neg, SubAssign};
use std::sync::{Arc, LazyLock};

use shakmaty::{Color, Role, Square};

use super::simplified;

/// The value of a piece on a square in centipawns, in the middle game and in the end game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// In the middle game, with all pieces on the board.
    pub middle_game: i32,
    /// In the end game, with kings and pawns alone.
    pub end_game: i32,
}

impl Weight {
    /// A value that is the same in all phases.
    pub const fn flat(value: i32) -> Weight {
        Weight {
            middle_game: value,
            end_game: value,
        }
    }
}

impl AddAssign for Weight {
    #[inline]
    fn add_assign(&mut self, other: Weight) {
        self.middle_game += other.middle_game;
        self.end_game += other.end_game;
    }
}

impl SubAssign for Weight {
    #[inline]
    fn sub_assign(&mut self, other: Weight) {
        self.middle_game -= other.middle_game;
        self.end_game -= other.end_game;
    }
}

impl Neg for Weight {
    type Output = Weight;

    fn neg(self) -> Weight {
        Weight {
            middle_game: -self.middle_game,
            end_game: -self.end_game,
        }
    }
}

/// One role's sheet as an author writes it: its material and its 64 squares, a1 first, White's view.
#[derive(Clone, Copy, Debug)]
pub struct Sheet {
    /// What the piece is worth wherever it stands.
    pub material: Weight,
    /// What each square adds.
    pub squares: [Weight; 64],
}

/// A complete set of tables.
#[derive(Clone, Debug)]
pub struct Tables {
    /// Indexed by color (Black 0, White 1), role and square; signed, material included.
    weights: Box<[[[Weight; 64]; 6]; 2]>,
    /// Indexed by role: the material share of the weights.
    material: [Weight; 6],
}

impl Tables {
    /// Folds six sheets, pawn to king, into a set.
    pub fn from_sheets(sheets: &[Sheet; 6]) -> Tables {
        let mut weights = Box::new([[[Weight::default(); 64]; 6]; 2]);
        for (role, sheet) in sheets.iter().enumerate() {
            for square in Square::ALL {
                let mut weight = sheet.material;
                weight += sheet.squares[usize::from(square)];
                weights[usize::from(Color::White)][role][usize::from(square)] = weight;
                let mirrored = usize::from(square.flip_vertical());
                weights[usize::from(Color::Black)][role][mirrored] = -weight;
            }
        }
        Tables {
            weights,
            material: sheets.each_ref().map(|sheet| sheet.material),
        }
    }

    /// The signed value of a piece on a square: positive for White.
    #[inline]
    pub fn weight(&self, color: Color, role: Role, square: Square) -> Weight {
        self.weights[usize::from(color)][usize::from(role) - 1][usize::from(square)]
    }

    /// What a role is worth wherever it stands.
    pub fn material(&self, role: Role) -> Weight {
        self.material[usize::from(role) - 1]
    }
}

/// The sets that ship with the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableSet {
    /// The tables of the published article, number for number.
    #[default]
    Simplified,
}

impl TableSet {
    /// Every set, in the order in which they are offered.
    pub const ALL: [TableSet; 1] = [TableSet::Simplified];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            TableSet::Simplified => "Simplified",
        }
    }

    /// The tables themselves, shared.
    pub fn tables(self) -> Arc<Tables> {
        static SIMPLIFIED: LazyLock<Arc<Tables>> =
            LazyLock::new(|| Arc::new(Tables::from_sheets(&simplified::SHEETS)));
        match self {
            TableSet::Simplified => Arc::clone(&SIMPLIFIED),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_reads_the_board_from_the_other_side() {
        let tables = TableSet::Simplified.tables();
        for role in Role::ALL {
            for square in Square::ALL {
                let white = tables.weight(Color::White, role, square);
                let black = tables.weight(Color::Black, role, square.flip_vertical());
                assert_eq!(white, -black, "{role:?} on {square}");
            }
        }
    }
}
