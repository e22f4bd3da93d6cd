//! The index law: which table entries the evaluation of a position adds up.
//!
//! A *feature* is something on the board that the tables hold a score for: a piece on its square, or the
//! material of a side. Each side adds up the scores of its features as it sees them from behind its own king;
//! the evaluation is White's sum minus Black's. All scores are in one index space, one [`Family`] of tables
//! after the other, in the order of [`Layout`].
//!
//! This is the only file that turns a board into indices. [`FeatureState::features`] lists them for the
//! accumulator, the tuner and `explain`; [`FeatureState::place`] and its siblings list those that change with a
//! move. A new family needs its own file, an arm in this file's functions, and a place in the file format.

use std::ops::Range;

use shakmaty::{Board, Color, Piece, Square};

use super::king_buckets::{KingBuckets, Perspective};
use super::material::{MATERIAL_SIZE, Material};

/// A family of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A piece on its square, by the king bucket of the side whose perspective it is.
    PieceSquare,
    /// The material imbalance: the numbers of pieces of one side.
    Material,
}

impl Family {
    /// Every family, in the order of the index space.
    pub const ALL: [Family; 2] = [Family::PieceSquare, Family::Material];
}

/// The layout of the index space of a set of tables: the place of every family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    king_buckets: KingBuckets,
    /// The index of the first material score.
    material: usize,
}

impl Layout {
    /// The most scores that a set of tables can hold.
    pub const MAX_LENGTH: usize = KingBuckets::MAX_LENGTH + MATERIAL_SIZE;

    /// The layout of tables with these king buckets.
    pub fn new(king_buckets: KingBuckets) -> Layout {
        Layout {
            material: king_buckets.length(),
            king_buckets,
        }
    }

    /// The king buckets of the piece-square tables.
    #[inline]
    pub fn king_buckets(&self) -> &KingBuckets {
        &self.king_buckets
    }

    /// The number of scores.
    pub fn length(&self) -> usize {
        self.range(Family::Material).end
    }

    /// The indices of a family.
    pub fn range(&self, family: Family) -> Range<usize> {
        match family {
            Family::PieceSquare => 0..self.material,
            Family::Material => self.material..self.material + MATERIAL_SIZE,
        }
    }

    /// The index of a piece on a square, from the perspective of `side`.
    #[inline]
    pub fn piece_square(
        &self,
        side: Color,
        perspective: Perspective,
        piece: Piece,
        square: Square,
    ) -> usize {
        perspective.index(piece.color != side, piece.role, square)
    }

    /// The index of the material of a side.
    #[inline]
    pub fn material(&self, material: Material) -> usize {
        self.material + material.index()
    }
}

/// Something that the tables hold a score for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A piece on a square.
    PieceSquare(Piece, Square),
    /// The material of the side whose feature it is.
    Material,
}

impl Feature {
    /// The family whose tables hold its score.
    pub fn family(self) -> Family {
        match self {
            Feature::PieceSquare(..) => Family::PieceSquare,
            Feature::Material => Family::Material,
        }
    }
}

/// A change to the features of a side, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// A feature appears.
    Add(usize),
    /// A feature disappears.
    Remove(usize),
}

/// What decides the features of the sides besides the board. Both arrays are indexed by color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureState {
    perspectives: [Perspective; 2],
    material: [Material; 2],
}

impl FeatureState {
    /// The state of a board. A side without a king gets the perspective of a king on a1.
    pub fn of(layout: &Layout, board: &Board) -> FeatureState {
        let perspective = |side| {
            let king = board.king_of(side).unwrap_or(Square::A1);
            layout.king_buckets.perspective(side, king)
        };
        FeatureState {
            perspectives: [Color::Black, Color::White].map(perspective),
            material: [Color::Black, Color::White].map(|side| Material::of(board, side)),
        }
    }

