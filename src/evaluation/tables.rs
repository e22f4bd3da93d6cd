//! The type of a set of tables, and the sets that ship with the engine.
//!
//! A set holds a [`TaperedScore`] for every piece on every square, material folded in, seen from each side in
//! turn: own pieces and enemy pieces have tables of their own, chosen by the bucket of that side's king
//! (see [`KingBuckets`]). Another table holds what pieces are worth together (see [`super::army`]). What a side
//! sees is good for it; the evaluation is what White sees less what Black sees.

use std::ops::{AddAssign, Neg, SubAssign};
use std::sync::{Arc, LazyLock};

use shakmaty::{Color, Role, Square};

use super::king_buckets::{BUCKET_SIZE, KingBuckets, Perspective};
use super::material::{MATERIAL_SIZE, Material};
use super::{learned, simplified};

/// The value of a piece on a square in centipawns, in the middle game and in the end game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TaperedScore {
    /// In the middle game, with all pieces on the board.
    pub middle_game: i32,
    /// In the end game, with kings and pawns alone.
    pub end_game: i32,
}

impl TaperedScore {
    /// A value that is the same in all phases.
    pub const fn flat(value: i32) -> TaperedScore {
        TaperedScore {
            middle_game: value,
            end_game: value,
        }
    }
}

impl AddAssign for TaperedScore {
    #[inline]
    fn add_assign(&mut self, other: TaperedScore) {
        self.middle_game += other.middle_game;
        self.end_game += other.end_game;
    }
}

impl SubAssign for TaperedScore {
    #[inline]
    fn sub_assign(&mut self, other: TaperedScore) {
        self.middle_game -= other.middle_game;
        self.end_game -= other.end_game;
    }
}

impl Neg for TaperedScore {
    type Output = TaperedScore;

    fn neg(self) -> TaperedScore {
        TaperedScore {
            middle_game: -self.middle_game,
            end_game: -self.end_game,
        }
    }
}

/// One role's sheet as an author writes it: its material and its 64 squares, a1 first, White's view.
#[derive(Clone, Copy, Debug)]
pub struct PieceSquareTable {
    /// What the piece is worth wherever it stands.
    pub material: TaperedScore,
    /// What each square adds.
    pub squares: [TaperedScore; 64],
}

/// A [`TaperedScore`] as it lies in memory: half the size, so that more of them stay close at hand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PackedScore {
    /// In the middle game.
    pub middle_game: i16,
    /// In the end game.
    pub end_game: i16,
}

impl From<PackedScore> for TaperedScore {
    #[inline]
    fn from(cell: PackedScore) -> TaperedScore {
        TaperedScore {
            middle_game: i32::from(cell.middle_game),
            end_game: i32::from(cell.end_game),
        }
    }
}

/// A complete set of tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tables {
    shape: KingBuckets,
    /// Indexed by [`Perspective::index`].
    cells: Box<[PackedScore]>,
    /// Indexed by [`Material::index`].
    armies: Box<[PackedScore]>,
    /// What it is worth to be on the move, in centipawns.
    tempo: i16,
    /// Indexed by role: the share of the weights that is told as material.
    material: [TaperedScore; 6],
}

impl Tables {
    /// Folds six sheets, pawn to king, into a set that doesn't look at the kings.
    pub fn from_piece_square_tables(sheets: &[PieceSquareTable; 6]) -> Tables {
        let mut cells = vec![PackedScore::default(); BUCKET_SIZE].into_boxed_slice();
        let view = KingBuckets::PLAIN.view(Color::White, Square::A1);
        for (role, sheet) in sheets.iter().enumerate() {
            for square in Square::ALL {
                let added = sheet.squares[usize::from(square)];
                cells[view.index(false, role, square)] = PackedScore {
                    middle_game: (sheet.material.middle_game + added.middle_game) as i16,
                    end_game: (sheet.material.end_game + added.end_game) as i16,
                };
            }
        }
        let material = sheets.each_ref().map(|sheet| sheet.material);
        Tables {
            shape: KingBuckets::PLAIN,
            cells,
            armies: no_material_scores().into_boxed_slice(),
            tempo: 0,
            material,
        }
    }

