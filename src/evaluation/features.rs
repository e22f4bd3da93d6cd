//! The index law: which table entries the evaluation of a position adds up.
//!
//! A *feature* is something on the board that the tables hold a score for: a piece on its square, or the
//! material of a side. Each side adds up the scores of its features as it sees them from behind its own king;
//! the evaluation is White's sum minus Black's. All scores are in one index space, one [`Family`] of tables
//! after the other, in the order of [`Layout`].
//!
//! This is the only file that turns a board into indices. [`FeatureState::features`] lists them for the
//! accumulator, the tuner and `explain`; [`FeatureState::place`] and its siblings list those that change with a
//! move. A new family needs a file for its index and its size. Here it needs a variant of [`Family`] with its name
//! and size, and, if its features belong to no single piece, what `SideState` keeps of it. The version since which
//! it is stored stands in [`super::file`]. Everything else handles all families alike.

use std::ops::Range;

use shakmaty::{Board, Color, Piece, Role, Square};

use super::king_buckets::{BUCKET_SIZE, KingBuckets, Perspective};
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

    /// The name, for people to read.
    pub const fn name(self) -> &'static str {
        self.name_and_size(0).0
    }

    /// The number of scores of this family in tables with this many king buckets.
    pub const fn size(self, king_buckets: usize) -> usize {
        self.name_and_size(king_buckets).1
    }

    const fn name_and_size(self, king_buckets: usize) -> (&'static str, usize) {
        match self {
            Family::PieceSquare => ("piece-square tables", king_buckets * BUCKET_SIZE),
            Family::Material => ("material imbalance", MATERIAL_SIZE),
        }
    }
}

/// The layout of the index space of a set of tables: the place of every family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    king_buckets: KingBuckets,
    /// The index of the first score of each family, in the order of [`Family::ALL`], and the number of all scores.
    offsets: [usize; Family::ALL.len() + 1],
}

impl Layout {
    /// The most scores that a set of tables can hold.
    pub const MAX_LENGTH: usize = offsets(KingBuckets::MAX_COUNT)[Family::ALL.len()];

    /// The layout of tables with these king buckets.
    pub fn new(king_buckets: KingBuckets) -> Layout {
        Layout {
            offsets: offsets(king_buckets.count()),
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
        self.offsets[Family::ALL.len()]
    }

    /// The indices of a family.
    pub fn range(&self, family: Family) -> Range<usize> {
        self.offsets[family as usize]..self.offsets[family as usize + 1]
    }

    /// The index of a piece on a square, from the perspective of `side`. The piece-square tables come first in the
    /// index space.
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

    /// The index of a score of a family, given its place in the family.
    #[inline]
    fn index(&self, family: Family, place: usize) -> usize {
        self.offsets[family as usize] + place
    }
}

/// The offsets of [`Layout`] for tables with this many king buckets.
const fn offsets(king_buckets: usize) -> [usize; Family::ALL.len() + 1] {
    let mut offsets = [0; Family::ALL.len() + 1];
    let mut place = 0;
    while place < Family::ALL.len() {
        offsets[place + 1] = offsets[place] + Family::ALL[place].size(king_buckets);
        place += 1;
    }
    offsets
}

/// Something that the tables hold a score for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A piece on a square.
    PieceSquare(Piece, Square),
    /// A feature of a side that belongs to no single piece, such as its material.
    BeyondPieces(Family),
}

impl Feature {
    /// The family whose tables hold its score.
    pub fn family(self) -> Family {
        match self {
            Feature::PieceSquare(..) => Family::PieceSquare,
            Feature::BeyondPieces(family) => family,
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

/// What decides the features of one side besides the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SideState {
    perspective: Perspective,
    material: Material,
}

impl SideState {
    /// The state of a side. Without a king it has the perspective of a king on a1.
    fn of(layout: &Layout, board: &Board, side: Color) -> SideState {
        let king = board.king_of(side).unwrap_or(Square::A1);
        SideState {
            perspective: layout.king_buckets.perspective(side, king),
            material: Material::of(board, side),
        }
    }

    /// The features that belong to no single piece, with their indices.
    #[inline]
    fn beyond_pieces(self, layout: &Layout) -> [(Family, usize); 1] {
        [(Family::Material, self.material.index())]
            .map(|(family, place)| (family, layout.index(family, place)))
    }

    /// Adds a piece of this side.
    #[inline]
    fn add(&mut self, role: Role) {
        self.material.add(role);
    }

    /// Removes a piece of this side.
    #[inline]
    fn remove(&mut self, role: Role) {
        self.material.remove(role);
    }
}

/// What decides the features of both sides besides the board, indexed by color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureState([SideState; 2]);

impl FeatureState {
    /// The state of a board. A side without a king gets the perspective of a king on a1.
    pub fn of(layout: &Layout, board: &Board) -> FeatureState {
        FeatureState([Color::Black, Color::White].map(|side| SideState::of(layout, board, side)))
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
        let state = self.0[usize::from(side)];
        let beyond_pieces = state.beyond_pieces(layout).into_iter();
        board
            .iter()
            .map(move |(square, piece)| {
                let index = layout.piece_square(side, state.perspective, piece, square);
                (Feature::PieceSquare(piece, square), index)
            })
            .chain(beyond_pieces.map(|(family, index)| (Feature::BeyondPieces(family), index)))
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
            let perspective = self.0[usize::from(side)].perspective;
            let index = layout.piece_square(side, perspective, piece, square);
            change(side, Change::Add(index));
        }
        self.change_side(layout, piece.color, change, |state| state.add(piece.role));
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
            let perspective = self.0[usize::from(side)].perspective;
            let index = layout.piece_square(side, perspective, piece, square);
            change(side, Change::Remove(index));
        }
        self.change_side(layout, piece.color, change, |state| {
            state.remove(piece.role)
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
            let perspective = self.0[usize::from(side)].perspective;
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
        let own = &mut self.0[usize::from(side)].perspective;
        let has_changed = *own != perspective;
        *own = perspective;
        has_changed
    }

    /// Changes the state of a side; `change` receives the changes of the features that belong to no single piece.
    #[inline]
    fn change_side(
        &mut self,
        layout: &Layout,
        side: Color,
        mut change: impl FnMut(Color, Change),
        apply: impl FnOnce(&mut SideState),
    ) {
        let state = &mut self.0[usize::from(side)];
        for (_, index) in state.beyond_pieces(layout) {
            change(side, Change::Remove(index));
        }
        apply(state);
        for (_, index) in state.beyond_pieces(layout) {
            change(side, Change::Add(index));
        }
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
        for (place, family) in Family::ALL.into_iter().enumerate() {
            assert_eq!(family as usize, place, "{family:?}");
            let range = layout.range(family);
            assert_eq!(range.start, end, "{family:?}");
            assert_eq!(range.len(), family.size(32), "{family:?}");
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
