//! The index law: which table entries the evaluation of a position adds up.
//!
//! A *feature* is something on the board that the tables hold a score for: a piece on its square, a
//! piece and a pawn on theirs, a passed pawn, or the material of a side. Each side adds up the
//! scores of its features as it sees them from behind its own king; the evaluation is White's sum
//! minus Black's. All scores are in one index space, one [`Family`] of tables after the other, in
//! the order of [`Layout`].
//!
//! This file and [`super::attacks`] turn a board into the indices of [`Layout`]; endings have an
//! index law of their own ([`super::endings`]).
//! [`FeatureState::for_each_feature`] and [`Feature::pairs_on`] list its features for the
//! accumulator, the tuner and the breakdown; [`FeatureState::place`] and its siblings list the
//! indices that change with a move. Pairs are too many for such lists in a search, so
//! [`super::pair_table`] has a faster way to their sum.
//!
//! CONTRIBUTING.md lists what a new family of tables needs, under "What a change costs". Here that
//! is a variant of [`Feature`], the place where it is listed, and its index; a feature that depends
//! on several pieces also needs what `SideState` keeps of it, and how that follows a move.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::king_buckets::Perspective;
use super::material::Material;
use super::pair_table::PairPerspective;
use super::pairs::{PlacedPiece, is_pair};
use super::passed_pawns::passed_pawns;

pub use super::layout::{Family, Layout};

/// Something that the tables hold a score for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// A piece on a square.
    PieceSquare(Piece, Square),
    /// A pawn that is passed.
    PassedPawn(PlacedPiece),
    /// A piece and a pawn, or two pawns.
    Pair {
        /// The piece or, of two pawns, that on the higher square.
        piece: PlacedPiece,
        /// The pawn.
        pawn: PlacedPiece,
    },
    /// The material of a side, which belongs to no single piece.
    Material,
}

impl Feature {
    /// The family whose tables hold its score.
    pub fn family(self) -> Family {
        match self {
            Feature::PieceSquare(..) => Family::PieceSquare,
            Feature::PassedPawn(_) => Family::PassedPawns,
            Feature::Pair { piece, .. } if piece.0.role == Role::Pawn => Family::PawnPairs,
            Feature::Pair { .. } => Family::PiecePawns,
            Feature::Material => Family::Material,
        }
    }

    /// The pairs on a board.
    pub fn pairs_on(board: &Board) -> impl Iterator<Item = Feature> {
        let placed = || board.iter().map(|(square, piece)| (piece, square));
        placed().flat_map(move |piece| {
            let others = placed().filter(move |(_, square)| {
                piece.0.role != Role::Pawn || *square < piece.1 // each two pawns once
            });
            let pawns = others.filter(move |pawn| is_pair(piece, *pawn));
            pawns.map(move |pawn| Feature::Pair { piece, pawn })
        })
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
    /// The passed pawns of this side.
    passed: Bitboard,
}

impl SideState {
    /// The state of a side. Without a king it has the perspective of a king on a1.
    fn of(layout: &Layout, board: &Board, side: Color) -> SideState {
        let king = board.king_of(side).unwrap_or(Square::A1);
        SideState {
            perspective: layout.king_buckets().perspective(side, king),
            material: Material::of(board, side),
            passed: passed_pawns(board, side),
        }
    }
}

/// What decides the features of both sides besides the board, indexed by color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeatureState([SideState; 2]);

/// Does something with each feature of a board, all but the pairs: piece by piece, the passed
/// pawns, then those that belong to no single piece. This is a macro because the search adds the
/// features of a side up so often that each of these loops must be compiled for its own kind of
/// feature. A closure would be called, not inlined.
macro_rules! for_each_feature {
    ($state:ident, $board:ident, $feature:ident => $action:expr) => {{
        for color in Color::ALL {
            for piece in Role::ALL.map(|role| role.of(color)) {
                for square in $board.by_piece(piece) {
                    let $feature = Feature::PieceSquare(piece, square);
                    $action;
                }
            }
        }
        for color in [Color::Black, Color::White] {
            for square in $state.0[usize::from(color)].passed {
                let $feature = Feature::PassedPawn((Role::Pawn.of(color), square));
                $action;
            }
        }
        let $feature = Feature::Material;
        $action;
    }};
}

impl FeatureState {
    /// The state of a board. A side without a king gets the perspective of a king on a1.
    pub fn of(layout: &Layout, board: &Board) -> FeatureState {
        FeatureState([Color::Black, Color::White].map(|side| SideState::of(layout, board, side)))
    }

    /// Calls `f` with the features of a board, all but the pairs.
    #[inline]
    pub fn for_each_feature(self, board: &Board, mut f: impl FnMut(Feature)) {
        for_each_feature!(self, board, feature => f(feature));
    }

    /// Calls `f` with the indices of the features of one side, all but the pairs.
    #[inline]
    pub fn for_each_index(
        self,
        layout: &Layout,
        board: &Board,
        side: Color,
        mut f: impl FnMut(usize),
    ) {
        for_each_feature!(self, board, feature => f(self.index(layout, side, feature)));
    }