    /// The features of a side with their indices. Both sides have the same features in the same order, so the
    /// two lists can be zipped.
    #[inline]
    pub fn features<'a>(
        self,
        layout: &'a Layout,
        board: &'a Board,
        side: Color,
    ) -> impl Iterator<Item = (Feature, usize)> + 'a {
        let perspective = self.perspectives[usize::from(side)];
        let material = layout.material(self.material[usize::from(side)]);
        board
            .iter()
            .map(move |(square, piece)| {
                let index = layout.piece_square(side, perspective, piece, square);
                (Feature::PieceSquare(piece, square), index)
            })
            .chain([(Feature::Material, material)])
    }

    /// Adds a piece on a square. `change` receives every change of a feature with the side whose feature it is.
    #[inline]
    pub fn place(
        &mut self,
        layout: &Layout,
        piece: Piece,
        square: Square,
        mut change: impl FnMut(Color, Change),
    ) {
        for side in Color::ALL {
            let perspective = self.perspectives[usize::from(side)];
            let index = layout.piece_square(side, perspective, piece, square);
            change(side, Change::Add(index));
        }
        self.change_material(layout, piece.color, change, |material| {
            material.add(piece.role)
        });
    }

    /// Removes a piece from a square: the inverse of [`FeatureState::place`].
    #[inline]
    pub fn remove(
        &mut self,
        layout: &Layout,
        piece: Piece,
        square: Square,
        mut change: impl FnMut(Color, Change),
    ) {
        for side in Color::ALL {
            let perspective = self.perspectives[usize::from(side)];
            let index = layout.piece_square(side, perspective, piece, square);
            change(side, Change::Remove(index));
        }
        self.change_material(layout, piece.color, change, |material| {
            material.remove(piece.role)
        });
    }

    /// Moves a piece from one square to another. After a king's move, [`FeatureState::follow_king`] must be
    /// called too.
    #[inline]
    pub fn shift(
        &mut self,
        layout: &Layout,
        piece: Piece,
        [from, to]: [Square; 2],
        mut change: impl FnMut(Color, Change),
    ) {
        for side in Color::ALL {
            let perspective = self.perspectives[usize::from(side)];
            let index = |square| layout.piece_square(side, perspective, piece, square);
            change(side, Change::Remove(index(from)));
            change(side, Change::Add(index(to)));
        }
    }

    /// Updates the perspective after a move of the king of `side` to `king`. Returns whether this changes the
    /// indices of all its features.
    #[inline]
    pub fn follow_king(&mut self, layout: &Layout, side: Color, king: Square) -> bool {
        let perspective = layout.king_buckets.perspective(side, king);
        let own = &mut self.perspectives[usize::from(side)];
        let has_changed = *own != perspective;
        *own = perspective;
        has_changed
    }

    #[inline]
    fn change_material(
        &mut self,
        layout: &Layout,
        side: Color,
        mut change: impl FnMut(Color, Change),
        apply: impl FnOnce(&mut Material),
    ) {
        let material = &mut self.material[usize::from(side)];
        change(side, Change::Remove(layout.material(*material)));
        apply(material);
        change(side, Change::Add(layout.material(*material)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Role;

    /// The sorted indices of the features of both sides, White's first.
    fn indices(state: FeatureState, layout: &Layout, board: &Board) -> [Vec<usize>; 2] {
        Color::ALL.map(|side| {
            let features = state.features(layout, board, side);
            let mut indices: Vec<usize> = features.map(|(_, index)| index).collect();
            indices.sort_unstable();
            indices
        })
    }

    #[test]
    fn families_fill_the_index_space_without_gap_or_overlap() {
        let king_buckets = KingBuckets::named("squares").expect("a scheme of this name");
        let layout = Layout::new(king_buckets);
        let mut end = 0;
        for family in Family::ALL {
            let range = layout.range(family);
            assert_eq!(range.start, end, "{family:?}");
            end = range.end;
        }
        assert_eq!(end, layout.length());
        let board = Board::default();
        let state = FeatureState::of(&layout, &board);
        for (feature, index) in state.features(&layout, &board, Color::Black) {
            assert!(
                layout.range(feature.family()).contains(&index),
                "{feature:?}"
            );
        }
    }

    #[test]
    fn incremental_changes_give_the_features_of_the_new_board() {
        let layout = Layout::new(KingBuckets::PLAIN);
        let mut board = Board::default();
        let mut state = FeatureState::of(&layout, &board);
        let mut kept_up = indices(state, &layout, &board);
        let mut apply = |side: Color, change| {
            let indices = &mut kept_up[side.fold_wb(0, 1)];
            match change {
                Change::Add(index) => indices.push(index),
                Change::Remove(index) => {
                    let place = indices.iter().position(|other| *other == index);
                    indices.remove(place.expect("only what was there is removed"));
                }
            }
        };
        let knight = Role::Knight.of(Color::White);
        state.shift(&layout, knight, [Square::G1, Square::F3], &mut apply);
        state.remove(
            &layout,
            Role::Queen.of(Color::Black),
            Square::D8,
            &mut apply,
        );
        state.place(&layout, knight, Square::E5, &mut apply);
        board.discard_piece_at(Square::G1);
        board.discard_piece_at(Square::D8);
        board.set_piece_at(Square::F3, knight);
        board.set_piece_at(Square::E5, knight);
        kept_up
            .iter_mut()
            .for_each(|indices| indices.sort_unstable());
        assert_eq!(state, FeatureState::of(&layout, &board));
        assert_eq!(kept_up, indices(state, &layout, &board));
    }
}
