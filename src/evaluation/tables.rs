//! The type of a set of tables, and the sets that ship with the engine.
//!
//! A set holds a [`Weight`] for every piece on every square, material folded in, seen from each side in
//! turn: own pieces and enemy pieces have tables of their own, chosen by the bucket of that side's king
//! (see [`Shape`]). Another table holds what pieces are worth together (see [`super::army`]). What a side
//! sees is good for it; the evaluation is what White sees less what Black sees.

use std::ops::{AddAssign, Neg, SubAssign};
use std::sync::{Arc, LazyLock};

use shakmaty::{Color, Role, Square};

use super::material::{ARMIES, Army};
use super::king_buckets::{BUCKET_LENGTH, Shape, View};
use super::{learned, simplified};

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

/// A [`Weight`] as it lies in memory: half the size, so that more of them stay close at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// In the middle game.
    pub middle_game: i16,
    /// In the end game.
    pub end_game: i16,
}

impl From<Cell> for Weight {
    #[inline]
    fn from(cell: Cell) -> Weight {
        Weight {
            middle_game: i32::from(cell.middle_game),
            end_game: i32::from(cell.end_game),
        }
    }
}

/// A complete set of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    shape: Shape,
    /// Indexed by [`View::index`].
    cells: Box<[Cell]>,
    /// Indexed by [`Army::index`].
    armies: Box<[Cell]>,
    /// What it is worth to be on the move, in centipawns.
    tempo: i16,
    /// Indexed by role: the share of the weights that is told as material.
    material: [Weight; 6],
}

impl Tables {
    /// Folds six sheets, pawn to king, into a set that doesn't look at the kings.
    pub fn from_sheets(sheets: &[Sheet; 6]) -> Tables {
        let mut cells = vec![Cell::default(); BUCKET_LENGTH].into_boxed_slice();
        let view = Shape::PLAIN.view(Color::White, Square::A1);
        for (role, sheet) in sheets.iter().enumerate() {
            for square in Square::ALL {
                let added = sheet.squares[usize::from(square)];
                cells[view.index(false, role, square)] = Cell {
                    middle_game: (sheet.material.middle_game + added.middle_game) as i16,
                    end_game: (sheet.material.end_game + added.end_game) as i16,
                };
            }
        }
        let material = sheets.each_ref().map(|sheet| sheet.material);
        Tables {
            shape: Shape::PLAIN,
            cells,
            armies: no_armies().into_boxed_slice(),
            tempo: 0,
            material,
        }
    }

    /// A set from its values, in the order of [`View::index`], and what armies are worth beyond the sum of
    /// their pieces, in that of [`Army::index`].
    ///
    /// # Panics
    ///
    /// If there are not as many values as the shape asks for, or as there are armies.
    pub fn from_cells(shape: Shape, cells: Vec<Cell>, armies: Vec<Cell>, tempo: i16) -> Tables {
        assert_eq!(
            cells.len(),
            shape.length(),
            "as many values as the shape asks for"
        );
        assert_eq!(armies.len(), ARMIES, "a value for each army");
        let material = average_material(&cells);
        Tables {
            shape,
            cells: cells.into_boxed_slice(),
            armies: armies.into_boxed_slice(),
            tempo,
            material,
        }
    }

    /// A set that knows nothing: all values are zero.
    pub fn zero() -> Tables {
        let cells = vec![Cell::default(); Shape::PLAIN.length()];
        Tables::from_cells(Shape::PLAIN, cells, no_armies(), 0)
    }

    /// Whether the set knows nothing.
    pub fn is_zero(&self) -> bool {
        let mut cells = self.cells.iter().chain(&self.armies);
        self.tempo == 0 && cells.all(|cell| *cell == Cell::default())
    }

    /// How the set looks at the kings.
    #[inline]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// All values, in the order of [`View::index`].
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// What armies are worth beyond the sum of their pieces, in the order of [`Army::index`].
    pub fn armies(&self) -> &[Cell] {
        &self.armies
    }

    /// What it is worth to be on the move, in centipawns.
    #[inline]
    pub fn tempo(&self) -> i32 {
        i32::from(self.tempo)
    }

    /// What a piece is worth to the side that sees it so.
    #[inline]
    pub fn weight(&self, view: View, is_enemy: bool, role: Role, square: Square) -> Weight {
        self.cells[view.index(is_enemy, usize::from(role) - 1, square)].into()
    }

    /// What an army is worth to its side beyond the sum of its pieces.
    #[inline]
    pub fn army_weight(&self, army: Army) -> Weight {
        self.armies[army.index()].into()
    }

    /// The share of a role's weights that is told as material: for the published tables as published, for
    /// others the average.
    pub fn material(&self, role: Role) -> Weight {
        self.material[usize::from(role) - 1]
    }
}

/// Armies that are worth no more than their pieces.
pub fn no_armies() -> Vec<Cell> {
    vec![Cell::default(); ARMIES]
}

/// What each role is worth on average to its own side: as its own piece, less as the enemy's.
fn average_material(cells: &[Cell]) -> [Weight; 6] {
    let buckets = (cells.len() / BUCKET_LENGTH) as i32;
    std::array::from_fn(|role| {
        let mut sum = Weight::default();
        for bucket in cells.chunks_exact(BUCKET_LENGTH) {
            for square in 0..64 {
                sum += bucket[role * 64 + square].into();
                sum -= bucket[(6 + role) * 64 + square].into();
            }
        }
        // Pawns stand on 48 squares only.
        let squares = buckets * if role == 0 { 48 } else { 64 };
        Weight {
            middle_game: sum.middle_game / squares,
            end_game: sum.end_game / squares,
        }
    })
}

/// The sets that ship with the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableSet {
    /// What the engine learned from its own games.
    #[default]
    Learned,
    /// The tables of the published article, number for number.
    Simplified,
}

impl TableSet {
    /// Every set, in the order in which they are offered.
    pub const ALL: [TableSet; 2] = [TableSet::Learned, TableSet::Simplified];

    /// The name by which users choose it.
    pub fn name(self) -> &'static str {
        match self {
            TableSet::Learned => "Learned",
            TableSet::Simplified => "Simplified",
        }
    }

    /// The set of this name, in any case.
    pub fn named(name: &str) -> Option<TableSet> {
        TableSet::ALL
            .into_iter()
            .find(|set| set.name().eq_ignore_ascii_case(name))
    }

    /// The tables themselves, shared.
    pub fn tables(self) -> Arc<Tables> {
        static LEARNED: LazyLock<Arc<Tables>> =
            LazyLock::new(|| Arc::new(learned::document().tables));
        static SIMPLIFIED: LazyLock<Arc<Tables>> =
            LazyLock::new(|| Arc::new(Tables::from_sheets(&simplified::SHEETS)));
        match self {
            TableSet::Learned => Arc::clone(&LEARNED),
            TableSet::Simplified => Arc::clone(&SIMPLIFIED),
        }
    }
}
