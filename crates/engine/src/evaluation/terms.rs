//! The terms of an evaluation: what each table adds to a piece, to a pair, or to a side.

use shakmaty::{Color, Piece, Role, Square};

use super::attacks::AttackFeature;
use super::endings::Entry;
use super::features::Family;
use super::pairs::PlacedPiece;
use super::tapered_score::TaperedScore;

/// A table that a piece takes a part of its value from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The value of the piece on any square.
    Material,
    /// What the square adds, in tables that don't depend on the kings.
    Square,
    /// What the square adds, given where the king of the same side stands.
    OwnKing,
    /// What the square adds, given where the king of the other side stands.
    EnemyKing,
    /// What the pawns add: those of both sides, wherever they stand.
    Pawns,
}

impl Table {
    /// Every table, in the order of `PieceTerms::terms`.
    pub const ALL: [Table; 5] = [
        Table::Material,
        Table::Square,
        Table::OwnKing,
        Table::EnemyKing,
        Table::Pawns,
    ];

    /// The name, for people to read.
    pub fn name(self) -> &'static str {
        match self {
            Table::Material => "material",
            Table::Square => "square",
            Table::OwnKing => "own king",
            Table::EnemyKing => "enemy king",
            Table::Pawns => "pawns",
        }
    }
}

/// What a table adds to the value of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Term {
    /// The table.
    pub table: Table,
    /// The exact score, positive if it is good for the owner of the piece.
    pub exact: TaperedScore,
    /// The value in centipawns from White's point of view: a black queen has negative material.
    pub value: i32,
}

/// The terms of one piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceTerms {
    /// Where it stands.
    pub square: Square,
    /// The piece.
    pub piece: Piece,
    /// In the order of [`Table::ALL`], each table at most once.
    pub terms: Vec<Term>,
    /// What is among these terms because it is a passed pawn; zero for any other piece.
    pub passed: Term,
}

impl PieceTerms {
    /// The value of the piece: the sum of its terms.
    pub fn total(&self) -> i32 {
        self.terms.iter().map(|term| term.value).sum()
    }

    /// What a table adds; 0 if it isn't among the terms.
    pub fn term(&self, table: Table) -> i32 {
        let terms = self.terms.iter().filter(|term| term.table == table);
        terms.map(|term| term.value).sum()
    }

    /// What the place of the piece adds to its material, from White's point of view.
    pub fn bonus(&self) -> i32 {
        self.total() - self.term(Table::Material)
    }

    /// Whether every table adds the same to the other piece, to the centipawn.
    pub fn has_values_of(&self, other: &PieceTerms) -> bool {
        let values = |piece: &PieceTerms| -> Vec<i32> {
            piece.terms.iter().map(|term| term.value).collect()
        };
        self.piece == other.piece && values(self) == values(other)
    }

    /// The exact scores of some of the tables together, good for the owner if they are positive.
    pub fn exact(&self, is_counted: impl Fn(Table) -> bool) -> TaperedScore {
        let counted = self.terms.iter().filter(|term| is_counted(term.table));
        counted.map(|term| term.exact).sum()
    }
}

/// What a piece is worth because of a pawn, or two pawns because of each other. It is a detail of
/// [`Table::Pawns`], already counted among the terms of the pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairTerm {
    /// The piece or, of two pawns, that on the higher square.
    pub piece: PlacedPiece,
    /// The pawn.
    pub pawn: PlacedPiece,
    /// The exact score, from White's point of view.
    pub exact: TaperedScore,
    /// The value in centipawns, from White's point of view.
    pub value: i32,
}

impl PairTerm {
    /// The part that counts as that of the piece on a square: all of it if a pawn stands by a
    /// piece, half of it if two pawns stand by each other. What can't be halved goes to the pawn on
    /// the higher square.
    pub(super) fn part_of(&self, square: Square, value: i32) -> i32 {
        part_of_pair(self.piece, self.pawn, square, value)
    }

    pub(super) fn exact_part_of(&self, square: Square) -> TaperedScore {
        TaperedScore {
            middlegame: self.part_of(square, self.exact.middlegame),
            endgame: self.part_of(square, self.exact.endgame),
        }
    }
}

/// Where a term comes from that belongs to no single piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A family of tables.
    Family(Family),
    /// The tables of an ending.
    Ending,
}

impl Source {
    /// The name, for people to read.
    pub fn name(self) -> &'static str {
        match self {
            Source::Family(family) => family.name(),
            Source::Ending => "ending",
        }
    }
}

/// What belongs to no single piece, such as the material imbalance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FamilyTerm {
    /// Where it comes from.
    pub source: Source,
    /// The exact score of each side, indexed by color: positive values are good for that side.
    pub exact: [TaperedScore; 2],
    /// The same in centipawns.
    pub sides: [i32; 2],
}

impl FamilyTerm {
    /// The value in centipawns, from White's point of view.
    pub fn value(&self) -> i32 {
        let [black, white] = self.sides;
        white - black
    }
}

/// What an entry of an ending's tables adds. It is a detail of the [`FamilyTerm`] of
/// [`Source::Ending`], already counted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndingTerm {
    /// What the entry stands for.
    pub entry: Entry,
    /// The exact score, from White's point of view.
    pub exact: TaperedScore,
    /// The value in centipawns, from White's point of view.
    pub value: i32,
}

/// What a side gains or loses by an attack. It is a detail of the family's [`FamilyTerm`], already
/// counted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttackTerm {
    /// The side for which a positive exact score is good.
    pub side: Color,
    /// The attack; of the parts of a king's danger the whole stands for all.
    pub feature: AttackFeature,
    /// The exact score.
    pub exact: TaperedScore,
    /// The value in centipawns, from White's point of view.
    pub value: i32,
}

impl Term {
    /// A term that isn't rounded yet.
    pub(super) fn new(table: Table, exact: TaperedScore) -> Term {
        Term {
            table,
            exact,
            value: 0,
        }
    }
}

impl PieceTerms {
    /// Adds what a passed pawn is worth for being passed: its scores, indexed by the color of the
    /// side from whose perspective they are. The last term is that of the enemy king.
    pub(super) fn add_passed(&mut self, exact: [TaperedScore; 2]) {
        let own = exact[usize::from(self.piece.color)];
        let enemy = exact[usize::from(!self.piece.color)];
        self.passed.exact += own;
        self.passed.exact -= enemy;
        if let [_, of_own, .., of_enemy] = self.terms.as_mut_slice() {
            of_own.exact += own;
            of_enemy.exact -= enemy;
        } else if let [_, of_square] = self.terms.as_mut_slice() {
            of_square.exact += self.passed.exact;
        }
    }
}

/// The part of a pair's value that counts as that of the piece on a square.
fn part_of_pair(
    (piece, place): PlacedPiece,
    (_, pawn_place): PlacedPiece,
    square: Square,
    value: i32,
) -> i32 {
    let half = value / 2;
    match piece.role {
        Role::Pawn if square == place => value - half,
        Role::Pawn if square == pawn_place => half,
        Role::Pawn => 0,
        _ if square == place => value,
        _ => 0,
    }
}