    /// A set from its values, in the order of [`Perspective::index`], and what armies are worth beyond the sum of
    /// their pieces, in that of [`Material::index`].
    ///
    /// # Panics
    ///
    /// If there are not as many values as the shape asks for, or as there are armies.
    pub fn from_scores(
        shape: KingBuckets,
        cells: Vec<PackedScore>,
        armies: Vec<PackedScore>,
        tempo: i16,
    ) -> Tables {
        assert_eq!(
            cells.len(),
            shape.length(),
            "as many values as the shape asks for"
        );
        assert_eq!(armies.len(), MATERIAL_SIZE, "a value for each army");
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
        let cells = vec![PackedScore::default(); KingBuckets::PLAIN.length()];
        Tables::from_scores(KingBuckets::PLAIN, cells, no_material_scores(), 0)
    }

    /// Whether the set knows nothing.
    pub fn is_zero(&self) -> bool {
        let mut cells = self.cells.iter().chain(&self.armies);
        self.tempo == 0 && cells.all(|cell| *cell == PackedScore::default())
    }

    /// How the set looks at the kings.
    #[inline]
    pub fn shape(&self) -> &KingBuckets {
        &self.shape
    }

    /// All values, in the order of [`Perspective::index`].
    pub fn cells(&self) -> &[PackedScore] {
        &self.cells
    }

    /// What armies are worth beyond the sum of their pieces, in the order of [`Material::index`].
    pub fn armies(&self) -> &[PackedScore] {
        &self.armies
    }

    /// What it is worth to be on the move, in centipawns.
    #[inline]
    pub fn tempo(&self) -> i32 {
        i32::from(self.tempo)
    }

    /// What a piece is worth to the side that sees it so.
    #[inline]
    pub fn weight(
        &self,
        view: Perspective,
        is_enemy: bool,
        role: Role,
        square: Square,
    ) -> TaperedScore {
        self.cells[view.index(is_enemy, usize::from(role) - 1, square)].into()
    }

    /// What an army is worth to its side beyond the sum of its pieces.
    #[inline]
    pub fn material_score(&self, army: Material) -> TaperedScore {
        self.armies[army.index()].into()
    }

    /// The share of a role's weights that is told as material: for the published tables as published, for
    /// others the average.
    pub fn material(&self, role: Role) -> TaperedScore {
        self.material[usize::from(role) - 1]
    }
}

/// Armies that are worth no more than their pieces.
pub fn no_material_scores() -> Vec<PackedScore> {
    vec![PackedScore::default(); MATERIAL_SIZE]
}

/// What each role is worth on average to its own side: as its own piece, less as the enemy's.
fn average_material(cells: &[PackedScore]) -> [TaperedScore; 6] {
    let buckets = (cells.len() / BUCKET_SIZE) as i32;
    std::array::from_fn(|role| {
        let mut sum = TaperedScore::default();
        for bucket in cells.chunks_exact(BUCKET_SIZE) {
            for square in 0..64 {
                sum += bucket[role * 64 + square].into();
                sum -= bucket[(6 + role) * 64 + square].into();
            }
        }
        // Pawns stand on 48 squares only.
        let squares = buckets * if role == 0 { 48 } else { 64 };
        TaperedScore {
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
        static SIMPLIFIED: LazyLock<Arc<Tables>> = LazyLock::new(|| {
            Arc::new(Tables::from_piece_square_tables(
                &simplified::PIECE_SQUARE_TABLES,
            ))
        });
        match self {
            TableSet::Learned => Arc::clone(&LEARNED),
            TableSet::Simplified => Arc::clone(&SIMPLIFIED),
        }
    }
}