    /// The indices of a feature as Black and as White sees it: they are indexed by color.
    #[inline]
    pub fn indices(self, layout: &Layout, feature: Feature) -> [usize; 2] {
        [Color::Black, Color::White].map(|side| self.index(layout, side, feature))
    }

    /// The index of a feature as `side` sees it.
    #[inline(always)]
    fn index(self, layout: &Layout, side: Color, feature: Feature) -> usize {
        let SideState {
            perspective,
            material,
            ..
        } = self.0[usize::from(side)];
        match feature {
            Feature::PieceSquare(piece, square) => {
                layout.piece_square_index(side, perspective, piece, square)
            }
            Feature::PassedPawn(pawn) => layout.passed_pawn_index(side, perspective, pawn),
            Feature::Pair { piece, pawn } => layout.pair_index(side, perspective, piece, pawn),
            Feature::Material => layout.index(Family::Material, material.index()),
        }
    }

    /// The passed pawns of Black and of White.
    #[inline]
    pub fn passed_pawns(self) -> [Bitboard; 2] {
        self.0.map(|side| side.passed)
    }

    /// From which side the pairs are looked up.
    #[inline]
    pub fn pair_perspective(self) -> PairPerspective {
        PairPerspective::new(self.0.map(|side| side.perspective))
    }

    /// Adds a piece on a square. `change` receives the changes of the features of single pieces,
    /// each with the side whose feature it is; [`FeatureState::changes_since`] gives the others.
    #[inline]
    pub fn place(
        &mut self,
        layout: &Layout,
        piece: Piece,
        square: Square,
        mut change: impl FnMut(Color, Change),
    ) {
        self.0[usize::from(piece.color)].material.add(piece.role);
        for side in Color::ALL {
            let index = self.index(layout, side, Feature::PieceSquare(piece, square));
            change(side, Change::Add(index));
        }
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
        self.0[usize::from(piece.color)].material.remove(piece.role);
        for side in Color::ALL {
            let index = self.index(layout, side, Feature::PieceSquare(piece, square));
            change(side, Change::Remove(index));
        }
    }

    /// The changes of the features that depend on several pieces, since an earlier state with the
    /// same perspectives.
    #[inline]
    pub fn changes_since(
        self,
        before: FeatureState,
        layout: &Layout,
        mut change: impl FnMut(Color, Change),
    ) {
        for side in Color::ALL {
            let [old, new] = [before, self].map(|state| state.0[usize::from(side)]);
            if old.passed != new.passed {
                self.change_passed_pawns(layout, side, old.passed, &mut change);
            }
            if old.material != new.material {
                let index = |state: FeatureState| state.index(layout, side, Feature::Material);
                change(side, Change::Remove(index(before)));
                change(side, Change::Add(index(self)));
            }
        }
    }

    /// The changes of the passed pawns of a color since `old`.
    fn change_passed_pawns(
        self,
        layout: &Layout,
        color: Color,
        old: Bitboard,
        change: &mut impl FnMut(Color, Change),
    ) {
        let new = self.0[usize::from(color)].passed;
        for side in Color::ALL {
            let index = |square| {
                let pawn = (Role::Pawn.of(color), square);
                self.index(layout, side, Feature::PassedPawn(pawn))
            };
            for square in old & !new {
                change(side, Change::Remove(index(square)));
            }
            for square in new & !old {
                change(side, Change::Add(index(square)));
            }
        }
    }

    /// Finds the passed pawns of a board whose pawns have changed.
    #[inline]
    pub fn follow_pawns(&mut self, board: &Board) {
        for side in Color::ALL {
            self.0[usize::from(side)].passed = passed_pawns(board, side);
        }
    }

    /// Updates the perspective after a move of the king of `side` to `king`. Returns whether this
    /// changes the indices of all its features.
    #[inline]
    pub fn follow_king(&mut self, layout: &Layout, side: Color, king: Square) -> bool {
        let perspective = layout.king_buckets().perspective(side, king);
        let own = &mut self.0[usize::from(side)].perspective;
        let has_changed = *own != perspective;
        *own = perspective;
        has_changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::king_buckets::KingBuckets;
    use shakmaty::Role;

    /// The sorted indices of the features of both sides, White's first.
    fn indices(state: FeatureState, layout: &Layout, board: &Board) -> [Vec<usize>; 2] {
        Color::ALL.map(|side| {
            let mut indices = Vec::new();
            state.for_each_index(layout, board, side, |index| indices.push(index));
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
        let mut features: Vec<Feature> = Feature::pairs_on(&board).collect();
        assert_eq!(features.len(), 16 * 15 / 2 + 14 * 16);
        state.for_each_feature(&board, |feature| features.push(feature));
        for feature in features {
            for index in state.indices(&layout, feature) {
                let range = layout.range(feature.family());
                assert!(range.contains(&index), "{feature:?}");
            }
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
        let before = state;
        let knight = Role::Knight.of(Color::White);
        state.remove(&layout, knight, Square::G1, &mut apply);
        state.place(&layout, knight, Square::F3, &mut apply);
        state.remove(
            &layout,
            Role::Queen.of(Color::Black),
            Square::D8,
            &mut apply,
        );
        state.place(&layout, knight, Square::E5, &mut apply);
        state.changes_since(before, &layout, &mut apply);
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
