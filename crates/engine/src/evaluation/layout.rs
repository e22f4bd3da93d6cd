//! The layout of a set of tables: the families of tables, and the place of each in the common index
//! space.
//!
//! All scores of a set of tables stand in one list, one family after the other: first the
//! piece-square tables of every king bucket, then the material imbalance, and so on. A number, the
//! *index*, therefore names a score of any family. So the tuner, the accumulator and the file have
//! one list to deal with, however many families there are.

use std::ops::Range;

use shakmaty::{Color, Piece, Role, Square};

use super::attacks::attack_pairs::ATTACK_PAIRS_SIZE;
use super::attacks::king_counts::KING_COUNTS_SIZE;
use super::attacks::king_danger::KING_DANGER_SIZE;
use super::attacks::mobility::MOBILITY_SIZE;
use super::attacks::passed_path::PASSED_PATHS_SIZE;
use super::attacks::threats::THREATS_SIZE;
use super::king_buckets::{BUCKET_SIZE, KingBuckets, Perspective};
use super::material::MATERIAL_SIZE;
use super::pairs::{
    PAWN_PAIRS_SIZE, PIECE_PAWNS_SIZE, PlacedPiece, is_pair, pawn_pair_index, piece_pawn_index,
};
use super::passed_pawns::{PASSED_BUCKET_SIZE, passed_pawn_index};

/// A family of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A piece on its square, by the king bucket of the side whose perspective it is.
    PieceSquare,
    /// The material imbalance: the numbers of pieces of one side.
    Material,
    /// A passed pawn on its square, by the king bucket of the side whose perspective it is.
    PassedPawns,
    /// A piece is attacked by enemy pieces.
    Threats,
    /// A piece and the number of squares that it can safely go to.
    Mobility,
    /// What is counted around a king.
    KingCounts,
    /// In which way a king is attacked.
    KingDanger,
    /// What awaits a passed pawn on its way.
    PassedPaths,
    /// A piece on its square attacks or defends a piece on its square.
    AttackPairs,
    /// Two pawns on their squares.
    PawnPairs,
    /// A knight, bishop, rook or queen and a pawn on their squares.
    PiecePawns,
}

impl Family {
    /// Every family, in the order of the index space.
    pub const ALL: [Family; 11] = [
        Family::PieceSquare,
        Family::Material,
        Family::PassedPawns,
        Family::Threats,
        Family::Mobility,
        Family::KingCounts,
        Family::KingDanger,
        Family::PassedPaths,
        Family::AttackPairs,
        Family::PawnPairs,
        Family::PiecePawns,
    ];

    /// Whether its features are pairs of a piece and a pawn.
    pub const fn is_pairs(self) -> bool {
        matches!(self, Family::PawnPairs | Family::PiecePawns)
    }

    /// Whether a part of each of its scores is shared: its features are pairs of pieces, and there
    /// are more of them than games have seen.
    pub const fn shares_scores(self) -> bool {
        self.is_pairs() || matches!(self, Family::AttackPairs)
    }

    /// Whether its features are found from the attacks on the board.
    pub const fn is_attacks(self) -> bool {
        let place = self as usize;
        Family::Threats as usize <= place && place <= Family::AttackPairs as usize
    }

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
            Family::PassedPawns => ("passed pawns", king_buckets * PASSED_BUCKET_SIZE),
            Family::Threats => ("threats", THREATS_SIZE),
            Family::Mobility => ("mobility", MOBILITY_SIZE),
            Family::KingCounts => ("squares around the king", KING_COUNTS_SIZE),
            Family::KingDanger => ("danger of the king", KING_DANGER_SIZE),
            Family::PassedPaths => ("paths of passed pawns", PASSED_PATHS_SIZE),
            Family::AttackPairs => ("attacks from square to square", ATTACK_PAIRS_SIZE),
            Family::PawnPairs => ("pairs of pawns", PAWN_PAIRS_SIZE),
            Family::PiecePawns => ("pieces with pawns", PIECE_PAWNS_SIZE),
        }
    }
}

/// The layout of the index space of a set of tables: the place of every family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    king_buckets: KingBuckets,
    /// The index of the first score of each family, in the order of [`Family::ALL`], and the number
    /// of all scores.
    offsets: [usize; Family::ALL.len() + 1],
}

impl Layout {
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

    /// The index of a piece on a square, from the perspective of `side`. The piece-square tables
    /// come first in the index space.
    #[inline]
    pub fn piece_square_index(
        &self,
        side: Color,
        perspective: Perspective,
        piece: Piece,
        square: Square,
    ) -> usize {
        perspective.index(piece.color != side, piece.role, square)
    }

    /// The index of a passed pawn, from the perspective of `side`.
    #[inline]
    pub fn passed_pawn_index(
        &self,
        side: Color,
        perspective: Perspective,
        pawn: PlacedPiece,
    ) -> usize {
        self.index(
            Family::PassedPawns,
            passed_pawn_index(side, perspective, pawn),
        )
    }

    /// The index of a pair of a piece and a pawn ([`is_pair`]), from the perspective of `side`.
    pub fn pair_index(
        &self,
        side: Color,
        perspective: Perspective,
        piece: PlacedPiece,
        pawn: PlacedPiece,
    ) -> usize {
        debug_assert!(is_pair(piece, pawn), "{piece:?} and {pawn:?} are no pair");
        if piece.0.role == Role::Pawn {
            let place = pawn_pair_index(side, perspective, [piece, pawn]);
            self.index(Family::PawnPairs, place)
        } else {
            let place = piece_pawn_index(side, perspective, piece, pawn);
            self.index(Family::PiecePawns, place)
        }
    }

    /// The index of a score of a family, given its place in the family.
    #[inline]
    pub(super) fn index(&self, family: Family, place: usize) -> usize {
        self.offsets[family as usize] + place
    }
}

/// The offsets of [`Layout`] for tables with this many king buckets.
fn offsets(king_buckets: usize) -> [usize; Family::ALL.len() + 1] {
    let mut offsets = [0; Family::ALL.len() + 1];
    for (place, family) in Family::ALL.into_iter().enumerate() {
        offsets[place + 1] = offsets[place] + family.size(king_buckets);
    }
    offsets
}
